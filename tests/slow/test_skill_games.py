"""Chips lost are what skill costs: on whole games of house bots against one that always makes the best bet.

A game of two has an exact account. While both have chips, half of what a bet brings comes from the player's own share of
the pot; who is out of chips leaves it all to the other. So a player's net is, in expectation, the sum of
half the expected change of his bets less half that of the other's, but for the chips of who goes out. Against a bot that
loses nothing that is ``−lost + (offered − offered to the other) / 2``, where the offers on both sides are nearly the same.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from grading import skill_of
from playing import code, play, rules

from arena.analysis.skill import SkillReport, SkillSums, grades_of
from arena.bot.harness import BotCode
from arena.game import cards as c
from arena.game.engine import Engine
from arena.game.questions import PAIR, Question
from arena.game.rules import TableRules
from arena.tournament.blocks import BlockResult
from arena.tournament.match import Retold

pytestmark = pytest.mark.slow
DEALS, SEED = 12_000, 11
ROOT = Path(__file__).parent.parent.parent
BEST = code("""
class Best(VectorBot):
    def bet(self, turns):
        return np.where(turns.value(turns.max_bet) > 0, turns.max_bet, 0)
    def call_ace(self, turns):
        return np.zeros(len(turns), dtype=bool)
""")
BOTS = {
    "RandomBet": "random_bet.py",
    "LeastBet": "least_bet.py",
    "PassAlways": "pass_always.py",
    "HalfPot8": "pot8.py",
    "Gap9": "gap.py",
}


def house(name: str) -> BotCode:
    source = (ROOT / "bots" / BOTS[name]).read_bytes()
    return BotCode(source, BOTS[name], name, {}, hashlib.sha256(source + name.encode()).hexdigest())


class Judge(Retold):
    """Grades the answers of seat ``seat`` against the other as they are told again."""

    def __init__(self, result: BlockResult, seat: int, deals: int) -> None:
        super().__init__(result, seat)  # in rotation r the bot has seat r
        self.seat, self.sums, self.other_sums = seat, SkillSums.zero(), SkillSums.zero()
        self.expected, self.gross = np.zeros(deals), np.zeros(deals)

    def bet(self, question: Question) -> tuple[c.Ints, Any]:
        bets, faulty = super().bet(question)
        worth = worth_of(question, bets)
        if question.seat == self.seat:
            self.sums += skill_of(question, bets)
            self.expected[question.rows] += worth
            self.gross[question.rows] += 2 * worth
        else:
            self.other_sums += skill_of(question, bets)
            self.expected[question.rows] -= worth
        assert (grades_of(question, bets).lost >= 0).all()
        return bets, faulty


def worth_of(q: Question, bets: c.Ints) -> Any:
    """What the bets bring by the Nepali table's rules, where every post costs two bets, the pot's shares counted in."""
    assert {PAIR} >= set(q.kind[q.kind != 0].tolist())
    losing = (q.losses, bets), (q.hits, np.minimum(2 * bets, q.chips))
    worth = q.wins * bets / 2
    for cards, cost in losing:
        worth = worth - cards * np.where(cost == q.chips, cost + q.pot / 2, cost / 2)
    return worth / (q.wins + q.hits + q.losses)


@dataclass
class Match:
    """By deal: net chips, what was expected of the bets made, and the same if nothing came back from the pot."""

    net: Any
    expected: Any
    gross: Any
    lost: float
    other_lost: float

    def t_of(self, expected: Any) -> float:
        d = self.net - expected
        return float(d.mean() / (d.std(ddof=1) / np.sqrt(len(d))))


def match(bot: BotCode, table: TableRules) -> Match:
    """The bot against the best one."""
    result = play([bot, BEST], table, deals=DEALS, seed=SEED)
    judges = [Judge(result, r, DEALS) for r in (0, 1)]
    for judge in judges:
        Engine(table, 2, DEALS, c.SeededDraws(SEED, 0, DEALS), judge).play()
    sums = judges[0].sums + judges[1].sums
    others = judges[0].other_sums + judges[1].other_sums
    return Match(
        result.chips.mean(axis=0)[:, 0] - table.chips,
        (judges[0].expected + judges[1].expected) / 2,
        (judges[0].gross + judges[1].gross) / 2,
        *(SkillReport.of(x, table).total.lost_chips / (2 * DEALS) for x in (sums, others)),
    )


@pytest.fixture(scope="module")
def matches() -> dict[str, Match]:
    return {name: match(house(name), rules()) for name in BOTS}


def test_bets_are_worth_what_they_bring_in_whole_games(matches: dict[str, Match]) -> None:
    for name in (
        "LeastBet",
        "PassAlways",
        "HalfPot8",
        "Gap9",
    ):  # RandomBet also goes out by antes it cannot pay
        assert abs(matches[name].t_of(matches[name].expected)) < 3.5, name


def test_counting_all_of_a_lost_chip_as_gone_would_be_noticed(matches: dict[str, Match]) -> None:
    assert abs(matches["HalfPot8"].t_of(matches["HalfPot8"].gross)) > 20


def test_the_best_bot_loses_nothing(matches: dict[str, Match]) -> None:
    assert [m.other_lost for m in matches.values()] == [0] * len(BOTS)


def test_chips_lost_order_bots_as_their_games_do(matches: dict[str, Match]) -> None:
    names = list(BOTS)
    assert sorted(names, key=lambda name: -matches[name].lost) == names
    assert sorted(names, key=lambda name: matches[name].net.mean()) == names


def test_chips_lost_foretell_the_gap_to_the_best_bot(matches: dict[str, Match]) -> None:
    """Within 9 % where a bot plays without looking at its hand; cautious ones gain by the pots they leave growing."""
    for name, within in (("LeastBet", 0.09), ("PassAlways", 0.12), ("RandomBet", 0.15), ("HalfPot8", 0.20)):
        gap = -matches[name].net.mean()
        assert gap == pytest.approx(matches[name].lost, rel=within), name
    assert 0.5 < -matches["Gap9"].net.mean() / matches["Gap9"].lost < 1
