"""The oracle against the scenarios, and against rulings worked out by hand that no scenario reaches."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest
import yaml
from oracle import RANKS, SUITS, Card, Event, Rules, View, find, play_game, play_scenario, resolve, text

DATA = Path(__file__).parent / "data"
PRESETS: dict[str, Any] = yaml.safe_load((DATA / "presets.yaml").read_text())
SCENARIOS: list[dict[str, Any]] = [
    json.loads(line)
    for name in ("seeds", "random")
    for line in (DATA / f"{name}.jsonl").read_text().splitlines()
]
Replies = Sequence[tuple[str, object]]
POT_BANKED = ["nepali", "article", "denexa", "denexa_house", "bicycle"]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario["id"])
def test_a_scenario_plays_as_written(scenario: dict[str, Any]) -> None:
    rules = resolve(PRESETS, scenario["preset"], scenario.get("overrides"))
    outcome, expected = play_scenario(scenario, rules), scenario["expect"]
    for i, (got, wanted) in enumerate(zip_longest(outcome["events"], expected["events"])):
        assert got == wanted, f"event {i}"
    assert outcome == expected


# ---- helpers for hands worked out below


def play(
    draws: str,
    replies: Replies = (),
    /,
    preset: str = "nepali",
    **given: Any,
) -> tuple[list[Event], dict[str, Any]]:
    """Events and outcome of a scenario: two seats, dealer 0, seat 1 to act on a pot of 20, unless given.

    Rules are given as `end__turns=1`, `bank__="house"`."""
    ours = [key for key in given if "__" in key or key == "consecutive"]
    overrides = {key.replace("__", ".").removesuffix("."): given.pop(key) for key in ours}
    scenario: dict[str, Any] = {
        "chips": [100, 100],
        "pot": 20,
        "dealer": 0,
        "start": "turn",
        "actor": 1,
        "turns": 1,
    }
    scenario |= {"draws": draws.split(), "replies": [{"ask": ask, "reply": reply} for ask, reply in replies]}
    outcome = play_scenario(scenario | given, resolve(PRESETS, preset, overrides))
    return outcome["events"], outcome


def only(events: list[Event], *names: str) -> list[Event]:
    """Those events, in their order, without their names' key."""
    return [
        {key: value for key, value in event.items() if key != "e"} for event in events if event["e"] in names
    ]


def bets(*amounts: object) -> list[tuple[str, object]]:
    return [("bet", amount) for amount in amounts]


# ---- how a game ends


@pytest.mark.parametrize("pot", ["split_live", "split_all"])
def test_a_sole_holder_takes_the_pot_before_any_other_end(pot: str) -> None:
    events, outcome = play("5H 9C 5S", bets(5), chips=[30, 5], end__pot=pot, end__turns=1)
    assert events[-4:] == [
        {"e": "pay", "seat": 1, "delta": -5, "pot": 25},
        {"e": "out", "seat": 1},
        {"e": "end", "reason": "sole_holder"},
        {"e": "share", "seat": 0, "amount": 25},
    ]
    assert (outcome["chips"], outcome["pot"], outcome["next"]) == ([55, 0], 0, None)


def test_antes_that_leave_nobody_a_chip_are_shared_by_those_who_anted() -> None:
    events, outcome = play("", chips=[10, 4, 9, 0], pot=0, start="game", end__pot="split_all")
    assert events == [
        {"e": "ante", "seat": 2, "pay": 9, "pot": 9},
        {"e": "ante", "seat": 1, "pay": 4, "pot": 13},
        {"e": "ante", "seat": 0, "pay": 10, "pot": 23},
        {"e": "end", "reason": "no_chips"},
        {"e": "share", "seat": 2, "amount": 8},
        {"e": "share", "seat": 1, "amount": 8},
        {"e": "share", "seat": 0, "amount": 7},
    ]
    assert (outcome["chips"], outcome["next"]) == ([7, 8, 8, 0], None)


