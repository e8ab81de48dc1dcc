# SPDX-License-Identifier: 0BSD
# Packages and releases, by the tools of those that they are for: "make
# check-all".

load ../lib/helpers

setup_file() {
	unset MAKEFLAGS MFLAGS MAKELEVEL O V CC CFLAGS LDFLAGS CROSS_COMPILE
	unset "${!GIT_@}"
	export LC_ALL=C
	cd "$BATS_FILE_TMPDIR"
	copy_tree clone
	git -C clone init -q
	git -C clone add -A
	git -C clone -c user.name=a -c user.email=a@b commit -qm all
	make -s -C clone O="$PWD/out" dist
}

setup() {
	cd "$BATS_TEST_TMPDIR"
	dist=$BATS_FILE_TMPDIR/out/dist
	version=$(sed -n 's/^VERSION := //p' "$TOP/Makefile")
}

needs_commands() {
	local name

	for name; do
		command -v "$name" >/dev/null || skip "no $name"
	done
}

@test "Debian's package builds, and lintian finds nothing in it" {
	needs_commands dpkg-buildpackage dh lintian hardening-check
	outside "$BATS_FILE_TMPDIR/clone/scripts/package" debian
	cd "$BATS_FILE_TMPDIR/clone/build/package/debian"
	# The distribution's flags have reached each compilation.
	grep -- ' -c -o ' log >compilations
	run ! grep -v -e '-ffile-prefix-map=.*-Werror=format-security' compilations
	mv root installed
	for name in cat tee yes; do
		[ "$(realpath "installed/usr/lib/box/bin/$name")" = \
			"$PWD/installed/usr/bin/box" ]
	done
	[ "$(echo hello | installed/usr/lib/box/bin/cat)" = hello ]
	# musl is in it, and in no other package.
	run -0 dpkg-deb -f box_"$version"-1_*.deb Static-Built-Using
	[[ $output = "musl (= "*")" ]]
	run -0 dpkg-deb -f box-dbgsym_*.deb Static-Built-Using
	[ ! "$output" ]
	run hardening-check installed/usr/bin/box
	[[ $output = *"Read-only relocations: yes"* ]]
	[[ $output = *"Immediate binding: yes"* ]]
	# What is in the debug package is of this box, and names its sources.
	dpkg-deb -x box-dbgsym_*.deb debug
	id=$(readelf -n installed/usr/bin/box | sed -n 's/.*Build ID: //p')
	nm "debug/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug" >symbols
	grep -q ' cat_main$' symbols
	run ! grep -qF "$PWD" installed/usr/bin/box
	run ! grep -qF "$PWD" "debug/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug"
}

@test "Alpine's functions build, check and install; completions are apart" {
	tar -xf "$dist/box-$version.tar.gz"
	cd "box-$version"
	# As abuild, which says its flags again when it packages.
	outside env pkgdir="$PWD/pkg" sh -ec '
		. packaging/alpine/APKBUILD
		export CFLAGS="-O2 -g"
		build
		check
		CFLAGS="$CFLAGS $CFLAGS"
		package >packaged
		echo "$subpackages" >subpackages
	' >log 2>&1
	run ! grep "CC  " packaged
	for name in cat tee yes; do
		[ "$(realpath "pkg/usr/lib/box/bin/$name")" = \
			"$PWD/pkg/usr/bin/box" ]
		[ ! -e "pkg/usr/bin/$name" ]
	done
	for shell in bash zsh fish; do
		grep -q "box-$shell-completion" subpackages
	done
	# Where what was built cannot be run, all but check() works.
	printf '#!/bin/sh\nexit 126\n' >build/box
	chmod +x build/box
	pkgdir=$PWD/other sh -ec '. packaging/alpine/APKBUILD; package' >log 2>&1
	[ -L other/usr/lib/box/bin/cat ]
}

@test "Nix reads its files, and its box is beside coreutils" {
	needs_commands nix-instantiate
	for file in "$TOP"/packaging/nix/*.nix; do
		nix-instantiate --parse "$file" >parsed
		[ -s parsed ]
	done
	# What of nixpkgs is needed to see what it is told.
	cat >pkgs.nix <<-'END'
		rec {
		  lib = {
		    cleanSource = path: path;
		    cleanSourceWith = { src, filter }:
		      builtins.filter (name: filter (toString (src + "/${name}")) "")
		        [ ".config" "Makefile" "applets" "build" ];
		    elem = builtins.elem;
		    licenses.bsd0 = "";
		    platforms.linux = [ ];
		  };
		  buildPackages.python3.withPackages = packages: "";
		  pkgsStatic.stdenv = { cc.targetPrefix = ""; mkDerivation = it: it; };
		}
	END
	told() {
		nix-instantiate --eval --strict --json -E \
			"(import $TOP/packaging/nix { pkgs = import ./pkgs.nix; }).$1" |
			python -c 'import json, sys; it = json.load(sys.stdin)
print(it if isinstance(it, str) else "\n".join(it))'
	}
	[ "$(told src | tr '\n' ' ')" = "Makefile applets " ]
	told installFlags >flags
	grep -qx INSTALL_LINKS=none flags
	mkdir -p out/bin
	touch out/bin/box
	told postInstall >after
	out=$PWD/out sh -e after
	for name in cat tee yes; do
		[ "$(realpath "out/lib/box/bin/$name")" = "$PWD/out/bin/box" ]
	done
}

@test "the release's document is valid SPDX" {
	needs_commands pyspdxtools
	pyspdxtools -i "$dist/box-$version.spdx.json"
	# It would say so if it were not.
	sed 's/"SPDX-2.3"/"SPDX-0"/' "$dist/box-$version.spdx.json" >wrong.spdx.json
	run ! pyspdxtools -i wrong.spdx.json
}
