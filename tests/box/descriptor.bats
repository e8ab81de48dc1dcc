# SPDX-License-Identifier: 0BSD
# Operands that name a descriptor: /dev/stdin and the like.

# bats file_tags=box

load ../lib/helpers

setup() {
	common_setup
	random want 300001
}

socketed() {
	"$LIB/socketed.py" "$@"
}

appending() {
	"$@" >>file
}

# A socket is ENXIO for open(2): each name is used all the same.

# cats ARG...: cat's output, a pipe, is in got, its messages in said.
cats() {
	bare cat "$@" 2>said | gnu_cat >got || [ $? = 1 ]
}

@test "no name leads to a pipe of cat's own" {
	needs CAT
	echo small >small
	gnu_cat want small >both
	for n in 3 4 5 6; do
		all_spellings $n
		for name in "${names[@]}"; do
			cats want "$name"
			[ "$(<said)" = "cat: $name: No such file or directory" ]
			cmp want got
			# A small file after a small one is not looked at.
			cats want small "$name"
			[ "$(<said)" = "cat: $name: No such file or directory" ]
			cmp both got
		done
	done
}

@test "a descriptor that was open is read behind cat's own pipe" {
	needs CAT
	echo small >small
	gnu_cat want small small want >both
	ln -s small link
	for name in /dev/fd/57 /proc/self/fd/57 /dev/fd/../fd/57; do
		cats want $name $name want 57<small
		cmp both got
		cats want link $name want 57< <(gnu_cat small)
		cmp both got
	done
	cats want link link want
	cmp both got
	[ ! -s said ]
}

