"""Gives replies of its own making for questions that were never asked."""

from __future__ import annotations

import gc
import socket
import struct
from typing import Any

from arena import Bot

EXPECT = "died"


def control() -> Any:
    """The socket its answers are told on, found among the arena's own objects."""
    return next(
        thing for thing in gc.get_objects() if isinstance(thing, socket.socket) and thing.fileno() >= 0
    )


class ForgeFrame(Bot):
    def bet(self, turn: Any) -> int:
        control().send(struct.pack("<IIQIII", 0x1B37AEA1, 1, 0, 1, 0, 0))
        return 0
