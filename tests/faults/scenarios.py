# SPDX-License-Identifier: 0BSD
"""What scripts/faults tries: each scenario, and what may befall each call."""
import errno
import itertools

from faults.calls import CALLS, MOVERS, OTHER
from faults.run import PLAIN_NAME


def product(applets, *parts):
    return ["/".join(name) for name in itertools.product(
        applets.split("; "), *(part.split() for part in parts))]


SCENARIOS = [
    *product("cat", "file stdin small many proc pipe pipe-nb fifo socket "
             "socket-nb tty", "pipe pipe-nb tiny file append null socket "
             "socket-nb pty full limit gone"),
    *product("cat", "big", "file null"),
    # Where the file system shares no extents, this name alone has it tried.
    *product("cat --method=copy_file_range", "file stdin many", "file append full"),
    *product("cat --method=copy_file_range !copy_file_range", "file",
             "file fifo append limit"),
    *product("cat !sendfile; cat !sendfile,splice", "file",
             "socket socket-nb null pipe"),
    *product("cat -n", "file small many pipe pipe-nb socket tty",
             "pipe tiny file socket-nb full limit gone"),
    *product("tee", "file small proc pipe pipe-nb fifo socket socket-nb tty",
             "pipe file null socket-nb pty+pipe pipe+file null+pipe full+file "
             "tiny+tiny pipe+full gone+file socket+pipe pipe+limit "
             "pipe+file+full+pty+pipe tiny+null+limit+full+pipe"),
    *product("tee -a", "pipe small", "file+append append+append+pipe"),
    *product("tee -p", "file pipe", "gone+file gone+pipe+full"),
    # SIGHUP comes at each call.
    *product("tee --reopen", "file pipe fifo socket-nb tty",
             "file+file pipe+file tiny+pipe+file full+file"),
    *product("tee --reopen -a; tee --reopen --retry", "file pipe",
             "pipe+file append+file"),
    *product("tee --retry", "file pipe", "file tiny+file"),
    # SIGTERM comes at each call.
    *product("tee --run", "file small", "pipe file tiny+file pipe+full"),
    *product("tee --stderr --run; tee --reopen --run; tee --lag=8K --run; "
             "tee --lag=8K,skip --run; tee --lag=8K,drop --run; "
             "tee --retry --run", "file", "pipe+file tiny+file"),
    *product("tee !tee; tee !splice", "file pipe", "pipe+file tiny+full+pty"),
    *product("cat --method=splice; cat --method=mmap; cat --method=io_uring",
             "file pipe socket-nb",
             "pipe file socket-nb pty full limit"),
    *product("cat !lseek", "file stdin pipe", "pipe socket file null"),
    *product("cat --method=dontcache", "file stdin pipe", "file pipe"),
]


class Fault:
    def __init__(self, call="", kind="DELAY", when=""):
        self.call, self.kind, self.when = call, kind, when
        plain = PLAIN_NAME.get(call, call)
        facts = CALLS.get(call.split(",")[0], OTHER)
        self.harmless = facts.end == "NOBODY" or \
            kind in [*facts.harmless, "SIGHUP", "SIGTERM"]
        # If nobody else has moved on meanwhile, read(2) goes on.
        refused = call == "pread64" and kind != "EIO"
        self.errno = errno.ENOSPC if kind == "NONE" else getattr(errno, kind, 0)
        # What must be reported, if it hits an endpoint.
        self.final = not self.harmless and not refused and \
            plain in ("read", "write")
        self.lost_write = plain == "close" and kind != "EINTR"
        self.fatal = self.final or \
            not self.harmless and plain in MOVERS
        what = {"ZERO": "retval=0", "NONE": "retval=0",
                "DELAY": "delay_enter=2ms"}.get(
            kind, ("signal=" if kind[0] == "S" else "error=") + kind)
        self.options = ["-e", "inject=%s:%s:when=%s" % (call, what, when)] \
            if call else []
