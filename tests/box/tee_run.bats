# SPDX-License-Identifier: 0BSD
# tee --run: a command whose output tee copies.

# bats file_tags=box

load ../lib/helpers
CONFIGURATION=max_defconfig NEEDS="TEE TEE_RUN"

# A tee that waits for ever is to fail. What it has started stays in its group.
run_tee() {
	timeout --foreground -s KILL $HANG tee "$@"
}

# started ARG...: tee ARG... in the background, whose command then says "ready" first.
# It has the signals that a program usually finds.
started() {
	rm -f out
	env --default-signal "$@" >out 3>&- &
	pid=$!
	awaits grep -qs ready out
}

# ends STATUS: tee, $pid, ends so by itself.
ends() {
	has_ended() {
		run ! kill -0 $pid
	}
	awaits has_ended || kill -KILL $pid
	waits $1 $pid
}

# --- The command and its status ------------------------------------------------

@test "--run copies what a command prints, to files and to standard output" {
	random want 700001
	run_tee 1 2 --run cat want >3
	same 1 2 3
	run_tee --run=cat want | cmp want
	run_tee -a 1 --run cat want | cmp want
	gnu_cat want want | cmp - 1
}

@test "the status is the command's" {
	for status in 0 1 3 126 127 255; do
		run -$status run_tee log --run sh -c "echo text; exit $status"
		[ "$output" = text ]
	done
	run -137 run_tee --run sh -c 'kill -KILL $$'
	run -143 run_tee --run sh -c 'kill -TERM $$'
	run -134 run_tee --run sh -c 'ulimit -c 0; kill -ABRT $$'
}

@test "what follows --run is the command's alone" {
	run_tee log --run printf '[%s]' -a --help --run -- x - "" >got
	[ "$(gnu_cat got)" = "[-a][--help][--run][--][x][-][]" ]
	cmp got log
	run_tee log --run=echo --run=false -p >got
	[ "$(gnu_cat got)" = "--run=false -p" ]
	[ "$(ls)" = $'got\nlog' ]
	# Here it is a file.
	run_tee -- --run echo <<<line >got
	[ "$(gnu_cat ./--run echo)" = $'line\nline' ]
}

@test "a command that is none is an error before anything is written" {
	echo old >log
	run -127 run_tee log --run ./nosuch
	[ "$output" = "tee: ./nosuch: No such file or directory" ]
	# Were there a folder in PATH that is closed to us, permission would be denied.
	run -127 env PATH="$LINKS" tee log --run nosuch-command
	[ "$output" = "tee: nosuch-command: No such file or directory" ]
	run -126 run_tee log --run ./log
	[ "$output" = "tee: ./log: Permission denied" ]
	run -126 run_tee log --run .
	[ "$output" = "tee: .: Permission denied" ]
	run -126 run_tee log --run log/x
	[ "$output" = "tee: log/x: Not a directory" ]
	run -1 run_tee log --run
	[ "${lines[0]}" = "tee: option '--run' requires an argument" ]
	run -1 run_tee log --stderr </dev/null
	[ "${lines[0]}" = "tee: option '--stderr' needs --run" ]
	[ "$(gnu_cat log)" = old ]
}

@test "where no process, pipe or descriptor is to be had, --run is named, and not the command" {
	needs_strace SANITIZE
	for call in vfork /^pipe signalfd4; do
		run -126 strace -qq -o calls -e trace=$call \
			-e inject=$call:error=EMFILE tee log --run echo text
		[ "$output" = "tee: --run: Too many open files" ]
		[ ! -e log ]
	done
}

@test "a script without #! is run by sh, as by env(1)" {
	printf 'printf "[%%s]" "$0" "$@"\nexit 3\n' >script
	chmod +x script
	for name in ./script script; do
		PATH=$PWD:$PATH run -3 env $name a "b c" -- ""
		want=$output
		PATH=$PWD:$PATH run -3 run_tee log --run $name a "b c" -- ""
		[ "$output" = "$want" ]
		[ "$(gnu_cat log)" = "$want" ]
	done
	: >empty
	chmod +x empty
	run -0 run_tee --run ./empty
	[ ! "$output" ]
}

@test "where there is no sh, a script without #! is an error" {
	needs STATIC
	needs_root
	mkdir root
	cp "$LINKS/box" root
	echo exit >root/script
	chmod +x root/script
	run -126 chroot root /box tee --run /script
	[ "$output" = "tee: /script: Exec format error" ]
}

