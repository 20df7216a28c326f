"""Means by deal with their intervals: the deal is the sampling unit, nothing below it is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import stdtrit

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

SAME = 1e-9  # a spread below this part of the values' own size is rounding, not chance


@dataclass(frozen=True)
class Interval:
    """A mean over deals and half the width of its interval.

    ``half_width`` is None where there is none: after one deal, or where ``is_identical``: every deal gave the
    same number, so that there is no spread to judge by (which is not the same as being sure to ±0).
    """

    mean: float
    half_width: float | None
    is_identical: bool = False

    @property
    def low(self) -> float | None:
        """The lower end, or None."""
        return None if self.half_width is None else self.mean - self.half_width

    @property
    def high(self) -> float | None:
        """The upper end, or None."""
        return None if self.half_width is None else self.mean + self.half_width


def of_share(interval: Interval) -> Interval:
    """The interval of a share, or none where it is as wide as all that a share can be: that is not enough deals.

    >>> of_share(Interval(0.83, 2.12)), of_share(Interval(0.83, 0.12))
    (Interval(mean=0.83, half_width=None, is_identical=False), Interval(mean=0.83, half_width=0.12, is_identical=False))
    """
    half = interval.half_width
    return interval if half is None or half < 0.5 else Interval(interval.mean, None)


def is_constant(x: Floats, scale: Floats | float) -> Bools:
    """Which columns of ``x`` ``(deals, n)`` hold one number but for rounding at ``scale`` (``(n,)`` or one).

    >>> is_constant(np.array([[0.1 + 0.2, 1.0], [0.3, 2.0]]), 1.0)
    array([ True, False])
    """
    found: Bools = np.ptp(x, axis=0) <= SAME * np.maximum(scale, np.finfo(np.float64).tiny)
    return found


def t_quantile(confidence: float, deals: float) -> float:
    """Student's two-sided quantile with ``deals − 1`` degrees of freedom; ``deals`` at least 2."""
    return float(stdtrit(deals - 1, (1 + confidence) / 2))


def intervals(x: Floats, confidence: float) -> tuple[Interval, ...]:
    """For each column of ``x`` ``(deals, bots)`` its mean ± ``t · sd / √deals``.

    The deal is the sampling unit (statistics.md). Raises ``ValueError`` where there is no deal.
    """
    deals = len(x)
    if deals == 0:
        raise ValueError("no deals, no means")
    means = x.mean(axis=0)
    if deals == 1:
        return tuple(Interval(float(m), None) for m in means)
    constant = is_constant(x, np.abs(x).max(axis=0))
    halves = t_quantile(confidence, deals) * x.std(axis=0, ddof=1) / np.sqrt(deals)
    return tuple(
        Interval(float(first), None, is_identical=True) if same else Interval(float(m), float(h))
        for m, h, same, first in zip(means, halves, constant, x[0], strict=True)
    )
