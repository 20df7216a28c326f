"""Blocks to rows to standings: by hand, in any order, with holes, ties, busts and faults."""

import random

import numpy as np
import pytest
from fake_results import START, block_result, random_results, random_standings

from arena.analysis.differences import max_t_quantile
from arena.analysis.intervals import Interval
from arena.analysis.stopping import sequence_quantile
from arena.bot.faults import Fault
from arena.tournament.blocks import FirstFault
from arena.tournament.standings import collect, is_approximate, standings

# Two deals, two rotations, lineups (0, 1) and (0, 2); chips (rotations, deals, positions).
BY_HAND = [
    block_result((0, 1), 0, [[[1100, 900], [1000, 1000]], [[1300, 700], [2000, 0]]]),
    block_result((0, 2), 0, [[[900, 1100], [500, 1500]], [[0, 2000], [1000, 1000]]]),
]


def test_rows_by_hand() -> None:
    rows = collect(BY_HAND, 3, START)
    assert rows.deals.tolist() == [0, 1]
    assert rows.games.tolist() == [4, 2, 2]
    # Bot 0, deal 0: +100 +300 −100 −1000; deal 1: 0 +1000 −500 0
    assert rows.net.tolist() == [[-700, -400, 1100], [500, -1000, 500]]
    assert rows.mean_chips.tolist() == [[-175.0, -200.0, 550.0], [125.0, -500.0, 250.0]]
    # Games won: bot 0 on deal 0 two of four, on deal 1 a half, one, none, a half
    assert rows.win_share.tolist() == [[0.5, 0.0, 1.0], [0.5, 0.25, 0.75]]
    assert rows.busts.tolist() == [1, 1, 0]
    assert rows.largest_loss.tolist() == [1000, 1000, 0]
    assert rows.turns.tolist() == [24, 12, 12]
    assert rows.table_games == 8
    assert rows.meeting_net[0].tolist() == [0, 1400, -1600]
    assert rows.meeting_games.tolist() == [[0, 4, 4], [4, 0, 0], [4, 0, 0]]


def test_ties_of_three_split_a_win_in_thirds() -> None:
    rows = collect([block_result((0, 1, 2), 0, [[[1000, 1000, 1000]], [[1200, 1200, 600]]])], 3, START)
    assert rows.wins.tolist() == [[280 + 420, 280 + 420, 280]]
    assert rows.wins.sum() == 2 * 840


def test_standings_by_hand() -> None:
    table = standings(collect(BY_HAND, 3, START), ["zero", "one", "two"])
    assert [bot.name for bot in table.bots] == ["two", "zero", "one"]
    assert [bot.chips.mean for bot in table.bots] == [400.0, -25.0, -350.0]
    assert [bot.rank for bot in table.bots] == [1, 2, 3]
    assert [(bot.rank_low, bot.rank_high) for bot in table.bots] == [(1, 3)] * 3
    assert [bot.letters for bot in table.bots] == ["a", "a", "a"]
    assert [bot.busts for bot in table.bots] == [0.0, 0.125, 0.25]
    assert (table.deals, table.games, table.turns, table.lineups) == (2, 8, 48, 2)
    assert table.is_approximate


def test_ranking_by_wins_compares_shares_of_games_won() -> None:
    # Bot 1 wins three small games for each great loss.
    net = np.tile([30, 30, 30, -900], 100)
    chips = np.stack([START - net, START + net], axis=-1)[None]
    rows = collect([block_result((0, 1), 0, chips)], 2, START)
    by_chips = standings(rows, ["rare", "often"], "chips")
    by_wins = standings(rows, ["rare", "often"], "wins")
    assert [bot.name for bot in by_chips.bots] == ["rare", "often"]
    assert [bot.name for bot in by_wins.bots] == ["often", "rare"]
    assert by_wins.differences is not None
    assert by_wins.differences.mean[0, 1] == pytest.approx(0.5)
    assert by_wins.differences.separated[0, 1]


