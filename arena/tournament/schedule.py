"""Who meets whom: lineups of entrants (by index in content order).

``balanced`` is a seeded design: everyone plays as often as everyone else to within one lineup, and how often
pairs meet is perfectly even where a known design makes it so, and else as even as a search finds (even.py). Nothing
here depends on the roster's order, on time, or on global chance.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from arena.errors import ArenaError, nearest
from arena.game import chance
from arena.tournament.even import Lineup as Lineup  # of this module, to others
from arena.tournament.even import even_lineups, meetings
from arena.wording import plural

if TYPE_CHECKING:
    from arena.bot.entrant import Entrant
    from arena.tournament.spec import TournamentSpec

MAX_LINEUPS = 1_000_000


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
        return even_lineups(entrants, seats, count, key)
    left_out = set(even_lineups(entrants, seats, every - count, key))  # as even as what it leaves
    return tuple(lineup for lineup in combinations(range(entrants), seats) if lineup not in left_out)


def meeting_spread(lineups: Sequence[Lineup], entrants: int) -> tuple[int, int]:
    """How many lineups the pair that meets least, and the one that meets most, share.

    >>> meeting_spread(((0, 1), (1, 2)), 3)
    (0, 1)
    """
    if entrants < 2 or not lineups:
        return 0, 0
    meets = meetings(lineups, entrants)[np.triu_indices(entrants, 1)]
    return int(meets.min()), int(meets.max())
