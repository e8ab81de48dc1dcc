#!/usr/bin/env bats
# SPDX-License-Identifier: 0BSD
# make dist, and the versions that packages say.

load ../lib/helpers
load ../lib/release

@test "a release says what is in it" {
	# shellcheck disable=SC2153 # release.bash sets it
	[ "$(gnu_cat "$BATS_FILE_TMPDIR/said")" = "$dist/$NAME.tar.gz" ]
	[ "$(ls "$dist" | tr '\n' ' ')" = \
		"$NAME.spdx.json $NAME.tar.gz $NAME.tar.gz.sha256 \
$NAME.tar.xz $NAME.tar.xz.sha256 " ]
	for sum in "$NAME.tar.gz.sha256" "$NAME.tar.xz.sha256"; do
		env -C "$dist" sha256sum -c --quiet "$sum"
	done
	cmp <(gzip -dc "$dist/$NAME.tar.gz") <(xz -dc "$dist/$NAME.tar.xz")
	# All that is committed is in it, root's, and of one time.
	tar --numeric-owner -tvf "$dist/$NAME.tar.gz" >listed
	run ! grep -v ' 0/0 ' listed
	[ "$(awk '{ print $4, $5 }' listed | sort -u | wc -l)" = 1 ]
	sed -n "s|.* $NAME/\(.*[^/]\)\$|\1|p" listed | sort >files
	git -C "$one" ls-files | sort | diff <(grep -v ^html/ files) -
	# So are the documents as HTML.
	mkdir unpacked
	tar -C unpacked -xf "$dist/$NAME.tar.gz"
	"$LIB/links.py" "unpacked/$NAME/html"
	# The document names these files, with their sums, kinds and licences.
	python - "$dist/$NAME.spdx.json" >kinds 3>sums <<-'END'
		import json, sys
		sums = open(3, "w")
		for file in json.load(open(sys.argv[1]))["files"]:
		    print(file["fileName"], *file["fileTypes"], *file["licenseInfoInFiles"])
		    for sum in file["checksums"]:
		        if sum["algorithm"] == "SHA256":
		            print(sum["checksumValue"] + "  " + file["fileName"], file=sums)
	END
	for line in "LICENSE DOCUMENTATION 0BSD" "README.md DOCUMENTATION NONE" \
		"applets/cat.1 DOCUMENTATION 0BSD" "applets/cat.c SOURCE 0BSD" \
		"docs/benchmarks.svg IMAGE NONE" "Makefile SOURCE 0BSD" \
		"html/man/tee.1.html DOCUMENTATION NONE"; do
		grep -qFx "./$line" kinds
	done
	[ "$(wc -l <sums)" = "$(wc -l <files)" ]
	env -C "unpacked/$NAME" sha256sum -c --quiet "$PWD/sums"
}

@test "a release is of what is committed in a clone" {
	git clone -q "$one" two
	echo >>two/README.md
	run -2 make -s -C two dist
	[ "${lines[0]}" = \
		"box: commit first: what is not committed is not released" ]
	rm -rf two/.git
	run -2 make -s -C two dist
	[ "${lines[0]}" = "box: make dist needs a clone with git" ]
}

# sooner: ./two, a clone of fewer pages, whose binaries are not built. tests/long/release.bats
# builds these.
sooner() {
	git clone -q "$one" two
	printf '#!/bin/sh\n: >"$1/index.html"\n' >two/scripts/html
	cat >two/scripts/cross <<-'END'
		#!/bin/sh
		[ "$PACKAGE:$TESTS:$COMPILER:${CFLAGS-unset}" = y::zig:unset ] || exit
		for processor; do
			for config in $CONFIGS; do
				dir=build/cross/zig/$processor/$config
				mkdir -p $dir/include/config
				echo "$processor $config" >$dir/box
				printf 'CONFIG_%s=y\n' CAT TEE YES >$dir/include/config/auto.conf
			done
		done
	END
	git -C two -c user.name=a -c user.email=a@b commit -qam two
}

@test "a release has the reports that it is given, and without zig no binaries" {
	sooner
	PATH=$(path_without zig)
	# Python's ziglang may be there.
	mkdir modules two/build
	echo 'raise ImportError' >modules/ziglang.py
	echo counted >two/build/counted.md
	export PYTHONPATH=$PWD/modules BINARIES=
	run -0 --separate-stderr make -s -C two dist RECORDS=build/counted.md
	[ "$output" = "$PWD/two/build/dist/$NAME.tar.gz" ]
	[ "$stderr" = "box: no binaries without zig: scripts/install-packages cross" ]
	[ ! -e two/build/dist/binaries ]
	tar -xf two/build/dist/$NAME.tar.xz
	[ "$(<$NAME/measurements/counted.md)" = counted ]
	run -2 make -s -C two dist RECORDS=build/none.md
	[ "${lines[0]}" = "box: there is no build/none.md" ]
}

