"""Says that it answered four thousand million decisions, with as many texts."""

from __future__ import annotations

import struct
import sys
from typing import Any

from arena import Bot

EXPECT = "died"


def arenas(name: str) -> Any:
    """What the arena's own code calls by this name, where it asks this bot."""
    frame: Any = sys._getframe()
    while frame is not None and name not in frame.f_locals:
        frame = frame.f_back
    return None if frame is None else frame.f_locals[name]


class ForgeCount(Bot):
    def bet(self, turn: Any) -> int:
        arenas("control").send(
            struct.pack("<IIQIII", 0x1B37AEA1, 1, arenas("request").nonce, 0xFFFFFFFF, 1, 0xFFFFFFFF)
        )
        return 0
