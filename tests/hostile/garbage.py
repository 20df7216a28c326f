"""Writes noise where answers are expected."""

from __future__ import annotations

import sys
import time
from typing import Any

from arena import Bot

EXPECT = "died"


def arenas(name: str) -> Any:
    """What the arena's own code calls by this name, where it asks this bot."""
    frame: Any = sys._getframe()
    while frame is not None and name not in frame.f_locals:
        frame = frame.f_back
    return None if frame is None else frame.f_locals[name]


class Garbage(Bot):
    def bet(self, turn: Any) -> int:
        arenas("control").send(bytes(range(256)))
        time.sleep(3600)
        return 0
