"""Lineups in which pairs meet as evenly as a seeded search makes them.

The search starts from perfect designs, as many as fit, from lineups turned round a circle, or from a greedy choice.
Then it takes a pair that meets too often or too seldom, and swaps a member of one lineup with one of another: the swap
that lowers the sum of squares of how often pairs meet most, or seldom one that raises it (annealing at one temperature).
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import numpy.typing as npt

from arena.game import chance
from arena.tournament.perfect import perfect_design
from arena.tournament.turned import Chances, turned_lineups

_WALKS = 2  # from different starts
_MOST_WALKS = 20  # where two lineups are still the same
_WALK_WORK = 25_000_000  # array elements that a walk may touch
_STEP_WORK = 10_000  # what a step costs besides, in such elements
_STEPS_A_SEAT = 30  # at most, in a walk: few lineups are soon as even as they get
_LOOKED_AT = 128  # lineups that a step looks for a swap in
_NAMINGS = 200  # to find one of a design with which none of its lineups is there already
_GREEDY_TRIES = 20  # for a lineup that is not there yet
_UPHILL_BITS = 6  # a swap that raises half the sum of squares by c is made with chance 2^(−6c)
_NEVER = 2**62

Lineup = tuple[int, ...]
_Ints = npt.NDArray[np.int64]


def even_lineups(entrants: int, seats: int, count: int, key: int) -> tuple[Lineup, ...]:
    """``count`` different lineups, ascending: all play equally often to within one, and pairs meet as evenly as is found.

    They follow from the arguments alone: work limits the search, not time.
    """
    perfect = perfect_design(entrants, seats)
    best: _Walk | None = None
    for number in range(_MOST_WALKS):
        chances = Chances(chance.key(key, number))
        tables = np.empty((0, seats), dtype=np.int64)
        if number == 0 and perfect is not None:
            tables = _copies(perfect, entrants, count, chances)
        elif number == 0:
            tables = turned_lineups(entrants, seats, count, chances)
        walk = _Walk(_filled(tables, entrants, count, chances), entrants, chances)
        walk.go()
        if walk.is_valid() and (best is None or walk.squares < best.squares):
            best = walk
        if best is not None and (number >= _WALKS - 1 or not best.uneven().any()):
            return tuple(sorted(map(_lineup, best.tables)))
    raise AssertionError(f"no {count} different lineups of {seats} of {entrants} in {_MOST_WALKS} walks")


def _copies(perfect: _Ints, entrants: int, count: int, chances: Chances) -> _Ints:
    """At most ``count`` lineups: copies of ``perfect`` by other names, no lineup twice; of the last its first lineups,
    if all play equally often in them to within one."""
    rows: list[Lineup] = []
    while len(rows) < count:
        part = perfect[: count - len(rows)]
        if np.ptp(np.bincount(part.ravel(), minlength=entrants)) > 1:
            break
        there = set(rows)
        for _ in range(_NAMINGS):
            names = chances.order(entrants)
            copy = [_lineup(table) for table in names[part]]
            if there.isdisjoint(copy):
                rows += copy
                break
        else:
            break
    return np.array(rows, dtype=np.int64).reshape(-1, perfect.shape[1])


def _filled(tables: _Ints, entrants: int, count: int, chances: Chances) -> _Ints:
    """``tables`` and more, ``(count, seats)``: each seat to who played least, then met others least, then by chance."""
    had, seats = tables.shape
    plays = np.bincount(tables.ravel(), minlength=entrants)
    meets = meetings(tables, entrants)
    tables = np.concatenate([tables, np.empty((count - had, seats), dtype=np.int64)])
    seen = {_lineup(table) for table in tables[:had]}
    for row in range(had, count):
        for _ in range(_GREEDY_TRIES):
            rank = (plays << 42) + (chances.words(entrants) >> np.uint64(44)).astype(np.int64)
            table = []
            for _ in range(seats):
                one = int(rank.argmin())
                table.append(one)
                rank += meets[one] << 20
                rank[one] = np.iinfo(np.int64).max // 2
            if tuple(sorted(table)) not in seen:
                break
        seen.add(tuple(sorted(table)))
        tables[row] = table
        plays[table] += 1
        meets[np.ix_(table, table)] += 1
    return tables


class _Walk:
    """A walk from lineups to lineups; swaps leave everyone's number of lineups as it is."""

    def __init__(self, tables: _Ints, entrants: int, chances: Chances) -> None:
        self.tables, self.entrants, self.chances = tables, entrants, chances
        self.meets = meetings(tables, entrants)
        self.squares = int((self.meets**2).sum())  # each pair counts twice
        self.there = Counter(map(_lineup, tables))
        others_met = np.bincount(tables.ravel(), minlength=entrants) * (tables.shape[1] - 1)
        self.even = others_met[:, None] + others_met  # a pair's fair number of meetings · 2 (entrants − 1)
        np.fill_diagonal(self.even, 0)

    def is_valid(self) -> bool:
        return len(set(map(_lineup, self.tables))) == len(self.tables)

    def uneven(self) -> npt.NDArray[np.bool_]:
        """Which pairs meet once more, or less, than is fair to how often both play, or worse."""
        once = 2 * (self.entrants - 1)
        is_uneven: npt.NDArray[np.bool_] = np.abs(self.meets * once - self.even) >= once
        return is_uneven

    def go(self) -> None:
        """Walk until no pair is uneven or the work is used up; end at the least sum of squares that was seen."""
        self._part_twins()
        work = min(_WALK_WORK, _STEP_WORK * _STEPS_A_SEAT * self.tables.size)
        best, squares = self.tables.copy(), self.squares
        while work > 0 and (uneven := np.flatnonzero(self.uneven())).size:
            work -= _STEP_WORK + self._step(
                *divmod(int(uneven[self.chances.below(uneven.size)]), self.entrants)
            )
            if self.squares < squares:
                best, squares = self.tables.copy(), self.squares
        self.tables, self.squares, self.meets = best, squares, meetings(best, self.entrants)

    def _part_twins(self) -> None:
        """Swap lineups that are there twice apart, each with one of some others at the least cost."""
        count, seats = self.tables.shape
        for row in range(count):
            for seat in range(seats):
                if self.there[_lineup(self.tables[row])] < 2:
                    break
                others = self._some(np.arange(count))
                costs = _costs(self.tables[others], self.meets, self.tables[row], seat)
                for flat in np.argsort(costs, axis=None, kind="stable").tolist():
                    other, place = divmod(flat, seats)
                    cost = int(costs[other, place])
                    if cost == _NEVER or self._swap(row, seat, int(others[other]), place, cost):
                        break

    def _some(self, rows: _Ints) -> _Ints:
        return np.roll(rows, self.chances.below(rows.size))[:_LOOKED_AT] if rows.size > _LOOKED_AT else rows

    def _step(self, one: int, two: int) -> int:
        """Make a swap that parts, or joins, two who meet too often, or too seldom; the work it was."""
        sits_one, sits_two = (self.tables == one).any(axis=1), (self.tables == two).any(axis=1)
        is_joined = 2 * (self.entrants - 1) * self.meets[one, two] < self.even[one, two]
        rows = np.flatnonzero(sits_two & ~sits_one if is_joined else sits_one & sits_two)
        row = int(rows[self.chances.below(rows.size)])
        table = self.tables[row]
        out = np.flatnonzero(table != two if is_joined else table == one)
        seat = int(out[self.chances.below(out.size)])
        others = self._some(np.flatnonzero(sits_one & ~sits_two if is_joined else ~sits_one))
        tables = self.tables[others]
        costs = _costs(tables, self.meets, table, seat)
        if is_joined:
            costs[tables != one] = _NEVER
        least = int(costs.min(initial=_NEVER))
        if least <= 0 or self.chances.below(1 << min(64, _UPHILL_BITS * least)) == 0:
            ties = np.flatnonzero(costs == least)
            other, place = divmod(int(ties[self.chances.below(ties.size)]), costs.shape[1])
            self._swap(row, seat, int(others[other]), place, least)
        return int(self.meets.size + costs.size * costs.shape[1])

    def _swap(self, row: int, seat: int, other: int, place: int, cost: int) -> bool:
        """Swap two members, of ``cost``; not where a lineup would be there twice."""
        pair = self.tables[[row, other]]
        old = list(map(_lineup, pair))
        pair[0, seat], pair[1, place] = pair[1, place], pair[0, seat]
        new = list(map(_lineup, pair))
        if new[0] == new[1] or self.there[new[0]] or self.there[new[1]]:
            return False
        self.there.subtract(old)
        self.there.update(new)
        for lineups, times in ((old, -1), (new, 1)):
            for lineup in lineups:
                self.meets[np.ix_(lineup, lineup)] += times
        np.fill_diagonal(self.meets, 0)
        self.tables[[row, other]] = pair
        self.squares += 4 * cost
        return True


