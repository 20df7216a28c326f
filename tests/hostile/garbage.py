"""Writes noise where answers are expected."""

from __future__ import annotations

import gc
import socket
import time
from typing import Any

from arena import Bot

EXPECT = "died"


def control() -> Any:
    """The socket its answers are told on, found among the arena's own objects."""
    return next(
        thing for thing in gc.get_objects() if isinstance(thing, socket.socket) and thing.fileno() >= 0
    )


class Garbage(Bot):
    def bet(self, turn: Any) -> int:
        control().send(bytes(range(256)))
        time.sleep(3600)
        return 0
