# SPDX-License-Identifier: 0BSD
# libcore and the applets in a kernel of our own: docs/TESTING.md.

load ../lib/helpers

# Whose code differs most, and where every answer and random histories tell most. CONFIG= names one.
some="default distro tiny libzc"
few="default tiny libzc"
random="distro"
[ ! "${WHOLE:-}" ] || some="$some max safe device container" few=$some random=$some

setup_file() {
	export SIMULATORS=$BATS_FILE_TMPDIR OBJECTS=$BATS_FILE_TMPDIR/objects
	for config in ${CONFIG:-$some}; do
		CONFIG=$config DIR=$SIMULATORS/$config "$TOP/scripts/simulate" build
	done
}

setup() {
	common_setup
	set -- ${CONFIG:-$some}
	SIMULATE=$SIMULATORS/$1/simulate
}

# walks CONFIG WORD...: that simulator with these has found nothing.
walks() {
	"$SIMULATORS/$1/simulate" "${@:2}" >said || {
		echo "CONFIG=$1:"
		gnu_cat said
		return 1
	}
}

# walk_each CONFIGS PATTERN WORD...: walks each of these, or CONFIG alone, and looks for PATTERN
# in what it says.
walk_each() {
	for config in ${CONFIG:-$1}; do
		walks $config "${@:3}"
		grep -E "$2" said
	done
}

# "make check-all" has any two of them.
@test "every promise is kept, whichever answer or turn is out of the ordinary" {
	walk_each "$some" '^[0-9]{4,} histories with at most 1 choices .*, [0-9]{3} scenarios,' \
		DEPTH=1 SECONDS=0
}

@test "every promise is kept by few bytes, whichever answers and turns come together" {
	[ "$(uname -m)" = x86_64 ] || skip "what a program knows is only looked for on x86-64"
	walk_each "$few" '^[0-9]{4,} histories up to states that recur, [0-9]+ scenarios, [0-9]{4,} states' \
		DEPTH=all
}

@test "every promise is kept in random histories" {
	walk_each "$random" '^[0-9]{3,} random histories' DEPTH=0 SECONDS=1
}

@test "every promise is kept to those who share a file, whichever three are" {
	for config in ${CONFIG:-default libzc}; do
		[ $config = libzc ] || {
			walks $config DEPTH=3 SCENARIO='cat in=file:40000 in=file:40000 out=file:others=50'
			walks $config DEPTH=3 SCENARIO='cat in=file:40000 in=file:40000 out=file:others=30000'
		}
		walks $config DEPTH=3 SCENARIO='copy in=pipe:9000 out=file:others=50'
		walks $config DEPTH=3 SCENARIO='copy in=file:70001:others=3000 out=file'
		walks $config DEPTH=3 SCENARIO='copy in=file:70001:others=3000:says=33000 out=file'
	done
}

@test "what a configuration lacks is left out, and told where it is asked for" {
	for lacks in "tiny: --lag=:tee --lag=5000 in=pipe:9000 out=pipe" \
		"tiny:the options:cat -n in=pipe:9000 out=pipe" \
		"tiny:the method:copy method=splice in=pipe:9000 out=pipe" \
		"default: --run:tee --run in=pipe:9000 out=pipe" \
		"default: steps:copy steps in=pipe:9000 out=pipe" \
		"libzc:the applet:yes out=pipe:leaves=10"; do
		IFS=: read -r config what scenario <<<"$lacks"
		[[ " ${CONFIG:-$some} " = *" $config "* ]] || continue
		run -2 "$SIMULATORS/$config/simulate" SCENARIO="$scenario"
		[ "$output" = "simulate: \"$scenario\": this configuration lacks $what" ]
	done
}

@test "the model answers as the kernel that runs" {
	"$OBJECTS/model_check" SCRIPTS=1000${WHOLE:+00} >said
	grep -E '^[0-9]{4,} calls in .*: the same answers$' said
}

@test "a history is repeated from its choices" {
	"$SIMULATE" REPLAY='copy in=pipe:9000 out=file / 4=1' >said
	grep -F 'write(' said
	grep -F 'every promise was kept' said
	grep -F 'choice 1 of' said
	for wrong in 'copy in=pip:9000 out=file /' 'copy in=pipe:9000 out=file / x' \
		'copy in=pipe:9000 out=file / 4=-1'; do
		run -2 "$SIMULATE" REPLAY="$wrong"
	done
}

@test "a word that it does not know, and no number, are told" {
	for wrong in WORD DETPH=2 DEPTH=x DEPTH=15 DEPTH=-1 SECONDS=1x SECONDS=1.5 \
		SEED=x 'SEED= 1' SEED=18446744073709551616; do
		run -2 "$SIMULATE" SCENARIO='copy in=pipe:1 out=file' "$wrong"
		[ "$output" = "simulate: \"$wrong\"?" ]
	done
	walks "$(basename "${SIMULATE%/*}")" SCENARIO='copy in=pipe:1 out=file' DEPTH= SECONDS=0 SEED=
	for wrong in WORD SCRIPTS=x SCRIPTS=0 SEED=1x; do
		run -2 "$OBJECTS/model_check" "$wrong"
		[ "$output" = "model_check: \"$wrong\"?" ]
	done
}

# For a tenth of a second of processor time, and so it is in the middle of a history.
has_worked() {
	[ "$(cut -d' ' -f14 /proc/$pid/stat)" -ge 10 ]
}

@test "a history in which the program crashes is told, with its choices" {
	"$SIMULATE" DEPTH=9 SCENARIO='copy in=file:70001 out=pipe' >said 3>&- &
	pid=$!
	awaits has_worked
	kill -SEGV $pid
	waits 1 $pid
	mapfile -t lines <said
	[ "${lines[0]}" = 'FAILED: copy in=file:70001 out=pipe' ]
	[ "${lines[1]}" = '    Segmentation fault' ]
	[[ ${lines[2]} == "    REPLAY='copy in=file:70001 out=pipe /"*"'" ]]
}
