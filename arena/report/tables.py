"""The standings and the head-to-head as CSV, for spreadsheets and programs."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

import numpy as np

from arena.analysis.differences import P_FLOOR, Differences
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
    "chips",
    "chips_low",
    "chips_high",
    "win_share",
    "win_share_low",
    "win_share_high",
    "groups",
    "games",
    "turns",
    "bust_share",
    "largest_loss",
    "faults",
] + ["faults_" + kind.label.replace(" ", "_") for kind in _KINDS]
HEAD_TO_HEAD_COLUMNS = [
    "bot",
    "other",
    "difference",
    "low",
    "high",
    "p",
    "p_holm",
    "separated",
    "never_varies",
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
        *(bot.chips.mean, bot.chips.low, bot.chips.high),
        *(bot.wins.mean, bot.wins.low, bot.wins.high),
        bot.letters,
        bot.games,
        bot.turns,
        bot.busts,
        bot.largest_loss,
        bot.n_faults,
        *(counts.get(kind, 0) for kind in _KINDS),
    ]


def head_to_head_csv(standings: Standings) -> bytes:
    """One line for each ordered pair: ``bot`` minus ``other`` by deal, and the games both sat at.

    ``direct_chips`` are the net chips a game of ``bot`` at tables with ``other``.
    """
    bots = standings.bots
    pairs = ((i, j) for i in range(len(bots)) for j in range(len(bots)) if i != j)
    return _csv(HEAD_TO_HEAD_COLUMNS, (_pair(standings, i, j) for i, j in pairs))


def _pair(standings: Standings, i: int, j: int) -> list[Cell]:
    games = standings.meeting_games[i][j]
    return [
        csv_name(standings.bots[i].name),
        csv_name(standings.bots[j].name),
        *_difference(standings.differences, i, j),
        games,
        standings.meeting_net[i][j] / games if games else None,
    ]


def _difference(diff: Differences | None, i: int, j: int) -> list[Cell]:
    """Difference, interval, p, Holm's p, separated, never varies; empty where there are none."""
    if diff is None or max(i, j) >= len(diff.mean):
        return [None] * 7
    mean = float(diff.mean[i, j])
    if diff.half_width is None or diff.p is None or diff.p_holm is None:
        return [mean, None, None, None, None, "no", "no"]
    half = None if diff.is_constant[i, j] else float(diff.half_width[i, j])
    return [
        mean,
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
