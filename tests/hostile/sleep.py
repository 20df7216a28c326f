"""Sleeps, which costs no processor time."""

from __future__ import annotations

import time
from typing import Any

from arena import Bot

EXPECT = "late"


class Sleep(Bot):
    def bet(self, turn: Any) -> int:
        time.sleep(3600)
        return 0
