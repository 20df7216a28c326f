"""Means by deal: published t quantiles, one deal, no spread."""

import numpy as np
import pytest

from arena.analysis.intervals import Interval, intervals, is_constant, t_quantile


@pytest.mark.parametrize(
    ("confidence", "df", "published"),
    [(0.95, 1, 12.706), (0.95, 10, 2.228), (0.99, 10, 3.169), (0.95, 120, 1.980), (0.90, 30, 1.697)],
)
def test_t_quantiles_are_those_of_the_printed_tables(confidence: float, df: int, published: float) -> None:
    assert t_quantile(confidence, df + 1) == pytest.approx(published, abs=5e-4)


def test_an_interval_is_mean_and_t_times_standard_error() -> None:
    # 1..11: mean 6, variance 11, so the standard error is 1 and the half width t(.975, 10) = 2.228
    x = np.arange(1.0, 12.0)[:, None]
    (found,) = intervals(x, 0.95)
    assert found.mean == 6.0
    assert found.half_width == pytest.approx(2.2281, abs=1e-4)
    assert (found.low, found.high) == pytest.approx((3.7719, 8.2281), abs=1e-4)
    assert not found.is_identical


def test_two_deals_have_an_interval() -> None:
    (found,) = intervals(np.array([[0.0], [2.0]]), 0.95)
    assert found.mean == 1.0
    assert found.half_width == pytest.approx(12.7062, abs=1e-4)


def test_one_deal_has_no_interval() -> None:
    assert intervals(np.array([[3.0, -3.0]]), 0.95) == (Interval(3.0, None), Interval(-3.0, None))
    assert intervals(np.array([[3.0]]), 0.95)[0].low is None


def test_equal_deals_are_identical_also_where_rounding_differs() -> None:
    third = 1 / 3
    x = np.array([[5.0, third, 0.0], [5.0, third * (1 + 2e-16), 0.0], [5.0, third, 1e-300]])
    found = intervals(x, 0.95)
    assert [i.is_identical for i in found] == [True, True, False]
    assert found[0] == Interval(5.0, None, is_identical=True)


def test_a_spread_counts_against_the_size_of_the_values() -> None:
    x = np.array([[1e9, 1.0], [1e9 + 0.5, 1.5]])
    assert is_constant(x, np.array([1e9, 1.5])).tolist() == [True, False]


def test_no_deals_is_an_error() -> None:
    with pytest.raises(ValueError, match="no deals"):
        intervals(np.zeros((0, 2)), 0.95)
