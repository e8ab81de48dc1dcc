# SPDX-License-Identifier: 0BSD
# The completions for bash, zsh and fish: they complete what there is.

load ../lib/helpers

setup_file() {
	file_needs zsh fish /usr/share/bash-completion/bash_completion || return 0
	BOX=$(built max_defconfig)/box
	share_box
	# fish(1) makes directories there, and an interactive bash(1) leaves its history.
	export completions=$TOP/completions chat=$LIB/chat.py HOME=$BATS_FILE_TMPDIR METHODS
	unset XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME
	METHODS=$(methods_of "$BOX")
}

# methods_of BOX: prints those that it was built with, in order.
methods_of() {
	"$1" --probe | sed '/: not built in$/d; s/: .*//' | sort
}

# The functions below print what a shell has for the last WORD of a command
# line, one to a line: bash_has "box" "cat" "--sh".

bash_has() {
	bash --norc --noprofile -c '
		source "$completions/bash/$1"
		compopt() { :; }
		COMP_WORDS=("$@")
		COMP_CWORD=$(($# - 1))
		[[ $(complete -p "$1") =~ "-F "([^ ]*) ]]
		"${BASH_REMATCH[1]}" "$1" "${COMP_WORDS[COMP_CWORD]}" \
			"${COMP_WORDS[COMP_CWORD-1]}"
		((${#COMPREPLY[@]} == 0)) || printf "%s\n" "${COMPREPLY[@]}"' bash "$@"
}

# Of zsh that is what it is given to complete from: options by name, and values.
zsh_has() {
	zsh_given "$@" | sed -En '
		s/^(\([^)]*\))?(-[A-Za-z]|--[a-z-]+)(=-?)?\[.*/\2/
		/^-*[A-Za-z][a-z-]*$/p'
}

zsh_given() {
	zsh -f -c '
		fpath=($completions/zsh)
		autoload -Uz _box _cat _tee _yes
		_arguments() { shift $argv[(i):]; print -rl -- "$@" }
		compadd() { shift; print -rl -- "$@" }
		service=$1 words=("$@") CURRENT=$#
		_$1' zsh "$@"
}

fish_has() {
	fish --no-config -c '
		set fish_complete_path $completions/fish
		complete -C "$argv"' "$@" | cut -f 1
}

# completes SHELL: each line of standard input is a command line, "|", and what that shell has
# for its last word: in any order. "" is an empty word.
completes() {
	while IFS='|' read -r line wanted; do
		read -ra words <<<"$line"
		[ "${words[-1]}" != '""' ] || words[-1]=
		read -ra want <<<"$wanted"
		got=$("$1_has" "${words[@]}" </dev/null | sort)
		[ "$got" = "$(printf '%s\n' "${want[@]}" | sort)" ]
	done
}

# The applets whose options are completed.
completed() {
	for applet in $(applets); do
		[ ! -e "$completions/bash/$applet" ] || echo "$applet"
	done
}

# differences WHERE HAVE WANT: what one list has and the other has not.
differences() {
	tr ' ' '\n' <"$2" | tr -d = | sort -u >have
	tr ' ' '\n' <"$3" | sort -u >want
	comm -23 have want | sed "s/^/$1 is completed with, and $3 has not: /"
	comm -13 have want | sed "s/^/$1 is not completed with, and $3 has: /"
}

# Each difference between what the completions have and what there is.
all_differences() {
	box | grep -o '^  --[a-z-]*' | tr -d ' ' >--help
	documented box >manual
	for shell in bash zsh fish; do
		"${shell}_has" box -- | grep -e -- >has
		differences "$shell, box" has --help
		differences "$shell, box" has manual
	done
	for applet in $(completed); do
		helped "$applet" >--help
		documented "$applet" >manual
		for shell in bash zsh fish; do
			"${shell}_has" "$applet" - >has
			differences "$shell, $applet" has --help
			differences "$shell, $applet" has manual
			"${shell}_has" box "$applet" - >has
			differences "$shell, box $applet" has --help
		done
	done
}

@test "each shell completes the options in --help and in the manual" {
	all_differences >found
	diff found /dev/null
}

# A program whose options nobody here knows: its values run nothing.
@test "each shell completes what --help and a wrong value say, and nothing else" {
	mkdir bin
	executable bin/box <<-'END'
	case $* in
	--list) echo tee; exit ;;
	--help) printf '  --frob [-q] [DIR]  of -z\n'; exit ;;
	*--help) printf '  -x, --ex  ab: [c]\n  -y   of y\n'
		printf '      --zed[=HOW]   z\n        why  not\n'; exit ;;
	*--=*) printf "  - 'one'\n  - 'two'\n" >&2; exit 1 ;;
	esac
	touch ran
	END
	PATH=$PWD/bin:$PATH
	for shell in bash zsh fish; do
		${shell}_has box - | grep -e -- >has
		diff has - <<<--frob
		for command in tee "box tee"; do
			# shellcheck disable=SC2086 # words
			${shell}_has $command - | tr ' ' '\n' | sort -u |
				grep -vx -e --zed= >has
			diff has <(printf '%s\n' --ex --zed -x -y | sort)
		done
		[ "$(values $shell tee --zed | tr '\n' ' ')" = "one two " ]
	done
	[ ! -e ran ]
}

# values SHELL COMMAND OPTION: what OPTION= is completed with.
values() {
	case $1 in
	bash) bash_has "$2" "$3" = "" ;;
	zsh) zsh_given "$2" "$3=" | sed -En "s/^$3=.*(\(| , value )//p" |
		tr -d ')' | tr ' ' '\n' ;;
	fish) fish_has "$2" "$3=" | sed 's/.*=//' ;;
	esac | sort
}

