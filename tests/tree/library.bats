# SPDX-License-Identifier: 0BSD
# libcore.a, which tests link: what its objects have, and who calls whom. libzc: what
# is installed, and which names and types others see.

load ../lib/helpers

setup_file() {
	export B LIBZC
	B=$(built "$(built max_defconfig)" libcore.a)
	parts=$(built "$(built defconfig)" libzc-parts.a)
	LIBZC=$(built defconfig CC=cc libzc)
	built "$LIBZC" CC=cc PREFIX="$BATS_FILE_TMPDIR/root-cc" install-lib
	cd "$BATS_FILE_TMPDIR"
	# What the largest box has, and then the parts that the library alone has.
	printf '%s\n' "$B"/lib/engine/[!n]*.o "$B"/lib/methods/*.o >objects
	for object in "$parts"/libzc/engine/[!n]*.o; do
		[ -e "$B/lib/engine/${object##*/}" ] || echo "$object" >>objects
	done
	# "OBJECT SYMBOL" of all that the objects define, or want from elsewhere, and "OBJECT
	# OBJECT" where the first wants a symbol of the second.
	xargs nm -A --defined-only -g <objects | sed 's|.*/||; s|\.o:.* | |' | sort -k 2 >defined
	xargs nm -A -u <objects | sed 's|.*/||; s|\.o:.* | |' | sort -k 2 >wanted
	join -1 2 -2 2 -o 1.1,2.1 wanted defined >calls
}

setup() {
	common_setup
	ln -s "$BATS_FILE_TMPDIR"/{root-cc,objects,defined,wanted,calls} .
}

# use CC: what pkg-config says to use the library with, in flags.
use() {
	needs_tool pkg-config
	PKG_CONFIG_PATH=$PWD/root-$1/lib/pkgconfig pkg-config --cflags --libs zc >flags
	read -ra flags <flags
}

@test "no object of libcore has memory of its own that changes" {
	xargs size -A <objects >sizes
	grep -c '^\.text' sizes
	awk '$1 ~ /^\.t?(data|bss)/ && $1 !~ /^\.data\.rel\.ro/ && $2 != 0 {
		print
		found = 1
	} END { exit found }' sizes
	xargs nm -A <objects >symbols
	run ! grep ' [bBC] ' symbols
}

@test "all symbols of libcore.a begin with zc_" {
	[ "$(wc -l <defined)" -gt 50 ]
	run ! grep -v ' zc_' defined
}

@test "every system call of libcore goes through sys.c and its like" {
	grep -v ' zc_' wanted >theirs
	grep '^sys syscall$' theirs
	grep -v '^sys\(_stat\|_ask\)\? ' theirs | sort -u -k 2 >others
	run ! grep -vxE '[a-z_]+ (mem(cpy|set|move)|getauxval|__errno_location|_GLOBAL_OFFSET_TABLE_|__stack_chk_fail)' \
		others
}

@test "libcore wants nothing of applets, and sys*.c nothing else of libcore" {
	grep ' zc_' wanted | sed 's/.* //' | sort -u >want
	sed 's/.* //' defined | sort -u >have
	[ -s want ]
	run -0 comm -23 want have
	[ ! "$output" ]
	grep -vx 'sys_[a-z]* sys' calls >edges
	run ! grep '^sys' edges
	run ! grep -rE '#include "(applet|box)|applets/' "$TOP/libcore" \
		--include='*.[ch]'
}

@test "methods know nothing of each other" {
	grep -x 'splice pipe' calls
	for method in $(grep -o '(\w*)' "$B/include/methods.h" | tr -d '()'); do
		grep -x "choose $method" calls
		# None but the loop has a method's name.
		run ! grep -vx "choose $method" <(grep " $method\$" calls)
	done
}

@test "no files of libcore call each other in a circle, by inline functions neither" {
	# tsort(1) names the files of a circle, and fails.
	sed 's/sys_[a-z]*/sys/g' calls | awk '$1 != $2' >edges
	python "$LIB/rooms.py" calls "$TOP/libcore" >>edges
	grep -x 'lag sink' edges
	grep -x 'pipe wait' edges
	tsort <edges >order
	[ "$(wc -l <order)" -gt 20 ]
	run -1 tsort <<<'a b b a'
	# A header whose inline function calls the loop is above all that include it.
	cp -r "$TOP/libcore" .
	printf '\nstatic inline int zc_circle(void)\n{\n\treturn zc_serve(0);\n}\n' \
		>>libcore/engine/wait.h
	python "$LIB/rooms.py" calls libcore >edges
	run -1 tsort <edges
}

@test "a header of libcore declares what the file of its name defines" {
	run -0 python "$LIB/rooms.py" strangers "$TOP/libcore"
	[ ! "$output" ]
	cp -r "$TOP/libcore" .
	echo 'int zc_serve(struct zc_job *j);' >>libcore/engine/wait.h
	run -0 python "$LIB/rooms.py" strangers libcore
	[ "$output" = "wait.h zc_serve sink" ]
}

