"""Ratings: Plackett–Luce strengths over games, in Elo units, with standard errors by deal.

A rating is an extra, not a ranking: it asks who finishes above whom, not by how many chips, and may disagree
with chips (statistics.md, "Differences and ranks").

A game of bots with strengths θ is a series of choices among those not yet placed: ``P(i first of Q) = e^θ_i /
Σ_Q e^θ``. A set T that ties ahead of the bots R takes the mean log-likelihood over all orders of T: stage l
averages ``log(Σ_S e^θ + Σ_R e^θ)`` over the subsets S of T of size |T| − l, so 8 tied bots are 255 sets and
not 40,320 orders. So each game is a weight on each of the ``2^seats − 1`` sets Q of its positions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from math import comb, log

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from arena.analysis.intervals import Bools, Floats, is_constant, t_quantile

ELO = 400 / log(10)  # Elo points in a unit of θ: 400 points are odds of ten to one
MIN_DEALS = 20
_BITS = 3  # of a code, for each position: places 0 … 7
_CHUNK = 1 << 20  # chances worked on at a time: 8 MB
_MAX_STEPS = 200

Int64s = npt.NDArray[np.int64]
Lineup = tuple[int, ...]


class Reason(StrEnum):
    """Why there is no number, or no interval around one."""

    NOT_ENOUGH_DEALS = "not enough deals"
    NO_GAMES = "played no game"
    APART = "won or lost every game against the rest"
    IDENTICAL = "the same on every deal"


@dataclass(frozen=True)
class Outcomes:
    """How the games of one lineup ended, for the deals from ``first_deal`` on.

    ``codes`` ``(deals, rotations)``: the places of a game's positions, three bits each; a place is the number
    of bots with more chips, so that tied bots have the same.
    """

    lineup: Lineup
    first_deal: int
    codes: npt.NDArray[np.int32]


@dataclass(frozen=True)
class Rating:
    """A bot's rating in Elo points, its standard error, half the width of its interval, or why not.

    Ratings of one ``pool`` (bots linked by games) compare with each other, those of two do not. The mean of
    a pool is 0, or where some bots are ``Reason.APART``: that of the largest part that is not. ``elo`` is
    None below 20 deals and for a bot without a game; ``se`` and ``half_width`` wherever there is a ``reason``.
    """

    elo: float | None
    se: float | None
    half_width: float | None
    pool: int
    reason: Reason | None


def outcomes_of(chips: npt.NDArray[np.integer], lineup: Sequence[int], first_deal: int) -> Outcomes:
    """How games ended, from the final ``chips`` ``(rotations, deals, positions)`` of a lineup of 2–8 bots.

    >>> outcomes_of(np.array([[[120, 80], [100, 100]]]), (3, 5), first_deal=40).codes.tolist()
    [[8], [0]]
    """
    seats = chips.shape[2]
    if seats != len(lineup) or not 2 <= seats <= 8:
        raise ValueError(f"expected chips of {len(lineup)} positions, 2 to 8, got {seats}")
    codes = np.zeros(chips.shape[:2], dtype=np.int32)
    for position in range(seats):
        places = (chips > chips[:, :, position, None]).sum(axis=2, dtype=np.int32)
        codes |= places << np.int32(_BITS * position)
    return Outcomes(tuple(lineup), first_deal, codes.T)


def ratings(
    outcomes: Iterable[Outcomes], deals: Int64s, bots: int, confidence: float = 0.95
) -> tuple[Rating, ...]:
    """The rating of each of ``bots`` from the games on ``deals``, ascending numbers of deals all lineups played.

    The maximum of the likelihood plus a ghost for each bot, half a win and half a loss against strength 0,
    that keeps it finite for bots that won everything or nothing; such bots get no interval (by Ford's
    condition, American Mathematical Monthly 64, 1957, only the ghost says where they are). The covariance is
    the sandwich ``H⁻¹ (Σ_d s_d s_dᵀ) H⁻¹`` over centred scores s_d of deals, each the sum over its games; the
    ghost enters H only. Intervals: ``± t(deals − 1) · se``. Raises ``ValueError`` for lineups of different
    sizes, or deals with different numbers of games.
    """
    games = gather(outcomes, deals, bots)
    above = _closure(games.finished_above())
    pools = _labels(_closure(above | above.T))
    if len(deals) < MIN_DEALS:
        return tuple(Rating(None, None, None, int(pool), Reason.NOT_ENOUGH_DEALS) for pool in pools)
    theta, inverse = strengths(games, pools)
    influence = games.scores(theta) @ inverse
    scale = np.abs(inverse).sum(axis=0) * len(games.outcome) / len(deals)
    parts = _labels(above & above.T)
    rated = np.zeros(bots, dtype=np.bool_)
    for pool in range(pools.max(initial=-1) + 1):
        mine = pools == pool
        core = mine & (parts == np.bincount(parts[mine]).argmax())
        zero = core if core.sum() > 1 else mine
        theta[mine] -= theta[zero].mean()
        influence[:, mine] -= influence[:, zero].mean(axis=1, keepdims=True)
        rated |= core & (core.sum() > 1)
    reasons = _reasons(games.played(), rated, is_constant(influence, scale))
    se = ELO * influence.std(axis=0, ddof=1) * np.sqrt(len(deals))
    t = t_quantile(confidence, len(deals))
    return tuple(
        Rating(
            elo=None if reason is Reason.NO_GAMES else float(ELO * theta[bot]),
            se=None if reason else float(se[bot]),
            half_width=None if reason else float(t * se[bot]),
            pool=int(pools[bot]),
            reason=reason,
        )
        for bot, reason in enumerate(reasons)
    )


def _reasons(has_played: Bools, is_rated: Bools, is_same: Bools) -> list[Reason | None]:
    """For each bot why it has no interval, or None."""
    return [
        Reason.NO_GAMES if not played else Reason.APART if not rated else Reason.IDENTICAL if same else None
        for played, rated, same in zip(has_played, is_rated, is_same, strict=True)
    ]


def strengths(games: Games, pools: Int64s) -> tuple[Floats, Floats]:
    """Where the likelihood with its ghosts is greatest, ``(bots,)``, and the inverse of H there.

    θ sums to zero in every pool, and the inverse ``(bots, bots)`` is that of H on such θ. Newton's method
    with steps of ``ln(1 + d)/d``, d the greatest change of any difference (to the ghost too): each raises the
    likelihood, whatever the start, since ``|D³f[u, u, v]| ≤ (max v − min v) D²f[u, u]`` for sums of log Σ e^θ
    (Sun & Tran-Dinh, Mathematical Programming 178, 2019).
    """
    sums = (pools == np.arange(pools.max(initial=-1) + 1)[:, None]).astype(np.float64)
    bots = len(pools)
    theta = np.zeros(bots)
    system = np.zeros((bots + len(sums), bots + len(sums)))
    system[bots:, :bots], system[:bots, bots:] = sums, sums.T
    for _ in range(_MAX_STEPS):
        gradient, hessian = games.slopes(theta)
        ghost = expit(theta)
        system[:bots, :bots] = hessian + np.diag(ghost * (1 - ghost))
        inverse = np.asarray(np.linalg.inv(system)[:bots, :bots], dtype=np.float64)
        step = inverse @ (gradient + 0.5 - ghost)
        change = float(np.ptp(np.append(step, 0.0)))
        if change < 1e-9:
            return theta, inverse
        theta = theta + step * (np.log1p(change) / change)
    raise ArithmeticError(f"ratings of {bots} bots did not settle in {_MAX_STEPS} steps")


@dataclass(frozen=True)
class Games:
    """Games by distinct outcome (lineup and places), for which everything is computed once.

    ``lineups`` ``(lineups, seats)`` bots. Of outcomes: ``of_lineup`` ``(outcomes,)`` and ``places``
    ``(outcomes, seats)``. Of games: ``deal`` (index of a row) and ``outcome``, both ``(games,)``. Of choices,
    the sets of positions that outcomes choose from: ``choice_outcome``, ``choice_set`` (bits, less 1) and
    ``choice_weight``, ``(choices,)``; ``weights`` ``(lineups, sets)`` are their sums over all games.
    """

    bots: int
    deals: int
    lineups: Int64s
    of_lineup: Int64s
    places: Int64s
    deal: Int64s
    outcome: Int64s
    choice_outcome: Int64s
    choice_set: Int64s
    choice_weight: Floats
    weights: Floats

    def played(self) -> Bools:
        """Which bots have a game, ``(bots,)``."""
        has = np.zeros(self.bots, dtype=np.bool_)
        has[self.lineups[np.unique(self.of_lineup)]] = True
        return has

    def finished_above(self) -> Bools:
        """``[i, j]``: bot i finished above bot j, or level, in some game; ``(bots, bots)``."""
        found = np.eye(self.bots, dtype=np.bool_)
        if len(self.places):
            lineups, starts = np.unique(self.of_lineup, return_index=True)
            level_or_above = self.places[:, :, None] <= self.places[:, None, :]
            lineup, i, j = np.nonzero(np.logical_or.reduceat(level_or_above, starts, axis=0))
            bots = self.lineups[lineups]
            found[bots[lineup, i], bots[lineup, j]] = True
        return found

    def slopes(self, theta: Floats) -> tuple[Floats, Floats]:
        """Gradient ``(bots,)`` of the log-likelihood at θ ``(bots,)``, and minus its Hessian ``(bots, bots)``."""
        seats = self.lineups.shape[1]
        members = _members(seats)
        expected, local = [np.zeros((0, seats))], [np.zeros((0, seats, seats))]
        for at in range(0, len(self.lineups), rows := max(1, _CHUNK // members.size)):
            strength = np.exp(theta[self.lineups[at : at + rows]])
            chance = strength[:, None, :] * members
            chance /= (strength @ members.T)[:, :, None]
            weighted = self.weights[at : at + rows, :, None] * chance
            expected.append(weighted.sum(axis=1))
            local.append(-weighted.transpose(0, 2, 1) @ chance)
        mean, curve = np.concatenate(expected), np.concatenate(local)
        curve[:, np.arange(seats), np.arange(seats)] += mean
        games = np.bincount(self.of_lineup[self.outcome], minlength=len(self.lineups))
        gradient = _sums(self.lineups, games[:, None] - mean, self.bots)
        pairs = self.lineups[:, :, None] * self.bots + self.lineups[:, None, :]
        return gradient, _sums(pairs, curve, self.bots**2).reshape(self.bots, self.bots)

    def scores(self, theta: Floats) -> Floats:
        """Gradient of each deal's log-likelihood at θ, ``(deals, bots)``."""
        strength = np.exp(theta)[self.lineups]
        members = _members(self.lineups.shape[1])
        total = strength @ members.T
        share = self.choice_weight / total[self.of_lineup[self.choice_outcome], self.choice_set]
        out = np.zeros(self.deals * self.bots)
        for position in range(self.lineups.shape[1]):
            mine = share * members[self.choice_set, position]
            chances = _sums(self.choice_outcome, mine, len(self.places))
            score = 1 - strength[self.of_lineup, position] * chances
            bot = self.lineups[self.of_lineup, position]
            out += _sums(self.deal * self.bots + bot[self.outcome], score[self.outcome], len(out))
        return out.reshape(self.deals, self.bots)


