"""The intervals hold as often as they say, on rows like ours: shared luck, unequal spreads, heavy tails."""

import numpy as np
import pytest

from arena.analysis.differences import differences
from arena.analysis.intervals import Floats, intervals

pytestmark = pytest.mark.slow
RUNS = 500
BAND = (0.92, 0.98)  # 95 % ± 3 standard errors of 500 runs


def rows(rng: np.random.Generator, deals: int, bots: int) -> Floats:
    """Rows with known means 0, 1, 2, …: luck that bots share, and their own of unequal spread, t(6) tails."""
    shared = rng.normal(0, 30, (deals, 1))
    own = rng.standard_t(6, (deals, bots)) * np.linspace(5, 20, bots)
    return shared + own + np.arange(bots)


def joint_coverage(deals: int, bots: int, is_adjusted: bool) -> float:
    rng = np.random.default_rng(deals + bots)
    truth = -np.subtract.outer(np.arange(bots), np.arange(bots)).T
    held = 0
    for _ in range(RUNS):
        diff = differences(rows(rng, deals, bots), 0.95)
        assert diff.half_width is not None
        half = diff.half_width if is_adjusted else 1.984 * diff.se
        held += bool((np.abs(diff.mean - truth) <= half + 1e-12).all())
    return held / RUNS


@pytest.mark.parametrize(("deals", "bots"), [(50, 6), (200, 12)])
def test_simultaneous_intervals_hold_jointly(deals: int, bots: int) -> None:
    assert BAND[0] <= joint_coverage(deals, bots, is_adjusted=True) <= 0.985


def test_unadjusted_intervals_do_not() -> None:
    assert joint_coverage(100, 12, is_adjusted=False) < 0.6


def coverage_of_means(as_if_independent: bool) -> float:
    """How often 95 % intervals of a mean hold, by deal or (wrongly) by game: four games a deal share luck."""
    rng = np.random.default_rng(9)
    held = 0
    for _ in range(2 * RUNS):
        games = rng.normal(0, 10, (60, 1)) + rng.normal(0, 10, (60, 4))
        x = games.reshape(-1, 1) if as_if_independent else games.mean(axis=1, keepdims=True)
        (found,) = intervals(x, 0.95)
        assert found.low is not None
        assert found.high is not None
        held += found.low <= 0 <= found.high
    return held / (2 * RUNS)


def test_intervals_by_deal_hold() -> None:
    assert BAND[0] <= coverage_of_means(as_if_independent=False) <= BAND[1]


def test_intervals_by_game_do_not() -> None:
    assert coverage_of_means(as_if_independent=True) < 0.9
