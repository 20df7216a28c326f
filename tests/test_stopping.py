"""Stopping early: the sequence against plain arithmetic, the grid of looks, both rules, degenerate rows."""

import math
import time

import numpy as np
import pytest

from arena.analysis.differences import P_FLOOR, differences
from arena.analysis.intervals import Floats
from arena.analysis.stopping import (
    RuleHalfWidth,
    RuleRanked,
    least_min_deals,
    looks,
    mixture_variance,
    sequence_differences,
    sequence_intervals,
    sequence_p,
    sequence_quantile,
    state,
)


def rho_squared(alpha: float, n_star: float) -> float:
    """By bisection: v = −W₋₁(−α² e^{α²−1}) is the root above 1 of v − ln v = 1 − α² − 2 ln α."""
    target = 1 - alpha**2 - 2 * math.log(alpha)
    low, high = 1.0, 1e3
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if middle - math.log(middle) < target else (low, middle)
    return (low - 1) / n_star


def half_width(sd: float, n: int, alpha: float, n_star: float) -> float:
    """The formula of statistics.md, letter by letter."""
    rho2 = rho_squared(alpha, n_star)
    root = math.sqrt(n * rho2 + 1)
    return sd * math.sqrt(2 * (n * rho2 + 1) / (n * n * rho2) * math.log(root / alpha))


@pytest.mark.parametrize("alpha", [0.5, 0.05, 0.05 / 66, 0.0001 / 1225, 1e-7])
@pytest.mark.parametrize("deals", [2, 100, 200, 2500, 10_000_000])
def test_half_widths_are_those_of_the_formula(alpha: float, deals: int) -> None:
    assert mixture_variance(alpha, 100) == pytest.approx(rho_squared(alpha, 200), rel=1e-9)
    found = 7.0 * sequence_quantile(deals, alpha, 100) / math.sqrt(deals)
    assert found == pytest.approx(half_width(7.0, deals, alpha, 200), rel=1e-9)


def test_half_widths_by_hand() -> None:
    # α = .05: v − ln v = 6.98896 at v = 9.20916; n = n* = 200: nρ² = 8.20916 and
    # √(2 · 9.20916/8.20916 · (ln 9.20916 / 2 + ln 20)) = √(2.24363 · (1.11010 + 2.99573)) = 3.03512
    assert 200 * mixture_variance(0.05, 100) == pytest.approx(8.20916, abs=2e-5)
    assert sequence_quantile(200, 0.05, 100) == pytest.approx(3.03512, abs=2e-5)
    # twelve bots, α' = .05/66: √18.27638, where the range has 4.622/√2 = 3.268: 1.31 times
    assert sequence_quantile(200, 0.05 / 66, 100) == pytest.approx(18.27638**0.5, abs=1e-4)


def test_no_alpha_outside_the_formula() -> None:
    for alpha in (0.0, -0.1, 0.76, 1.0, math.nan):
        with pytest.raises(ValueError, match="alpha"):
            mixture_variance(alpha, 100)


def test_intervals_narrow_with_deals_and_widen_with_confidence_and_pairs() -> None:
    ns = [2, 10, 100, 250, 1000, 10_000, 10_000_000]
    widths = [sequence_quantile(n, 0.01, 100) / n**0.5 for n in ns]
    assert widths == sorted(widths, reverse=True)
    alphas = [0.5, 0.05, 0.001, 1e-7]
    assert sorted(alphas, key=lambda a: sequence_quantile(1000, a, 100)) == alphas
    quantiles = {n: sequence_quantile(n, 0.01, 500) for n in range(100, 5000, 100)}
    assert min(quantiles, key=quantiles.__getitem__) == 1000  # n* = 2 · min_deals
    assert sequence_quantile(10_000_000, 0.01, 500) > quantiles[4900]


