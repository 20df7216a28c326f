"""Adjusted win shares keep their mean, vary less and hold their intervals; a β̂ of the same fold does not."""

from collections.abc import Callable

import numpy as np
import pytest

from arena.analysis.intervals import Floats, intervals
from arena.analysis.variates import adjust, agreement

pytestmark = pytest.mark.slow
RUNS = 1000
Estimator = Callable[[Floats, Floats], Floats]


def play(rng: np.random.Generator, deals: int, n_controls: int) -> tuple[Floats, Floats]:
    """Win shares ``(deals, 1)`` of mean 0.3 and their skewed luck of mean 0, which explains part of them."""
    luck = rng.gamma(2, 1, (deals, 1, n_controls)) - 2
    skill = rng.normal(0, 0.1, (deals, 1))
    one, two = luck[:, :, 0], luck[:, :, 1]
    return 0.3 + skill + 0.08 * one - 0.03 * two + 0.02 * (one**2 - 2), luck


def other_folds(w: Floats, luck: Floats) -> Floats:
    return adjust(w, luck).rows


def same_fold(w: Floats, luck: Floats) -> Floats:
    """The wrong estimator: β̂ of the very deals that it is used on."""
    x = luck[:, 0, :]
    beta = np.linalg.lstsq(x - x.mean(axis=0), w - w.mean(axis=0), rcond=None)[0]
    return np.asarray(w - x @ beta)


def simulate(estimate: Estimator, deals: int, n_controls: int) -> tuple[float, float, float, float]:
    """Mean error in its own standard errors, its mean, coverage at 95 %, raw over adjusted variance of means."""
    rng = np.random.default_rng(deals + n_controls)
    raw, found, held = [], [], 0
    for _ in range(RUNS):
        w, luck = play(rng, deals, n_controls)
        (interval,) = intervals(estimate(w, luck), 0.95)
        assert interval.low is not None
        assert interval.high is not None
        held += interval.low <= 0.3 <= interval.high
        raw.append(w.mean())
        found.append(interval.mean)
    error = float(np.mean(found) - 0.3)
    spread = float(np.std(found))
    return error / (spread / RUNS**0.5), error, held / RUNS, float(np.var(raw) / spread**2)


@pytest.mark.parametrize(("deals", "at_least"), [(20, 1.6), (50, 1.9), (400, 2.5)])
def test_adjusted_means_are_unbiased_surer_and_hold_their_intervals(deals: int, at_least: float) -> None:
    z, _, held, saved = simulate(other_folds, deals, 3)
    assert abs(z) < 3.5
    assert 0.91 <= held <= 0.97  # skewed luck, 20 deals: 93 %
    assert saved > at_least


def test_twelve_controls_and_twenty_deals_still_hold() -> None:
    z, _, held, _ = simulate(other_folds, 20, 12)
    assert abs(z) < 3.5
    assert held > 0.9


def test_beta_of_the_same_fold_is_biased() -> None:
    z, error, held, _ = simulate(same_fold, 20, 3)
    assert abs(z) > 5
    assert error < -0.005
    assert held < 0.9


def test_beta_of_the_same_fold_with_many_controls_believes_what_it_fitted() -> None:
    assert simulate(same_fold, 20, 12)[2] < 0.65


def alarms(is_adjusted: bool) -> float:
    """How often luck of mean zero of 12 bots is called a disagreement."""
    rng = np.random.default_rng(3)
    flags = 0
    for _ in range(4000):
        luck = rng.standard_t(5, (100, 12))
        found = agreement(luck)
        assert found.max_t is not None
        flags += (not found.agrees) if is_adjusted else found.max_t > 1.984
    return flags / 4000


def test_a_report_seldom_cries_wolf() -> None:
    assert alarms(is_adjusted=True) <= 0.0035  # 0.001, and 5 standard errors


def test_a_five_percent_test_cries_wolf_often() -> None:
    assert 0.35 < alarms(is_adjusted=False) < 0.55


def test_luck_of_a_wrong_mean_is_found() -> None:
    luck = np.random.default_rng(4).normal(0, 1, (400, 12))
    luck[:, 5] += 0.4
    assert agreement(luck).bot == 5
    assert not agreement(luck).agrees