def test_a_reante_that_leaves_nobody_a_chip_is_shared_from_the_seat_after_the_dealer() -> None:
    events, outcome = play("3D QS 9C", bets(1), chips=[2, 3, 4], pot=1, actor=2)
    assert events[-8:] == [
        {"e": "pay", "seat": 2, "delta": 1, "pot": 0},
        {"e": "ante", "seat": 1, "pay": 3, "pot": 3},
        {"e": "ante", "seat": 0, "pay": 2, "pot": 5},
        {"e": "ante", "seat": 2, "pay": 5, "pot": 10},
        {"e": "end", "reason": "no_chips"},
        {"e": "share", "seat": 2, "amount": 4},
        {"e": "share", "seat": 1, "amount": 3},
        {"e": "share", "seat": 0, "amount": 3},
    ]
    assert outcome["chips"] == [3, 3, 4]


@pytest.mark.parametrize(
    ("pot", "direction", "shares"),
    [
        ("split_all", "right", [(2, 7), (1, 7), (0, 6)]),
        ("split_all", "left", [(1, 7), (2, 7), (0, 6)]),
        ("split_live", "right", [(2, 10), (0, 10)]),
    ],
)
def test_the_last_pot_is_split_with_odd_chips_in_order_of_play(
    pot: str, direction: str, shares: list[tuple[int, int]]
) -> None:
    events, _ = play(
        "3D QS", bets(0), chips=[50, 0, 50], actor=2, end__turns=1, end__pot=pot, play__direction=direction
    )
    assert only(events, "end") == [{"reason": "rounds"}]
    assert only(events, "share") == [{"seat": seat, "amount": amount} for seat, amount in shares]


def test_an_empty_pot_is_not_anted_again_after_the_last_turn_of_the_game() -> None:
    events, outcome = play("3D QS 9C", bets(20), end__turns=1)
    assert events[-2:] == [{"e": "pay", "seat": 1, "delta": 20, "pot": 0}, {"e": "end", "reason": "rounds"}]
    assert outcome["chips"] == [100, 120]


def test_a_reante_that_puts_the_last_waiting_seat_out_ends_the_round_and_so_the_last_one() -> None:
    events, outcome = play("3D QS 9C", bets(20), chips=[4, 50, 50], end__rounds=1)
    assert events[-8:] == [
        {"e": "pay", "seat": 1, "delta": 20, "pot": 0},
        {"e": "ante", "seat": 0, "pay": 4, "pot": 4},
        {"e": "ante", "seat": 2, "pay": 10, "pot": 14},
        {"e": "ante", "seat": 1, "pay": 10, "pot": 24},
        {"e": "out", "seat": 0},
        {"e": "end", "reason": "rounds"},
        {"e": "share", "seat": 2, "amount": 12},
        {"e": "share", "seat": 1, "amount": 12},
    ]
    assert (outcome["chips"], outcome["next"]) == ([0, 72, 52], None)


# ---- rounds


def test_a_dealer_put_out_in_mid_round_ends_it_and_the_next_live_seat_deals() -> None:
    events, outcome = play("3D QS 9C", bets(20), chips=[4, 50, 50], next_round=True)
    assert events[-4:] == [
        {"e": "out", "seat": 0},
        {"e": "dealer", "seat": 2},
        {"e": "ante", "seat": 1, "pay": 10, "pot": 34},
        {"e": "ante", "seat": 2, "pay": 10, "pot": 44},
    ]
    assert (outcome["chips"], outcome["pot"], outcome["next"]) == ([0, 50, 30], 44, 1)


def test_the_deal_passes_over_seats_that_are_out_also_where_it_does_not_move_by_itself() -> None:
    given: dict[str, Any] = {
        "chips": [5, 50, 0, 50],
        "actor": 0,
        "next_round": True,
        "ante__each_round": False,
    }
    events, outcome = play("5H 9C 5S", bets(5), **given, play__dealer_moves="never")
    assert events[-2:] == [{"e": "out", "seat": 0}, {"e": "dealer", "seat": 3}]
    assert outcome["next"] == 1
    events, outcome = play("5H 9C", bets(0), **given, play__dealer_moves="never")
    assert events[-1] == {"e": "pass", "seat": 0}
    assert outcome["next"] == 3


