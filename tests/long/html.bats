# SPDX-License-Identifier: 0BSD
# make html: the pages as a browser shows them, on a telephone and on a desk.

load ../lib/helpers

setup_file() {
	file_needs mandoc python:markdown_it chromium-headless-shell || return 0
	make -s -C "$TOP" O="$BATS_FILE_TMPDIR" html
}

setup() {
	common_setup
	cp -r "$BATS_FILE_TMPDIR/html" .
}

# shown: one page shows all of them, 375 and 1280 pixels wide, and says which have text that
# leaves the window. A block that scrolls may be wider.
shown() {
	{
		for width in 375 1280; do
			find html -name '*.html' -printf "<iframe width=$width src=\"%p\"></iframe>\n"
		done
		gnu_cat <<-'END'
		<pre id=said></pre>
		<script>onload = () => {
		  for (const frame of document.querySelectorAll('iframe')) {
		    const page = frame.contentDocument, root = page.documentElement;
		    const at = frame.getAttribute('src') + ' at ' + frame.width + ': ';
		    let wrong = page.body.innerText.length < 100 ? 'has no text' : '';
		    if (root.scrollWidth > root.clientWidth)
		      wrong = 'is ' + (root.scrollWidth - root.clientWidth) + ' pixels too wide';
		    said.textContent += wrong ? at + wrong + '\n' : 'shown\n';
		  }
		}</script>
		END
	} >all.html
	timeout 300 chromium-headless-shell --no-sandbox --disable-gpu --user-data-dir="$PWD/home" \
		--allow-file-access-from-files --dump-dom "file://$PWD/all.html" 2>browser |
		sed -n '/<pre id="said">/,/<.pre>/{ s/^.*<pre id="said">//; /^<.pre>/!p; }' >said
}

@test "every page fits a window of 375 and of 1280 pixels" {
	shown
	[ "$(sort -u said)" = shown ]
	[ "$(wc -l <said)" = $((2 * $(find html -name '*.html' | wc -l))) ]
}

@test "a page that is too wide is found" {
	sed -i 's|</nav>|</nav><div style="width: 900px">wide</div>|' html/docs/SIZE.html
	shown
	[ "$(grep -vx shown said | sed 's/is [0-9]* p/is p/')" = \
		"html/docs/SIZE.html at 375: is pixels too wide" ]
}
