"""Red Dog in exact figures: what others have published, an enumeration of every three cards, and games that were played."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import playing
import pytest
from click.testing import CliRunner
from commands import ended
from scipy.stats import t as student

from arena.cli.odds import odds as odds_command
from arena.errors import ArenaError
from arena.game.cards import parse_card
from arena.game.odds import hand_odds
from arena.game.wagers import wager_odds

# Wikipedia's article and Wizard of Odds, "Red Dog": by packs, edge in %, exact, element of risk in %
PUBLISHED = {
    1: ("3.155", Fraction(523, 16575), "2.672"),
    2: ("3.077", Fraction(2101, 68289), "2.609"),
    4: ("2.884", Fraction(7993, 277173), "2.447"),
    6: ("2.798", Fraction(17533, 626665), "2.375"),
    8: ("2.751", Fraction(30721, 1116765), "2.335"),
}
SIX_PACKS = (
    "−.535484, −.225806, −.303226, −.380645, −.225806, −.070968, .083871, .238710, .393548, .548387, .703226"
)
# "In Between" side bet: packs → three of a kind, gaps 1, 2, 3, 4 and more, the rest, of all orders of three cards
SIDE_BET = {1: (312, 1408, 2560, 3456, 29184, 95_680), 2: (4368, 11264, 20480, 27648, 233472, 795_392)}


def orders(packs: int) -> Counter[tuple[str, str]]:
    """Every order of three cards, counted by posts (``pair``, ``0`` … ``11``) and third card (``same``, ``in``, ``out``)."""
    found: Counter[tuple[str, str]] = Counter()
    of_rank = 4 * packs
    for first, second, third in product(range(2, 15), repeat=3):
        ways = of_rank * (of_rank - (second == first)) * (of_rank - (third == first) - (third == second))
        low, high = sorted((first, second))
        posts = "pair" if low == high else str(high - low - 1)
        found[posts, "same" if low == high == third else "in" if low < third < high else "out"] += ways
    return found


def enumerated(packs: int, raised_from: int = 7) -> tuple[Fraction, Fraction]:
    """House edge and element of risk by enumeration, raised from a gap on; payouts as the casinos print them."""
    pays = {1: 5, 2: 4, 3: 2}
    won = staked = 0
    for (posts, third), ways in orders(packs).items():
        stake = 1
        if posts == "pair":
            won += 11 * ways * (third == "same")
        elif posts != "0":
            stake = 2 if int(posts) >= raised_from else 1
            won += ways * stake * (pays.get(int(posts), 1) if third == "in" else -1)
        staked += ways * stake
    total = sum(orders(packs).values())
    return Fraction(-won, total), Fraction(-won, staked)


@pytest.mark.parametrize("packs", PUBLISHED)
def test_the_house_edge_is_the_published_one_to_the_printed_digit(packs: int) -> None:
    percent, exact, risk_percent = PUBLISHED[packs]
    found = wager_odds(playing.rules("red_dog"), packs)
    assert found.house_edge == exact
    assert (f"{100 * float(found.house_edge):.3f}", f"{100 * float(found.risk):.3f}") == (
        percent,
        risk_percent,
    )


@pytest.mark.parametrize("packs", range(1, 9))
def test_the_figures_are_those_of_every_three_cards_enumerated(packs: int) -> None:
    found = wager_odds(playing.rules("red_dog"), packs)
    edge, risk = enumerated(packs)
    assert (found.house_edge, found.risk) == (edge, risk)
    assert edge < min(enumerated(packs, gap)[0] for gap in (6, 8)), "seven is where raising begins to pay"
    counted, total = orders(packs), 52 * packs * (52 * packs - 1) * (52 * packs - 2)
    assert found.orders == sum(counted.values()) == total
    for gap in found.gaps:
        ways_in, ways_out = counted[str(gap.gap), "in"], counted[str(gap.gap), "out"]
        assert gap.chance == Fraction(ways_in + ways_out, total)
        assert gap.win == Fraction(ways_in, ways_in + ways_out)


def test_six_packs_are_as_published_gap_by_gap() -> None:
    gaps = wager_odds(playing.rules("red_dog"), 6).gaps
    assert [gap.win for gap in gaps] == [Fraction(24 * k, 310) for k in range(1, 12)]
    printed = [f"{float(gap.edge):.6f}".replace("0.", ".").replace("-", "−") for gap in gaps]
    assert ", ".join(printed) == SIX_PACKS
    assert [gap.gap for gap in gaps if gap.is_raised] == [7, 8, 9, 10, 11]


@pytest.mark.parametrize("packs", SIDE_BET)
def test_the_counts_of_the_side_bet_are_the_published_ones(packs: int) -> None:
    found = wager_odds(playing.rules("red_dog"), packs)
    rest = found.orders - sum(found.ways.values())
    assert (*(found.ways[at] for at in ("trips", "1", "2", "3", "4+")), rest) == SIDE_BET[packs]
    counted = orders(packs)
    by_gap = [counted[str(gap), "in"] for gap in range(1, 12)]
    assert (counted["pair", "same"], *by_gap[:3], sum(by_gap[3:])) == SIDE_BET[packs][:-1]


BASIC = """
class Basic(VectorBot):
    def bet(self, turns):
        return np.where(turns.gap >= 7, turns.max_bet, 0)
