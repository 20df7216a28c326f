"""Closes every file descriptor, the arena's among them."""

from __future__ import annotations

import os
from typing import Any

from arena import Bot

EXPECT = "died"


class CloseFd(Bot):
    def bet(self, turn: Any) -> int:
        os.closerange(0, 1024)
        return 0
