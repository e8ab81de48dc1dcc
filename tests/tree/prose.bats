# SPDX-License-Identifier: 0BSD
# scripts/prose: that documents and manuals can be read once, and that it finds what
# cannot.

load ../lib/helpers

setup() {
	needs_tool mandoc python:markdown_it
	common_setup
}

# row FILE: what it counts there: words, nouns, negations, sentences, paragraphs.
row() {
	"$TOP/scripts/prose" "$1" >said || true
	awk -v file="$1" '$1 == file { print $2, $3, $4, $5, $6 }' said
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
	[ "$(row page.md)" = "20 100.0 50.0 0 0" ]
	grep '^    nouns: What is left' said
	grep '^    negations: Whoever waits does not hang' said
	run ! grep 'nouns: What is it' said
}

@test "it finds sentences and paragraphs that are too long" {
	echo "A $(many 34). B $(many 34)." >page.md
	[ "$(row page.md)" = "70 0.0 0.0 0 0" ]
	echo "A $(many 35): \`code\`. B $(many 10)." >page.md
	[ "$(row page.md)" = "48 0.0 0.0 1 0" ]
	for i in {1..9}; do echo "A $(many 9)."; done >page.md
	[ "$(row page.md)" = "90 0.0 0.0 0 0" ]
	printf '\n- A list is one of its own.\n' >>page.md
	[ "$(row page.md)" = "97 0.0 0.0 0 0" ]
	sed -i '1s/^/One /' page.md
	[ "$(row page.md)" = "98 0.0 0.0 0 1" ]
}

@test "it reads manuals and the help of Kconfig" {
	printf '%s\n' '.Dd November 21, 2026' '.Dt A 1' '.Os' '.Sh NAME' '.Nm a' \
		'.Nd what is not' '.Sh DESCRIPTION' '.Nm' 'says' '.Ar what' 'it is.' \
		'.Bd -literal' 'what is not' '.Ed' '.Bl -tag -width Ds' '.It Fl -what' \
		'Never.' '.El' >a.1
	[ "$(row a.1)" = "10 100.0 200.0 0 0" ]
	printf '%s\n' 'config NOT' '	bool "what"' '	help' '	  Adds what is' \
		'	  not there.' '' '	  More.' >Config.in
	[ "$(row Config.in)" = "6 166.7 166.7 0 0" ]
}

@test "a document above a limit fails, and is named" {
	printf 'What is not never.%.0s\n' {1..100} >page.md
	run -1 "$TOP/scripts/prose" page.md
	[[ $output = *"page.md: 100 nouns, and "* ]]
}
