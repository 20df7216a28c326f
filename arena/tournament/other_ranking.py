"""The same bots ranked by the other goal: by games won where chips rank, by chips where games won do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from arena.analysis.differences import Differences, differences
from arena.analysis.intervals import Floats
from arena.analysis.ranks import rank_intervals, ranks

RankBy = Literal["adjusted", "chips", "wins"]


@dataclass(frozen=True)
class OtherLine:
    """A bot by the other goal; ``place`` is its place in the standings.

    ``mean`` and ``behind`` (the first by this goal) are chips a game or shares of games. ``half_width`` is of ``behind``
    and holds for all pairs at once: None for the first, where there is no spread, and of shares that may differ by all.
    """

    place: int
    rank: int
    rank_low: int
    rank_high: int
    mean: float
    behind: float
    half_width: float | None
    is_separated: bool


@dataclass(frozen=True)
class OtherRanking:
    """Who is better by the other goal, best first: at least two bots."""

    rank_by: RankBy
    lines: tuple[OtherLine, ...]


def other_ranking(x: Floats, rank_by: RankBy, confidence: float) -> OtherRanking | None:
    """The columns of ``x`` ``(deals, bots)``, which stand in the order of the standings, ranked by their own means.

    Differences, intervals and rank ranges are those of ``differences`` and ``rank_intervals``, all pairs at once at
    ``confidence``. None for fewer than two bots.
    """
    if x.shape[1] < 2:
        return None
    diff = differences(x, confidence)
    means = x.mean(axis=0)
    place = ranks(means)
    ranges = rank_intervals(means, diff.separated)
    order: Sequence[int] = np.argsort(place, kind="stable").tolist()
    first = order[0]
    lines = []
    for bot in order:
        half = half_width_of(diff, first, bot, rank_by)
        low, high = (int(rank) for rank in ranges[bot])
        behind, is_separated = float(diff.mean[first, bot]), bool(diff.separated[first, bot])
        lines.append(
            OtherLine(bot, int(place[bot]), low, high, float(means[bot]), behind, half, is_separated)
        )
    return OtherRanking(rank_by, tuple(lines))


def half_width_of(diff: Differences, i: int, j: int, rank_by: RankBy) -> float | None:
    """That of the difference of two columns, None where there is none: one deal, one number on every deal (so for a column
    and itself), or of shares as wide as all that they can differ by.
    """
    if diff.half_width is None or diff.is_constant[i, j]:
        return None
    half = float(diff.half_width[i, j])
    return None if rank_by == "wins" and half >= 1 else half
