# SPDX-License-Identifier: 0BSD
"""The one judge, tests/judge/judge.c: what judge.h declares, and its functions."""
import ctypes, os, re, subprocess

HERE = os.path.join(os.path.dirname(__file__), "../judge")
with open(os.path.join(HERE, "judge.h"), encoding="utf-8") as f:
    TEXT = re.sub(r"/\*.*?\*/", "", f.read(), flags=re.DOTALL)
NUMBERS = {name: int(number) for name, number in re.findall(r"(\w+) = (\d+)", TEXT)}
TYPES = {"bool": ctypes.c_bool, "int": ctypes.c_int, "int64_t": ctypes.c_int64,
         "uint32_t": ctypes.c_uint32, "const char": ctypes.c_char_p}


def fields(name):
    body = re.search(r"struct %s \{(.*?)\n\}" % name, TEXT, re.DOTALL)[1]
    for kind, names in re.findall(r"((?:struct |const )?\w+) ([^;]*);", body):
        for field, size in re.findall(r"(\w+)(?:\[(\w+)\])?", names):
            yield field, TYPES[kind] * NUMBERS[size] if size else TYPES[kind]


for name in "judged_end", "judged_failure", "judged":
    TYPES["struct " + name] = type(name, (ctypes.Structure,), {"_fields_": [*fields(name)]})


class Log(TYPES["struct judged"]):
    """What a run has done."""
    def end(self, name, sink):
        """Adds an end, and returns what is said of it."""
        end = JUDGE.judged_end(ctypes.byref(self), b"", sink).contents
        end.name = name.encode()
        return end

    def failure(self, numbers, error, certain):
        """Adds a failure that is about one of the ends with these numbers."""
        JUDGE.judged_failure(ctypes.byref(self), sum(1 << n for n in numbers), error, certain)

    def judge(self):
        """Returns what is wrong, or None."""
        wrong = JUDGE.judge_run(ctypes.byref(self))
        return wrong and wrong.decode()


def build():
    """Compiles the judge, unless it is there."""
    global JUDGE
    path = os.path.join(HERE, "../../build/faults/judge.so")
    changed = max(os.path.getmtime(file.path) for file in os.scandir(HERE))
    if not os.path.exists(path) or os.path.getmtime(path) < changed:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        new = "%s.%d" % (path, os.getpid())
        subprocess.check_call(["cc", "-shared", "-fPIC", "-o", new, HERE + "/judge.c"])
        os.replace(new, path)
    JUDGE = ctypes.CDLL(path)
    JUDGE.judged_end.restype = ctypes.POINTER(TYPES["struct judged_end"])
    JUDGE.judge_run.restype = ctypes.c_char_p
