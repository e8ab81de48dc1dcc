# SPDX-License-Identifier: 0BSD
"""What scripts/bench/compare times: each workload as a shell command, and its limit."""
import os
import re
from dataclasses import dataclass, field

MIB = 1 << 20
FILES, FILE_SIZE = 10000, 2000
SINKS = {
    "splice": "pipe whose reader enlarges it and splices to /dev/null",
    "read": "pipe whose reader reads blocks of 128 KiB",
}


@dataclass
class Workload:
    """A pipeline around {do}: a peer's command, or the limit in its place."""
    name: str
    do: str
    limit: str
    around: str
    goal: float             # ratio to the best other peer
    text: str
    input: str = ""         # the file that is copied: else what 0.3 s allow
    want: str = ""          # what has to come out, where it is not the input
    unit: str = "GiB"
    amount: float = 0       # units in a run, where it is not the input's size
    runs: int = 0           # in a round
    results: dict = field(default_factory=dict)

    def __post_init__(self):
        # What the pages of a new file cost differs a lot from one to the next.
        self.runs = self.runs or (3 if self.outputs() else 1)

    def outputs(self):
        return re.findall(r"{\w+_out}", self.around + self.do)

    def explained(self):
        command = self.around.replace("{do}", self.do).replace("{null}", ">/dev/null")
        return re.sub("[{}]", "", f"{self.text} `{command}`; limit: `{self.limit}`")

    def bare(self):
        """Whether starting is what is timed: then without a shell."""
        return self.unit == "1000 starts"

    def timed(self, do, names, n):
        """Sinks count; see harness.c."""
        harness = names["harness"]
        return self.around.format(
            do=do, **names, null="" if self.bare() else ">/dev/null",
            source=f"{harness} source {n}",
            read=f"{harness} sink read {n}", splice=f"{harness} sink splice {n}",
            pause=f"{harness} sink pause {n}",
            head_read=f"{harness} head read {n}", head_splice=f"{harness} head splice {n}",
            dd=f"dd of=/dev/null bs=64K iflag=fullblock 2>&1 | grep -q '^{n} bytes'")

    def verified(self, do, names):
        """Sinks compare, and standard output is one even if it is no sink."""
        want = names[self.want or self.input]
        cmp = f"cmp - {want}"
        head = f"cmp -n {os.stat(want).st_size or MIB} - {want}"
        around = self.around + "".join(f" && cmp {out} {want}" for out in self.outputs())
        return around.format(
            do=do, **names, null="| " + cmp, source=f"{names['harness']} splice <{want}",
            read=cmp, splice=cmp, pause=cmp, head_read=head, head_splice=head, dd=cmp)


def yes_workloads():
    for name, words in ("", "y"), ("-hello", "hello world"):
        do = "yes" if words == "y" else "yes " + words
        for sink, goal in ("splice", 1.5), ("read", 0.97):
            yield Workload(f"yes{name}-{sink}", do, "{harness} repeat '%s'" % words,
                           "{do} | {head_%s}" % sink, goal,
                           f'"{words}" for ever into a {SINKS[sink]}.',
                           want=words.replace(" ", "_"))


def file_workloads(kind, where):
    def workload(sink, limit, around, goal, text):
        return Workload(f"{kind}-{sink}", "cat {%s}" % kind, "{harness} %s <{%s}" % (limit, kind),
                        around.replace("{out}", "{%s_out}" % kind), goal,
                        f"A large file {where} into {text}.", input=kind)
    # A pipe of the loop's own: a sink's is locked for as long as a file is spliced to it.
    yield workload("splice", "tee", "{do} | {splice}", 1.2, "a " + SINKS["splice"])
    yield workload("read", "tee", "{do} | {read}", 0.97, "a " + SINKS["read"])
    yield workload("null", "tee", "{do} {null}", 1, "/dev/null")
    # Where no extents can be shared, that is as fast as any.
    yield workload("file", "tee", "{do} >{out}", 0.97, "a new file beside it")
    yield workload("append", "read+write", "{do} >>{out}", 0.97,
                   "a file opened for appending, which refuses to be spliced to")
    yield workload("socket", "splice-to-socket", "{harness} socket {do} -- {read}", 0.97,
                   "a Unix socket that is read in blocks of 128 KiB")


