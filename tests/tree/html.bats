# SPDX-License-Identifier: 0BSD
# make html: the documents and manuals as pages.

load ../lib/helpers

setup_file() {
	file_needs mandoc python:markdown_it || return 0
	make -s -C "$TOP" O="$BATS_FILE_TMPDIR" html
}

@test "every link of the pages leads somewhere, and one leads to every page" {
	cd "$BATS_FILE_TMPDIR"
	run -0 "$LIB/links.py" html
	[ "${#lines[@]}" = 1 ]
	for page in "$TOP"/{,docs/,packaging/}*.md; do
		page=${page#"$TOP/"}
		[ -s "html/${page%.md}.html" ]
	done
	for page in cat.1 tee.1 yes.1 box.1 zc.3; do
		[ -s "html/man/$page.html" ]
	done
}

@test "a wrong link, a lost page and a script are found" {
	cp -r "$BATS_FILE_TMPDIR/html" .
	sed -i 's|</nav>|</nav><a href="none.html">a</a><a href="#none">b</a>|' html/README.html
	sed -i 's|</nav>|</nav><script>x</script>|' html/man/tee.1.html
	sed -i 's|</nav>|</nav><img src="file:///proc/none.png">|' html/man/cat.1.html
	touch html/lost.html
	run -1 "$LIB/links.py" html
	for line in 'README.html: none.html leads nowhere' \
		'README.html: #none has no such place' \
		'man/tee.1.html: has script' 'man/cat.1.html: has img' 'lost.html: no link leads there'; do
		grep -x "$line" <<<"$output"
	done
}

@test "a manual is linked to where another names it" {
	cd "$BATS_FILE_TMPDIR"
	grep 'href="tee.1.html">tee(1)</a>' html/man/cat.1.html
	run ! grep 'href="splice' html/man/cat.1.html
}

@test "a document that links to what is not there is refused" {
	mkdir -p tree/scripts
	cp "$TOP"/scripts/{html,pages.py} tree/scripts
	printf '# box\n[a](docs/none.md)\n' >tree/README.md
	run -1 tree/scripts/html out
	[ "${lines[-1]}" = "html: README.md links to docs/none.md, which is not there" ]
}
