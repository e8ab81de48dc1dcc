# SPDX-License-Identifier: 0BSD
# Offsets and counts beyond 4 GiB, on processors of 32 bits above all. The files
# are holes but for what lies about that point, so that little is moved.

# bats file_tags=emulated

load ../lib/helpers

FOUR_GIB=4294967296

# ends_with FILE OFFSET WANT: holds WANT from OFFSET on, and nothing behind it.
ends_with() {
	[ "$(stat -c %s "$1")" = $(($2 + $(stat -c %s "$3"))) ]
	tail -c +$(($2 + 1)) "$1" | cmp - "$3"
}

@test "a file is copied across 4 GiB, whatever the method" {
	needs CAT
	start=$((FOUR_GIB - 1000001))
	random want 3000001
	truncate -s $start in
	gnu_cat want >>in
	pick 2 $(methods)
	for way in -- "${picked[@]}"; do
		truncate -s $((start - 300)) out
		at $start $((start - 300)) cat $way <in 1<>out
		ends_with out $((start - 300)) want
		rm out
		at $start - cat $way <in | cmp - want
		gnu_cat want | at - $start cat $way 1<>out
		ends_with out $start want
		rm out
	done
}

@test "a file is appended to, and tee fills its sinks, across 4 GiB" {
	needs CAT TEE
	start=$((FOUR_GIB - 1000001))
	random want 3000001
	truncate -s $start in out copy
	cat want >>out
	ends_with out $start want
	truncate -s $start out
	gnu_cat want >>in
	at $start $start tee -a copy <in 1<>out
	ends_with out $start want
	ends_with copy $start want
}

@test "more than 4 GiB are moved and counted" {
	needs CAT
	# One file again and again: its pages are made once.
	size=$((FOUR_GIB + 64))
	truncate -s $((size / 64)) in
	mapfile -t files < <(gnu_yes in | head -n 64)
	if ! has TRACE; then
		[ "$(cat "${files[@]}" | cat | wc -c)" = $size ]
		return
	fi
	cat "${files[@]}" | cat --debug 2>said >/dev/null
	grep " moved $size bytes" said
}

@test "input that is output is seen beyond 4 GiB" {
	needs_off SAFE_CALLS # it cannot tell where they are
	needs CAT
	truncate -s $((FOUR_GIB + 5)) file
	at $((FOUR_GIB + 1)) $((FOUR_GIB + 3)) cat <file 1<>file 2>message ||
		[ $? = 1 ]
	grep "^cat: .*input file is output file$" message
	[ "$(stat -c %s file)" = $((FOUR_GIB + 5)) ]
	# What is behind is not met again.
	at $((FOUR_GIB + 3)) $((FOUR_GIB + 1)) cat <file 1<>file
	[ "$(stat -c %s file)" = $((FOUR_GIB + 5)) ]
}
