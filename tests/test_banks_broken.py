"""What broke at tables without a pot, and at odd rules of any: each test here was red once."""

from __future__ import annotations

from itertools import product
from typing import Any

import playing
import pytest

from arena.report.section_answers import table_answers

ACES = [*product(("call", "choose", "high"), ("high", "choose"))]


def said(**over: Any) -> dict[str, str]:
    """What the report answers of a table by its rules alone."""
    preset = over.pop("preset", "nepali")
    return {answer.key: answer.text for answer in table_answers(playing.rules(preset, **over))}


@pytest.mark.parametrize("bank", ["pot", "house", "dealer"])
@pytest.mark.parametrize(("first", "second"), ACES)
def test_what_players_ask_is_answered_however_aces_are_named(bank: str, first: str, second: str) -> None:
    """Two aces called low are a pair of rank 1."""
    pairs = said(bank=bank, ace__first=first, ace__second=second)["pairs"]
    may_be_low = first == "call" and second == "choose"
    assert pairs.startswith("Call higher on low A–7" if may_be_low else "Call higher on 2–7")


def test_what_to_wager_and_stake_is_what_is_worth_most() -> None:
    """Of more than half a raise as great is not allowed; a dealer pays no more than he has."""
    assert said(preset="red_dog")["wager"].startswith("The least, ")
    assert said(preset="red_dog", pair__trips_odds=30)["wager"].startswith("Half of what is allowed, ")
    assert said(preset="red_dog", pair__trips_odds=200)["wager"].startswith("All that is allowed, ")
    rich = {"bank": "dealer", "payouts": {6: 3}}
    assert "all that is allowed and can be paid in full" in said(**rich)["stakes"]
    assert "all that is allowed on every" in said(bank="dealer")["stakes"]


def test_every_gap_that_breaks_even_is_named() -> None:
    assert "A gap of 2 or 7 breaks exactly even." in said(bank="house", payouts={1: 6, 4: 1})["gaps"]
