"""What the first deals alone would have said."""

import numpy as np
import pytest

from arena.analysis.settling import prefixes, settling


def test_the_last_point_is_all_deals_and_points_never_repeat() -> None:
    assert prefixes(1000)[-1] == 1000
    assert len(prefixes(1000)) == 32
    assert prefixes(5) == (1, 2, 3, 4, 5)


def test_means_are_those_of_the_first_deals_by_hand() -> None:
    found = settling(np.array([[4.0, 0.0], [0.0, 2.0], [2.0, 1.0]]), 0.95)
    assert found.deals == (1, 2, 3)
    assert [[at.mean for at in point] for point in found.intervals] == [[4, 0], [2, 1], [2, 1]]
    assert found.intervals[0][0].half_width is None  # one deal has no spread
    # by hand: sd 2, t(2) = 4.30265, so 4.30265 * 2 / sqrt(3)
    assert found.intervals[2][0].half_width == pytest.approx(4.96828, abs=1e-4)


def test_a_run_that_looks_has_wider_intervals() -> None:
    x = np.random.default_rng(1).normal(size=(500, 3))
    fixed, looked = settling(x, 0.95), settling(x, 0.95, looked_from=100)
    pairs = zip(fixed.intervals[-1], looked.intervals[-1], strict=True)
    assert all(b.half_width > a.half_width for a, b in pairs if a.half_width and b.half_width)


def test_without_deals_there_is_nothing_to_settle() -> None:
    with pytest.raises(ValueError, match="no deals"):
        settling(np.zeros((0, 2)), 0.95)
