#!/usr/bin/env bats
# SPDX-License-Identifier: 0BSD
# The completions for bash, zsh and fish, which are made from the sources.

load helpers

METHODS="copy_file_range splice rw"

setup() {
	common_setup
}

# completions SHELL COMMAND: with everything in.
completions() {
	local methods=()

	for method in $METHODS; do
		methods+=("$TOP/libcore/$method.c")
	done
	"$TOP/scripts/completions" "$1" "$2" "$TOP"/applets/*.c "${methods[@]}"
}

# complete_words WORD...: what bash has for the last of these words.
complete_words() {
	completions bash "$1" >"$1.bash"
	bash --norc --noprofile -c '
		source "./$1.bash"
		COMP_WORDS=("$@")
		COMP_CWORD=$(($# - 1))
		COMP_LINE=$*
		COMP_POINT=${#COMP_LINE}
		function=$(complete -p "$1" | sed "s/.*-F \([^ ]*\) .*/\1/")
		"$function" "$1" "${COMP_WORDS[COMP_CWORD]}" \
			"${COMP_WORDS[COMP_CWORD-1]}"
		printf "%s\n" "${COMPREPLY[@]}"' bash "$@"
}

# completes WORD... = REPLY...
completes() {
	local words=()

	while [ "$1" != = ]; do
		words+=("${1/#EQUALS/=}")
		shift
	done
	shift
	diff <(complete_words "${words[@]}" | grep . | sort) \
		<(printf '%s\n' "$@" | grep . | sort)
}

@test "bash completes the options that --help lists" {
	needs CAT_FORMAT TEE_ERROR LONG_OPTS METHOD TRACE PROGRESS HELP VERSION
	for applet in $(applets); do
		diff <(complete_words "$applet" - | tr -d = | sort -u) \
			<("$applet" --help |
				sed -En 's/^ +((-[A-Za-z])?(, )?(--[a-z-]+)?).*/\1/p' |
				tr -s ', ' '\n' | grep . | sort)
	done
}

@test "bash completes an option that has been begun" {
	completes cat --show- = --show-all --show-ends --show-tabs \
		--show-nonprinting
	completes cat --num = --number --number-nonblank
	completes tee --app = --append
	completes tee --output = --output-error --output-error=
	completes yes --h = --help
}

@test "bash completes the values of options" {
	completes tee --output-error EQUALS = warn warn-nopipe exit exit-nopipe
	completes tee --output-error EQUALS "" = warn warn-nopipe exit exit-nopipe
	completes tee --output-error EQUALS ex = exit exit-nopipe
	completes tee --output-error=ex = --output-error=exit \
		--output-error=exit-nopipe
	completes cat --method EQUALS "" = $METHODS
	completes cat --method EQUALS sp = splice
	completes cat --method sp = splice
	completes cat --method=copy = --method=copy_file_range
	completes yes --method EQUALS splice,r = splice,rw
}

@test "bash leaves operands to its own completion of file names" {
	completes cat fi = ""
	completes cat -- - = ""
	complete_words cat x >/dev/null
	grep -q '^complete -o default -F _box_cat cat' cat.bash
}

@test "bash completes box: its commands, applets, and their options" {
	completes box c = cat
	completes box --l = --list --list-full
	completes box --help "" = cat tee yes
	completes box --install - = -s -f
	completes box cat --show-a = --show-all
	completes box tee --output-error EQUALS warn- = warn-nopipe
	completes box yes --method "" = $METHODS
}

@test "bash completes all that box says of its commands" {
	needs HELP VERSION INSTALLER SHOW_CONFIG PROBE
	diff <(complete_words box -- | sort) \
		<(box | grep -o 'box --[a-z-]*' | sed 's/box //' | sort)
}

