# SPDX-License-Identifier: 0BSD
# libcore.a: what its objects have, who calls whom, and what is installed.

load helpers

setup_file() {
	unset MAKEFLAGS MFLAGS MAKELEVEL O V CC CFLAGS LDFLAGS CROSS_COMPILE
	export LC_ALL=C B=$BATS_FILE_TMPDIR/max
	make -s -C "$TOP" O="$B" max_defconfig
	make -s -j2 -C "$TOP" O="$B" CFLAGS=-Werror libcore.a
}

setup() {
	cd "$BATS_TEST_TMPDIR"
	OBJECTS=("$B"/lib/engine/*.o "$B"/lib/methods/*.o)
}

# defined, wanted: "OBJECT SYMBOL" of all that the objects define, or want from
# elsewhere.
defined() {
	nm -A --defined-only -g "${OBJECTS[@]}" >symbols
	sed 's|.*/||; s|\.o:.* | |' symbols
}

wanted() {
	nm -A -u "${OBJECTS[@]}" >symbols
	sed 's|.*/||; s|\.o:.* | |' symbols
}

# calls: "OBJECT OBJECT" where the first wants a symbol of the second.
calls() {
	defined | sort -k 2 >defines
	wanted | sort -k 2 >wants
	join -1 2 -2 2 -o 1.1,2.1 wants defines
}

@test "no object of libcore has memory of its own that changes" {
	size -A "${OBJECTS[@]}" >sizes
	grep -c '^\.text' sizes
	awk '$1 ~ /^\.t?(data|bss)/ && $1 !~ /^\.data\.rel\.ro/ && $2 != 0 {
		print
		found = 1
	} END { exit found }' sizes
	nm -A "${OBJECTS[@]}" >symbols
	run ! grep ' [bBC] ' symbols
}

@test "all symbols of libcore.a begin with zc_" {
	[ "$(defined | grep -c ' zc_')" -gt 50 ]
	run ! grep -v ' [a-zA-Z] zc_' symbols
}

@test "every system call of libcore goes through sys.c and sys_stat.c" {
	wanted | grep -v ' zc_' >theirs
	grep '^sys syscall$' theirs
	grep -v '^sys\(_stat\)\? ' theirs | sort -u -k 2 >others
	run ! grep -vxE '[a-z_]+ (mem(cpy|set|move)|__errno_location|_GLOBAL_OFFSET_TABLE_|__stack_chk_fail)' \
		others
}

@test "libcore wants nothing of applets, and sys.c nothing of libcore" {
	wanted | grep ' zc_' | sed 's/.* //' | sort -u >want
	defined | sed 's/.* //' | sort -u >have
	[ -s want ]
	run -0 comm -23 want have
	[ ! "$output" ]
	run ! grep -x 'sys\(_stat\)\? .*' <(calls)
	run ! grep -rE '#include "(applet|box)|applets/' "$TOP/libcore" \
		--include='*.[ch]'
}

@test "methods know nothing of each other" {
	calls >edges
	grep -x 'splice relay' edges
	for method in "$B"/lib/methods/*.o; do
		method=${method##*/}
		method=${method%.o}
		grep -x "copy $method" edges
		# None but the loop has a method's name.
		run ! grep -vx "copy $method" <(grep " $method\$" edges)
	done
}

@test "no files of libcore call each other in a circle" {
	# tsort(1) names the files of a circle, and fails.
	calls | tsort >order
	[ "$(wc -l <order)" -gt 20 ]
	head -n 1 order | grep -x copy
	run -1 tsort <<<'a b b a'
}
