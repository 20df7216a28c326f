"""Lineups turned round a circle whole, so that few of them decide how evenly all pairs meet.

Two entrants d places apart meet once for each two members of a lineup that are d apart, so all pairs meet evenly once
all differences are there evenly (arena/tournament/perfect.py says more).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from arena.game import chance

_WORK = 10_000_000  # array elements that a search may touch
_STEPS_A_SEAT = 50

_Ints = npt.NDArray[np.int64]


class Chances:
    """Words of one key, one after the other."""

    def __init__(self, key: int) -> None:
        self.key, self.used = key, 0

    def below(self, number: int) -> int:
        self.used += 1
        return chance.word(self.key, self.used) * number >> 64

    def order(self, number: int) -> _Ints:
        return np.argsort(self.words(number), kind="stable")

    def words(self, number: int) -> chance.Words:
        indices = np.arange(self.used + 1, self.used + 1 + number, dtype=np.uint64)
        self.used += number
        return chance.words(np.array([self.key], dtype=np.uint64), indices)


def turned_lineups(entrants: int, seats: int, count: int, chances: Chances) -> _Ints:
    """At most ``count`` lineups, ``(lineups, seats)``, in which all play equally often and pairs meet about evenly.

    All entrants sit on the circle, or all but one in the middle, whichever leaves fewer of ``count``; who sits where is by
    chance. Some lineups may be there twice. None, if ``count`` is less than a turn or the circle too wide to search.
    """
    circle, number = entrants, count // entrants
    with_middle, is_uneven = divmod(count // (entrants - 1) * seats, entrants)
    if not is_uneven and count % (entrants - 1) < count % entrants:
        circle, number = entrants - 1, count // (entrants - 1)
    else:
        with_middle = 0
    steps = min(_STEPS_A_SEAT * number * seats, _WORK // circle**2)
    if not number or steps < 2 * number * seats:
        return np.empty((0, seats), dtype=np.int64)
    lineups = [chances.order(circle)[: seats - (row < with_middle)] for row in range(number)]
    _even_out(lineups, circle, steps, chances)
    turns = np.arange(circle)[:, None]
    middle = np.full((circle, 1), circle)
    tables = [np.hstack([(x + turns) % circle, middle[:, : seats - x.size]]) for x in lineups]
    names: _Ints = chances.order(entrants)[np.concatenate(tables)]
    return names


def _even_out(lineups: list[_Ints], circle: int, steps: int, chances: Chances) -> None:
    """Move one member at a time, in place, to where the sum of squares of how often differences are there is least."""
    there = sum((_differences(x, x, circle).sum(axis=0) for x in lineups), np.zeros(circle, np.int64)) // 2
    places = np.arange(circle)
    for _ in range(steps):
        there[0] = there[1]  # no difference: not counted
        if np.ptp(there) <= 1:
            return
        lineup = lineups[chances.below(len(lineups))]
        seat = chances.below(lineup.size)
        rest = np.delete(lineup, seat)
        others = there - _differences(lineup[[seat]], rest, circle)[0]
        more = _differences(places, rest, circle)
        costs = (more * (2 * others + more)).sum(axis=1)
        costs[rest] = np.iinfo(np.int64).max
        least = np.flatnonzero(costs == costs.min())
        lineup[seat] = least[chances.below(least.size)]
        there = others + more[lineup[seat]]


def _differences(members: _Ints, rest: _Ints, circle: int) -> _Ints:
    """How often each member is 0, 1, … places from one of ``rest``, either way round, ``(members, circle)``."""
    apart = (members[:, None] - rest) % circle
    number = np.zeros((members.size, circle), dtype=np.int64)
    rows = np.arange(members.size)[:, None]
    np.add.at(number, (rows, apart), 1)
    np.add.at(number, (rows, -apart % circle), 1)
    return number
