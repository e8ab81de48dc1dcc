# SPDX-License-Identifier: 0BSD
# cat's formatting of all texts of six bytes of seven letters: "make check-all".

load ../lib/helpers
load ../lib/every_text

@test "all texts of six bytes are printed as they should be" {
	every_text "$TOP" -O2
	run -0 ./every_text 7 6
	[ "$output" = "183068160 runs" ]
}

# wrong FROM TO: cat_format.c with this line changed is found out.
wrong() {
	cp "$TOP/applets/cat_format.c" tree/applets
	sed -i "s/$1/$2/" tree/applets/cat_format.c
	run ! cmp -s tree/applets/cat_format.c "$TOP/applets/cat_format.c"
	every_text tree -O1 -Wno-unused
	# It says so, or has run beyond its memory.
	run ! timeout $HANG ./every_text 3 6
	[[ $status == 139 || ${lines[0]} == "options "* ]]
}

@test "a cat_format.c that is wrong in one place is found" {
	copy_tree tree
	# The number, and its sixth and seventh digit.
	wrong "\*p = \*p == ' ' ? '1' : \*p + 1" '++*p'
	wrong 'if (p < first)' 'if (p < first - 1)'
	# Empty lines, from block to block and from read to read.
	wrong ' | (p\[-2\] == .\\n.))' ')'
	wrong '^	input\[-2\] = end\[-2\];' ''
	# Blocks, halves, and bytes by themselves.
	wrong 'out += BLOCK - from' 'out += BLOCK'
	wrong 'm >> HALF, out' 'm, out'
	wrong 'put_shown(it\[i\], out)' 'put_shown(it[UNROLL - 1 - i], out)'
	# Which are special.
	wrong '(show & (ENDS | UNPRINTABLE)) == ENDS' 'show \& ENDS'
	wrong "'~' - ' ' - 0x80" "'~' - ' ' - 0x7f"
	wrong 'special.alone = .* \&\&' 'special.alone = '
	# What is written from where it is, or in parts.
	wrong 'o == out_buffer && ' ''
	wrong '^			o = out_buffer;' ''
	# A CR at the end of a read, and of the input.
	wrong "p\[-1\] == '\\\\r' \&\&" 'p[-1] == 0 \&\&'
	wrong "input\[-1\] == '\\\\r' \&\&" 'input[-1] == 0 \&\&'
}
