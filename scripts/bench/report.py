# SPDX-License-Identifier: 0BSD
"""What scripts/bench/compare says of the rounds: verdicts, tables and a chart."""
import os
import platform
import re
import subprocess
from statistics import median

from common import GIB, MIB

LEAST = 1 / 64                  # on the chart
# The lanes that docs/BENCHMARKS.md has.
TIMED = ("start-tiny", "small-files", "disk-read", "disk-splice", "disk-file", "disk-socket",
         "tmpfs-read", "tmpfs-socket", "pipe-read", "pipe-splice", "pipe-file", "written-read",
         "tee-file", "tee-2-read", "tee-2-splice", "yes-read", "yes-splice", "cat-n", "cat-s",
         "cat-A", "cat-v")


class Verdict:
    """Medians, and those of the ratios round by round."""

    def __init__(self, workload):
        self.workload = workload
        self.speed = {who: median(of["rounds"]) for who, of in workload.results.items()
                      if not of["error"]}
        self.cpu = {who: median(workload.results[who]["cpu"]) for who in self.speed}
        others = self.speed.keys() - {"box", "limit"}
        self.best = max(others, key=self.speed.get, default="")
        self.ahead, self.share = self.ratios(self.best), self.ratios("limit")

    def ratios(self, other):
        """Of box to another; none if either has failed."""
        if not {"box", other} <= self.speed.keys():
            return []
        rounds = [self.workload.results[who]["rounds"] for who in ("box", other)]
        return [box / its for box, its in zip(*rounds)]

    def word(self):
        if not self.ahead:
            return "-"
        ratio = median(self.ahead)
        if ratio < self.workload.goal:
            return "short" if ratio > 1 else "equal" if ratio >= 0.97 else "behind"
        costly = self.cpu["box"] > self.cpu[self.best] * max(ratio, 1)
        return "met, but costly" if costly else "met"

    def facts(self):
        return {"unit": self.workload.unit + "/s", "goal": self.workload.goal, "best": self.best,
                "to best": self.ahead, "to limit": self.share, "verdict": self.word(),
                "speed": self.speed, "cpu": self.cpu, "results": self.workload.results}

    def speed_row(self, who):
        spread = "-"
        if self.ahead:
            spread = f"{median(self.ahead):.2f} ({min(self.ahead):.2f} to {max(self.ahead):.2f})"
        share = f"{median(self.share):.2f}" if self.share else "-"
        return [self.workload.name, self.workload.unit + "/s",
                *(figure(self.speed.get(each)) for each in who), self.best or "-", spread,
                self.workload.goal, share, self.word()]

    def cpu_row(self, who):
        return [self.workload.name, "s/" + self.workload.unit,
                *(figure(self.cpu.get(each)) for each in who)]


def figure(x):
    return "-" if x is None else f"{x:,.0f}" if x >= 100 else f"{x:.3g}"


def table(head, rows):
    """In Markdown, in columns that line up when it is read as it is."""
    rows = [head, *([str(cell) for cell in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*rows)]
    rows.insert(1, ["-" * (width - 1) + (":" if i else "-")
                    for i, width in enumerate(widths)])
    return "\n".join("| " + " | ".join(cell.rjust(width) if i else cell.ljust(width)
                                       for i, (cell, width) in enumerate(zip(row, widths)))
                     + " |" for row in rows) + "\n"


def machine():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        model = re.search(r"(?:model name|Hardware)\s*: (.*)", file.read())
    return (f"{model.group(1) if model else platform.machine()}, {os.cpu_count()} processors, "
            f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / GIB:.0f} GiB; "
            f"{platform.system()} {platform.release()} {platform.machine()}")


def failures(verdicts):
    return "".join(f"- {verdict.workload.name}, {who}: {of['error']}\n" for verdict in verdicts
                   for who, of in verdict.workload.results.items() if of["error"])