def test_a_pot_emptied_on_the_last_turn_of_a_round_is_anted_twice() -> None:
    events, outcome = play("3D QS 9C", bets(20), actor=0, next_round=True)
    assert events[-5:] == [
        {"e": "ante", "seat": 1, "pay": 10, "pot": 10},
        {"e": "ante", "seat": 0, "pay": 10, "pot": 20},
        {"e": "dealer", "seat": 1},
        {"e": "ante", "seat": 0, "pay": 10, "pot": 30},
        {"e": "ante", "seat": 1, "pay": 10, "pot": 40},
    ]
    assert (outcome["chips"], outcome["next"]) == ([100, 80], 0)


def test_a_new_round_shuffles_then_moves_the_deal_then_antes() -> None:
    events, outcome = play("3D QS", bets(0), actor=0, next_round=True, deck__shuffle="dealer_turn")
    assert [event["e"] for event in events[-5:]] == ["pass", "shuffle", "dealer", "ante", "ante"]
    assert outcome["stock"] == 52


# ---- limits


@pytest.mark.parametrize(("pot", "least", "most"), [(8, 5, 5), (3, 3, 3), (13, 5, 6)])
def test_half_the_pot_is_its_whole_part_but_at_least_the_least_bet(pot: int, least: int, most: int) -> None:
    events, _ = play("3D QS", bets(0), preset="article", pot=pot, bet__min=5)
    assert only(events, "ask") == [
        {"seat": 1, "min": least, "max": most, "wins": 32, "hits": 6, "losses": 12}
    ]


@pytest.mark.parametrize(
    ("draws", "chips", "most"),
    [("3D QS", 9, 4), ("3D QS", 200, 20), ("2D 2S", 9, 3), ("3D 4S", 9, 4)],
)
def test_what_a_post_would_cost_must_be_in_hand(draws: str, chips: int, most: int) -> None:
    rules: dict[str, Any] = {"bet__must_cover_post": True, "pair__post": 3, "consecutive": "bet"}
    events, _ = play(draws, bets(0), chips=[100, chips], **rules)
    assert only(events, "ask")[0]["max"] == most


def test_a_player_who_cannot_cover_any_bet_is_skipped_after_the_call() -> None:
    given: dict[str, Any] = {"chips": [100, 1], "bet__must_cover_post": True}
    assert play("3D QS", **given)[0][1:] == [{"e": "skip", "seat": 1}]
    assert play("2D 2S", **given)[0][1:] == [
        {"e": "call", "seat": 1, "call": "higher"},
        {"e": "skip", "seat": 1},
    ]


def test_a_bet_on_trips_needs_no_cover() -> None:
    events, _ = play("9D 9S", bets(0), chips=[100, 7], bet__must_cover_post=True, pair__rule="trips_bet")
    assert only(events, "ask") == [{"seat": 1, "min": 1, "max": 7, "wins": 2, "hits": 0, "losses": 48}]


def test_a_pot_below_the_least_bet_is_the_least_bet() -> None:
    events, outcome = play("3D QS 2C", bets(0), preset="denexa", pot=3)
    assert events[1:] == [
        {"e": "ask", "seat": 1, "min": 3, "max": 3, "wins": 32, "hits": 6, "losses": 12},
        {"e": "third", "seat": 1, "card": "2C", "result": "loss"},
        {"e": "pay", "seat": 1, "delta": -3, "pot": 6},
    ]
    assert outcome["chips"] == [100, 97]


@pytest.mark.parametrize("reply", [True, 1.0, "1", None, -1, 21])
def test_a_bet_is_a_whole_number_by_type_within_the_limits_or_a_pass(reply: object) -> None:
    events, _ = play("3D QS", bets(reply))
    assert events[2:] == [{"e": "illegal", "seat": 1}, {"e": "pass", "seat": 1}]


# ---- pairs and aces