@test "none but wait.c and the ring sleeps" {
	# pipe.c only looks (zc_check_reset()).
	grep ' zc_sys_poll$' wanted | sort >polls
	printf '%s zc_sys_poll\n' pipe ring wait | cmp - polls
}

@test "none but sys.c reads errno: all others return it" {
	grep ' __errno_location$' wanted >readers
	echo sys __errno_location | cmp - readers
}

# example N: the Nth program in the manual.
example() {
	awk -v n="$1" '/^\.Bd -literal/ { at++ } at == n' "$TOP/libcore/zc.3" |
		sed '1d; /^\.Ed/,$d; s/\\e/\\/g'
}

@test "the programs in zc(3) are built with what is installed, and run" {
	seq 100000 >data
	for n in 1 2 3 4 5; do
		example $n >example$n.c
		[ "$(wc -l <example$n.c)" -le 45 ]
	done
	use cc
	! command -v g++ ||
		g++ -std=c++20 -fsyntax-only -x c++ example?.c "${flags[@]}"
	built "$(built defconfig CC=musl-gcc libzc)" CC=musl-gcc PREFIX="$PWD/root-musl-gcc" install-lib
	for cc in cc musl-gcc; do
		use $cc
		for n in 1 2 3 4 5; do
			$cc -std=gnu11 -Wall -Wextra -pedantic -Werror -static \
				-o example$n example$n.c "${flags[@]}"
		done
		./example1 <data >got
		head -c 1000 data | cmp - got
		./example2 <data >got
		cmp data got
		run -1 sh -c './example2 <data >/dev/full'
		[ "$output" = "output: No space left on device" ]
		run -1 ./example2 </
		[ "$output" = "input: Is a directory" ]
		gnu_cat data | ./example3 one >got
		cmp data got
		cmp data one
		gnu_cat data | ./example4 | cmp - data
		run -1 sh -c './example5 one /dev/full two /none/none <data 2>&1'
		grep -x '/dev/full: No space left on device' <<<"$output"
		grep -x '/none/none: No such file or directory' <<<"$output"
		[ "${#lines[@]}" = 2 ]
		cmp data one
		cmp data two
		rm two
	done
}

# Uses of every type and function.
uses() {
	gnu_cat <<-'END'
		#include <zc.h>

		static struct zc z;
		static struct zc_source in;
		static struct zc_sink out;
		static struct zc_lag lag;

		int main(void)
		{
			int n, error;

			in.end.fd = out.end.fd = -1;
			out.lag = &lag;
			if (zc_version() != ZC_VERSION || !zc_clock())
				return 1;
			if (zc_copy(&z, &in, &out) != ZC_FAILED || !in.end.error)
				return 2;
			zc_begin(&z, &in);
			zc_add(&z, &out);
			if (zc_run(&z, ZC_NOW, -1) != ZC_FAILED || zc_failed(&z) != &out)
				return 3;
			zc_polls(&z, &n, &error);
			zc_drop(&z, &out);
			zc_replace(&out, -1);
			zc_end(&z);
			zc_close(&z);
			zc_free(zc_new());
			if (zc_move(-1, -1, 0, &error) || !error)
				return 4;
			return zc_lag_max() != 1 << 30;
		}
	END
}

@test "zc.h is a header of its own, for C and for C++" {
	needs_tool g++
	use cc
	uses >uses.c
	static=(-Iroot-cc/include root-cc/lib/libzc.a)
	for std in c99 c2x; do
		cc -std=$std -Wall -Wextra -pedantic -Werror uses.c "${static[@]}"
		./a.out
	done
	for std in c++98 c++11 c++20; do
		g++ -std=$std -Wall -Wextra -pedantic -Werror -x c++ uses.c \
			-x none "${static[@]}"
		./a.out
	done
	cc uses.c "${flags[@]}"
	LD_LIBRARY_PATH=root-cc/lib ./a.out
	grep -x '#include <.*' root-cc/include/zc.h
	run ! grep -E '#include "|CONFIG_' root-cc/include/zc.h
	cmp "$TOP/libcore/zc.h" root-cc/include/zc.h
}

@test "only the functions of zc.h are global, in the archive and the shared object" {
	sed -nE 's/^[a-z].*\b(zc_[a-z_]+)\(.*/\1/p' "$TOP/libcore/zc.h" >want
	echo zc_abi_1 >>want
	sort -u -o want want
	[ "$(wc -l <want)" = 17 ]
	nm -g --defined-only root-cc/lib/libzc.a | awk 'NF == 3 { print $3 }' |
		sort | diff want -
	nm -D --defined-only root-cc/lib/libzc.so.1 |
		sed -n 's/.* [A-Z] \(zc_.*\)@@ZC_1$/\1/p' | sort | diff want -
	readelf -d root-cc/lib/libzc.so.1 | grep -F 'soname: [libzc.so.1]'
	[ "$(readlink root-cc/lib/libzc.so)" = libzc.so.1 ]
}

