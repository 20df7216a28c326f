"""Rating intervals hold as often as they say where games of a deal share luck; those by game do not."""

import itertools
from collections.abc import Callable

import numpy as np
import pytest

from arena.analysis.intervals import Floats
from arena.analysis.ratings import ELO, Outcomes, Rating, outcomes_of, ratings

pytestmark = pytest.mark.slow
BOTS, SEATS, RUNS = 6, 3, 400
LINEUPS = list(itertools.combinations(range(BOTS), SEATS))
THETA = np.linspace(-0.8, 0.8, BOTS)
BAND = (0.92, 0.975)  # 95 %, a little less for 50 deals; six correlated bots in each run

Chips = Callable[[np.random.Generator, int], dict[tuple[int, ...], Floats]]


def shared_luck(rng: np.random.Generator, deals: int) -> dict[tuple[int, ...], Floats]:
    """Chips whose order in a game is exactly Plackett–Luce, while a bot's luck on a deal goes with it.

    The greater of two Gumbel variates, moved by the logs of .6 and .4, is one again; the first is the
    deal's, the second the game's.
    """
    deal = rng.gumbel(np.log(0.6), 1, (1, deals, BOTS))
    own = {u: rng.gumbel(np.log(0.4), 1, (SEATS, deals, SEATS)) for u in LINEUPS}
    return {u: THETA[list(u)] + np.maximum(deal[:, :, list(u)], own[u]) for u in LINEUPS}


def with_ties(rng: np.random.Generator, deals: int) -> dict[tuple[int, ...], Floats]:
    """The same in coarse chips, with busts: many tie, and the model is only an approximation."""
    return {u: np.floor(2 * c).clip(0) for u, c in shared_luck(rng, deals).items()}


def opposite_luck(rng: np.random.Generator, deals: int) -> dict[tuple[int, ...], Floats]:
    """Each position of a lineup has the luck of each seat once, as in rotations of duplicates."""
    luck = rng.gumbel(size=(len(LINEUPS), deals, SEATS))
    turned = np.stack([np.roll(luck, r, axis=2) for r in range(SEATS)], axis=1)
    return {u: THETA[list(u)] + games for u, games in zip(LINEUPS, turned, strict=True)}


def by_deal(chips: dict[tuple[int, ...], Floats], deals: int) -> tuple[Rating, ...]:
    blocks = [outcomes_of((1e9 * c).astype(np.int64), u, 0) for u, c in chips.items()]
    return ratings(blocks, np.arange(deals), BOTS)


def by_game(chips: dict[tuple[int, ...], Floats], deals: int) -> tuple[Rating, ...]:
    """The wrong estimator: each game is its own deal."""
    blocks = []
    for u, c in chips.items():
        codes = outcomes_of((1e9 * c).astype(np.int64), u, 0).codes
        blocks.append(Outcomes(u, codes.size * len(blocks), codes.reshape(-1, 1)))
    return ratings(blocks, np.arange(SEATS * deals * len(LINEUPS)), BOTS)


def coverage(
    play: Chips,
    estimate: Callable[[dict[tuple[int, ...], Floats], int], tuple[Rating, ...]],
    truth: Floats,
    deals: int,
) -> float:
    rng = np.random.default_rng(deals)
    held = 0
    for _ in range(RUNS):
        for rating, true in zip(estimate(play(rng, deals), deals), truth, strict=True):
            assert rating.elo is not None
            assert rating.half_width is not None
            held += abs(rating.elo - true) <= rating.half_width
    return held / (RUNS * BOTS)


@pytest.mark.parametrize("deals", [50, 200])
def test_intervals_by_deal_hold_where_games_share_luck(deals: int) -> None:
    assert BAND[0] <= coverage(shared_luck, by_deal, ELO * THETA, deals) <= BAND[1]


def test_intervals_of_twenty_deals_nearly_hold() -> None:
    assert coverage(shared_luck, by_deal, ELO * THETA, 20) >= 0.90


def test_intervals_by_deal_hold_with_ties_and_a_model_that_is_not_true() -> None:
    many = by_deal(with_ties(np.random.default_rng(1), 40_000), 40_000)
    truth = np.array([r.elo for r in many])
    assert BAND[0] <= coverage(with_ties, by_deal, truth, 60) <= BAND[1]


def test_intervals_by_game_do_not() -> None:
    assert coverage(shared_luck, by_game, ELO * THETA, 50) < 0.75


def test_intervals_by_deal_hold_where_rotations_cancel_luck_and_those_by_game_are_too_wide() -> None:
    assert BAND[0] <= coverage(opposite_luck, by_deal, ELO * THETA, 60) <= BAND[1]
    assert coverage(opposite_luck, by_game, ELO * THETA, 60) > 0.985
