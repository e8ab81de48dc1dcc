# SPDX-License-Identifier: 0BSD
# A sample of what scripts/adversary runs for long.

load ../lib/helpers

# Whose code differs most: CONFIG= names another, and "make check-all" has all.
some="default distro tiny libzc"

# Names the boxes in the file BOXES.
setup_file() {
	export HARNESS=$BATS_FILE_TMPDIR/adversary BOXES=$BATS_FILE_TMPDIR/boxes
	"$TOP/tests/adversary/compile" "$HARNESS"
	if [ "${BOX:-}" ]; then
		share_box
		echo "$BOX" >"$BOXES"
		return
	fi
	for config in ${CONFIG:-$some}; do
		dir=$(built "$(script_function goal "$config")")
		box=$dir/box
		[ "$config" != libzc ] || {
			box=$dir/libzc-box
			built "$dir" "$box" >&2
		}
		echo "$box"
	done >"$BOXES"
}

setup() {
	common_setup
	[ "$(uname -m)" = x86_64 ] || skip "it knows the registers of x86-64 alone"
	needs_strace
	[ ! "${BOX:-}" ] || needs CAT TEE YES
}

@test "nothing is lost whatever befalls the calls, whoever else is there" {
	mapfile -t boxes <"$BOXES"
	for box in "${boxes[@]}"; do
		BOX_CONFIG=${BOX_CONFIG:-${box%/*}/include/config/auto.conf} \
			run "$HARNESS" "$box" 1 "80${WHOLE:+0}"
		echo "$output"
		[ "$status" = 0 ]
		[[ ${lines[-1]} == *"failed: 0" ]]
	done
}

@test "scripts/adversary says of a wrong argument what is wrong" {
	wrong() {
		run -1 "$TOP/scripts/adversary" "${@:2}"
		[ "$output" = "box: $1" ]
	}
	wrong "usage: scripts/adversary" nosuch
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
