"""What must not be cut short by Ctrl-C or by a request to end (SIGTERM), which are answered alike."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

_STOPS = (signal.SIGINT, signal.SIGTERM)
_INTERRUPTED = 130  # as in arena.cli, which loads this


def as_python_answers() -> None:
    """Have both do what they do in any Python program: a debugger's prompt takes Ctrl-C, and SIGTERM ends the process."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def uninterrupted() -> AbstractContextManager[None]:
    """Ignore both meanwhile: what is being written is written whole, and it takes seconds at the most."""
    return _answered(signal.SIG_IGN)


def ended_at_once(sentence: str) -> AbstractContextManager[None]:
    """Say ``sentence`` and end the process where one of both comes meanwhile, cleaning up nothing.

    For play in this process: whatever is raised while a bot is asked is a fault of the bot's. Bots' own processes end with
    this one.
    """

    def leave(*_: object) -> None:
        os.write(2, f"\n{sentence}\n".encode(errors="surrogateescape"))
        os._exit(_INTERRUPTED)

    return _answered(leave)


@contextmanager
def _answered(how: Callable[..., object] | signal.Handlers) -> Iterator[None]:
    """Answer both so meanwhile, but not one that is ignored, as a shell's & has it."""
    before = [signal.getsignal(stop) for stop in _STOPS]
    for stop, handler in zip(_STOPS, before, strict=True):
        if handler is not signal.SIG_IGN:
            signal.signal(stop, how)
    try:
        yield
    finally:
        for stop, handler in zip(_STOPS, before, strict=True):
            signal.signal(stop, handler)