@test "standard input is the command's, untouched" {
	random want 300001
	gnu_cat want | run_tee log --run cat | cmp want
	cmp want log
	seq 3 >lines
	{
		run_tee --run sh -c 'read -r line; echo "$line"' >got
		gnu_cat >rest
	} <lines
	[ "$(gnu_cat got rest)" = $'1\n2\n3' ]
	mkfifo silent
	exec 7<>silent
	run_tee --run echo end >got <&7
	exec 7<&-
	[ "$(gnu_cat got)" = end ]
}

@test "--stderr copies standard error, too" {
	run_tee log --run sh -c 'echo out; echo err >&2' >got 2>said
	[ "$(gnu_cat got log said)" = $'out\nout\nerr' ]
	run_tee log --stderr --run sh -c 'echo out; echo err >&2; echo end' >got 2>said
	[ "$(gnu_cat got)" = $'out\nerr\nend' ]
	cmp got log
	[ ! -s said ]
}

@test "descriptors that are closed stay so" {
	run_tee log --run sh -c 'echo text; [ -e /proc/self/fd/0 ] || echo none' <&- >got
	[ "$(gnu_cat got)" = $'text\nnone' ]
	run -1 sh -c 'tee log --run echo text >&-'
	[ "$output" = "tee: $(standard_output): Bad file descriptor" ]
	[ "$(gnu_cat log)" = text ]
	run -1 sh -c 'tee log --run echo text <&- >&-'
	[ "$(gnu_cat log)" = text ]
	sh -c 'tee log --run echo text <&- >/dev/null 2>&-'
	[ "$(gnu_cat log)" = text ]
	run_tee --run ls /proc/self/fd >got
	[ "$(gnu_cat got)" = "$(ls /proc/self/fd)" ]
}

# --- To the last byte ---------------------------------------------------------

# prints_on: a command ends, and a grandchild prints on for three times as long as tee waits
# for a silent one. ./silent has the longest time between two lines in milliseconds.
prints_on() {
	rm -f begun silent
	run_tee log --run sh -c '
		/usr/bin/python3 -c "$0" &
		until [ -e begun ]; do sleep 0.01; done' '
import os, time
longest, last = 0, time.monotonic()
try:
    for i in range(1, 31):
        now = time.monotonic()
        try:
            os.write(1, b"%d\n" % i)
        finally:
            longest, last = max(longest, time.monotonic() - last), now
        open("begun", "w").close()
        time.sleep(0.01)
finally:
    with open("part", "w") as f:
        print(int(1000 * longest), file=f)
    os.rename("part", "silent")' >got 2>said
	awaits [ -e silent ]
}

@test "tee goes on while a grandchild prints, and does not wait for a silent one" {
	# On a busy machine it may not get the processor for as long as tee waits.
	printed_in_time() {
		prints_on
		[ "$(gnu_cat silent)" -lt 90 ]
	}
	awaits printed_in_time
	seq 30 | cmp - got
	[ ! -s said ]
	run_tee log --run sh -c 'sleep 60 & echo $!' >got
	kill "$(gnu_cat got)"
	cmp got log
}

# --- Outputs that fail ---------------------------------------------------------

@test "an output that fails makes the status 1, if the command's is 0" {
	fails_with 1 "tee: /dev/full: No space left on device" run_tee /dev/full --run echo text
	[ "$output" = text ]
	run -3 run_tee /dev/full --run sh -c 'echo text; exit 3'
	run -1 run_tee nosuch/file --run echo text
	[ "${lines[1]}" = text ]
}

@test "when all readers have gone, the command gets SIGPIPE" {
	for option in "" -p --output-error=exit-nopipe; do
		keeps_status tee $option --run yes | head -n 1
		[ "$(gnu_cat status)" = 141 ]
	done
	keeps_status tee --run sh -c 'trap "" PIPE; yes 2>/dev/null; exit 6' | head -n 1
	[ "$(gnu_cat status)" = 6 ]
}

# --- Signals -------------------------------------------------------------------

