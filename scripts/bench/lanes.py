# SPDX-License-Identifier: 0BSD
"""The lanes that scripts/bench/count counts."""
from dataclasses import dataclass

from common import MIB

BIG, TEXT, BINARY = 32 * MIB, 8 * MIB, 4 * MIB
SMALL_FILES, SMALL = 1000, 2000
LINE = 64
SLOPE = 1024, 2048         # KiB
SOURCES = {
    "file": "from a file on tmpfs",
    "splice": "from a pipe that is spliced to",
    "write": "from a pipe that is written to by 64 KiB",
    "socket": "from a Unix socket that is written to by 64 KiB",
    "lines": "from a pipe with one line at a time",
}
SINKS = {
    "null": "to /dev/null",
    "file": "to a new file on tmpfs",
    "append": "to a file on tmpfs that is opened for appending",
    "read": "to a pipe whose reader reads blocks of 128 KiB",
    "read64": "to a pipe whose reader reads blocks of 64 KiB",
    "splice": "to a pipe whose reader enlarges it and splices to /dev/null",
    "socket": "to a Unix socket that is read in blocks of 128 KiB",
    "lines": "to a pipe whose reader sends the next line",
}
# Of the lanes in which methods are compared: their names are of these.
FROM = {"tmpfs": "file", "pipe": "spliced pipe", "written": "written pipe", "socket": "socket",
        "zero": "/dev/zero", "yes": "yes", "tee-2": "tee, two sinks: spliced pipe"}
TO = {"splice": "spliced pipe", "read": "read pipe", "file": "file", "append": "file, appending",
      "null": "/dev/null", "socket": "socket"}


@dataclass
class Lane:
    """A program between a source and sinks. An argument that is @read or @splice is a FIFO
    with such a sink, one that begins with /out a new file."""
    name: str
    command: str
    sink: str = "read"
    source: str = "none"    # what standard input is: "none" or a key of SOURCES
    start: str = "/dev/null"    # the file that the source has
    capacity: int = 0       # of the source's pipe: 0 is what pipe(2) makes
    want: str = ""          # what comes out, over and over: else what goes in
    size: int = BIG         # how many bytes come out; -1 is all of want
    repeat: int = 1         # runs that are counted as one
    endless: bool = False   # the program does not end by itself

    def line(self):
        """For the init of the guest: see struct lane in count.c."""
        want = self.want or (self.start if self.source != "none" else "/data/big")
        return " ".join(map(str, (
            self.name, self.repeat, "endless" if self.endless else "ends", self.source,
            self.start, self.capacity, self.sink, want, self.size, self.command)))

    def explained(self):
        do = " ".join(self.command.split()[:4]) + (" ..." if self.command.count(" ") > 3 else "")
        ends = f"{SOURCES.get(self.source, '')} {SINKS[self.sink]}".strip()
        times = f", {self.repeat} times" if self.repeat > 1 else ""
        return f"- {self.name}: `{do}` {ends}, {self.size:,} bytes{times}\n"


def pipe(name, command, sink, how, **more):
    return Lane(name, command, sink, how, "/data/big", MIB if how == "splice" else 0, **more)


def starts():
    many = {"repeat": 50, "sink": "null"}
    yield Lane("start-empty", "cat /data/empty", want="/data/empty", size=0, **many)
    yield Lane("start-tiny", "cat /data/tiny", want="/data/tiny", size=100, **many)
    yield Lane("start-tee", "tee", want="/data/empty", size=0, **many)
    yield Lane("start-yes", "yes", "read", want="/data/y", size=2, repeat=50, endless=True)


def files():
    for sink in "read", "read64", "splice", "null", "file", "append", "socket":
        yield Lane(f"tmpfs-{sink}", "cat /data/big", sink)
    yield Lane("stdin-read", "cat", "read", "file", "/data/big")
    for size in 20, 40, 1024:
        yield Lane(f"{size}k-read", f"cat /data/{size}k", "read", want=f"/data/{size}k",
                   size=size << 10, repeat=20)
    names = " ".join(f"/data/small/{i}" for i in range(SMALL_FILES))
    for sink in "read", "null", "file":
        yield Lane("small-files" if sink == "read" else f"small-{sink}", f"cat {names}", sink,
                   want="/data/gathered", size=SMALL_FILES * SMALL)


def pipes():
    for sink in "read", "read64", "splice", "null", "file", "socket":
        yield pipe(f"pipe-{sink}", "cat", sink, "splice")
        yield pipe(f"written-{sink}", "cat", sink, "write")


def yeses():
    for name, words, want in ("yes", "yes", "/data/y"), \
            ("yes-hello", "yes hello world", "/data/hello_world"):
        for sink in "read", "splice":
            yield Lane(f"{name}-{sink}", words, sink, want=want, size=16 * MIB, endless=True)
    yield Lane("yes-file", "yes", "file", want="/data/y", size=4 * MIB, endless=True)
    yield Lane("zero-splice", "cat /dev/zero", "splice", want="/data/zero", size=BIG,
               endless=True)


def tees():
    for name, how in ("tee", "splice"), ("tee-written", "write"), ("tee-tmpfs", "file"):
        for to, operands in (("null", ""), ("3", " /dev/null /dev/null"), ("file", " /out1")):
            yield pipe(f"{name}-{to}", "tee" + operands, "null", how)
        yield pipe(f"{name}-2-file", "tee /out1", "file", how)
        for sink in "splice", "read", "read64":
            yield pipe(f"{name}-2-{sink}", f"tee @{sink}", sink, how)
        yield pipe(f"{name}-file-read", "tee /out1", "read", how)


def lines():
    for name, command in ("cat", "cat"), ("cat-n", "cat -n"), ("tee", "tee /out1"):
        yield Lane(f"line-{name}", command, "lines", "lines", want="/data/line",
                   size=1000 * LINE)


def slopes():
    """Each twice, of a mebibyte and of two: the difference is what a mebibyte costs."""
    for size in SLOPE:
        source = {"source": "splice", "start": f"/data/{size}k", "size": size << 10}
        for count in 1, 2, 16, 64, 256:
            yield Lane(f"sinks-{count}-{size}k", "tee" + " @read" * (count - 1), "read",
                       capacity=MIB, **source)
        for kib in 4, 16, 64, 256, 1024:
            yield Lane(f"capacity-{kib}-{size}k", "cat", "read", capacity=kib << 10, **source)


def formats():
    for letter, kind in ("n", "text"), ("s", "text"), ("E", "text"), ("A", "text"), ("v", "binary"):
        for sink in "read", "null":
            yield Lane(f"cat-{letter}" if sink == "read" else f"cat-{letter}-{sink}",
                       f"cat -{letter} /data/{kind}", sink, want=f"/data/{kind}_{letter}",
                       size=-1)


def all_lanes():
    for group in starts, files, pipes, yeses, tees, lines, slopes, formats:
        yield from group()


def method_lanes():
    """One of each pair of ends, those of sockets besides. What SIGXFSZ ends does not tell."""
    lanes = {lane.name: lane for lane in all_lanes() if lane.name != "yes-file"}
    for sink in TO:
        if sink != "append":
            lanes[f"socket-{sink}"] = pipe(f"socket-{sink}", "cat", sink, "socket")
    return [lanes[name] for name in (f"{source}-{sink}" for source in FROM for sink in TO)
            if name in lanes]


def ends_of(name):
    """In words."""
    source, _, sink = name.rpartition("-")
    return f"{FROM[source]} to {TO[sink]}"