@test "each shell completes the methods of box --probe, and the modes of tee --help" {
	needs TEE
	for shell in bash zsh fish; do
		for applet in $(completed); do
			diff <(values $shell "$applet" --method) - <<<"$METHODS"
		done
		diff <(values $shell tee --output-error) <(tee --help |
			grep -oE '^ {8}(warn|exit)[a-z-]*' | tr -d ' ' | sort)
	done
}

@test "no shell completes a method that was not built in" {
	PATH=$(built defconfig):$PATH
	box --probe | grep 'mmap: not built in'
	for shell in bash zsh fish; do
		diff <(values $shell cat --method) <(methods_of box)
	done
}

@test "the manual of box has the methods that there are" {
	for method in $(sed -n 's/^methods-.*+= //p' "$TOP/libcore/files.mk"); do
		grep -x "\.It Cm $method" "$TOP/applets/box/box.1"
	done
}

@test "bash completes options, their values, box's commands and applets" {
	completes bash <<-END
	cat --show-  | --show-all --show-ends --show-tabs --show-nonprinting
	cat --num    | --number --number-nonblank
	tee --app    | --append
	tee --output | --output-error --output-error=
	yes --h      | --help
	tee --output-error =      | warn warn-nopipe exit exit-nopipe
	tee --output-error = ""   | warn warn-nopipe exit exit-nopipe
	tee --output-error = ex   | exit exit-nopipe
	tee --output-error=ex     | --output-error=exit --output-error=exit-nopipe
	tee --output-error = warn, |
	cat --output-error = ""   |
	tee --lag =               |
	tee --lag = 64K,          | 64K,wait 64K,skip 64K,drop
	cat --method = ""         | ${METHODS//$'\n'/ }
	cat --method = sp         | splice
	cat --method sp           | splice
	cat --method=copy         | --method=copy_file_range
	yes --method = splice,r   | splice,rw
	yes --method=splice,r     | --method=splice,rw
	box c            | cat
	box ""           | $(applets | paste -sd ' ') --config --help --install --list --list-full --probe --version
	box --l          | --list --list-full
	box --help ""    | $(applets | paste -sd ' ')
	box --install -  | -s -f
	box cat --show-a | --show-all
	box tee --output-error = warn- | warn-nopipe
	box yes --method ""      | ${METHODS//$'\n'/ }
	cat fi   |
	cat ""   |
	cat -- - |
	END
	grep -qx 'complete -o default -F _box cat' "$completions/bash/cat"
	grep -qx 'complete -o default -F _box tee' "$completions/bash/tee"
}

@test "fish completes what has been begun" {
	touch here
	completes fish <<-END
	cat --num                 | --number --number-nonblank
	box tee --output-error=ex | --output-error=exit --output-error=exit-nopipe
	yes --method=splice,vm    | --method=splice,vmsplice
	tee --lag=                |
	tee --lag=1M,d            | --lag=1M,drop
	box --help t    | tee
	box c           | cat
	box --install - | -f -s
	box cat he      | here
	yes he          |
	cat -- -        |
	END
}

@test "bash, asked at a terminal, completes the line" {
	# Where bash-completion looks.
	mkdir -p share/bash-completion
	ln -s "$completions/bash" share/bash-completion/completions
	PS1="ready> " XDG_DATA_DIRS=$PWD/share "$chat" "ready>" \
		$'. /usr/share/bash-completion/bash_completion\n' "ready>" \
		$'box cat --method=splice,io_uring_\t' splice \
		$'\025box tee --output-error=exit-\t' nopipe \
		$'\025box c\t' "at " $'\025yes --method=v\t' msplice \
		$'\025. share/bash-completion/completions/cat\n' "ready>" \
		$'cat --number-\t' nonblank $'\025cat --meth\t' od= \
		$'splice,v\t' msplice -- bash --norc --noprofile -i
}

@test "zsh, asked at a terminal, completes the line" {
	TERM=dumb PS1="ready> " "$chat" "ready>" \
		$'fpath=($completions/zsh $fpath) && autoload -Uz compinit\n' \
		"ready>" $'compinit -D -u\n' "ready>" \
		$'cat --number-\t' nonblank $'\025tee --output-error=exit-\t' nopipe \
		$'\025box cat --method=splice,io_uring_\t' splice \
		$'\025box y\t' es $'\025yes --method=v\t' msplice -- zsh -f -i
}

@test "shellcheck finds nothing in what bash is given" {
	cd "$TOP"
	shellcheck -x completions/bash/*
}

# make_in DIR ARG...: installs a box that was built before, whatever it holds.
make_in() {
	local out=$BATS_FILE_TMPDIR/o

	mkdir -p "$out"
	cp "$BOX" "$out/box"
	make -s -C "$TOP" O="$out" -o "$out/box" \
		DESTDIR="$PWD/$1" "${@:2}"
}

# In ./root.
installed() {
	make_in root tiny_defconfig
	make_in root install
}

# The files below a directory.
files_in() {
	find "$1" ! -type d -printf './%P\n' | sort
}

@test "make install puts manuals and completions where they are looked for" {
	installed
	cd root/usr/share
	for name in box cat tee yes; do
		cmp "$(find "$TOP/applets" -name $name.1)" man/man1/$name.1
		cmp "$completions/bash/$name" bash-completion/completions/$name
		cmp "$completions/zsh/_$name" zsh/site-functions/_$name
		cmp "$completions/fish/$name.fish" \
			fish/vendor_completions.d/$name.fish
		grep -qx "#compdef $name" zsh/site-functions/_$name
		grep -q "^complete -c $name" fish/vendor_completions.d/$name.fish
	done
}

@test "an applet without completions is installed without" {
	mkdir tree
	ln -s "$TOP"/{Config.in,Makefile,applets,configs,libcore,scripts} tree
	cp -r "$completions" tree
	rm tree/completions/{bash/yes,zsh/_yes,fish/yes.fish}
	TOP=$PWD/tree installed
	[ -e root/usr/bin/yes ]
	files_in root/usr/share >files
	[ "$(grep -c 'yes' files)" = 1 ]
	[ "$(grep -c 'cat' files)" = 4 ]
	TOP=$PWD/tree make_in root uninstall
	[ ! "$(files_in root)" ]
}
