# shellcheck shell=sh
# SPDX-License-Identifier: 0BSD
# What the scripts share. They read it in first, and work in the directory above.

cd "$(dirname "$0")/.." || exit

die() {
	echo "box: $*" >&2
	exit 1
}

processors() {
	nproc 2>/dev/null || echo 1
}
