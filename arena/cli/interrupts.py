"""What must not be cut short by Ctrl-C or by a request to end (SIGTERM), which are answered alike."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

_STOPS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Ignore both meanwhile: what is being written is written whole, and it takes seconds at the most."""
    before = [signal.signal(stop, signal.SIG_IGN) for stop in _STOPS]
    try:
        yield
    finally:
        for stop, handler in zip(_STOPS, before, strict=True):
            signal.signal(stop, handler)
