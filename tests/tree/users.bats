# SPDX-License-Identifier: 0BSD
# libzc as its users have it: programs, built with what install-lib puts there, and run.

# bats file_tags=box

load ../lib/helpers

# USERS_FLAGS are more for the compiler, of libzc too, and USERS_RUN is what runs a
# program, as tests/long/users.bats has them.
setup_file() {
	export ROOT=$BATS_FILE_TMPDIR/root PATH=$BATS_FILE_TMPDIR:$PATH
	cd "$BATS_FILE_TMPDIR"
	if [ "${USERS_FLAGS:-}" ]; then
		make -s -C "$TOP" O="$PWD/out" defconfig
		make -s -C "$TOP" O="$PWD/out" CC=cc CFLAGS="-Werror $USERS_FLAGS" \
			PREFIX="$ROOT" install-lib
	else
		built "$(built defconfig CC=cc libzc)" CC=cc PREFIX="$ROOT" install-lib
	fi
	# shellcheck disable=SC2086 # a word a flag
	gcc -std=gnu11 -g -Wall -Wextra -Werror ${USERS_FLAGS:-} -I"$ROOT/include" \
		-o backup.run "$TOP/tests/library/backup.c" "$ROOT/lib/libzc.a"
	executable backup <<<"exec ${USERS_RUN:-} $PWD/backup.run"
}

setup() {
	common_setup
	seq 200000 >data
}

@test "a backup and its checksum are of the same bytes" {
	backup <data >copy 2>sum
	cmp data copy
	want=$(python -c '
import sys
h = 0xcbf29ce484222325
for c in open("data", "rb").read(): h = (h ^ c) * 0x100000001b3 & 2**64 - 1
print(f"{h:016x}")')
	[ "$(gnu_cat sum)" = "$(stat -c %s data) $want" ]
	gnu_cat data | backup 2>sum2 | cmp - data
	cmp sum sum2
	run -1 sh -c 'backup <data >/dev/full'
	[ "${lines[0]}" = "No space left on device" ]
}

@test "a thread has the memory of a context that another gave back" {
	gnu_cat >turns.c <<-'END'
		#include <pthread.h>
		#include <sched.h>
		#include <zc.h>

		static int turn; /* it orders nothing but the two contexts */

		static void *new_and_free(void *arg)
		{
			struct zc *z;

			while (__atomic_load_n(&turn, __ATOMIC_RELAXED) != *(int *)arg)
				sched_yield();
			z = zc_new();
			if (z)
				z->memory[0] = 1;
			zc_free(z);
			__atomic_fetch_add(&turn, 1, __ATOMIC_RELAXED);
			return NULL;
		}

		int main(void)
		{
			pthread_t threads[2];
			int first = 0, second = 1, fails;

			fails = pthread_create(&threads[0], NULL, new_and_free, &first) ||
				pthread_create(&threads[1], NULL, new_and_free, &second);
			return fails || pthread_join(threads[0], NULL) ||
			       pthread_join(threads[1], NULL);
		}
	END
	# shellcheck disable=SC2086 # a word a flag
	gcc -std=gnu11 -Wall -Wextra -Werror -pthread ${USERS_FLAGS:-} \
		-I"$ROOT/include" -o turns turns.c "$ROOT/lib/libzc.a"
	# shellcheck disable=SC2086 # a word a word
	${USERS_RUN:-} ./turns
}

@test "what musl-gcc compiles serves programs of glibc and of musl" {
	[ ! "${USERS_FLAGS:-}" ] || skip "musl has no sanitizer"
	[ "$(getconf LONG_BIT)" = 64 ] || skip "off_t may differ"
	built "$(built defconfig CC=musl-gcc libzc)" CC=musl-gcc PREFIX="$PWD/root" install-lib
	run ! grep NEEDED <(readelf -d root/lib/libzc.so.1)
	/usr/bin/python3 "$TOP/tests/library/move.py" "$PWD/root/lib/libzc.so.1" 70001 \
		<data >got 2>said
	head -c 70001 data | cmp - got
	backup <data >copy 2>want
	for cc in gcc musl-gcc; do
		for library in -lzc -l:libzc.a; do
			$cc -std=gnu11 -pthread -Iroot/include -o backup.run \
				"$TOP/tests/library/backup.c" -Lroot/lib \
				"$library" -Wl,-rpath,"$PWD/root/lib"
			./backup.run <data 2>sum | cmp data -
			cmp want sum
		done
	done
}

@test "programs of 32 bits link the archive and the shared object" {
	[ ! "${USERS_FLAGS:-}" ] || skip "one width will do"
	local cc="gcc -m32 -idirafter /usr/include/x86_64-linux-gnu"

	echo 'int main(void) { return 0; }' >try.c
	$cc -o try try.c || needs_tool m32
	./try || skip "no 32-bit program runs here"
	cflags="-Werror -O0"
	built "$(built defconfig CC="$cc" CFLAGS="$cflags" libzc)" CC="$cc" \
		CFLAGS="$cflags" PREFIX="$PWD/root" install-lib
	backup <data >copy 2>want
	for library in -lzc -l:libzc.a; do
		$cc -std=gnu11 -Iroot/include -o backup.run "$TOP/tests/library/backup.c" -Lroot/lib \
			"$library" -Wl,-rpath,"$PWD/root/lib"
		./backup.run <data 2>sum | cmp - data
		cmp want sum
	done
}

@test "Python moves bytes by ctypes" {
	[ ! "${USERS_FLAGS:-}" ] || skip "Python has no sanitizer"
	python "$TOP/tests/library/move.py" "$ROOT/lib/libzc.so.1" 70001 \
		<data >got 2>said
	head -c 70001 data | cmp - got
	[ "$(gnu_cat said)" = "70001 Success" ]
	python "$TOP/tests/library/move.py" "$ROOT/lib/libzc.so" \
		$((2 ** 64 - 1)) <data >/dev/full 2>said
	[ "$(gnu_cat said)" = "0 No space left on device" ]
	[ "$(sed '/^$/d; /^#/d; /^"""/d' "$TOP/tests/library/move.py" | wc -l)" -le 10 ]
}