@test "no name leads to tee's own descriptors" {
	needs DESCRIPTOR TEE
	for name in /dev/fd/3 /proc/self/fd/3; do
		run -1 bare tee file $name copy <<<line
		[ "$output" = "tee: $name: No such file or directory
line" ]
		[ "$(gnu_cat file copy)" = $'line\nline' ]
	done
}

@test "cat reads sockets by the names of their descriptors" {
	needs DESCRIPTOR CAT
	for kind in unix tcp; do
		pick 2 /dev/stdin /dev/fd/0 /proc/self/fd/0
		for name in "${picked[@]}"; do
			socketed $kind 0 cat $name <want >got
			cmp want got
		done
		# The same connection has other numbers, too.
		pick 2 /dev/stderr /dev/fd/2 /proc/self/fd/2 /dev/fd/57
		for name in "${picked[@]}"; do
			socketed $kind 0,2,57 cat $name <want >got
			cmp want got
		done
		socketed $kind 0,1 cat /dev/stdout <want >got
		cmp want got
	done
}

@test "tee writes to sockets by the names of their descriptors" {
	needs DESCRIPTOR TEE
	for kind in unix tcp journal; do
		for fd in 2 57; do
			names=("/dev/fd/$fd" "/proc/self/fd/$fd")
			[ $fd != 2 ] || names+=(/dev/stderr)
			pick 1 "${names[@]}"
			for name in "${picked[@]}"; do
				socketed $kind $fd sh -c \
					'tee "$0" copy <want >/dev/null 3>&-' \
					"$name" >got
				same got copy
			done
		done
		[ $kind != journal ] || continue
		socketed $kind 0,1 tee /dev/fd/0 <want >got
		[ "$(wc -c <got)" = 600002 ]
	done
}

@test "an operand that is a descriptor may be named twice" {
	needs DESCRIPTOR CAT TEE
	for kind in unix tcp; do
		for names in "- /dev/stdin" "/dev/stdin -" "/dev/stdin /dev/fd/0"; do
			socketed $kind 0 cat $names <want >got
			cmp want got
		done
		# None was closed behind the first.
		socketed $kind 0,57 cat /dev/fd/57 /dev/fd/57 - <want >got
		cmp want got
		socketed $kind 1,57 tee /dev/fd/57 /dev/fd/57 <want >got
		[ "$(wc -c <got)" = 900003 ]
	done
}

@test "what a descriptor is not open for is told" {
	needs DESCRIPTOR CAT TEE
	needs_root
	exec 7> >(gnu_cat >got)
	run -1 as_nobody "$LINKS/cat" /dev/fd/7
	[ "$output" = "cat: /dev/fd/7: Permission denied" ]
	exec 7>&-
	run -1 as_nobody "$LINKS/tee" /dev/stdin < <(gnu_cat want)
	[ "${lines[0]}" = "tee: /dev/stdin: Permission denied" ]
	# Nothing tells before a write.
	echo before >file
	chmod 644 file
	run -1 as_nobody "$LINKS/tee" /dev/fd/7 7<file <<<line
	[ "$output" = $'tee: /dev/fd/7: Permission denied\nline' ]
	run -1 as_nobody "$LINKS/tee" -a /dev/fd/7 7<file <<<line
	[ "$output" = $'tee: /dev/fd/7: Permission denied\nline' ]
	[ "$(gnu_cat file)" = before ]
}

@test "an error of open(2) that no descriptor helps stays" {
	needs DESCRIPTOR TEE
	run -1 tee /dev/fd/7 7</ <<<line
	[ "$output" = $'tee: /dev/fd/7: Is a directory\nline' ]
	cp "$(command -v sleep)" program
	./program 100 3>&- 4>&- &
	pid=$!
	awaits grep -q program /proc/$pid/comm
	run -1 tee /dev/fd/7 7<program <<<line
	kill $pid
	[ "$output" = $'tee: /dev/fd/7: Text file busy\nline' ]
}

@test "-a overwrites nothing where a file may not be opened" {
	needs DESCRIPTOR TEE
	needs_root
	for file in position appended truncated; do
		printf 0123456789 >$file
		chmod 600 $file
	done
	(
		head -c 3 <&7 >/dev/null
		run -1 as_nobody "$LINKS/tee" -a /dev/fd/7 <<<AB
		[ "$output" = $'tee: /dev/fd/7: Permission denied\nAB' ]
	) 7<>position
	[ "$(gnu_cat position)" = 0123456789 ]
	as_nobody "$LINKS/tee" -a /dev/fd/7 7>>appended <<<AB
	[ "$(gnu_cat appended)" = 0123456789AB ]
	# Without -a the file keeps what a write at its position leaves.
	(
		head -c 3 <&7 >/dev/null
		printf AB | as_nobody "$LINKS/tee" /dev/fd/7
	) 7<>truncated
	[ "$(gnu_cat truncated)" = 012AB56789 ]
	# A pipe has no position.
	as_nobody "$LINKS/tee" -a /dev/stderr <want 2> >(gnu_cat >copy) | gnu_cat >got
	cmp want got
	awaits cmp -s want copy
}

@test "a descriptor is another user's pipe" {
	needs DESCRIPTOR CAT TEE
	needs_root
	as_nobody "$LINKS/cat" /dev/stdin < <(gnu_cat want) >got
	cmp want got
	gnu_cat want | as_nobody "$LINKS/tee" /dev/stderr 2> >(gnu_cat >copy) |
		gnu_cat >got
	same got copy
	for name in /dev/stdout /dev/fd/1 /proc/self/fd/1; do
		gnu_cat want | as_nobody "$LINKS/tee" $name | wc -c >got
		[ "$(gnu_cat got)" = 600002 ]
	done
}

@test "a descriptor is a file that may not be opened" {
	needs DESCRIPTOR CAT TEE
	needs_root
	echo before >file
	chmod 0 file
	as_nobody "$LINKS/cat" /dev/fd/57 57<file >got
	[ "$(gnu_cat got)" = before ]
	as_nobody "$LINKS/tee" /dev/fd/57 <want 57>>file >got
	cmp want got
	echo before >both
	gnu_cat want >>both
	cmp both file
	as_nobody "$LINKS/tee" /dev/stdout <<<line >file
	[ "$(gnu_cat file)" = $'line\nline' ]
	run -1 as_nobody "$LINKS/cat" - /dev/stdin file <file
	[ "$output" = $'line\nline\ncat: file: Permission denied' ]
	# The two are one file, and one position.
	run -1 appending as_nobody "$LINKS/cat" /dev/fd/57 57<file
	[ "$output" = "cat: /dev/fd/57: input file is output file" ]
}

@test "where there is no /dev and no /proc, the descriptor is used" {
	needs DESCRIPTOR CAT TEE STATIC
	needs_root
	mkdir root
	cp "$LINKS/box" root
	for name in /dev/stdin /dev/fd/0 /proc/self/fd/0; do
		gnu_cat want | chroot root /box cat $name >got
		cmp want got
	done
	chroot root /box tee /dev/stderr <want 2>copy >got
	same got copy
	run -1 chroot root /box cat /dev/fd/9
	[ "$output" = "cat: /dev/fd/9: No such file or directory" ]
}

# --- What stays ----------------------------------------------------------------

@test "what names no descriptor is an error as before" {
	needs DESCRIPTOR CAT TEE
	script='command=$1; shift
		for name; do
			said=$("$command" "$name" 2>&1)
			echo "$? ${said##*: }"
		done'
	names=(/dev/stdinx /dev/fd/99 /dev/fd/4294967295 /dev/fd/4294967296
		/dev/fd/18446744073709551616 /dev/fd/2147483648 /dev/fd/1x
		/dev/fd/01 /dev/fd/00 /dev/fd/-1 /dev/fd/+1 '/dev/fd/ 1'
		/dev/fd/. /proc/self/fd/01 /proc/self/fd/)
	sh -c "$script" - "$system_cat" "${names[@]}" </dev/null >want
	socketed unix 0,57 sh -c "$script" - cat "${names[@]}" </dev/null >got
	cmp want got
	[ "$(grep -c '^1 ' got)" = 15 ]
	names=(/dev/fd/1x /dev/fd/ /dev/fd/01 /proc/self/fd/)
	sh -c "$script" - "$system_tee" "${names[@]}" </dev/null >want
	socketed unix 0,1,57 sh -c "$script" - tee "${names[@]}" </dev/null >got
	cmp want got
	[ "$(grep -c '^1 ' got)" = 4 ]
}

@test "what can be opened is opened, with a position of its own" {
	needs DESCRIPTOR CAT TEE
	seq 3 >lines
	(
		read -r _
		cat /dev/stdin /dev/fd/0
	) <lines >got
	[ "$(gnu_cat got)" = "$(gnu_cat lines lines)" ]
	# It is emptied by the second opening.
	(
		echo before
		tee /dev/stdout <<<line
	) >got
	[[ "$(tr -d '\0' <got)" = *line* ]]
	run ! grep before got
}

@test "--debug says that the descriptor is used" {
	needs DESCRIPTOR CAT TEE TRACE
	socketed unix 0 cat --debug /dev/stdin <want 2>said >got
	cmp want got
	head -n 1 said >first
	[ "$(gnu_cat first)" = "cat: /dev/stdin: its descriptor is used" ]
	grep '^cat: /dev/stdin (socket) to file: .* moved 300001 bytes' said
	socketed tcp 1 tee --debug /dev/fd/1 <want 2>said >got
	grep -x 'tee: /dev/fd/1: its descriptor is used' said
	# Not of what was opened, and not unasked.
	cat --debug /dev/stdin <want 2>said >got
	run ! grep descriptor said
	! has PROGRESS || socketed unix 0 cat -g /dev/stdin <want 2>said >got
	run ! grep descriptor said
}

@test "another user's terminal stays as it is" {
	needs DESCRIPTOR TEE TEE_LAG
	needs_root
	python - "$LINKS/tee" 30001 <<-'END'
		import os, subprocess, sys, tty
		main, terminal = os.openpty()
		tty.setraw(terminal)
		os.chmod(os.ttyname(terminal), 0o600)
		def be_nobody():
		    os.setgroups([])
		    os.setgid(int(sys.argv[2]))
		    os.setuid(int(sys.argv[2]))
		subprocess.run([sys.argv[1], "--lag=4K,skip", "/dev/stderr"],
		               input=b"line\n", stdout=subprocess.DEVNULL,
		               stderr=terminal, preexec_fn=be_nobody, check=True)
		assert os.get_blocking(terminal)
		assert os.read(main, 100) == b"line\n"
	END
}
