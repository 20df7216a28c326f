"""Exact odds against published figures, against the rules card by card, and against the engine."""

from __future__ import annotations

import random
from fractions import Fraction
from math import log
from typing import Any

import numpy as np
import pytest
from oracle import Hand

from arena import Turns
from arena.errors import ArenaError
from arena.game import cards as c
from arena.game.engine import Engine
from arena.game.odds import Odds, hand_odds
from arena.game.questions import ASK_BET, Question
from arena.game.rules import TableRules, table_rules

MULTIPLIERS = (1, 2, 3)


def rules(**over: Any) -> TableRules:
    return table_rules({"consecutive": "bet", **over})


def posts(text: str) -> tuple[int, int]:
    first, second = map(c.parse_card, text.split())
    return first, second


def odds(text: str, table: TableRules | None = None, **given: Any) -> list[Odds]:
    return hand_odds(table or rules(), posts(text), **given)


def fresh_posts(packs: int = 1) -> dict[tuple[int, int], Fraction]:
    """How likely fresh packs deal each two ranks as posts, the lower first, aces high."""
    n, rank = 52 * packs, 4 * packs
    return {
        (low, high): Fraction(rank * (rank - 1) if low == high else 2 * rank * rank, n * (n - 1))
        for high in range(2, 15)
        for low in range(2, high + 1)
    }


# ---- published figures

# gap: win, post, lose, edge at multipliers 1, 2 and 3 in hundredths (reference_values.md)
PUBLISHED = {
    0: (0, 6, 44, -100, -112, -124),
    1: (4, 6, 40, -84, -96, -108),
    2: (8, 6, 36, -68, -80, -92),
    3: (12, 6, 32, -52, -64, -76),
    4: (16, 6, 28, -36, -48, -60),
    5: (20, 6, 24, -20, -32, -44),
    6: (24, 6, 20, -4, -16, -28),
    7: (28, 6, 16, 12, 0, -12),
    8: (32, 6, 12, 28, 16, 4),
    9: (36, 6, 8, 44, 32, 20),
    10: (40, 6, 4, 60, 48, 36),
    11: (44, 6, 0, 76, 64, 52),
    12: (48, 2, 0, 92, 88, 84),
}


@pytest.mark.parametrize("gap", PUBLISHED)
def test_edges_of_a_fresh_pack_are_the_published_ones(gap: int) -> None:
    for low in range(1 if gap in (11, 12) else 2, 14 - gap):
        high = low + gap + 1
        text = f"{c.RANK_TEXT[low if low > 1 else 14]}S {c.RANK_TEXT[high]}H"
        for multiplier in MULTIPLIERS:
            table = rules(post={"multiplier": multiplier}, ace={"second": "choose"})
            found = [o for o in odds(text, table) if (o.low, o.high) == (low, high)]
            win, post, lose, *edges = PUBLISHED[gap]
            assert [(o.gap, o.wins, o.hits, o.losses) for o in found] == [(gap, win, post, lose)]
            assert found[0].edge == Fraction(edges[multiplier - 1], 100)


@pytest.mark.parametrize(("gap", "share"), [(7, 0), (8, 0.11), (9, 0.20), (10, 0.27), (11, 0.32), (12, 0.44)])
def test_kelly_shares_are_the_published_ones(gap: int, share: float) -> None:
    text = {7: "3S JH", 8: "3S QH", 9: "3S KH", 10: "2S KH", 11: "2S AH", 12: "AS AH"}[gap]
    found = [o for o in odds(text, rules(ace={"second": "choose"})) if o.gap == gap]
    assert round(found[0].kelly, 2) == share


def test_a_third_card_of_the_pairs_rank_at_25_to_1_favours_the_player() -> None:
    (trips,) = odds("9S 9H", table_rules({"preset": "denexa_house"}))
    assert (trips.kind, trips.wins, trips.hits, trips.losses, trips.odds) == ("trips", 2, 0, 48, 25)
    assert trips.edge == Fraction(4, 100)


@pytest.mark.parametrize("multiplier", MULTIPLIERS)
def test_every_pair_but_eights_pays_when_called_rightly(multiplier: int) -> None:
    table = rules(pair={"post": multiplier})
    best = {rank: max(o.edge for o in odds(f"{name}S {name}D", table)) for rank, name in c.RANK_TEXT.items()}
    assert {rank for rank, edge in best.items() if edge <= 0} == {8}
    if multiplier == 2:
        assert (best[7], best[8], best[9]) == (Fraction(8, 100), Fraction(-8, 100), Fraction(8, 100))


def test_a_fresh_pack_deals_pairs_and_gaps_as_often_as_published() -> None:
    law = fresh_posts()
    assert sum(law.values()) == 1
    assert sum(p for (low, high), p in law.items() if low == high) == Fraction(3, 51)
    for gap in range(12):
        p = sum(p for (low, high), p in law.items() if high - low - 1 == gap)
        assert p == Fraction(8 * (12 - gap), 663)


