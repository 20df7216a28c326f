"""What a wager before the posts is worth, caps included: against every course of the cards by ``hand_odds``, bet by bet."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import playing
import pytest

from arena.analysis.skill import PARTS, Measure
from arena.bot.harness import BotCode
from arena.game.bank import most_of
from arena.game.odds import hand_odds
from arena.game.rules import HOUSE_CHIPS, TableRules
from arena.game.wager_values import Wagers
from arena.tournament.study import study_block

EXACT = Path(__file__).parents[1] / "bots" / "exact.py"
PACK = range(52)
LOW_ACE, ACE = 1, 14
CASINO = {"deck__shuffle": "exhausted", "bet__may_pass": False}
TABLES: dict[str, dict[str, Any]] = {
    "house": {},
    "no raise": {"bet__raise": "none"},
    "hits cost three": {"post__multiplier": 3},
    "dealer": {"bank": "dealer"},
    "dealer, least raise 3": {"bank": "dealer", "bet__min": 3},
    "dealer, half in round 1": {"bank": "dealer", "bet__first_round_max": "half_pot", "bet__min": 2},
    "dealer, all at once": {"bank": "dealer", "post__multiplier": 2, "ace__first": "call"},
    "aces called": {"ace__first": "call"},
    "aces chosen": {"ace__first": "choose", "ace__second": "choose", "bank": "dealer"},
    "even money": {"payouts": None, "bank": "dealer"},
}


def by_hand(rules: TableRules, deck: Sequence[int], bank: int, chips: int, wager: int) -> Fraction:
    """The expectation over every order of two posts of the best that ``arena odds`` finds to do, aces called first."""
    first_round = {"pot": bank, "chips": chips, "is_first_round": True}
    total = Fraction(0)
    for first in deck:
        seconds = [card for card in deck if card != first] or [card for card in PACK if card != first]
        seen = [card for card in PACK if card not in deck] if len(deck) > 1 else []
        made = [
            hand_odds(
                rules, (first, second), seen=[s for s in seen if s != second], wager=wager, **first_round
            )
            for second in seconds
        ]
        total += max(
            sum(
                max(o.value(o.best_bet) for o in readings if is_so(o, second))
                for readings, second in zip(made, seconds, strict=True)
            )
            for is_so in _calls(rules, first)
        ) / len(seconds)
    return total / len(deck)


def _calls(rules: TableRules, first: int) -> list[Any]:
    """Which readings of two posts remain after each call of the first."""
    if rules.ace.first != "call" or first < 48:
        return [lambda _, __: True]
    high = lambda o, second: (o.low, o.high) == (second // 4 + 2, ACE)  # noqa: E731
    low = lambda o, _: o.low == LOW_ACE  # noqa: E731
    return [low, high]


def wagers(rules: TableRules, cards: Sequence[Sequence[int]], bank: int, chips: int) -> Wagers:
    unseen = np.zeros((len(cards), 15), dtype=np.int64)
    for row, deck in zip(unseen, cards, strict=True):
        np.add.at(row, [card // 4 + 2 for card in deck], 1)
    given = [np.full(len(cards), value) for value in (bank, chips)]
    most = most_of(rules, 1, *given, np.zeros(len(cards), dtype=np.int64))
    return Wagers(rules, unseen, 1, *given, most)


ALL_ON_AN_EDGE = """
class AllOnAnEdge(Bot):
    def wager(self, turn):
        return turn.max_bet if turn.edge > 0 else turn.min_bet
    def bet(self, turn):
        return turn.max_bet if turn.value(turn.max_bet) > turn.value(0) else 0
"""
LEAST = """
class Least(VectorBot):
    def bet(self, turns):
        return np.where(turns.value(turns.max_bet) > turns.value(0), turns.max_bet, 0)
"""


@pytest.mark.parametrize("name", TABLES)
def test_a_wager_is_worth_what_every_course_of_the_cards_brings(name: str) -> None:
    rules = playing.rules("red_dog", **CASINO, **TABLES[name])
    bank = HOUSE_CHIPS if rules.bank == "house" else 23
    cards = [random.Random(n).sample(PACK, n) for n in (1, 2, 3, 5)]
    found = wagers(rules, cards, bank, 9)
    most = int(found._most[0])
    legal = np.arange(min(rules.bet.min, most), most + 1)
    worth = found.value(np.broadcast_to(legal[:, None], (len(legal), len(cards))))
    for at, deck in enumerate(cards):
        expected = [by_hand(rules, deck, bank, 9, int(wager)) for wager in legal]
        assert worth[:, at].tolist() == pytest.approx([float(x) for x in expected], abs=1e-12)
        assert [found.value_at(at, int(wager)) for wager in legal] == worth[:, at].tolist()
        alone = wagers(rules, [deck], bank, 9)
        assert alone.value(legal[:, None])[:, 0].tolist() == worth[:, at].tolist(), (
            "no table depends on another"
        )


@pytest.mark.parametrize("over", [{}, {"bet__min": 3}])
def test_no_legal_wager_is_worth_more_than_those_that_are_looked_at(over: dict[str, Any]) -> None:
    """At a dealer's table, where every cap may bind, over random chips and cards."""
    rules, chance = playing.rules("red_dog", bank="dealer", **CASINO, **over), np.random.default_rng(1)
    n, ranks = 1000, np.repeat(np.arange(2, 15), 4)
    unseen = np.array(
        [np.bincount(chance.permutation(ranks)[:cards], minlength=15) for cards in chance.integers(1, 20, n)]
    )
    bank, chips = chance.integers(1, 60, (2, n))
    most = most_of(rules, 1, bank, chips, np.zeros(n, dtype=np.int64))
    least, asked = np.minimum(rules.bet.min, most), Wagers(rules, unseen, 1, bank, chips, most)
    every = np.clip(np.arange(60)[:, None], least, most)
    looked_at = np.stack(asked.candidates(least))
    assert ((looked_at >= least) & (looked_at <= most)).all()
    assert np.abs(asked.value(every).max(axis=0) - asked.value(looked_at).max(axis=0)).max() < 1e-12


COUNTED = {"deck__shuffle": "exhausted", "end__rounds": 12, "chips": 100}


@pytest.mark.parametrize("bank", ["house", pytest.param("dealer", marks=pytest.mark.slow)])
def test_exact_gives_away_no_chip_by_its_wagers_nor_by_its_raises(bank: str) -> None:
    """And the same file's grades find fault with who wagers all on an edge, or never more than the least."""
    rules = playing.rules("red_dog", bank=bank, **COUNTED)
    exact = BotCode(EXACT.read_bytes(), "exact.py", "Exact", {}, "0" * 64)
    bots = [exact, playing.code(ALL_ON_AN_EDGE), playing.code(LEAST)]
    study = study_block(playing.play(bots, rules, deals=20 if bank == "house" else 6), rules, 7, None)
    lost = [sums.cells[Measure.LOST, -1].sum() for sums in study.skill]
    assert lost[0] == 0
    assert min(lost[1:]) > 0
    assert study.skill[0].cells[Measure.BEST_STAKE, -1].max() > 0.3 * PARTS, "it pays to wager much at times"
    assert study.mistakes[0] is None
    assert study.mistakes[1] is not None
