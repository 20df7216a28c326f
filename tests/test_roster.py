"""The house roster: how its files look, and what its bots bet on hands worked out by hand."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import re
import sys
from math import log
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from arena import Bot, Kind, Play, Table, TableRules, Tables, Turn, Turns, VectorBot, table_rules
from arena.bot.entrant import find_entrants
from arena.bot.turns import BET, scalar_turns
from arena.cli.run import entrants_of
from arena.game.rules import preset_names
from arena.tournament.spec import load_spec

ROOT = Path(__file__).parent.parent
FILES = sorted((ROOT / "bots").glob("*.py"))
STRONG = sorted((ROOT / "bots" / "strong").glob("*.py"))
GUIDES = (ROOT / "bots" / "README.md", ROOT / "docs" / "first_bot.md")
TABLES = {
    "nepali": table_rules({"preset": "nepali"}),
    "article": table_rules({"preset": "article"}),
    "denexa": table_rules({"preset": "denexa"}),
    "denexa_house": table_rules({"preset": "denexa_house"}),
    "payment or trips": table_rules({"preset": "denexa_house", "pair": {"rule": "auto_pay_or_trips"}}),
    "bicycle": table_rules({"preset": "bicycle"}),
}


Hand = dict[str, Any]  # fields of a turn, by name


def module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def bot_classes(namespace: dict[str, Any], name: str) -> dict[str, type]:
    """The bot classes written in this module, by name."""
    written = [c for c in namespace.values() if inspect.isclass(c) and c.__module__ == name]
    return {c.__name__: c for c in written if issubclass(c, (Bot, VectorBot))}


ROSTER = {name: c for path in FILES for name, c in bot_classes(vars(module(path)), path.stem).items()}
SCALAR = sorted(name for name, c in ROSTER.items() if issubclass(c, Bot))
TWINS = module(ROOT / "tests" / "data" / "twins.py")


def turns(rules: TableRules = TABLES["nepali"], **given: Any) -> Turns:
    """A batch of one turn: 3 and Q on a fresh pack, 1000 chips, a pot of 100, save for what is given."""
    values: dict[str, Any] = {
        "low": 3,
        "high": 12,
        "kind": Kind.GAP,
        "call": 0,
        "pot": 100,
        "chips": 1000,
        "min_bet": 1,
        "max_bet": 100,
        "wins": 32,
        "hits": 6,
    }
    values |= {"losses": 12, "other": 0, "wager": 0, "dealer": 0, "turns_since_shuffle": 0, "row": 0} | given
    stacks = values.pop("stacks", (values["chips"], 1000))
    one_value: dict[str, Any] = {"seat": values.pop("seat", 0), "round": values.pop("round", 1)}
    columns: dict[str, Any] = {name: np.array([value], dtype=np.int64) for name, value in values.items()}
    return Turns(
        question=BET,
        rules=rules,
        **one_value,
        **columns,
        stacks=np.array([stacks], dtype=np.int64),
        packs=np.array([[(1 << 52) - 1]], dtype=np.uint64),
        stream=np.array([20261129], dtype=np.uint64),
    )


def turn(rules: TableRules = TABLES["nepali"], **given: Any) -> Turn:
    made: Turn = next(iter(scalar_turns(turns(rules, **given))))
    return made


def bet_of(
    bot_class: type, rules: TableRules = TABLES["nepali"], params: Hand | None = None, **given: Any
) -> int:
    """What a bot of this class, first in its game, bets on that turn."""
    bot = bot_class(**(params or {}))
    if isinstance(bot, VectorBot):
        bot.start(Tables(1, 0, 2, rules))
        (answer,) = np.asarray(bot.bet(turns(rules, **given))).tolist()
    else:
        bot.start(Table(0, 2, rules, bot))
        answer = bot.bet(turn(rules, **given))
    assert type(answer) is int
    return answer


def bet(name: str, rules: TableRules = TABLES["nepali"], **given: Any) -> int:
    """What the house bot of this name bets on that turn."""
    return bet_of(ROSTER[name], rules, **given)


# A fresh pack's hands: posts 3 and a card `gap` ranks further on for 6 to 10, wins, hits and losses of 50.
GAP: dict[int, Hand] = {
    6: {"low": 3, "high": 10, "wins": 24, "hits": 6, "losses": 20},
    7: {"low": 3, "high": 11, "wins": 28, "hits": 6, "losses": 16},
    8: {"low": 3, "high": 12, "wins": 32, "hits": 6, "losses": 12},
    9: {"low": 3, "high": 13, "wins": 36, "hits": 6, "losses": 8},
    10: {"low": 3, "high": 14, "wins": 40, "hits": 6, "losses": 4},
    11: {"low": 2, "high": 14, "wins": 44, "hits": 6, "losses": 0},
    12: {"low": 1, "high": 14, "wins": 48, "hits": 2, "losses": 0},
}
SIXES_HIGHER: Hand = {"low": 6, "high": 6, "kind": Kind.PAIR, "call": 1, "wins": 32, "hits": 2, "losses": 16}
SEVENS_HIGHER: Hand = {"low": 7, "high": 7, "kind": Kind.PAIR, "call": 1, "wins": 28, "hits": 2, "losses": 20}
EIGHTS_HIGHER: Hand = {"low": 8, "high": 8, "kind": Kind.PAIR, "call": 1, "wins": 24, "hits": 2, "losses": 24}
TENS_LOWER: Hand = {"low": 10, "high": 10, "kind": Kind.PAIR, "call": -1, "wins": 32, "hits": 2, "losses": 16}
LOW_ACES_HIGHER: Hand = {
    "low": 1,
    "high": 1,
    "kind": Kind.PAIR,
    "call": 1,
    "wins": 48,
    "hits": 2,
    "losses": 0,
}
SIXES_FOR_TRIPS: Hand = {"low": 6, "high": 6, "kind": Kind.TRIPS, "wins": 2, "hits": 0, "losses": 48}
NEIGHBOURS: Hand = {"low": 6, "high": 7, "kind": Kind.CONSECUTIVE, "wins": 0, "hits": 6, "losses": 44}


# ---- the files


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_house_bot_is_one_short_file_that_imports_arena_numpy_and_the_standard_library(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    imported = {
        name.split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in (
            [node.module or ""] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names]
        )
    }
    assert imported <= {"arena", "numpy"} | sys.stdlib_module_names
    assert len(text.splitlines()) <= 40
    assert ast.get_docstring(tree)


@pytest.mark.parametrize("name", sorted(ROSTER))
def test_a_house_bot_says_which_question_it_answers(name: str) -> None:
    assert re.search(r"Question: .*\?", inspect.getdoc(ROSTER[name]) or "", re.DOTALL)
    assert f"| `{name}` |" in (ROOT / "bots" / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", STRONG, ids=lambda path: path.name)
def test_a_strong_bot_may_be_longer_but_is_one_readable_file_with_its_question(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    (name,) = bot_classes(vars(module(path)), path.stem)
    assert len(text.splitlines()) <= 300
    assert re.search(rf"class {name}\(.*?Question: [^\n]*\?", text, re.DOTALL)
    assert f"| `{name}` |" in (ROOT / "bots" / "README.md").read_text(encoding="utf-8")


def test_a_tournament_of_the_house_folder_leaves_the_strong_bots_out_and_their_own_has_them() -> None:
    house, strong = (load_spec(ROOT / "configs" / f"{name}.yaml") for name in ("default", "strongest"))
    names = [{entrant.name for entrant in find_entrants(spec.bots)[0]} for spec in (house, strong)]
    assert names[0] == set(ROSTER)
    assert {"Finisher", "Learner", "Exact", "Kelly", "HalfKelly"} <= names[1]


def test_the_roster_has_the_ideas_a_tournament_is_about_and_a_vectorised_bot() -> None:
    plain = {"PassAlways", "LeastBet", "RandomBet", "Gap7", "Gap8", "Gap9", "Pot8", "HalfPot8"}
    assert set(ROSTER) == plain | {
        "FreshPack",
        "Edge",
        "Exact",
        "Kelly",
        "HalfKelly",
        "Ladder",
        "LeaderPasses",
        "Mood",
    }
    assert set(ROSTER) - set(SCALAR) == {"Ladder"}


def test_there_is_a_tournament_file_for_every_table() -> None:
    presets = {path.stem: yaml.safe_load(path.read_text()) for path in (ROOT / "configs").glob("*.yaml")}
    assert {config["table"]["preset"] for config in presets.values()} == set(preset_names())
    assert all(config["name"] == stem for stem, config in presets.items())
    assert all(table_rules(config["table"]) for config in presets.values())


def test_who_does_not_play_at_a_houses_table_is_left_out_with_a_note(
    capsys: pytest.CaptureFixture[str],
) -> None:
    entrants, notes = entrants_of(load_spec(ROOT / "configs" / "red_dog.yaml"), strict=True)
    assert {e.name for e in entrants} == set(ROSTER) - {"HalfPot8"}
    assert [note.message for note in notes] == [
        "HalfPot8 does not play where the bank is house (it says plays = ('pot', 'dealer'))"
    ]
    assert "left out: " in capsys.readouterr().err
    entrants, notes = entrants_of(load_spec(ROOT / "configs" / "dealer.yaml"), strict=True)
    assert (len(entrants), notes) == (len(ROSTER), ())


# ---- what they bet


@pytest.mark.parametrize(
    ("name", "on_gaps", "on_pairs"),  # gaps 6 to 12; sixes, sevens, eights called higher, tens called lower
    [
        ("PassAlways", [0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0]),
        ("LeastBet", [1, 1, 1, 1, 1, 1, 1], [1, 1, 1, 1]),
        ("Gap7", [0, 100, 100, 100, 100, 100, 100], [100, 100, 0, 100]),
        ("Gap8", [0, 0, 100, 100, 100, 100, 100], [100, 0, 0, 100]),
        ("Gap9", [0, 0, 0, 100, 100, 100, 100], [0, 0, 0, 0]),
        ("Pot8", [0, 0, 100, 100, 100, 100, 100], [0, 0, 0, 0]),
        ("HalfPot8", [0, 0, 50, 50, 50, 50, 50], [0, 0, 0, 0]),
        ("FreshPack", [0, 0, 100, 100, 100, 100, 100], [100, 100, 0, 100]),
        ("Edge", [0, 0, 100, 100, 100, 100, 100], [100, 100, 0, 100]),
        ("Exact", [0, 0, 100, 100, 100, 100, 100], [100, 100, 0, 100]),
        ("LeaderPasses", [0, 0, 100, 100, 100, 100, 100], [100, 100, 0, 100]),
        ("Ladder", [0, 0, 20, 40, 60, 80, 100], [20, 0, 0, 20]),
        ("Mood", [0, 0, 1, 1, 1, 1, 1], [1, 1, 0, 1]),
    ],
)
def test_bets_on_a_fresh_pack_at_the_nepali_table(name: str, on_gaps: list[int], on_pairs: list[int]) -> None:
    pairs = (SIXES_HIGHER, SEVENS_HIGHER, EIGHTS_HIGHER, TENS_LOWER)
    assert [bet(name, **hand) for hand in GAP.values()] == on_gaps
    assert [bet(name, **hand) for hand in pairs] == on_pairs


@pytest.mark.parametrize("name", ["Gap7", "Gap8", "Gap9", "FreshPack", "Edge", "LeaderPasses", "Ladder"])
def test_low_aces_called_higher_are_worth_all_a_bot_may_bet(name: str) -> None:
    assert bet(name, **LOW_ACES_HIGHER) == 100


@pytest.mark.parametrize("name", sorted(set(ROSTER) - {"LeastBet", "RandomBet"}))
def test_neighbours_are_passed_where_betting_on_them_is_allowed(name: str) -> None:
    assert bet(name, TABLES["article"], **NEIGHBOURS) == 0


def test_where_a_post_costs_one_bet_a_gap_of_seven_pays_and_six_does_not() -> None:
    bicycle = TABLES["bicycle"]
    for name in ("FreshPack", "Edge"):
        assert (bet(name, bicycle, **GAP[6]), bet(name, bicycle, **GAP[7])) == (0, 100)


def test_a_fresh_pack_has_more_of_everything_where_there_are_more_packs() -> None:
    # Two packs, 102 unseen, gap 7: 56 win, 14 hit, 32 lose; 56 < 32 + 2 · 14, but 56 > 32 + 14.
    assert bet("FreshPack", table_rules({"deck": {"packs": 2}}), **GAP[7]) == 0
    assert bet("FreshPack", table_rules({"deck": {"packs": 2}, "post": {"multiplier": 1}}), **GAP[7]) == 100


def test_only_a_counter_sees_that_the_pack_has_turned() -> None:
    # Late in a pack: 18 − 3 − 2 · 2 > 0 on a gap of 7, and 6 − 12 − 2 · 6 < 0 on one of 8.
    good = GAP[7] | {"wins": 18, "hits": 2, "losses": 3}
    bad = GAP[8] | {"wins": 6, "hits": 6, "losses": 12}
    assert [bet("Edge", **hand) for hand in (good, bad)] == [100, 0]
    assert [bet("FreshPack", **hand) for hand in (good, bad)] == [0, 100]


@pytest.mark.parametrize(("gap", "stake"), [(7, 0), (8, 109), (9, 200), (10, 269), (11, 320), (12, 440)])
def test_kelly_bets_its_share_of_a_thousand_chips(gap: int, stake: int) -> None:
    assert bet("Kelly", pot=5000, max_bet=1000, **GAP[gap]) == stake


@pytest.mark.parametrize(("fraction", "stakes"), [(0.5, [100, 220]), (0.25, [50, 110]), (2.0, [400, 880])])
def test_kelly_bets_the_fraction_of_its_share_that_it_is_told_to(fraction: float, stakes: list[int]) -> None:
    kelly, limits = ROSTER["Kelly"], {"pot": 5000, "max_bet": 1000}
    params = {"fraction": fraction}
    assert [bet_of(kelly, params=params, **limits, **GAP[gap]) for gap in (9, 12)] == stakes


def test_kelly_never_bets_more_than_it_may_and_passes_rather_than_overbet() -> None:
    assert bet("Kelly", **GAP[9]) == 100  # its share of 1000 chips is 200
    assert (
        bet("HalfKelly", pot=5000, max_bet=1000, **GAP[9])
        == bet("Kelly", pot=5000, max_bet=1000, **GAP[9]) // 2
        == 100
    )
    assert bet("Kelly", chips=40, max_bet=40, min_bet=10, **GAP[9]) == 0  # its share is 8


def test_kelly_is_the_classic_share_where_no_card_hits_a_post() -> None:
    # Nine win, one loses, none hits: p − q = .8, although a post would cost two bets.
    assert bet("Kelly", pot=5000, max_bet=1000, wins=9, hits=0, losses=1) == 800


@given(
    wins=st.integers(1, 48),
    hits=st.integers(0, 6),
    losses=st.integers(0, 40),
    multiplier=st.integers(1, 3),
)
def test_no_whole_stake_grows_chips_faster_than_kellys(
    wins: int, hits: int, losses: int, multiplier: int
) -> None:
    chips = 1_000_000
    stake = bet(
        "Kelly",
        table_rules({"post": {"multiplier": multiplier}}),
        **{"chips": chips, "pot": chips, "max_bet": chips, "wins": wins, "hits": hits, "losses": losses},
    )

    def growth(bet: int) -> float:
        after = (chips + bet, chips - bet, chips - multiplier * bet)
        cards = (wins, losses, hits)
        if any(n and left <= 0 for n, left in zip(cards, after, strict=True)):
            return float("-inf")
        return sum(n * log(left / chips) for n, left in zip(cards, after, strict=True) if n)

    others = [0, stake - 2000, stake + 2000, chips // 10, chips // 3, chips // 2, chips]
    assert all(growth(stake) >= growth(other) - 1e-9 for other in others if 0 <= other <= chips)


def test_on_trips_a_counter_stakes_what_the_pot_can_pay() -> None:
    house = TABLES["denexa_house"]  # no passing, least bet 5, 25 to 1
    assert bet("Edge", house, **SIXES_FOR_TRIPS | {"pot": 500, "max_bet": 500, "min_bet": 5}) == 20
    assert bet("Edge", house, **SIXES_FOR_TRIPS | {"pot": 60, "max_bet": 60, "min_bet": 5}) == 0


def test_on_trips_a_counter_takes_the_payment_unless_a_bet_is_worth_more() -> None:
    choice = TABLES["payment or trips"]  # the payment is twice the least bet: 10
    assert bet("Edge", choice, **SIXES_FOR_TRIPS | {"pot": 500, "max_bet": 500, "min_bet": 5}) == 0
    # Two of four cards left: a stake of 20 is worth (2 · 500 − 2 · 20) / 4 = 240.
    few_left = SIXES_FOR_TRIPS | {"pot": 500, "max_bet": 500, "min_bet": 5, "losses": 2}
    assert (bet("Edge", choice, **few_left), bet("Kelly", choice, **few_left)) == (20, 20)


@st.composite
def hands(draw: st.DrawFn) -> tuple[TableRules, Hand]:
    """Any hand that a table may ask about, with any counts and limits that agree with each other."""
    rules = draw(st.sampled_from(list(TABLES.values())))
    kind = draw(st.sampled_from([Kind.GAP, Kind.CONSECUTIVE, Kind.PAIR, Kind.TRIPS]))
    low = draw(st.integers(1, 12 if kind == Kind.GAP else 13))
    high = {Kind.GAP: draw(st.integers(min(low + 2, 14), 14)), Kind.CONSECUTIVE: low + 1}.get(kind, low)
    chips, pot = draw(st.integers(1, 10_000)), draw(st.integers(1, 10_000))
    max_bet = draw(st.integers(1, min(chips, pot)))
    counts = {
        "wins": draw(st.integers(0, 48)),
        "losses": draw(st.integers(0, 48)),
        "hits": draw(st.integers(0, 6)),
    }
    if kind == Kind.TRIPS:
        counts["hits"] = 0
    call = draw(st.sampled_from([-1, 1])) if kind == Kind.PAIR else 0
    limits = {"chips": chips, "pot": pot, "min_bet": min(rules.bet.min, max_bet), "max_bet": max_bet}
    return rules, dict(
        low=low, high=high, kind=kind, call=call, round=draw(st.integers(1, 10)), **limits, **counts
    )


def test_a_counter_bets_all_where_a_hit_costs_less_than_the_rules_say() -> None:
    # Gap 7 on a fresh pack: 28 − 16 − 2 · 6 is nothing a chip, but of 100 chips a hit takes 100 and not 200.
    assert bet("Exact", chips=100, max_bet=100, **GAP[7]) == 100
    assert bet("Exact", chips=200, max_bet=100, **GAP[7]) == 0


def test_on_trips_a_counter_adds_the_chip_that_the_pot_cannot_pay_in_full_where_that_is_worth_it() -> None:
    # Pot 524, 25 to 1: 20 chips win 500, 21 win 524. Worth 2 · 24 − 2 > 0 where two of four cards lose, − 48 · 1 + 48 = 0
    # where 48 do.
    house = TABLES["denexa_house"]
    stakes = {"pot": 524, "max_bet": 524, "min_bet": 5}
    assert bet("Exact", house, **SIXES_FOR_TRIPS | stakes | {"losses": 2}) == 21
    assert bet("Exact", house, **SIXES_FOR_TRIPS | stakes) == 20


@settings(deadline=None)
@given(hand=hands())
def test_no_legal_bet_is_worth_more_than_a_counters(hand: tuple[TableRules, Hand]) -> None:
    rules, given = hand
    least, is_trips = given["min_bet"], given["kind"] == Kind.TRIPS and "trips" in rules.pair.rule
    odds = rules.pair.trips_odds if is_trips else 1
    times = rules.pair.post if given["kind"] == Kind.PAIR else rules.post.multiplier
    is_choice = given["kind"] == Kind.TRIPS and rules.pair.rule == "auto_pay_or_trips"

    def worth(stake: int) -> int:
        """Expected chips times the unseen cards, by rules.md."""
        if stake == 0 and is_choice:
            return min(rules.pair_pay_chips, given["pot"]) * max(cards, 1)
        stake = least if stake == 0 and not rules.bet.may_pass else stake
        won = min(odds * stake, given["pot"])
        lost = given["losses"] * stake + given["hits"] * min(times * stake, given["chips"])
        return given["wins"] * won - lost

    cards = given["wins"] + given["hits"] + given["losses"]
    legal = [0, *range(least, given["max_bet"] + 1)]
    assert worth(bet("Exact", rules, **given)) == max(map(worth, legal))


def test_leader_passes_in_the_last_three_rounds_while_nobody_has_more() -> None:
    ahead, level, behind = (1000, 900), (1000, 1000), (1000, 1100)
    assert bet("LeaderPasses", round=7, stacks=ahead) == 100
    assert [bet("LeaderPasses", round=8, stacks=s) for s in (ahead, level, behind)] == [0, 0, 100]
    assert bet("LeaderPasses", TABLES["denexa"], round=90, stacks=ahead) == 100  # no rounds, never late


def test_mood_stakes_what_somebody_else_staked_last() -> None:
    bot = ROSTER["Mood"]()
    bot.start(Table(0, 3, TABLES["nepali"], bot))

    def after(seat: int, stake: int, **given: Any) -> int:
        bot.watch(Play(seat, (3, 12), 3, 12, "gap", None, stake, 7, 0, 100, (1000, 1000, 1000), 1, 0))
        return int(bot.bet(turn(**given)))

    assert after(1, 30) == 30
    assert after(2, 0) == 30  # a pass is no stake
    assert after(0, 70) == 30  # its own is not somebody else's
    assert after(2, 500) == 100  # no more than it may
    assert after(1, 3, min_bet=5) == 5


def test_random_draws_every_legal_bet_and_zero_only_where_it_is_a_bet_of_its_own() -> None:
    def drawn(rules: TableRules) -> set[int]:
        one, bot = turn(rules, min_bet=3, max_bet=6), ROSTER["RandomBet"]()
        return {bot.bet(one) for _ in range(200)}

    assert drawn(TABLES["nepali"]) == {0, 3, 4, 5, 6}
    assert drawn(TABLES["denexa"]) == {3, 4, 5, 6}


@given(hand=hands(), name=st.sampled_from(sorted(ROSTER)))
def test_every_bet_is_a_plain_int_and_legal_on_any_hand_at_any_table(
    hand: tuple[TableRules, Hand], name: str
) -> None:
    rules, given = hand
    answer = bet(name, rules, **given)
    assert answer == 0 or given["min_bet"] <= answer <= given["max_bet"]


@pytest.mark.parametrize("name", ["Edge", "Ladder", "Mood", "RandomBet"])
@given(hand=hands())
def test_twins_answer_alike(hand: tuple[TableRules, Hand], name: str) -> None:
    rules, given = hand
    twins = bot_classes(vars(TWINS), TWINS.__name__)
    twin = twins[name + ("Vector" if name in SCALAR else "Scalar")]
    assert bet_of(twin, rules, **given) == bet(name, rules, **given)


# ---- the guides


def examples() -> list[Any]:
    """Every Python example of the guides that writes a bot."""
    found = []
    for path in GUIDES:
        for block in re.findall(r"```python\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL):
            found.append(pytest.param(block, id=re.findall(r"class (\w+)", block)[0]))
    return found


@pytest.mark.parametrize("block", examples())
def test_the_guides_bots_run(block: str) -> None:
    namespace: dict[str, Any] = {"__name__": "example"}
    exec(compile(block, "example", "exec"), namespace)
    (bot_class,) = bot_classes(namespace, "example").values()
    assert bet_of(bot_class) in (33, 100)  # a third of what it may on a small edge, or all


def test_the_guides_table_names_every_field_of_a_turn() -> None:
    text = GUIDES[1].read_text(encoding="utf-8")
    fields = [name for name in vars(Turn) if not name.startswith("_")]
    assert [name for name in fields if not re.search(rf"`{name}(\(\w*\))?`", text)] == []