def fresh(table: TableRules) -> list[tuple[Fraction, Odds]]:
    """Probability and odds of all posts but pairs, aces high."""
    no_pairs = [(at, p) for at, p in fresh_posts(table.deck.packs).items() if at[0] != at[1]]
    return [(p, hand_odds(table, (4 * low - 8, 4 * high - 8))[-1]) for (low, high), p in no_pairs]


@pytest.mark.parametrize(("multiplier", "worth"), [(1, Fraction(40, 663)), (2, Fraction(128, 3315))])
def test_betting_where_it_pays_is_worth_what_is_published(multiplier: int, worth: Fraction) -> None:
    table = rules(post={"multiplier": multiplier}, ace={"first": "high"})
    assert sum(p * max(o.edge, 0) for p, o in fresh(table)) == worth


def test_third_cards_fall_between_or_on_the_posts_as_often_as_published() -> None:
    every = fresh(rules(ace={"first": "high"}))
    assert sum(p * o.wins / 50 for p, o in every) == Fraction(352, 1275)
    assert sum(p * o.hits / 50 for p, o in every) / sum(p for p, _ in every) == Fraction(3, 25)


@pytest.mark.parametrize("packs", [2, 6, 8])
def test_several_packs_have_that_many_times_the_cards(packs: int) -> None:
    law = fresh_posts(packs)
    assert sum(law.values()) == 1
    assert law[3, 3] == Fraction(4 * packs, 52 * packs) * Fraction(4 * packs - 1, 52 * packs - 1)
    (reading,) = odds("3S QD", rules(deck={"packs": packs}))
    assert (reading.wins, reading.hits) == (32 * packs, 8 * packs - 2)
    assert reading.losses == 52 * packs - 2 - reading.wins - reading.hits


# ---- readings


def readings(text: str, **over: Any) -> list[tuple[str, int, int, str | None]]:
    return [(o.kind, o.low, o.high, o.call) for o in odds(text, rules(**over))]


def test_a_pair_has_both_calls_unless_one_is_hopeless() -> None:
    assert readings("9S 9D") == [("pair", 9, 9, "higher"), ("pair", 9, 9, "lower")]
    assert readings("2S 2D") == [("pair", 2, 2, "higher")]
    assert readings("AS AD", ace={"first": "high"}) == [("pair", 14, 14, "lower")]
    assert readings("9S 9D", pair={"rule": "trips_bet"}) == [("trips", 9, 9, None)]
    assert readings("9S 9D", pair={"rule": "auto_pay"}) == [("pair", 9, 9, None)]


def test_a_first_ace_is_read_low_and_high_where_it_may_be_called() -> None:
    both = [("gap", 1, 9, None), ("gap", 9, 14, None)]
    assert readings("AS 9D", ace={"first": "call"}) == both
    assert readings("AS 9D", ace={"first": "choose"}) == both
    assert readings("AS 9D", ace={"first": "high"}) == both[1:]
    assert readings("9D AS", ace={"first": "call"}) == both[1:]
    assert readings("9D AS", ace={"second": "choose"}) == both


def test_two_aces_are_a_pair_or_the_widest_gap() -> None:
    low, wide, high = ("pair", 1, 1, "higher"), ("gap", 1, 14, None), ("pair", 14, 14, "lower")
    assert readings("AS AD", ace={"first": "call"}) == [wide, high]
    assert readings("AS AD", ace={"first": "call", "second": "choose"}) == [low, wide, high]
    assert readings("AS AD", ace={"first": "choose", "second": "choose"}) == [high]
    (low_pair, *_) = odds("AS AD", rules(ace={"second": "choose"}))
    assert (low_pair.wins, low_pair.hits, low_pair.losses) == (48, 2, 0)


def test_seen_cards_are_not_unseen_and_a_spent_pack_is_shuffled() -> None:
    seen = [c.parse_card(text) for text in ("4H", "5H", "QH", "KS")]
    (reading,) = odds("3S QD", seen=seen)
    assert (reading.wins, reading.hits, reading.losses) == (30, 5, 11)
    every = [card for card in range(52) if card not in posts("3S QD")]
    assert odds("3S QD", seen=every) == odds("3S QD")


def test_a_card_named_too_often_is_named() -> None:
    with pytest.raises(ArenaError, match="3S is named 2 times, but there is one in the cards"):
        odds("3S 3S")
    with pytest.raises(ArenaError, match="3S is named 3 times, but there are 2 in the cards"):
        odds("3S 3S", rules(deck={"packs": 2}), seen=[c.parse_card("3S")])


# ---- values and bets


