# SPDX-License-Identifier: 0BSD
# scripts/prose: that documents and manuals can be read once, and that it finds what
# cannot.

load ../lib/helpers

setup_file() {
	file_needs mandoc python:markdown_it || return 0
}

# rows FILE...: what it counts in each: words, nouns, negations, sentences, paragraphs.
rows() {
	"$TOP/scripts/prose" "$@" >said || true
	awk '/^[^ ]/ && NF == 6 { print $2, $3, $4, $5, $6 }' said
}

# many N: so many words.
many() {
	printf 'word%.0s ' $(seq "$1")
}

@test "no document is above the limits of scripts/prose" {
	"$TOP/scripts/prose" >table
	# Its words are read: code, tables and headings would be above the limits.
	for page in README.md docs/DESIGN.md applets/tee.1 libcore/zc.3 libcore/Config.in; do
		grep -E "^$page +[0-9]{3,} " table
	done
}

@test "it counts nouns that name nothing, and negations" {
	gnu_cat >page.md <<-'END'
		What is left is lost, but a reader who waits gets it. Whoever waits does not
		hang. What is it?
	END
	[ "$(rows page.md)" = "20 100.0 50.0 0 0" ]
	grep '^    nouns: What is left' said
	grep '^    negations: Whoever waits does not hang' said
	run ! grep 'nouns: What is it' said
}

@test "it finds sentences and paragraphs that are too long" {
	echo "A $(many 34). B $(many 34)." >1.md
	echo "A $(many 35): \`code\`. B $(many 10)." >2.md
	for i in {1..9}; do echo "A $(many 9)."; done >3.md
	{ gnu_cat 3.md; printf '\n- A list is one of its own.\n'; } >4.md
	sed '1s/^/One /' 4.md >5.md
	[ "$(rows ./?.md)" = "70 0.0 0.0 0 0
48 0.0 0.0 1 0
90 0.0 0.0 0 0
97 0.0 0.0 0 0
98 0.0 0.0 0 1" ]
}

@test "it reads manuals and the help of Kconfig" {
	printf '%s\n' '.Dd November 21, 2026' '.Dt A 1' '.Os' '.Sh NAME' '.Nm a' \
		'.Nd what is not' '.Sh DESCRIPTION' '.Nm' 'says' '.Ar what' 'it is.' \
		'.Bd -literal' 'what is not' '.Ed' '.Bl -tag -width Ds' '.It Fl -what' \
		'Never.' '.El' >a.1
	printf '%s\n' 'config NOT' '	bool "what"' '	help' '	  Adds what is' \
		'	  not there.' '' '	  More.' >Config.in
	[ "$(rows a.1 Config.in)" = "10 100.0 200.0 0 0
6 166.7 166.7 0 0" ]
}

@test "a document above a limit fails, and is named" {
	printf 'What is not never.%.0s\n' {1..100} >page.md
	run -1 "$TOP/scripts/prose" page.md
	[[ $output = *"page.md: 100 nouns, and "* ]]
}
