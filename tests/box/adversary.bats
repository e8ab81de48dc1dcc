# SPDX-License-Identifier: 0BSD
# A sample of what scripts/adversary runs for long.

load ../lib/helpers

# Whose code differs most: CONFIG= names another, and "make check-all" has all.
some="default distro tiny max libzc"

# add_box NAME BOX: with its configuration, where an account without rights can reach it.
add_box() {
	local BOX_CONFIG=${BOX_CONFIG:-${2%/*}/include/config/auto.conf}

	mkdir "$BOXES/$1"
	cp "$2" "$BOXES/$1/box"
	cp "$BOX_CONFIG" "$BOXES/$1/config"
	chmod a+rx "$BOXES/$1"
}

setup_file() {
	export HARNESS=$BATS_FILE_TMPDIR/adversary BOXES=$BATS_FILE_TMPDIR
	"$TOP/tests/adversary/compile" "$HARNESS"
	if [ "${BOX:-}" ]; then
		share_box
		add_box BOX "$BOX"
		return
	fi
	for config in ${CONFIG:-$some}; do
		dir=$(built "$(script_function goal "$config")")
		box=$dir/box
		[ "$config" != libzc ] || {
			box=$dir/libzc-box
			built "$dir" "$box"
		}
		add_box "$config" "$box"
	done
}

setup() {
	common_setup
	[ "$(uname -m)" = x86_64 ] || skip "it knows the registers of x86-64 alone"
	needs_strace
	[ ! "${BOX:-}" ] || needs CAT TEE YES
}

# soaks CONFIG: a soak takes a second each time, so that two configurations do without WHOLE.
soaks() {
	[[ "${WHOLE:-}${CONFIG:-}" || $1 = @(default|tiny|BOX) ]]
}

# clean RUNS SEED...: so many runs of each find nothing, or ten times as many with WHOLE.
clean() {
	local config

	for config in "$BOXES"/*/config; do
		[ "${3:-}" != soak ] || soaks "$(basename "${config%/config}")" || continue
		echo "$config:"
		BOX_CONFIG=$config run "$HARNESS" "${config%/*}/box" "${@:2:1}" \
			"$1${WHOLE:+0}" "${@:3}"
		echo "$output"
		[[ $output != "no pipe can be enlarged here"* ]] || skip "$output"
		[ "$status" = 0 ]
		[[ ${lines[-1]} == *"failed: 0" ]]
	done
}

@test "nothing is lost whatever befalls the calls, whoever else is there" {
	clean 80 1
}

@test "nothing is lost in long pipelines, with signals" {
	clean 600 1 soak 1
}

@test "where no pipe can grow that is not said to be box's doing" {
	needs_root
	chmod a+rx "$BATS_FILE_TMPDIR"
	needs_pipe_limit
	boxes=("$BOXES"/*/box)
	BOX_CONFIG=${boxes[0]%/*}/config run -2 few_pipes 64 "$HARNESS" "${boxes[0]}" 1 1 soak 1
	[ "$output" = "no pipe can be enlarged here, before box has run" ]
}

@test "scripts/adversary says of a wrong argument what is wrong" {
	wrong() {
		run -1 "$TOP/scripts/adversary" "${@:2}"
		[ "$output" = "box: $1" ]
	}
	usage="usage: scripts/adversary [soak SECONDS]"
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
	CONFIG=nosuch run -1 "$TOP/scripts/adversary"
	[[ $output = "box: CONFIG=nosuch is none of default "*" tiny libzc" ]]
}
