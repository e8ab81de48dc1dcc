# SPDX-License-Identifier: 0BSD
# tee keeps the log of a service, without rights. tests/long/services.bats has others, and
# containers.

load ../lib/helpers
load ../lib/services
CONFIGURATION=container_defconfig

setup() {
	common_setup
	needs TEE_RUN TEE_ROTATE TEE_STAMP
	at=$PWD data=$PWD
	configure_service http.server
}

# serve FROM TO COMMAND...: the service below COMMAND, which is tee, until it is stopped.
serve() {
	local status=0

	: >now
	"${@:3}" -a --stamp --rotate=4K,999 "$PWD/log" --stderr --run "${service[@]}" >now 3>&- &
	pid=$!
	awaits ready http.server now
	request http.server now "$1" "$2"
	kill -TERM "$(pgrep -f "^tee -a --stamp --rotate=4K,999 $PWD/log ")"
	wait $pid || status=$?
	gnu_cat now >>got
	[ $status = 143 ]
}

@test "a service's log is whole after SIGTERM, a start again, and without splice(2) and its like" {
	needs_tool pgrep
	needs_strace
	serve 1 100 tee
	serve 101 200 refuse "$MOVERS" tee
	requests <got | cmp - <(seq 200)
	rotated log >whole
	[ -e log.2 ]
	run ! grep -v '^20[-0-9]*T[0-9:.]*Z ' whole
	sed 's/^[^ ]* //' whole | cmp - got
}
