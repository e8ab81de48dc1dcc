# SPDX-License-Identifier: 0BSD
# libcore.a: what its objects have, who calls whom, and what is installed.

load ../lib/helpers

setup_file() {
	unset MAKEFLAGS MFLAGS MAKELEVEL O V CC CFLAGS LDFLAGS CROSS_COMPILE
	export LC_ALL=C B
	B=$(built max_defconfig CC=cc libcore.a)
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

@test "every system call of libcore goes through sys.c and its like" {
	wanted | grep -v ' zc_' >theirs
	grep '^sys syscall$' theirs
	grep -v '^sys\(_stat\|_ask\)\? ' theirs | sort -u -k 2 >others
	run ! grep -vxE '[a-z_]+ (mem(cpy|set|move)|getpagesize|__errno_location|_GLOBAL_OFFSET_TABLE_|__stack_chk_fail)' \
		others
}

@test "libcore wants nothing of applets, and sys*.c nothing else of libcore" {
	wanted | grep ' zc_' | sed 's/.* //' | sort -u >want
	defined | sed 's/.* //' | sort -u >have
	[ -s want ]
	run -0 comm -23 want have
	[ ! "$output" ]
	calls | grep -vx 'sys_[a-z]* sys' >edges
	run ! grep '^sys' edges
	run ! grep -rE '#include "(applet|box)|applets/' "$TOP/libcore" \
		--include='*.[ch]'
}

@test "methods know nothing of each other" {
	calls >edges
	grep -x 'splice flush' edges
	for method in "$B"/lib/methods/*.o; do
		method=${method##*/}
		method=${method%.o}
		grep -x "choose $method" edges
		# None but the loop has a method's name.
		run ! grep -vx "choose $method" <(grep " $method\$" edges)
	done
}

@test "no files of libcore call each other in a circle" {
	# tsort(1) names the files of a circle, and fails.
	calls | tsort >order
	[ "$(wc -l <order)" -gt 20 ]
	head -n 1 order | grep -x copy
	run -1 tsort <<<'a b b a'
}

@test "none but wait.c and the ring sleeps" {
	# relay.c only looks (zc_check_reset()).
	wanted | grep ' zc_sys_poll$' | sort >polls
	printf '%s zc_sys_poll\n' relay ring wait | cmp - polls
}

@test "none but sys.c reads errno: all others return it" {
	wanted | grep ' __errno_location$' >readers
	echo sys __errno_location | cmp - readers
}

# installed CC: the library that is built by CC, and the flags to use it with.
installed() {
	local dir

	dir=$(built defconfig "CC=$1" libcore.a)
	make -s -C "$TOP" O="$dir" CC="$1" CFLAGS=-Werror PREFIX="$PWD/root-$1" \
		install-lib
	needs_tool pkg-config
	PKG_CONFIG_PATH=$PWD/root-$1/lib/pkgconfig \
		pkg-config --cflags --libs zc >flags
	read -ra flags <flags
}

# The program in the manual.
example() {
	sed -n '/^\.Bd -literal/,/^\.Ed/p' "$TOP/libcore/zc.3" |
		sed '/^\./d; s/\\e/\\/g'
}

@test "the program in zc(3) is built with what is installed, and runs" {
	example >example.c
	[ "$(wc -l <example.c)" -le 20 ]
	seq 100000 >data
	for cc in cc musl-gcc; do
		installed $cc
		$cc -std=c11 -Wall -Wextra -pedantic -Werror -o example example.c \
			"${flags[@]}"
		./example <data >got
		cmp data got
		[ "$(./example <data | tail -n 1)" = 100000 ]
		run -1 sh -c './example <data >/dev/full'
		[ "$output" = "output: No space left on device" ]
		run -1 ./example </
		[ "$output" = "input: Is a directory" ]
	done
}

@test "zc.h is a header of its own, for C and for C++" {
	needs_tool g++
	installed cc
	gnu_cat >uses.c <<-'END'
		#include <zc.h>

		static struct zc z;

		int main(void)
		{
			static struct zc_endpoint end;

			end.fd = -1;
			zc_close(&z);
			return !zc_identify(&end) || end.error != EBADF;
		}
	END
	for std in c11 c17 gnu11 c2x; do
		cc -std=$std -Wall -Wextra -pedantic -Werror uses.c "${flags[@]}"
		./a.out
	done
	for std in c++11 c++20; do
		g++ -std=$std -Wall -Wextra -pedantic -Werror -x c++ uses.c \
			-x none "${flags[@]}"
		./a.out
	done
	grep -x '#include <.*' root-cc/include/zc.h
	run ! grep -E '#include "|CONFIG_' root-cc/include/zc.h
	# No choice changes it, so that it fits every archive.
	cmp "$TOP/libcore/zc.h" root-cc/include/zc.h
}

@test "install-lib puts four files below DESTDIR, which uninstall-lib removes" {
	make="make -s -C $TOP O=$B CC=cc CFLAGS=-Werror DESTDIR=$PWD/d"
	$make PREFIX=/opt install-lib
	find d -type f -printf '%P\n' | sort >got
	gnu_cat >want <<-'END'
		opt/include/zc.h
		opt/lib/libcore.a
		opt/lib/pkgconfig/zc.pc
		opt/share/man/man3/zc.3
	END
	diff want got
	grep -x 'libdir=/opt/lib' d/opt/lib/pkgconfig/zc.pc
	run ! grep @ d/opt/lib/pkgconfig/zc.pc
	[ "$(stat -c %a d/opt/include/zc.h)" = 644 ]
	$make PREFIX=/opt uninstall-lib
	run -0 find d -type f
	[ ! "$output" ]
	$make libdir=/lib64 MAN=n install-lib
	[ -e d/lib64/libcore.a ]
	[ ! -e d/usr/share/man ]
}

@test "zc(3) is clean, and tells of all that zc.h has" {
	needs_tool mandoc
	mandoc -T lint -W warning "$TOP/libcore/zc.3"
	sed '/^	\/\* libcore.s own/,/^}/d' "$TOP/libcore/zc.h" >public
	# Every name of a function, and every word that begins with ZC_.
	grep -oE '\bzc_[a-z_]+\(|\bZC_[A-Z_]+\b' public | tr -d '(' | sort -u |
		grep -vxE 'ZC_H|zc_reserve' >names
	[ "$(wc -l <names)" -gt 20 ]
	while read -r symbol; do
		grep -qw "$symbol" "$TOP/libcore/zc.3"
	done <names
}
