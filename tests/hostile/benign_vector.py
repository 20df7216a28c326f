"""Harms nobody: a vectorised bot that works with numpy's linear algebra, sorting and chance."""

from __future__ import annotations

from typing import Any

import numpy as np

from arena import VectorBot

EXPECT = "plays"


class BenignVector(VectorBot):
    """Bets where a small solved system says so."""

    def start(self, tables: Any) -> None:
        self.lost = np.zeros(tables.n)

    def watch(self, plays: Any) -> None:
        self.lost[plays.row] += np.minimum(plays.delta, 0)

    def bet(self, turns: Any) -> Any:
        system = np.array([[2.0, 1.0], [1.0, 3.0]])
        solved = np.linalg.solve(system, np.stack([turns.wins, turns.losses]).astype(float))
        rank = np.argsort(np.argsort(self.lost[turns.row]))
        go = (solved[0] > solved[1]) & (turns.uniform() < 0.9) & (rank >= 0)
        return np.where(go, turns.max_bet, 0)
