"""The standings and the head-to-head as CSV, for spreadsheets and programs."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

import numpy as np

from arena.analysis.differences import P_FLOOR
from arena.analysis.intervals import Interval
from arena.analysis.ratings import Rating
from arena.analysis.skill import SkillReport
from arena.bot.faults import Fault
from arena.report.text import csv_name
from arena.tournament.standings import BotStanding, Standings

Cell = str | int | float | None

_KINDS = [kind for kind in Fault if kind is not Fault.NONE]
STANDINGS_COLUMNS = [
    "rank",
    "rank_low",
    "rank_high",
    "bot",
    "adjusted",
    "adjusted_low",
    "adjusted_high",
    "chips",
    "chips_low",
    "chips_high",
    "games_saved",
    "win_share",
    "win_share_low",
    "win_share_high",
    "win_share_adjusted",
    "win_share_adjusted_low",
    "win_share_adjusted_high",
    "groups",
    "games",
    "turns",
    "bust_share",
    "largest_loss",
    "decisions",
    "lost_per_decision_chips",
    "fresh_lost_per_decision_chips",
    "error_rate",
    "fresh_error_rate",
    "agreement",
    "fresh_agreement",
    "last_turns",
    "last_turns_unforced",
    "win_lost_per_turn",
    "elo",
    "elo_low",
    "elo_high",
    "elo_pool",
    "elo_reason",
    "faults",
] + ["faults_" + kind.label.replace(" ", "_") for kind in _KINDS]
HEAD_TO_HEAD_COLUMNS = [
    "bot",
    "other",
    "of",
    "difference",
    "se",
    "low",
    "high",
    "p",
    "p_holm",
    "separated",
    "never_varies",
    "raw_difference",
    "direct_games",
    "direct_chips",
]


def standings_csv(standings: Standings) -> bytes:
    """One line for each bot, best first. Shares are fractions, chips are net chips a game."""
    return _csv(STANDINGS_COLUMNS, map(_standing, standings.bots))


def _standing(bot: BotStanding) -> list[Cell]:
    counts = {fault.kind: fault.count for fault in bot.faults}
    return [
        bot.rank,
        bot.rank_low,
        bot.rank_high,
        csv_name(bot.name),
        *_interval(bot.adjusted),
        *_interval(bot.chips),
        bot.games_saved,
        *_interval(bot.wins),
        *_interval(bot.wins_adjusted),
        bot.letters,
        bot.games,
        bot.turns,
        bot.busts,
        bot.largest_loss,
        *_skill(bot.skill),
        *_rating(bot.rating),
        bot.n_faults,
        *(counts.get(kind, 0) for kind in _KINDS),
    ]


def _interval(interval: Interval | None) -> list[Cell]:
    return [None] * 3 if interval is None else [interval.mean, interval.low, interval.high]


def _skill(skill: SkillReport | None) -> list[Cell]:
    """Decisions, losses, error rates, agreements, last turns; empty where no bet was graded."""
    if skill is None:
        return [None] * 10
    row = skill.total
    return [
        row.decisions,
        *(row.lost_per_decision_chips, row.fresh_lost_per_decision_chips),
        *(row.error_rate, row.fresh_error_rate),
        *(row.agreement, row.fresh_agreement),
        *(skill.last_turns, skill.last_turns_unforced, skill.win_lost_per_turn),
    ]


def _rating(rating: Rating) -> list[Cell]:
    """Elo, its interval, the pool it compares in, and why there is no interval."""
    half = rating.half_width
    ends = [None, None] if rating.elo is None or half is None else [rating.elo - half, rating.elo + half]
    return [rating.elo, *ends, rating.pool + 1, None if rating.reason is None else str(rating.reason)]


def head_to_head_csv(standings: Standings) -> bytes:
    """One line for each ordered pair: ``bot`` minus ``other`` by deal, and the games both sat at.

    ``of`` is what the difference is of: what ranks. ``raw_difference`` is that of raw chips a game, ``direct_chips``
    the net chips a game of ``bot`` at tables with ``other``.
    """
    bots = standings.bots
    pairs = ((i, j) for i in range(len(bots)) for j in range(len(bots)) if i != j)
    return _csv(HEAD_TO_HEAD_COLUMNS, (_pair(standings, i, j) for i, j in pairs))


def _pair(standings: Standings, i: int, j: int) -> list[Cell]:
    games, bot, other = standings.meeting_games[i][j], standings.bots[i], standings.bots[j]
    return [
        csv_name(bot.name),
        csv_name(other.name),
        standings.rank_by,
        *_difference(standings, i, j),
        bot.chips.mean - other.chips.mean if bot.games and other.games else None,
        games,
        standings.meeting_net[i][j] / games if games else None,
    ]


def _difference(standings: Standings, i: int, j: int) -> list[Cell]:
    """Difference, standard error, interval, p, Holm's p, separated, never varies; empty where there are none."""
    diff = standings.differences
    if diff is None or max(i, j) >= len(diff.mean):
        return [None] * 8
    mean = float(diff.mean[i, j])
    if diff.half_width is None or diff.p is None or diff.p_holm is None:
        return [mean, None, None, None, None, None, "no", "no"]
    half = standings.half_width(i, j)
    return [
        mean,
        None if diff.is_constant[i, j] else float(diff.se[i, j]),
        None if half is None else mean - half,
        None if half is None else mean + half,
        _p(diff.p[i, j]),
        _p(diff.p_holm[i, j]),
        "yes" if diff.separated[i, j] else "no",
        "yes" if diff.is_constant[i, j] else "no",
    ]


def _p(p: float | np.float64) -> Cell:
    return "<1e-9" if p <= P_FLOOR else float(p)


def _csv(columns: Sequence[str], lines: Iterable[Sequence[Cell]]) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_cell(cell) for cell in line] for line in lines)
    return out.getvalue().encode("utf-8")


def _cell(cell: Cell) -> Cell:
    """Floats with ten significant digits: what is beyond them may differ between processors."""
    if isinstance(cell, float):
        return f"{cell:.10g}" if cell else "0"
    return "" if cell is None else cell
