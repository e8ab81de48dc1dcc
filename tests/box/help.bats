# SPDX-License-Identifier: 0BSD
# What is said about the options, by --help and by the manual pages, is what
# there is.

# bats file_tags=box,emulated,guest

load ../lib/helpers

# The symbols without which an option may be missing.
ALL="CAT_FORMAT TEE_ERROR LONG_OPTS METHOD TRACE PROGRESS HELP VERSION"

# The options that APPLET takes, as it says itself: the empty name is short for
# all long options, and --help shows nothing unless what precedes it is right.
taken() {
	"$1" --= 2>&1 | grep -o "'--[a-z][a-z-]*'" | tr -d "'" || true
	for letter in {a..z} {A..Z}; do
		! "$1" "-$letter" --help >/dev/null 2>&1 ||
			printf -- '-%s\n' "$letter"
	done
}

each() {
	tr ' ' '\n' | sort
}

@test "--help begins as GNU's" {
	needs HELP
	! has CAT || [[ $(cat --help) = "Usage: cat [OPTION]... [FILE]..."* ]]
	! has TEE || [[ $(tee --help) = "Usage: tee [OPTION]... [FILE]..."* ]]
	! has YES || [[ $(yes --help) = "Usage: yes [STRING]..."* ]]
}

@test "--help shows the value that an option takes" {
	needs HELP TEE_ERROR LONG_OPTS
	tee --help | grep -F -e '  --output-error[=MODE]'
	! has METHOD || tee --help | grep -F -e '  --method=NAME,...'
}

@test "--help lists the options that there are, with a text for each, in one column" {
	needs HELP
	for applet in $(applets); do
		run -0 --separate-stderr "$applet" --help
		[ ! "$stderr" ]
		printf '%s\n' "$output" >help
		diff <(taken "$applet" | sort) <(helped "$applet" | each)
		# No line is wider than a terminal.
		run ! grep -E '.{80}' help
		sed '1,/^$/d; /^With no/d; /^$/d' help >options
		[ -s options ]
		# What is longer than the column has two spaces behind it.
		run ! grep -vE '^  [ -].{22}  [^ ]|^ {6}--[^ ]{18,}  [^ ]|^ {8}[^ ]' \
			options
		# Shells show the first line of an option alone.
		grep -E '^ +-' options >first
		run ! grep -E '([:;,]| (and|it|then|to|with))$' first
	done
}

@test "box --help has a text for each command" {
	needs HELP
	box --help | grep '^  --' >commands
	[ "$(wc -l <commands)" -ge 3 ]
	run ! grep -vE '^  --[a-z-]+( \[[^]]*\])*  +[a-z].*[a-z)]$' commands
}

@test "the manual has every option that there is" {
	needs HELP
	for applet in $(applets); do
		[ ! "$(comm -23 <(helped "$applet" | sort) \
				<(documented "$applet" | sort))" ]
	done
}

@test "the manual has no option that there is not" {
	needs $ALL
	off=(-e none)
	for option in block lag reopen retry rotate stamp run; do
		has "TEE_${option^^}" || off+=(-e "--$option")
	done
	has TEE_RUN || off+=(-e --stderr)
	for applet in $(applets); do
		diff <(helped "$applet" | sort) \
			<(documented "$applet" | sort | grep -vx "${off[@]}")
	done
}

@test "the letters in a synopsis are those of the options" {
	for name in cat tee; do
		want=$(documented $name | grep -o '^-[A-Za-z]' | tr -d '\n-' |
			fold -w 1 | sort | tr -d '\n')
		have=$(sed -n 's/^\.Op Fl \([A-Za-z]*\)$/\1/p' \
			"$TOP/applets/$name.1" | fold -w 1 | sort | tr -d '\n')
		[ "$want" = "$have" ]
	done
}

@test "box.1 has every command of box, and no others" {
	needs HELP VERSION INSTALLER SHOW_CONFIG PROBE
	diff <(box | grep -o '^  --[a-z-]*' | tr -d ' ' | sort) \
		<(documented box | sort)
}

