"""Simultaneous intervals of all pairs: published quantiles, agreement of p and interval, degenerate pairs."""

import time

import numpy as np
import pytest
from scipy.stats import studentized_range

from arena.analysis.differences import P_FLOOR, differences, holm_adjust, max_t_quantile, max_t_sf

SQRT2 = 2**0.5


@pytest.mark.parametrize(
    ("confidence", "bots", "df", "published"),
    # Harter's tables of the studentized range
    [
        (0.95, 3, 10, 3.877),
        (0.95, 2, 10, 3.151),
        (0.99, 3, 10, 5.270),
        (0.95, 10, 20, 5.008),
        (0.95, 5, 120, 3.917),
    ],
)
def test_quantiles_are_those_of_the_printed_tables(
    confidence: float, bots: int, df: int, published: float
) -> None:
    assert max_t_quantile(confidence, bots, df + 1) * SQRT2 == pytest.approx(published, abs=1e-3)


def test_quantiles_are_right_where_tables_end() -> None:
    # Two bots and two deals: Student's t with one degree of freedom, tan(π (.99995 − .5))
    assert max_t_quantile(0.9999, 2, 2) == pytest.approx(6366.1976, rel=1e-6)
    for bots in (3, 12, 50):
        assert max_t_quantile(0.95, bots, 1000) == pytest.approx(
            studentized_range.ppf(0.95, bots, 999) / SQRT2, rel=1e-6
        )


@pytest.mark.parametrize("bots", [2, 3, 12, 50])
@pytest.mark.parametrize("deals", [3, 5, 50, 1000])
def test_p_is_the_studentized_range(bots: int, deals: int) -> None:
    t = np.array([0.0, 0.3, 1.0, 2.0, 3.0, 4.5, 6.0])
    expected = studentized_range.sf(SQRT2 * t, bots, deals - 1)
    assert max_t_sf(t, bots, deals) == pytest.approx(expected, rel=3e-6, abs=2e-9)


def test_p_far_out_is_small_and_silent() -> None:
    p = max_t_sf(np.array([30.0, 1e3, 1e8]), 12, 1000)
    assert (p < P_FLOOR).all()
    assert (p >= 0).all()


def test_two_deals_and_a_huge_t_do_not_make_a_small_p() -> None:
    # K = 2: Student's t with one degree of freedom, P(|T| > 1e4) = 2/(π 1e4)
    assert max_t_sf(np.array([1e4]), 2, 2)[0] == pytest.approx(6.3662e-5, rel=1e-4)


def test_a_difference_by_hand() -> None:
    # d = 1..11: mean 6, standard error 1; two bots: studentized range / √2 is Student's t(.975, 10) = 2.228
    x = np.column_stack([np.arange(1.0, 12.0), np.zeros(11)])
    diff = differences(x, 0.95)
    assert diff.half_width is not None
    assert diff.p is not None
    assert diff.mean.tolist() == [[0.0, 6.0], [-6.0, 0.0]]
    assert diff.se[0, 1] == pytest.approx(1.0)
    assert diff.half_width[0, 1] == pytest.approx(2.2281, abs=1e-3)
    assert diff.separated.tolist() == [[False, True], [True, False]]
    assert diff.p[0, 1] == pytest.approx(2 * 6.6e-5, rel=0.02)  # t = 6 with 10 degrees of freedom: .000132


def test_separated_is_an_interval_without_0_is_a_p_below_alpha() -> None:
    x = np.random.default_rng(3).normal(size=(60, 9)) + np.linspace(0, 1, 9)
    diff = differences(x, 0.95)
    assert diff.half_width is not None
    assert diff.p is not None
    off = ~np.eye(9, dtype=bool)
    assert 0 < diff.separated.sum() < off.sum()
    assert (diff.separated == (np.abs(diff.mean) > diff.half_width))[off].all()
    assert (diff.separated == (diff.p < 0.05))[off].all()
    assert (diff.mean == -diff.mean.T).all()
    assert (diff.p == diff.p.T).all()


def test_shared_luck_leaves_the_difference() -> None:
    rng = np.random.default_rng(4)
    luck = rng.normal(0, 100, size=(300, 1))
    x = luck + rng.normal(0, 1, size=(300, 3)) + np.array([0.0, 0.0, 2.0])
    diff = differences(x, 0.95)
    assert diff.separated[2].tolist() == [True, True, False]
    assert not diff.separated[0, 1]


def test_identical_bots_have_no_difference_and_no_warning() -> None:
    one = np.random.default_rng(5).normal(size=50)
    diff = differences(np.column_stack([one, one, one * (1 + 1e-16)]), 0.95)
    assert diff.p is not None
    assert diff.p_holm is not None
    assert diff.is_constant.all()
    assert not diff.separated.any()
    assert (diff.mean == 0).all()
    assert (diff.p == 1).all()
    assert (diff.p_holm == 1).all()


def test_a_difference_that_never_varies_is_judged_by_how_many_deals_show_it() -> None:
    two = differences(np.array([[5.0, 1.0], [5.0, 1.0]]), 0.95)
    assert two.p is not None
    assert two.p[0, 1] == 0.5  # two deals of one sign: 2 · (1/2)²
    assert not two.separated.any()
    many = differences(np.tile([5.0, 1.0], (2000, 1)), 0.95)
    assert many.separated.tolist() == [[False, True], [True, False]]
    assert many.p is not None
    assert many.p[0, 1] == P_FLOOR


def test_one_deal_separates_nobody() -> None:
    diff = differences(np.array([[5.0, 1.0, -6.0]]), 0.95)
    assert diff.mean[0].tolist() == [0.0, 4.0, 11.0]
    assert not diff.separated.any()
    assert diff.half_width is None
    assert diff.p is None
    assert diff.quantile is None


def test_one_bot_and_no_deals() -> None:
    assert differences(np.ones((10, 1)), 0.95).mean.tolist() == [[0.0]]
    with pytest.raises(ValueError, match="no deals"):
        differences(np.zeros((0, 2)), 0.95)


def test_holm_by_hand() -> None:
    # Sorted .01 .02 .03 .04: times 4 3 2 1 = .04 .06 .06 .04, never falling: .04 .06 .06 .06
    assert holm_adjust(np.array([0.04, 0.01, 0.03, 0.02])) == pytest.approx([0.06, 0.04, 0.06, 0.06])
    assert holm_adjust(np.array([0.9, 0.8])).tolist() == [1.0, 1.0]


@pytest.mark.slow
def test_fifty_bots_are_quick_and_finite() -> None:
    x = np.random.default_rng(6).normal(size=(1000, 50)) + np.linspace(0, 0.5, 50)
    began = time.perf_counter()
    diff = differences(x, 0.95)
    assert time.perf_counter() - began < 8  # scipy's own sf takes 12 s or more
    for figures in (diff.mean, diff.se, diff.half_width, diff.p, diff.p_holm):
        assert figures is not None
        assert np.isfinite(figures).all()
