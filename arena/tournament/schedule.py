"""Who meets whom: lineups of entrants (by index in content order).

``balanced`` is a seeded design: everyone plays as often as everyone else to within one lineup, and how often
pairs meet is made as even as a greedy choice with improving swaps makes it. Nothing here depends on the
roster's order, on time, or on global chance.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from arena.errors import ArenaError, nearest
from arena.game import chance
from arena.wording import plural

if TYPE_CHECKING:
    from arena.bot.entrant import Entrant
    from arena.tournament.spec import TournamentSpec

MAX_LINEUPS = 1_000_000
_ATTEMPTS = 20
_SWAP_WORK = 40_000_000  # array elements that improving a design may touch: about a second
_NEVER = 2**62

Lineup = tuple[int, ...]
_Ints = npt.NDArray[np.int64]


def spec_lineups(spec: TournamentSpec, entrants: Sequence[Entrant]) -> tuple[Lineup, ...]:
    """The lineups that ``spec`` makes of ``entrants``. Raises ``ArenaError`` with the place in the file."""
    names = [entrant.name for entrant in entrants]
    unknown = [(i, name) for i, name in enumerate(spec.against) if name not in names]
    if unknown:
        raise ArenaError(
            spec.problem(
                f"against.{i}", f'no bot is called "{name}"{nearest(name, names)} (bots: {", ".join(names)})'
            )
            for i, name in unknown
        )
    against = [names.index(name) for name in spec.against]
    try:
        return lineups(
            len(names), spec.seats, spec.schedule, count=spec.lineups, against=against, seed=spec.seed
        )
    except ArenaError as error:
        key = "seats" if len(names) < spec.seats else "lineups" if spec.lineups else "schedule"
        raise ArenaError([spec.problem(key, problem.message) for problem in error.problems]) from None


def lineups(
    entrants: int,
    seats: int,
    schedule: str = "round_robin",
    *,
    count: int | None = None,
    against: Sequence[int] = (),
    seed: int = 0,
) -> tuple[Lineup, ...]:
    """The lineups of a schedule, each ascending, all different, in ascending order.

    ``count`` is for ``balanced``, ``against`` (indices) for ``gauntlet``. Raises ``ArenaError`` where the
    numbers are impossible.

    >>> lineups(4, 3)
    ((0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3))
    >>> lineups(4, 2, "gauntlet", against=[1])
    ((0, 1), (1, 2), (1, 3))
    """
    if entrants < seats:
        fewer = f", or write seats: {entrants}" if entrants >= 2 else ""
        raise ArenaError(f"{plural(entrants, 'bot')} cannot fill a table of {seats} seats; add bots{fewer}")
    if schedule == "balanced":
        return _balanced(entrants, seats, count or 0, seed)
    if schedule == "gauntlet":
        return _gauntlet(entrants, seats, sorted(set(against)))
    if schedule != "round_robin":
        raise ValueError(schedule)
    _check_number(math.comb(entrants, seats), f"{entrants} bots at tables of {seats}")
    return tuple(combinations(range(entrants), seats))


def _check_number(number: int, of: str) -> None:
    if number > MAX_LINEUPS:
        way_out = "write schedule: balanced with lineups: N, or fewer seats"
        raise ArenaError(f"{of} make {number:,} lineups, more than {MAX_LINEUPS:,}; {way_out}")


def _gauntlet(entrants: int, seats: int, against: Sequence[int]) -> tuple[Lineup, ...]:
    """Each challenger with every choice of ``seats − 1`` of ``against``; no two challengers meet."""
    if len(against) < seats - 1:
        way_out = f"name {seats - 1} or more under against:, or write seats: {len(against) + 1}"
        raise ArenaError(f"a gauntlet with {seats} seats needs {plural(seats - 1, 'bot')} to meet; {way_out}")
    challengers = [i for i in range(entrants) if i not in set(against)]
    if not challengers:
        raise ArenaError(
            "against: names every bot, so nobody is left to meet them; take one away or add a bot"
        )
    number = len(challengers) * math.comb(len(against), seats - 1)
    of = f"{plural(len(challengers), 'challenger')} against {plural(len(against), 'bot')}"
    _check_number(number, f"{of} at tables of {seats}")
    tables = combinations(against, seats - 1)
    return tuple(sorted(tuple(sorted((c, *table))) for table in tables for c in challengers))


def _balanced(entrants: int, seats: int, count: int, seed: int) -> tuple[Lineup, ...]:
    every = math.comb(entrants, seats)
    least = -(-entrants // seats)
    if count < least:
        what = f"{plural(count, 'lineup')} of {seats} {'leaves' if count == 1 else 'leave'}"
        raise ArenaError(f"{what} some of {entrants} bots without a game; write lineups: {least} or more")
    if count > every:
        way_out = f"write lineups: {every}{' or fewer' if every > 1 else ''}, or schedule: round_robin"
        raise ArenaError(
            f"{entrants} bots at tables of {seats} make only {plural(every, 'lineup')}; {way_out}"
        )
    if count > MAX_LINEUPS:
        raise ArenaError(f"expected at most {MAX_LINEUPS:,} lineups, got {count:,}; write fewer")
    key = chance.key("lineups", seed, entrants, seats, count)
    if 2 * count <= every:
        return _design(entrants, seats, count, key)
    left_out = set(_design(entrants, seats, every - count, key))  # as even as what it leaves
    return tuple(lineup for lineup in combinations(range(entrants), seats) if lineup not in left_out)


def _design(entrants: int, seats: int, count: int, key: int) -> tuple[Lineup, ...]:
    """``count`` different lineups, as even as chance, greed and swaps make them."""
    for attempt in range(_ATTEMPTS):
        tables = _greedy(entrants, seats, count, chance.key(key, attempt))
        _improve(tables, entrants)
        chosen = sorted(tuple(sorted(table)) for table in tables.tolist())
        if len(set(chosen)) == count:
            return tuple(chosen)
    raise AssertionError(f"no {count} different lineups of {seats} of {entrants} in {_ATTEMPTS} attempts")


def _greedy(entrants: int, seats: int, count: int, key: int) -> _Ints:
    """Lineups ``(count, seats)``: each seat to who played least, then met others least, then by chance."""
    keys = np.array([key], dtype=np.uint64)
    draws = np.arange(1, entrants + 1, dtype=np.uint64)
    plays = np.zeros(entrants, dtype=np.int64)
    meets = np.zeros((entrants, entrants), dtype=np.int64)
    tables = np.empty((count, seats), dtype=np.int64)
    seen: set[bytes] = set()
    draw = 0
    for row in range(count):
        for _ in range(_ATTEMPTS):
            words = chance.words(keys, draws + np.uint64(draw * entrants))
            draw += 1
            rank = (plays << 42) + (words >> np.uint64(44)).astype(np.int64)
            table = []
            for _ in range(seats):
                one = int(rank.argmin())
                table.append(one)
                rank += meets[one] << 20
                rank[one] = np.iinfo(np.int64).max // 2
            table.sort()
            tables[row] = table
            if tables[row].tobytes() not in seen:
                break
        seen.add(tables[row].tobytes())
        plays[table] += 1
        meets[np.ix_(table, table)] += 1
    return tables


def _improve(tables: _Ints, entrants: int) -> None:
    """Swap members between lineups, in place, while that lowers the sum of squares of how often pairs meet.

    Before that, lineups that are there twice are swapped apart at the least cost.
    """
    count, seats = tables.shape
    meets = _meets(tables, entrants)
    there = Counter(map(_lineup, tables))
    for row in range(count):
        if there[_lineup(tables[row])] > 1:
            any(_swap(tables, meets, there, row, seat, below=_NEVER) for seat in range(seats))
    work = _SWAP_WORK
    is_better = True
    while is_better and work > 0:
        is_better = False
        for row in range(count):
            for seat in range(seats):
                work -= count * seats * seats
                if work > 0 and _swap(tables, meets, there, row, seat, below=0):
                    is_better = True


def _lineup(table: _Ints) -> Lineup:
    return tuple(sorted(table.tolist()))


def _swap(tables: _Ints, meets: _Ints, there: Counter[Lineup], row: int, seat: int, below: int) -> bool:
    """Make the swap of one member that costs least, below ``below``, and makes two new lineups."""
    costs = _costs(tables, meets, row, seat)
    tried = min(costs.size, 4) if below == 0 else costs.size
    for flat in np.argsort(costs, axis=None, kind="stable")[:tried].tolist():
        other, place = divmod(flat, tables.shape[1])
        if costs[other, place] >= below:
            return False
        pair = tables[[row, other]]
        pair[0, seat], pair[1, place] = pair[1, place], pair[0, seat]
        new = [_lineup(table) for table in pair]
        if new[0] == new[1] or there[new[0]] or there[new[1]]:
            continue
        there.subtract([_lineup(tables[row]), _lineup(tables[other])])
        there.update(new)
        for table, times in ((tables[row], -1), (tables[other], -1), (pair[0], 1), (pair[1], 1)):
            _count(meets, table, times)
        tables[[row, other]] = pair
        return True
    return False


def _costs(tables: _Ints, meets: _Ints, row: int, seat: int) -> _Ints:
    """Half the change of the sum of squares, ``(lineups, seats)``, if one member swaps with another.

    Of a pair that meets m times, m² changes by 1 − 2m for a meeting less and by 1 + 2m for one more. Pairs
    with someone who sits at both tables keep their number. Where no swap is possible: ``_NEVER``.
    """
    out, rest = tables[row, seat], np.delete(tables[row], seat)
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


def _meets(tables: npt.ArrayLike, entrants: int) -> _Ints:
    """How often pairs meet, ``(entrants, entrants)``; the diagonal is 0."""
    meets = np.zeros((entrants, entrants), dtype=np.int64)
    rows = np.asarray(tables, dtype=np.int64)
    for a in range(rows.shape[1]):
        for b in range(rows.shape[1]):
            if a != b:
                np.add.at(meets, (rows[:, a], rows[:, b]), 1)
    return meets


def _count(meets: _Ints, table: _Ints, times: int) -> None:
    for one in table.tolist():
        meets[one, table] += times
        meets[one, one] = 0


def meeting_spread(lineups: Sequence[Lineup], entrants: int) -> tuple[int, int]:
    """How many lineups the pair that meets least, and the one that meets most, share.

    >>> meeting_spread(((0, 1), (1, 2)), 3)
    (0, 1)
    """
    if entrants < 2 or not lineups:
        return 0, 0
    meets = _meets(lineups, entrants)[np.triu_indices(entrants, 1)]
    return int(meets.min()), int(meets.max())
