"""A table in plain sentences: every value shows, numbers and nouns agree, rulings are the preset's own."""

from __future__ import annotations

import json
import re
from itertools import combinations
from typing import Any

import pytest
from click.testing import CliRunner

from arena.cli.show import rules as rules_command
from arena.errors import ArenaError
from arena.game.describe import describe, ruling_notes
from arena.game.rules import TableRules, nest, preset_names, table_rules

PRESETS = preset_names()
VALUES: dict[str, list[Any]] = {
    "chips": [1, 2, 100, 1000, 1_000_000],
    "bank": ["pot", "house", "dealer"],
    "payouts": [None, {1: 5, 2: 4, 3: 2, 4: 1}, {1: 5}, {2: 5}, {2: 5, 12: 1000}],
    "bet.before_posts": [True, False],
    "bet.raise_": ["none", "wager"],
    "deck.packs": [1, 2, 3, 4, 5, 6, 7, 8],
    "deck.shuffle": ["exhausted", "dealer_turn", "each_turn"],
    "play.direction": ["right", "left"],
    "play.first_dealer": ["seat_0", "high_card"],
    "play.dealer_moves": ["each_round", "never"],
    "ante.amount": [1, 2, 5, 10, 1000],
    "ante.each_round": [True, False],
    "ante.when_empty": [True, False],
    "bet.min": [1, 2, 5, 1000],
    "bet.first_round_max": ["pot", "half_pot", "ante"],
    "bet.may_pass": [True, False],
    "bet.must_cover_post": [True, False],
    "ace.first": ["call", "choose", "high"],
    "ace.second": ["high", "choose"],
    "consecutive": ["pass", "bet", "pay_min", "push"],
    "pair.rule": ["higher_lower", "auto_pay", "trips_bet", "auto_pay_or_trips", "pass", "auto_trips"],
    "pair.pay": [1, 2, 3, 20],
    "pair.pay_unit": ["min_bet", "chip"],
    "pair.post": [1, 2, 3, 20],
    "pair.trips_odds": [1, 11, 25, 1000],
    "post.multiplier": [1, 2, 3, 20],
    "end.rounds": [1, 2, 10, None],
    "end.turns": [1, 2, 200, None],
    "end.pot_taken": [True, False],
    "end.pot": ["split_live", "split_all"],
}


def text(rules: TableRules) -> str:
    return "\n".join(describe(rules))


def over(rules: TableRules, key: str, value: object) -> TableRules:
    """The rules with one dotted key set."""
    group, _, name = key.rpartition(".")
    if group:
        value = getattr(rules, group).model_copy(update={name: value})
    return rules.model_copy(update={group or name: value})


def keys(data: dict[str, Any], prefix: str = "") -> set[str]:
    return {
        key
        for name, value in data.items()
        for key in (keys(value, f"{prefix}{name}.") if isinstance(value, dict) else {prefix + name})
    }


def tables() -> list[TableRules]:
    """Every preset under every rule for pairs and every ending of the pot."""
    made = []
    for preset in PRESETS:
        for rule in VALUES["pair.rule"]:
            for taken in (True, False):
                table = table_rules({"preset": preset})
                made.append(over(over(table, "pair.rule", rule), "end.pot_taken", taken))
    return made


def test_no_key_is_forgotten_here() -> None:
    dump = table_rules({"preset": "red_dog"}).model_dump()
    assert set(VALUES) == keys(dump | {"payouts": None}) - {"bet.raise"} | {"bet.raise_"}


@pytest.mark.parametrize("key", VALUES)
def test_every_two_values_of_a_key_read_differently_at_every_table(key: str) -> None:
    for table in tables():
        texts = {repr(value): text(over(table, key, value)) for value in VALUES[key]}
        for one, other in combinations(texts, 2):
            assert texts[one] != texts[other], f"{key}: {one} and {other}"


def test_every_sentence_is_one_and_says_it_once() -> None:
    for table in tables():
        sentences = describe(table)
        assert len(set(sentences)) == len(sentences)
        for sentence in sentences:
            assert re.fullmatch(r"[A-Z][^\n]*[^ .]\.", sentence), sentence
            assert "  " not in sentence
            assert len(sentence) < 130, sentence


def test_numbers_agree_with_their_nouns() -> None:
    one: dict[str, Any] = {"chips": 1, "ante": {"amount": 1}, "bet": {"min": 1}, "consecutive": "pay_min"}
    one |= {
        "pair": {"rule": "auto_pay", "pay": 1},
        "post": {"multiplier": 1},
        "end": {"rounds": 1, "turns": 1},
    }
    single = text(table_rules(one))
    assert not re.search(r"\b1 (chips|rounds|turns|packs)\b|\bone (packs|times)\b", single)
    assert "1 round or 1 turn, whichever comes first" in single
    many = text(table_rules(nest(["deck", "packs"], 8)))
    assert "eight packs together, 416 cards" in many
    assert not re.search(r"(?<![\d,])[2-9]\d* (chip|round|turn|pack)\b", many)


