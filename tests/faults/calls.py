# SPDX-License-Identifier: 0BSD
"""The table of calls, tests/calls.def, and what may befall each of them."""
import os
import re

with open(os.path.join(os.path.dirname(__file__), "../calls.def"), encoding="utf-8") as f:
    TABLE = re.sub(r"/\*.*?\*/", "", f.read(), flags=re.DOTALL)
ERRNOS = {name: re.findall(r"\bE\w+", errnos)
          for name, errnos in re.findall(r"ERRNOS\((\w+),([^)]*)\)", TABLE)}

# Nobody may notice a pause, nor a refusal by one of these lists.
PAUSES = ["EINTR", "EAGAIN", "SIGCONT", "SIGWINCH", "DELAY", "ZERO"]
UNNOTICED = "not_so", "forbidden"


class Call:
    def __init__(self, name, end, answers, refusals, failures):
        self.name, self.end = name, end
        self.moves = refusals == "not_so"
        # Errnos that such a call should not have: read(2) and write(2) decide.
        self.strange = ERRNOS["strange"] if self.moves else []
        self.harmless = [*PAUSES, *(ERRNOS[refusals] if refusals in UNNOTICED else []),
                         *self.strange]
        if name == "close":
            self.harmless.remove("EINTR")
        pauses = {"EINTR": "INTR", "EAGAIN": "AGAIN",
                  "ZERO": "ZERO" if self.moves else "-"}
        self.kinds = [kind for kind in PAUSES
                      if pauses.get(kind, "INTR") in answers.split(" | ")]
        if "ZERO" in answers and end == "SINK":
            self.kinds.append("NONE")
        self.kinds += [*ERRNOS[refusals], *self.strange, *ERRNOS[failures]]


CALLS = {name: Call(name, *words) for name, *words in re.findall(
    r"CALL\((\w+),\s*-?\d+,\s*(\w+),\s*([^,]+),\s*(\w+),\s*(\w+)\)", TABLE)}
MOVERS = tuple(name for name, call in CALLS.items() if call.moves)
COMMON = ["ENOSYS", "EPERM", "EINVAL"]      # refusals that all of them have
# Each is tried once.
RARE = [kind for kind in ERRNOS["not_so"] if kind not in [*COMMON, "ENOMEM"]] + \
    ERRNOS["strange"]
# A machine that is not in the table has such names for calls that are.
OTHER = Call("", "NOBODY", "0", "forbidden", "none")
