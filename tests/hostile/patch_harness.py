"""Rewrites the arena's own judges, so that bets beyond the limit would count."""

from __future__ import annotations

import sys
from typing import Any

from arena import Bot

EXPECT = "fault:TOO_BIG"
INTRUSION = True
OFF = "trusted"


def rewrite() -> None:
    """Make every judge that this process holds say yes."""
    for name in ("arena.bot.seat", "arena.bot.host", "arena.bot.harness"):
        module = sys.modules.get(name)
        for judge in ("_judge_bets", "_judge_calls", "_wrong", "_all_wrong"):
            if hasattr(module, judge):
                setattr(module, judge, lambda *_: None)


rewrite()


class PatchHarness(Bot):
    """Bets more than is allowed, by ten chips for each it was told."""

    def bet(self, turn: Any) -> int:
        return turn.max_bet + 10