def _lineup(table: _Ints) -> Lineup:
    return tuple(sorted(table.tolist()))


def _costs(tables: _Ints, meets: _Ints, table: _Ints, seat: int) -> _Ints:
    """Half the change of the sum of squares, ``(lineups, seats)``, if the member at ``seat`` of ``table`` swaps with each
    of ``tables``.

    Of a pair that meets m times, m² changes by 1 − 2m for a meeting less and by 1 + 2m for one more. Pairs with someone
    who sits at both tables keep their number. Where no swap is possible: ``_NEVER``.
    """
    out, rest = table[seat], np.delete(table, seat)
    with_rest = meets[:, rest].sum(axis=1)  # of each entrant
    with_out = meets[out][tables]  # of each member, as with_members
    with_members = meets[tables[:, :, None], tables[:, None, :]]
    is_shared = (tables[:, :, None] == rest).any(axis=2)
    with_shared = (with_members * is_shared[:, None, :]).sum(axis=2)
    staying = tables.shape[1] - 1 - is_shared.sum(axis=1)[:, None]  # at each table, of those not at both
    more = with_rest[tables] - with_shared + (with_out * ~is_shared).sum(axis=1)[:, None] - with_out
    out_less = with_rest[out] - (with_out * is_shared).sum(axis=1)[:, None]
    less = out_less + with_members.sum(axis=2) - with_shared
    cannot = is_shared | (tables == out).any(axis=1)[:, None]
    return np.where(cannot, _NEVER, more - less + 2 * staying)


def meetings(tables: npt.ArrayLike, entrants: int) -> _Ints:
    """How often pairs meet, ``(entrants, entrants)``; the diagonal is 0."""
    rows = np.asarray(tables, dtype=np.int64)
    meets = np.zeros((entrants, entrants), dtype=np.int64)
    for a in range(rows.shape[1]):
        for b in range(rows.shape[1]):
            if a != b:
                np.add.at(meets, (rows[:, a], rows[:, b]), 1)
    return meets
