"""Stops the arena's own clock in its process, then sleeps a little over each question, which costs no processor time."""

from __future__ import annotations

import signal
import time
from typing import Any

from arena import Bot

EXPECT = "late"


class Nap(Bot):
    """Passes, when it has slept."""

    def bet(self, turn: Any) -> int:
        signal.setitimer(signal.ITIMER_REAL, 0)
        time.sleep(1.0)
        return 0
