# SPDX-License-Identifier: 0BSD
# scripts/bench/count: no lane costs more than counts says, no program is counted
# whose bytes are wrong, and a count is exact.

load ../lib/helpers

setup() {
	common_setup
	unset PEERS WORKLOADS TURNS
}

count() {
	run "$TOP/scripts/bench/count" --out "$PWD/out" "$@"
	echo "$output"
}

# program NAME: compiled from standard input to peer/NAME.
program() {
	mkdir -p peer
	musl-gcc -static -O2 -o "peer/$1" -x c -
}

total() {
	python -c 'import json, sys
print(json.load(open("out/bookworm-amd64.json"))["counts"][sys.argv[1]][sys.argv[2]]["total"])' "$@"
}

# checks KERNEL: no lane costs more with it than counts says.
checks() {
	count --check --kernel "$1"
	[[ $output != *", and here is "* ]] || skip "$output"
	[ "$status" = 0 ]
	[[ ${lines[-1]} = *" lanes compared" ]]
}

@test "no lane costs more instructions than counts says" {
	checks bookworm-amd64
}

@test "nor with Linux 6.12" {
	checks trixie-amd64
}

@test "nor on arm64" {
	checks bookworm-arm64
}

@test "a program that loses, changes or keeps bytes is not counted" {
	program cat <<-'END'
	#include <unistd.h>
	static char buf[65536];
	int main(void)
	{
		ssize_t n;
		while ((n = read(0, buf, sizeof(buf))) > 0)
			write(1, buf, n - (n == sizeof(buf)));
		return 0;
	}
	END
	program tee <<<'#include <unistd.h>
		int main(void) { return pause(); }'
	program yes <<<'#include <unistd.h>
		int main(void) { for (;;) write(1, "n\n", 2); }'
	PEERS="wrong=$PWD/peer" WORKLOADS="stdin-read tee-null yes-read" count
	[ "$status" = 0 ]
	for line in "stdin-read, wrong: bytes" "tee-null, wrong: hangs" \
		"yes-read, wrong: bytes"; do
		grep -x -e "- $line" "out/bookworm-amd64.md"
	done
}

@test "a box that fails is a failure" {
	mkdir peer
	program cat <<<'int main(void) { return 1; }'
	WORKLOADS=stdin-read count --alone --box peer/cat
	[ "$status" = 1 ]
	[[ $output = *"- stdin-read, box: bytes"* ]]
}

@test "a lane costs the same to 0.5 % whichever lanes are before it" {
	set -- pipe-read tee-2-read tmpfs-read line-cat sinks-1-1024k
	for before in "20k-read" "start-tiny 1024k-read small-file"; do
		TURNS=1 WORKLOADS="$before $*" count --alone
		[ "$status" = 0 ]
		for lane; do
			echo "$lane $(total "$lane" box)"
		done >"turn-${before%%-*}"
	done
	paste turn-20k turn-start | tee figures
	[ "$(wc -l <figures)" = 5 ]
	awk '{ d = $2 - $4; if (d * d > $2 * $2 / 40000) exit 1 }' figures
}

@test "each method that serves a lane is counted, and no other" {
	WORKLOADS="tmpfs-read tmpfs-null yes-read" count --methods
	[ "$status" = 0 ]
	grep '^| file to read pipe ' out/bookworm-amd64-methods.md >row
	# Of splice, mmap and others, but not of tee and vmsplice; the default is splice.
	grep -xE '\|[^|]*\| +\| +[*0-9.]+ \| +\| +\| .*\| +splice \|' row
	# sendfile serves this one, too.
	grep -xE '\| file to /dev/null +\|( [^|]*\|){4} +[*0-9.]+ \|.*' out/bookworm-amd64-methods.md
	grep -xE '\| yes to read pipe +\|( +\|){2} .*\| +tee \|' out/bookworm-amd64-methods.md
}

