"""Control variates: luck known to have mean zero, subtracted as far as it explains a bot's rows.

And what a report says of adjusted rows: how many games they save, and whether raw and adjusted disagree.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from arena.analysis.intervals import Bools, Floats, is_constant
from arena.analysis.ranks import Int64s

FOLDS = 5
MIN_DEALS = 20
_FLAG = 0.001  # how often a report may cry wolf, over all its bots
_RANK = 1e-10  # below this part of the greatest eigenvalue, controls say the same thing twice
_NONE = 1e-12  # below this part of two variances, that of their difference is rounding


@dataclass(frozen=True)
class Adjusted:
    """Rows ``(deals, bots)`` with their controls subtracted, or as they were: *not enough deals*."""

    rows: Floats
    is_adjusted: bool


@dataclass(frozen=True)
class Agreement:
    """Whether the luck subtracted is as near to zero as luck is.

    ``max_t`` is the greatest |t| of the bots' mean luck, ``bot`` whose it is; ``agrees`` False is worth a
    warning. All but ``quantile`` are None, and it too, where there are *not enough deals*: below two.
    """

    agrees: bool | None
    max_t: float | None
    quantile: float | None
    bot: int | None


@dataclass(frozen=True)
class GamesSaved:
    """Raw games that tell as much as one adjusted game, by bot, and the median over pairs' differences.

    None where either has no variance, or for one deal.
    """

    bots: tuple[float | None, ...]
    pairs: float | None


def adjust(w: Floats, controls: Floats, deals: Int64s | None = None) -> Adjusted:
    """``w`` ``(deals, bots)`` minus ``β̂ · controls``, the controls ``(deals, bots, k)`` having mean zero.

    For the win share: third-card, posts and win-probability luck (statistics.md, "Luck, removed exactly"). β̂
    is each bot's own, by least squares on the other folds; a fold is ``deals``, the deals' numbers (``0, 1,
    …`` if None), mod 5: so β̂ depends on nothing of the deals it is used on, and the means are those of w.
    Controls that never vary or repeat one another count for nothing or once. Below 20 deals: w itself.
    """
    n, bots, k = controls.shape
    if w.shape != (n, bots):
        raise ValueError(f"expected controls of {w.shape} deals and bots, got {(n, bots)}")
    if n < MIN_DEALS or k == 0:
        return Adjusted(w, is_adjusted=False)
    fold = (np.arange(n) if deals is None else deals) % FOLDS
    rows, is_adjusted = w.copy(), False
    for this in np.unique(fold):
        mine, others = fold == this, fold != this
        if others.sum() > k + 1:
            beta = _least_squares(w[others], controls[others])
            rows[mine] -= np.einsum("dbk,bk->db", controls[mine], beta)
            is_adjusted = True
    return Adjusted(rows, is_adjusted)


def _least_squares(y: Floats, x: Floats) -> Floats:
    """β ``(bots, k)`` of each column of ``y`` ``(n, bots)`` on its ``x`` ``(n, bots, k)`` and a constant.

    Of the many β where columns of x depend on each other, the shortest (on columns of unit length).
    """
    n, bots, k = x.shape
    centred = (x - x.mean(axis=0)).transpose(1, 2, 0)  # (bots, k, n)
    size = np.abs(x).max(axis=0)
    centred[is_constant(x.reshape(n, -1), size.ravel()).reshape(bots, k)] = 0.0
    peak = np.abs(centred).max(axis=2)
    centred /= np.where(peak > 0, peak, 1.0)[:, :, None]  # first, so that no square is 0 or inf
    norm = np.sqrt((centred**2).sum(axis=2))
    norm[norm == 0] = 1.0
    centred /= norm[:, :, None]
    gram = centred @ centred.transpose(0, 2, 1)
    cross = centred @ (y - y.mean(axis=0)).T[:, :, None]
    beta = (np.linalg.pinv(gram, rcond=_RANK, hermitian=True) @ cross)[:, :, 0]
    return np.asarray(beta / norm / np.where(peak > 0, peak, 1.0))


def agreement(luck: Floats) -> Agreement:
    """Whether the means of ``luck`` ``(deals, bots)``, raw minus adjusted rows, may well be zero.

    They disagree if the greatest |t| over K bots exceeds the two-sided 0.001/K quantile (statistics.md). Luck
    that is the same on every deal has no t: it is judged by the sign test over all deals.
    """
    deals, bots = luck.shape
    if deals < 2 or bots == 0:
        return Agreement(None, None, None, None)
    quantile = -float(stdtrit(deals - 1, _FLAG / bots / 2))
    same = is_constant(luck, np.abs(luck).max(axis=0))
    mean = luck.mean(axis=0)
    se = luck.std(axis=0, ddof=1) / np.sqrt(deals)
    t = np.divide(np.abs(mean), se, out=np.zeros(bots), where=~same)
    never_zero = same & (luck[0] != 0) & (2.0 ** (1 - min(deals, 1000)) <= _FLAG / bots)
    bot = int(never_zero.argmax() if never_zero.any() else t.argmax())
    return Agreement(not never_zero.any() and bool(t[bot] <= quantile), float(t.max()), quantile, bot)


def games_saved(raw: Floats, adjusted: Floats) -> GamesSaved:
    """How many times the variance of ``raw`` rows is that of ``adjusted`` ones, both ``(deals, bots)``."""
    if raw.shape != adjusted.shape:
        raise ValueError(f"expected adjusted rows of shape {raw.shape}, got {adjusted.shape}")
    if len(raw) < 2:
        return GamesSaved((None,) * raw.shape[1], None)
    before, varied = _variances(raw)
    after, still_varies = _variances(adjusted)
    told = varied & still_varies
    ratio = np.divide(before, after, out=np.ones_like(before), where=told)
    pairs = ratio[np.triu(told, 1)]
    return GamesSaved(
        tuple(float(r) if ok else None for r, ok in zip(ratio.diagonal(), told.diagonal(), strict=True)),
        float(np.median(pairs)) if len(pairs) else None,
    )


def _variances(x: Floats) -> tuple[Floats, Bools]:
    """Of the columns of ``x`` (diagonal) and of their differences, and whether there are any; ``(bots, bots)``."""
    centred = x - x.mean(axis=0)
    centred[:, is_constant(x, np.abs(x).max(axis=0))] = 0.0
    cross = centred.T @ centred / (len(x) - 1)
    own = cross.diagonal()
    found = own[:, None] + own - 2 * cross
    is_there: Bools = found > _NONE * (own[:, None] + own)
    np.fill_diagonal(found, own)
    np.fill_diagonal(is_there, own > 0)
    return found, is_there