@test "a signal that ends the command ends tee, after its last lines" {
	pick 1 HUP INT QUIT USR1 USR2
	for sig in TERM "${picked[@]}"; do
		started tee log --run sh -c "trap 'kill %1; seq 2000; trap - $sig
			kill -$sig \$\$' $sig; ulimit -c 0; echo ready; sleep 60 & wait"
		kill -s $sig $!
		waits $((128 + $(kill -l $sig))) $!
		[ "$(tail -n 2000 out)" = "$(seq 2000)" ]
		cmp out log
	done
}

is_not_bash() {
	[ "$(<"/proc/$1/comm")" != bash ]
}

@test "a signal that comes before the command is there reaches it" {
	for _ in {1..30}; do
		env --default-signal tee log --run sleep 60 >out 3>&- &
		awaits is_not_bash $!
		kill -TERM $!
		waits 143 $!
	done
}

# A command that takes all signals, says "ready", and then the number of each that comes,
# until SIGTERM.
hears='
import signal
all = signal.valid_signals()
signal.pthread_sigmask(signal.SIG_BLOCK, all)
print("ready", flush=True)
while (heard := signal.sigwait(all)) != signal.SIGTERM:
    print(int(heard), flush=True)
raise SystemExit(9)'

# passes NUMBER...: tee, $pid, passes each on to that command, and SIGTERM.
passes() {
	local number

	awaits grep -qs ready out
	for number; do
		kill -$number $pid
		awaits grep -qx $number out
	done
	kill -TERM $pid
	ends 9
	[ "$(gnu_cat out)" = "$(printf '%s\n' ready "$@")" ]
}

@test "every signal that can be caught is passed on, real-time ones, too" {
	# Without: SIGKILL and SIGSTOP; faults; SIGPIPE and SIGXFSZ; SIGCHLD; those of
	# job control; SIGTERM, which is the last; and the C library's.
	mapfile -t sent < <(seq 64 |
		grep -vxE '9|19|4|5|7|8|11|31|13|25|17|20|21|22|15|32|33')
	started tee --run /usr/bin/python3 -c "$hears"
	passes "${sent[@]}"
}

# unread COMMAND...: tee by COMMAND, whose --run has ended, and which has a grandchild that
# prints more than anybody reads. ./filler has its number.
unread() {
	rm -f fifo filler
	mkfifo fifo
	exec 7<>fifo
	"$@" tee --run sh -c 'yes & echo $! >filler; exit 3' >fifo 3>&- 7>&- &
	pid=$!
	awaits [ -s filler ]
	awaits has_no_child $pid
}

@test "a signal that was blocked at the start is passed on, and ends tee" {
	rm -f out
	env --block-signal tee --run /usr/bin/python3 -c "$hears" >out 3>&- &
	pid=$!
	passes 1 12 37
	unread env --block-signal
	kill -TERM $pid
	ends 143
}

@test "a signal that was ignored at the start is passed on, and does not end tee" {
	rm -f out
	env --ignore-signal=HUP tee --run /usr/bin/python3 -c "$hears" >out 3>&- &
	pid=$!
	passes 1
	unread env --ignore-signal=HUP
	kill -HUP $pid
	kill "$(gnu_cat filler)"
	exec 8<fifo 7>&-
	gnu_cat <&8 >rest
	ends 3
}

@test "what -g handles is not passed on" {
	needs PROGRESS
	started tee -g --run /usr/bin/python3 -c "$hears" 2>said
	kill -USR1 $pid
	awaits [ -s said ]
	passes 12
}

@test "what tee ignores is not passed on" {
	needs TEE_BLOCK
	started tee -i --block=QUIT,USR1 --run /usr/bin/python3 -c "$hears"
	for signal in INT QUIT USR1; do
		kill -$signal $pid
	done
	passes 12
}

# found COMMAND...: what grep(1) says of its signals by COMMAND, and by tee, is the same.
found() {
	"$@" grep '^Sig[BIC]' /proc/self/status >want
	for options in "" "-i -p" "-g -p" "--lag=4K --debug -g"; do
		"$@" tee $options --run grep '^Sig[BIC]' /proc/self/status >got 2>said
		cmp want got
	done
}

@test "the command has its signals as tee has found them" {
	needs PROGRESS TEE_LAG TRACE
	found env --default-signal --ignore-signal=HUP --block-signal=USR2
	found env --block-signal
	found env --ignore-signal=CHLD,PIPE,INT
	run -3 env --ignore-signal=CHLD tee --run sh -c 'exit 3'
}

