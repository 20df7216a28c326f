"""What a call or a wager is worth before the cards are known: against enumeration, and what players say of aces."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import playing
import pytest

from arena.bot.api import Bot, VectorBot
from arena.bot.turns import ACE_1, ACE_2, PAIR, WAGER, Kind, Turns, scalar_turns
from arena.game.cards import parse_card
from arena.game.odds import Odds, hand_odds
from arena.game.rules import TableRules

ACE = 14
PACK = list(range(52))


def turns(table: TableRules, question: int, unseen: Sequence[Sequence[int]], **given: Any) -> Turns:
    """A question to one table for each list of unseen cards (one pack): 1000 chips, a pot of 100, round 1."""
    n = len(unseen)
    columns: dict[str, Any] = dict.fromkeys(
        (
            "low",
            "high",
            "kind",
            "call",
            "min_bet",
            "max_bet",
            "wins",
            "hits",
            "losses",
            "other",
            "wager",
            "dealer",
        ),
        0,
    )
    columns |= {"turns_since_shuffle": 0, "pot": 100, "chips": 1000} | given
    arrays = {name: np.full(n, value, dtype=np.int64) for name, value in columns.items()}
    masks = np.array([[sum(1 << card for card in cards) for cards in unseen]], dtype=np.uint64)
    return Turns(
        question=question, rules=table, seat=0, round=1, row=np.arange(n), stacks=np.full((n, 2), 1000), packs=masks,
        stream=np.zeros(n, dtype=np.uint64), **arrays,
    )  # fmt: skip


def of(turns: Turns, call: Any) -> list[float]:
    """The value of a call by the vectorised way, which must be the scalar one's."""
    values = turns.value_of(call).tolist()
    assert [turn.value_of(call) for turn in scalar_turns(turns)] == values
    return values


def fresh(*gone: str) -> list[int]:
    return [card for card in PACK if card not in {parse_card(text) for text in gone}]


# ---- by enumeration, from ``arena odds`` of every hand


def best(readings: list[Odds]) -> Fraction:
    return max(o.value(o.best_bet) for o in readings)


def enumerated(table: TableRules, ace: int, unseen: list[int], low: int, pot: int, chips: int) -> Fraction:
    """The expectation over the second post of the best bet, the first post being ``ace`` and called 1 or 14 (``low``)."""
    total = Fraction(0)
    deck = unseen or [card for card in PACK if card != ace]
    for second in deck:
        seen = [card for card in PACK if card not in deck and card != ace]
        found = hand_odds(table, (ace, second), seen=seen, pot=pot, chips=chips, is_first_round=True)
        rank = second // 4 + 2
        named = [
            o for o in found if low in (o.low, o.high) and (o.low, o.high) != tuple(sorted((15 - low, rank)))
        ]
        total += best(named) / len(deck)
    return total


CASES = [
    (preset, seed)
    for preset in ("nepali", "article", "dealer", "choose", "trips", "cover")
    for seed in range(12)
]


def table_of(name: str) -> TableRules:
    if name == "choose":
        return playing.rules("article", ace__second="choose", pair__post=1, bet__may_pass=False, bet__min=3)
    if name == "trips":
        return playing.rules("nepali", pair__rule="auto_pay_or_trips", consecutive="pay_min", bet__min=4)
    if name == "cover":
        return playing.rules(
            "nepali", pair__rule="auto_pay", bet__must_cover_post=True, bet__first_round_max="ante"
        )
    return playing.rules(name)


@pytest.mark.parametrize(("name", "seed"), CASES)
def test_an_ace_is_worth_what_every_second_post_makes_of_it(name: str, seed: int) -> None:
    table, chance = table_of(name), random.Random(seed)
    ace = parse_card("AS")
    others = [card for card in PACK if card != ace]
    decks = [others, [], *(chance.sample(others, chance.choice([1, 2, 3, 7, 20, 40])) for _ in range(3))]
    pot, chips = chance.choice([1, 7, 20, 500]), chance.choice([1, 2, 9, 60, 1000])
    asked = turns(table, ACE_1, decks, pot=pot, chips=chips)
    for call, low in (("low", 1), ("high", 14)):
        expected = [float(enumerated(table, ace, deck, low, pot, chips)) for deck in decks]
        assert of(asked, call) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_an_ace_beside_a_known_post_and_a_pair_are_worth_their_best_bet(seed: int) -> None:
    chance = random.Random(seed)
    denexa = playing.rules("denexa", bet__may_pass=True)
    ace, nine = parse_card("AS"), parse_card("9D")
    rest = [card for card in PACK if card not in (ace, nine)]
    deck = chance.sample(rest, chance.choice([1, 10, 50]))
    seen = [card for card in rest if card not in deck]
    for question, posts in ((ACE_1, (ace, nine)), (ACE_2, (nine, ace))):
        by_low = {o.low: o for o in hand_odds(denexa, posts, seen=seen, pot=60, chips=200)}
        asked = turns(denexa, question, [deck], other=9, pot=60, chips=200)
        for call, low in (("low", 1), ("high", 9)):
            assert of(asked, call) == pytest.approx([float(best([by_low[low]]))], abs=1e-9)
    nepali, sevens = playing.rules(), (parse_card("7S"), parse_card("7D"))
    rest = [card for card in PACK if card not in sevens]
    deck = chance.sample(rest, chance.choice([1, 10, 50]))
    seen = [card for card in rest if card not in deck]
    by_call = {o.call: o for o in hand_odds(nepali, sevens, seen=seen, pot=60, chips=200)}
    asked = turns(nepali, PAIR, [deck], low=7, high=7, kind=Kind.PAIR, pot=60, chips=200)
    for call in ("higher", "lower"):
        assert of(asked, call) == pytest.approx([float(best([by_call[call]]))], abs=1e-9)