def test_p_is_the_level_at_which_the_sequence_touches_0() -> None:
    # Independent route: bisect for the α whose half width, with ρ² held, is the mean
    rho2 = rho_squared(0.01, 200)
    t, n = 4.0, 500
    low, high = 1e-12, 1.0
    for _ in range(200):
        alpha = math.sqrt(low * high)
        touches = math.sqrt(2 * (n * rho2 + 1) / (n * rho2) * math.log(math.sqrt(n * rho2 + 1) / alpha))
        low, high = (low, alpha) if touches < t else (alpha, high)
    assert sequence_p(np.array([t]), n, 0.01, 100)[0] == pytest.approx(low, rel=1e-6)
    edge = sequence_quantile(n, 0.01, 100)
    assert sequence_p(np.array([edge, 0.0, 1e9]), n, 0.01, 100) == pytest.approx([0.01, 1.0, 0.0])


def test_pairs_by_hand() -> None:
    # d = 300 times −1, 3 in turn: mean 1, sd 2 √(300/299); one pair, α' = α
    x = np.column_stack([np.tile([-1.0, 3.0], 150), np.zeros(300)])
    diff = sequence_differences(x, 0.95, 100)
    assert diff.half_width is not None
    expected = half_width(2 * math.sqrt(300 / 299), 300, 0.05, 200)
    assert diff.half_width[0, 1] == pytest.approx(expected, rel=1e-9)
    assert diff.separated.tolist() == [[False, True], [True, False]]
    # with a third bot α' = α/3, for pairs and for bots alike
    three = np.column_stack([x, np.full(300, 9.0)])
    wider = sequence_differences(three, 0.95, 100)
    assert wider.half_width is not None
    expected = half_width(2 * math.sqrt(300 / 299), 300, 0.05 / 3, 200)
    assert wider.half_width[0, 1] == pytest.approx(expected, rel=1e-9)
    first, second, third = sequence_intervals(three, 0.95, 100)
    assert first.mean == 1.0
    assert first.half_width == pytest.approx(expected, rel=1e-9)
    assert (second.half_width, second.is_identical) == (None, True)
    assert (third.mean, third.is_identical) == (9.0, True)


@pytest.mark.parametrize("total", [0.0, 1.0])
def test_of_two_bots_one_s_gain_is_the_other_s_loss_and_one_interval(total: float) -> None:
    x = np.tile([-1.0, 3.0], 150)
    one, two = sequence_intervals(np.column_stack([x, total - x]), 0.95, 100)
    expected = half_width(2 * math.sqrt(300 / 299), 300, 0.05, 200)  # α is shared with nobody
    assert [one.half_width, two.half_width] == pytest.approx([expected, expected], rel=1e-9)
    between = sequence_differences(np.column_stack([x, total - x]), 0.95, 100)
    assert between.half_width is not None
    assert between.half_width[0, 1] == pytest.approx(2 * expected, rel=1e-9)  # both say the same
    shifted = sequence_intervals(np.column_stack([x, np.roll(x, 1) + x]), 0.95, 100)
    assert shifted[0].half_width == pytest.approx(
        half_width(2 * math.sqrt(300 / 299), 300, 0.025, 200), rel=1e-9
    )


def test_separated_is_an_interval_without_0_is_a_p_below_alpha() -> None:
    x = np.random.default_rng(3).normal(size=(400, 9)) + np.linspace(0, 1, 9)
    diff = sequence_differences(x, 0.95, 100)
    plain = differences(x, 0.95)
    assert diff.half_width is not None
    assert diff.p is not None
    assert diff.p_holm is not None
    off = ~np.eye(9, dtype=bool)
    assert 0 < diff.separated.sum() < off.sum()
    assert (diff.separated == (np.abs(diff.mean) > diff.half_width))[off].all()
    assert (diff.separated == (diff.p < 0.05))[off].all()
    assert (diff.p_holm <= diff.p).all()
    assert (diff.mean == plain.mean).all()
    assert plain.half_width is not None
    assert (diff.half_width > plain.half_width)[off].all()
    for figures in (diff.p, diff.p_holm, diff.half_width, diff.separated):
        assert (figures == figures.T).all()


def test_looks_are_multiples_from_the_least_on_and_the_last_deal() -> None:
    assert looks(100, 1000) == (250, 500, 750, 1000)
    assert looks(500, 1100) == (500, 750, 1000, 1100)
    assert looks(501, 800) == (750, 800)
    assert looks(100, 100) == (100,)
    assert looks(100, 249) == (249,)
    assert looks(1, 5, every=2) == (2, 4, 5)
    for bad in ((0, 10, 1), (11, 10, 1), (1, 10, 0)):
        with pytest.raises(ValueError, match="expected"):
            looks(*bad)