TRIPS = {"preset": "denexa", "pair__rule": "auto_pay_or_trips"}
TRIPS_ASK = {"e": "ask", "seat": 1, "min": 5, "max": 20, "wins": 2, "hits": 0, "losses": 48}


def test_betting_0_takes_the_payment_where_a_pair_is_paid_or_bet_on() -> None:
    for may_pass in (False, True):
        events, outcome = play("QC QD", bets(0), **TRIPS, bet__may_pass=may_pass)
        assert events[1:] == [TRIPS_ASK, {"e": "pay", "seat": 1, "delta": 10, "pot": 10}]
        assert outcome["stock"] == 50


@pytest.mark.parametrize("reply", [4, 21, -5, 5.0, True, "5", None])
def test_an_illegal_answer_takes_the_payment_where_a_pair_is_paid_or_bet_on(reply: object) -> None:
    events, _ = play("QC QD", bets(reply), **TRIPS)
    assert events[1:] == [
        TRIPS_ASK,
        {"e": "illegal", "seat": 1},
        {"e": "pay", "seat": 1, "delta": 10, "pot": 10},
    ]


def test_trips_win_the_odds_but_no_more_than_the_pot() -> None:
    events, _ = play("QC QD QS", bets(5), **TRIPS)
    assert events[3] == {"e": "pay", "seat": 1, "delta": 20, "pot": 0}
    events, _ = play("QC QD KS", bets(5), **TRIPS)
    assert events[2:] == [
        {"e": "third", "seat": 1, "card": "KS", "result": "loss"},
        {"e": "pay", "seat": 1, "delta": -5, "pot": 25},
    ]


def test_two_low_aces_are_a_pair_that_can_only_be_called_higher() -> None:
    events, outcome = play("AC AD AS", [("ace", "low"), ("ace", "low"), *bets(10)], ace__second="choose")
    assert events == [
        {"e": "ace", "seat": 1, "call": "low"},
        {"e": "ace", "seat": 1, "call": "low"},
        {"e": "posts", "seat": 1, "cards": ["AC", "AD"], "kind": "pair", "low": 1, "high": 1, "gap": 0},
        {"e": "call", "seat": 1, "call": "higher"},
        {"e": "ask", "seat": 1, "min": 1, "max": 20, "wins": 48, "hits": 2, "losses": 0},
        {"e": "third", "seat": 1, "card": "AS", "result": "hit"},
        {"e": "pay", "seat": 1, "delta": -20, "pot": 40},
    ]
    assert outcome["chips"] == [100, 80]


def test_two_aces_are_a_pair_before_either_may_choose() -> None:
    events, _ = play("AC AD", preset="denexa")
    assert events == [
        {"e": "posts", "seat": 1, "cards": ["AC", "AD"], "kind": "pair", "low": 14, "high": 14, "gap": 0},
        {"e": "pay", "seat": 1, "delta": 10, "pot": 10},
    ]


def test_an_ace_called_low_and_one_called_high_are_no_pair() -> None:
    events, _ = play("AC AD", [("ace", "low"), ("ace", "high"), *bets(0)], ace__second="choose")
    assert only(events, "posts")[0] | only(events, "ask")[0] == {
        **{"seat": 1, "cards": ["AC", "AD"], "kind": "gap", "low": 1, "high": 14, "gap": 12},
        **{"min": 1, "max": 20, "wins": 48, "hits": 2, "losses": 0},
    }


def test_a_second_ace_may_be_chosen_low_and_an_illegal_call_is_low() -> None:
    events, _ = play("9C AD", [("ace", "middling"), *bets(0)], preset="denexa", bet__may_pass=True)
    assert events[:3] == [
        {"e": "illegal", "seat": 1},
        {"e": "ace", "seat": 1, "call": "low"},
        {"e": "posts", "seat": 1, "cards": ["9C", "AD"], "kind": "gap", "low": 1, "high": 9, "gap": 7},
    ]