# ---- what players say


def test_a_low_ace_and_a_high_ace_make_the_widest_gap_so_low_is_the_call_on_a_fresh_pack() -> None:
    """By hand, a fresh pack at double post payments, a pot of 100: the edges of reference_values.md by gap, times 100.

    Called low, a second post of rank r (2 … K, four of each) has gap r − 2, and three aces have gap 12, +.88 a chip: bet
    from gap 8 on, .16 + .32 + .48 + .64 of ranks 10 … K. Called high, rank r has gap 13 − r: bet on ranks 2 … 5, .64 …
    .16; and three aces make a pair that is called lower, 48 of 50 winning: (48 − 2 · 2)/50.
    """
    asked = turns(playing.rules(), ACE_1, [fresh("AS")])
    gaps = 4 * (0.16 + 0.32 + 0.48 + 0.64)
    low, high = of(asked, "low"), of(asked, "high")
    assert low == pytest.approx([100 * (gaps + 3 * 0.88) / 51])
    assert high == pytest.approx([100 * (gaps + 3 * 0.88) / 51]), "a pair of aces called lower wins as often"
    # so at this table either call is as good; where a pair's post costs three bets low is better, by those aces
    dear = turns(playing.rules(pair__post=3), ACE_1, [fresh("AS")])
    assert of(dear, "low")[0] - of(dear, "high")[0] == pytest.approx(100 * 3 * (0.88 - 0.84) / 51)
    # and where nearly all that is left is of one rank, the call keeps clear of hitting it: it follows the unseen cards
    kings, twos = (
        [parse_card(text) for text in texts.split()] for texts in ("2S 3S KS KH KD KC", "2S 2H 2D 2C QS KS")
    )
    high_is_better = turns(playing.rules(), ACE_1, [kings, twos])
    low, high = of(high_is_better, "low"), of(high_is_better, "high")
    assert high[0] > low[0]
    assert low[1] > high[1]


def test_a_word_that_is_no_call_here_is_an_error() -> None:
    asked = turns(playing.rules(), ACE_1, [fresh("AS")])
    with pytest.raises(ValueError, match="'higher' is no call that is asked for here"):
        asked.value_of("higher")
    with pytest.raises(ValueError, match="no call"):
        next(iter(scalar_turns(turns(playing.rules(), WAGER, [fresh()])))).value_of("low")


def test_rows_are_worth_the_same_alone_and_together() -> None:
    chance = random.Random(3)
    decks = [chance.sample(fresh("AS"), chance.randint(1, 51)) for _ in range(600)]
    together = of(turns(playing.rules(), ACE_1, decks), "low")
    for at in (0, 255, 256, 599):
        assert of(turns(playing.rules(), ACE_1, [decks[at]]), "low") == [together[at]]


CALLERS = """
class Asks(Bot):
    def bet(self, turn):
        return turn.max_bet if turn.edge > 0 else 0
    def call_ace(self, turn):
        return "high" if turn.value_of("high") > turn.value_of("low") else "low"
    def call_pair(self, turn):
        return "higher" if turn.value_of("higher") >= turn.value_of("lower") else "lower"
"""
WIDE_CALLERS = """
class Wide(VectorBot):
    def bet(self, turns):
        return np.where(turns.edge > 0, turns.max_bet, 0)
    def call_ace(self, turns):
        return turns.value_of("high") > turns.value_of("low")
    def call_pair(self, turns):
        return turns.value_of("higher") >= turns.value_of("lower")
"""


def test_both_ways_of_asking_play_the_same_game() -> None:
    scalar = playing.play([playing.code(CALLERS), playing.code(playing.GAP8)], deals=300)
    vector = playing.play([playing.code(WIDE_CALLERS), playing.code(playing.GAP8)], deals=300)
    assert not scalar.fault_log.size
    assert (scalar.chips == vector.chips).all()
    assert set(np.unique(scalar.calls & 3).tolist()) == {0, 1, 2}, "aces were called both ways"
    for base, text in ((Bot, CALLERS), (VectorBot, WIDE_CALLERS)):
        assert f"({base.__name__})" in text


# ---- wagers


def test_a_wagers_edge_is_that_of_every_hand_to_come() -> None:
    table, chance = playing.rules("red_dog", deck__shuffle="exhausted"), random.Random(1)
    decks = [PACK, *(chance.sample(PACK, n) for n in (3, 5, 12, 30, 1, 2))]
    asked = turns(table, WAGER, decks, kind=Kind.WAGER, min_bet=1, max_bet=1000, pot=10**12)
    expected = [float(wager_by_hand(table, deck)) for deck in decks]
    assert asked.edge.tolist() == pytest.approx(expected, abs=1e-12)
    assert asked.edge[0] == pytest.approx(-523 / 16575)
    assert asked.value(10).tolist() == pytest.approx([10 * edge for edge in expected])
    assert [turn.value(10) for turn in scalar_turns(asked)] == asked.value(10).tolist()


def wager_by_hand(table: TableRules, deck: list[int]) -> Fraction:
    """The expectation of a chip wagered over every order of two posts, a raise where ``arena odds`` says it pays."""
    total = Fraction(0)
    for first in deck:
        seconds = [card for card in deck if card != first] or [card for card in PACK if card != first]
        for second in seconds:
            seen = [card for card in PACK if card not in deck and card not in (first, second)]
            if len(deck) == 1:
                seen = []
            (hand,) = hand_odds(table, (first, second), seen=seen, wager=1)
            total += hand.value(hand.best_bet) / len(deck) / len(seconds)
    return total
