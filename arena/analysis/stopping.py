"""When to stop looking: intervals that hold at every look at once, and the rules that use them.

A t interval that is looked at again and again finds a difference between equals in 44–85 % of runs
(statistics.md, "Stopping early"). Here stands the asymptotic confidence sequence of Waudby-Smith, Arbour,
Sinha, Kennedy & Ramdas (arXiv 2103.06476): one family of intervals for all numbers of deals, so that the
number at which play stops may depend on what they say. ``x`` is always ``(deals, bots)``, a row a deal, and
chips mean whatever unit it is in.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import lambertw

from arena.analysis.differences import P_FLOOR, Differences, holm_adjust, moments
from arena.analysis.intervals import Bools, Floats, Interval, is_constant

EVERY = 250  # deals between looks


def mixture_variance(alpha: float, min_deals: int) -> float:
    """ρ² ``= (−W₋₁(−α² e^{α²−1}) − 1) / n*``, which makes the sequence narrowest at ``n* = 2 · min_deals``.

    ``alpha`` is that of one interval, already shared among pairs or bots. Raises ``ValueError`` unless it
    is in (0, 0.75], where W₋₁ is real.
    """
    if not 0 < alpha <= 0.75:
        raise ValueError(f"expected an alpha in (0, 0.75], got {alpha}")
    square = alpha * alpha
    return (-float(lambertw(-square * math.exp(square - 1), k=-1).real) - 1) / (2 * min_deals)


def sequence_quantile(deals: int, alpha: float, min_deals: int) -> float:
    """What the sequence puts in the place of a quantile of ``|t|``: half width = this · sd / √deals.

    ``√( 2 (nρ² + 1) / (nρ²) · ln(√(nρ² + 1) / α) )``. It falls to its least at ``2 · min_deals`` and grows
    without end after, as the logarithm of n: the price of looking for ever.

    >>> round(sequence_quantile(200, 0.05, 100), 4)
    3.0351
    """
    y = deals * mixture_variance(alpha, min_deals)
    return math.sqrt(2 * (1 + y) / y * (math.log1p(y) / 2 - math.log(alpha)))


def sequence_p(t: Floats, deals: int, alpha: float, min_deals: int) -> Floats:
    """The least α at which the sequence with the ρ² of ``alpha`` excludes 0, for ``t = |x̄| √n / sd`` ``(n,)``.

    The sequence solved for α: ``√(nρ² + 1) · exp(−t² nρ² / (2 (nρ² + 1)))``, at most 1. ρ² stays as fixed
    before play, so this is one over a mixture of likelihood ratios, and with equals it falls below any
    level at *any* look with at most that chance.
    """
    y = deals * mixture_variance(alpha, min_deals)
    log_p = math.log1p(y) / 2 - t * t * (y / (2 * (1 + y)))
    return np.asarray(np.exp(np.minimum(log_p, 0.0)))


def sequence_differences(x: Floats, confidence: float, min_deals: int) -> Differences:
    """All pairs of the columns of ``x``, as ``differences``, but right however often one has looked.

    α is shared evenly among the m pairs. ``separated``: the pair's sequence excludes 0; ``p``: the least α
    of all pairs at which it does (m times :func:`sequence_p`); ``p_holm`` from the same by pair.
    A difference that never varies is judged by the sign test as in ``differences``; ``2^(1 − deals)`` is
    right over all looks, since n equal signs include all fewer. Raises ``ValueError`` without deals.
    """
    deals, bots = x.shape
    if deals == 0:
        raise ValueError("no deals, no differences")
    mean, se, constant = moments(x)
    if deals == 1 or bots < 2:
        nobody = np.zeros((bots, bots), dtype=np.bool_)
        return Differences(deals, mean, se, constant, nobody, None, None, None, None)
    pairs = bots * (bots - 1) // 2
    alpha = (1 - confidence) / pairs
    quantile = sequence_quantile(deals, alpha, min_deals)
    t = np.divide(np.abs(mean), se, out=np.zeros_like(mean), where=~constant)
    never_varies = constant & (mean != 0)
    one_p = sequence_p(t, deals, alpha, min_deals)
    one_p[never_varies] = 2.0 ** (1 - min(deals, 1000))
    upper = np.triu_indices(bots, 1)
    holm = np.ones_like(mean)
    holm[upper] = holm_adjust(one_p[upper])
    holm.T[upper] = holm[upper]
    return Differences(
        deals,
        mean,
        se,
        constant,
        separated=np.where(constant, never_varies & (one_p <= alpha), t > quantile),
        quantile=quantile,
        half_width=quantile * se,
        p=np.clip(one_p * pairs, P_FLOOR, 1.0),
        p_holm=np.maximum(holm, P_FLOOR),
    )


def sequence_intervals(x: Floats, confidence: float, min_deals: int) -> tuple[Interval, ...]:
    """For each column of ``x`` its mean with the sequence's half width, α shared evenly among the bots.

    As ``intervals``, but all of them hold together and at every look. Of two bots of whom one wins what the other loses
    (the columns' sum is the same on every deal) both intervals are one, and α is not shared: so they agree with that of
    the difference, twice as wide. Raises ``ValueError`` without deals.
    """
    deals, bots = x.shape
    if deals == 0:
        raise ValueError("no deals, no means")
    means = x.mean(axis=0)
    if deals == 1:
        return tuple(Interval(float(m), None) for m in means)
    constant = is_constant(x, np.abs(x).max(axis=0))
    is_one = bots == 2 and bool(is_constant(x.sum(axis=1, keepdims=True), np.abs(x).max())[0])
    quantile = sequence_quantile(deals, (1 - confidence) / (1 if is_one else bots), min_deals)
    halves = quantile * x.std(axis=0, ddof=1) / math.sqrt(deals)
    return tuple(
        Interval(float(first), None, is_identical=True) if same else Interval(float(m), float(h))
        for m, h, same, first in zip(means, halves, constant, x[0], strict=True)
    )


def least_min_deals(is_adjusted: bool, bots: int) -> int:
    """The least ``min_deals`` a stop may have, below which false stops are too many (statistics.md).

    >>> least_min_deals(False, 12), least_min_deals(True, 5), least_min_deals(True, 6)
    (100, 500, 1000)
    """
    if not is_adjusted:
        return 100
    return 500 if bots <= 5 else 1000


def looks(min_deals: int, max_deals: int, every: int = EVERY) -> tuple[int, ...]:
    """The prefixes of deals to look at: multiples of ``every`` from ``min_deals`` on, and ``max_deals`` last.

    Raises ``ValueError`` unless ``1 ≤ min_deals ≤ max_deals`` and ``every ≥ 1``.

    >>> looks(300, 1100)
    (500, 750, 1000, 1100)
    """
    if not 1 <= min_deals <= max_deals:
        raise ValueError(f"expected 1 <= min_deals <= max_deals, got {min_deals} and {max_deals}")
    if every < 1:
        raise ValueError(f"expected looks 1 or more deals apart, got {every}")
    first = -(-min_deals // every) * every
    return (*range(first, max_deals, every), max_deals)


@dataclass(frozen=True)
class RuleRanked:
    """Stop when each pair is separated, or its sequence lies within ± ``indifferent_chips`` (0: never)."""

    indifferent_chips: float = 0.0

    def __post_init__(self) -> None:
        if not 0 <= self.indifferent_chips < math.inf:
            raise ValueError(f"expected indifferent_chips of 0 or more, got {self.indifferent_chips}")


@dataclass(frozen=True)
class RuleHalfWidth:
    """Stop when the sequence of each bot's mean is within ± ``chips``."""

    chips: float

    def __post_init__(self) -> None:
        if not 0 < self.chips < math.inf:
            raise ValueError(f"expected chips above 0, got {self.chips}")


Rule = RuleRanked | RuleHalfWidth


@dataclass(frozen=True)
class LookState:
    """What one look at the first ``deals`` deals shows; ``met``: play stops here.

    ``separated`` and ``indifferent`` ``(bots, bots)`` exclude each other and have a false diagonal;
    ``indifferent`` has pairs within the rule's band, and twins. ``half_widths``
    ``(bots, bots)`` and ``bot_half_widths`` ``(bots,)`` are the sequence's in the unit of ``x``: 0 for what
    never varied, infinite after one deal (not between a bot and itself).
    ``unresolved`` are the pairs i < j neither separated nor indifferent, which only ``RuleRanked`` minds;
    ``too_wide`` the bots beyond ``RuleHalfWidth.chips``, empty under the other rule.
    """

    deals: int
    met: bool
    separated: Bools
    indifferent: Bools
    half_widths: Floats
    bot_half_widths: Floats
    unresolved: tuple[tuple[int, int], ...]
    too_wide: tuple[int, ...]


def state(
    x_prefix: Floats, rule: Rule, confidence: float, min_deals: int, twins: Sequence[tuple[int, int]] = ()
) -> LookState:
    """Whether ``x_prefix`` ``(deals, bots)`` meets ``rule``, and how far from it each pair and bot is.

    ``twins`` are pairs of the same code and parameters: these cannot differ. Any other pair that has not differed yet may
    do so in a rare hand, and is resolved by no number of equal deals.
    No rule is met before ``min_deals`` (nor after one deal). Raises ``ValueError`` without deals.
    """
    diff = sequence_differences(x_prefix, confidence, min_deals)
    halves = diff.half_width
    if halves is None:
        halves = np.where(diff.is_constant, 0.0, math.inf)
    bot_halves = _bot_half_widths(x_prefix, confidence, min_deals)
    indifferent = _indifferent(diff, halves, rule, twins)
    first, second = np.nonzero(np.triu(~diff.separated & ~indifferent, 1))
    unresolved = tuple(zip(first.tolist(), second.tolist(), strict=True))
    too_wide: tuple[int, ...] = ()
    if isinstance(rule, RuleHalfWidth):
        too_wide = tuple(np.flatnonzero(bot_halves > rule.chips).tolist())
    is_left = bool(unresolved if isinstance(rule, RuleRanked) else too_wide)
    return LookState(
        deals=diff.deals,
        met=diff.deals >= max(min_deals, 2) and not is_left,
        separated=diff.separated,
        indifferent=indifferent,
        half_widths=halves,
        bot_half_widths=bot_halves,
        unresolved=unresolved,
        too_wide=too_wide,
    )


def _bot_half_widths(x: Floats, confidence: float, min_deals: int) -> Floats:
    """Of each bot's mean, ``(bots,)``: 0 if it never varied, infinite after one deal."""
    if len(x) == 1:
        return np.full(x.shape[1], math.inf)
    found = sequence_intervals(x, confidence, min_deals)
    return np.array([i.half_width or 0.0 for i in found], dtype=np.float64)


def _indifferent(diff: Differences, halves: Floats, rule: Rule, twins: Sequence[tuple[int, int]]) -> Bools:
    """Pairs not separated that are twins or within the rule's band, ``(bots, bots)``.

    A difference that never varied has no sequence: it is separated once the sign test believes it, and nothing before.
    """
    if diff.half_width is None:
        return np.zeros_like(diff.separated)
    band = rule.indifferent_chips if isinstance(rule, RuleRanked) else 0.0
    found: Bools = ~diff.is_constant & (np.abs(diff.mean) + halves <= band) & ~diff.separated
    for i, j in twins:
        found[i, j] = found[j, i] = True
    np.fill_diagonal(found, False)
    return found
