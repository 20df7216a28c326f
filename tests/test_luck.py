"""Luck has mean zero: by enumerating every course of the cards at small tables, under every rule, with bots that count."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from playing import rules

from arena.analysis.luck import Luck
from arena.analysis.stakes import CELLS, FOLDS
from arena.game import cards as c
from arena.game.engine import Engine
from arena.game.questions import Question
from arena.game.rules import TableRules, merge, table_rules


class EveryCourse:
    """Draws that send each table down another course; ``weight`` is its probability (0: a course told twice)."""

    def __init__(self, tables: int) -> None:
        self.left = np.arange(tables)
        self.weight = np.ones(tables)

    def draw(self, round: int, place: int, which: int, rows: Any, unseen: Any) -> tuple[Any, Any]:
        rows = np.arange(len(self.left))[rows]
        n = c.count(unseen)
        self.left[rows], pick = np.divmod(self.left[rows], n)
        self.weight[rows] /= n
        bits = (unseen[..., None] >> np.arange(52, dtype=np.uint64)) & np.uint64(1)
        by_card = np.concatenate(list(bits), axis=1)
        cards = (np.cumsum(by_card, axis=1) == pick[:, None] + 1).argmax(axis=1)
        return cards // 52 if len(unseen) > 1 else 0, cards % 52

    def cut(self, *_: Any) -> Any:
        raise AssertionError("the dealer is given")


class Counter:
    """Bets by the exact edge, calls by a rule of its own that is not the predicted one."""

    def call_ace(self, q: Question) -> tuple[Any, None]:
        return (q.other + q.pot) % 2 == 0, None

    def call_pair(self, q: Question) -> tuple[Any, None]:
        return (q.wins + q.pot) % 3 > 0, None

    def wager(self, q: Question) -> tuple[Any, None]:
        return np.where(q.chips % 2 == 0, q.max_bet, 0), None

    def bet(self, q: Question) -> tuple[Any, None]:
        good = 2 * q.wins > q.losses + 2 * q.hits
        bet = np.where(good, q.max_bet, np.where(q.wins % 2 == 0, q.min_bet, 0))
        return bet, None


class Whim:
    """Any bet and call, by a hash of what is seen."""

    def _any(self, q: Question) -> Any:
        return (q.pot * 7 + q.chips * 13 + q.wins * 29 + q.low * 5 + q.high * 3 + q.round) % 11

    def call_ace(self, q: Question) -> tuple[Any, None]:
        return self._any(q) % 2 == 0, None

    call_pair = call_ace

    def wager(self, q: Question) -> tuple[Any, None]:
        return np.maximum(q.min_bet, q.max_bet * self._any(q) // 10), None

    def bet(self, q: Question) -> tuple[Any, None]:
        u = self._any(q)
        bet = np.maximum(q.min_bet, q.max_bet * u // 10)
        return np.where(u < 3, 0, bet), None


def some_rules(chance: random.Random, bank: str = "pot") -> TableRules:
    pick = chance.choice
    more: dict[str, Any] = {}
    if bank != "pot":
        more = {"bank": bank, "payouts": pick([None, {1: 5, 2: 4, 3: 2, 4: 1}, {2: 3}])}
    made = rules(
        pick(["nepali", "article", "denexa", "bicycle"]),
        deck__shuffle=pick(
            ["exhausted", "dealer_turn", "each_turn"] if chance.random() < 0.3 else ["exhausted"]
        ),
        deck__packs=pick([1, 1, 2, 3, 8]),
        ante__amount=pick([1, 5, 10]),
        ante__each_round=pick([True, False]),
        ante__when_empty=pick([True, False]),
        bet__min=pick([1, 3]),
        bet__first_round_max=pick(["pot", "half_pot", "ante"]),
        bet__may_pass=pick([True, False]),
        bet__must_cover_post=pick([True, False]),
        ace__first=pick(["call", "choose", "high"]),
        ace__second=pick(["high", "choose"]),
        consecutive=pick(["pass", "bet", "pay_min"]),
        pair__rule=pick(["higher_lower", "auto_pay", "trips_bet", "auto_pay_or_trips", "pass"]),
        pair__post=pick([1, 2, 3]),
        pair__pay=pick([2, 3]),
        post__multiplier=pick([1, 2, 3]),
        end__rounds=pick([1, 2]),
        end__pot_taken=pick([True, False]),
        end__pot=pick(["split_live", "split_all"]),
        **more,
    )
    if bank == "pot" or chance.random() < 0.3:
        return made
    bet = {
        "before_posts": True,
        "raise": pick(["wager", "wager", "none"]),
        "may_pass": False,
        "must_cover_post": False,
    }
    data = merge(made.model_dump(), {"bet": bet, "consecutive": "push", "pair": {"rule": "auto_trips"}})
    return table_rules(data)


def with_packs(table: TableRules, packs: int) -> TableRules:
    return table.model_copy(update={"deck": table.deck.model_copy(update={"packs": packs})})


def expected_luck(
    chance: random.Random, player: Any, table: TableRules, unseen: list[int], turns: int
) -> Any:
    """E ΣL by seat, for the three kinds of luck, ``(3, seats)``, and the greatest luck met.

    ``unseen`` are cards 0 … 51 of the first pack, 52 … 103 of the second, and so on.
    """
    seats = chance.choice([2, 2, 2, 3, 3, 3, 4, 8])
    chips = [chance.choice([0, 3, 8, 30, 200]) for _ in range(seats)]
    chips[0], chips[1] = max(chips[0], 3), max(chips[1], 8)
    full = 52 * table.deck.packs
    tables, left = 1, full if table.deck.shuffle == "each_turn" else len(unseen)
    for drawn in range(3 * turns):
        left = left or full - drawn % 3
        tables, left = tables * left, left - 1
    draws = EveryCourse(tables)
    stakes = np.array([chance.random() for _ in range(seats * FOLDS * CELLS)]).reshape(seats, FOLDS, CELLS)
    luck = Luck(table, seats, tables, stakes, np.zeros(tables, dtype=np.int64))
    engine = Engine(table, seats, tables, draws, player, witness=luck)
    engine.chips[:] = np.array(chips)[:, None]
    pot = chance.choice([2, 7, 40])
    if table.bank == "pot":
        engine.pot[:] = pot
    engine.dealer[:] = chance.randrange(seats)
    for pack in range(table.deck.packs):
        engine.unseen[pack] = sum(1 << card - 52 * pack for card in unseen if card // 52 == pack)
    engine.round = chance.choice([1, 2])
    if table.bank == "dealer":
        engine.open_game()
    for place in range(seats):
        if int(engine.turns.max()) < turns:
            engine.turn(place)
    weight = np.where(draws.left == 0, draws.weight, 0)
    kinds = np.stack([luck.third_luck, luck.posts_luck, luck.wins_luck])
    assert abs(weight.sum() - 1) < 1e-9, "every course is told once"
    return (kinds * weight).sum(axis=2), np.abs(kinds).max(axis=(1, 2))


@pytest.mark.parametrize("player", [Counter(), Whim()], ids=["counter", "whim"])
@pytest.mark.parametrize(
    "batch", [3, 4, *(pytest.param(b, marks=pytest.mark.slow) for b in (0, 1, 2, 5, 6, 7, 8))]
)
def test_every_luck_term_has_mean_zero_by_enumeration(player: Any, batch: int) -> None:
    check_mean(player, batch, "pot")


@pytest.mark.parametrize("player", [Counter(), Whim()], ids=["counter", "whim"])
@pytest.mark.parametrize("batch", [3, *(pytest.param(b, marks=pytest.mark.slow) for b in (0, 1, 2, 4, 5))])
@pytest.mark.parametrize("bank", ["house", "dealer"])
def test_every_luck_term_has_mean_zero_where_there_is_no_pot(player: Any, batch: int, bank: str) -> None:
    check_mean(player, batch, bank)


def check_mean(player: Any, batch: int, bank: str) -> None:
    chance = random.Random(batch)
    met = np.zeros(3)
    for _ in range(20):
        table = some_rules(chance, bank)
        turns = 2 if batch % 3 == 2 and table.deck.shuffle != "each_turn" else 1
        if table.deck.shuffle == "each_turn":  # a million courses of two packs
            table = with_packs(table, 1)
        elif turns == 2:  # four of eight
            table = with_packs(table, min(table.deck.packs, 2))
        unseen = chance.sample(
            range(52 * table.deck.packs), chance.choice([1, 2, 3, 5, 9] if turns == 1 else [4, 6, 7])
        )
        if chance.random() < 0.5:  # aces and pairs more often than chance gives them
            unseen = sorted({*unseen[: 4 if turns == 1 else 3], 48, 51, chance.randrange(48, 52)})
        mean, most = expected_luck(chance, player, table, unseen, turns)
        assert np.abs(mean).max() < 1e-10, (table, unseen, mean)
        met = np.maximum(met, most)
    assert (met > [1, 1, 0.01]).all()
