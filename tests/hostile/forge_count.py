"""Says that it answered four thousand million decisions, with as many texts."""

from __future__ import annotations

import gc
import socket
import struct
import sys
from typing import Any

from arena import Bot

EXPECT = "died"


def control() -> Any:
    """The socket its answers are told on, found among the arena's own objects."""
    return next(
        thing for thing in gc.get_objects() if isinstance(thing, socket.socket) and thing.fileno() >= 0
    )


def nonce() -> int:
    """The number of the question, as the arena's own code holds it."""
    frame: Any = sys._getframe()
    while frame is not None and "request" not in frame.f_locals:
        frame = frame.f_back
    return 0 if frame is None else frame.f_locals["request"].nonce


class ForgeCount(Bot):
    def bet(self, turn: Any) -> int:
        control().send(struct.pack("<IIQIII", 0x1B37AEA1, 1, nonce(), 0xFFFFFFFF, 1, 0xFFFFFFFF))
        return 0