@test "every symbol that a manual names is one of Kconfig's" {
	for symbol in $(grep -ho 'CONFIG_[A-Z_]*$' "$TOP"/applets/*.1); do
		grep -q "^config ${symbol#CONFIG_}\$" "$TOP"/*/Config.in \
			"$TOP/Config.in"
	done
}

@test "every option that Kconfig can leave out is named by its symbol" {
	for name in cat tee yes; do
		for symbol in LONG_OPTS METHOD TRACE HELP VERSION; do
			grep -q "^\.It Dv CONFIG_$symbol\$" \
				"$TOP/applets/$name.1"
		done
	done
	grep -q CONFIG_CAT_FORMAT "$TOP/applets/cat.1"
	grep -q CONFIG_TEE_ERROR "$TOP/applets/tee.1"
}

@test "the manuals are clean under mandoc -T lint" {
	needs_tool mandoc
	for page in "$TOP"/applets/*.1 "$TOP"/applets/*/*.1; do
		mandoc -T lint -W warning "$page"
	done
}

@test "there is a manual for each applet, and for box" {
	for source in $(sed -n 's/^applets-.*+= //p' "$TOP/applets/files.mk") box; do
		find "$TOP/applets" -name "$source.1" >page
		grep -q "^\.Nm $source\$" "$(gnu_cat page)"
	done
}

@test "box --probe says of each method whether it works here, or is not built in" {
	needs PROBE
	run -0 --separate-stderr box --probe
	[ ! "$stderr" ]
	diff <(sed -n 's/^methods-.*+= //p' "$TOP/libcore/files.mk" | sort) \
		<(echo "$output" | sed 's/: .*//' | sort)
	echo "$output" >said
	grep -x "rw: works by copying" said
	run ! grep "wrong bytes" said
	while read -r line; do
		name=${line%%:*}
		[ "$name" != rw ] || continue
		if has "ZC_${name^^}"; then
			[[ $line != *"not built in"* ]]
		else
			[ "$line" = "$name: not built in" ]
		fi
	done <said
}

@test "box --probe says why a method does not work" {
	needs PROBE ZC_SPLICE ZC_SENDFILE
	needs_native "reads too"
	needs_strace SANITIZE
	refuse splice,sendfile box --probe >said
	grep -x "splice: Function not implemented" said
	grep -x "sendfile: Function not implemented" said
	grep -x "rw: works by copying" said
	strace -qq -o /dev/null -e inject=read:error=EIO box --probe >said
	grep -x "rw: Input/output error" said
	REFUSE=EMFILE refuse /^pipe box --probe >said
	grep -x "splice: Too many open files" said
	# The file that is a source, and the one that is copy_file_range's sink.
	for when in 1+ 2; do
		REFUSE=EMFILE:when=$when refuse memfd_create box --probe >said
		! has ZC_COPY_FILE_RANGE || grep -x "copy_file_range: Too many open files" said
	done
}

@test "box --probe goes on where no file may grow" {
	needs PROBE
	(
		ulimit -f 0
		box --probe
	) | gnu_cat >said
	[ "$(sed 's/:.*//' said)" = "$(box --probe | sed 's/:.*//')" ]
}

@test "box --probe tells what moves without copying from what copies" {
	needs PROBE ZC_SPLICE ZC_TEE ZC_VMSPLICE
	needs_strace
	box --probe >said
	for method in splice tee vmsplice; do
		grep -x "$method: works without copying" said
	done
	# Where tee(2) is refused, that method copies.
	refuse tee box --probe >said
	grep -x "tee: works by copying" said
	grep -x "splice: works without copying" said
}

@test "without --help a wrong option is answered with those there are" {
	! has HELP || skip "CONFIG_HELP is on"
	for applet in $(applets); do
		run -1 --separate-stderr "$applet" -%
		[[ $stderr = *"Options of this small build:"* ]]
		[[ $stderr != *"build: -"*none ]]
	done
	run -1 --separate-stderr box --help
	names=${stderr#*"Options of this small build:"}
	for name in $names; do
		[ "$name" = --install ] || box "$name" >/dev/null
	done
	[[ $names = *" --list --list-full"* ]]
}
