"""Plans: stored blocks where they fit, new ones for the deals between, the same cut as ever where nothing is stored."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import ArenaError
from arena.tournament.blocks import Block
from arena.tournament.plan import Plan

A, B = (0, 1), (0, 2)


def test_blocks_finish_the_first_deals_of_all_lineups_first() -> None:
    assert Plan((A, B), 1000, 2500).reach(2500) == [
        Block(A, 0, 1000),
        Block(B, 0, 1000),
        Block(A, 1000, 1000),
        Block(B, 1000, 1000),
        Block(A, 2000, 500),
        Block(B, 2000, 500),
    ]
    assert Plan((A,), 1000, 3).reach(3) == [Block(A, 0, 3)]


def test_a_step_further_leaves_the_blocks_of_the_steps_before() -> None:
    plan = Plan((A, B), 1000, 5000)
    before = list(plan.reach(500))
    assert before == [Block(A, 0, 500), Block(B, 0, 500)]
    assert plan.reach(1700) == [
        *before,
        Block(A, 500, 1000),
        Block(B, 500, 1000),
        Block(A, 1500, 200),
        Block(B, 1500, 200),
    ]
    assert plan.games_new == 2 * 2 * 1700


def test_more_deals_play_only_the_deals_that_are_more() -> None:
    stored = {A: {0: [1000]}, B: {0: [1000], 1000: [500, 3000]}}
    plan = Plan((A, B), 4000, 5000, stored.__getitem__)
    assert plan.reach(5000) == [
        Block(A, 0, 1000),
        Block(B, 0, 1000),
        Block(A, 1000, 4000),
        Block(B, 1000, 3000),
        Block(B, 4000, 1000),
    ]
    assert plan.known == {Block(A, 0, 1000), Block(B, 0, 1000), Block(B, 1000, 3000)}
    assert plan.games_new == 2 * (4000 + 1000)


def test_a_thirteenth_bot_heads_up_at_1000_deals_makes_24000_of_156000_games_new() -> None:
    lineups = list(combinations(range(13), 2))
    plan = Plan(lineups, 1000, 1000, lambda lineup: {} if 7 in lineup else {0: [1000]})
    assert sum(2 * block.deals for block in plan.reach(1000)) == 156_000
    assert plan.games_new == 24_000


def test_a_hole_is_filled_up_to_what_is_stored_behind_it() -> None:
    plan = Plan((A,), 1000, 5000, lambda _: {2500: [1000]})
    assert plan.reach(5000) == [
        Block(A, 0, 1000),
        Block(A, 1000, 1000),
        Block(A, 2000, 500),
        Block(A, 2500, 1000),
        Block(A, 3500, 1000),
        Block(A, 4500, 500),
    ]


def test_a_stored_block_reaches_beyond_the_last_deal_only_where_it_can_be_cut_there() -> None:
    stored = {0: [100, 1000]}
    assert Plan((A,), 1000, 500, lambda _: stored).reach(500) == [Block(A, 0, 1000)]
    assert Plan((A,), 1000, 300, lambda _: stored).reach(300) == [Block(A, 0, 100), Block(A, 100, 200)]
    assert Plan((A,), 1000, 2000, lambda _: stored).reach(250) == [Block(A, 0, 1000)]


@given(
    st.lists(st.tuples(st.integers(0, 20), st.integers(1, 15)), max_size=8),
    st.lists(st.integers(1, 25), min_size=1, max_size=4),
    st.integers(1, 12),
)
def test_whatever_is_stored_every_deal_is_in_one_block(
    stored: list[tuple[int, int]], steps: list[int], size: int
) -> None:
    by_first: dict[int, list[int]] = {}
    for first, deals in sorted(set(stored)):
        by_first.setdefault(first, []).append(deals)
    steps = sorted(steps)
    plan = Plan((A, B), size, steps[-1], lambda lineup: by_first if lineup == B else {})
    seen: list[Block] = []
    for step in steps:
        now = list(plan.reach(step))
        assert now[: len(seen)] == seen
        seen = now
        for lineup in (A, B):
            of = [(b.first_deal, b.deals) for b in seen if b.lineup == lineup]
            assert [first for first, _ in of] == [0, *(first + deals for first, deals in of)][:-1]
            assert sum(deals for _, deals in of) >= step
    assert all(b.deals <= size for b in seen if b not in plan.known)
    assert all(b.lineup == B and (b.first_deal, b.deals) in stored for b in plan.known)
    end = max(b.first_deal + b.deals for b in seen)
    assert end == steps[-1]  # none of these numbers is one where results can be cut


def test_more_blocks_than_can_be_planned_are_refused() -> None:
    with pytest.raises(
        ArenaError, match="make 1,000,000,000 blocks; write fewer deals, or schedule: balanced"
    ):
        Plan(tuple((0, i) for i in range(1, 100_001)), 1000, 10_000_000).reach(10_000_000)
