# shellcheck shell=sh
# SPDX-License-Identifier: 0BSD
# What the scripts share. They read it in first, and work in the directory above.

# Each says for --help what is at its top.
case ${1:-} in
-h | --help)
	sed -n '3,/^$/s/^# \{0,1\}//p' "$0"
	exit
	;;
esac

die() {
	echo "box: $*" >&2
	exit 1
}

# one_word PATH: dies unless make and a shell can have that.
one_word() {
	case $1 in
	*[[:space:]]*) die "$1 holds a space, and make cannot work there" ;;
	esac
}

# With it cd(1) would go elsewhere, or print where it goes.
unset CDPATH
cd "${0%"${0##*/}"}./.." || exit
one_word "$PWD"
# What scripts/install-packages has brought from PyPI.
PATH=$PATH:$PWD/build/venv/bin

# make_directories DIR...: dies unless they are there and the first can be written.
make_directories() {
	one_word "$1"
	! mkdir -p "$@" 2>/dev/null || [ ! -w "$1" ] || return 0
	die "$(realpath -m "$1") cannot be written: set O= to another directory"
}

# make_work DIR: $work, a directory there, which lasts as long as the script.
make_work() {
	work=$(mktemp -d "$1/box.XXXXXX") || exit
	trap 'rm -rf "$work"' EXIT
	trap 'exit 1' HUP INT TERM
}

# numbers NAME...: dies unless each of these variables is a whole number.
numbers() {
	value=
	for number; do
		eval "value=\$$number"
		case $value in
		'' | *[!0-9]*) die "$number=$value is no number" ;;
		esac
	done
}

has() {
	command -v "$1" >/dev/null 2>&1
}

# Prints what zig is called here; returns 1 where it is missing.
find_zig() {
	! has zig || {
		echo zig
		return
	}
	for python in "$PWD/build/venv/bin/python" /usr/bin/python3; do
		"$python" -c 'import ziglang' 2>/dev/null || continue
		echo "$python -m ziglang"
		return
	done
	return 1
}

# zig_cc ZIG TARGET: prints what make is to call. All flags that tell zig which
# musl to compile are here, so that it compiles one.
zig_cc() {
	echo "$1 cc -target $2 -Os -fno-pie -fno-stack-protector" \
		"-fno-asynchronous-unwind-tables"
}

# configure_sanitized GOAL DIR: configures a box with sanitizers, which musl has
# not.
configure_sanitized() {
	mkdir -p "$2" && make -s O="$2" "$1" &&
		sed -i 's/^CONFIG_STATIC=y/# CONFIG_STATIC is not set/' \
			"$2/.config" &&
		echo CONFIG_SANITIZE=y >>"$2/.config" &&
		make -s O="$2" olddefconfig
}

# goal CONFIG: prints the goal of make for a configuration that ships: default, or one
# of configs/, such as tiny. libzc is the library, whose parts none of these changes.
goal() {
	case $1 in
	default | libzc) echo defconfig ;;
	*) [ -e "configs/$1_defconfig" ] &&
		echo "$1_defconfig" ;;
	esac || die "CONFIG=$1 is none of $(configurations | paste -sd ' ')"
}

# Prints the names of all of them.
configurations() {
	echo default
	printf '%s\n' configs/*_defconfig | sed 's,.*/,,; s,_defconfig$,,'
	echo libzc
}

# What gcc and clang can warn of besides what every build asks for: what tests build has
# none of these.
# shellcheck disable=SC2034 # others read it
more_warnings="-Wshadow -Wcast-align -Wformat=2 -Wstrict-prototypes"

# tagged TAG: the names of the files of tests/box that have it. "box": they run BOX=PATH;
# "emulated": also where an emulator runs that; "guest": they need no compiler.
tagged() {
	grep -lE "^# bats file_tags=(.*,)?$1(,|\$)" tests/box/*.bats |
		sed 's,.*/,,; s,\.bats$,,'
}

processors() {
	nproc 2>/dev/null || echo 1
}

# end_below DIR: ends what works there or below, or has one of these as TMPDIR, of whichever
# session, until nothing does. A process has the environment of the one that it was forked
# from, and a test may have taken that away.
end_below() {
	tries=100
	while [ $tries -gt 0 ]; do
		processes=$({
			grep -lsz "^TMPDIR=$1\(/\|\$\)" /proc/[0-9]*/environ
			find /proc/[0-9]*/cwd -maxdepth 0 \( -lname "$1" -o -lname "$1/*" \) \
				2>/dev/null
		} | cut -d / -f 3)
		[ "$processes" ] || return 0
		# Stopped first: a shell that outlived its command would say how that ended.
		for signal in STOP KILL; do
			# shellcheck disable=SC2086 # numbers
			kill -"$signal" $processes 2>/dev/null
		done
		tries=$((tries - 1))
	done
}
