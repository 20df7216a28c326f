"""Seat effect: means by hand, one deal, no spread, 2 and 8 seats."""

import numpy as np
import pytest

from arena.analysis.intervals import Interval
from arena.analysis.seats import SeatEffect, seat_effect


def test_a_seat_effect_by_hand() -> None:
    # Two games a deal, sums 2, 4, …, 22 in the first seat: means a game 1..11, 6 ± t(.975, 10) · 1
    sums = 2 * np.arange(1, 12)
    found = seat_effect(np.column_stack([sums, -sums]), games_per_deal=2)
    assert found.deals == 11
    assert found.seats is not None
    first, last = found.seats
    assert (first.mean, last.mean) == (6.0, -6.0)
    assert first.half_width == pytest.approx(2.2281, abs=1e-4)
    assert found.spread_chips == 12.0
    assert found.is_shown


@pytest.mark.parametrize("seats", [2, 8])
def test_chance_alone_shows_no_effect(seats: int) -> None:
    net = np.random.default_rng(seats).integers(-50, 51, (300, seats))
    found = seat_effect(net - net.mean(axis=1, keepdims=True), games_per_deal=seats)
    assert found.is_shown is False
    assert found.spread_chips is not None
    assert found.spread_chips > 0


def test_one_deal_has_means_and_no_intervals() -> None:
    found = seat_effect(np.array([[6, -6]]), games_per_deal=2)
    assert found == SeatEffect(1, (Interval(3.0, None), Interval(-3.0, None)), 6.0, None)


def test_no_deals_say_nothing() -> None:
    assert seat_effect(np.zeros((0, 4)), games_per_deal=4) == SeatEffect(0, None, None, None)


def test_seats_that_are_always_equal_are_identical() -> None:
    found = seat_effect(np.zeros((50, 3), dtype=np.int64), games_per_deal=3)
    assert found == SeatEffect(50, (Interval(0.0, None, is_identical=True),) * 3, 0.0, False)


def test_a_seat_that_always_gains_is_shown_by_enough_deals_only() -> None:
    assert seat_effect(np.tile([5, -5], (2, 1)), 1).is_shown is False
    assert seat_effect(np.tile([5, -5], (50, 1)), 1).is_shown is True


def test_no_games_are_an_error() -> None:
    with pytest.raises(ValueError, match="expected games"):
        seat_effect(np.zeros((5, 2)), games_per_deal=0)
