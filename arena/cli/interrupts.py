"""What must not be cut short by Ctrl-C or by a request to end (SIGTERM), which are answered alike."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

_STOPS = (signal.SIGINT, signal.SIGTERM)
_INTERRUPTED = 130


def as_python_answers() -> None:
    """Have both do what they do in any Python program: a debugger's prompt takes Ctrl-C, and SIGTERM ends the process."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Ignore both meanwhile: what is being written is written whole, and it takes seconds at the most."""
    before = [signal.signal(stop, signal.SIG_IGN) for stop in _STOPS]
    try:
        yield
    finally:
        for stop, handler in zip(_STOPS, before, strict=True):
            signal.signal(stop, handler)


@contextmanager
def ended_at_once(sentence: str) -> Iterator[None]:
    """Say ``sentence`` and end the process where one of both comes meanwhile, cleaning up nothing.

    For play in this process: whatever is raised while a bot is asked is a fault of the bot's. Bots' own processes end with
    this one.
    """

    def leave(*_: object) -> None:
        os.write(2, f"\n{sentence}\n".encode(errors="surrogateescape"))
        os._exit(_INTERRUPTED)

    before = [signal.getsignal(stop) for stop in _STOPS]
    for stop, handler in zip(_STOPS, before, strict=True):
        if handler is not signal.SIG_IGN:  # as a shell's & has it
            signal.signal(stop, leave)
    try:
        yield
    finally:
        for stop, handler in zip(_STOPS, before, strict=True):
            signal.signal(stop, handler)
