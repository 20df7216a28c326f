"""What changed between two runs, with intervals that hold for everything that is compared at once.

Rows of one seed are rows of the same deals: whatever the tables, bots meet cards that follow from the same numbers. So rows
of a deal hang together and are compared deal by deal, ``d = y − x``, one number a deal. Rows of different seeds are
independent samples: Welch's interval, ``ȳ − x̄ ± t · √(s²ₓ/n + s²ᵧ/m)`` with Satterthwaite's degrees of freedom
(Biometrika 34, 1947; Biometrics Bulletin 2, 1946). Many of them hold together by Bonferroni's inequality.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arena.analysis.intervals import SAME, Floats, Interval, is_constant, t_quantile


@dataclass(frozen=True)
class Change:
    """A mean's change; ``deals`` are those compared, the fewer of the two where they are not paired.

    ``is_sure``: the interval excludes 0; or the change was the same on every deal, not 0, and there are deals enough for
    that to be no chance (the sign test).
    """

    interval: Interval
    deals: int
    is_sure: bool

    @property
    def mean(self) -> float:
        """The change itself."""
        return self.interval.mean


def changes(x: Floats, y: Floats, confidence: float, is_paired: bool) -> tuple[Change, ...]:
    """How the mean of each column changes from ``x`` ``(deals, n)`` to ``y``, all of them together at ``confidence``.

    Paired rows are of the same deals. Raises ``ValueError`` without deals, or for paired rows that are not as many.
    """
    deals = min(len(x), len(y))
    if deals == 0:
        raise ValueError("no deals, no changes")
    columns = x.shape[1]
    each = 1 - (1 - confidence) / max(columns, 1)
    found = _paired(x, y, each) if is_paired else [_welch(x[:, i], y[:, i], each) for i in range(columns)]
    return tuple(Change(at, deals, _is_sure(at, deals, 1 - each)) for at in found)


def _is_sure(at: Interval, deals: int, alpha: float) -> bool:
    if at.is_identical:
        return at.mean != 0 and 2.0 ** (1 - min(deals, 1000)) <= alpha
    return at.half_width is not None and abs(at.mean) > at.half_width


def _paired(x: Floats, y: Floats, confidence: float) -> list[Interval]:
    if len(x) != len(y):
        raise ValueError(f"expected rows of the same deals, got {len(x)} and {len(y)}")
    scale = np.maximum(np.abs(x), np.abs(y)).max(axis=0)
    d = y - x
    return [_of_differences(d[:, i], float(scale[i]), confidence) for i in range(d.shape[1])]


def _of_differences(d: Floats, scale: float, confidence: float) -> Interval:
    """The interval of one column of differences; what is below rounding at ``scale`` is nothing."""
    if len(d) == 1:
        return Interval(float(d[0]), None)
    if is_constant(d[:, None], scale)[0]:
        return Interval(0.0 if abs(d[0]) <= SAME * scale else float(d[0]), None, is_identical=True)
    half = t_quantile(confidence, len(d)) * d.std(ddof=1) / np.sqrt(len(d))
    return Interval(float(d.mean()), float(half))


def _welch(x: Floats, y: Floats, confidence: float) -> Interval:
    mean = float(y.mean() - x.mean())
    if min(len(x), len(y)) < 2:
        return Interval(mean, None)
    scale = float(max(np.abs(x).max(), np.abs(y).max()))
    same = [bool(is_constant(z[:, None], scale)[0]) for z in (x, y)]
    if all(same):
        return Interval(0.0 if abs(mean) <= SAME * scale else mean, None, is_identical=True)
    a, b = (0.0 if const else z.var(ddof=1) / len(z) for const, z in zip(same, (x, y), strict=True))
    freedom = (a + b) ** 2 / (a * a / (len(x) - 1) + b * b / (len(y) - 1))
    quantile = t_quantile(confidence, freedom + 1)
    return Interval(mean, float(quantile * np.sqrt(a + b)))


def leads(x: Floats) -> Floats:
    """The differences of all pairs of columns i < j, ``(deals, pairs)``, in the order of ``itertools.combinations``."""
    i, j = np.triu_indices(x.shape[1], 1)
    return np.asarray(x[:, i] - x[:, j])