def grown(who, costs):
    return f"""## Cost as work grows

The source and the sinks are pipes, and the sinks read. A dash: failed, or took more than 10 s.
Peak resident memory in KiB:

{table(["memory", *who], costs[0])}
System calls for 1 GiB (those for a part of it, times the parts), as strace counts them and
while it slows the program:

{table(["calls", *who], costs[1])}
Time, the least of three turns, with that of the shell that starts the pipeline; a file has
holes, which cost the kernel as much as any cached file:

{table(["time", "unit", *who], costs[2])}
"""


def ways(who, lines):
    return f"""## A line's way

From before write(2) gives the program a line until read(2) has it from the program, in
microseconds: the median / the 99th percentile / the program's processor time, of the middle one
of three turns. Busy: the next line follows at once.

{table(["through", *who], lines)}
"""


def speeds(who, verdicts):
    return table(["workload", "unit", *who, "best other", "box to it", "goal", "box to limit",
                  "verdict"], [verdict.speed_row(who) for verdict in verdicts])


def report(facts, verdicts, costs, lines):
    everyone = [*facts["versions"], "limit"]
    versions = "".join(f"- {who}: {said}\n" for who, said in facts["versions"].items())
    workloads = "".join(f"- **{verdict.workload.name}**: {verdict.workload.explained()}\n"
                    for verdict in verdicts)
    return f"""# box side by side

{facts["machine"]}. {facts["date"]}. {facts["rounds"]} rounds{facts["condition"]}; large \
files are {facts["size"] / MIB:.0f} MiB (SCALE={facts["scale"]:g}).

{versions}
![speed as a share of the limit](report.svg)

## Speed

A figure is the median of all rounds; a ratio is the median, and the range, of the ratios round
by round. The limit is a bare loop of the best system calls, timed in the same round. *met*: the
ratio reaches the goal; *costly*: at more processor time than it is worth; *short*: ahead, but not
by the goal; *equal*: within 3 %.

{speeds(everyone, verdicts)}
{failures(verdicts) or "Nobody failed."}
## Processor time

User and system time of the whole pipeline, source and sinks included.

{table(["workload", "unit", *everyone], [verdict.cpu_row(everyone) for verdict in verdicts])}
{grown(facts["versions"], costs) if costs else ""}
{ways(facts["versions"], lines) if lines else ""}
## The workloads

Every peer's bytes are compared with the expected ones before it is timed. When it is timed, they
are counted, except those to /dev/null. `harness` and `least` are scripts/bench/harness.c and
least.c.

{workloads}"""


def chart(who, verdicts, svg):
    """Each workload is a row, each peer a mark, the limit the line at 1."""
    shown = [verdict for verdict in verdicts if "limit" in verdict.speed]
    if not shown:
        return
    rows = ", ".join(f'"{verdict.workload.name}" {y}' for y, verdict in enumerate(shown))
    # The last is drawn over the others: that is box.
    colours = dict(zip(who, ("#d62728", "#1f77b4", "#2ca02c", "#9467bd", "#ff7f0e",
                             "#17becf", "#8c564b", "#e377c2")))
    marks = ", ".join(f"'-' with points pt 7 ps {0.9 if each == 'box' else 0.6} "
                      f"lc '{colours.get(each, 'gray')}' title '{each}'" for each in who[::-1])
    points = "".join("".join(f"{max(verdict.speed[each] / verdict.speed['limit'], LEAST)} {y}\n"
                             for y, verdict in enumerate(shown) if each in verdict.speed)
                     + "e\n" for each in who[::-1])
    height = 110 + 17 * len(shown)
    script = f"""set terminal svg size 900,{height} font "sans,11" background "white"
set output "{svg}"
set logscale x 2
set xrange [{LEAST / 1.2}:]
set xtics (1, 2, 4, 8, 16)
set xtics add ("1/2" 1/2., "1/4" 1/4., "1/8" 1/8., "1/16" 1/16., "1/32" 1/32., "1/64" 1/64.)
set xlabel "speed as a share of the limit (1/64 or less at the left edge)"
set grid
set ytics ({rows})
set yrange [{len(shown)}:-1]
set key outside top center horizontal
set arrow from 1, graph 0 to 1, graph 1 nohead lw 2
plot {marks}
{points}"""
    subprocess.run(["gnuplot"], input=script, text=True, check=True)
