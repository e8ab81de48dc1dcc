# SPDX-License-Identifier: 0BSD
# make dist, twice.

load ../lib/helpers
load ../lib/release

@test "two clones make the same release" {
	git clone -q "$one" two
	git -C two config tar.umask 0077
	(umask 077; TZ=Asia/Tokyo make -s -C two dist)
	diff -r "$dist" two/build/dist
	# The documents in it are those of this tree.
	"$TOP/scripts/html" html
	mkdir unpacked
	tar -C unpacked -xf "$dist/$NAME.tar.gz"
	diff -r html "unpacked/$NAME/html"
}

@test "two clones make the same binaries and the same image" {
	needs_tool zig
	export ZIG_GLOBAL_CACHE_DIR=${ZIG_GLOBAL_CACHE_DIR:-$TOP/build/cross/cache}
	for clone in two three; do
		git clone -q "$one" $clone
		mkdir $clone/build
		[ ! -e "$TOP/build/venv" ] || ln -s "$TOP/build/venv" $clone/build/
		BINARIES='' make -s -C $clone dist
	done
	diff -r two/build/dist three/build/dist
	cd two/build/dist/binaries
	for document in *.spdx.json; do
		readelf -n "${document%.spdx.json}" | grep -F "\"version\":\"$VERSION\""
	done
	[ "$(echo works | "./$NAME-tiny-amd64" cat)" = works ]
}
