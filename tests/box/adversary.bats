# SPDX-License-Identifier: 0BSD
# A sample of what scripts/adversary runs for long.

load ../lib/helpers

setup_file() {
	share_box_with_all
	export HARNESS=$BATS_FILE_TMPDIR/adversary
	"$TOP/tests/adversary/compile" "$HARNESS"
}

setup() {
	common_setup
	[ "$(uname -m)" = x86_64 ] || skip "it knows the registers of x86-64 alone"
	needs_strace
	needs CAT TEE YES CAT_FORMAT TEE_ERROR
}

# clean RUNS SEED...: so many runs find nothing, or ten times as many with WHOLE.
clean() {
	run "$HARNESS" "$LINKS/box" "${@:2:1}" "$1${WHOLE:+0}" "${@:3}"
	echo "$output"
	[[ $output != "no pipe can be enlarged here"* ]] || skip "$output"
	[ "$status" = 0 ]
	[[ ${lines[-1]} == *"failed: 0" ]]
}

@test "nothing is lost whatever befalls the calls, whoever else is there" {
	clean 150 1
}

@test "a reader that takes from two sinks in turn does not hang tee" {
	clean 60 1 alternate
}

@test "nothing is lost in long pipelines, with signals" {
	clean 600 1 soak 1
}

@test "where no pipe can grow that is not said to be box's doing" {
	needs_root
	chmod a+rx "$BATS_FILE_TMPDIR"
	needs_pipe_limit
	run -2 few_pipes 64 "$HARNESS" "$LINKS/box" 1 1 soak 1
	[ "$output" = "no pipe can be enlarged here, before box has run" ]
}

@test "scripts/adversary says of a wrong argument what is wrong" {
	wrong() {
		run -1 "$TOP/scripts/adversary" "${@:2}"
		[ "$output" = "box: $1" ]
	}
	usage="usage: scripts/adversary [alternate | soak SECONDS]"
	wrong "$usage" nosuch
	wrong "$usage" soak
	wrong "0 is no number of seconds" soak 0
	wrong "1x is no number of seconds" soak 1x
	SEED=x wrong "SEED=x is no number"
	RUNS=1e6 wrong "RUNS=1e6 is no number"
	JOBS=-1 wrong "JOBS=-1 is no number"
	RUNS=0 wrong "RUNS and JOBS are 1 or more"
	JOBS=0 wrong "RUNS and JOBS are 1 or more"
	BOX=$PWD wrong "BOX=$PWD is no program"
	BOX=nosuch wrong "BOX=nosuch is no program"
}
