"""Designs in which every pair meets exactly once, made by turning a few lineups round a circle.

Seat the entrants on a circle of m places. A lineup turned by 1, 2, … places makes m lineups, and two entrants d places
apart meet in them once for each two of its members that are d apart. So lineups whose differences are, together, each
of 1, …, m − 1 once make a design (a cyclic difference family; of one lineup, Singer's difference sets: the projective
planes). Two more circles are tried: one with a lineup of evenly spaced members, which comes round early, and one round
an entrant in the middle, who sits with such a lineup (and with one other lineup: Bose's affine planes). All of it is in
Beth, Jungnickel and Lenz, *Design Theory*, 1999, chapters VI and VII.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

_MOST_STEPS = 30_000  # of the search for lineups to turn: a tenth of a second

_Ints = npt.NDArray[np.int64]
_Lineups = tuple[tuple[int, ...], ...]


def perfect_design(entrants: int, seats: int) -> _Ints | None:
    """Lineups ``(lineups, seats)`` in which every pair meets once, or None where none is found.

    Found for each plane of at most 8 seats, ``seats²`` or ``seats² − seats + 1`` entrants, that there is. They are
    in a greedy order, in which all have played about equally often after any number of them; in an affine plane, to
    within one.

    >>> perfect_design(7, 3).tolist()
    [[0, 1, 3], [1, 2, 4], [2, 3, 5], [0, 4, 5], [3, 4, 6], [1, 5, 6], [0, 2, 6]]
    """
    if seats < 3 or (entrants - 1) % (seats - 1) or entrants * (entrants - 1) % (seats * (seats - 1)):
        return None
    for middle in (0, 1):  # entrants there
        circle, ring = entrants - middle, seats - middle
        is_spaced = circle % ring == 0
        if middle and not is_spaced:
            continue
        early = range(0, circle, circle // ring) if is_spaced else range(0)
        turned = _Turned(circle, seats).find((), sum(1 << d for d in range(1, circle) if d not in early))
        if turned is not None:
            tables = [[(x + turn) % circle for x in lineup] for lineup in turned for turn in range(circle)]
            tables += [[x + turn for x in early] + [circle] * middle for turn in range(early.step) if early]
            return _evenly_ordered(np.array(tables, dtype=np.int64), entrants)
    return None


class _Turned:
    """A depth-first search for lineups to turn round a circle. Sets of places and of differences are bits of integers."""

    def __init__(self, circle: int, seats: int) -> None:
        self.circle, self.seats = circle, seats
        self.steps = _MOST_STEPS

    def find(self, lineups: _Lineups, free: int) -> _Lineups | None:
        """``lineups`` and more, of which the last may be short, whose further differences are those in ``free``.
        Each starts with 0 and the least free difference. None where there are none, or after too many steps.
        """
        if not lineups or len(lineups[-1]) == self.seats:
            return self._seat(lineups, (0,), (free & -free).bit_length() - 1, free) if free else lineups
        lineup = lineups[-1]
        at = (
            (1 << self.circle) - (2 << lineup[-1]) if len(lineup) > 2 else -1
        )  # behind the last, from the third on
        for member in lineup:
            at &= free << member | free >> self.circle - member  # ``free`` turned to that member
        while at and self.steps > 0:
            found = self._seat(lineups[:-1], lineup, (at & -at).bit_length() - 1, free)
            if found is not None:
                return found
            at &= at - 1
        return None

    def _seat(self, lineups: _Lineups, lineup: tuple[int, ...], x: int, free: int) -> _Lineups | None:
        """What ``find`` finds with ``x`` added to ``lineup``."""
        self.steps -= 1
        for member in lineup:
            for difference in (x - member, member - x):
                bit = 1 << difference % self.circle
                if not free & bit:  # two members of the lineup are as far from x
                    return None
                free ^= bit
        return self.find((*lineups, (*lineup, x)), free)


def _evenly_ordered(tables: _Ints, entrants: int) -> _Ints:
    """The same lineups, each the one whose members have played least so far; of an affine plane, class by class of
    lineups without a common member."""
    left, plays = tables.tolist(), [0] * entrants
    ordered = []
    while left:
        lineup = min(left, key=lambda lineup: sorted((plays[x] for x in lineup), reverse=True))
        left.remove(lineup)
        ordered.append(sorted(lineup))
        for x in lineup:
            plays[x] += 1
    return np.array(ordered, dtype=np.int64)
