"""Ranks, rank intervals, letters and how many more deals."""

import itertools
from collections.abc import Callable

import numpy as np
import pytest

from arena.analysis.differences import later_quantiles, max_t_quantile
from arena.analysis.ranks import deals_to_separate, groups, letter, letters, rank_intervals, ranks
from arena.analysis.stopping import sequence_quantile


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
    def always(_: int) -> float:
        return 2.0

    assert deals_to_separate(mean=2.0, se=2.0, quantile_at=always, deals=100) == 301
    assert deals_to_separate(mean=-2.0, se=2.0, quantile_at=always, deals=100) == 301
    assert deals_to_separate(mean=0.0, se=2.0, quantile_at=always, deals=100) is None
    assert deals_to_separate(mean=2.0, se=0.0, quantile_at=always, deals=100) is None
    assert deals_to_separate(mean=2.0, se=2.0, quantile_at=None, deals=1) is None
    assert deals_to_separate(mean=1e-12, se=2.0, quantile_at=always, deals=100) is None


def brute(ratio: float, deals: int, quantile_at: Callable[[int], float]) -> int:
    """The first n at which ``ratio`` standard errors of one deal, times √n, are beyond the quantile of n deals."""
    return next(n for n in itertools.count(deals) if ratio * n**0.5 > quantile_at(n)) - deals


def sequence(n: int) -> float:
    return sequence_quantile(n, 0.05 / 10, 500)


def fixed(n: int) -> float:
    return max_t_quantile(0.95, 2, n)


@pytest.mark.parametrize("quantile_at", [sequence, fixed])
@pytest.mark.parametrize("deals", [2, 3, 7, 60, 400, 3000])
@pytest.mark.parametrize("shortfall", [0.9, 1.02, 1.5, 3.0])
def test_more_deals_are_counted_by_the_quantile_that_will_hold_then(
    quantile_at: Callable[[int], float], deals: int, shortfall: float
) -> None:
    asked: list[int] = []

    def asking(n: int) -> float:
        asked.append(n)
        return quantile_at(n)

    ratio = quantile_at(deals) / deals**0.5 / shortfall
    assert deals_to_separate(ratio, deals**-0.5, asking, deals) == brute(ratio, deals, quantile_at)
    assert len(asked) < 40


def test_today_s_quantile_would_tell_too_few_deals_of_a_sequence_and_too_many_of_a_few_deals() -> None:
    def more(quantile_at: Callable[[int], float], deals: int) -> tuple[int | None, int | None]:
        ratio, now = quantile_at(deals) / deals**0.5 / 3.05, quantile_at(deals)
        return tuple(deals_to_separate(ratio, deals**-0.5, q, deals) for q in (quantile_at, lambda _: now))

    then, now = more(sequence, 3000)
    assert now == 24_908  # 27907.5 in all
    assert then == pytest.approx(1.1 * now, rel=0.05)
    # t(.975) is 4.303 after 3 deals, 2.365 after 8, 2.306 after 9: 4.303/3.05 · √(8/3) = 2.304, √(9/3) times it 2.444
    assert more(fixed, 3) == (6, 25)


@pytest.mark.parametrize(
    ("bots", "deals", "within"), [(2, 3, 0.01), (2, 20, 1e-5), (5, 20, 1e-4), (12, 60, 1e-5)]
)
def test_later_quantiles_are_those_of_so_many_deals(bots: int, deals: int, within: float) -> None:
    later = later_quantiles(0.95, bots, deals)
    for n in (deals, deals + 5, 2 * deals, 7 * deals, 1000 * deals):
        assert later(n) == pytest.approx(max_t_quantile(0.95, bots, n), rel=within)