def test_least_minimum_is_that_of_the_simulations() -> None:
    assert [least_min_deals(False, bots) for bots in (2, 50)] == [100, 100]
    assert [least_min_deals(True, bots) for bots in (2, 5, 6, 50)] == [500, 500, 1000, 1000]


def test_rules_refuse_what_no_run_can_meet() -> None:
    for bad in (-1.0, math.inf, math.nan):
        with pytest.raises(ValueError, match="expected indifferent_chips"):
            RuleRanked(bad)
    for bad in (0.0, -1.0, math.inf, math.nan):
        with pytest.raises(ValueError, match="expected chips"):
            RuleHalfWidth(bad)


def three_bots(deals: int) -> Floats:
    """Far apart, and two that are 0.1 apart with sd 1 (exactly, by turns)."""
    turns = np.where(np.arange(deals) % 2, 1.0, -1.0)
    return np.column_stack([turns + 0.1, np.zeros(deals), np.full(deals, -20.0) + turns])


def test_ranked_is_met_once_every_pair_is_separated_or_too_close_to_matter() -> None:
    # d(0, 1) = .1 ± h with sd 1, α' = .05/3: h(500) = .155, so [−.055, .255] is inside ±.3, not ±.2
    rows = three_bots(500)
    assert half_width(1.0, 500, 0.05 / 3, 200) == pytest.approx(0.155, abs=0.001)
    tight = state(rows, RuleRanked(0.2), 0.95, 100)
    assert not tight.met
    assert tight.unresolved == ((0, 1),)
    assert tight.separated.tolist() == [[False, False, True], [False, False, True], [True, True, False]]
    loose = state(rows, RuleRanked(0.3), 0.95, 100)
    assert loose.met
    assert (loose.deals, loose.unresolved, loose.too_wide) == (500, (), ())
    assert loose.indifferent.tolist() == [[False, True, False], [True, False, False], [False, False, False]]
    assert not (loose.separated & loose.indifferent).any()


def test_half_width_is_met_once_every_bot_is_within() -> None:
    rows = three_bots(500)
    width = half_width(math.sqrt(500 / 499), 500, 0.05 / 3, 200)
    found = state(rows, RuleHalfWidth(width * 0.99), 0.95, 100)
    assert found.bot_half_widths == pytest.approx([width, 0.0, width], rel=1e-9)
    assert (found.met, found.too_wide) == (False, (0, 2))
    met = state(rows, RuleHalfWidth(width * 1.01), 0.95, 100)
    assert (met.met, met.too_wide) == (True, ())
    assert met.unresolved == ((0, 1),)  # which this rule does not mind


def test_nothing_is_met_before_the_least_number_of_deals() -> None:
    rows = three_bots(499)
    assert state(rows, RuleRanked(5.0), 0.95, 499).met
    assert not state(rows, RuleRanked(5.0), 0.95, 500).met
    assert not state(rows, RuleHalfWidth(5.0), 0.95, 500).met


def test_a_rule_is_met_from_one_look_on_where_rows_go_on_alike() -> None:
    # .1 + h is .316 after 250 deals, .255 after 500
    met = {n: state(three_bots(n), RuleRanked(0.3), 0.95, 100).met for n in looks(100, 1000)}
    assert met == {250: False, 500: True, 750: True, 1000: True}
    assert not any(state(three_bots(n), RuleRanked(0.0), 0.95, 100).met for n in (250, 500))


def test_only_twins_are_as_good_as_equal_for_not_having_differed() -> None:
    one = np.random.default_rng(5).normal(size=(250, 1))
    rows = np.hstack([one, one * (1 + 1e-16), one])
    for rule in (RuleRanked(), RuleRanked(10.0)):
        some = state(rows, rule, 0.95, 100, [(0, 2)])
        assert not some.met
        assert some.unresolved == ((0, 1), (1, 2))
        assert some.indifferent.sum() == 2
        assert some.indifferent[0, 2]
    found = state(rows, RuleRanked(), 0.95, 100, [(0, 1), (0, 2), (1, 2)])
    assert found.met
    assert (found.indifferent == ~np.eye(3, dtype=bool)).all()
    assert (found.half_widths == 0).all()
    diff = sequence_differences(rows, 0.95, 100)
    assert diff.p is not None
    assert (diff.p == 1).all()
    assert not diff.separated.any()


