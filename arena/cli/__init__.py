"""The ``arena`` command's door: almost nothing is loaded here, so that Ctrl-C is answered from the first moment on."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # as type checkers see it, without loading typing
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

CANNOT_RUN, INTERRUPTED = 3, 130
_LEAST_MEMORY = 400 << 20  # bytes of address space


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command line and end the process with its exit code."""
    try:
        _open_standard_files()
        if told := _too_little_memory():
            sys.stderr.write(f"error: {told}\n")
            sys.exit(CANNOT_RUN)
        code = _load()(arguments)
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        code = INTERRUPTED
    sys.exit(code)


def _load() -> Callable[[list[str] | None], int | None]:
    """The commands; Ctrl-C meanwhile ends the process at once, for an exception may be lost in a module that loads.

    SIGTERM, by which a host ends a run, is answered as Ctrl-C is.
    """
    import signal

    news = (signal.default_int_handler, signal.SIG_DFL)  # a shell's & has Ctrl-C ignored, and so it stays
    ours = [stop for stop in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(stop) in news]
    for stop in ours:
        signal.signal(stop, lambda *_: _leave())
    from arena.cli.commands import run_command

    for stop in ours:
        signal.signal(stop, signal.default_int_handler)
    return run_command


def _leave() -> None:
    """End here and now, without a traceback."""
    os.write(2, b"interrupted\n")
    os._exit(INTERRUPTED)


def _too_little_memory() -> str:
    """Why numpy and scipy could not be loaded here, or would hang while they are; empty where they can."""
    try:
        import resource
    except ImportError:  # not Linux: what cannot be done there is said later
        return ""
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit == resource.RLIM_INFINITY or limit >= _LEAST_MEMORY:
        return ""
    return f"{limit >> 20} MB of address space are too few to run; raise the limit (ulimit -v unlimited)"


def _open_standard_files() -> None:
    """Have something stand in for closed standard files, or pipes would take their numbers."""
    for fd in range(3):
        try:
            os.fstat(fd)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    for name, fd in (("stdout", 1), ("stderr", 2)):
        if getattr(sys, name) is None:
            setattr(sys, name, open(fd, "w", encoding="utf-8", closefd=False))  # noqa: SIM115  for good
