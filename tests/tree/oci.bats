# SPDX-License-Identifier: 0BSD
# Container images: what scripts/oci writes. tests/long/oci.bats has each runtime
# and profile.

load ../lib/helpers
load ../lib/oci

@test "the same box of the same commit is the same image" {
	export SOURCE_DATE_EPOCH=86400
	"$TOP/scripts/oci" 1 amd64="$BOX" s390x="$BOX"
	sleep 1
	umask 077
	"$TOP/scripts/oci" 2 amd64="$BOX" s390x="$BOX"
	diff -r 1 2
	[ "$(find 1 -type f -name '????*' | wc -l)" -ge 8 ]
	SOURCE_DATE_EPOCH=86401 "$TOP/scripts/oci" 2 amd64="$BOX" s390x="$BOX"
	run ! diff -rq 1 2
}

@test "an image is box, its links and licences, for its processor, with labels" {
	needs_tool skopeo
	version=$(version)
	SOURCE_DATE_EPOCH=86400 "$TOP/scripts/oci" layout amd64="$BOX" \
		s390x="$BOX"
	# It reads all that is there, and looks at each digest.
	skopeo copy --all "oci:layout:$version" dir:copy
	skopeo inspect --override-arch s390x "oci:layout:$version" >image
	grep '"Architecture": "s390x"' image
	grep '"org.opencontainers.image.licenses": "0BSD AND MIT"' image
	grep "\"org.opencontainers.image.version\": \"$version\"" image
	for label in "source=SITE" "url=HOMEPAGE"; do
		grep -F "\"org.opencontainers.image.${label%=*}\": \"$(sed -n \
			"s/^${label#*=} := //p" "$TOP/Makefile")\"" image
	done
	grep '"org.opencontainers.image.created": "1970-01-02T00:00:00Z"' image
	for file in copy/*; do
		tar -tvf "$file" >files 2>/dev/null || continue
		[ "$(sed 's/.* usr/usr/' files | tr '\n' ' ')" = "usr/ usr/bin/ usr/share/ \
usr/share/licenses/ usr/share/licenses/box/ usr/bin/box usr/bin/cat -> box \
usr/bin/tee -> box usr/bin/yes -> box usr/share/licenses/box/box \
usr/share/licenses/box/libc " ]
		run ! grep -v ' 0/0 .* 1970-01-02 ' files
		tar -xOf "$file" usr/share/licenses/box/box | cmp - "$TOP/LICENSE"
		tar -xOf "$file" usr/share/licenses/box/libc |
			cmp - "$TOP/LICENSE.libc"
		layers=${layers-}1
	done
	[ "$layers" ]
	# Each layer has its digest: what was changed is found.
	echo >>"$(find layout/blobs -size +5 -type f)"
	run ! skopeo copy --all "oci:layout:$version" dir:other
}

@test "an image's processor may have the name that the kernel or an image has for it" {
	run -1 "$TOP/scripts/oci" layout vax="$BOX"
	[[ $output = "box: no such processor: vax (there are amd64 "* ]]
	run -0 "$TOP/scripts/oci" layout arm64="$BOX" i686="$BOX"
	[[ $output = *": aarch64 i386" ]]
}

@test "scripts/oci builds a configuration: container, unless another is given" {
	needs_tool umoci
	export SOURCE_DATE_EPOCH=86400
	copy_tree tree completions docs libcore packaging tests
	mkdir bin
	version=$(version)
	# Compiles nothing: tests/tree/readme.bats has the real one.
	executable bin/make <<-'END'
		mkdir -p "${2#O=}/include/config" && cd "${2#O=}" || exit
		[ ! "$3" ] || exec echo "$3" >goal
		cp "$BOX" box && cp "$BOX_CONFIG" include/config
	END
	PATH=$PWD/bin:$PATH
	cd tree
	run -1 scripts/oci layout
	[[ $output = "box: no such configuration: layout (there are default container device "* ]]
	run -1 scripts/oci tiny vax
	[[ $output = "box: no such processor: vax (there are amd64 "* ]]
	[ ! -e build ]
	for config in container tiny; do
		words=("$config")
		[ $config != container ] || words=()
		scripts/oci "${words[@]}"
		umoci unpack --rootless --image "build/oci:$version" $config
		cmp build/image/$config/box $config/rootfs/usr/bin/box
		[ "$(<build/image/$config/goal)" = ${config}_defconfig ]
	done
	# For others it is scripts/cross that builds.
	executable scripts/cross <<-'END'
		echo "$CONFIGS, tests: $TESTS: $*" >said
		for arch; do
			mkdir -p build/cross/zig/$arch
			cp -r build/image/$CONFIGS build/cross/zig/$arch
		done
	END
	scripts/oci tiny all
	[ "$(gnu_cat said)" = "tiny, tests: : amd64 aarch64 armv7 riscv64 ppc64le s390x i386" ]
	[ "$(grep -o "\"$version-[a-z0-9]*\"" build/oci/index.json | wc -l)" = 7 ]
	scripts/oci container s390x aarch64
	[ "$(gnu_cat said)" = "container, tests: : s390x aarch64" ]
}

@test "an image replaces an image, and nothing else" {
	export SOURCE_DATE_EPOCH=86400
	mkdir mine
	echo keep >mine/file
	run -1 "$TOP/scripts/oci" mine amd64="$BOX"
	[ "$output" = "box: mine is there, and is no image layout" ]
	grep keep mine/file
	"$TOP/scripts/oci" layout amd64="$BOX"
	cp -r layout before
	for word in amd64=/nosuch amd64=; do
		run -1 "$TOP/scripts/oci" layout "$word"
		[ "$output" = "box: $word: there is no such box" ]
	done
	run -1 "$TOP/scripts/oci" layout amd64=/bin/true
	[ "$output" = "box: amd64=/bin/true: beside it is no include, which make leaves there" ]
	diff -r before layout
	"$TOP/scripts/oci" layout s390x="$BOX"
	run ! diff -rq before layout
}

# as_of_tarball: an image by ./outer/tree has the time of its Makefile, and no commit.
as_of_tarball() {
	outer/tree/scripts/oci layout amd64="$BOX"
	grep -r 'image.created": "1970-01-02T00:00:00Z"' layout/blobs
	run ! grep -r image.revision layout
}

@test "without a repository of its own, or git, an image is as of a tarball" {
	needs_tool git
	mkdir outer
	git -C outer init -q
	git -C outer -c user.name=a -c user.email=a@b commit -q --allow-empty -m all
	copy_tree outer/tree completions docs libcore packaging tests
	touch -d @86400 outer/tree/Makefile
	as_of_tarball
	mv outer/.git outer/tree/
	mkdir bin
	ln -s /usr/bin/python3 "$(type -P grep)" bin/
	PATH=$PWD/bin as_of_tarball
}

# build_containerfile [OPTION...]: that of packaging/, to the image made:new.
build_containerfile() {
	# Some versions of buildah ask for more than a root may have.
	own_buildah build --isolation chroot --ulimit nofile=1024 --ulimit nproc=1024 \
		--build-arg "BOX=oci:layout:${name%-*}" \
		-f "$TOP/packaging/Containerfile" "$@" -t new .
	own_buildah push new oci:made:new
}

# contents LAYOUT: prints of its first image a line of files for each layer, "PATH ACCOUNT" for
# each entry, and the image's own account.
contents() {
	python - "$1" <<-'END'
		import json, sys, tarfile
		def blob(descriptor):
		    return f'{sys.argv[1]}/blobs/sha256/{descriptor["digest"][7:]}'
		manifest = json.load(open(f'{sys.argv[1]}/index.json'))['manifests'][0]
		manifest = json.load(open(blob(manifest)))
		for layer in manifest['layers']:
		    entries = list(tarfile.open(blob(layer)))
		    print('layer:', *(e.name for e in entries if not e.isdir()))
		    for e in entries:
		        print(e.name, e.uid)
		print('user:', json.load(open(blob(manifest['config'])))['config'].get('User'))
	END
}

# tests/tree/readme.bats builds one of box alone.
@test "packaging/Containerfile: box is once in another image" {
	needs_buildah
	make_image layout
	echo text >file
	printf 'FROM scratch\nCOPY file /file\n' >base
	own_buildah build -f base -t oci:other:1 .
	build_containerfile --build-arg BASE=oci:other:1
	[ "$(contents made | grep '^layer:')" = "layer: file
layer: usr/bin/box usr/bin/cat usr/bin/tee usr/bin/yes usr/share/licenses/box/box \
usr/share/licenses/box/libc" ]
	# One applet, as a file of its own.
	printf 'FROM oci:layout:%s AS box\nFROM scratch\n%s\n' "${name%-*}" \
		'COPY --from=box /usr/bin/tee /bin/tee' >copy_one
	own_buildah build -f copy_one -t oci:one:1 .
	[ "$(contents one | grep '^layer:')" = "layer: bin/tee" ]
	umoci unpack --image one:1 copied
	echo works | copied/rootfs/bin/tee | grep -x works
}

@test "packaging/Containerfile's service is not built of a box without --run" {
	needs_buildah
	needs_off TEE_ROTATE
	make_image layout
	run ! build_containerfile --target service
	[[ $output = *"tee: --rotate is not in this build"* ]]
	[ ! -e made ]
}

@test "packaging/Containerfile's service ends by SIGTERM, with its last lines and status" {
	needs_buildah
	needs_runtime crun
	needs_tool make
	needs_tool pgrep
	BOX=$(built max_defconfig)/box
	export SOURCE_DATE_EPOCH=86400
	make_image layout
	build_containerfile --target service
	# It may rotate: the log and its directory are its own.
	contents made >contents
	for line in "data 65534" "data/log 65534" "user: 65534:65534"; do
		grep -x "$line" contents
	done
	alone umoci unpack --rootless --image made:new bundle
	alone mkdir -p bundle/dev bundle/rootfs/{dev,data,proc} data state
	mknod -m 666 bundle/dev/null c 1 3
	# Beside the log, which a volume is mounted on, it would be hidden.
	cc -static -o bundle/rootfs/usr/bin/my-service "$TOP/tests/c/service.c"
	mapfile -t command < <(python -c 'import json
for word in json.load(open("bundle/config.json"))["process"]["args"]: print(word)')
	[ "${command[*]}" = "tee -a --rotate=1M --retry /data/log --stderr --run /usr/bin/my-service" ]
	# The last word is for us to find it by.
	contained crun none "${command[@]}" "$PWD" >got 3>&- &
	awaits grep -qs reaped got
	grep -x "ready, child of 1" got
	kill -TERM "$(pgrep -f "^tee -a --rotate=1M --retry /data/log --stderr --run /usr/bin/my-service $PWD\$")"
	waits 9 $!
	[ "$(tail -n 2000 got)" = "$(seq -f 'last %g' 0 1999)" ]
	grep -x warning got
	cmp got data/log
}