@pytest.mark.parametrize(
    ("text", "over", "paid"),
    [
        ("8S 9D", {"consecutive": "pass"}, 0),
        ("8S 9D", {"consecutive": "pay_min", "bet": {"min": 5}}, -5),
        ("8S 9D", {"consecutive": "pay_min", "bet": {"min": 5000}}, -1000),
        ("8S 8D", {"pair": {"rule": "pass"}}, 0),
        ("8S 8D", {"pair": {"rule": "auto_pay", "pay": 3}, "bet": {"min": 5}}, 15),
        ("8S 8D", {"pair": {"rule": "auto_pay", "pay": 30}}, 20),
        ("8S 8D", {"pair": {"rule": "auto_pay", "pay": 3, "pay_unit": "chip"}, "bet": {"min": 5}}, 3),
    ],
)
def test_posts_that_ask_nothing_say_what_they_pay(text: str, over: dict[str, Any], paid: int) -> None:
    (reading,) = odds(text, rules(**over))
    assert (reading.paid, reading.value(0), reading.edge, reading.best_bet) == (paid, paid, 0, 0)


def test_0_is_a_pass_the_least_bet_or_the_payment() -> None:
    (passes,) = odds("3S QD")
    (forced,) = odds("3S 4D", rules(bet={"may_pass": False, "min": 5}))
    (takes,) = odds("3S 3D", rules(pair={"rule": "auto_pay_or_trips"}, bet={"may_pass": False, "min": 5}))
    assert (passes.value(0), passes.may_pass) == (0, True)
    assert (forced.value(0), forced.value(5), forced.best_bet) == (Fraction(-56, 10), Fraction(-56, 10), 5)
    assert (takes.value(0), takes.payment, takes.best_bet) == (10, 10, 0)
    assert odds("3S QD", pot=0)[0].best_bet == 0
    assert odds("3S 3D", rules(pair={"rule": "auto_pay_or_trips"}), pot=0)[0].value(0) == 0


@pytest.mark.parametrize("seed", range(60))
def test_the_best_bet_is_the_least_of_those_worth_most(seed: int) -> None:
    rng = random.Random(seed)
    table = rules(
        bet={"min": rng.choice([1, 7]), "may_pass": rng.random() < 0.5},
        pair={"rule": rng.choice(["higher_lower", "trips_bet", "auto_pay_or_trips"]), "post": 3},
        post={"multiplier": rng.choice([1, 2, 3, 9])},
    )
    first, second, *seen = rng.sample(range(52), rng.randint(2, 50))
    if rng.random() < 0.5:
        second = first ^ 1
        seen = [card for card in seen if card != second]
    pot, chips = rng.randint(0, 60), rng.randint(1, 60)
    for o in hand_odds(table, (first, second), seen=seen, pot=pot, chips=chips):
        legal = ([0] if o.may_pass else []) + list(range(o.min_bet, o.max_bet + 1))
        assert o.best_bet == max(legal, key=o.value)
        assert 0 <= o.kelly <= 1
        assert (o.kelly > 0) == (o.edge > 0)


def test_no_share_of_chips_grows_faster_than_kellys() -> None:
    for text, over in (
        ("3S QD", {}),
        ("2S AH", {}),
        ("9S 9D", {}),
        ("9S 9D", {"pair": {"rule": "trips_bet"}}),
    ):
        for o in odds(text, rules(**over)):

            def growth(f: float, o: Odds = o) -> float:
                hit = o.hits * log(1 - o.multiplier * f) if o.hits else 0
                return o.wins * log(1 + o.odds * f) + o.losses * log(1 - f) + hit

            grid = np.arange(0, 0.49, 0.001)
            assert abs(grid[np.argmax([growth(f) for f in grid])] - o.kelly) <= 0.001


def test_a_sure_win_stakes_all() -> None:
    aces = [c.parse_card(text) for text in ("AC", "AH")]
    reading = odds("AS AD", rules(ace={"second": "choose"}), seen=aces)[1]
    assert (reading.losses, reading.hits, reading.kelly) == (0, 0, 1.0)


# ---- the rules card by card, and the engine