def test_known_strengths_come_out_in_order_and_their_truth_is_covered() -> None:
    table = random_standings(bots=4, deals=4000)
    assert [bot.bot for bot in table.bots] == [0, 1, 2, 3]
    # Bot i gains 8 (j − i) a game from j: means 16, 16/3, −16/3, −16
    for bot, truth in zip(table.bots, (16, 16 / 3, -16 / 3, -16), strict=True):
        assert bot.chips.low is not None
        assert bot.chips.high is not None
        assert bot.chips.low < truth < bot.chips.high
    assert [bot.letters for bot in table.bots] == ["a", "b", "c", "d"]
    assert table.more_deals == (0, 0, 0)
    assert not table.is_approximate


@pytest.mark.parametrize("seed", range(5))
def test_results_in_any_order_give_the_same_rows_to_the_last_bit(seed: int) -> None:
    results = random_results(bots=5, deals=120, block=30)
    shuffled = random.Random(seed).sample(results, len(results))
    a, b = collect(results, 5, START), collect(iter(shuffled), 5, START)
    for name in ("deals", "games", "net", "wins", "busts", "largest_loss", "turns", "faults", "meeting_net"):
        assert getattr(a, name).tobytes() == getattr(b, name).tobytes()
    names = [f"bot {i}" for i in range(5)]
    assert repr(standings(a, names)) == repr(standings(b, names))


def test_the_size_of_blocks_does_not_show() -> None:
    chips = START + np.random.default_rng(1).integers(-500, 500, (2, 90, 1)) * np.array([1, -1])
    whole = [block_result((0, 1), 0, chips)]
    parts = [block_result((0, 1), at, chips[:, at : at + 40]) for at in (80, 0, 40)]
    assert repr(standings(collect(whole, 2, START), ["a", "b"])) == repr(
        standings(collect(parts, 2, START), ["a", "b"])
    )


def test_deals_that_a_lineup_lacks_are_dropped_whole() -> None:
    flat = [[[START, START]] * 10] * 2
    late = block_result((0, 1), 10, [[[START + 5, START - 5]] * 10] * 2)
    rows = collect([late, block_result((0, 1), 0, flat), block_result((0, 2), 0, flat)], 3, START)
    assert rows.deals.tolist() == list(range(10))
    assert rows.dropped == 10
    assert rows.net.any() == np.False_
    assert rows.turns.tolist() == [120, 60, 60]
    assert standings(rows, ["a", "b", "c"]).dropped_deals == 10


def test_a_lineup_that_never_came_leaves_no_deal() -> None:
    rows = collect(BY_HAND, 3, START, lineups=[(0, 1), (0, 2), (1, 2)])
    assert len(rows.deals) == 0
    with pytest.raises(ValueError, match="no deal"):
        standings(rows, ["a", "b", "c"])


def test_a_deal_played_twice_or_off_the_schedule_is_an_error() -> None:
    with pytest.raises(ValueError, match="two results for deal 1"):
        collect([BY_HAND[0], block_result((0, 1), 1, [[[START, START]]] * 2)], 3, START)
    with pytest.raises(ValueError, match="not scheduled"):
        collect(BY_HAND, 3, START, lineups=[(0, 1)])


def test_one_deal_has_ranks_but_no_intervals() -> None:
    table = standings(collect([block_result((0, 1), 0, [[[1200, 800]]])], 2, START), ["a", "b"])
    assert table.bots[0].chips == Interval(200.0, None)
    assert [(bot.rank, bot.rank_low, bot.rank_high) for bot in table.bots] == [(1, 1, 2), (2, 1, 2)]
    assert table.more_deals == (None,)


