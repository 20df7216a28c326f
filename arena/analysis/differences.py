"""Differences of bots by deal, with intervals that hold for all pairs at once.

Everything is over ``d = x[:, i] − x[:, j]``, one number a deal, each pair with its own standard error.
The range of studentized_range is only the yardstick: Tukey's test for independent groups must not be used
on shared deals.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.special import gammainccinv, gammaincinv, ndtr, stdtr, stdtrit

from arena.analysis.intervals import Bools, Floats, is_constant

P_FLOOR = 1e-9  # below this a p is only said to be below it
_TAIL = 1e-16  # of the spread's law, left out at either end
_ENDLESS = 10**9  # deals, after which the quantile changes no more
_CHUNK = 64  # ranges worked on at a time: a few MB


@dataclass(frozen=True)
class Differences:
    """All pairs of bots; every array is ``(bots, bots)``, ``[i, j]`` is about bot i minus bot j.

    ``half_width`` is of the simultaneous interval, 0 where ``is_constant``: the difference was the same
    on every deal. After one deal ``quantile``, ``half_width``, ``p`` and ``p_holm`` are None and no pair
    is separated. ``p`` never reads below ``P_FLOOR``. ``quantile`` is that of |t|: studentized range /
    √2.
    """

    deals: int
    mean: Floats
    se: Floats
    is_constant: Bools
    separated: Bools
    quantile: float | None
    half_width: Floats | None
    p: Floats | None
    p_holm: Floats | None


def differences(x: Floats, confidence: float) -> Differences:
    """All pairs of the columns of ``x`` ``(deals, bots)`` with simultaneous intervals at ``confidence``.

    ``d̄ ± studentized_range.ppf(confidence, bots, deals − 1) / √2 · se_d``; separated: that interval
    excludes 0; ``p = studentized_range.sf(√2 |t|, bots, deals − 1)`` (statistics.md, "Differences and
    ranks"). A difference that never varies has no t: it is judged by the sign test over all deals, ``2^(1
    − deals)`` times the number of pairs, so that two equal deals prove nothing and a thousand do. Raises
    ``ValueError`` without deals.
    """
    deals, bots = x.shape
    if deals == 0:
        raise ValueError("no deals, no differences")
    mean, se, constant = moments(x)
    if deals == 1 or bots < 2:
        nobody = np.zeros((bots, bots), dtype=np.bool_)
        return Differences(deals, mean, se, constant, nobody, None, None, None, None)
    quantile = max_t_quantile(confidence, bots, deals)
    t = np.divide(np.abs(mean), se, out=np.zeros_like(mean), where=~constant)
    never_varies = constant & (mean != 0)
    one_p = 2 * stdtr(deals - 1, -t)
    one_p[never_varies] = 2.0 ** (1 - min(deals, 1000))
    p = np.ones_like(mean)
    upper = np.triu_indices(bots, 1)
    p[upper] = max_t_sf(t[upper], bots, deals)
    p[upper] = np.where(never_varies[upper], np.minimum(one_p[upper] * len(upper[0]), 1), p[upper])
    holm = np.ones_like(mean)
    holm[upper] = holm_adjust(one_p[upper])
    lower = (upper[1], upper[0])
    p[lower], holm[lower] = p[upper], holm[upper]
    separated = np.where(constant, never_varies & (p <= 1 - confidence), t > quantile)
    return Differences(
        deals,
        mean,
        se,
        constant,
        separated,
        quantile,
        half_width=quantile * se,
        p=np.maximum(p, P_FLOOR),
        p_holm=np.maximum(holm, P_FLOOR),
    )


def moments(x: Floats) -> tuple[Floats, Floats, Bools]:
    """Of all pairs of columns: mean, standard error (0 if constant), whether constant; ``(bots, bots)``."""
    deals, bots = x.shape
    mean, se = np.zeros((bots, bots)), np.zeros((bots, bots))
    constant = np.eye(bots, dtype=np.bool_)
    size = np.abs(x).max(axis=0)
    for i in range(bots - 1):
        d = x[:, i, None] - x[:, i + 1 :]
        scale = np.maximum(size[i], size[i + 1 :])
        same = is_constant(d, scale) if deals > 1 else np.zeros(bots - i - 1, dtype=np.bool_)
        middle = np.where(same, d[0], d.mean(axis=0))
        middle[same & (np.abs(middle) <= 1e-9 * scale)] = 0.0
        mean[i, i + 1 :], mean[i + 1 :, i] = middle, -middle
        if deals > 1:
            spread = np.where(same, 0.0, d.std(axis=0, ddof=1) / np.sqrt(deals))
            se[i, i + 1 :] = se[i + 1 :, i] = spread
            constant[i, i + 1 :] = constant[i + 1 :, i] = same
    return mean + 0.0, se, constant  # + 0.0: no negative zeros


def holm_adjust(p: Floats) -> Floats:
    """Holm's step-down p for each of the p-values ``(m,)`` (Scandinavian Journal of Statistics 6, 1979).

    >>> holm_adjust(np.array([0.01, 0.04, 0.03])).round(6).tolist()
    [0.03, 0.06, 0.06]
    """
    order = np.argsort(p, kind="stable")
    out = np.empty_like(p)
    out[order] = np.minimum(np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1)), 1.0)
    return out


@lru_cache(maxsize=64)
def max_t_quantile(confidence: float, bots: int, deals: int) -> float:
    """``studentized_range.ppf(confidence, bots, deals − 1) / √2``: where :func:`max_t_sf` is 1 − confidence.

    So intervals and p agree. scipy's own needs 0.4 s for its import and 0.2 s for a value, and goes wrong in
    the far tail: for two bots, two deals and 99.99 % it says 5,238, where Student's t says 6,366.
    """
    alpha = 1 - confidence
    low = -float(stdtrit(deals - 1, alpha / 2))  # of one pair, and by the union bound: it is between them
    high = -float(stdtrit(deals - 1, alpha / (bots * (bots - 1))))
    while high - low > 1e-12 * high:
        t = np.linspace(low, high, 33)
        step = int((max_t_sf(t[1:-1], bots, deals) > alpha).sum())
        if (t[step], t[step + 1]) == (low, high):
            break
        low, high = float(t[step]), float(t[step + 1])
    return (low + high) / 2


def later_quantiles(confidence: float, bots: int, deals: int) -> Callable[[int], float]:
    """:func:`max_t_quantile` for ``deals`` or more, from three of its values, since one costs 0.1 s for 50 bots.

    The logarithm is a parabola in 1 / (n − 1) through n − 1 = deals − 1, three times that, and infinity: within 0.01 %
    from 20 deals on at 95 %, within 5 % always but in the far tail of two or three deals.
    """
    x1, x2 = 1 / (deals - 1), 1 / (3 * (deals - 1))
    y1, y2, y0 = (np.log(max_t_quantile(confidence, bots, n)) for n in (deals, 3 * deals - 2, _ENDLESS))
    slope1, slope2 = (y1 - y0) / x1, (y2 - y0) / x2
    bend = (slope1 - slope2) / (x1 - x2)

    def quantile(n: int) -> float:
        x = 1 / (n - 1)
        return float(np.exp(y0 + x * (slope1 + bend * (x - x1))))

    return quantile


def max_t_sf(t: Floats, bots: int, deals: int) -> Floats:
    """``studentized_range.sf(√2 t, bots, deals − 1)`` for ``t ≥ 0`` ``(n,)``.

    scipy takes 10 ms a value, 12 s for the 1,225 pairs of 50 bots, 20 times this, and is no nearer. Where
    the union bound ``pairs · P(|T| > t)`` is below ``P_FLOOR`` it stands instead. The integrals are ``P(Q
    > q) = ∫ g(s) R(q s) ds`` with g the law of a standard deviation and ``R(w) = K ∫ φ(z) (Φ(z)^(K−1) −
    (Φ(z) − Φ(z − w))^(K−1)) dz`` the law of the range of K normals (Lund & Lund, Applied Statistics 32,
    1983), each by the trapezoidal rule, which converges exponentially on such integrands.
    """
    bound = bots * (bots - 1) * stdtr(deals - 1, -t)
    if bots == 2:
        return np.asarray(bound)
    out = np.minimum(bound, 1.0)
    spreads, weights = _spread_nodes(deals - 1)
    rows = np.flatnonzero(bound >= P_FLOOR)
    for at in range(0, len(rows), _CHUNK):
        some = rows[at : at + _CHUNK]
        w = np.sqrt(2) * t[some, None] * spreads
        beyond = (w < 1e-6).astype(np.float64)  # the sure end; above 17 nothing is left
        matters = (w >= 1e-6) & (w <= 17)
        beyond[matters] = _range_sf(w[matters], bots)
        p = beyond @ weights
        out[some] = np.clip(p, 0.0, out[some])
    return out


def _spread_nodes(df: int) -> tuple[Floats, Floats]:
    """Nodes ``(n,)`` for s, s² being chi-square/df, even in log s, and weights that sum to 1."""
    low = np.log(gammaincinv(df / 2, _TAIL) * 2 / df) / 2
    high = np.log(gammainccinv(df / 2, _TAIL) * 2 / df) / 2
    log_s = np.linspace(low, high, max(64, int((high - low) / 0.15)))
    log_density = df * log_s - df * np.exp(2 * log_s) / 2
    weights = np.exp(log_density - log_density.max())
    return np.exp(log_s), weights / weights.sum()


def _range_sf(w: Floats, bots: int) -> Floats:
    """The chance that the range of ``bots`` standard normals exceeds ``w`` (any shape)."""
    z = np.linspace(-8.5, 8.5, 137)
    density = bots * np.exp(-z * z / 2) / np.sqrt(2 * np.pi) * (z[1] - z[0])
    below = ndtr(z)
    within = (below - ndtr(z - w[..., None])) ** (bots - 1)
    tail: Floats = (below ** (bots - 1) - within) @ density
    return tail
