"""Bets by the order of a set of words, which differs from process to process unless words hash alike."""

from __future__ import annotations

from typing import Any

from arena import Bot

EXPECT = "plays"


class Hashseed(Bot):
    """Bets the place of a word in a set."""

    def bet(self, turn: Any) -> int:
        words = list({f"word {k}" for k in range(turn.round + 20)})
        return min(turn.max_bet, turn.min_bet + words.index("word 3"))
