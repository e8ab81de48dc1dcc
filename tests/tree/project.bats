# SPDX-License-Identifier: 0BSD
# What stands beside the code: CHANGELOG.md, SECURITY.md, the forge's workflow.

load ../lib/helpers
CONFIGURATION=

setup() {
	cd "$TOP"
	workflow=.github/workflows/ci.yml
}

# The lines of a file that begin with "# ", "## " and so on, as $1 says.
headings() {
	grep "^$1 " "$2" | cut -d' ' -f2-
}

@test "CHANGELOG.md has what is to come and each version, newest first" {
	headings '##' CHANGELOG.md >"$BATS_TEST_TMPDIR/versions"
	[ "$(head -n 1 "$BATS_TEST_TMPDIR/versions")" = "[Unreleased]" ]
	tail -n +2 "$BATS_TEST_TMPDIR/versions" >"$BATS_TEST_TMPDIR/released"
	run ! grep -vxE '\[[0-9.]+\] - [0-9]{4}-[0-9]{2}-[0-9]{2}' \
		"$BATS_TEST_TMPDIR/released"
	sort -Vrc "$BATS_TEST_TMPDIR/released"
	# The version that is built is the last one, until the next is released.
	version=$(version)
	[[ $(head -n 1 "$BATS_TEST_TMPDIR/released") = "[$version] - "* ]]
}

@test "CHANGELOG.md groups changes by the usual words" {
	headings '###' CHANGELOG.md >"$BATS_TEST_TMPDIR/groups"
	[ -s "$BATS_TEST_TMPDIR/groups" ]
	run ! grep -vxE 'Added|Changed|Deprecated|Removed|Fixed|Security' \
		"$BATS_TEST_TMPDIR/groups"
}

@test "SECURITY.md says what is promised, what is supported, how to report" {
	headings '##' SECURITY.md >"$BATS_TEST_TMPDIR/headings"
	for heading in "Report a vulnerability" "Supported versions" \
		"What is promised" "How it is tested"; do
		grep -Fx "$heading" "$BATS_TEST_TMPDIR/headings"
	done
	# What it names is there: tests, scripts, sources.
	sed 's/`/\n/g' SECURITY.md |
		grep -xE '(tests|scripts|docs|libcore)/[a-z_./]+' \
			>"$BATS_TEST_TMPDIR/named"
	while read -r file; do
		[ -e "$file" ]
	done <"$BATS_TEST_TMPDIR/named"
}

@test "a forge runs .ci/run for pushes and pull requests, on amd64 and arm64" {
	[ -x .ci/run ]
	for line in '  push:' '  pull_request:' '  contents: read' \
		'        runner: [ubuntu-24.04, ubuntu-24.04-arm]' '    runs-on: ${{ matrix.runner }}' \
		'          persist-credentials: false' '      - run: .ci/run'; do
		grep -xF -e "$line" "$workflow"
	done
	# Nothing else is run or has rights, and an action is named by its commit.
	grep -E '\<(run|uses|permissions):' "$workflow" >"$BATS_TEST_TMPDIR/steps"
	[ "$(grep -cE 'run:|uses:.*@[0-9a-f]{40} |permissions:' "$BATS_TEST_TMPDIR/steps")" = 3 ]
	[ "$(wc -l <"$BATS_TEST_TMPDIR/steps")" = 3 ]
}

# words FILE: what stands in backticks in FILE, one a line.
words() {
	tr '\n' ' ' <"$1" | grep -o '`[^`]*`' | tr -d '`' | sort -u
}

# missing FILE...: what these name in backticks and the tree has not: files,
# functions, types, and symbols of C and of Kconfig.
missing() {
	local file word

	find "$TOP"/{applets,libcore,scripts/link} -name '*.[ch]' -exec cat {} + >code
	{
		grep '^[a-z]' code | grep -oE '\w+\(' | sed 's/$/)/'
		sed -nE 's/.*\(\*(\w+)\)\(.*/\1()/p; s/^(struct \w+) \{.*/\1/p' code
		grep -oE '\w*_\w*' code | grep -v ^CONFIG_
		sed -n 's/^config /CONFIG_/p' "$TOP"/{,*/}Config.in
	} >known
	for file; do
		while read -r word; do
			exists "$word" >found || echo "$file: $word"
		done < <(words "$file" | grep -vxFf known)
	done
}

# exists WORD: it is a path, or no name.
exists() {
	case $1 in
	/* | build/* | METHOD\(* | CONFIG_X | x_*) ;;
	struct\ * | *'()' | CONFIG_*) return 1 ;;
	*' '*) ;;
	*/* | *.*) compgen -G "$TOP/$1" || find "$TOP/applets" "$TOP/libcore" -path "*/$1" | grep . ;;
	*_*) grep -w "$1" code ;;
	esac
}

@test "what DESIGN.md and TOUR.md name is there" {
	cd "$BATS_TEST_TMPDIR"
	for page in DESIGN TOUR; do
		words "$TOP/docs/$page.md" >"$page"
		[ "$(grep -c '()$' "$page")" -ge 15 ]
		[ "$(grep -c '\.c$' "$page")" -ge 8 ]
	done
	run -0 missing "$TOP/docs/DESIGN.md" "$TOP/docs/TOUR.md"
	[ ! "$output" ]
	# It finds what is not there.
	echo 'a `zc_none()` of `struct zc_none`, `CONFIG_NONE`,
	`zc_none` in `libcore/none.c`, and `none.h`' >wrong.md
	run -0 missing wrong.md
	[ "${#lines[@]}" = 6 ]
}
