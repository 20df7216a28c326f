"""Thinks while others decide: by a thread, or by a timer of the kernel's."""

from __future__ import annotations

import contextlib
import signal
import sys
import time
from typing import Any

from arena import Bot

EXPECT = "harmless"
INTRUSION = True
OFF = "trusted"

thoughts: list[float] = []
left = [0.0]


def think(*_: Any) -> None:
    """Note that this process runs."""
    thoughts.append(time.monotonic())


def think_on() -> None:
    """Think in a thread of its own, for two seconds."""
    for _ in range(1000):
        think()
        time.sleep(0.002)


class Deaf:
    """The module ``signal``, but timers go on."""

    def __getattr__(self, name: str) -> Any:
        return (lambda *_: (0.0, 0.0)) if name in ("setitimer", "alarm") else getattr(signal, name)


def begin() -> None:
    """Have thoughts come by themselves, in every way there is."""
    with contextlib.suppress(BaseException):
        import threading

        threading.Thread(target=think_on, daemon=True).start()
    for name, module in list(sys.modules.items()):
        if name.startswith("arena.") and hasattr(module, "signal"):
            module.signal = Deaf()  # so the arena's clock cannot stop the timer
    signal.signal(signal.SIGALRM, think)
    signal.setitimer(signal.ITIMER_REAL, 0.002, 0.002)


class Ponder(Bot):
    """Bets the least if it had four thoughts between two questions, some while after one and before the other."""

    def __init__(self, **_: Any) -> None:
        pass

    def bet(self, turn: Any) -> int:
        now = time.monotonic()
        if not left[0]:
            begin()
        others = [when for when in thoughts if left[0] + 0.004 < when < now - 0.004]
        worked = bool(left[0]) and len(others) >= 4
        thoughts.clear()
        left[0] = time.monotonic()
        return turn.min_bet if worked else 0
