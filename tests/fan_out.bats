#!/usr/bin/env bats
# SPDX-License-Identifier: 0BSD
# tee with sinks that one reader takes from in turn: none waits for another.

load lib/helpers

setup() {
	common_setup
	needs TEE
}

# each TURN SINK...: from every kind of source, by $TEE.
each() {
	local turn=$1

	shift
	for source in file pipe pieces; do
		"$LIB/readers.py" "$turn" "$source" "$@" -- ${TEE:-tee}
		rm -f fifo.*
	done
}

@test "a reader that takes lines from two pipes in turn gets all" {
	each lines pipe pipe
	each lines nb-pipe pipe
}

@test "a reader that takes blocks from pipes of a page in turn gets all" {
	each blocks page page
	each blocks page pipe page
}

@test "a reader that takes lines from a socket and a pipe in turn gets all" {
	each lines socket pipe
	each blocks socket page
}

@test "a reader that takes lines from terminals in turn gets all" {
	each lines pty pipe
	each lines pty pty
}

@test "a reader that takes lines from eight sinks in turn gets all" {
	each lines socket page pipe pty page page pipe page
}

@test "a reader that takes in turn gets all by each method of many sinks" {
	needs METHOD
	for method in tee dontcache rw; do
		has "ZC_${method^^}" || [ "$method" = rw ] || continue
		TEE="tee --method=$method"
		each lines pipe pipe
		each blocks socket page pipe
	done
}

@test "a reader that leaves in the middle leaves the others theirs" {
	needs TEE_ERROR
	TEE="tee -p"
	each lines leaving-pipe pipe pipe
	each blocks pipe leaving-page page
	each lines leaving-socket pipe
}

@test "a reader may take one sink to its end before another" {
	each first pipe pipe
	each first pipe pipe pipe
}