def gather(outcomes: Iterable[Outcomes], deals: Int64s, bots: int) -> Games:
    """The games of ``outcomes`` (any number of blocks of any lineups) on ``deals``, ascending numbers."""
    lineups, key, deal = _stacked(outcomes, deals)
    seats = lineups.shape[1]
    found, outcome = np.unique(key, return_inverse=True)
    of_lineup = found >> _BITS * seats
    places = found[:, None] >> _BITS * np.arange(seats) & (1 << _BITS) - 1
    which, sets, weight = _choices(places)
    games = np.bincount(outcome, minlength=len(found))
    n_sets = 2**seats - 1
    weights = _sums(of_lineup[which] * n_sets + sets, weight * games[which], len(lineups) * n_sets)
    return Games(
        bots,
        len(deals),
        lineups=lineups,
        of_lineup=of_lineup,
        places=places,
        deal=deal,
        outcome=outcome,
        choice_outcome=which,
        choice_set=sets,
        choice_weight=weight,
        weights=weights.reshape(len(lineups), n_sets),
    )


def _stacked(outcomes: Iterable[Outcomes], deals: Int64s) -> tuple[Int64s, Int64s, Int64s]:
    """The distinct lineups ``(lineups, seats)``; of each game lineup and code in one number, and its row."""
    ids: dict[Lineup, int] = {}
    keys, rows = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    for block in outcomes:
        number = np.arange(block.first_deal, block.first_deal + len(block.codes))
        row = np.searchsorted(deals, number)
        kept = row < len(deals)
        kept[kept] = deals[row[kept]] == number[kept]
        if kept.any():
            lineup = ids.setdefault(block.lineup, len(ids))
            codes = block.codes[kept].astype(np.int64)
            keys.append((codes | lineup << _BITS * len(block.lineup)).ravel())
            rows.append(np.repeat(row[kept], codes.shape[1]))
    sizes = {len(lineup) for lineup in ids} or {2}
    if len(sizes) > 1:
        raise ValueError(f"expected lineups of one size, got {sorted(sizes)}")
    deal = np.concatenate(rows)
    games = np.bincount(deal, minlength=len(deals))
    if len(set(games.tolist())) > 1:
        raise ValueError(f"expected as many games on every deal, got {games.min()} to {games.max()}")
    lineups = np.array(list(ids), dtype=np.int64).reshape(len(ids), sizes.pop())
    return lineups, np.concatenate(keys), deal


