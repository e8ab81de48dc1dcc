# SPDX-License-Identifier: 0BSD
# What six lanes of scripts/bench/count cost; the others, and what it complains of, are in
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
