"""Who meets whom, in which order, and which numbers are impossible."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations
from math import comb, sqrt
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.bot.entrant import find_entrants
from arena.errors import ArenaError
from arena.tournament.schedule import _costs, _greedy, _meets, lineups, meeting_spread, spec_lineups
from arena.tournament.spec import load_spec


def test_a_round_robin_has_every_combination_once() -> None:
    assert lineups(3, 2) == ((0, 1), (0, 2), (1, 2))
    assert lineups(4, 3) == ((0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3))
    assert lineups(5, 5) == ((0, 1, 2, 3, 4),)
    assert len(lineups(12, 4)) == 495


def test_a_gauntlet_sends_each_challenger_to_those_it_must_meet() -> None:
    assert lineups(4, 2, "gauntlet", against=[2]) == ((0, 2), (1, 2), (2, 3))
    assert lineups(5, 3, "gauntlet", against=[4, 0, 1]) == (
        (0, 1, 2),
        (0, 1, 3),
        (0, 2, 4),
        (0, 3, 4),
        (1, 2, 4),
        (1, 3, 4),
    )


def test_no_two_challengers_meet() -> None:
    for lineup in lineups(9, 4, "gauntlet", against=[1, 3, 5, 7]):
        assert len(set(lineup) - {1, 3, 5, 7}) == 1


def spread(numbers: Counter[int]) -> int:
    return max(numbers.values()) - min(numbers.values())


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_balanced_lineups_differ_and_everyone_plays_equally_often(data: st.DataObject) -> None:
    n = data.draw(st.integers(2, 12))
    seats = data.draw(st.integers(2, min(n, 8)))
    count = data.draw(st.integers(-(-n // seats), min(comb(n, seats), 120)))
    made = lineups(n, seats, "balanced", count=count, seed=data.draw(st.integers(0, 2**63 - 1)))
    assert len(set(made)) == len(made) == count
    assert list(made) == sorted(made)
    assert all(len(set(lineup)) == seats and list(lineup) == sorted(lineup) for lineup in made)
    plays = Counter(i for lineup in made for i in lineup)
    assert sorted(plays) == list(range(n))
    assert spread(plays) <= 1


@pytest.mark.parametrize(
    ("n", "seats", "count", "least", "most"),
    [
        (12, 6, 100, 22, 23),  # 1500 of 66: 22.7
        (20, 3, 400, 6, 7),  # 1200 of 190: 6.3
        (30, 2, 200, 0, 1),  # 200 of 435
        (8, 4, 59, 12, 13),  # 354 of 28: 12.6; all 70 lineups but 11
        (9, 3, 12, 1, 1),  # the affine plane of order 3: 36 of 36
    ],
)
def test_pairs_meet_as_evenly_as_numbers_allow(n: int, seats: int, count: int, least: int, most: int) -> None:
    assert meeting_spread(lineups(n, seats, "balanced", count=count, seed=1), n) == (least, most)


@pytest.mark.parametrize("key", range(5))
def test_the_first_choice_makes_far_fewer_pairs_meet_twice_than_chance_would(key: int) -> None:
    """300 meetings of 435 pairs, so none need meet twice. Of 100 lineups drawn by chance a given pair is in each with
    28 / 4060; how many of the pairs are in two or more is nearly Poisson, and five of its deviations below the mean is far.
    """
    p = 28 / comb(30, 3)
    by_chance = comb(30, 2) * (1 - (1 - p) ** 100 - 100 * p * (1 - p) ** 99)  # 66
    meets = _meets(_greedy(30, 3, 100, key), 30)
    assert int((meets > 1).sum()) // 2 < by_chance - 5 * sqrt(by_chance)


def test_nearly_all_lineups_leave_out_an_even_choice() -> None:
    made = lineups(6, 3, "balanced", count=18, seed=5)
    left_out = set(combinations(range(6), 3)) - set(made)
    assert sorted(i for lineup in left_out for i in lineup) == [0, 1, 2, 3, 4, 5]


def test_a_seed_gives_the_same_design_whatever_global_chance_did() -> None:
    random.seed(1)
    first = lineups(20, 4, "balanced", count=60, seed=7)
    random.seed(2)
    random.random()
    assert lineups(20, 4, "balanced", count=60, seed=7) == first
    assert lineups(20, 4, "balanced", count=60, seed=8) != first


def test_a_design_is_the_same_on_every_machine_and_in_every_version() -> None:
    """Pinned as it came out first: results that are stored belong to these lineups."""
    assert lineups(6, 2, "balanced", count=3, seed=1) == ((0, 5), (1, 2), (3, 4))


@pytest.mark.slow
def test_in_a_large_field_pairs_still_meet_as_evenly_as_numbers_allow() -> None:
    made = lineups(50, 4, "balanced", count=500, seed=1)
    assert meeting_spread(made, 50) == (2, 3)  # 3000 meetings of 1225 pairs: 2.45 each


def test_the_cost_of_a_swap_is_what_it_changes() -> None:
    """Against the sum of squares counted anew, for every swap of a small design."""
    import numpy as np

    tables = np.array([(0, 1, 2), (0, 3, 4), (1, 3, 5), (2, 4, 5), (0, 1, 5)])
    before = int((_meets(tables, 6) ** 2).sum())
    swaps = 0
    for row in range(5):
        for seat in range(3):
            costs = _costs(tables, _meets(tables, 6), row, seat)
            for other in range(5):
                for place in range(3):
                    a, b = tables[row, seat], tables[other, place]
                    if a in tables[other] or b in tables[row]:
                        assert costs[other, place] == 2**62
                        continue
                    swapped = tables.copy()
                    swapped[row, seat], swapped[other, place] = b, a
                    after = int((_meets(swapped, 6) ** 2).sum())
                    assert costs[other, place] * 4 == after - before  # half, and each pair stands twice
                    swaps += 1
    assert swaps > 50


@pytest.mark.parametrize(
    ("args", "options", "sentence"),
    [
        ((2, 4), {}, "2 bots cannot fill a table of 4 seats; add bots, or write seats: 2"),
        ((1, 2), {}, "1 bot cannot fill a table of 2 seats; add bots"),
        ((0, 2), {}, "0 bots cannot fill a table of 2 seats; add bots"),
        (
            (100, 5),
            {},
            "make 75,287,520 lineups, more than 1,000,000; write schedule: balanced with lineups: N",
        ),
        (
            (50, 4, "balanced"),
            {"count": 12},
            "12 lineups of 4 leave some of 50 bots without a game; write lineups: 13",
        ),
        (
            (5, 3, "balanced"),
            {"count": 11},
            "make only 10 lineups; write lineups: 10 or fewer, or schedule: round_robin",
        ),
        (
            (3, 2, "balanced"),
            {"count": 1},
            "1 lineup of 2 leaves some of 3 bots without a game; write lineups: 2 or more",
        ),
        (
            (3, 3, "balanced"),
            {"count": 2},
            "3 bots at tables of 3 make only 1 lineup; write lineups: 1, or schedule: round_robin",
        ),
        ((5, 2, "gauntlet"), {"against": []}, "a gauntlet with 2 seats needs 1 bot to meet; name 1 or more"),
        (
            (5, 4, "gauntlet"),
            {"against": [0, 1]},
            "needs 3 bots to meet; name 3 or more under against:, or write seats: 3",
        ),
        ((2, 2, "gauntlet"), {"against": [0, 1]}, "against: names every bot, so nobody is left to meet them"),
        ((200, 8, "gauntlet"), {"against": range(40)}, "160 challengers against 40 bots at tables of 8 make"),
    ],
)
def test_impossible_numbers_are_refused_with_a_way_out(args: tuple, options: dict, sentence: str) -> None:  # type: ignore[type-arg]
    with pytest.raises(ArenaError) as caught:
        lineups(*args, **options)
    assert sentence in str(caught.value)


def test_the_spread_counts_pairs_that_never_meet() -> None:
    assert meeting_spread(((0, 1), (0, 2), (0, 1)), 3) == (0, 2)
    assert meeting_spread(((0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)), 4) == (2, 2)
    assert meeting_spread((), 4) == (0, 0)


def make(folder: Path, text: str, bots: str) -> tuple:  # type: ignore[type-arg]
    classes = "".join(f"class {b}(Bot):\n    bet = 0\n" for b in bots)
    (folder / "bots.py").write_text("from arena import Bot\n" + classes)
    (folder / "t.yaml").write_text("bots: bots.py\n" + text)
    spec = load_spec(folder / "t.yaml")
    entrants, problems = find_entrants(spec.bots)
    assert not problems
    return spec, entrants


def test_a_spec_and_its_entrants_make_lineups(tmp_path: Path) -> None:
    assert spec_lineups(*make(tmp_path, "", "ABC")) == ((0, 1), (0, 2), (1, 2))
    spec, entrants = make(tmp_path, "schedule: gauntlet\nagainst: [B]", "ABC")
    met = [{entrants[i].name for i in lineup} for lineup in spec_lineups(spec, entrants)]
    assert sorted(map(sorted, met)) == [["A", "B"], ["B", "C"]]
    assert len(spec_lineups(*make(tmp_path, "schedule: balanced\nlineups: 3\nseed: 4", "ABCDEF"))) == 3


@pytest.mark.parametrize(
    ("text", "bots", "sentence"),
    [
        (
            "seats: 4",
            "ABC",
            "t.yaml:2:8: seats: 3 bots cannot fill a table of 4 seats; add bots, or write seats: 3",
        ),
        ("deals: 10", "A", "t.yaml:1:1: seats: 1 bot cannot fill a table of 2 seats; add bots"),
        (
            "schedule: balanced\nlineups: 9",
            "ABC",
            "t.yaml:3:10: lineups: 3 bots at tables of 2 make only 3 lineups",
        ),
        (
            "schedule: gauntlet\nagainst: [Edge]",
            ["Edgy", "Gap"],
            't.yaml:3:11: against.0: no bot is called "Edge"; did you mean "Edgy"? (bots: ',
        ),
        ("schedule: gauntlet\nagainst: [A, B]", "AB", "t.yaml:2:11: schedule: against: names every bot"),
    ],
)
def test_what_bots_cannot_play_is_wrong_at_its_place_in_the_file(
    tmp_path: Path, text: str, bots: str, sentence: str
) -> None:
    with pytest.raises(ArenaError) as caught:
        spec_lineups(*make(tmp_path, text, bots))
    assert sentence in str(caught.value)