@test "bash, asked at a terminal, completes the line" {
	completions bash cat >cat.bash
	run -0 timeout 60 /usr/bin/python3 -c '
import os, pty, sys
pid, fd = pty.fork()
if pid == 0:
    os.environ["PS1"] = "ready> "
    os.execvp("bash", ["bash", "--norc", "--noprofile", "-i"])
def until(what):
    seen = b""
    while what not in seen:
        seen += os.read(fd, 4096)
until(b"ready>")
os.write(fd, b"source ./cat.bash\n")
until(b"ready>")
os.write(fd, b"cat --number-\t")
until(b"--number-nonblank")'
}

@test "what is left out is not completed" {
	cd "$TOP"
	scripts/completions bash cat applets/{box,cat,long_option}.c applets/cat.h \
		>"$BATS_TEST_TMPDIR/cat.bash"
	cd "$BATS_TEST_TMPDIR"
	grep -- 'compgen -W "-u"' cat.bash
	run ! grep -e --show-all -e --help cat.bash
}

@test "without long options only letters are completed" {
	cd "$TOP"
	scripts/completions bash cat applets/cat.c applets/cat_show.c \
		>"$BATS_TEST_TMPDIR/cat.bash"
	run ! grep -e --show-all "$BATS_TEST_TMPDIR/cat.bash"
	grep -e '-u -A -b' "$BATS_TEST_TMPDIR/cat.bash"
}

@test "scripts/completions says how it is called" {
	run -1 "$TOP/scripts/completions" tcsh cat x
	[[ $output = *"completions bash|zsh|fish COMMAND FILE..."* ]]
}

@test "bash takes the completions" {
	for name in box cat tee yes; do
		completions bash $name >file
		bash -n file
	done
}

@test "zsh takes the completions" {
	command -v zsh >/dev/null || skip "there is no zsh"
	for name in box cat tee yes; do
		completions zsh $name >file
		zsh -n file
	done
}

@test "fish takes the completions" {
	command -v fish >/dev/null || skip "there is no fish"
	for name in box cat tee yes; do
		completions fish $name >file
		fish -n file
		fish -c "source file; complete -C '$name --'" | grep -e --help
	done
}

# make_in DIR ARG...
make_in() {
	local dir=$1

	shift
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s -C "$TOP" O="$PWD/o" \
		DESTDIR="$PWD/$dir" "$@"
}

# The files below a folder.
files_in() {
	(
		cd "$1"
		find . -type f -o -type l | sort
	)
}

@test "make install puts manuals and completions where they are looked for" {
	make_in root tiny_defconfig
	make_in root install
	for name in box cat tee yes; do
		cmp "$TOP/applets/$name.1" root/usr/share/man/man1/$name.1
		bash -n root/usr/share/bash-completion/completions/$name
		grep -qx "#compdef $name" root/usr/share/zsh/site-functions/_$name
		grep -q "^complete -c $name" \
			root/usr/share/fish/vendor_completions.d/$name.fish
	done
	run ! grep -r -e --show-all root/usr/share/bash-completion

	# What is not ours stays.
	echo theirs >root/usr/share/man/man1/cat.1
	echo theirs >root/usr/share/bash-completion/completions/cat
	make_in root uninstall
	diff <(files_in root) - <<-END
	./usr/share/bash-completion/completions/cat
	./usr/share/man/man1/cat.1
	END
}

@test "MAN=n and COMPLETIONS=n leave them out, no links leave the system's" {
	make_in root tiny_defconfig
	make_in root install MAN=n COMPLETIONS=n INSTALL_LINKS=hard
	diff <(files_in root) - <<-END
	./usr/bin/box
	./usr/bin/cat
	./usr/bin/tee
	./usr/bin/yes
	END
	make_in bare install INSTALL_LINKS=none
	diff <(files_in bare) - <<-END
	./usr/bin/box
	./usr/share/bash-completion/completions/box
	./usr/share/fish/vendor_completions.d/box.fish
	./usr/share/man/man1/box.1
	./usr/share/zsh/site-functions/_box
	END
}