"""


@pytest.mark.parametrize("packs", [1, pytest.param(6, marks=pytest.mark.slow)])
def test_games_that_are_played_lose_what_the_figures_say(packs: int) -> None:
    table = playing.rules("red_dog", deck__packs=packs, end__rounds=100, chips=1_000_000)
    result = playing.play([playing.code(BASIC)] * 2, table, deals=2000)
    lost = (1_000_000 - result.chips.mean(axis=(0, 2))) / 100  # by deal, per turn and chip wagered
    width = student.ppf(0.9995, len(lost) - 1) * lost.std(ddof=1) / np.sqrt(len(lost))
    assert abs(lost.mean() - PUBLISHED[packs][1]) < width < 0.02
    never = playing.play([playing.code(playing.PASS)] * 2, table, deals=2000)
    assert (1_000_000 - never.chips.mean()) / 100 - PUBLISHED[packs][1] > 0.01, "who never raises loses more"


# ---- arena odds


def run(*arguments: str) -> Any:
    return CliRunner().invoke(odds_command, arguments)


def test_arena_odds_prints_a_wager_by_packs() -> None:
    result = run("--table", "red_dog", "--packs", "1..8")
    assert result.exit_code == 0
    for packs, (percent, exact, risk) in PUBLISHED.items():
        assert any(
            line.split()[:4] == [str(packs), f"{percent}%", str(exact), f"{risk}%"]
            for line in result.output.splitlines()
        )
    assert (
        "Of 132,600 orders of three cards: three of a kind 312, gap 1 1,408, gap 2 2,560, gap 3 3,456"
        in " ".join(result.output.split())
    )
    as_json = json.loads(run("--table", "red_dog", "--packs", "1..8", "--json").output)
    assert [o["packs"] for o in as_json] == list(range(1, 9))
    assert as_json[3]["house_edge_exact"] == "7993/277173"
    assert as_json[1]["other_ways"] == 795_392
    of_one = json.loads(run("--table", "red_dog", "--json").output)
    assert of_one == as_json[:1]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ("--table", "red_dog", "--packs", "0..8"),
            "--packs: expected a number from 1 to 8, or a range such as 1..8, got",
        ),
        (("--table", "red_dog", "--packs", "8..1"), "--packs: expected a number from 1 to 8, or a range"),
        (("3S", "QD", "--packs", "1..2"), "--packs: two posts have one number of packs"),
        ((), "no wager comes before the posts at this table; name the posts, such as 3S QD"),
        (("3S",), "expected two posts such as 3S QD, got 3S alone"),
        (("--table", "red_dog", "--pot", "3"), "--seen, --pot, --chips and --wager are for two posts"),
        (("3S", "QD", "--wager", "3"), "wager: none comes before the posts at this table; leave it out"),
        (("--table", "red_dog", "--set", "ace.first=call"), "a wager's figures are for high aces"),
    ],
)
def test_what_arena_odds_cannot_say_it_says(arguments: tuple[str, ...], sentence: str) -> None:
    error = run(*arguments).exception
    assert isinstance(error, ArenaError)
    assert sentence in str(error)


def hand(first: str, second: str, **given: Any) -> Any:
    (reading,) = hand_odds(playing.rules("red_dog"), (parse_card(first), parse_card(second)), **given)
    return reading


def test_a_hand_of_red_dog_is_worth_the_wager_and_the_best_raise() -> None:
    wide = hand("3S", "QD", wager=10)  # gap 8: 32 win, 18 lose, +.28 a chip
    assert (wide.odds, wide.edge, wide.min_bet, wide.max_bet, wide.best_bet) == (
        1,
        Fraction(14, 50),
        1,
        10,
        10,
    )
    assert (wide.value(0), wide.value(10)) == (Fraction(28, 10), Fraction(56, 10))
    narrow = hand("3S", "5D", wager=10)  # gap 1: 4 win 5 to 1, 46 lose
    assert (narrow.odds, narrow.edge, narrow.best_bet, narrow.value(0)) == (
        5,
        Fraction(-26, 50),
        0,
        Fraction(-52, 10),
    )
    pair = hand("3S", "3D", wager=10)  # 2 of 50 win 11 to 1, the rest is a push
    assert (pair.max_bet, pair.best_bet, pair.value(0)) == (0, 0, Fraction(220, 50))
    assert hand("3S", "4D", wager=10).value(0) == 0
    short = hand("3S", "QD", wager=10, chips=13)
    assert (short.max_bet, short.best_bet) == (3, 3)


def test_report_md_says_what_the_wager_among_the_gaps_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bots.py").write_text(
        "from arena import Bot\n\n\n"
        "class Meek(Bot):\n    def bet(self, turn):\n        return turn.max_bet if turn.gap >= 7 else 0\n\n\n"
        "class Rash(Meek):\n    def wager(self, turn):\n        return turn.max_bet // 4\n"
    )
    says = "the wager before the posts is a decision of its own, among gaps as *wager*."
    for preset in ("red_dog", "nepali"):
        (tmp_path / "t.yaml").write_text(
            f"bots: bots.py\ndeals: 3\ntable: {{preset: {preset}, end: {{rounds: 4}}}}\n"
        )
        assert ended(capsys, "run", "t.yaml", "--trust-bots", "--workers", "1")[0] == 0
        text = (tmp_path / "reports/t/report.md").read_text()
        assert (says in text) == (preset == "red_dog")
        [line] = [
            line for line in text.splitlines() if line.startswith("| Rash |") and "wager (100 %)" in line
        ] or [""]
        assert bool(line) == (preset == "red_dog"), "only there does a wager cost all that Rash loses"
