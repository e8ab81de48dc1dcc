# SPDX-License-Identifier: 0BSD
# Packages and releases, by the tools of those that they are for: "make
# check-all".

load ../lib/helpers

setup_file() {
	unset "${!GIT_@}"
	export BINARIES=n
	cd "$BATS_FILE_TMPDIR"
	copy_tree clone
	git -C clone init -q
	git -C clone add -A
	git -C clone -c user.name=a -c user.email=a@b commit -qm all
	make -s -C clone O="$PWD/out" dist
}

setup() {
	common_setup
	dist=$BATS_FILE_TMPDIR/out/dist
	version=$(sed -n 's/^VERSION := //p' "$TOP/Makefile")
}

# package NAME: scripts/package builds it, whatever a user tells make by the environment, and
# box from it passes the tests of box alone. Leaves the shell in the directory of what was made.
package() {
	outside env O="$PWD/other" CFLAGS=-O0 TESTS=box \
		"$BATS_FILE_TMPDIR/clone/scripts/package" "$1"
	cd "$BATS_FILE_TMPDIR/clone/build/package/$1"
}

# installed: the package's links lead to its box, and no other cat is in it.
installed() {
	# The links do not name the directory.
	mv root installed
	for name in cat tee yes; do
		[ "$(realpath "installed/usr/lib/box/bin/$name")" = \
			"$PWD/installed/usr/bin/box" ]
	done
	[ "$(echo hello | installed/usr/lib/box/bin/cat)" = hello ]
	[ "$(find installed -name cat)" = installed/usr/lib/box/bin/cat ]
}

# documented_apart: each of its manuals is there, under a name that the system's own has not.
documented_apart() {
	[ "$(ls installed/usr/share/man/man1 | tr '\n' ' ')" = \
		"box-cat.1.gz box-tee.1.gz box-yes.1.gz box.1.gz " ]
}

# debugs DIR: what is in the debug package there is of this box, and neither names the
# directory that it was built in.
debugs() {
	local id file

	id=$(readelf -n installed/usr/bin/box | sed -n 's/.*Build ID: //p')
	file=$1/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug
	nm "$file" >symbols
	grep -q ' cat_main$' symbols
	run ! grep -qF "$PWD" installed/usr/bin/box
	run ! grep -qF "$PWD" "$file"
}

@test "Debian's package builds, and lintian finds nothing in it" {
	needs_tool dpkg-buildpackage dh lintian hardening-check
	package debian
	# The distribution's flags have reached each compilation.
	grep -- ' -c -o ' log >compilations
	run ! grep -v -e '-ffile-prefix-map=.*-Werror=format-security' compilations
	installed
	documented_apart
	# musl is in it, and in no other package.
	run -0 dpkg-deb -f box_"$version"-1_*.deb Static-Built-Using
	[[ $output = "musl (= "*")" ]]
	run -0 dpkg-deb -f box-dbgsym_*.deb Static-Built-Using
	[ ! "$output" ]
	run hardening-check installed/usr/bin/box
	[[ $output = *"Read-only relocations: yes"* ]]
	[[ $output = *"Immediate binding: yes"* ]]
	dpkg-deb -x box-dbgsym_*.deb debug
	debugs debug
}

@test "Fedora's package builds, and rpmlint finds nothing in it" {
	needs_tool rpm rpmbuild rpmlint find-debuginfo eu-strip
	package fedora
	grep -- ' -c -o ' log >compilations
	run ! grep -v -e ' -flto=auto' compilations
	installed
	documented_apart
	mkdir debug
	rpm2archive - <RPMS/*/box-debuginfo-*.rpm | tar -xz -C debug
	debugs debug
}

@test "Arch's package builds" {
	needs_tool makepkg bsdtar pacman fakeroot zstd
	package arch
	installed
	documented_apart
	mkdir debug
	tar -xf box-debug-*.pkg.tar.zst -C debug
	debugs debug
}

@test "Alpine's package builds by abuild" {
	needs_tool abuild abuild-keygen apk fakeroot scanelf
	package alpine
	run ! grep -e WARNING -e ERROR log
	installed
	for shell in bash zsh fish; do
		[ -s "$(echo packages/main/*/box-$shell-completion-"$version"-r*.apk)" ]
	done
}

@test "OpenWrt's package builds by its own make" {
	[ -d "${OPENWRT:-}" ] || skip "OPENWRT= names no sources"
	needs_tool apk fakeroot musl-gcc rsync
	package openwrt
	grep -- ' -c -o ' log >compilations
	run ! grep -v -e ' -fno-caller-saves .*-D_FORTIFY_SOURCE=1' compilations
	# The recipe cannot hold the sum of the tarball that it is in.
	[ "$(grep -c WARNING log)" = 1 ]
	grep '^WARNING: PKG_HASH ' log
	for link in bin/cat usr/bin/tee usr/bin/yes; do
		[ "$(readlink "root/$link")" = /usr/bin/box ]
	done
	[ "$(echo hello | root/usr/bin/box cat)" = hello ]
	[[ "$(nm root/usr/bin/box 2>&1)" = *"no symbols" ]]
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
	executable build/box <<<'exit 126'
	pkgdir=$PWD/other sh -ec '. packaging/alpine/APKBUILD; package' >log 2>&1
	[ -L other/usr/lib/box/bin/cat ]
}

@test "OpenEmbedded's package builds by BitBake, and its QA finds nothing in it" {
	[ -d "${OPENEMBEDDED:-}" ] || skip "OPENEMBEDDED= names no sources"
	[ -d "${BITBAKE:-}" ] || skip "BITBAKE= names no sources"
	needs_tool localedef musl-gcc pseudo rpcgen
	package openembedded
	# The alternatives are links for a system whose root it is.
	for name in cat tee yes; do
		[ "$(readlink "root/usr/bin/$name")" = "/etc/alternatives/$name" ]
		[ "$(readlink "root/etc/alternatives/$name")" = /usr/bin/box ]
	done
	for part in completions dbg doc src; do
		dpkg-deb -x tmp/deploy/deb/*/box-"$part"_*.deb parts
	done
	[ -s parts/usr/share/bash-completion/completions/box ]
	[ -s parts/usr/share/man/man1/box.1 ]
	[ -s "parts/usr/src/debug/box/$version/applets/cat.c" ]
	nm parts/usr/bin/.debug/box >symbols
	grep -q ' cat_main$' symbols
}

@test "Nix reads its files, and its box is beside coreutils" {
	needs_tool nix-instantiate
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

@test "the release's documents are valid SPDX" {
	needs_tool pyspdxtools
	pyspdxtools -i "$dist/box-$version.spdx.json"
	# A binary's, of which the contents do not matter.
	echo >"box-$version-tiny-s390x"
	"$TOP/scripts/sbom" "$dist/box-$version.tar.gz" 1.2 3.4 "box-$version-tiny-s390x"
	pyspdxtools -i "box-$version-tiny-s390x.spdx.json"
	# It would say so if it were not.
	sed 's/"SPDX-2.3"/"SPDX-0"/' "$dist/box-$version.spdx.json" >wrong.spdx.json
	run ! pyspdxtools -i wrong.spdx.json
}