def tee_workloads(name, before, after, goal_null, text, **kind):
    def workload(to, operands, goal, sinks, start="", end=""):
        return Workload(f"{name}-{to}", "tee" + operands, "{harness} tee" + operands,
                        f"{start}{before}{{do}}{after} {{null}}{end}", goal,
                        f"tee from {text} to {sinks}.", **kind)
    yield workload("null", "", goal_null, "/dev/null")
    yield workload("3", " /dev/null /dev/null", goal_null, "/dev/null three times")
    yield workload("file", " {tmpfs_out}", 0.97, "a file on tmpfs and /dev/null")
    # A tee that fails may leave readers that wait for a FIFO to be opened.
    both = " && wait $a && wait $b || (kill $a $b; exit 1)"
    for sink, goal in ("splice", 1.3), ("read", 0.97):
        yield workload(f"2-{sink}", " {f1} {f2}", goal, "/dev/null and, as process "
                       f"substitutions do, twice to a {SINKS[sink]}",
                       "{%s} <{f1} & a=$!; {%s} <{f2} & b=$!; " % (sink, sink),
                       both)
    yield workload("pause", " {f1} {f2}", 0.97, f"/dev/null, to a {SINKS['read']}, and to one "
                   "that pauses for 5 ms every 10",
                   "{read} <{f1} & a=$!; {pause} <{f2} & b=$!; ", both)


def lag_workloads():
    """The limit is box's own tee, without --lag and the sink that nobody reads."""
    for name, source, kind in (("tee-skip", "{source} | {do}", {"want": "stream"}),
                               ("tee-tmpfs-skip", "{do} <{tmpfs}", {"input": "tmpfs"})):
        yield Workload(name, "tee --lag=400K,skip {f1}", "{tee}", "sleep 60 <{f1} & p=$!; "
                       + source + " | ({head_read}; s=$?; kill $p; exit $s)", 0.95,
                       f"tee to a {SINKS['read']}, and to a FIFO that is open and never read.",
                       **kind)


def all_workloads():
    yield from yes_workloads()
    yield Workload("zero-splice", "cat /dev/zero", "{harness} tee </dev/zero",
                   "{do} | {head_splice}", 1, f"/dev/zero into a {SINKS['splice']}.",
                   want="zero")
    yield from file_workloads("disk", "on disk, in the page cache,")
    yield from file_workloads("tmpfs", "on tmpfs")
    yield Workload("dd-2022", "cat {big}", "{harness} tee <{big}", "{do} | {dd}", 0.97,
                   "The workload of a well-known table of 2022: a file on tmpfs, twice as "
                   "large as the others, through dd with blocks of 64 KiB.", input="big")
    for sink, goal, limit in ("splice", 2, "splice"), ("read", 0.97, "splice-and-sleep"):
        yield Workload(f"pipe-{sink}", "cat", "{harness} %s" % limit,
                       "{source} | {do} | {%s}" % sink, goal,
                       f"A pipe that is always full into a {SINKS[sink]}.", want="stream")
    yield Workload("written-read", "cat", "{harness} splice",
                   "{harness} read+write <{tmpfs} | {do} | {read}", 0.97,
                   f"A pipe that is written to by 256 KiB into a {SINKS['read']}.",
                   input="tmpfs")
    yield Workload("pipe-file", "cat", "{harness} splice", "{source} | {do} >{tmpfs_out}", 0.97,
                   "A pipe that is always full into a new file on tmpfs.", want="stream")
    yield Workload("small-files", "cat", "{harness} each",
                   "cd {small} && xargs -s 500000 -a list {do} | {read}", 1,
                   f"{FILES:,} files of {FILE_SIZE:,} bytes into a {SINKS['read']}.",
                   input="gathered", unit="1000 files", amount=FILES / 1000, runs=5)
    yield from tee_workloads("tee", "{source} | ", "", 1.5,
                              "a pipe that is always full", want="stream")
    yield from tee_workloads("tee-tmpfs", "", " <{tmpfs}", 1,
                              "a file on tmpfs", input="tmpfs")
    yield from lag_workloads()
    for letter, kind, goal in zip("nsAv", ("text", "text", "text", "binary"), (1.5, 1.5, 3, 3)):
        shown = f"{kind}_{letter}"
        yield Workload(f"cat-{letter}", f"cat -{letter} {{{kind}}}",
                       f"{{harness}} paste <{{{shown}}}", "{do} | {read}", goal,
                       f"cat -{letter} of {kind} into a {SINKS['read']}; the limit copies "
                       "the same output.", input=kind, want=shown)
    for size in "empty", "tiny":
        yield Workload(f"start-{size}", f"cat {{{size}}}", f"{{least}} {{{size}}}",
                       "{do} {null}", 1.1,
                       f"Starts a second on {'an' if size == 'empty' else 'a'} {size} file; the "
                       "limit is a static program that reads and writes it.", input=size,
                       unit="1000 starts", amount=0.001, runs=200)
