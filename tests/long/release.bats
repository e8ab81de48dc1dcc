# SPDX-License-Identifier: 0BSD
# make dist: what is in it, and that two are the same.

load ../lib/helpers

# Tarballs are made sooner, and are larger.
quickly() {
	mkdir -p bin
	for tool in gzip xz; do
		executable bin/$tool <<<"exec $(command -v $tool) \"\$@\" -1"
	done
	PATH=$PWD/bin:$PATH
}

setup_file() {
	unset "${!GIT_@}"
	file_needs git xz mandoc python:markdown_it || return 0
	# One test alone has binaries, which zig makes.
	export HOME=$BATS_FILE_TMPDIR BINARIES=n
	VERSION=$(version)
	NAME=box-$VERSION
	export VERSION NAME
	# A clone with this tree committed, however it came here. Half of its files are tests.
	cd "$BATS_FILE_TMPDIR"
	quickly
	copy_tree one tests/{box,fuzz,long,simulator,tree}
	git -C one init -q
	git -C one add -A
	git -C one -c user.name=a -c user.email=a@b commit -qm all
	echo counted >counted.md
	(
		# Neither zig nor Python's ziglang is to be had.
		PATH=$(path_without zig)
		mkdir modules
		echo 'raise ImportError' >modules/ziglang.py
		export PYTHONPATH=$PWD/modules
		BINARIES='' make -s -C one O="$PWD/out" dist RECORDS="$PWD/counted.md" >said 2>warned
	)
}

setup() {
	common_setup
	one=$BATS_FILE_TMPDIR/one dist=$BATS_FILE_TMPDIR/out/dist
	records=$BATS_FILE_TMPDIR/counted.md
}

@test "a release says what is in it" {
	[ "$(<"$BATS_FILE_TMPDIR/said")" = "$dist/$NAME.tar.gz" ]
	[ "$(<"$BATS_FILE_TMPDIR/warned")" = \
		"box: no binaries without zig: scripts/install-packages cross" ]
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
	{
		git -C "$one" ls-files
		echo measurements/counted.md
	} | sort | diff <(grep -v ^html/ files) -
	# So are the documents as HTML.
	mkdir unpacked
	tar -C unpacked -xf "$dist/$NAME.tar.gz"
	"$LIB/links.py" "unpacked/$NAME/html"
	cmp "unpacked/$NAME/measurements/counted.md" "$records"
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
		"Makefile SOURCE 0BSD" "html/man/tee.1.html DOCUMENTATION NONE"; do
		grep -qFx "./$line" kinds
	done
	[ "$(wc -l <sums)" = "$(wc -l <files)" ]
	env -C "unpacked/$NAME" sha256sum -c --quiet "$PWD/sums"
}

@test "a release is of what is committed in a clone" {
	git clone -q "$one" two
	run -2 make -s -C two dist RECORDS=build/none.md
	[ "${lines[0]}" = "box: there is no build/none.md" ]
	echo >>two/README.md
	run -2 make -s -C two dist
	[ "${lines[0]}" = \
		"box: commit first: what is not committed is not released" ]
	rm -rf two/.git
	run -2 make -s -C two dist
	[ "${lines[0]}" = "box: make dist needs a clone with git" ]
}

@test "two clones make the same release" {
	git clone -q "$one" two
	git -C two config tar.umask 0077
	(umask 077; TZ=Asia/Tokyo make -s -C two dist RECORDS="$records")
	diff -r "$dist" two/build/dist
	# The documents in it are those of this tree.
	"$TOP/scripts/html" html
	mkdir unpacked
	tar -C unpacked -xf "$dist/$NAME.tar.gz"
	diff -r html "unpacked/$NAME/html"
}

@test "two clones make the same binaries, each with its document, licences, sums, and an image" {
	needs_tool zig
	export ZIG_GLOBAL_CACHE_DIR=${ZIG_GLOBAL_CACHE_DIR:-$TOP/build/cross/cache}
	for clone in two three; do
		git clone -q "$one" $clone
		mkdir $clone/build
		[ ! -e "$TOP/build/venv" ] || ln -s "$TOP/build/venv" $clone/build/
		BINARIES='' make -s -C $clone dist
		export CFLAGS=-O3
	done
	diff -r two/build/dist three/build/dist
	cd two/build/dist
	python - "$NAME" "$VERSION" <<-'END'
		import glob, hashlib, itertools, json, os, sys
		def contents(path):
		    return open(path, 'rb').read()
		def sum_of(path):
		    return hashlib.sha256(contents(path)).hexdigest()
		source = sum_of(f'{sys.argv[1]}.tar.gz')
		images = [contents(path) for path in glob.glob('oci/blobs/sha256/*')]
		for config, processor in itertools.product(
		        'container default tiny'.split(),
		        'amd64 aarch64 armv7 riscv64 ppc64le s390x i386'.split()):
		    name = f'{sys.argv[1]}-{config}-{processor}'
		    path = f'binaries/{name}'
		    assert os.access(path, os.X_OK)
		    assert config != 'container' or any(contents(path) in image for image in images)
		    assert (f'"version":"{sys.argv[2]}","architecture":"{processor}"'.encode()
		            in contents(path))
		    said = json.load(open(f'{path}.spdx.json'))
		    assert said['name'] == name
		    there = {p['SPDXID']: p for p in said['packages']}
		    assert [there[f'SPDXRef-{ident}']['checksums'][0]['checksumValue']
		            for ident in ('box', 'Package')] == [sum_of(path), source]
		    assert there['SPDXRef-box']['licenseDeclared'] == '0BSD AND MIT'
		    assert all(there[f'SPDXRef-{ident}']['versionInfo'][0].isdigit()
		               for ident in ('musl', 'zig'))
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
	[ "$(echo works | "binaries/$NAME-tiny-amd64" cat)" = works ]
}