def test_a_third_ace_hits_a_low_ace_and_is_otherwise_high() -> None:
    events, _ = play("AC 9D AS", [("ace", "low"), *bets(1)])
    assert only(events, "third")[0]["result"] == "hit"
    events, _ = play("3C 9D AS", bets(1))
    assert only(events, "third")[0]["result"] == "loss"
    events, _ = play("9C 9D AS", [("pair", "higher"), *bets(1)])
    assert only(events, "third")[0]["result"] == "win"


@pytest.mark.parametrize(("draws", "call"), [("8C 8D", "higher"), ("9C 9D", "lower"), ("7C 7D", "higher")])
def test_the_default_call_is_the_side_with_more_unseen_cards_and_higher_on_a_tie(
    draws: str, call: str
) -> None:
    events, _ = play(draws, [("pair", 1), *bets(0)])
    assert events[1:3] == [{"e": "illegal", "seat": 1}, {"e": "call", "seat": 1, "call": call}]


def test_pass_skips_the_turn() -> None:
    assert play("8C 9D")[0][1:] == [{"e": "skip", "seat": 1}]
    assert play("8C 8D", pair__rule="pass")[0][1:] == [{"e": "skip", "seat": 1}]


# ---- cards

PACK = [rank + suit for rank in RANKS for suit in SUITS]


def test_the_pack_runs_out_between_the_posts_and_the_first_post_stays_on_the_table() -> None:
    seen = [card for card in PACK if card != "6C"]
    events, outcome = play("6C QD", bets(0), seen=seen)
    assert events[0] == {"e": "shuffle", "stock": 51}
    assert only(events, "ask") == [{"seat": 1, "min": 1, "max": 20, "wins": 20, "hits": 6, "losses": 24}]
    assert outcome["stock"] == 50


def test_the_pack_runs_out_before_a_turn_and_the_last_turns_cards_go_back_too() -> None:
    seen = [card for card in PACK if card not in ("6C", "QD", "7S")]
    events, outcome = play("6C QD 7S QD 6C", bets(1, 0), seen=seen, turns=2)
    assert [event["e"] for event in events] == [
        "posts",
        "ask",
        "third",
        "pay",
        "shuffle",
        "posts",
        "ask",
        "pass",
    ]
    assert (events[1]["wins"], events[1]["hits"], events[1]["losses"]) == (1, 0, 0)
    assert (events[4]["stock"], outcome["stock"]) == (52, 50)


def test_a_pair_is_called_before_the_empty_pack_is_shuffled() -> None:
    seen = [card for card in PACK if card not in ("9C", "9D")]
    events, _ = play("9C 9D", [("pair", None), *bets(0)], seen=seen)
    assert [event["e"] for event in events] == ["posts", "illegal", "call", "shuffle", "ask", "pass"]
    assert events[2]["call"] == "higher"  # 0 against 0
    assert (events[4]["wins"], events[4]["hits"], events[4]["losses"]) == (20, 2, 28)


def test_two_packs_have_every_card_twice() -> None:
    events, outcome = play("3D QS 3D", bets(1), deck__packs=2)
    assert events[1:3] == [
        {"e": "ask", "seat": 1, "min": 1, "max": 20, "wins": 64, "hits": 14, "losses": 24},
        {"e": "third", "seat": 1, "card": "3D", "result": "hit"},
    ]
    assert outcome["stock"] == 101


def test_a_draw_is_told_its_round_its_place_over_all_seats_and_which_card_it_is() -> None:
    asked: list[tuple[int, int, int]] = []
    cards = iter(["3D", "QS", "9C", "7S", "8D", "4H", "4C", "5H", "6D"])

    def draw(round: int, place: int, which: int, unseen: list[Card]) -> Card:
        asked.append((round, place, which))
        return find(next(cards), unseen)

    rules = resolve(PRESETS, "nepali", {"pair.rule": "pass"})
    play_game(rules, 4, [50, 50, 50, 0], 0, draw, lambda kind, seat, view: 1, max_turns=4)
    # Round 2 is dealt by seat 2: seat 3, after seat 0, is empty.
    assert asked == [
        (1, 1, 0),
        (1, 1, 1),
        (1, 1, 2),
        (1, 2, 0),
        (1, 2, 1),
        (1, 3, 0),
        (1, 3, 1),
        (2, 0, 0),
        (2, 0, 1),
    ]