@test "a count goes into the documents" {
	copy_tree tree
	cd tree
	python - <<-'END'
		import json
		lane = {who: {"total": n, "memory": 64} for who, n in
		        (("box", 2000000), ("gnu", 3000000), ("toybox", 1000000))}
		facts = {"kernel": "6.1", "cpus": 1, "qemu": "QEMU 7.2 (Debian)",
		         "date": "2026-11-21", "bytes": dict.fromkeys(lane, 40832)}
		lanes = {"start-tiny": lane, "cat-n": lane | {"toybox": "bytes"},
		         "yes-read": lane | {"toybox": "hangs"}}
		json.dump(facts | {"counts": lanes}, open("count.json", "w"))
	END
	scripts/bench/document count
	grep -x '| start-tiny *| *2.0 | 1.50 | *0.50 | *toybox | *0.500 | *64 | *64 |' \
		docs/BENCHMARKS.md
	grep -x '| cat-n *| *2.0 | 1.50 | *- | *gnu | *1.500 | *64 | *64 |' docs/BENCHMARKS.md
	grep -x '| size, KiB | 40 | - | 40 | 40 | - |' README.md
	grep -x '| memory of cat and tee, KiB | 64 to 64 | - | 64 to 64 | 64 to 64 | - |' README.md
	grep -x '| start: cat of 100 bytes | 1.00 | - | 0.50 | 1.50 | - |' README.md
	# No other row is another.
	grep -x '| .*left of 40 MB .* | 40 | .*' README.md
	grep '^| cat: file to a pipe | 1.00 |' README.md |
		cmp - <(grep '^| cat: file to a pipe |' "$TOP/README.md")
	grep -x 'Linux 6.1, 1 processor; QEMU 7.2; 2026-11-21. .*' docs/BENCHMARKS.md
	sed -i '/^<!-- Count/d' docs/BENCHMARKS.md
	run -1 scripts/bench/document count
	[[ $output = *"docs/BENCHMARKS.md has no marks"* ]]
}

# fake: a tree without figures, whose machines say what costs() tells them, of one lane.
fake() {
	mkdir tree programs
	cp -r "$TOP/scripts" tree
	executable tree/scripts/fetch <<-'END'
		mkdir -p "build/$1-$2/usr/lib/modules/6.1-$1" && echo "build/$1-$2"
	END
	executable tree/scripts/vm <<<'echo "count: $WORKLOADS box $(cat costs)" >"$CONSOLE"'
	executable tree/scripts/initramfs </dev/null
	executable box </dev/null
	printf 'find_zig() { :; }\nzig_cc() { echo musl-gcc; }\n' >>tree/scripts/lib.sh
	for qemu in x86_64 aarch64; do
		executable programs/qemu-system-$qemu <<<"echo QEMU of $qemu"
	done
	# A compiler whose program nobody runs.
	executable programs/musl-gcc <<<'for word; do [ "$last" != -o ] || : >"$word"; last=$word; done'
	export WORKLOADS=start-tiny PATH=$PWD/programs:$PATH
	cd tree
	printf '{"machines": {}, "lanes": {}}' >scripts/bench/counts
	costs 1000 60
}

# costs INSTRUCTIONS KIB: what box does from now on.
costs() {
	echo "$1 1 1 1 $2" >costs
}

faked() {
	scripts/bench/count --box ../box "$@"
}

@test "each kernel has figures of its own" {
	fake
	for kernel in bookworm-amd64 trixie-amd64 bookworm-arm64; do
		run -1 faked --check --kernel $kernel
		[[ $output = "count: counts has no figures of $kernel: "* ]]
		faked --update --kernel $kernel
	done
	costs 2000 60
	faked --update --kernel trixie-amd64
	faked --check --kernel trixie-amd64
	run -1 faked --check --kernel bookworm-arm64
	[[ $output = "start-tiny: 1,000 instructions, now 2,000 (+100.0%): costs more"* ]]
	run -1 faked --check --kernel trixie-amd64 --cpus 2
	[[ $output = "count: counts has no figures of trixie-amd64-2: "* ]]
}

@test "a lane that costs more than counts says fails by name" {
	fake
	faked --update
	costs 1010 68
	run -0 faked --check
	[ "$output" = "1 lanes compared" ]
	costs 1011 60
	run -1 faked --check
	[[ $output = "start-tiny: 1,000 instructions, now 1,011 (+1.1%): costs more"* ]]
	costs 1000 69
	run -1 faked --check
	[[ $output = "start-tiny: 60 KiB, now 69: takes more memory"* ]]
	costs failed bytes
	run -1 faked --check
	[[ $output = "start-tiny: box fails"* ]]
	sed -i 's/"kernel": "/&not-/' scripts/bench/counts
	run -1 faked --check
	[[ $output = "count: counts has bookworm-amd64 of not-6.1-bookworm, and here is 6.1-"* ]]
}

@test "with Linux 6.12 a lane of capacity may cost 10 % more" {
	fake
	export WORKLOADS=capacity-4-1024k
	faked --update
	faked --update --kernel trixie-amd64
	costs 1100 60
	run -1 faked --check
	faked --check --kernel trixie-amd64
	costs 1101 60
	run -1 faked --check --kernel trixie-amd64
}

@test "an update keeps the other lanes" {
	fake
	faked --update
	costs 2000 64
	WORKLOADS=start-tee faked --update
	grep -x '  "start-tiny": {"bookworm-amd64": \[1000, 60\]},' scripts/bench/counts
	grep -x '  "start-tee": {"bookworm-amd64": \[2000, 64\]}' scripts/bench/counts
}
