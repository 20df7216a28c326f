"""Changes between runs: intervals agree with scipy's own tests, and all that are compared hold together."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from arena.analysis.changes import changes, leads


def rows(seed: int, deals: int, bots: int, shift: float = 0.0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.normal(shift, 50, (deals, bots)) + 30 * rng.normal(size=(deals, 1))


def test_paired_changes_are_those_of_the_paired_t_test() -> None:
    x = rows(1, 40, 1)
    y = x + rows(2, 40, 1, 5.0) / 4
    (found,) = changes(x, y, 0.9, is_paired=True)
    low, high = stats.ttest_rel(y[:, 0], x[:, 0]).confidence_interval(0.9)
    assert (found.interval.low, found.interval.high) == pytest.approx((low, high))
    assert found.deals == 40


def test_independent_changes_are_those_of_welch() -> None:
    x, y = rows(1, 40, 1), 3 * rows(2, 15, 1)
    (found,) = changes(x, y, 0.95, is_paired=False)
    low, high = stats.ttest_ind(y[:, 0], x[:, 0], equal_var=False).confidence_interval(0.95)
    assert (found.interval.low, found.interval.high) == pytest.approx((low, high))
    assert found.deals == 15


@pytest.mark.parametrize("is_paired", [True, False])
def test_several_changes_share_the_error(is_paired: bool) -> None:
    x, y = rows(1, 40, 5), rows(2, 40, 5)
    together = changes(x, y, 0.95, is_paired)
    alone = changes(x[:, :1], y[:, :1], 0.99, is_paired)
    assert together[0] == alone[0]


@pytest.mark.parametrize("is_paired", [True, False])
def test_all_intervals_hold_together_as_often_as_they_say(is_paired: bool) -> None:
    """Bots of a deal hang together, and so do two runs of one seed; nothing changes truly but by 3, −3 and 0."""
    true = np.array([3.0, -3.0, 0.0])
    rng = np.random.default_rng(5)
    held = 0
    for _ in range(1500):
        common = 40 * rng.normal(size=(60, 3))
        x = common + rng.normal(0, 20, (60, 3))
        y = (common if is_paired else 40 * rng.normal(size=(60, 3))) + rng.normal(0, 30, (60, 3)) + true
        found = changes(x, y, 0.9, is_paired)
        held += all(c.interval.low <= t <= c.interval.high for c, t in zip(found, true, strict=True))  # type: ignore[operator]
    assert 0.88 < held / 1500 < 0.94  # 0.9, and a little more by Bonferroni


def test_rows_of_one_seed_must_not_be_taken_for_independent() -> None:
    """What pairing is for: where luck is shared, independent samples would say far less; where it turns, far too much."""
    rng = np.random.default_rng(6)
    luck = 100 * rng.normal(size=(300, 1))
    x, y = luck + rng.normal(size=(300, 1)), luck + rng.normal(size=(300, 1)) + 1
    paired, unpaired = (changes(x, y, 0.95, is_paired)[0] for is_paired in (True, False))
    assert paired.is_sure
    assert not unpaired.is_sure


def test_what_never_changes_is_identical_and_not_sure_to_nothing() -> None:
    x = rows(1, 30, 2)
    same, moved = changes(x, x + np.array([1e-12, 4.0]), 0.95, is_paired=True)
    assert (same.interval.is_identical, same.mean, same.is_sure) == (True, 0.0, False)
    assert (moved.interval.is_identical, moved.mean, moved.is_sure) == (True, pytest.approx(4.0), True)
    (few,) = changes(x[:3, :1], x[:3, :1] + 4, 0.95, is_paired=True)
    assert not few.is_sure  # three equal deals prove nothing
    (flat,) = changes(np.full((9, 1), 2.0), np.full((9, 1), 5.0), 0.95, is_paired=False)
    assert (flat.interval.is_identical, flat.mean) == (True, 3.0)


def test_one_deal_has_no_interval() -> None:
    for is_paired in (True, False):
        (found,) = changes(np.array([[1.0]]), np.array([[4.0]]), 0.95, is_paired)
        assert (found.mean, found.interval.half_width, found.is_sure) == (3.0, None, False)
    with pytest.raises(ValueError, match="no deals"):
        changes(np.zeros((0, 1)), np.zeros((3, 1)), 0.95, is_paired=False)
    with pytest.raises(ValueError, match="rows of the same deals, got 2 and 3"):
        changes(np.zeros((2, 1)), np.zeros((3, 1)), 0.95, is_paired=True)


def test_gaps_are_the_differences_of_pairs_in_order() -> None:
    assert leads(np.array([[1.0, 3.0, 10.0]])).tolist() == [[-2.0, -9.0, -7.0]]
