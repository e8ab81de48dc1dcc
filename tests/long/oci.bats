# SPDX-License-Identifier: 0BSD
# box in containers: each runtime under each profile: "make check-all".

load ../lib/helpers
load ../lib/oci

setup_file() {
	BOX=$(built max_defconfig)/box
	export BOX
	docker_profile
}

setup() {
	common_setup
	docker=$BATS_FILE_TMPDIR/docker.json
}

# What Docker lets pass, from Debian's package of its sources, unpacked.
docker_profile() {
	local dir=$BATS_FILE_TMPDIR/docker

	mkdir "$dir"
	cd "$dir"
	apt-get download golang-github-docker-docker-dev >&2 || return 0
	dpkg-deb -x ./*.deb .
	find "$dir" -path '*/profiles/seccomp/default.json' \
		-exec cp {} "$dir.json" \;
}

works_in() {
	needs_runtime "$1"
	SOURCE_DATE_EPOCH=86400 make_bundle
	works_contained "$1" none
	needs_tool "$podman_profile"
	works_contained "$1" "$podman_profile"
	[ -e "$docker" ] || skip "Docker's profile cannot be had"
	works_contained "$1" "$docker"
	run -0 contained "$1" "$podman_profile" box --probe
	[[ $output = *"vmsplice: Operation not permitted"* ]]
	[[ $output = *"splice: works"* ]]
}

@test "box works in crun under no profile, Podman's and Docker's" {
	works_in crun
}

@test "box works in runc under no profile, Podman's and Docker's" {
	works_in runc
}
