# SPDX-License-Identifier: 0BSD
# cat's formatting, of lines and of bytes.

# bats file_tags=box,emulated,guest

load ../lib/helpers
NEEDS="CAT CAT_FORMAT"

@test "numbers outgrow their six columns" {
	repeated '' 1000002 | cat -n | tail -n 4 >got
	printf '%6d\t\n' 999999 1000000 1000001 1000002 | cmp - got
}

# bats test_tags=each
@test "every byte can be shown" {
	python -c '
def shown(c):
    low = c % 128
    name = "^" + chr(low ^ 64) if low < 32 or low == 127 else chr(low)
    return "M-" * (c > 127) + name
open("all", "wb").write(bytes(range(256)))
open("want", "w").write("".join(map(shown, range(256))).replace("^J", "$\n", 1))'
	cat -A all >got
	cmp want got
	cat -vET all | cmp want -
	cat -e all | sed 's/\t/^I/' | cmp want -
	cat -t all | sed '1s/$/$/' | cmp want -
	cat -v all | sed '1s/$/$/; s/\t/^I/' | cmp want -
}

# like_gnu FILE...: by each option, and by several.
like_gnu() {
	for option in -n -b -s -E -T -v -A -e -t -sn -snb -nET -bnsA; do
		cat $option "$@" | cmp - <(gnu_cat $option "$@")
	done
}

@test "a byte that is shown is found at each place of a block" {
	# So far apart, such bytes come to each place of a block of up to 128 bytes, and are few.
	for bytes in '\n' '\t' '\o1' '\o377' '\n\n\n' '\r\n' '\t\r'; do
		for distance in 33 129; do
			repeated "$(printf "%$((distance - 1))s")" 40000 |
				tr '\n' @ | sed "s/@/$bytes/g"
		done
	done >text
	like_gnu text /dev/null
}

@test "text of any kind, in several files, is formatted as by GNU cat" {
	random binary 300001
	# shellcheck disable=SC2020 # a byte each
	tr '\0-\177' '\n\n\r\n\tab \n' <binary >dense
	tr '\n' ' ' <binary >line
	like_gnu binary dense line dense
	like_gnu line dense
	# Bytes that are shown on each side of where a read ends.
	for size in {131068..131072}; do
		{ printf "%${size}s"; printf '\r\n\n\n\t\377'; gnu_cat dense; echo; } >edge$size
	done
	like_gnu edge*
}

# GNU cat 9.1 does this right, too.
@test "-E shows a CR whose line feed is in another file, also behind one that is missing" {
	printf 'a\r' >one
	printf '\nb\r' >two
	like_gnu one one /dev/null two
	cat -E one missing two >got 2>/dev/null || true
	printf 'a^M$\nb\r' | cmp - got
}

@test "what came before it is printed before a message" {
	printf 'a\n' >in
	cat -n in missing in >got 2>&1 || true
	printf '%s\n' '     1	a' 'cat: missing: No such file or directory' \
		'     2	a' | cmp - got
	printf '     1\ta\n' >want
	cat -n in . 2>/dev/null >got || true
	cmp want got
}

@test "text is formatted where no memory is to be had" {
	needs_no_memory
	seq 40000 >want
	for option in -n -A -s -u; do
		without_memory cat $option want >got
		gnu_cat $option want | cmp - got
	done
}

@test "formatting reports a failed write" {
	[ -c /dev/full ] || skip "no /dev/full"
	printf 'a\n' >in
	fails_with 1 'cat: write error: No space left on device' bash -c 'cat -n in >/dev/full'
	printf 'plain' >in
	fails_with 1 'cat: write error: No space left on device' bash -c 'cat -v in >/dev/full'
}

# bats test_tags=each
@test "long options" {
	needs LONG_OPTS
	printf 'a\t\r\n\n\n\1' >in
	for pair in A:show-all b:number-nonblank E:show-ends n:number \
		    s:squeeze-blank T:show-tabs v:show-nonprinting; do
		cat "-${pair%%:*}" in >want
		cat "--${pair#*:}" in >got
		cmp want got
	done
}

@test "a file that formatting would make longer is not formatted onto itself" {
	seq 100 >want
	cp want file
	for how in "cat -n file 1<>file" "cat -E file >>file" \
		   "cat -b <file 1<>file" "(read -r _; cat -A) <file 1<>file"; do
		run -1 --separate-stderr timeout $HANG bash -c \
			"ulimit -f 1000; $how"
		[[ $stderr = "cat: "*": input file is output file" ]]
		cmp want file
	done
	: >file
	cat -n file >>file
	cmp /dev/null file
	# Nothing is read of an empty one, though the output is further on.
	bash -c "{ echo; : >file; cat -n file; } >file"
	cmp /dev/null file
}
