"""Imports what it needs only when it decides, all of it from the fixed list."""

from __future__ import annotations

from typing import Any

from arena import Bot

EXPECT = "plays"


class LazyImport(Bot):
    """Bets by a number that went through many a late module."""

    def bet(self, turn: Any) -> int:
        import bisect
        import collections
        import fractions
        import functools
        import heapq
        import itertools
        import math
        import operator
        import random
        import statistics
        from dataclasses import make_dataclass
        from enum import Enum

        import numpy as np
        import numpy.fft
        import numpy.ma
        import numpy.polynomial

        share = fractions.Fraction(turn.wins, max(turn.losses, 1))
        row = np.fft.fft(np.arange(8.0)).real + np.polynomial.Polynomial([1, 2])(np.ma.arange(8))
        chance = random.Random(turn.wins).random() + np.random.default_rng(turn.losses).random()
        level = statistics.fmean([float(share), math.hypot(1, 2), chance, float(row.sum())])
        rounded = functools.reduce(operator.add, itertools.islice(collections.deque([round(level * 100)]), 1))
        made = make_dataclass("Made", ["chips"])(bisect.bisect([1, 2, 3], heapq.nsmallest(1, [rounded])[0]))
        way = Enum("Way", "PASS BET")(1 + (rounded % 3 == 0))
        return min(turn.max_bet, turn.min_bet + made.chips) if way.name == "BET" else 0
