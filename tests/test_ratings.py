"""Ratings: log-odds of two bots, ties by all their orders, bots that won everything, fields in pieces."""

import itertools
import math
import time
from collections.abc import Sequence

import numpy as np
import pytest
from scipy.optimize import brentq, minimize
from scipy.special import expit

from arena.analysis.intervals import Floats
from arena.analysis.ratings import (
    ELO,
    MIN_DEALS,
    Outcomes,
    Rating,
    Reason,
    gather,
    outcomes_of,
    ratings,
    strengths,
)

Game = tuple[Sequence[int], Sequence[int]]  # lineup, final chips


def by_all_orders(theta: Floats, lineup: Sequence[int], chips: Sequence[int]) -> float:
    """Mean log-likelihood over every order of the bots that agrees with the chips: no subset formula."""
    seats = range(len(lineup))
    total, orders = 0.0, 0
    for order in itertools.permutations(seats):
        if all(chips[a] >= chips[b] for a, b in itertools.pairwise(order)):
            strength = [math.exp(theta[lineup[p]]) for p in order]
            total += sum(math.log(strength[i] / math.fsum(strength[i:])) for i in seats)
            orders += 1
    return total / orders


def blocks(games_of_deals: Sequence[Sequence[Game]]) -> list[Outcomes]:
    """One block for each game."""
    return [
        outcomes_of(np.array(chips)[None, None, :], tuple(lineup), deal)
        for deal, games in enumerate(games_of_deals)
        for lineup, chips in games
    ]


def random_deals(rng: np.random.Generator, bots: int, seats: int, deals: int) -> list[list[Game]]:
    """Each deal played once by every lineup; chips of few values, so that many tie."""
    lineups = list(itertools.combinations(range(bots), seats))
    return [[(lineup, rng.integers(0, 4, seats).tolist()) for lineup in lineups] for _ in range(deals)]


def duel(wins_of_deals: Sequence[int], games: int) -> tuple[Rating, ...]:
    """Bot 0 wins so many of the ``games`` of each deal against bot 1."""
    chips = np.array([[[1, 0] if r < w else [0, 1] for w in wins_of_deals] for r in range(games)])
    return ratings([outcomes_of(chips, (0, 1), 0)], np.arange(len(wins_of_deals)), 2)


def test_two_bots_rate_by_their_log_odds() -> None:
    # three wins in four are odds of 3, 400 log10(3) = 190.85 points apart; 100,000 games drown the ghost
    a, b = duel([2, 4] * 12500, 4)
    assert a.elo == pytest.approx(190.85 / 2, abs=0.01)
    assert b.elo == pytest.approx(-190.85 / 2, abs=0.01)


def test_the_ghost_is_half_a_win_and_half_a_loss_against_strength_0() -> None:
    # 60 of 80 games: with θ = ±δ/2 the slope is 60 − 80 σ(δ) + 1/2 − σ(δ/2)
    delta = brentq(lambda d: 60 - 80 * expit(d) + 0.5 - expit(d / 2), 0, 5)
    a, b = duel([2, 4] * 10, 4)
    assert (a.elo, b.elo) == pytest.approx((ELO * delta / 2, -ELO * delta / 2), rel=1e-9)


def test_the_standard_error_is_a_sandwich_by_deal_without_the_ghost_in_the_middle() -> None:
    # wins 2, 4, 2, 4, …: deviations ±1 over 20 deals, so the middle is 20 · 20/19; H has the ghost:
    # 80 p(1 − p) + q(1 − q)/2 in δ, with p = σ(δ) and q = σ(δ/2)
    a, b = duel([2, 4] * 10, 4)
    assert a.elo is not None
    delta = 2 * a.elo / ELO
    p, q = expit(delta), expit(delta / 2)
    se = math.sqrt(20 * 20 / 19) / (80 * p * (1 - p) + q * (1 - q) / 2)
    assert a.se == pytest.approx(ELO * se / 2, rel=1e-9)
    assert b.se == pytest.approx(a.se, rel=1e-12)
    assert a.half_width == pytest.approx(2.0930 * a.se, rel=1e-4)  # t(.975, 19)
    assert a.reason is None


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_slopes_are_those_of_the_likelihood_over_all_orders_of_tied_bots(seats: int) -> None:
    rng = np.random.default_rng(seats)
    played = random_deals(rng, 5, seats, 2)
    games = gather(blocks(played), np.arange(2), 5)
    theta = rng.normal(0, 1, 5)

    def likelihood(at: Floats) -> float:
        return sum(by_all_orders(at, *game) for deal in played for game in deal)

    gradient, hessian = games.slopes(theta)
    step = 1e-5 * np.eye(5)
    assert gradient == pytest.approx(
        [(likelihood(theta + s) - likelihood(theta - s)) / 2e-5 for s in step], abs=1e-6
    )
    curve = [(games.slopes(theta + s)[0] - games.slopes(theta - s)[0]) / 2e-5 for s in step]
    assert -hessian == pytest.approx(np.array(curve), abs=1e-6)


