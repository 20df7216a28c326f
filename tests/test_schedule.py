"""Who meets whom, in which order, and which numbers are impossible."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations
from math import comb, sqrt
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.bot.entrant import find_entrants
from arena.errors import ArenaError
from arena.tournament.even import _costs, _filled, meetings
from arena.tournament.perfect import perfect_design
from arena.tournament.schedule import lineups, meeting_spread, spec_lineups
from arena.tournament.spec import load_spec
from arena.tournament.turned import Chances, turned_lineups


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


@settings(max_examples=50, deadline=None)
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


@pytest.mark.parametrize("seed", range(1, 5))
@pytest.mark.parametrize(
    ("n", "seats", "count", "met"),
    [
        (9, 3, 12, 1),  # affine planes, of order 3,
        (16, 4, 20, 1),  # 4,
        (25, 5, 30, 1),  # 5,
        (49, 7, 56, 1),  # 7
        (64, 8, 72, 1),  # and 8
        (16, 4, 40, 2),  # and such a plane twice, thrice, …
        (16, 4, 60, 3),
        (16, 4, 80, 4),
        (16, 4, 120, 6),
        (7, 3, 7, 1),  # projective planes, of order 2,
        (13, 4, 13, 1),  # 3,
        (13, 4, 26, 2),
        (21, 5, 21, 1),  # 4,
        (31, 6, 31, 1),  # 5
        (57, 8, 57, 1),  # and 7
        (15, 3, 35, 1),  # Steiner's triples
        (33, 3, 176, 1),
        (64, 4, 336, 1),  # the lines of a space of 4 x 4 x 4 points
        (11, 5, 11, 2),  # a biplane
        (20, 4, 95, 3),  # turned round one in the middle
        (23, 6, 253, 15),  # turned without
    ],
)
def test_every_pair_meets_equally_often_where_a_perfect_design_is_known(
    n: int, seats: int, count: int, met: int, seed: int
) -> None:
    assert met * n * (n - 1) == count * seats * (seats - 1)
    made = lineups(n, seats, "balanced", count=count, seed=seed)
    assert meeting_spread(made, n) == (met, met)
    assert set(Counter(i for lineup in made for i in lineup).values()) == {count * seats // n}
    assert len(set(made)) == count


@pytest.mark.parametrize("seed", range(1, 5))
@pytest.mark.parametrize(
    ("n", "seats", "count", "least", "most"),
    [
        (12, 6, 100, 22, 23),  # 1500 of 66: 22.7
        (20, 3, 400, 6, 7),  # 1200 of 190: 6.3
        (30, 2, 200, 0, 1),  # 200 of 435
        (8, 4, 59, 12, 13),  # 354 of 28: 12.6; all 70 lineups but 11
        (16, 4, 24, 1, 2),  # 144 of 120
        (16, 4, 30, 1, 2),  # 180 of 120
        (20, 4, 60, 1, 2),  # 360 of 190: 1.9
        (20, 4, 100, 3, 4),  # 600 of 190: 3.2
        (36, 6, 60, 1, 2),  # 900 of 630: 1.4
        (64, 8, 500, 6, 7),  # 14,000 of 2016: 6.9; six planes and most of one
        (64, 8, 64, 0, 1),  # most of a plane
        (50, 4, 500, 2, 3),  # 3000 of 1225: 2.4
    ],
)
def test_pairs_meet_as_evenly_as_numbers_allow(
    n: int, seats: int, count: int, least: int, most: int, seed: int
) -> None:
    made = lineups(n, seats, "balanced", count=count, seed=seed)
    assert meeting_spread(made, n) == (least, most)
    assert spread(Counter(i for lineup in made for i in lineup)) <= 1


@pytest.mark.parametrize(("n", "seats"), [(16, 4), (21, 5), (15, 3), (64, 8), (40, 4)])
def test_a_perfect_design_has_every_pair_once(n: int, seats: int) -> None:
    design = perfect_design(n, seats)
    assert design is not None
    assert Counter(
        pair for table in design.tolist() for pair in combinations(sorted(table), 2)
    ) == dict.fromkeys(combinations(range(n), 2), 1)


@pytest.mark.parametrize("count", range(4, 21))
def test_the_first_lineups_of_an_affine_plane_let_all_play_equally_often(count: int) -> None:
    design = perfect_design(16, 4)
    assert design is not None
    assert spread(Counter(range(16)) + Counter(design[:count].ravel().tolist())) <= 1


@pytest.mark.parametrize(("n", "seats"), [(8, 3), (10, 2), (36, 6), (43, 7)])
def test_no_perfect_design_is_made_where_none_is_known(n: int, seats: int) -> None:
    assert perfect_design(n, seats) is None


@pytest.mark.parametrize(
    ("n", "seats", "count", "made", "least", "most"),
    [
        (24, 8, 345, 345, 35, 35),  # 15 lineups round a circle of 23, five of them with the one in the middle
        (64, 7, 500, 448, 4, 5),  # 7 round 64: 9408 of 2016, 4.7
        (10, 3, 9, 0, 0, 0),  # less than a turn
    ],
)
def test_turned_lineups_are_even(n: int, seats: int, count: int, made: int, least: int, most: int) -> None:
    tables = turned_lineups(n, seats, count, Chances(5)).tolist()
    assert len(tables) == made
    assert meeting_spread([tuple(table) for table in tables], n) == (least, most)
    assert set(Counter(i for table in tables for i in table).values()) <= {made * seats // n}


@pytest.mark.parametrize("key", range(5))
def test_the_first_choice_makes_far_fewer_pairs_meet_twice_than_chance_would(key: int) -> None:
    """300 meetings of 435 pairs, so none need meet twice. Of 100 lineups drawn by chance a given pair is in each with
    28 / 4060; how many of the pairs are in two or more is nearly Poisson, and five of its deviations below the mean is far.
    """
    p = 28 / comb(30, 3)
    by_chance = comb(30, 2) * (1 - (1 - p) ** 100 - 100 * p * (1 - p) ** 99)  # 66
    nobody = np.empty((0, 3), dtype=np.int64)
    meets = meetings(_filled(nobody, 30, 100, Chances(key)), 30)
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
    plane = lineups(7, 3, "balanced", count=7, seed=1)
    assert plane == ((0, 1, 3), (0, 2, 5), (0, 4, 6), (1, 2, 6), (1, 4, 5), (2, 3, 4), (3, 5, 6))
    assert lineups(10, 4, "balanced", count=15, seed=1)[:3] == ((0, 1, 2, 3), (0, 1, 6, 9), (0, 2, 5, 7))
    assert lineups(9, 4, "balanced", count=9, seed=1)[:3] == ((0, 1, 6, 8), (0, 2, 3, 6), (0, 2, 4, 7))


def test_the_cost_of_a_swap_is_what_it_changes() -> None:
    """Against the sum of squares counted anew, for every swap of a small design."""
    tables = np.array([(0, 1, 2), (0, 3, 4), (1, 3, 5), (2, 4, 5), (0, 1, 5)])
    before = int((meetings(tables, 6) ** 2).sum())
    swaps = 0
    for row in range(5):
        for seat in range(3):
            costs = _costs(tables, meetings(tables, 6), tables[row], seat)
            for other in range(5):
                for place in range(3):
                    a, b = tables[row, seat], tables[other, place]
                    if a in tables[other] or b in tables[row]:
                        assert costs[other, place] == 2**62
                        continue
                    swapped = tables.copy()
                    swapped[row, seat], swapped[other, place] = b, a
                    after = int((meetings(swapped, 6) ** 2).sum())
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


def test_who_meets_whom_does_not_depend_on_the_order_of_the_bots(tmp_path: Path) -> None:
    for bot in "ABCDEFGHI":
        (tmp_path / f"{bot}.py").write_text(f"from arena import Bot\nclass {bot}(Bot):\n    bet = 0\n")
    met = []
    for bots in ("ABCDEFGHI", "IGHCABFED"):
        files = ", ".join(f"{bot}.py" for bot in bots)
        text = f"bots: [{files}]\nseats: 3\nschedule: balanced\nlineups: 13\nseed: 4\n"
        (tmp_path / "t.yaml").write_text(text)
        spec = load_spec(tmp_path / "t.yaml")
        entrants, problems = find_entrants(spec.bots)
        assert not problems
        met.append({frozenset(entrants[i].name for i in lineup) for lineup in spec_lineups(spec, entrants)})
    assert met[0] == met[1]
    assert len(met[0]) == 13


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