def test_a_difference_that_never_varies_needs_as_many_deals_as_the_sign_test() -> None:
    # one pair: 2^(1 − n) ≤ .05 from n = 6 on; three pairs: ≤ .05/3 from n = 7 on
    for bots, enough in ((2, 6), (3, 7)):
        column = np.arange(float(bots))
        before = state(np.tile(column, (enough - 1, 1)), RuleRanked(50.0), 0.95, 2)
        assert not before.separated.any()
        assert not before.indifferent.any()
        assert not before.met
        after = state(np.tile(column, (enough, 1)), RuleRanked(50.0), 0.95, 2)
        assert after.separated.sum() == bots * (bots - 1)
        assert after.met
    diff = sequence_differences(np.tile([5.0, 1.0], (2000, 1)), 0.95, 100)
    assert diff.p is not None
    assert diff.p[0, 1] == P_FLOOR


@pytest.mark.parametrize("rule", [RuleRanked(1.0), RuleHalfWidth(1.0)])
def test_one_deal_says_nothing(rule: RuleRanked | RuleHalfWidth) -> None:
    rows = np.array([[5.0, 1.0, 1.0]])
    found = state(rows, rule, 0.95, 1)
    assert not found.met
    assert not found.separated.any()
    assert not found.indifferent.any()
    assert found.unresolved == ((0, 1), (0, 2), (1, 2))
    assert np.isinf(found.bot_half_widths).all()
    assert np.isinf(found.half_widths[np.triu_indices(3, 1)]).all()
    assert (np.diagonal(found.half_widths) == 0).all()
    diff = sequence_differences(rows, 0.95, 100)
    assert diff.half_width is None
    assert diff.quantile is None
    assert [i.half_width for i in sequence_intervals(rows, 0.95, 100)] == [None] * 3


def test_two_deals_are_finite() -> None:
    found = state(np.array([[5.0, 1.0, 0.0], [4.0, 3.0, 0.0]]), RuleRanked(1.0), 0.95, 100)
    assert np.isfinite(found.half_widths).all()
    assert not found.separated.any()


def test_one_bot_has_no_pair_to_resolve() -> None:
    rows = np.random.default_rng(7).normal(size=(300, 1))
    assert state(rows, RuleRanked(), 0.95, 100).met
    assert not state(rows, RuleHalfWidth(0.01), 0.95, 100).met
    assert state(rows, RuleHalfWidth(1.0), 0.95, 100).met


def test_no_deals_is_an_error() -> None:
    for bad in (sequence_differences, sequence_intervals):
        with pytest.raises(ValueError, match="no deals"):
            bad(np.zeros((0, 2)), 0.95, 100)
    with pytest.raises(ValueError, match="no deals"):
        state(np.zeros((0, 2)), RuleRanked(), 0.95, 100)


def test_all_bots_always_bust() -> None:
    found = state(np.full((250, 4), -100.0), RuleHalfWidth(1.0), 0.95, 100)
    assert found.met
    assert (found.bot_half_widths == 0).all()
    everyone = [(i, j) for j in range(4) for i in range(j)]
    assert state(np.full((250, 4), -100.0), RuleRanked(), 0.95, 100, everyone).met
    assert state(np.full((250, 4), -100.0), RuleRanked(), 0.95, 100).unresolved == tuple(sorted(everyone))


def test_fifty_bots_are_quick_and_finite() -> None:
    x = np.random.default_rng(6).normal(size=(2000, 50)) + np.linspace(0, 0.5, 50)
    began = time.perf_counter()
    found = state(x, RuleRanked(0.1), 0.9999, 1000)
    assert time.perf_counter() - began < 2
    assert np.isfinite(found.half_widths).all()
    assert np.isfinite(found.bot_half_widths).all()
    assert len(found.unresolved) * 2 == 50 * 49 - int((found.separated | found.indifferent).sum())
