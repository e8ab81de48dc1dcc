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