# ---- a house, and a dealer who is the bank


def wagered(wager: object, *raises: object) -> list[tuple[str, object]]:
    return [("wager", wager), *bets(*raises)]


@pytest.mark.parametrize(
    ("draws", "kind", "won"),
    [
        ("5S 7D 6C", 1, 50),
        ("5S 8D 6C", 2, 40),
        ("5S 9D 6C", 3, 20),
        ("5S 10D 6C", 4, 10),
        ("2S AD 6C", 11, 10),
        ("5S 9D 9C", 3, -10),
        ("5S 9D AC", 3, -10),
    ],
)
def test_a_house_pays_by_gap_and_takes_all_else(draws: str, kind: int, won: int) -> None:
    events, outcome = play(draws, wagered(10, 0), preset="red_dog", pot=0)
    assert only(events, "posts")[0]["gap"] == kind
    assert events[-1] == {"e": "pay", "seat": 1, "delta": won, "pot": 0}
    assert (outcome["chips"], outcome["pot"]) == ([100, 100 + won], 0)
    assert only(events, "pass") == [{"seat": 1}]


def test_a_raise_is_paid_with_the_wager_and_goes_no_higher_than_it() -> None:
    events, outcome = play("3S QD 9C", wagered(10, 10), preset="red_dog", pot=0)
    assert only(events, "ask") == [{"seat": 1, "min": 1, "max": 10, "wins": 32, "hits": 6, "losses": 12}]
    assert outcome["chips"] == [100, 120]
    events, outcome = play("3S QD KC", wagered(10, 11), preset="red_dog", pot=0)
    assert [event["e"] for event in events] == [
        "shuffle",
        "wager",
        "posts",
        "ask",
        "illegal",
        "pass",
        "third",
        "pay",
    ]
    assert outcome["chips"] == [100, 90]


@pytest.mark.parametrize(("wager", "most"), [(100, None), (60, 40), (50, 50)])
def test_a_raise_needs_chips_beyond_the_wager(wager: int, most: int | None) -> None:
    events, _ = play("3S QD 9C", wagered(wager, *([0] if most else [])), preset="red_dog", pot=0)
    assert [event["max"] for event in only(events, "ask")] == ([most] if most else [])
    assert events[-1]["delta"] == wager


def test_neighbours_and_a_pair_without_a_third_of_its_rank_push() -> None:
    events, outcome = play("3S 4D", wagered(10), preset="red_dog", pot=0)
    assert (events[-1], outcome["chips"]) == ({"e": "skip", "seat": 1}, [100, 100])
    events, outcome = play("AS 2D 7C", wagered(10, 0), preset="red_dog", pot=0)
    assert only(events, "posts")[0]["gap"] == 11, "an ace is high"
    events, outcome = play("9S 9D 7C", wagered(10), preset="red_dog", pot=0)
    assert events[-1] == {"e": "third", "seat": 1, "card": "7C", "result": "push"}
    assert outcome["chips"] == [100, 100]
    events, outcome = play("9S 9D 9C", wagered(10), preset="red_dog", pot=0)
    assert events[-2:] == [
        {"e": "third", "seat": 1, "card": "9C", "result": "win"},
        {"e": "pay", "seat": 1, "delta": 110, "pot": 0},
    ]


@pytest.mark.parametrize("wager", [0, 4, 101, -1, None, 10.0])
def test_no_wager_or_an_illegal_one_is_the_least(wager: object) -> None:
    events, outcome = play("5S 9D AC", wagered(wager, 0), preset="red_dog", pot=0, bet__min=5)
    assert only(events, "illegal") == ([] if wager == 0 else [{"seat": 1}])
    assert outcome["chips"] == [100, 95]


