#!/usr/bin/env bats
# SPDX-License-Identifier: 0BSD
# "make bench" counts no bytes that have not come, and says what it does not know.

load ../lib/helpers

setup_file() {
	build_every_method >&2
	share_box
}

setup() {
	common_setup
	mkdir peer
}

# peer LINE...: one whose cat is a shell script of these lines.
peer() {
	printf '%s\n' '#!/bin/sh' "$@" >peer/cat
	for name in tee yes; do
		printf '#!/bin/sh\nexit 1\n' >peer/$name
	done
	chmod +x peer/*
}

# bench NAME=VALUE...: BOX is the options of box, to it.
bench() {
	run --separate-stderr outside env BOX= SCALE=0.01 ROUNDS=1 WORKLOADS=disk-file \
		PEERS="uutils@1=$PWD/peer" "$@" \
		"$TOP/scripts/bench/compare" --box "$BOX" --out out
}

@test "a peer whose bytes are wrong is left out" {
	peer 'tr a b <"$1"'
	bench
	[ "$status" = 0 ]
	grep '^- disk-file, uutils: .*differ' out/report.md
	run ! grep '^- disk-file, box' out/report.md
}

@test "a peer that writes less once it is timed is left out" {
	peer "echo >>'$PWD/calls'" \
		"[ \"\$(wc -l <'$PWD/calls')\" = 1 ] || exec head -c 1000 \"\$@\"" \
		'exec cat "$@"'
	bench
	[ "$status" = 0 ]
	grep -x -e '- disk-file, uutils: not all bytes when timed' out/report.md
	[ "$(wc -l <calls)" -ge 2 ]
}

@test "if box itself fails, so does the bench" {
	peer 'exec cat "$@"'
	bench BOX=--method=none
	[ "$status" = 1 ]
	grep '^- disk-file, box: .*none' out/report.md
}

@test "what the bench does not know, it says" {
	peer 'exec cat "$@"'
	for wrong in ROUNDS=0 SCALE=0 WORKLOADS=typo "WORKLOADS=disk-* typo" DENY=typo; do
		bench "$wrong"
		[ "$status" = 1 ]
		[ ! "$output" ]
		[ "$(grep -c '^bench: ' <<<"$stderr")" = 1 ]
		[ "$(wc -l <<<"$stderr")" = 1 ]
	done
}
