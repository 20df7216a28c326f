"""What broke at tables without a pot, and at odd rules of any: each test here was red once."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import playing
import pytest
from click.testing import CliRunner
from commands import ended, on_a_terminal

from arena.analysis.skill import WinMeasure
from arena.bot.entrant import BotSource, find_entrants
from arena.bot.harness import BotCode
from arena.check.checking import check
from arena.check.findings import Kind
from arena.cli.commands import cli
from arena.errors import ArenaError
from arena.report.replay_html import lost_chips
from arena.report.section_answers import table_answers
from arena.tournament.study import study_block

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
    assert "Gaps of 2, 7 break exactly even." in said(bank="house", payouts={1: 6, 4: 1})["gaps"]


# ---- arena check

WAGERS = """
import numpy as np
from arena import Bot, VectorBot

class Shape(VectorBot):
    def bet(self, turns):
        return np.zeros(len(turns), dtype=int)
    def wager(self, turns):
        return turns.min_bet[:, None]

class Arguments(Bot):
    def bet(self, turn):
        return 0
    def wager(self):
        return 1

class Calls(VectorBot):
    plays = ("dealer",)
    def bet(self, turns):
        return np.zeros(len(turns), dtype=int)
    def call_ace(self, turns):
        return np.zeros(len(turns))
"""


def checked(tmp_path: Path, name: str, preset: str) -> Any:
    (tmp_path / "wagers.py").write_text(WAGERS, encoding="utf-8")
    found, _ = find_entrants([BotSource(tmp_path / "wagers.py", name)])
    table = playing.rules(preset, end__rounds=8)
    return check(found[0], {preset: table}, deals=5, is_trusted=True)


@pytest.mark.parametrize(
    ("name", "preset", "asked"),
    [("Shape", "red_dog", "wager"), ("Arguments", "red_dog", "wager"), ("Calls", "dealer", "call_ace")],
)
def test_a_check_names_the_question_that_went_wrong(
    tmp_path: Path, name: str, preset: str, asked: str
) -> None:
    """Also where no line of a traceback tells it, and what pays: at a dealer's table no pot."""
    [fault] = [f for f in checked(tmp_path, name, preset).findings if f.kind is Kind.FAULT]
    assert fault.decision.asked == asked
    assert ("a house pays" if preset == "red_dog" else "the dealer has ") in fault.sentence


def test_a_bot_that_plays_at_none_of_the_tables_asked_for_is_not_called_good(tmp_path: Path) -> None:
    result = checked(tmp_path, "Calls", "red_dog")
    assert not result.is_good
    assert str(result.findings[0].sentence).startswith(
        "it plays at no table that was asked for: red_dog (bank: house)"
    )


# ---- what is printed


def test_help_and_odds_are_no_wider_than_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    on_a_terminal(monkeypatch, 80)
    for name in ("", *cli.commands):
        text = CliRunner().invoke(cli, [name, "--help"] if name else ["--help"], terminal_width=80).output
        assert "Options:" in text
        assert max(map(len, text.splitlines())) <= 80, name
    for arguments in (
        "--table red_dog --packs 7..8",
        "AS AD --set ace.second=choose",
        "AS AD --table denexa",
    ):
        code, out, _ = ended(capsys, "odds", *arguments.split())
        assert code == 0
        assert max(map(len, out.splitlines())) <= 80, arguments


def test_all_that_a_wager_needs_is_said_at_once() -> None:
    with pytest.raises(ArenaError) as error:
        playing.rules("nepali", bet__before_posts=True)
    for key in ("bank: house", "consecutive: push", "pair.rule: auto_trips", "bet.may_pass: false"):
        assert key in str(error.value)
    with pytest.raises(ArenaError, match=r"consecutive: push and bet\.raise: wager need"):
        playing.rules("dealer", consecutive="push", bet__raise="wager")


# ---- the finisher among several

FINISHER = Path(__file__).parents[1] / "bots" / "strong" / "finisher.py"
EDGE = """
class Edge(VectorBot):
    def bet(self, turns):
        return np.where(turns.edge > 0, turns.max_bet, 0)
"""


@pytest.mark.parametrize("over", [{}, {"preset": "article", "end__pot": "split_all"}])
def test_the_finisher_wins_games_among_several_and_gives_away_nothing_on_its_last_turn(
    over: dict[str, Any],
) -> None:
    """By the grade of last turns, which knows of odd chips and ties; betting for chips it won a third of the games."""
    table = playing.rules(**over)
    finisher = BotCode(FINISHER.read_bytes(), "finisher.py", "Finisher", {}, "0" * 64)
    bots = [finisher, playing.code(EDGE), playing.code(playing.GAP, threshold=7)]
    result = playing.play(bots, table, deals=250)
    assert not result.fault_log.size
    last = study_block(result, table, 7, None).skill[0].wins
    assert last[WinMeasure.UNFORCED] > 60
    assert last[WinMeasure.LOST] == 0
    won = result.chips == result.chips.max(axis=2, keepdims=True)
    shares = (won / won.sum(axis=2, keepdims=True)).mean(axis=(0, 1))
    assert shares[0] > shares[1:].max() + 0.03


def test_chips_given_away_where_stakes_are_a_chip_are_no_0() -> None:
    assert [lost_chips(x) for x in (412.3, 10, 2.0, 0.28, 0.001)] == [
        "412",
        "10",
        "2",
        "0.28",
        "less than 0.01",
    ]