# fake_zig: a zig that says its version, and where its musl is.
fake_zig() {
	mkdir -p bin zig/libc/musl/src/internal
	echo '#define VERSION "1.2.3"' >zig/libc/musl/src/internal/version.h
	cat >bin/zig <<-END
		#!/bin/sh
		case \$1 in
		env) printf '.{\n    .lib_dir = "%s",\n    .std_dir = "no"\n' "$PWD/zig" ;;
		version) echo 0.4.5 ;;
		esac
	END
	chmod +x bin/zig
	PATH=$PWD/bin:$PATH
}

@test "a release has binaries, each with its document, licences, sums, and an image" {
	sooner
	fake_zig
	BINARIES='' CFLAGS=-O3 make -s -C two dist
	cd two/build/dist
	python - "$NAME" <<-'END'
		import hashlib, itertools, json, os, sys
		def sum_of(path):
		    return hashlib.sha256(open(path, 'rb').read()).hexdigest()
		source = sum_of(f'{sys.argv[1]}.tar.gz')
		for config, processor in itertools.product(
		        'container default tiny'.split(),
		        'amd64 aarch64 armv7 riscv64 ppc64le s390x i386'.split()):
		    name = f'{sys.argv[1]}-{config}-{processor}'
		    path = f'binaries/{name}'
		    assert open(path).read() == f'{processor} {config}\n' and os.access(path, os.X_OK)
		    said = json.load(open(f'{path}.spdx.json'))
		    assert said['name'] == name
		    there = {p['SPDXID']: p for p in said['packages']}
		    assert [there[f'SPDXRef-{ident}']['checksums'][0]['checksumValue']
		            for ident in ('box', 'Package')] == [sum_of(path), source]
		    assert there['SPDXRef-box']['licenseDeclared'] == '0BSD AND MIT'
		    assert there['SPDXRef-musl']['versionInfo'] == '1.2.3'
		    assert there['SPDXRef-zig']['versionInfo'] == '0.4.5'
		    ties = {(r['spdxElementId'], r['relationshipType'],
		             r['relatedSpdxElement']) for r in said['relationships']}
		    assert ('SPDXRef-box', 'STATIC_LINK', 'SPDXRef-musl') in ties
		    assert ('SPDXRef-box', 'GENERATED_FROM', 'SPDXRef-Package') in ties
	END
	cmp binaries/LICENSE "$TOP/LICENSE"
	cmp binaries/LICENSE.libc "$TOP/LICENSE.libc"
	env -C binaries sha256sum -c --quiet SHA256SUMS
	[ "$(wc -l <binaries/SHA256SUMS)" = 44 ]
	[ "$(ls binaries | wc -l)" = 45 ]
	[ "$(grep -o "\"$VERSION-[a-z0-9]*\"" oci/index.json | wc -l)" = 7 ]
	grep -qr "s390x container" oci/blobs
}

@test "every recipe says what the Makefile says of version and publisher, as examples do" {
	local say=(packaging README.md docs/IMAGES.md docs/RELEASING.md)

	copy_tree two
	mkdir -p wanted/docs
	two/scripts/publish
	for name in "${say[@]}"; do
		diff -r "$TOP/$name" "two/$name"
		cp -r "two/$name" "wanted/$name"
	done
	mv wanted/packaging/openembedded/recipes-core/box/box_{$VERSION,7.8.9}.bb
	others=(-e "s/\\(\\b\\|_\\)${VERSION//./\\.}\\b/\\17.8.9/g" -e 's|The box authors <box@box.invalid>|A \& B <a@b.example>|'
		-e 's|https://box.invalid/releases|https://files.example|'
		-e 's|https://box.invalid|https://b.example/box?a\&b|')
	find wanted two/Makefile -type f -exec sed -i "${others[@]}" {} +
	two/scripts/publish
	for name in "${say[@]}"; do
		diff -r "wanted/$name" "two/$name"
	done
	run ! grep -rn --exclude=README.md '\.invalid' wanted
	# No other document has it.
	run ! grep -rnE "(box|oci|library)[ :_/-]$VERSION\b" two/docs two/*.md
}