# on_terminal COMMAND...: runs it as "tee --run" on a terminal of its own. Once it
# has said "ready", ^C and ^\ come from the terminal, and then SIGINT and SIGTERM from
# elsewhere, each after a line of the command's: the terminal forgets what it was to
# show. Its standard output is what the terminal shows, without its echo.
on_terminal() {
	timeout $HANG /usr/bin/python3 - "$LINKS/tee" log --run "$@" <<-'END'
		import fcntl, os, pty, re, signal, struct, sys, termios, time
		pid, terminal = pty.fork()
		if not pid:
		    mode = termios.tcgetattr(0)
		    mode[3] &= ~termios.ECHO
		    termios.tcsetattr(0, termios.TCSANOW, mode)
		    os.execvp(sys.argv[1], sys.argv[1:])
		said = b""
		def awaits(word):
		    global said
		    while not re.search(word + b".*\n", said):
		        said += os.read(terminal, 1000)
		def signals(cause, *args):
		    # The command has had its own signal when tee goes on.
		    os.kill(pid, signal.SIGSTOP)
		    os.waitpid(pid, os.WUNTRACED)
		    cause(terminal, *args)
		    time.sleep(0.3)
		    os.kill(pid, signal.SIGCONT)
		awaits(b"ready")
		signals(os.write, b"\x03")
		awaits(b"first")
		signals(os.write, b"\x1c")
		awaits(b"second")
		signals(fcntl.ioctl, termios.TIOCSWINSZ, struct.pack("4H", 9, 99, 0, 0))
		awaits(b"third")
		time.sleep(0.3)
		os.kill(pid, signal.SIGINT)
		awaits(b"fourth")
		os.kill(pid, signal.SIGTERM)
		try:
		    while piece := os.read(terminal, 1000):
		        said += piece
		except OSError:
		    pass
		print(said.decode().replace("\r", ""), end="")
		sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
	END
}

# Says who has sent a signal: the kernel, as for a terminal, or a process.
signals() {
	gnu_cat <<-'END'
		import os, signal, sys
		if sys.argv[1:]:
		    os.setpgid(0, 0)
		all = {signal.SIGINT, signal.SIGQUIT, signal.SIGWINCH, signal.SIGTERM}
		signal.pthread_sigmask(signal.SIG_BLOCK, all)
		print("ready", flush=True)
		for word in "first", "second", "third", "fourth", "last":
		    info = signal.sigwaitinfo(all)
		    print(word, signal.Signals(info.si_signo).name,
		          "kernel" if info.si_code > 0 else "process", flush=True)
		sys.exit(7)
	END
}

