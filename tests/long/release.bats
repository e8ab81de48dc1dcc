# SPDX-License-Identifier: 0BSD
# make dist, twice.

load ../lib/helpers
load ../lib/release

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