def test_scores_are_the_gradients_of_deals() -> None:
    rng = np.random.default_rng(1)
    played = random_deals(rng, 4, 3, 3)
    theta = rng.normal(0, 1, 4)
    scores = gather(blocks(played), np.arange(3), 4).scores(theta)
    for deal in range(3):
        alone = gather(blocks([played[deal]]), np.arange(1), 4)
        assert scores[deal] == pytest.approx(alone.slopes(theta)[0], abs=1e-12)


def test_three_tied_behind_a_winner_by_hand() -> None:
    # strengths 1: 4 to choose from, then 3, 2, 1: the winner's slope is 1 − 1/4, the others' is
    # 1 − 1/4 − 1/3 − (2/3)(1/2) − (1/3)(1) = −1/4
    games = gather(blocks([[((0, 1, 2, 3), [9, 5, 5, 5])]]), np.arange(1), 4)
    assert games.slopes(np.zeros(4))[0] == pytest.approx([0.75, -0.25, -0.25, -0.25])


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_ratings_are_where_the_likelihood_over_all_orders_is_greatest(seats: int) -> None:
    rng = np.random.default_rng(10 + seats)
    played = random_deals(rng, 4, seats, MIN_DEALS)
    for deal in played:
        deal[0] = (deal[0][0], [3, *deal[0][1][1:]])  # somebody is better

    def loss(free: Floats) -> float:
        theta = np.append(free, -free.sum())
        ghost = 0.5 * np.log(expit(theta)) + 0.5 * np.log(expit(-theta))
        return float(-ghost.sum() - sum(by_all_orders(theta, *game) for deal in played for game in deal))

    best = minimize(loss, np.zeros(3), options={"gtol": 1e-6}).x
    found = ratings(blocks(played), np.arange(MIN_DEALS), 4)
    assert [r.elo for r in found] == pytest.approx(list(ELO * np.append(best, -best.sum())), abs=0.01)


def test_eight_tied_bots_are_255_sets_and_not_40320_orders() -> None:
    games = gather(blocks([[(range(8), [0] * 8)]]), np.arange(1), 8)
    assert len(games.choice_set) == 255
    assert games.choice_weight.sum() == pytest.approx(8)
    assert games.slopes(np.zeros(8))[0] == pytest.approx(np.zeros(8), abs=1e-12)


def test_newton_reaches_a_far_maximum() -> None:
    # bot i beats bot i + 1 in 999 games of 1000: seven times log 999 = 6.907 apart
    wins = np.arange(100_000) % 1000 > 0
    chips = np.stack([wins, ~wins], axis=1)[None].astype(np.int64)
    games = gather([outcomes_of(chips, (i, i + 1), 0) for i in range(7)], np.arange(100_000), 8)
    theta, _ = strengths(games, np.zeros(8, dtype=np.int64))
    assert -np.diff(theta) == pytest.approx(np.full(7, 6.907), abs=0.05)
    assert theta.sum() == pytest.approx(0, abs=1e-9)


def test_a_bot_that_won_everything_is_finite_and_has_no_interval_but_the_rest_have() -> None:
    rng = np.random.default_rng(2)
    pairs = list(itertools.combinations(range(4), 2))
    played = [[(p, [9, 0] if p[0] == 0 else rng.permutation(2).tolist()) for p in pairs] for _ in range(60)]
    winner, *rest = ratings(blocks(played), np.arange(60), 4)
    assert winner.reason is Reason.APART
    assert winner.elo is not None
    assert 500 < winner.elo < 2000
    assert (winner.se, winner.half_width) == (None, None)
    assert all(r.reason is None and r.half_width for r in rest)
    assert sum(r.elo or 0 for r in rest) == pytest.approx(0, abs=1e-9)
    without = [[((p[0] - 1, p[1] - 1), chips) for p, chips in deal if p[0]] for deal in played]
    for r, alone in zip(rest, ratings(blocks(without), np.arange(60), 3), strict=True):
        assert r.elo == pytest.approx(alone.elo, abs=0.5)
        assert r.se == pytest.approx(alone.se, rel=0.02)