@test "a signal of the terminal is passed on to another process group alone" {
	for group in "" group; do
		run -7 on_terminal /usr/bin/python3 -c "$(signals)" $group
		from=${group:+process}
		[ "$output" = "ready
first SIGINT ${from:=kernel}
second SIGQUIT $from
third SIGWINCH $from
fourth SIGINT process
last SIGTERM process" ]
	done
}

@test "a command that stops goes on at SIGCONT" {
	needs_tool pgrep
	started tee log --run sh -c 'echo ready; kill -STOP $$; echo again'
	command=$(pgrep -P $!)
	awaits grep -q 'State:	T' "/proc/$command/status"
	kill -CONT $!
	wait $!
	[ "$(gnu_cat out)" = $'ready\nagain' ]
}

has_no_child() {
	[ ! "$(pgrep -P "$1")" ]
}

# ended COMMAND...: runs it by tee, whose output is a pipe that fd 7 reads, and waits
# until it has ended; tee is $!. The pipe is full, so tee goes on if COMMAND says anything.
ended() {
	needs_tool pgrep
	mkfifo pipe
	exec 8<>pipe 7<pipe
	dd if=/dev/zero bs=4096 oflag=nonblock >&8 2>/dev/null || :
	env --default-signal tee log --run "$@" >pipe 7>&- 8>&- 3>&- &
	exec 8>&-
	# It has begun.
	awaits [ -s log ]
	awaits has_no_child $!
}

@test "once the command has ended, a signal that ends programs ends tee" {
	pick 2 HUP INT QUIT USR1 USR2 ALRM RTMIN+3
	for signal in TERM "${picked[@]}"; do
		rm -f pipe log
		# A grandchild goes on; or no output takes any bytes.
		if [ $signal != TERM ]; then
			ended sh -c 'echo; yes >&1 & exit 3'
		else
			ended echo
		fi
		kill -$signal $!
		waits $((128 + $(kill -l $signal))) $!
	done
}

# has_zombie PID: a child of it has ended, and is not reaped.
has_zombie() {
	grep -slx "PPid:	$1" /proc/[0-9]*/status | xargs -r grep -sq "^State:	Z"
}

# A command that says "last" at SIGTERM, once there is ./begun.
lasts='trap "echo last; exit 9" TERM; : >begun; while :; do sleep 0.02; done'

@test "one SIGTERM ends tee while a FIFO has no reader, and no other FILE loses a line" {
	mkfifo fifo fifo2
	env --default-signal tee 1 fifo 2 fifo2 --run sh -c "$lasts" >out 2>said 3>&- &
	pid=$!
	awaits [ -e begun ]
	kill -TERM $pid
	ends 9
	for file in out 1 2; do
		[ "$(gnu_cat $file)" = last ]
	done
	printf 'tee: %s: No such device or address\n' fifo fifo2 | cmp - said
}

@test "a signal that ends no program gives up no FIFO" {
	mkfifo fifo
	env --default-signal tee fifo --run sh -c '
		: >begun; until [ -e stop ]; do sleep 0.01; done; echo text' >out 3>&- &
	pid=$!
	awaits [ -e begun ]
	kill -WINCH $pid
	kill -CONT $pid
	: >stop
	awaits has_no_child $pid
	[ "$(gnu_cat fifo)" = text ]
	wait $pid
	[ "$(gnu_cat out)" = text ]
}

# leases FILE: opens it so that open(2) of others waits, says so by ./leased, and goes on
# until it is killed.
leases() {
	exec /usr/bin/python3 -c '
import fcntl, os, signal, sys
signal.signal(signal.SIGIO, signal.SIG_IGN)
fd = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT)
fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_WRLCK)
open("leased", "w").close()
signal.pause()' "$1"
}

@test "an open(2) that waits keeps tee from no signal, once the command has ended" {
	needs_tool pgrep
	mkfifo fifo
	leases file 3>&- &
	lease=$!
	awaits [ -e leased ]
	for name in fifo file; do
		env --default-signal tee $name --run true >out 3>&- &
		pid=$!
		awaits is_not_bash $pid
		command=has_no_child
		[ $name = fifo ] || command=has_zombie
		awaits $command $pid
		kill -CONT $pid
		kill -TERM $pid
		ends 143
	done
	kill $lease
}

@test "once the command has ended, SIGCONT, SIGWINCH and SIGURG cost no byte" {
	random want 60000
	ended head -c 60000 want
	kill -CONT $!
	kill -WINCH $!
	kill -URG $!
	gnu_cat <&7 >got
	wait $!
	cmp want log
	tail -c 60000 got | cmp want -
}

# --- With other options ---------------------------------------------------------

@test "--debug names the command, and --progress is shown of its output, without a total" {
	needs PROGRESS TRACE
	random want 300001
	started tee --debug -g log --run sh -c 'echo ready; cat want
		until [ -e stop ]; do sleep 0.01; done' <want 2>said
	awaits holds log 300007
	kill -USR1 $!
	awaits [ -s said ]
	: >stop
	wait $!
	grep '^292.9 KiB' said
	run ! grep % said
	grep '^tee: sh (pipe) to file, file: ' said
}

@test "SIGALRM is the command's where --progress draws nothing" {
	needs PROGRESS
	started tee -g log --run sh -c 'trap "exit 9" ALRM; echo ready
		while :; do sleep 0.01; done' 2>said
	awaits holds log 6
	kill -ALRM $!
	waits 9 $!
	# On a terminal it is for tee's own line.
	run -0 "$LIB/terminal.py" log 80 tee -g log --run sh -c 'trap "exit 9" ALRM
		kill -ALRM $PPID; sleep 0.1; echo end'
	[ "$(<log)" = end ]
}