def test_a_pack_that_is_spent_is_shuffled_before_the_wager_and_before_the_third_card() -> None:
    seen = [card for card in PACK if card not in ("5S", "9D")]
    events, outcome = play(
        "5S 9D 6C", wagered(10, 0), preset="red_dog", pot=0, deck__shuffle="exhausted", seen=seen
    )
    assert [event["e"] for event in events] == ["wager", "posts", "shuffle", "ask", "pass", "third", "pay"]
    assert outcome["stock"] == 49
    events, outcome = play(
        "5S 9D 6C", wagered(10, 0), preset="red_dog", pot=0, deck__shuffle="exhausted", seen=PACK
    )
    assert [event["e"] for event in events][:3] == ["shuffle", "wager", "posts"]
    pair = [card for card in PACK if card not in ("9S", "9D")]
    events, _ = play("9S 9D 9C", wagered(10), preset="red_dog", pot=0, deck__shuffle="exhausted", seen=pair)
    assert [event["e"] for event in events] == ["wager", "posts", "shuffle", "third", "pay"]


def test_a_houses_game_is_over_when_one_player_is_left() -> None:
    events, outcome = play("5S 9D AC", wagered(10), preset="red_dog", pot=0, chips=[50, 10])
    assert events[-2:] == [{"e": "out", "seat": 1}, {"e": "end", "reason": "sole_holder"}]
    assert (outcome["chips"], outcome["next"]) == ([50, 0], None)


def banked(draws: str, replies: Replies = (), /, **given: Any) -> tuple[list[Event], dict[str, Any]]:
    """A hand at the Nepali table with a dealer who covers every bet: seat 0 deals, seat 2 is on his right."""
    scenario = {"chips": [30, 100, 100], "actor": 2, "pot": 0} | given
    return play(draws, replies, bank__="dealer", **scenario)


def test_a_dealer_covers_bets_with_what_he_has_and_takes_what_is_lost() -> None:
    events, outcome = banked("3D QS 9C", bets(30))
    assert only(events, "ask") == [{"seat": 2, "min": 1, "max": 30, "wins": 32, "hits": 6, "losses": 12}]
    events, outcome = banked("3D QS QC", bets(20))
    assert events[-1] == {"e": "pay", "seat": 2, "delta": -40, "pot": 0}
    assert (outcome["chips"], outcome["next"]) == ([70, 100, 60], 1)


def test_a_dealer_takes_no_turn_and_the_deal_moves_whatever_the_key_says() -> None:
    for moves in ("each_round", "never"):
        given: dict[str, Any] = {"actor": 1, "next_round": True, "play__dealer_moves": moves}
        events, outcome = banked("3D QS", bets(0), **given)
        assert events[-1] == {"e": "dealer", "seat": 2}
        assert (outcome["next"], outcome["chips"]) == (1, [30, 100, 100])


def test_a_dealer_whose_chips_are_gone_is_out_and_his_round_is_over() -> None:
    events, outcome = banked("3D QS 9C", bets(30), next_round=True)
    assert events[-3:] == [
        {"e": "pay", "seat": 2, "delta": 30, "pot": 0},
        {"e": "out", "seat": 0},
        {"e": "dealer", "seat": 2},
    ]
    assert (outcome["chips"], outcome["next"]) == ([0, 100, 130], 1)
    events, outcome = banked("3D QS 9C", bets(30), end__rounds=1)
    assert events[-1] == {"e": "end", "reason": "rounds"}
    events, outcome = banked("3D QS 9C", bets(30), chips=[30, 0, 100])
    assert events[-1] == {"e": "end", "reason": "sole_holder"}


def test_where_the_dealer_is_the_bank_nobody_antes_and_an_empty_seat_does_not_deal() -> None:
    events, outcome = banked("", start="game", turns=0, actor=None)
    assert (events, outcome["next"], outcome["chips"]) == ([], 2, [30, 100, 100])
    events, outcome = banked("", start="game", turns=0, actor=None, chips=[0, 100, 100])
    assert (events, outcome["next"]) == ([{"e": "dealer", "seat": 2}], 1)


