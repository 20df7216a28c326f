"""A game told again is the game that was played: cards, counts, worths and chips, told apart from the engine by hand."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from itertools import pairwise
from typing import Any

import playing
import pytest

from arena.errors import ArenaError
from arena.game.rules import TableRules, preset_names
from arena.tournament.game_steps import game_steps

RANKS = {"A": 14, "K": 13, "Q": 12, "J": 11} | {str(n): n for n in range(2, 11)}
DECK = {rank + suit for rank in RANKS for suit in "CDHS"}
WILD = """
class Wild(Bot):
    def bet(self, turn):
        if turn.uniform() < 0.05:
            return turn.max_bet + 1
        return round(turn.uniform() * turn.max_bet)
    def wager(self, turn):
        return -1 if turn.uniform() < 0.05 else round(turn.uniform() * min(turn.max_bet, 40))
    def call_ace(self, turn):
        return "low" if turn.uniform() < 0.6 else "high"
    def call_pair(self, turn):
        return "neither" if turn.uniform() < 0.1 else "lower"
"""
BOLD = """
class Bold(Bot):
    def bet(self, turn):
        return turn.max_bet
    def wager(self, turn):
        return min(turn.max_bet, 12)
"""
TABLES = [
    *(
        (name, playing.rules(name, **({"end__rounds": 12} if name == "red_dog" else {})))
        for name in preset_names()
    ),
    ("small stacks", playing.rules(chips=60, end__rounds=15)),
    ("no passing", playing.rules(bet__may_pass=False, consecutive="bet", bet__min=3)),
    ("trips", playing.rules("article", chips=80)),
    ("house", playing.rules(bank="house", chips=200)),
    ("wagers to the dealer", playing.rules("red_dog", bank="dealer", chips=60, end__rounds=5)),
    ("payouts", playing.rules(bank="dealer", payouts={1: 5, 2: 4, 3: 2, 4: 1}, chips=300)),
]
GAMES = [pytest.param(rules, id=name) for name, rules in TABLES]


def rank(card: str) -> int:
    return RANKS[card[:-1]]


Told = list[tuple[Any, dict[str, Any]]]
_TOLD: dict[tuple[str, int, int], Told] = {}  # what tests share: none of them changes a game


def told(rules: TableRules, deals: int = 6, seats: int = 2) -> Told:
    key = rules.model_dump_json(), deals, seats
    if key not in _TOLD:
        _TOLD[key] = tell(rules, deals, seats)
    return _TOLD[key]


def tell(rules: TableRules, deals: int, seats: int) -> Told:
    bots = [playing.code(text) for text in (WILD, BOLD, playing.GAP8)][:seats]
    result = playing.play(bots, rules, deals=deals, first_deal=3)
    names = ["Wild", "Bold", "Gap8"][:seats]
    return [
        ((result, rotation, deal - 3), game_steps(result, rules, 7, names, deal, rotation))
        for rotation in range(seats)
        for deal in range(3, 3 + deals)
    ]


def turns(game: dict[str, Any]) -> list[dict[str, Any]]:
    return [step for step in game["steps"] if step["what"] == "turn"]


@pytest.mark.parametrize("rules", GAMES)
def test_chips_are_conserved_at_every_step_and_end_as_they_were_stored(rules: TableRules) -> None:
    for (result, rotation, at), game in told(rules, seats=3):
        before, pot = [rules.chips] * 3, 0
        for step in game["steps"]:
            assert sum(step["chips"]) + step["pot"] == 3 * rules.chips
            if step["what"] == "turn":
                moved = [a - b for a, b in zip(step["chips"], before, strict=True)]
                paid = {step["seat"]: step["delta"]}
                if rules.bank == "dealer":
                    assert step["seat"] != step["dealer"]
                    paid[step["dealer"]] = -step["delta"]
                assert moved == [paid.get(seat, 0) for seat in range(3)]
                assert step["pot"] == pot - (step["delta"] if rules.bank != "dealer" else 0)
                broke = [seat for seat in paid if step["chips"][seat] == 0 and before[seat]]
                assert step["is_out"] == (step["seat"] in broke)
                assert step["is_dealer_out"] == (rules.bank == "dealer" and step["dealer"] in broke)
            before, pot = step["chips"], step["pot"]
        seat = [(position + rotation) % 3 for position in range(3)]
        assert [game["chips"][s] for s in seat] == result.chips[rotation, at].tolist()
        assert game["net"] == [chips - rules.chips for chips in game["chips"]]
        assert [game["bots"][s] for s in seat] == ["Wild", "Bold", "Gap8"]
        assert len(turns(game)) == result.turns[rotation, at].sum()
        assert game["steps"][0]["what"] == ("ante" if rules.bank == "pot" else "deal")
        assert game["bank"] == rules.bank
        assert game["steps"][-1]["what"] == "end"


@pytest.mark.parametrize("rules", GAMES)
def test_antes_of_one_round_and_the_next_are_told_apart(rules: TableRules) -> None:
    for _, game in told(rules, seats=3):
        antes = [step for step in game["steps"] if step["what"] == "ante"]
        for step in antes:
            assert len({seat for seat, _ in step["paid"]}) == len(step["paid"])
            assert all(chips <= rules.ante.amount for _, chips in step["paid"])
        if rules.bank != "pot":
            assert antes == []
            rounds = [step["round"] for step in game["steps"] if step["what"] == "deal"]
            assert rounds == list(range(1, len(rounds) + 1))
            assert {turn["round"] for turn in turns(game)} == set(rounds)
        for old, new in pairwise(game["steps"]):
            if new["what"] == "ante" and new["is_again"]:
                assert (old["what"], old["pot"]) == ("turn", 0)


def unseen_of(game: dict[str, Any]) -> list[tuple[dict[str, Any], set[str]]]:
    """Every turn of a game of one pack, and the cards that nobody had seen as its bet was asked."""
    seen: set[str] = set()
    out = []
    for turn in turns(game):
        seen = set(turn["posts"]) | (set() if turn["is_shuffled"] else seen)
        out.append((turn, DECK - seen))
        seen |= {turn["third"]} - {None}
    return out


def counted(turn: dict[str, Any], unseen: set[str]) -> tuple[int, int, int]:
    """Cards that win, hit and lose, by the words of the rules."""
    posts = {rank(card) for card in turn["posts"]}
    ranks = [rank(card) for card in unseen]
    same = sum(r in posts for r in ranks)
    if turn["kind"] == "trips":
        return same, 0, len(ranks) - same
    if turn["call"] == "higher":
        wins = sum(r > max(posts) for r in ranks)
    elif turn["call"] == "lower":
        wins = sum(r < min(posts) for r in ranks)
    else:
        wins = sum(turn["low"] < r < turn["high"] and r not in posts for r in ranks)
    return wins, same, len(ranks) - wins - same


@pytest.mark.parametrize("rules", [p for p in GAMES if p.values[0].deck.packs == 1])  # type: ignore[union-attr]
def test_the_unseen_cards_are_those_that_nobody_has_seen_since_the_last_shuffle(rules: TableRules) -> None:
    asked = 0
    for _, game in told(rules, seats=3):
        for turn, unseen in unseen_of(game):
            if turn["third"] is not None:
                assert turn["third"] in unseen
            if turn["asked"]:
                asked += 1
                got = turn["asked"]
                assert (got["wins"], got["hits"], got["losses"]) == counted(turn, unseen)
    assert asked > 50


def pays(rules: TableRules, gap: int) -> int:
    """What a chip wins at a gap: the payout of the widest named gap that is no wider."""
    named = [at for at in rules.payouts or {} if at <= gap]
    return (rules.payouts or {})[max(named)] if named else 1


def worth(turn: dict[str, Any], stake: int, rules: TableRules) -> Fraction:
    """Expected chips of a stake by the words of the rules; a stake of 0 on a pair takes what it pays.

    A wager is staked with it, whatever the raise.
    """
    got, pair = turn["asked"], rules.pair
    is_trips = turn["kind"] == "trips"
    bank = 10**12 if rules.bank == "house" else got["pot"]
    assert (got["pot"] is None) == (rules.bank == "house")
    if stake == 0 and not turn["wager"]:
        takes = pair.rule == "auto_pay_or_trips" and is_trips
        return Fraction(
            min(pair.pay * (rules.bet.min if pair.pay_unit == "min_bet" else 1), bank) if takes else 0
        )
    stake += turn["wager"] or 0
    odds = pair.trips_odds if is_trips else pays(rules, turn["gap"]) if turn["kind"] == "gap" else 1
    costs = pair.post if turn["kind"] == "pair" else rules.post.multiplier
    n = got["wins"] + got["hits"] + got["losses"]
    won, lost = got["wins"] * min(odds * stake, bank), got["losses"] * stake
    return Fraction(won - lost - got["hits"] * min(costs * stake, got["chips"]), n)


@pytest.mark.parametrize("rules", GAMES)
def test_no_legal_bet_is_worth_more_than_the_best_and_the_loss_is_what_is_missing(rules: TableRules) -> None:
    wrong = 0
    for _, game in told(rules):
        # at a table of two a turn is taken only while both have chips; a house or a dealer shares nothing out
        comes_back = Fraction(1, 2) if rules.bank == "pot" else 0
        for turn in turns(game):
            if not turn["asked"]:
                continue
            got = turn["asked"]
            may_pass = (
                rules.bet.may_pass
                or rules.bet.before_posts
                or (turn["kind"] == "trips" and rules.pair.rule == "auto_pay_or_trips")
            )
            every = [
                worth(turn, bet, rules)
                for bet in [0] * may_pass + [*range(got["min_bet"], got["max_bet"] + 1)]
            ]
            assert float(max(every)) == got["best_worth"] == float(worth(turn, got["best"], rules))
            assert got["worth"] == float(worth(turn, turn["bet"], rules))
            assert got["lost"] == pytest.approx(
                (got["best_worth"] - got["worth"]) * float(1 - comes_back), abs=1e-9
            )
            wrong += got["lost"] > 0
    assert wrong > 10


@pytest.mark.parametrize("rules", GAMES)
def test_a_third_card_pays_what_it_says(rules: TableRules) -> None:
    results = set()
    for _, game in told(rules, seats=3):
        for turn in turns(game):
            results.add(turn["result"])
            if turn["third"] is None:
                assert turn["result"] in (("push",) if turn["wager"] else ("pass", "paid", "skip"))
                assert turn["kind"] == "consecutive" or turn["result"] != "push"
                assert turn["delta"] == 0 or turn["result"] == "paid"
                continue
            third, posts = rank(turn["third"]), {rank(card) for card in turn["posts"]}
            wins = counted(turn, {turn["third"]})[0]
            expected = "win" if wins else "hit" if third in posts else "loss"
            if turn["wager"] and turn["kind"] == "trips" and not wins:
                expected = "push"
            assert turn["result"] == expected
            assert (turn["delta"] > 0) == (expected == "win")
            if expected == "loss":
                assert turn["delta"] == -(turn["bet"] or 0) - (turn["wager"] or 0)
    assert {"win", "hit", "loss"} <= results
    assert ("push" in results) == rules.bet.before_posts


def test_a_wager_is_told_with_its_limits_and_is_raised_by_no_more_than_itself() -> None:
    for preset, bank in (("red_dog", "house"), ("red_dog", "dealer")):
        rules = playing.rules(preset, bank=bank, chips=60, bet__min=5)
        raised, least = 0, 0
        for (result, rotation, at), game in told(rules):
            before = [60, 60]
            for step in game["steps"]:
                if step["what"] == "turn":
                    own, dealers = before[step["seat"]], before[step["dealer"]]
                    most = own if bank == "house" else min(own, dealers)
                    assert (step["min_wager"], step["max_wager"]) == (min(5, most), most)
                    assert step["min_wager"] <= step["wager"] <= most
                    assert 0 <= (step["bet"] or 0) <= min(step["wager"], most - step["wager"])
                    least += step["is_wager_fault"]
                    raised += bool(step["bet"])
                before = step["chips"]
            faults = sum(
                turn[f"is_{what}_fault"] for turn in turns(game) for what in ("wager", "bet", "call")
            )
            log = result.fault_log
            assert faults == log[(log[:, 0] == rotation) & (log[:, 1] == at)][:, 4].sum()
        assert raised > 10
        assert least > 2


def test_faults_are_told_where_they_were() -> None:
    games = told(playing.rules(), deals=20)
    for (result, rotation, at), game in games:
        seat = rotation  # of Wild, position 0
        mine = [turn for turn in turns(game) if turn["seat"] == seat]
        faults = sum(turn["is_bet_fault"] for turn in mine)
        calls = sum(turn["is_call_fault"] for turn in mine)
        log = result.fault_log
        of_game = log[(log[:, 0] == rotation) & (log[:, 1] == at)]
        assert set(of_game[:, 2]) <= {0}
        assert faults + calls == of_game[:, 4].sum()
    assert any(turn["is_bet_fault"] for _, game in games for turn in turns(game))
    assert any(turn["is_call_fault"] for _, game in games for turn in turns(game))


def test_other_rules_or_another_seed_than_those_played_by_are_noticed() -> None:
    rules = playing.rules()
    result = playing.play([playing.code(WILD), playing.code(BOLD)], rules, deals=3)
    with pytest.raises(ArenaError, match="deal 1: the stored answers do not lead to the chips"):
        game_steps(result, rules, 8, ["a", "b"], 1, 0)
    other = dataclasses.replace(result, chips=result.chips + 1)
    with pytest.raises(ArenaError, match="do not lead to the chips"):
        game_steps(other, rules, 7, ["a", "b"], 1, 0)
