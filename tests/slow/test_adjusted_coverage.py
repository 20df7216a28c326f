"""Intervals of adjusted rows keep their promise on real games; those that take games for independent do not.

Truth is the mean of all runs together; each run learns its stakes from itself, as a tournament does. Measured with these
seeds: means 93.2–97.0 %, all differences at once 94.0 % (as single pairs 79 %), all rank intervals 100 %; by game 81 % and
100 %; equals told apart at some look in 0.7 % of runs, by plain t in 15 % and, after every ten deals, 35 %.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest
from playing import code, play, rules
from test_luck_games import COUNTER, GAP, RANDOM, SEED, luck_of, same_deals, stakes_by_run
from test_stopping_coverage import greatest_t

from arena.analysis.differences import differences
from arena.analysis.intervals import intervals, t_quantile
from arena.analysis.luck import Luck
from arena.analysis.ranks import rank_intervals
from arena.analysis.stakes import LEAST_DEALS, expected_stakes
from arena.analysis.stopping import RuleRanked, looks, sequence_quantile, state
from arena.tournament.rows import collect
from arena.tournament.standings import is_approximate
from arena.tournament.study import study_block

pytestmark = pytest.mark.slow
RUNS, DEALS = 400, 200
SE = (0.05 * 0.95 / RUNS) ** 0.5
MEANS = (0.93 - 3 * SE, 0.96 + 3 * SE)  # statistics.md: deal-wise t holds in 93–96 % from 50 deals
JOINT = (0.95 - 3 * SE, 0.98 + 3 * SE)  # … and joint intervals in 94.7–98 %
SHORT = rules(end__rounds=3)

FOUR = [code(COUNTER), code(GAP), code(GAP, threshold=7), code(RANDOM)]

Floats = Any


@dataclass(frozen=True)
class Games:
    """Net chips and luck in them, ``(runs, deals, rotations, bots)``."""

    net: Floats
    luck: Floats

    @property
    def adjusted(self) -> Floats:
        """Adjusted rows, ``(runs, deals, bots)``."""
        return (self.net - self.luck).mean(axis=2)


def games_of(bots: Sequence[Any], deals: int = DEALS, kinds: int = 2, learn: Any = expected_stakes) -> Games:
    """Games of these bots at one table, by run; the luck is of third cards (``kinds`` 1) or of posts too (2)."""
    k, net, luck = len(bots), [], []
    for first in range(0, deals * RUNS, 20 * deals):
        result = play(bots, SHORT, deals=20 * deals, first_deal=first, seed=SEED)
        stakes, group = stakes_by_run(result, SHORT, deals, learn)
        luck.append(luck_of(result, SHORT, stakes, group, Luck)[:kinds].sum(axis=0))
        net.append(result.chips.transpose(1, 0, 2) - SHORT.chips)
    return Games(*(np.concatenate(x).reshape(RUNS, deals, k, k) for x in (net, luck)))


@cache
def four() -> Games:
    """A counter, two gap bots and a random one at one table."""
    return games_of(FOUR)


@cache
def random_against_three() -> Games:
    """A random bot against three others by two, in all six games of a deal, ``(runs, deals, 6, 1)``."""
    found = [games_of([code(RANDOM), other]) for other in (code(COUNTER), code(GAP), code(GAP, threshold=7))]
    return Games(*(np.concatenate([getattr(g, n)[..., :1] for g in found], axis=2) for n in ("net", "luck")))


def coverage(rows: Floats) -> Floats:
    """How often 95 % intervals of rows ``(runs, n, bots)`` hold the truth, ``(bots,)``."""
    truth = rows.mean(axis=(0, 1))
    held = np.zeros(rows.shape[2])
    for x in rows:
        held += [
            (i.low or 0) <= true <= (i.high or 0) for i, true in zip(intervals(x, 0.95), truth, strict=True)
        ]
    return held / len(rows)


def joint_coverage(rows: Floats, is_joint: bool = True) -> tuple[float, float, float]:
    """How often all intervals of differences hold at once, and all rank intervals; the mean width of these."""
    means = rows.mean(axis=(0, 1))
    truth, rank = means[:, None] - means, 1 + (means[:, None] < means).sum(axis=1)
    held = ranked = width = 0
    for x in rows:
        diff = differences(x, 0.95)
        half = diff.half_width if is_joint else t_quantile(0.95, len(x)) * diff.se
        separated = np.abs(diff.mean) > half
        held += bool((np.abs(diff.mean - truth) <= half + 1e-9).all())
        low, high = rank_intervals(x.mean(axis=0), separated & ~np.eye(len(means), dtype=bool)).T
        ranked += bool(((low <= rank) & (rank <= high)).all())
        width += int((high - low).sum())
    return held / len(rows), ranked / len(rows), width / rows.shape[2] / len(rows)


def test_adjusted_means_hold_their_intervals() -> None:
    found = coverage(four().adjusted)
    assert (found >= MEANS[0]).all()
    assert (found <= MEANS[1]).all()


def test_adjusted_and_raw_rows_have_the_same_mean() -> None:
    luck = four().luck.mean(axis=2).reshape(-1, 4)
    assert (np.abs(luck.mean(axis=0)) < 3.5 * luck.std(axis=0) / len(luck) ** 0.5).all()


def test_all_adjusted_differences_and_ranks_hold_at_once() -> None:
    held, ranked, width = joint_coverage(four().adjusted)
    assert JOINT[0] <= held <= JOINT[1]
    assert ranked >= JOINT[0]
    assert width < 1.4  # measured: 1.15; of four bots that nothing is said about it is 3


@pytest.mark.parametrize(("deals", "least", "most"), [(50, 0.87, 0.945), (100, 0.89, 0.965)])
def test_of_few_deals_they_hold_less_often_and_are_called_approximate(
    deals: int, least: float, most: float
) -> None:
    held, ranked, _ = joint_coverage(games_of(FOUR, deals).adjusted)
    assert least <= held <= most  # measured: 90.8 %, 92.8 %
    assert ranked >= JOINT[0]
    assert is_approximate(deals, 4, is_adjusted=True)


@pytest.mark.parametrize("deals", [LEAST_DEALS, 30])
def test_from_the_first_deals_that_stakes_are_learned_of_on_they_cost_no_coverage_and_save_games(
    deals: int,
) -> None:
    """Measured at 20: 92.5 % of all differences at once, 92.0 % with the luck of third cards alone."""
    learned, third = games_of(FOUR, deals).adjusted, games_of(FOUR, deals, kinds=1).adjusted
    assert joint_coverage(learned)[0] >= max(0.90, joint_coverage(third)[0] - 0.02)
    assert (coverage(learned) >= MEANS[0] - 0.02).all()
    assert learned.var(axis=1, ddof=1).mean() < 0.7 * third.var(axis=1, ddof=1).mean()


def test_stakes_learned_on_the_same_few_deals_cost_coverage() -> None:
    learned = games_of(FOUR, LEAST_DEALS, learn=same_deals).adjusted
    assert joint_coverage(learned)[0] < 0.90


def test_intervals_of_single_pairs_do_not_hold_at_once() -> None:
    assert joint_coverage(four().adjusted, is_joint=False)[0] < JOINT[0] - 0.03


def test_ranks_without_intervals_are_often_wrong() -> None:
    means = four().adjusted.mean(axis=1)
    order = np.argsort(-means, axis=1)
    assert (order == np.argsort(-means.mean(axis=0))).all(axis=1).mean() < 0.8


def test_games_taken_for_independent_hold_too_seldom_for_a_random_bot() -> None:
    games = random_against_three()
    (by_deal,) = coverage(games.adjusted)
    (by_game,) = coverage((games.net - games.luck).reshape(RUNS, -1, 1))
    assert MEANS[0] <= by_deal <= MEANS[1]
    assert by_game < MEANS[0]


def test_games_taken_for_independent_hold_too_often_for_a_pair_in_both_seats() -> None:
    games = games_of([code(COUNTER), code(GAP)]).net
    by_deal, by_game = coverage(games.mean(axis=2))[0], coverage(games.reshape(RUNS, -1, 2))[0]
    assert MEANS[0] <= by_deal <= MEANS[1] < by_game


# ---- looking again and again

LOOKS = looks(500, 2000)
EQUAL_RUNS = {2: 300, 3: 150}


@cache
def equals(bots: int) -> tuple[tuple[Floats, ...], ...]:
    """Adjusted rows of random bots, equal but for their chance, as each look of each run has them.

    Stakes are learned at 500, 1000 and 2000 deals, and with them everything is studied anew, as in a tournament.
    """
    codes, table = [code(f"{RANDOM}# chance {at}") for at in range(bots)], rules(end__rounds=2)
    out = []
    for run in range(EQUAL_RUNS[bots]):
        whole = play(codes, table, deals=LOOKS[-1], first_deal=run * LOOKS[-1], seed=SEED)
        found = []
        for begin, end in ((0, 500), (500, 1000), (1000, 2000)):
            result = whole.until(run * LOOKS[-1] + end)
            studied = study_block(result, table, SEED, expected_stakes(result.stakes.sum(axis=2)))
            x = collect([result], bots, table.chips, studies=[studied]).adjusted_chips
            found += [x[:n] for n in LOOKS if begin < n <= end]
        out.append(tuple(found))
    return tuple(out)


@pytest.mark.parametrize("bots", EQUAL_RUNS)
def test_equals_are_seldom_told_apart_at_any_look(bots: int) -> None:
    """At the looks of a tournament, and at every deal from the first of them on."""
    runs, always = equals(bots), range(500, 2001)
    most = 0.043 + 3 * (0.05 * 0.95 / EQUAL_RUNS[bots]) ** 0.5  # statistics.md: 1.2–4.3 %
    assert (
        np.mean([any(state(x, RuleRanked(), 0.95, 500).separated.any() for x in found) for found in runs])
        <= most
    )
    quantiles = [sequence_quantile(n, 0.05 / (bots * (bots - 1) / 2), 500) for n in always]
    assert np.mean([(greatest_t(found[-1], always) > quantiles).any() for found in runs]) <= most


def test_bots_that_differ_are_told_apart_and_soon() -> None:
    """Or a rule that is never met would do."""
    runs = four().adjusted.reshape(-1, 1000, 4)
    counter_and_random = [state(x[:500][:, [0, 3]], RuleRanked(), 0.95, 500).met for x in runs]
    assert all(counter_and_random)  # 46 chips apart
    at_once = np.array([state(x, RuleRanked(), 0.95, 500).separated for x in runs])
    assert at_once[:, :3, 3].all()
    assert at_once[:, 0, 1].mean() > 0.5  # 1.6 chips apart


def test_plain_intervals_looked_at_as_often_tell_equals_apart() -> None:
    """On the same looks, and looked at after every ten deals from 50 on."""

    def is_beyond(x: Floats, n: int) -> bool:
        d = x[:n, 0] - x[:n, 1]
        return bool(abs(d.mean()) > t_quantile(0.95, n) * d.std(ddof=1) / n**0.5)

    few = [any(is_beyond(x, len(x)) for x in found) for found in equals(2)]
    many = [any(is_beyond(found[-1], n) for n in range(50, 2001, 10)) for found in equals(2)]
    assert np.mean(few) > 0.10
    assert np.mean(many) > 0.25
