# SPDX-License-Identifier: 0BSD
# Configurations: each is built without a warning, and the tests that are tagged "each" are
# run on the least of configs/. tests/long/config.bats runs more of them on each.

load ../lib/helpers
load ../lib/config
CONFIGURATION=

# DIRECTORIES: where each is.
setup_file() {
	export DIRECTORIES=
	for file in defconfig "$TOP"/configs/*_defconfig; do
		DIRECTORIES+=" $(built "${file##*/}")"
	done
}

@test "every configuration in configs/ is built, and the least of them works" {
	for dir in $DIRECTORIES; do
		[ "$(echo hello | "$dir/box" cat)" = hello ]
	done
	works tiny_defconfig
}

# begun: "APPLET SYMBOL BEGINNING OPTION" for each beginning of each long option of GNU
# coreutils 9.1.
begun() {
	while read -r applet symbol options; do
		for option in $options; do
			for ((n = 1; n <= ${#option}; n++)); do
				echo "$applet $symbol ${option:0:n} $option"
			done
		done
	done <<-END
	cat CAT_FORMAT number-nonblank number squeeze-blank show-nonprinting show-ends show-tabs show-all
	cat HELP help
	cat VERSION version
	tee TEE append ignore-interrupts
	tee TEE_ERROR output-error
	tee HELP help
	tee VERSION version
	yes HELP help
	yes VERSION version
	END
}

# answers COMMAND...: what that says first, without its name, to each "APPLET OPTION" of
# standard input. With a value that no option takes it tells which option is meant, or that
# there is none, or which there are.
answers() {
	while read -r applet option; do
		echo @
		"$@" "$applet" "$option" 2>&1 </dev/null || :
	done | awk '/^@$/ { getline; sub(/^[^:]*: /, ""); print }'
}

gnu() {
	"gnu_$1" "${@:2}"
}

# left_out OPTION: what is said of one that another configuration has.
left_out() {
	local where=" (see box --config)"

	has SHOW_CONFIG || where=
	echo "$1 is not in this build$where"
}

@test "in each configuration GNU's options are begun as GNU's are" {
	[[ $(gnu_cat --version) = *"GNU coreutils"* ]] || skip "cat is not GNU's"
	begun >all
	awk '{ print $1, "--" $3 "=." }' all | answers gnu | paste -d ' ' all - >wanted
	grep "^tee TEE i ignore-interrupts option '--ignore-interrupts' doesn't" wanted
	# All look options up alike: one is asked all, and the others what has another answer
	# than the beginning before it.
	awk '{ answer = substr($0, length($1 $2 $3 $4) + 5) }
		answer != before || $3 == $4 { print }
		{ before = answer }' wanted >some
	[ ! "${WHOLE:-}" ] || cp wanted some
	for dir in $DIRECTORIES; do
		BOX_CONFIG=$dir/include/config/auto.conf
		awk '{ print $1, "--" $3 "=." }' wanted | answers "$dir/box" >got
		while read -r applet symbol beginning whole want; do
			if ! has LONG_OPTS; then
				echo "unrecognized option '--$beginning=.'"
			elif ! has "$symbol"; then
				left_out "--$whole"
			else
				echo "$want"
			fi
		done <wanted | diff - got
		cp some wanted
	done
}

@test "an option that another configuration has says so" {
	max=$(built max_defconfig)
	for applet in cat tee yes; do
		helped "$max/box" $applet | tr ' ' '\n' | sort >of.$applet
	done
	for dir in $DIRECTORIES; do
		BOX_CONFIG=$dir/include/config/auto.conf
		# One that is as small as tiny has no room for it.
		has HELP || continue
		for applet in cat tee yes; do
			helped "$dir/box" $applet | tr ' ' '\n' | sort | comm -23 of.$applet - >off
			sed "s/^/$applet /" off | answers "$dir/box" >said
			while read -r option; do
				left_out "$option"
			done <off | diff - said
			mv off "off.$applet.${dir##*/}"
		done
	done
	diff off.tee.defconfig - <<-END
	--block
	--reopen
	--retry
	--rotate
	--run
	--stamp
	--stderr
	END
	run ! grep -e --lag off.tee.distro_defconfig
	grep -x -e -g off.cat.device_defconfig
	grep -x -e -p off.tee.safe_defconfig
	grep -x -e --method off.yes.device_defconfig
	# Shortened, or with a value, it is the same.
	dir=${max%/*}/defconfig
	BOX_CONFIG=$dir/include/config/auto.conf
	printf 'tee %s\n' --run=echo --ru --reopen= | answers "$dir/box" >said
	for option in --run --run --reopen; do
		left_out $option
	done | cmp - said
	# An applet that has it nowhere does not know it.
	answers "$dir/box" <<<"cat --reopen" >said
	printf 'yes %s\n' -g --progress | answers "${dir%/*}/device_defconfig/box" >>said
	diff said - <<-'END'
	unrecognized option '--reopen'
	invalid option -- 'g'
	unrecognized option '--progress'
	END
}
