"""Reads memory that is not there."""

from __future__ import annotations

import ctypes
from typing import Any

from arena import Bot

EXPECT = "died"


class Segfault(Bot):
    def bet(self, turn: Any) -> int:
        ctypes.string_at(0)
        return 0