def test_a_dealers_chips_limit_and_pay_as_a_pot_would() -> None:
    events, _ = banked("3D QS", bets(0), bet__first_round_max="half_pot", chips=[31, 100, 100])
    assert only(events, "ask")[0]["max"] == 15
    events, outcome = banked("9D 9S", pair__rule="auto_pay", pair__pay=50)
    assert events[-2:] == [{"e": "pay", "seat": 2, "delta": 30, "pot": 0}, {"e": "out", "seat": 0}]
    events, outcome = banked("9D 9S 9C", bets(20), pair__rule="trips_bet")
    assert outcome["chips"] == [0, 100, 130]
    events, outcome = banked("9D 10S", consecutive="pay_min", bet__min=3)
    assert outcome["chips"] == [33, 100, 97]


# ---- random play


def random_rules(rng: random.Random) -> Rules:
    """Any preset with a third of the options laid over it at random."""
    choices: dict[str, list[object]] = {
        "deck.packs": [1, 2],
        "deck.shuffle": ["exhausted", "dealer_turn", "each_turn"],
        "play.direction": ["left", "right"],
        "play.dealer_moves": ["each_round", "never"],
        "ante.amount": [1, 5, 20],
        "ante.each_round": [True, False],
        "ante.when_empty": [True, False],
        "bet.min": [1, 2, 5],
        "bet.first_round_max": ["pot", "half_pot", "ante"],
        "bet.may_pass": [True, False],
        "bet.must_cover_post": [True, False],
        "ace.first": ["call", "choose", "high"],
        "ace.second": ["high", "choose"],
        "consecutive": ["pass", "bet", "pay_min"],
        "pair.rule": ["higher_lower", "auto_pay", "trips_bet", "auto_pay_or_trips", "pass"],
        "pair.post": [1, 2, 3],
        "post.multiplier": [1, 2, 3],
        "end.turns": [30, 200],
        "end.pot_taken": [True, False],
        "end.pot": ["split_live", "split_all"],
    }
    overrides = {key: rng.choice(values) for key, values in choices.items() if rng.random() < 1 / 3}
    return resolve(PRESETS, rng.choice(POT_BANKED), overrides)


def check_events(events: list[Event], chips: list[int]) -> list[int]:
    """Chips after the events, which must neither make nor lose chips, nor leave anything below 0."""
    chips, pot = list(chips), 0
    for event in events:
        moved = {"ante": -event.get("pay", 0), "pay": event.get("delta", 0), "share": event.get("amount", 0)}
        if event["e"] in moved:
            chips[event["seat"]] += moved[event["e"]]
            pot -= moved[event["e"]]
            assert pot == event.get("pot", pot)
            assert min(pot, *chips) >= 0
    return chips


@pytest.mark.parametrize("seed", range(300))
def test_chips_are_conserved_and_nobody_without_any_plays(seed: int) -> None:
    rng = random.Random(seed)
    seats = rng.randint(2, 8)
    rules, chips = random_rules(rng), [rng.choice([3, 40, 100]) for _ in range(seats)]
    views: list[View] = []

    def ask(kind: str, seat: int, view: View) -> object:
        views.append(view)
        if kind != "bet":
            return rng.choice(["low", "high", "higher", "lower", None])
        return rng.choice([0, view["min"], view["max"], rng.randint(view["min"], view["max"]), -1, True, 2.5])

    outcome = play_game(rules, seats, chips, 0, lambda *place: rng.choice(place[-1]), ask)
    assert check_events(outcome["events"], chips) == outcome["chips"]
    assert (sum(outcome["chips"]), outcome["pot"], outcome["next"]) == (sum(chips), 0, None)
    assert [event["e"] for event in outcome["events"]].count("end") == 1
    assert all(view["chips"] > 0 and sum(view["stacks"]) + view["pot"] == sum(chips) for view in views)


def test_a_card_is_written_as_in_the_scenarios() -> None:
    assert [text((10, 2, 0)), text((14, 3, 1)), text((2, 0, 0))] == ["10H", "AS", "2C"]