def _choices(places: Int64s) -> tuple[Int64s, Int64s, Floats]:
    """The sets that outcomes ``places`` ``(outcomes, seats)`` choose from: outcome, set (less 1), weight.

    For a tied set T ahead of R: every ``S ∪ R`` with S a subset of T, weighing 1 / C(|T|, |S|), so that the
    sets of each size weigh 1 together.
    """
    seats = places.shape[1]
    bit = 1 << np.arange(seats)
    which, sets, weights = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)], [np.zeros(0)]
    for place in range(seats):
        is_tied = places == place
        below = (places > place) @ bit
        sizes = is_tied.sum(axis=1)
        for size in range(1, seats - place + 1):
            here = np.flatnonzero(sizes == size)
            tied_bits = bit[np.nonzero(is_tied[here])[1]].reshape(len(here), size)
            subsets = _members(size).astype(np.int64)
            weight = np.array([1 / comb(size, n) for n in subsets.sum(axis=1)])
            which.append(np.repeat(here, len(subsets)))
            sets.append((tied_bits @ subsets.T + below[here, None] - 1).ravel())
            weights.append(np.tile(weight, len(here)))
    return np.concatenate(which), np.concatenate(sets), np.concatenate(weights)


@lru_cache(maxsize=8)
def _members(seats: int) -> Floats:
    """Row ``set − 1`` says which positions are in the set of these bits; ``(2^seats − 1, seats)`` of 0 and 1."""
    sets = np.arange(1, 2**seats)
    return (sets[:, None] >> np.arange(seats) & 1).astype(np.float64)


def _sums(where: Int64s, values: Floats, size: int) -> Floats:
    """Sums of ``values`` by their places ``where`` (same shape) in the result ``(size,)``."""
    return np.asarray(np.bincount(where.ravel(), values.ravel(), size), dtype=np.float64)


def _closure(linked: Bools) -> Bools:
    """Which pairs are linked by a path; ``linked`` ``(n, n)`` holds its diagonal."""
    while ((wider := linked @ linked) != linked).any():
        linked = wider
    return linked


def _labels(together: Bools) -> Int64s:
    """Numbers 0, 1, … of the classes of an equivalence ``(n, n)``, in order of their first members."""
    first = together.argmax(axis=1) if len(together) else np.zeros(0, dtype=np.int64)
    return np.unique(first, return_inverse=True)[1].astype(np.int64)