def test_clones_tie_in_everything() -> None:
    flat = [[[START, START]] * 300] * 2
    rows = collect([block_result(pair, 0, flat) for pair in ((0, 1), (0, 2), (1, 2))], 3, START)
    table = standings(rows, ["a", "b", "c"])
    assert [bot.rank for bot in table.bots] == [1, 1, 1]
    assert all(bot.chips.is_identical and bot.wins.mean == 0.5 for bot in table.bots)
    assert table.groups == ((0, 1, 2),)


def fault(deal: int, step: int, text: str) -> FirstFault:
    return FirstFault(deal, step, text)


def test_the_first_fault_is_the_first_by_lineup_deal_rotation_and_step() -> None:
    flat = [[[START, START]] * 2] * 2
    key = (0, 0, int(Fault.TOO_BIG))
    results = [
        block_result((0, 2), 0, flat, faults={key: (5, fault(0, 0, "other lineup"))}),
        block_result((0, 1), 2, flat, faults={key: (1, fault(2, 0, "later deal"))}),
        block_result((0, 2), 2, flat),
        block_result(
            (0, 1),
            0,
            flat,
            faults={
                key: (2, fault(1, 3, "first")),
                (1, 0, int(Fault.TOO_BIG)): (2, fault(1, 0, "later rotation")),
                (1, 1, int(Fault.EXCEPTION)): (7, fault(0, 1, "Traceback")),
            },
        ),
    ]
    for order in (results, results[::-1]):
        table = standings(collect(order, 3, START), ["a", "b", "c"])
        by_name = {bot.name: bot for bot in table.bots}
        (big,) = by_name["a"].faults
        assert (big.kind, big.count) == (Fault.TOO_BIG, 10)
        assert big.first is not None
        assert big.first.text == "first"
        assert (by_name["b"].n_faults, by_name["c"].n_faults) == (7, 0)


def test_a_gauntlet_is_not_ranked() -> None:
    table = standings(collect(BY_HAND, 3, START), ["zero", "one", "two"], is_ranked=False)
    assert not table.is_ranked
    assert table.differences is None
    assert [bot.rank for bot in table.bots] == [None] * 3
    assert [bot.name for bot in table.bots] == ["two", "zero", "one"]


def test_a_bot_without_a_game_stands_last_and_unranked() -> None:
    table = standings(collect(BY_HAND, 4, START), ["zero", "one", "two", "idle"])
    assert [bot.name for bot in table.bots] == ["two", "zero", "one", "idle"]
    assert table.bots[-1].rank is None
    assert table.differences is not None
    assert table.differences.mean.shape == (3, 3)
    assert len(table.more_deals) == 2


@pytest.mark.parametrize("looked_from", [None, 100])
def test_more_deals_go_by_what_will_be_said_after_them(looked_from: int | None) -> None:
    rng = np.random.default_rng(4)
    net = rng.integers(-200, 200, (60, 3)) + np.array([0, 10, 25])
    played = [block_result((0, 1, 2), 0, [(START + net).tolist()] * 3)]
    table = standings(collect(played, 3, START), ["a", "b", "c"], looked_from=looked_from)
    diff = table.differences
    assert diff is not None
    for i, more in enumerate(table.more_deals):
        assert more is not None
        assert more > 0
        t = abs(diff.mean[i, i + 1]) / diff.se[i, i + 1] / 60**0.5
        for n, is_enough in ((60 + more, True), (60 + more - 1, False)):
            last = (
                max_t_quantile(0.95, 3, n)
                if looked_from is None
                else sequence_quantile(n, 0.05 / 3, looked_from)
            )
            assert bool(t * n**0.5 > last) is is_enough


@pytest.mark.parametrize(
    ("deals", "bots", "expected"), [(199, 2, True), (200, 12, False), (499, 13, True), (500, 50, False)]
)
def test_few_deals_are_called_approximate(deals: int, bots: int, expected: bool) -> None:
    assert is_approximate(deals, bots) is expected
    assert is_approximate(deals, bots, is_adjusted=True) is (deals < 500)