@test "whichever call fails, and whenever SIGTERM comes, nothing is lost" {
	needs TEE_REOPEN TEE_RETRY
	needs_faults SANITIZE
	run -0 "$TOP/scripts/faults" --box "$LINKS/box" "tee --run" "tee --stderr --run" \
		"tee --reopen --run" "tee --lag" "tee --retry --run"
	[[ ${lines[-1]} == *", lost: 0" ]]
	# Of each kind one, whichever the sample has; "nothing injected" is another verdict.
	for fault in poll:DELAY poll:SIGCONT poll:SIGTERM; do
		[ "$(verdict "$LINKS/box" "tee --run/file/pipe:$fault:1")" = "nothing lost" ]
	done
	run -0 "$TOP/scripts/faults" --box "$LINKS/box" \
		--repeat "tee --reopen --run/file/pipe+file:poll:SIGHUP:1"
	[ "${lines[-1]}" = "nothing lost" ]
	[ "$(grep -c '^openat(.*"file\.' <<<"$output")" = 2 ]
}

# --- PID 1 ----------------------------------------------------------------------

# as_pid_1 COMMAND...: $pid is a parent of it.
as_pid_1() {
	unshare -r --pid --fork --mount-proc true || skip "no namespaces here"
	env --default-signal unshare -r --pid --fork --mount-proc --kill-child \
		"$@" >out 2>said 3>&- &
	pid=$!
}

@test "as PID 1, tee reaps orphans and passes SIGTERM on, whether a FIFO has a reader or not" {
	needs_tool pgrep
	mkfifo fifo
	for files in log "log fifo"; do
		rm -f begun
		as_pid_1 tee $files --run sh -c '
			for i in 1 2 3 4 5; do (sleep 0.05 &); done
			trap "echo last; exit 9" TERM
			until [ "$(cat /proc/[0-9]*/status | grep -c "^PPid:	1$")" = 1 ]; do
				sleep 0.02
			done 2>/dev/null
			: >begun
			while :; do sleep 0.02; done'
		awaits [ -e begun ]
		pkill -TERM -P $pid
		ends 9
		[ "$(gnu_cat out)" = last ]
		cmp out log
	done
	# Once the command has ended.
	as_pid_1 tee fifo --run true
	has_lone_child() {
		tee=$(pgrep -x tee -P $pid) || return
		has_no_child "$tee"
	}
	awaits has_lone_child
	# Signals that end no program do not end PID 1.
	for signal in WINCH CONT URG; do
		kill -$signal "$tee"
		# SIGCHLD alone waits, for signalfd(2).
		awaits grep -qx 'ShdPnd:	0*10000' "/proc/$tee/status"
	done
	kill -TERM "$tee"
	ends 143
}

# The kernel sends it to PID 1 alone; strace(1) has the kernel send it, too.
@test "the kernel's SIGINT of Ctrl-Alt-Del goes on to the command" {
	needs_strace SANITIZE
	# Of these programs only tee reads so often.
	as_pid_1=(unshare -r --pid --fork --mount-proc --kill-child)
	"${as_pid_1[@]}" true || as_pid_1=()
	run -5 timeout -s KILL $HANG setsid -w strace -f -qq -o /dev/null \
		-e inject=read:signal=SIGINT:when=9 \
		"${as_pid_1[@]}" tee log --run sh -c 'trap "echo got; exit 5" INT
		while echo line; do
			sleep 0.02
		done'
	[ "${lines[-1]}" = got ]
	[ "$(tail -n 1 log)" = got ]
}

@test "no name leads to the pipe of --run" {
	for n in 3 4 5; do
		all_spellings $n
		for name in "${names[@]}"; do
			run -1 bare tee "$name" copy --run echo hello
			# A signalfd(2) belongs to root.
			[[ "${lines[0]}" =~ ^"tee: $name: "("No such "|"Permission denied"$) ]]
			[ "${lines[1]}" = hello ]
			[ ${#lines[@]} = 2 ]
			[ "$(gnu_cat copy)" = hello ]
		done
	done
}

@test "--run: a signal that comes before the command's program ends the command alone" {
	needs TRACE
	needs_strace SANITIZE
	run -143 --separate-stderr env PATH="/none:$PATH" strace -f -qq -o calls \
		-e trace=execve,rt_sigprocmask -e inject=execve:signal=TERM:when=2 \
		tee --debug --run true </dev/null
	grep -F '+++ killed by SIGTERM' calls
	[[ "$stderr" = "tee: "*"(pipe)"* ]]
}
