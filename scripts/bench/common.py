# SPDX-License-Identifier: 0BSD
"""What both benchmarks share: files to copy, and programs in C."""
import os
import platform
import shutil
import subprocess

MIB, GIB = 1 << 20, 1 << 30
TAIL = 4321             # no file is a whole number of pages
HERE = os.path.dirname(os.path.abspath(__file__))
SCRIPTS = os.path.dirname(HERE)
TOP = os.path.dirname(SCRIPTS)


def write_random(name, size):
    """Every block is unlike the others, so that none can stand for another."""
    block = os.urandom(MIB)
    with open(name, "wb") as file:
        for at in range(0, size, MIB):
            file.write((at.to_bytes(8, "big") + block[8:])[:size - at])


def compile_c(program, *arguments):
    """A static program: box is one too."""
    cc = os.environ.get("CC") or shutil.which("musl-gcc") or "cc"
    # musl-gcc hides the kernel's headers.
    kernel = f"-idirafter/usr/include -idirafter/usr/include/{platform.machine()}-linux-gnu"
    subprocess.run([*cc.split(), "-O2", "-Wall", "-Wextra", "-static", *kernel.split(), "-o", program,
                    *arguments], check=True)
