# SPDX-License-Identifier: 0BSD
"""What the benchmarks share: programs to compare, files to copy, programs in C, and
tables."""
import os
import platform
import random
import shutil
import subprocess

MIB = 1 << 20
HERE = os.path.dirname(os.path.abspath(__file__))
SCRIPTS = os.path.dirname(HERE)
TOP = os.path.dirname(SCRIPTS)
APPLETS = "cat", "tee", "yes"


def debian_arch():
    """Debian's name of this processor."""
    return {"x86_64": "amd64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())


def programs(place):
    """What can be run there."""
    places = sorted(f"{place}/{name}" for name in os.listdir(place)) \
        if os.path.isdir(place) else [place]
    return [each for each in places if os.path.isfile(each) and os.access(each, os.X_OK)]


def program_of(place, applet):
    """The applet's program there, or the one that is all of them; else nothing."""
    there = programs(place)
    if f"{place}/{applet}" in there:
        return f"{place}/{applet}"
    return there[0] if len(there) == 1 else ""


def write_random(name, size):
    """Every block is unlike the others, so that none can stand for another."""
    block = random.Random(1).randbytes(MIB)
    with open(name, "wb") as file:
        for at in range(0, size, MIB):
            file.write((at.to_bytes(8, "big") + block[8:])[:size - at])


def write_repeated(name, size, block):
    with open(name, "wb") as file:
        file.write((block * (size // len(block) + 1))[:size])


def write_text(name, size):
    """Lines of all lengths, empty ones in runs, tabs, and not only ASCII."""
    some = random.Random(1)
    words = "the quick brown fox\tjumps over naïve dogs \x1b[1m Ωmega café".split(" ")
    lines = ("\n" * some.randint(1, 3) if some.random() < 0.1 else
             " ".join(some.choices(words, k=some.randint(1, 20))) + "\n"
             for _ in range(20000))
    write_repeated(name, size, "".join(lines).encode())
    with open(name, "r+b") as file:
        file.seek(size - 1)
        file.write(b"\n")


def write_shown(name, option):
    """What cat -n and the like make of a file is what the system's cat says."""
    with open(name, "wb") as file:
        subprocess.run(["cat", option, name.rpartition("_")[0]], stdout=file, check=True)


def compile_c(program, *arguments):
    """A static program: box is one too."""
    cc = os.environ.get("CC") or shutil.which("musl-gcc") or "cc"
    # musl-gcc hides the kernel's headers.
    kernel = f"-idirafter/usr/include -idirafter/usr/include/{platform.machine()}-linux-gnu"
    subprocess.run([*cc.split(), "-O2", "-Wall", "-Wextra", "-static", *kernel.split(), "-o", program,
                    *arguments], check=True)


def totals(of):
    """By program, the instructions of a lane of scripts/bench/count that has not failed."""
    return {who: each["total"] for who, each in of.items() if isinstance(each, dict)}


def best_other(total):
    return min((each for each in total if each != "box"), key=total.get, default="")


def figure(x):
    return f"{x:,.0f}" if x >= 100 else f"{x:.3g}"


def table(head, rows):
    """In Markdown, in columns that line up when it is read as it is."""
    rows = [head, *([str(cell) for cell in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*rows)]
    rows.insert(1, ["-" * (width - 1) + (":" if i else "-")
                    for i, width in enumerate(widths)])
    return "\n".join("| " + " | ".join(cell.rjust(width) if i else cell.ljust(width)
                                       for i, (cell, width) in enumerate(zip(row, widths)))
                     + " |" for row in rows) + "\n"
