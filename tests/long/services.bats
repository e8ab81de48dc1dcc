# SPDX-License-Identifier: 0BSD
# Debian's services in containers, with tee as PID 1, which keeps their log: on a root that is
# read-only, as an account without a name, without /proc, under Podman's profile, and without
# splice(2) and its like: "make check-all".

load ../lib/helpers
load ../lib/oci
load ../lib/services

setup_file() {
	BOX=$(built container_defconfig)/box
	export BOX
	debian "$BATS_FILE_TMPDIR/debian"
}

setup() {
	common_setup
	at=/data data=data
	debian=$BATS_FILE_TMPDIR/debian
	[ -e "$debian/usr/sbin/nginx" ] || skip "Debian's packages cannot be had"
	[ "$(uname -m)" = x86_64 ] || skip "the packages are this machine's"
}

# debian DIR: a root with the services, of packages that are unpacked, not installed.
debian() {
	local archive packages=$BATS_FILE_TMPDIR/packages

	mkdir -p "$1" "$packages/partial"
	: >"$packages/status"
	apt-get -qq -y -o Dir::State::status="$packages/status" \
		-o Dir::Cache::archives="$packages" -o Debug::NoLocking=1 \
		--no-install-recommends --download-only \
		install python3 nginx-light redis-server >&2 || return 0
	for archive in "$packages"/*.deb; do
		dpkg-deb -x "$archive" "$1"
	done
	# Below an account that is called 0, nginx asks for these.
	echo 'nobody:x:0:0::/:/' >"$1/etc/passwd"
	printf '%s:x:0:\n' nobody nogroup >"$1/etc/group"
}

# make_service RUNTIME NAME: ./bundle, whose root is Debian's, with box in it.
make_service() {
	needs_tool "$podman_profile"
	SOURCE_DATE_EPOCH=86400 make_bundle
	# What is on the root is read alone.
	cp -a "$debian"/* bundle/rootfs/
	chmod a+rwx data
	configure_service "$2"
	restrictions=(--host-network --refuse "$MOVERS")
	# runc wants an account 0, and looks into the container's /proc.
	[ "$1" = runc ] || restrictions+=(--user 65534 --without-proc)
	unique=log-$$-$BATS_TEST_NUMBER-$2
}

# serve RUNTIME NAME FROM TO TEE...: starts the service below tee, makes these requests, and
# stops it. What tee printed is added to ./got, and the status is the container's.
serve() {
	local status=0

	: >now
	contained "$1" "$podman_profile" tee -a --stamp "${@:5}" "/data/$unique" --stderr \
		--run "${service[@]}" >now 3>&- &
	pid=$!
	awaits ready "$2" now
	request "$2" now "$3" "$4"
	kill -TERM "$(pgrep -f "^tee -a --stamp .*/data/$unique --stderr --run")"
	wait $pid || status=$?
	gnu_cat now >>got
	rm -f data/socket
	return $status
}

# serves RUNTIME: each service is stopped and started again, and its log is whole.
serves() {
	needs_runtime "$1"
	needs_tool pgrep
	for program in http.server nginx redis; do
		mkdir -m 777 $program
		cd $program
		make_service "$1" $program
		# Of SIGTERM.
		[ $program = http.server ] && ended=143 || ended=0
		for from in 1 101; do
			run -$ended serve "$1" $program $from $((from + 99)) \
				--rotate=4K,999
			[ $program != redis ] || tail -n 1 now | grep 'ready to exit, bye bye'
		done
		requests <got | cmp - <(seq 200)
		# The file has the same lines, each with its time.
		rotated "data/$unique" >log
		[ -e "data/$unique.2" ]
		run ! grep -v '^20[-0-9]*T[0-9:.]*Z ' log
		sed 's/^[^ ]* //' log | cmp - got
		for file in "data/$unique"*; do
			[ "$(stat -c %s "$file")" -le 8192 ]
		done
		cd "$BATS_TEST_TMPDIR"
	done
}

@test "crun: the log and the status of each service arrive, and it starts again" {
	serves crun
}

@test "runc: the log and the status of each service arrive, and it starts again" {
	serves runc
}
