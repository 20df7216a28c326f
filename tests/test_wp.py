"""The grade of last turns: by hand, and against the last turn played out with every bet and every card."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from grading import skill_of
from hypothesis import given, settings
from hypothesis import strategies as st
from playing import rules
from test_skill import RandomPlayer, ints, question, random_rules

from arena.analysis.skill import SkillReport
from arena.analysis.wp import is_last_turn, win_grades
from arena.game import cards as c
from arena.game.engine import Engine
from arena.game.questions import TRIPS, Question


def test_who_is_behind_must_bet_what_catches_up() -> None:
    # 90 against 100 and 20 in the pot, 30 of 50 win. A bet of 10 won ties; so does 11, the odd ninth chip of
    # the pot going to the seat after the dealer, the opponent; 12 wins.
    table = rules(end__rounds=1, bet__first_round_max="pot")
    asked = question(table, (30, 6, 14), pot=20, low=3, high=12, limits=(1, 20), stacks=(90, 100), times=5)
    asked.place = 1
    got = win_grades(asked, ints(0, 9, 10, 11, 12))
    assert got.lost == pytest.approx([0.6, 0.6, 0.3, 0.3, 0])
    assert not got.is_forced.any()
    asked.tables.dealer[:] = 1  # now the odd chip is the player's own: 9 ties and 11 wins
    assert win_grades(asked, ints(0, 9, 10, 11, 12)).lost == pytest.approx([0.6, 0.3, 0.3, 0, 0])
    report = SkillReport.of(skill_of(asked, ints(0, 9, 10, 11, 12)), table)
    assert (report.last_turns, report.last_turns_unforced) == (5, 5)
    assert report.win_lost_per_turn == pytest.approx(0.24, abs=1e-7)


def test_a_lead_nobody_can_take_is_no_choice() -> None:
    asked = question(
        rules(end__rounds=1), (30, 6, 14), pot=20, low=3, high=12, limits=(1, 20), stacks=(500, 100)
    )
    asked.place = 1
    got = win_grades(asked, ints(7))
    assert (got.lost.tolist(), got.is_forced.tolist()) == ([0], [True])


def test_only_turns_that_surely_end_the_game_are_graded() -> None:
    table = rules(end__rounds=2, play__direction="left")
    asked = question(table, (30, 6, 14), pot=20, low=3, high=12, limits=(1, 20), stacks=(9, 9, 9), times=2)
    assert is_last_turn(asked) is None
    assert len(win_grades(asked, ints(1, 1)).at) == 0
    asked.round, asked.place = 2, 1  # the seat after this one has the last turn
    assert len(win_grades(asked, ints(1, 1)).at) == 0
    asked.tables.chips[1, 1] = 0  # at the second table it is out
    assert win_grades(asked, ints(1, 1)).at.tolist() == [1]
    by_turns = question(
        rules(end__rounds=None, end__turns=7), (30, 6, 14), pot=20, low=3, high=12, limits=(1, 20), times=2
    )
    by_turns.tables.turns[:] = 5, 6
    assert win_grades(by_turns, ints(1, 1)).at.tolist() == [1]


class Fixed:
    """Draws the same posts everywhere, and to each table a third card of its own."""

    def __init__(self, posts: list[tuple[int, int]], thirds: list[tuple[int, int]]) -> None:
        self.posts, self.thirds = posts, np.array(thirds)

    def draw(self, round: int, place: int, which: int, rows: Any, unseen: Any) -> tuple[Any, Any]:
        n = unseen.shape[1]
        pack, card = self.thirds[rows].T if which == c.THIRD_CARD else np.tile(self.posts[which], (n, 1)).T
        return (0 if len(unseen) == 1 else pack), card

    def cut(self, *_: Any) -> Any:
        raise AssertionError


class Again:
    """Answers as kept."""

    def __init__(self, calls: dict[int, bool], bets: c.Ints, wager: int) -> None:
        self.calls, self.bets, self.wagered = calls, bets, wager

    def call_ace(self, question: Question) -> tuple[Any, None]:
        return np.full(len(question.rows), self.calls[question.what]), None

    call_pair = call_ace

    def bet(self, question: Question) -> tuple[c.Ints, None]:
        return self.bets[question.rows], None

    def wager(self, question: Question) -> tuple[c.Ints, None]:
        return np.full(len(question.rows), self.wagered), None


class PlaysOut(RandomPlayer):
    """Plays every last turn out on an engine of its own: every legal bet, every card."""

    def __init__(self, seed: int, tables: int) -> None:
        super().__init__(seed)
        self.inner = c.SeededDraws(seed, 0, tables)
        self.posts: list[dict[int, tuple[int, int]]] = [{} for _ in range(tables)]
        self.calls: list[dict[int, bool]] = [{} for _ in range(tables)]
        self.before: dict[int, c.Masks] = {}
        self.checked = 0

    # the card source: keeps what the turn began with

    def draw(self, round: int, place: int, which: int, rows: Any, unseen: Any) -> tuple[Any, Any]:
        pack, card = self.inner.draw(round, place, which, rows, unseen)
        at = np.arange(len(self.posts))[rows]
        for i, row in enumerate(at.tolist()):
            if which == c.FIRST_POST:
                self.before[row], self.calls[row] = unseen[:, i].copy(), {}
            self.posts[row][which] = (int(np.broadcast_to(pack, len(at))[i]), int(card[i]))
        return pack, card

    cut = draw

    def call_ace(self, question: Question) -> tuple[Any, None]:
        calls, _ = super().call_ace(question)
        for row, call in zip(question.rows.tolist(), calls.tolist(), strict=True):
            self.calls[row][question.what] = call
        return calls, None

    call_pair = call_ace

    def see(self, question: Question, bets: c.Ints) -> None:
        got, last = win_grades(question, bets), is_last_turn(question)
        assert got.at.tolist() == ([] if last is None else np.flatnonzero(last).tolist())
        for k, i in enumerate(got.at.tolist()):
            chances = self.play_out(question, i)
            chosen = chances.get(int(bets[i]), chances[min(chances)])
            assert got.lost[k] == pytest.approx(max(chances.values()) - chosen, abs=1e-9)
            assert got.is_forced[k] == (np.ptp(list(chances.values())) < 1e-9)
            self.checked += 1

    def play_out(self, q: Question, i: int) -> dict[int, float]:
        """The chance to win of every legal bet, by bet."""
        row, table = int(q.rows[i]), q.tables.rules
        takes = table.pair.rule == "auto_pay_or_trips" and int(q.kind[i]) == TRIPS
        free = table.bet.may_pass or takes or table.bet.before_posts
        legal = [0] * free + list(range(int(q.min_bet[i]), int(q.max_bet[i]) + 1))
        cards = [
            (k, card) for k in range(len(q.unseen)) for card in range(52) if int(q.unseen[k, i]) >> card & 1
        ]
        bets = np.repeat(legal, len(cards))
        posts = [self.posts[row][c.FIRST_POST], self.posts[row][c.SECOND_POST]]
        draws = Fixed(posts, cards * len(legal))
        engine = Engine(
            table, q.tables.seats, len(bets), draws, Again(self.calls[row], bets, int(q.wager[i]))
        )
        engine.chips[:] = q.tables.chips[:, [row]]
        engine.pot[:], engine.dealer[:] = q.tables.pot[row], q.tables.dealer[row]
        engine.turns[:], engine.round = q.tables.turns[row], q.round
        engine.unseen[:] = self.before[row][:, None]
        engine.turn(q.place)
        assert not engine.playing.any()
        top = engine.chips == engine.chips.max(axis=0)
        share = (top[q.seat] / top.sum(axis=0)).reshape(len(legal), len(cards)).mean(axis=1)
        return dict(zip(legal, share.tolist(), strict=True))


def played_out(seed: int, tables: int, bank: str = "pot") -> int:
    """How many last turns were played out: of the last round of tables with odd stacks, dealers and pots."""
    rng, player = random.Random(seed), PlaysOut(seed, tables)
    table = random_rules(rng, bank)
    engine = Engine(table, 2 + seed % 4, tables, player, player)
    stacks = [rng.choice([0, 1, 2, 3, 8, rng.randint(1, table.chips)]) for _ in range(engine.chips.size)]
    engine.chips[:] = np.array(stacks).reshape(engine.chips.shape)
    engine.chips[:2] += engine.chips[:2] == 0
    if bank == "pot":
        engine.pot[:] = [rng.randint(1, 20) for _ in range(tables)]
    engine.dealer[:] = [rng.randrange(engine.seats) for _ in range(tables)]
    if bank == "dealer":
        engine.open_game()
    engine.round = table.end.rounds or 1
    engine.turns[:] = table.end.turns or 0
    engine.turns -= rng.randint(1, 3)
    for place in range(engine.seats):
        engine.turn(place)
    return player.checked


@pytest.mark.parametrize("bank", ["pot", "house", "dealer"])
@given(seed=st.integers(0, 2**32))
@settings(derandomize=True, deadline=None, max_examples=100)
def test_chances_are_those_of_the_last_turn_played_out(bank: str, seed: int) -> None:
    played_out(seed, 6, bank)


@pytest.mark.parametrize("bank", ["pot", "house", "dealer"])
def test_many_last_turns_were_played_out(bank: str) -> None:
    assert sum(played_out(seed, 6, bank) for seed in range(50)) > 90
