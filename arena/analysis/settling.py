"""How the means settle: what the first deals alone would have said, at a few numbers of deals."""

from __future__ import annotations

from dataclasses import dataclass

from arena.analysis.intervals import Floats, Interval, intervals
from arena.analysis.stopping import sequence_intervals

POINTS = 32


@dataclass(frozen=True)
class Settling:
    """``intervals[k]`` are those of all bots after the first ``deals[k]`` deals; the last are those of all deals."""

    deals: tuple[int, ...]
    intervals: tuple[tuple[Interval, ...], ...]


def prefixes(deals: int, points: int = POINTS) -> tuple[int, ...]:
    """Numbers of deals evenly apart, ``points`` of them if there are as many, the last being all.

    >>> prefixes(10, 4), prefixes(3, 32)
    ((3, 5, 8, 10), (1, 2, 3))
    """
    return tuple(sorted({-(-deals * k // points) for k in range(1, points + 1)}))


def settling(x: Floats, confidence: float, looked_from: int | None = None) -> Settling:
    """The means of the columns of ``x`` ``(deals, bots)`` over its first rows, with intervals of each by itself.

    With ``looked_from``, the least deals before the first look of a run that may stop early, intervals are the confidence
    sequence's; others are those for a number of deals fixed beforehand. Rows are taken as they are: what was learned from
    all deals (the stakes in adjusted chips) is not learned anew. Raises ``ValueError`` without deals.
    """
    at = prefixes(len(x))
    if not at:
        raise ValueError("no deals, nothing to settle")
    if looked_from is None:
        return Settling(at, tuple(intervals(x[:n], confidence) for n in at))
    return Settling(at, tuple(sequence_intervals(x[:n], confidence, looked_from) for n in at))
