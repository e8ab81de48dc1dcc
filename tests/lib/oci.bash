# SPDX-License-Identifier: 0BSD
# box in a container: an image of it, unpacked as ./bundle, run by crun or runc as
# an account without rights. The host's /dev is not in it, and the host's control
# groups are out of reach.

podman_profile=/usr/share/containers/seccomp.json

needs_runtime() {
	needs_root
	# An account without rights is to reach the test's directory.
	chmod a+rx "$BATS_RUN_TMPDIR" "$BATS_FILE_TMPDIR"
	needs_tool umoci "$@"
	alone true || skip "no user namespaces here"
}

# alone COMMAND...: as root of a user namespace of its own, who is nobody outside.
alone() {
	as_nobody unshare --user --map-root-user --mount "$@"
}

# own_buildah COMMAND...: with storage and mounts of the test's own, and a home in which .config
# is not that of a tree: buildah's is a directory. A user namespace of one account, as alone()
# has, does not let RUN leave its groups.
own_buildah() {
	HOME=$BATS_TEST_TMPDIR unshare --mount buildah --root "$PWD/store" --runroot "$PWD/run" \
		--storage-driver vfs "$@"
}

needs_buildah() {
	needs_root
	needs_tool buildah
	needs_mounts
}

# make_image DIR: an image of box for this machine.
make_image() {
	case $(uname -m) in
	x86_64) arch=amd64 ;;
	aarch64) arch=aarch64 ;;
	*) skip "no image is made for $(uname -m)" ;;
	esac
	"$TOP/scripts/oci" "$1" "$arch=$BOX"
	name=$(version)-$arch
}

make_bundle() {
	make_image layout
	alone umoci unpack --rootless --image "layout:$name" bundle
	alone mkdir bundle/dev bundle/rootfs/{dev,data,proc} data state
	mknod -m 666 bundle/dev/null c 1 3
}

# contained RUNTIME PROFILE COMMAND...: with the options of bundle.py in the array
# restrictions.
contained() {
	install -m 755 "$LIB/bundle.py" .
	alone ./bundle.py "${restrictions[@]}" bundle "$2" data "${@:3}"
	case $1 in
	# It wants one version of control groups, or none, to be there.
	crun) alone sh -c 'mount -t tmpfs none /sys/fs/cgroup && exec "$@"' - \
		crun --root state --cgroup-manager=disabled run -b bundle "box$$" ;;
	runc) alone runc --root state --rootless=true run -b bundle "box$$" ;;
	esac
}

# works_contained RUNTIME PROFILE: cat, tee and yes there, under that profile of
# system calls or "none".
works_contained() {
	local filter=2

	[ "$2" != none ] || filter=0
	contained "$@" cat /proc/self/status >status
	grep -x 'CapEff:	0*' status
	grep -x 'CapBnd:	0*' status
	grep -x 'NoNewPrivs:	1' status
	grep -x "Seccomp:	$filter" status
	run -1 contained "$@" tee /usr/bin/new <<<text
	[[ $output = *"tee: /usr/bin/new: Read-only file system"* ]]
	random want 3000001
	cp want data/in
	chmod a+r data/in
	contained "$@" cat /data/in >got
	cmp want got
	contained "$@" cat /data/in | cmp want
	gnu_cat want | contained "$@" cat | cmp want
	gnu_cat want | contained "$@" tee /data/1 /data/2 | cmp want
	same data/1 data/2
	[ "$(contained "$@" cat -n <<<text)" = "     1	text" ]
	head -n 100000 < <(contained "$@" yes line 2>/dev/null) | uniq -c >got
	[ "$(gnu_cat got)" = " 100000 line" ]
	rm -r data/*
}
