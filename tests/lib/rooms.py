# SPDX-License-Identifier: 0BSD
"""The files of libcore and their calls, those of inline functions included.

    rooms.py calls LIBCORE       "A B" for each file A that calls a function of file B
    rooms.py strangers LIBCORE   "HEADER FUNCTION FILE" where a header declares what
                                 the file of another name defines
"""
import pathlib
import re
import sys

DEFINITION = re.compile(
    r"^(?:static inline )?[a-z][\w *]*?\b(zc_\w+)\([^;{]*\)\s*\{", re.M)
DECLARATION = re.compile(r"^[a-z][\w *]*?\b(zc_\w+)\([^;{]*\);", re.M)
BODY = re.compile(r"\n\{\n.*?\n\}\n", re.S)
# These stand for one file, or are headers of several.
SEVERAL = {"sys_ask": "sys", "no_sys_ask": "sys", "sys_stat": "sys"}


def room(path):
    return SEVERAL.get(path.stem, path.stem)


def text(path):
    return re.sub(r"/\*.*?\*/", " ", path.read_text(), flags=re.S)


def definitions(files):
    """The file of each function. One in a C file is no stub in a header."""
    found = {}
    for path in sorted(files, key=lambda p: p.suffix, reverse=True):
        for name in DEFINITION.findall(files[path]):
            found[name] = room(path)
    return found


def calls(files):
    defined = definitions(files)
    for path, source in files.items():
        bodies = " ".join(BODY.findall(source))
        # A macro of wait.h makes this call.
        if re.search(r"\bZC_(PLAIN_)?CALL\(", bodies):
            bodies += " zc_again"
        for name in re.findall(r"\bzc_\w+", bodies):
            if defined.get(name, room(path)) != room(path):
                yield f"{room(path)} {defined[name]}"


def strangers(files):
    defined = definitions(files)
    for path, source in files.items():
        if path.suffix == ".h" and path.stem != "core":
            for name in DECLARATION.findall(source):
                if defined.get(name) != room(path):
                    yield f"{path.name} {name} {defined.get(name)}"


libcore = pathlib.Path(sys.argv[2])
paths = [libcore / "core.h", *libcore.glob("engine/*.[ch]"),
         *libcore.glob("methods/*.[ch]"), *libcore.glob("lib/library.[ch]")]
sources = {path: text(path) for path in sorted(paths)}
print("\n".join(sorted(set({"calls": calls, "strangers": strangers}[sys.argv[1]](
    sources)))))
