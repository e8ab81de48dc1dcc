# SPDX-License-Identifier: 0BSD
# What scripts/bench/count complains of, and what six lanes cost; the others are in
# long/count.bats. What scripts/bench/time runs.

load ../lib/helpers

setup() {
	common_setup
	unset PEERS WORKLOADS TURNS
}

@test "a lane or a kernel that scripts/bench/count does not know is one line" {
	WORKLOADS="start-* typo" run -1 "$TOP/scripts/bench/count" --out out
	[[ $output = "count: WORKLOADS knows start-empty "*", not typo" ]]
	run -1 "$TOP/scripts/bench/count" --kernel bookworm-vax --out out
	[ "$output" = "count: no kernel for vax is known (there are amd64 arm64)" ]
}

@test "six lanes cost no more instructions than counts says" {
	kernel=linux-image-cloud-amd64
	compgen -G "$TOP/build/guest/bookworm-amd64/*/kernel" ||
		skip "no kernel: scripts/fetch bookworm amd64 kernel $kernel"
	needs_tool qemu-system-x86_64
	needs_tool cpio
	WORKLOADS="start-tiny small-files tmpfs-read written-file tee-2-read line-cat" \
		run "$TOP/scripts/bench/count" --check --out out
	[[ $output != *", and here is "* ]] || skip "$output"
	[ "$status" = 0 ]
	[[ ${lines[-1]} = "6 lanes compared" ]]
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

count() {
	scripts/bench/count --box ../box "$@"
}

@test "each kernel has figures of its own" {
	fake
	for kernel in bookworm-amd64 trixie-amd64 bookworm-arm64; do
		run -1 count --check --kernel $kernel
		[[ $output = "count: counts has no figures of $kernel: "* ]]
		count --update --kernel $kernel
	done
	costs 2000 60
	count --update --kernel trixie-amd64
	count --check --kernel trixie-amd64
	run -1 count --check --kernel bookworm-arm64
	[[ $output = "start-tiny: 1,000 instructions, now 2,000 (+100.0%): costs more"* ]]
	run -1 count --check --kernel trixie-amd64 --cpus 2
	[[ $output = "count: counts has no figures of trixie-amd64-2: "* ]]
}

@test "a lane that costs more than counts says fails by name" {
	fake
	count --update
	costs 1010 68
	run -0 count --check
	[ "$output" = "1 lanes compared" ]
	costs 1011 60
	run -1 count --check
	[[ $output = "start-tiny: 1,000 instructions, now 1,011 (+1.1%): costs more"* ]]
	costs 1000 69
	run -1 count --check
	[[ $output = "start-tiny: 60 KiB, now 69: takes more memory"* ]]
	costs failed bytes
	run -1 count --check
	[[ $output = "start-tiny: box fails"* ]]
	sed -i 's/"kernel": "/&not-/' scripts/bench/counts
	run -1 count --check
	[[ $output = "count: counts has bookworm-amd64 of not-6.1-bookworm, and here is 6.1-"* ]]
}

@test "with Linux 6.12 a lane of capacity may cost 10 % more" {
	fake
	export WORKLOADS=capacity-4-1024k
	count --update
	count --update --kernel trixie-amd64
	costs 1100 60
	run -1 count --check
	count --check --kernel trixie-amd64
	costs 1101 60
	run -1 count --check --kernel trixie-amd64
}

@test "an update keeps the other lanes" {
	fake
	count --update
	costs 2000 64
	WORKLOADS=start-tee count --update
	grep -x '  "start-tiny": {"bookworm-amd64": \[1000, 60\]},' scripts/bench/counts
	grep -x '  "start-tee": {"bookworm-amd64": \[2000, 64\]}' scripts/bench/counts
}

@test "counts has all lanes of each kernel, and BENCHMARKS says of box what it says" {
	cd "$TOP/scripts/bench"
	python - <<-'END'
		import json, re
		from lanes import all_lanes
		text = open("../../docs/BENCHMARKS.md").read()
		kept = json.load(open("counts"))
		machines, lanes = kept["machines"], kept["lanes"]
		assert all(of["kernel"] in text for of in machines.values())
		assert lanes.keys() == {lane.name for lane in all_lanes()}
		assert all(of.keys() == machines.keys() for of in lanes.values())
		said = {lane: [cells[0], cells[-2]] for lane, *cells in (
		    re.split(r" *\| *", line.strip("| ")) for line in
		    text.partition("<!-- Count -->")[2].partition("<!-- End")[0].splitlines())
		    if lane in lanes}
		assert said
		wrong = [lane for lane in said for of in [lanes[lane]["bookworm-amd64"]]
		         if said[lane] != [f"{of[0] / 1e6:,.1f}", str(of[1])]]
		assert not wrong, wrong
	END
}

# scripts/bench/time runs the command so often with each, and no longer once it fails.
@test "a command is timed with each program, in each round" {
	for name in new old; do
		executable $name <<<"echo $name >>\"\$LOG\""
	done
	export LOG=$PWD/calls ROUNDS=3
	run -0 "$TOP/scripts/bench/time" "cat | tee" new old
	[[ ${lines[2]} = "| new | "*" to "*" to "*" 1 (1 to 1) |" ]]
	[[ ${lines[3]} = "| old | "*" to "*" to "*" to "*" |" ]]
	[ "$(sort calls | uniq -c | tr -d '\n ')" = 6new6old ]
	rm calls
	echo false >>new
	run -1 "$TOP/scripts/bench/time" cat new
	[ "$output" = "time: cat: fails with new" ]
	[ "$(gnu_cat calls)" = new ]
	mkdir none
	run -1 "$TOP/scripts/bench/time" cat none
	[ "$output" = "time: no cat in none" ]
}