def test_a_table_reads_as_a_player_would_say_it() -> None:
    assert describe(table_rules()) == [
        "Every player starts with 1,000 chips; bets are won from one common pot and lost to it.",
        "The cards are one pack of 52 cards.",
        "Everything not on the table is shuffled when no card is left face down.",
        "Seat 0 deals first.",
        "Play goes to the right, beginning beside the dealer; the dealer's turn ends the round.",
        "The deal moves to the next player on the right after every round.",
        "Everyone antes 10 chips before every round; a player with fewer antes all of them.",
        "When a turn empties the pot, everyone antes again at once and the round goes on.",
        "A bet is at least 1 chip, or the most that may be bet where that is less.",
        "A bet is at most what is in the pot and what the player has.",
        "The first round has no limit of its own.",
        "It may be more than the player could pay on hitting a post.",
        "A player may pass.",
        "An ace as first post is called low or high by the player before the second post is turned up.",
        "An ace as second post is high.",
        "A third card that is an ace is high, but it hits a low ace.",
        "On neighbouring posts the turn is over and nothing is paid.",
        "On a pair the player calls the third card higher or lower, then bets.",
        "A third card of the pair's own rank then costs twice the bet.",
        "A third card between the posts wins the bet; one outside them loses it.",
        "A third card that hits a post costs twice the bet, all told; no hit costs more than the player has.",
        "A player without chips is out; the last player left takes the pot, and the game is over.",
        "The game is over after 10 rounds.",
        "What is left in the pot is then shared equally by the players who still have chips.",
        "Odd chips of it go one each to the next after the dealer.",
        "Without effect at this table: pair.pay 2, pair.pay_unit min_bet, pair.trips_odds 25.",
    ]


def test_red_dog_reads_as_a_player_would_say_it() -> None:
    assert describe(table_rules({"preset": "red_dog"})) == [
        "Every player starts with 1,000 chips; bets are won from a house and lost to it, and no house runs short.",
        "The cards are one pack of 52 cards.",
        "Everything not on the table is shuffled before every turn.",
        "Seat 0 deals first.",
        "Play goes to the right, beginning beside the dealer; the dealer's turn ends the round.",
        "The deal moves to the next player on the right after every round.",
        "There is no pot and no ante.",
        "Every player wagers before the posts: at least 1 chip, or all he has if that is less.",
        "Wager and raise together are at most what the player has.",
        "The first round has no limit of its own.",
        "On a gap the player may raise by up to the wager once the posts lie open.",
        "An ace as either post is high.",
        "On neighbouring posts the player takes the wager back.",
        "On a pair a third card is turned up: one of its rank wins 11 to 1, any other is a push.",
        "A third card between the posts wins the bet; one outside them loses it.",
        "By gap a win pays 5 to 1 at 1, 4 to 1 at 2, 2 to 1 at 3, and 1 to 1 at 4 and wider.",
        "A third card that hits a post costs the bet, all told; no hit costs more than the player has.",
        "A player without chips is out; when one player is left the game is over.",
        "The game is over after 100 rounds.",
        "Without effect at this table: ante.each_round true, ante.amount 10, end.pot_taken false, end.pot split_live.",
        "Also without effect at this table: bet.may_pass false, bet.must_cover_post false, pair.pay 2, "
        "pair.pay_unit min_bet.",
        "Also without effect at this table: pair.post 2, ante.when_empty true.",
    ]


def test_rulings_are_the_presets_own_and_under_its_keys() -> None:
    assert ruling_notes("nepali") == [
        "play.first_dealer: The page does not say who deals first; seat 0 does.",
        "end.pot: An odd chip of the shared pot goes to the seats after the dealer, one each.",
    ]
    known = keys(table_rules().model_dump())
    for preset in PRESETS:
        notes = ruling_notes(preset)
        assert notes
        assert all(note.partition(": ")[0] in known and note.partition(": ")[2] for note in notes)
    assert not any("seat 0 does" in note for note in ruling_notes("bicycle"))


@pytest.mark.parametrize(
    ("over", "left"),
    [
        ({"play": {"first_dealer": "high_card"}}, ["end.pot"]),
        ({"play": {"direction": "left"}, "end": {"pot": "split_all"}}, ["play.first_dealer"]),
        ({"preset": "nepali", "chips": 5, "end": {"rounds": 5}}, ["play.first_dealer", "end.pot"]),
    ],
)
def test_a_ruling_is_not_told_where_its_key_is_set(over: dict[str, Any], left: list[str]) -> None:
    assert [note.partition(": ")[0] for note in ruling_notes("nepali", over)] == left


def test_a_preset_that_does_not_exist_is_named() -> None:
    with pytest.raises(ArenaError, match="no preset is called 'nepalli'; did you mean \"nepali\""):
        ruling_notes("nepalli")


def test_the_presets_are_listed_in_words_and_as_json() -> None:
    words, as_json = (CliRunner().invoke(rules_command, [*options]).output for options in ([], ["--json"]))
    assert list(json.loads(as_json)) == preset_names()
    assert [line.split()[0] for line in words.splitlines()] == preset_names()
