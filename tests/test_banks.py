"""Tables without a pot, played by bots: wagers asked, judged, kept, told again, watched and graded."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import playing
import pytest

from arena.analysis.stakes import CELLS, FOLDS, HANDS
from arena.bot.faults import Fault
from arena.bot.server import ChildServer
from arena.game.cards import SeededDraws
from arena.game.engine import Engine
from arena.game.rules import HOUSE_CHIPS
from arena.tournament.match import Retold
from arena.tournament.packing import pack, unpack
from arena.tournament.study import THIRD, study_block

SCALAR = """
class Counter(Bot):
    def start(self, table):
        self.seen = []
    def wager(self, turn):
        assert turn.kind == "wager" and turn.low == turn.high == turn.gap == 0
        return turn.max_bet // 20 if turn.edge > 0 and turn.uniform() < 0.9 else turn.min_bet
    def bet(self, turn):
        assert turn.wager > 0 and turn.may_pass and turn.max_bet <= turn.wager
        return turn.max_bet if turn.value(turn.max_bet) > turn.value(0) else 0
"""
VECTOR = """
class Counter(VectorBot):
    def wager(self, turns):
        return np.where((turns.edge > 0) & (turns.uniform() < 0.9), turns.max_bet // 20, turns.min_bet)
    def bet(self, turns):
        return np.where(turns.value(turns.max_bet) > turns.value(0), turns.max_bet, 0)
"""
DEAL = {"end__rounds": 12, "deck__shuffle": "exhausted", "deck__packs": 1}


def red_dog(**over: Any) -> Any:
    return playing.rules("red_dog", **{**DEAL, **over})


def same_play(one: Any, other: Any) -> bool:
    return playing.same(one, other) and (one.wagers == other.wagers).all()


def test_a_wager_is_asked_kept_and_told_again() -> None:
    result = playing.play([playing.code(SCALAR), playing.code(playing.GAP8)], red_dog(), deals=60)
    assert not result.fault_log.size
    assert result.wagers.shape == result.bets.shape
    assert result.wagers.max() > 1
    for rotation in range(2):
        engine = Engine(red_dog(), 2, 60, SeededDraws(7, 0, 60), Retold(result, rotation))
        engine.play()
        assert (engine.chips == result.chips[rotation].T[[(s - rotation) % 2 for s in range(2)]]).all()
        assert (engine.chips.sum(axis=0) + engine.pot == 2000 + HOUSE_CHIPS).all()
    again = unpack(pack(result), result.block)
    assert same_play(again, result)
    assert again.wagers.dtype == result.wagers.dtype
    assert result.until(20).wagers.shape[2] == 20
    without = playing.play([playing.code(playing.PASS), playing.code(playing.GAP8)], deals=5)
    assert without.wagers.size == 0
    assert unpack(pack(without), without.block).wagers.size == 0


@pytest.mark.parametrize("preset", ["red_dog", "dealer"])
def test_both_interfaces_and_an_isolated_process_play_the_same_game(preset: str) -> None:
    table = red_dog() if preset == "red_dog" else playing.rules("dealer")
    scalar, vector = playing.code(SCALAR), playing.code(VECTOR)
    vector = dataclasses.replace(vector, content=scalar.content)  # chance comes from it
    if preset == "dealer":
        scalar, vector = (dataclasses.replace(playing.code(t), content="0" * 64) for t in (EDGE, WIDE_EDGE))
    other = playing.code(playing.GAP8)
    local = playing.play([scalar, other, other], table, deals=40)
    assert not local.fault_log.size
    assert same_play(playing.play([vector, other, other], table, deals=40), local)
    server = ChildServer()
    try:
        assert same_play(playing.play([scalar, other, other], table, deals=40, server=server), local)
        assert same_play(playing.play([vector, other, other], table, deals=40, server=server), local)
    finally:
        server.close()


EDGE = """
class Edge(Bot):
    def bet(self, turn):
        assert turn.pot == turn.stacks[turn.dealer] and turn.seat != turn.dealer and turn.wager == 0
        return turn.max_bet if turn.edge > 0 else 0
"""
WIDE_EDGE = """
class Edge(VectorBot):
    def bet(self, turns):
        return np.where(turns.edge > 0, turns.max_bet, 0)
"""
WRONG = """
class Wrong(Bot):
    def start(self, table):
        self.n = 0
    def wager(self, turn):
        self.n += 1
        return [turn.max_bet + 1, -1, 2.0, None, 5][self.n % 5]
    def bet(self, turn):
        return turn.max_bet + 1
"""


def test_a_wrong_wager_is_a_fault_and_counts_as_the_least() -> None:
    table = red_dog(bet__min=3, end__rounds=5)
    result = playing.play([playing.code(WRONG), playing.code(playing.PASS)], table, deals=3, faults=100)
    kinds = {int(kind) for _, _, kind in result.first_faults}
    assert kinds == {Fault.TOO_BIG, Fault.NEGATIVE, Fault.NOT_WHOLE}
    texts = {fault.text for (_, _, kind), fault in result.first_faults.items() if kind == Fault.NEGATIVE}
    assert texts == {"a wager of -1, where 0 or 3 to 1000 was legal"}
    assert "wager gave 2.0, expected a whole number of chips" in {
        f.text for f in result.first_faults.values()
    }
    assert (result.wagers == -1).sum() == 4 * 3 * 2, "four of five in each of six games"
    assert set(np.unique(result.wagers).tolist()) == {-1, 0, 5}
    assert set(np.unique(result.bets).tolist()) == {0}, (
        "a raise beyond the wager is a fault, too, and is none"
    )


WATCHER = """
class Watcher(Bot):
    def wager(self, turn):
        return 7
    def bet(self, turn):
        return 3
    def watch(self, play):
        assert play.wager == 7
        assert play.bet in (0, 3)
        assert (play.third is None) == (play.kind == "consecutive")
        assert play.pot == 10**12 - sum(play.stacks) + 2000
"""


def test_who_watches_sees_wager_and_raise() -> None:
    result = playing.play([playing.code(WATCHER)] * 2, red_dog(), deals=20)
    assert not result.fault_log.size, result.first_faults


BASIC = """
class Basic(VectorBot):
    def wager(self, turns):
        return np.full(len(turns), 4)
    def bet(self, turns):
        return np.where(turns.gap >= 7, turns.max_bet, 0)
"""


def test_chips_less_all_luck_are_exactly_what_the_house_takes() -> None:
    """Where the stakes are known nothing is left to chance: 4 chips a turn lose 523/16575 each, in every single game."""
    table = playing.rules("red_dog", end__rounds=30)
    result = playing.play([playing.code(BASIC)] * 2, table, deals=25)
    stakes = np.zeros((2, FOLDS, CELLS))
    stakes[..., HANDS:] = 1  # raised by all it may where the edge is above 0
    study = study_block(result, table, 7, stakes)
    left = result.chips - 1000 - study.luck[:2].sum(axis=0) / 2**20
    assert left == pytest.approx(np.full(left.shape, -30 * 4 * 523 / 16575), abs=1e-4)
    assert np.ptp(result.chips) > 100, "the games themselves went up and down"
    assert np.ptp(study.luck[THIRD]) > 0
    lost = study.skill[0]
    assert lost.cells[6, :-1].sum() == 0, "the best raises lose nothing"
    wagered = 25 * 2 * 30 * round(3 * 523 / 16575 / 1000 * 2**26)  # three chips a turn more than the least
    assert lost.cells[6, -1].sum() == wagered


def test_what_one_wins_at_a_dealers_table_the_dealer_loses() -> None:
    table = playing.rules("dealer", end__rounds=4, chips=60)
    result = playing.play(
        [playing.code(EDGE), playing.code(playing.GAP8), playing.code(playing.PASS)], table, deals=50
    )
    assert (result.chips.sum(axis=2) == 180).all()
    study = study_block(result, table, 7, np.full((3, FOLDS, CELLS), 0.5))
    assert np.abs(study.luck[:2].sum(axis=3)).max() <= 8, (
        "luck adds up to nothing at a table, but for rounding"
    )
    assert np.abs(study.luck[:2]).max() > 2**20
