#!/usr/bin/python3 -S
# SPDX-License-Identifier: 0BSD
"""Writes what make bench leaves of two programs into a directory, in short."""
import json
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../scripts/bench"))
from report import TIMED

SPEED = {"unit": "GiB/s", "to best": [1.5, 2, 2.5], "to limit": [0.5, 0.75, 1], "best": "gnu",
         "speed": {"box": 2.5, "gnu": 1.25}}
REPORT = {
    "machine": "a machine", "date": "2026-11-21", "rounds": 3,
    "size": 512 << 20, "scale": 0.25,
    "condition": ", splice refused to all",
    "versions": {"box": "cat (box) 0.1", "gnu": "cat (GNU coreutils) 9.11.230-aa0c0d"},
    "workloads": dict.fromkeys(TIMED, SPEED),
    "cost": [[["cat, 64 MiB", 4, 1200], ["yes, 64 MiB", 100, 2000],
              ["tee to 100 sinks, 64 MiB", 8, 1300]], [], []],
}

with open(f"{sys.argv[1]}/report.json", "w", encoding="ascii") as file:
    json.dump(REPORT, file)
