"""Harms nobody: works with numpy, its own chance and the standard library, as a good bot would."""

from __future__ import annotations

import math
import random
import statistics
from typing import Any

import numpy as np

from arena import Bot

EXPECT = "plays"


class Benign(Bot):
    """Samples what a bet would bring, and bets accordingly."""

    def start(self, table: Any) -> None:
        self.rates: list[float] = []
        self.weights = np.linspace(0.5, 1.5, table.seats + 1)

    def watch(self, play: Any) -> None:
        self.rates.append(play.bet / max(play.pot, 1))

    def bet(self, turn: Any) -> int:
        total = turn.wins + turn.hits + turn.losses
        draws = np.random.default_rng(self.rng.getrandbits(32)).multinomial(
            20, np.array([turn.wins, turn.hits, turn.losses]) / total
        )
        mood = random.Random(turn.round).random() * statistics.fmean(self.rates or [0.5])
        worth = float(draws @ np.array([1.0, -2.0, -1.0])) + math.tanh(mood) * self.weights[0]
        return turn.min_bet + int(turn.uniform() * (turn.max_bet - turn.min_bet)) if worth > 0 else 0
