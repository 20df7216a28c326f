"""Ignores every signal it may, then computes for ever."""

from __future__ import annotations

import signal
from typing import Any

from arena import Bot

EXPECT = "late"


class IgnoreSignals(Bot):
    def bet(self, turn: Any) -> int:
        for number in signal.valid_signals():
            try:
                signal.signal(number, signal.SIG_IGN)
            except (OSError, ValueError):
                continue
        while True:
            pass
