"""Ranks, rank intervals, letters and how many more deals."""

import itertools

import numpy as np
import pytest

from arena.analysis.ranks import deals_to_separate, groups, letter, letters, rank_intervals, ranks


def separated(bots: int, *pairs: tuple[int, int]) -> np.typing.NDArray[np.bool_]:
    out = np.zeros((bots, bots), dtype=bool)
    for i, j in pairs:
        out[i, j] = out[j, i] = True
    return out


def test_ties_share_the_better_rank() -> None:
    assert ranks(np.array([10.0, 30.0, 20.0, 30.0, 0.1 + 0.2, 0.3])).tolist() == [4, 1, 3, 1, 5, 5]
    assert ranks(np.zeros(3)).tolist() == [1, 1, 1]
    assert ranks(np.zeros(0)).tolist() == []


def test_rank_intervals_count_what_is_separated_above_and_below() -> None:
    means = np.array([4.0, 3.0, 2.0, 1.0])
    found = rank_intervals(means, separated(4, (0, 2), (0, 3), (1, 3)))
    assert found.tolist() == [[1, 2], [1, 3], [2, 4], [3, 4]]
    assert rank_intervals(means, separated(4)).tolist() == [[1, 4]] * 4
    everything = separated(4, *itertools.combinations(range(4), 2))
    assert rank_intervals(means, everything).tolist() == [[1, 1], [2, 2], [3, 3], [4, 4]]


def test_letters_of_a_chain_overlap() -> None:
    # Piepho's kind of display: a, ab, bc, c
    found = groups(separated(4, (0, 2), (0, 3), (1, 3)))
    assert found == ((0, 1), (1, 2), (2, 3))
    assert letters(found, 4) == ("a", "ab", "bc", "c")


def test_letters_of_all_alike_and_all_apart() -> None:
    assert letters(groups(separated(3)), 3) == ("a", "a", "a")
    apart = groups(separated(3, (0, 1), (0, 2), (1, 2)))
    assert letters(apart, 3) == ("a", "b", "c")
    assert groups(separated(1)) == ((0,),)


def test_a_group_need_not_be_neighbours() -> None:
    # The middle bot is separated from both others, which are not from each other (their own standard errors).
    assert groups(separated(3, (0, 1), (1, 2))) == ((0, 2), (1,))


@pytest.mark.parametrize("seed", range(30))
def test_every_pair_not_separated_shares_a_group_and_no_other_pair_does(seed: int) -> None:
    rng = np.random.default_rng(seed)
    bots = int(rng.integers(2, 14))
    pairs = [p for p in itertools.combinations(range(bots), 2) if rng.random() < 0.4]
    apart = separated(bots, *pairs)
    found = groups(apart)
    share = np.zeros((bots, bots), dtype=bool)
    for group in found:
        share[np.ix_(group, group)] = True
    assert (share == ~apart).all()
    for dropped in found:  # and none is needless
        rest = np.zeros((bots, bots), dtype=bool)
        for group in found:
            if group != dropped:
                rest[np.ix_(group, group)] = True
        assert (rest != share).any()


def test_near_clones_do_not_blow_up() -> None:
    # 25 pairs separated from nobody but each other have 2^25 maximal cliques; a cover needs few.
    found = groups(separated(50, *((i, i + 1) for i in range(0, 50, 2))))
    assert len(found) < 50


def test_letters_go_on_after_z() -> None:
    assert [letter(place) for place in (0, 25, 26, 51, 52, 104)] == ["a", "z", "A", "Z", "a1", "a2"]


def test_four_times_the_deals_halve_the_interval() -> None:
    # 2 ± 4 now: the interval must shrink to less than half, so to just over four times the deals
    assert deals_to_separate(mean=2.0, se=2.0, quantile=2.0, deals=100) == 301
    assert deals_to_separate(mean=-2.0, se=2.0, quantile=2.0, deals=100) == 301
    assert deals_to_separate(mean=0.0, se=2.0, quantile=2.0, deals=100) is None
    assert deals_to_separate(mean=2.0, se=0.0, quantile=2.0, deals=100) is None
    assert deals_to_separate(mean=2.0, se=2.0, quantile=None, deals=1) is None
    assert deals_to_separate(mean=1e-12, se=2.0, quantile=2.0, deals=100) is None