def test_a_field_in_strict_order_has_ratings_and_no_intervals() -> None:
    found = ratings(blocks([[((0, 1, 2), [3, 2, 1])]] * 30), np.arange(30), 3)
    assert [r.reason for r in found] == [Reason.APART] * 3
    elo = [r.elo or 0 for r in found]
    assert elo[0] > 300
    assert elo[1] == pytest.approx(0, abs=1)
    assert elo[2] < -300
    assert sum(elo) == pytest.approx(0, abs=1e-9)


def test_bots_that_never_met_are_in_pools_each_with_mean_0() -> None:
    rng = np.random.default_rng(3)
    played = [[(p, rng.permutation(2).tolist()) for p in [(0, 2), (1, 4)]] for _ in range(40)]
    found = ratings(blocks(played), np.arange(40), 5)
    assert [r.pool for r in found] == [0, 1, 0, 2, 1]
    assert found[3] == Rating(None, None, None, 2, Reason.NO_GAMES)
    alone = ratings(blocks([[d[0]] for d in played]), np.arange(40), 3)
    assert (found[0].elo, found[0].se) == pytest.approx((alone[0].elo, alone[0].se), rel=1e-9)
    assert (found[1].elo or 0) + (found[4].elo or 0) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("deals", [0, 1, 2, 19])
def test_few_deals_are_not_enough(deals: int) -> None:
    played = random_deals(np.random.default_rng(4), 3, 2, deals)
    for r in ratings(blocks(played), np.arange(deals), 3):
        assert (r.elo, r.se, r.half_width) == (None, None, None)
        assert r.reason is Reason.NOT_ENOUGH_DEALS


@pytest.mark.parametrize("seats", [2, 8])
def test_ties_everywhere_and_clones_are_identical(seats: int) -> None:
    tied = outcomes_of(np.full((seats, 50, seats), 100), range(seats), 0)
    clones = np.stack([np.roll(np.arange(seats), r) for r in range(seats)])[:, None, :].repeat(50, axis=1)
    for found in (
        ratings([tied], np.arange(50), seats),
        ratings([outcomes_of(clones, range(seats), 0)], np.arange(50), seats),
    ):
        for r in found:
            assert r.elo == pytest.approx(0, abs=1e-9)
            assert (r.se, r.half_width, r.reason) == (None, None, Reason.IDENTICAL)


def test_blocks_may_come_in_any_cut_and_order_and_incomplete_deals_are_left_out() -> None:
    rng = np.random.default_rng(5)
    chips = rng.integers(0, 5, (3, 60, 3))
    other = rng.integers(0, 5, (3, 60, 3))
    deals = np.array([d for d in range(10, 70) if d != 33])
    whole = [outcomes_of(chips, (0, 1, 2), 10), outcomes_of(other, (1, 2, 3), 10)]
    cut = [
        outcomes_of(other[:, 25:], (1, 2, 3), 35),
        outcomes_of(chips[:, 40:], (0, 1, 2), 50),
        outcomes_of(chips[:, :40], (0, 1, 2), 10),
        outcomes_of(other[:, :23], (1, 2, 3), 10),  # deal 33 is missing
        outcomes_of(other[:, 24:25], (1, 2, 3), 34),
    ]
    a, b = (ratings(o, deals, 4) for o in (whole, cut))
    for one, two in zip(a, b, strict=True):
        assert (one.elo, one.se) == pytest.approx((two.elo, two.se), rel=1e-9)
    with pytest.raises(ValueError, match="as many games on every deal, got 3 to 6"):
        ratings(cut, np.arange(10, 70), 4)


def test_what_does_not_fit_is_an_error() -> None:
    chips = np.zeros((1, 30, 2), dtype=np.int64)
    with pytest.raises(ValueError, match="expected chips of 3 positions, 2 to 8, got 2"):
        outcomes_of(chips, (0, 1, 2), 0)
    two, three = outcomes_of(chips, (0, 1), 0), outcomes_of(np.zeros((1, 30, 3)), (0, 1, 2), 0)
    with pytest.raises(ValueError, match=r"expected lineups of one size, got \[2, 3\]"):
        ratings([two, three], np.arange(30), 3)


def test_200_000_games_of_50_bots_take_seconds() -> None:
    rng = np.random.default_rng(6)
    played = []
    for _ in range(250):
        lineup = tuple(sorted(rng.choice(50, 8, replace=False).tolist()))
        played.append((rng.normal(0, 100, (8, 100, 8)).astype(np.int64).clip(0), lineup))
    start = time.perf_counter()
    found = ratings([outcomes_of(chips, lineup, 0) for chips, lineup in played], np.arange(100), 50)
    assert time.perf_counter() - start < 6  # 1 to 2 on one core
    assert all(r.reason is None for r in found)