@test "libzc.so calls its own functions, though the program has others of the name" {
	use cc
	gnu_cat >other.c <<-'END'
		#include <zc.h>

		int zc_copy(struct zc *z, struct zc_source *in,
			    struct zc_sink *out)
		{
			(void)z, (void)in, (void)out;
			return 42;
		}

		int main(void)
		{
			int error;

			return zc_move(0, 1, UINT64_MAX, &error) != 3;
		}
	END
	cc -rdynamic -o other other.c "${flags[@]}"
	LD_LIBRARY_PATH=root-cc/lib ./other <<<ab >got
	[ "$(gnu_cat got)" = ab ]
}

@test "a program that was compiled for another layout does not link" {
	use cc
	sed 's/zc_abi_1/zc_abi_2/' root-cc/include/zc.h >zc.h
	uses >uses.c
	run ! cc -I. uses.c "${flags[@]}"
	[[ $output == *zc_abi_2* ]]
}

# fields: "TYPE" or "TYPE FIELD" of every type that zc.h lays out.
fields() {
	sed 's,/\*.*,,; /ZC_ROOM/d' "$TOP/libcore/zc.h" | awk '
	/^struct [a-z_]+ {/ { of = $2; print of }
	/^}/ { of = "" }
	of && /^\t[a-z].*;/ && match($0, /[a-z_]+(\[[0-9]+\])?;/) {
		field = substr($0, RSTART, RLENGTH - 1)
		sub(/\[.*/, "", field)
		print of, field
	}'
}

@test "the layout of zc.h is what libcore has" {
	fields >all
	[ "$(wc -l <all)" -gt 25 ]
	for header in zc core; do
		{
			echo "#include <stdio.h>"
			echo "#include \"$header.h\""
			echo 'extern const char zc_abi_1; const char zc_abi_1 = 1;'
			echo 'int main(void) {'
			sed -E 's/(.+) (.+)/ printf("\1 \2 %zu\\n", offsetof(struct \1, \2));/
				s/^[a-z_]+$/ printf("& %zu\\n", sizeof(struct &));/' all
			echo 'return 0; }'
		} >$header.c
		cc -fms-extensions -I"$TOP/libcore" -I"$B/include" -o $header $header.c
		./$header >$header.layout
	done
	diff zc.layout core.layout
	grep -x 'zc_sink [0-9]*' zc.layout
}

@test "install-lib puts six files below DESTDIR, whose directories zc.pc has, until uninstall-lib" {
	needs_tool pkg-config
	make="built $LIBZC CC=cc DESTDIR=$PWD/d"
	$make PREFIX=/opt install-lib
	diff <(find d ! -type d -printf '%P\n' | sort) - <<-'END'
		opt/include/zc.h
		opt/lib/libzc.a
		opt/lib/libzc.so
		opt/lib/libzc.so.1
		opt/lib/pkgconfig/zc.pc
		opt/share/man/man3/zc.3
	END
	run ! grep @ d/opt/lib/pkgconfig/zc.pc
	[ "$(stat -c %a d/opt/include/zc.h)" = 644 ]
	export PKG_CONFIG_PATH=$PWD/d/opt/lib/pkgconfig:$PWD/d/lib64/pkgconfig
	[ "$(pkg-config --variable=libdir zc)" = /opt/lib ]
	[ "$(pkg-config --variable=includedir zc)" = /opt/include ]
	# It can change the prefix.
	run -0 pkg-config --define-prefix --cflags --libs zc
	[ "${output% }" = "-I$PWD/d/opt/include -L$PWD/d/opt/lib -lzc" ]
	$make PREFIX=/opt uninstall-lib
	run -0 find d ! -type d
	[ ! "$output" ]
	$make libdir=/lib64 MAN=n install-lib
	[ -e d/lib64/libzc.a ]
	[ ! -e d/usr/share/man ]
	[ "$(pkg-config --variable=libdir zc)" = /lib64 ]
	[ "$(pkg-config --variable=includedir zc)" = /usr/include ]
}

@test "zc(3) is clean, and tells of all that zc.h has" {
	needs_tool mandoc
	mandoc -T lint -W warning "$TOP/libcore/zc.3"
	# Every function and field, and every word that begins with ZC_.
	grep -oE '\bzc_[a-z_]+\(|\bZC_[A-Z_]+\b|\b[a-z_]+;' "$TOP/libcore/zc.h" |
		tr -d '(;' | sort -u | grep -vxE 'ZC_(H|INTERNAL|ROOM|END)|zc_(abi_used|abi_.*)|zc|pollfd|.*_room' >names
	[ "$(wc -l <names)" -gt 20 ]
	tr -cs '[:alnum:]_' '\n' <"$TOP/libcore/zc.3" | sort -u | comm -23 names - >untold
	diff /dev/null untold
}