def test_counts_are_those_of_the_rules_card_by_card() -> None:
    rng = random.Random(5)
    for _ in range(300):
        table = rules(
            deck={"packs": rng.choice([1, 2, 8])},
            ace={"first": "call", "second": "choose"},
            pair={"rule": rng.choice(["higher_lower", "trips_bet"])},
        )
        pack = [card for card in range(52) for _ in range(table.deck.packs)]
        first, second, *rest = rng.sample(pack, len(pack))
        unseen = rest[rng.randrange(len(rest)) :]
        for o in hand_odds(table, (first, second), seen=rest[: len(rest) - len(unseen)]):
            hand = Hand(
                0, kind="pair" if o.low == o.high else o.kind, low=o.low, high=o.high, call=o.call or ""
            )
            results = [hand.result(card // 4 + 2, o.kind == "trips") for card in unseen]
            assert [results.count(name) for name in ("win", "hit", "loss")] == [o.wins, o.hits, o.losses]


class Asks:
    """Bets at random, and holds every bet's question against the odds of the same hand."""

    def __init__(self, table: TableRules, seats: int, tables: int) -> None:
        self.rng = np.random.default_rng(3)
        self.packs = table.deck.packs
        self.checked = 0
        self.engine = Engine(table, seats, tables, c.SeededDraws(3, 0, tables), self)
        self.engine.play()

    def call_ace(self, question: Question) -> tuple[Any, None]:
        return self.rng.random(len(question.rows)) < 0.5, None

    call_pair = call_ace

    def bet(self, q: Question) -> tuple[c.Ints, None]:
        turns = self._turns(q)
        bet = np.where(self.rng.random(len(q.rows)) < 0.7, self.rng.integers(q.min_bet, q.max_bet + 1), 0)
        values, zeros = turns.value(bet), turns.value(np.zeros_like(bet))
        for i in range(len(q.rows)):
            o = self._odds(q, i)
            assert (o.wins, o.hits, o.losses) == (q.wins[i], q.hits[i], q.losses[i])
            assert (o.min_bet, o.max_bet, o.may_pass) == (q.min_bet[i], q.max_bet[i], turns.may_pass[i])
            assert (o.gap, o.odds, o.multiplier) == (turns.gap[i], turns.odds[i], turns.multiplier[i])
            assert float(o.edge) == pytest.approx(turns.edge[i], abs=1e-12)
            assert float(o.value(int(bet[i]))) == pytest.approx(values[i], abs=1e-9)
            assert float(o.value(0)) == pytest.approx(zeros[i], abs=1e-9)
            self.checked += 1
        return bet, None

    def _odds(self, q: Question, i: int) -> Odds:
        """The odds of this question's reading, from the cards that are not unseen."""
        gone = [card for card in range(52) for k in range(self.packs) if not int(q.unseen[k, i]) >> card & 1]
        ranks = [14 if rank == 1 else rank for rank in (int(q.low[i]), int(q.high[i]))]
        first, second = self._take(gone, ranks[0]), self._take(gone, ranks[1])
        call = {1: "higher", -1: "lower", 0: None}[int(q.call[i])]
        table = self.engine.rules.model_copy(
            update={"ace": self.engine.rules.ace.model_copy(update={"first": "call", "second": "choose"})}
        )
        given = {"pot": int(q.pot[i]), "chips": int(q.chips[i]), "is_first_round": q.round == 1}
        found = hand_odds(table, (first, second), seen=gone, **given)
        return next(o for o in found if (o.low, o.high, o.call) == (q.low[i], q.high[i], call))

    @staticmethod
    def _take(cards: list[int], rank: int) -> int:
        return cards.pop(next(i for i, card in enumerate(cards) if card // 4 + 2 == rank))

    def _turns(self, q: Question) -> Turns:
        names = (
            "low",
            "high",
            "kind",
            "call",
            "pot",
            "chips",
            "min_bet",
            "max_bet",
            "wins",
            "hits",
            "losses",
        )
        columns = {name: getattr(q, name) for name in names}
        nothing = np.zeros(len(q.rows), dtype=np.int64)
        return Turns(
            question=ASK_BET, rules=self.engine.rules, seat=q.seat, round=q.round, row=q.rows, other=nothing, wager=q.wager,
            dealer=nothing, turns_since_shuffle=nothing, stacks=nothing[:, None], packs=q.unseen,
            stream=nothing.astype(np.uint64), **columns,
        )  # fmt: skip


@pytest.mark.parametrize("preset", ["nepali", "article", "denexa", "denexa_house", "bicycle"])
@pytest.mark.parametrize("packs", [1, 3])
def test_the_engine_counts_and_a_turns_edge_and_value_are_those_of_the_odds(preset: str, packs: int) -> None:
    over: dict[str, Any] = {"deck": {"packs": packs}, "end": {"rounds": 8}}
    asks = Asks(table_rules({"preset": preset, **over}), 3, 6)
    assert asks.checked > 30


@pytest.mark.parametrize("first_round_max", ["half_pot", "ante"])
def test_limits_are_the_engines_on_tables_that_cap_and_cover(first_round_max: str) -> None:
    over: dict[str, Any] = {"bet": {"first_round_max": first_round_max, "must_cover_post": True, "min": 3}}
    over |= {"pair": {"rule": "auto_pay_or_trips"}, "consecutive": "bet", "chips": 40}
    assert Asks(table_rules(over), 4, 10).checked > 60
