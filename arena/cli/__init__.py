"""The ``arena`` command's door: almost nothing is loaded here, so that Ctrl-C is answered from the first moment on."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # as type checkers see it, without loading typing
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

CANNOT_RUN, INTERRUPTED = 3, 130
_PATIENCE_S = 1.0
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
    """The commands; Ctrl-C meanwhile ends the process at once, for an exception may be lost in a module that loads."""
    _answer_stops(_leave)
    from arena.cli.commands import run_command

    _answer_stops(_interrupt)
    return run_command


def _answer_stops(how: Callable[..., object]) -> None:
    """Answer Ctrl-C so, and SIGTERM, by which a host ends a run; but a shell's & has Ctrl-C ignored, and so it stays."""
    import signal

    for stop in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(stop) is not signal.SIG_IGN:
            signal.signal(stop, how)


def _interrupt(*_: object) -> None:
    """Raise ``KeyboardInterrupt``. One that comes with it is the same one, and one that comes a second later is enough."""
    import time

    first = time.monotonic()

    def again(*_: object) -> None:
        if time.monotonic() > first + _PATIENCE_S:
            _leave()

    _answer_stops(again)
    raise KeyboardInterrupt


def _leave(*_: object) -> None:
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
