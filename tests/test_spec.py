"""A tournament file: what it may say, what it means, and how every error in it is told with its place."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.bot.entrant import BotSource
from arena.bot.source import Place
from arena.errors import ArenaError
from arena.game.rules import preset_names, preset_table, table_rules
from arena.tournament.schema import TABLE_HELP, json_schema
from arena.tournament.spec import Limits, TournamentSpec, load_spec
from arena.tournament.yaml_source import parse_yaml


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "gap.py").write_text("")
    return tmp_path


def load(folder: Path, text: str | bytes, *overrides: str, name: str = "t.yaml") -> TournamentSpec:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return load_spec(path, overrides)


def wrong(folder: Path, text: str | bytes, *overrides: str) -> list[str]:
    """The problems of a file, without the folder's name."""
    with pytest.raises(ArenaError) as caught:
        load(folder, text, *overrides)
    problems = [str(p).replace(f"{folder}/", "") for p in caught.value.problems]
    assert all("\n" not in p and len(p) < 400 for p in problems)
    return problems


FULL = """\
# yaml-language-server: $schema=schema.json
name: autumn_1.0
seed: 20261129
table:
  preset: denexa
  ante: {amount: 10}
  end: {rounds: 5, turns: null}
seats: 3
bots: bots
schedule: balanced
lineups: 40
deals: 500
rank_by: wins
confidence: 0.9
limits: {decision_ms: 5, bank_ms: 0, memory_mb: 128, faults: 1}
"""


def test_everything_that_can_be_said_is_understood(folder: Path) -> None:
    spec = load(folder, FULL)
    assert (spec.name, spec.seed, spec.seats) == ("autumn_1.0", 20261129, 3)
    assert (spec.schedule, spec.lineups, spec.against) == ("balanced", 40, ())
    assert (spec.deals, spec.rank_by, spec.confidence) == (500, "wins", 0.9)
    assert spec.limits == Limits(decision_ms=5, bank_ms=0, memory_mb=128, faults=1)
    assert spec.table == table_rules(
        {"preset": "denexa", "ante": {"amount": 10}, "end": {"rounds": 5, "turns": None}}
    )
    assert spec.bots == (BotSource(folder / "bots", at=Place(folder / "t.yaml", 9, 7)),)


def test_what_is_not_said_has_a_default(folder: Path) -> None:
    spec = load(folder, "bots: bots\n", name="first try!.yaml")
    assert (spec.name, spec.seed, spec.seats, spec.schedule) == ("first-try", 1, 2, "round_robin")
    assert (spec.lineups, spec.against, spec.deals) == (None, (), 1000)
    assert (spec.rank_by, spec.confidence) == ("adjusted", 0.95)
    assert spec.limits == Limits(decision_ms=20, bank_ms=1000, memory_mb=256, faults=10)
    assert spec.table == table_rules({"preset": "nepali"})
    assert load(folder, "bots: bots\ntable:\n").table == spec.table


def test_a_spec_is_frozen_and_its_table_is_plain_data(folder: Path) -> None:
    spec = load(folder, "bots: bots")
    with pytest.raises(ValueError, match="frozen"):
        spec.seed = 2  # type: ignore[misc]
    assert spec.table.model_dump()["ante"] == {"amount": 10, "each_round": True, "when_empty": True}


def test_bots_are_a_folder_a_file_or_a_list(folder: Path) -> None:
    gap = folder / "bots" / "gap.py"
    at = folder / "t.yaml"
    assert load(folder, "bots: bots/gap.py").bots == (BotSource(gap, at=Place(at, 1, 7)),)
    assert load(folder, "bots: bots/gap.py:Gap(a=7)").bots == (
        BotSource(gap, "Gap", params={"a": 7}, at=Place(at, 1, 7)),
    )
    text = """\
bots:
- bots
- bots/gap.py:Gap(threshold=7)
- {file: bots/gap.py, class: Gap, name: eight, params: {threshold: 8, rest: [1.5, x, true, null]}}
- file: ./bots/../bots/gap.py
  params:
"""
    assert load(folder, text).bots == (
        BotSource(folder / "bots", at=Place(at, 2, 3)),
        BotSource(gap, "Gap", params={"threshold": 7}, at=Place(at, 3, 3)),
        BotSource(
            gap,
            "Gap",
            "eight",
            {"threshold": 8, "rest": [1.5, "x", True, None]},
            at=Place(at, 4, 3),
        ),
        BotSource(gap, at=Place(at, 5, 3)),
    )


def test_a_gauntlet_names_whom_to_meet(folder: Path) -> None:
    spec = load(folder, "bots: bots\nschedule: gauntlet\nseats: 3\nagainst: [Edge, 'Gap(threshold=7)']")
    assert spec.against == ("Edge", "Gap(threshold=7)")


def test_overrides_lie_over_the_file_and_the_preset(folder: Path) -> None:
    text = "bots: bots\ntable: {preset: denexa}\nlimits: {faults: 3}"
    spec = load(folder, text, "table.ante.amount=20", "seed=7", "limits.faults=4", "name=x", "seed = 8")
    assert spec.table == table_rules({"preset": "denexa", "ante": {"amount": 20}})
    assert (spec.seed, spec.limits.faults, spec.name) == (8, 4, "x")
    spec = load(folder, text, "schedule=balanced", "lineups=9", "table.end={rounds: 3, turns: null}")
    assert (spec.schedule, spec.lineups, spec.table.end.rounds, spec.table.end.turns) == (
        "balanced",
        9,
        3,
        None,
    )
    assert load(folder, "bots: nowhere", "bots=[bots/gap.py]").bots[0].path == folder / "bots" / "gap.py"


def test_overrides_mend_what_the_file_has_wrong(folder: Path) -> None:
    assert (
        load(folder, "bots: bots\nseed: yes\ntable: {preset: nepalii}", "seed=3", "table.preset=nepali").seed
        == 3
    )


def test_anchors_aliases_and_merges_mean_what_they_stand_for(folder: Path) -> None:
    text = """\
bots:
- &gap {file: bots/gap.py, class: Gap, params: {a: 1}}
- {<<: *gap, class: Other, name: other}
- *gap
"""
    sources = load(folder, text).bots
    assert [(s.class_name, s.name, s.params) for s in sources] == [
        ("Gap", None, {"a": 1}),
        ("Other", "other", {"a": 1}),
        ("Gap", None, {"a": 1}),
    ]


def test_what_yaml_1_1_would_take_for_something_else_is_read_as_written(folder: Path) -> None:
    text = "bots: bots\nschedule: gauntlet\nname: 2026-11-29\n"
    text += "against: [yes, 010, 1_000, 1:30, 2026-11-29, off]\n"
    spec = load(folder, text)
    assert spec.against == ("yes", "010", "1_000", "1:30", "2026-11-29", "off")
    assert spec.name == "2026-11-29"


def test_a_byte_order_mark_and_line_ends_of_windows_do_no_harm(folder: Path) -> None:
    assert load(folder, b"\xef\xbb\xbfbots: bots\r\nseed: 5\r\n").seed == 5


N = "(keys here: name, seed, table, seats, bots, schedule, lineups, against, deals, stop, rank_by, confidence, "
A = "(keys here: amount, each_round, when_empty)"
LIST = 'a folder, a file, or a list of "file.py", "file.py:Class(threshold=7)" or {file, class, name, params}'
BAD = [
    # unknown keys
    ("sead: 1", f't.yaml:2:1: sead: unknown key "sead"; did you mean "seed"? {N}'),
    ("zzz: 1", f't.yaml:2:1: zzz: unknown key "zzz" {N}'),
    ("ante: {amount: 1}", f't.yaml:2:1: ante: unknown key "ante"; it belongs under table: {N}'),
    (
        "table:\n  ante:\n    amuont: 5",
        f't.yaml:4:5: table.ante.amuont: unknown key "amuont"; did you mean "amount"? {A}',
    ),
    (
        "table: {ante.amount: 5}",
        't.yaml:2:9: table.ante.amount: unknown key "ante.amount"; nest it: ante: {amount: ...}',
    ),
    (
        "table: {seats: 5}",
        't.yaml:2:9: table.seats: unknown key "seats"; a key of the tournament, not of its table',
    ),
    ("limits: {fault: 5}", 't.yaml:2:10: limits.fault: unknown key "fault"; did you mean "faults"?'),
    ('"a\\nb\\e[2J": 1', 't.yaml:2:1: a\\nb\\x1b[2J: unknown key "a\\nb\\x1b[2J"'),
    # wrong types and values
    (
        "table:\n  ante: {amount: ten}",
        "t.yaml:3:18: table.ante.amount: expected a whole number from 1 to 1000000000, got 'ten'",
    ),
    (
        "table: {ante: {amount: 5.0}}",
        "t.yaml:2:24: table.ante.amount: expected a whole number from 1 to 1000000000, got 5.0",
    ),
    (
        "table: {ante: {amount: true}}",
        "table.ante.amount: expected a whole number from 1 to 1000000000, got true",
    ),
    (
        "table: {ante: {amount:}}",
        "table.ante.amount: expected a whole number from 1 to 1000000000, got nothing",
    ),
    (
        "table: {ante: 5}",
        "t.yaml:2:15: table.ante: expected a mapping with the keys amount, each_round, when_empty, got 5",
    ),
    ("table: {chips: -5}", "t.yaml:2:16: table.chips: expected a whole number from 1 to 1000000000, got -5"),
    (
        "table: {chips: 1000000001}",
        "table.chips: expected a whole number from 1 to 1000000000, got 1000000001",
    ),
    (
        f"table: {{chips: {'9' * 5000}}}",
        "table.chips: expected a whole number from 1 to 1000000000, got '999",
    ),
    ("table: {chips: [1]}", "table.chips: expected a whole number from 1 to 1000000000, got a list"),
    ("table: {bet: {may_pass: 1}}", "t.yaml:2:25: table.bet.may_pass: expected true or false, got 1"),
    (
        "table: {pair: {rule: higher_lwer}}",
        'table.pair.rule: expected "higher_lower", "auto_pay", "trips_bet", '
        '"auto_pay_or_trips", "pass" or "auto_trips", got \'higher_lwer\'; did you mean "higher_lower"?',
    ),
    (
        "table: {end: {rounds: 0}}",
        "t.yaml:2:23: table.end.rounds: expected a whole number from 1 to 10000 or null, got 0",
    ),
    (
        "table: nepali",
        "table: expected a mapping such as {preset: nepali}, got 'nepali'; write table: {preset: nepali}",
    ),
    ("table: [1]", "t.yaml:2:8: table: expected a mapping such as {preset: nepali}, got a list"),
    ("seats: 1", "t.yaml:2:8: seats: expected a whole number from 2 to 8, got 1"),
    ("seats: 9", "t.yaml:2:8: seats: expected a whole number from 2 to 8, got 9"),
    ("deals: 0", "t.yaml:2:8: deals: expected a whole number from 1 to 10000000, got 0"),
    ("deals: 10000001", "deals: expected a whole number from 1 to 10000000, got 10000001"),
    (
        "seed: -1",
        't.yaml:2:7: seed: expected a whole number from 0 to 340282366920938463463374607431768211455 or "secret", got -1',
    ),
    (
        "seed: 340282366920938463463374607431768211456",
        '"secret", got 340282366920938463463374607431768211456',
    ),
    ("confidence: 95", "t.yaml:2:13: confidence: expected a number from 0.5 to 0.9999, got 95"),
    (
        "confidence: .nan",
        "confidence: expected a number from 0.5 to 0.9999, got '.nan' (write a finite number)",
    ),
    (
        "rank_by: chip",
        't.yaml:2:10: rank_by: expected "adjusted", "chips" or "wins", got \'chip\'; did you mean "chips"?',
    ),
    (
        "schedule: swiss",
        't.yaml:2:11: schedule: expected "round_robin", "balanced" or "gauntlet", got \'swiss\'',
    ),
    (
        "limits: {memory_mb: 1}",
        "t.yaml:2:21: limits.memory_mb: expected a whole number from 64 to 1048576, got 1",
    ),
    (
        "limits: 5",
        "t.yaml:2:9: limits: expected a mapping with the keys decision_ms, bank_ms, memory_mb, faults, got 5",
    ),
    ("name: 5", 't.yaml:2:7: name: expected text, got 5; quote it: "5"'),
    ("name: ../x", "t.yaml:2:7: name: expected a name for a folder (letters, digits, . _ -,"),
    ("name: .x", "name: expected a name for a folder"),
    ('name: "x\\n"', "name: expected a name for a folder"),
    ("name: ''", "name: expected a name for a folder"),
    # traps of YAML 1.1
    ("table: {bet: {may_pass: yes}}", "table.bet.may_pass: expected true or false, got 'yes' (write true)"),
    ("table: {bet: {may_pass: Off}}", "table.bet.may_pass: expected true or false, got 'Off' (write false)"),
    (
        "deals: 1_000",
        "t.yaml:2:8: deals: expected a whole number from 1 to 10000000, got '1_000' (write numbers without",
    ),
    (
        "deals: 010",
        "deals: expected a whole number from 1 to 10000000, got '010' (write numbers without leading zeros)",
    ),
    ("deals: 0x10", "got '0x10' (write numbers with ten digits)"),
    ("deals: 1:30", "got '1:30' (some readers take it for a number to base 60)"),
    ("seed: 2026-11-29", "got '2026-11-29' (some readers take it for a date)"),
    (
        "seed: secrets",
        "t.yaml:2:7: seed: expected a whole number from 0 to 340282366920938463463374607431768211455 or",
    ),
    ("stop: {when: sorted}", 't.yaml:2:14: stop.when: expected "ranked" or "half_width", got \'sorted\''),
    ("stop: ranked", "t.yaml:2:7: stop: expected a mapping with the keys when, chips, indifferent_chips, "),
    (
        "stop: {}",
        't.yaml:2:1: stop.when: expected "ranked" or "half_width", but the key is missing; write it',
    ),
    (
        "stop: {when: ranked, max_deal: 500}",
        't.yaml:2:22: stop.max_deal: unknown key "max_deal"; did you mean "max_deals"? (keys here: when, chips,',
    ),
    (
        "stop: {when: half_width, chips: 0}",
        "t.yaml:2:33: stop.chips: expected a number above 0, at most 1000000000 or null, got 0",
    ),
    (
        "stop: {when: half_width}",
        "stop.chips: when: half_width needs the half width to reach; write chips: 5, say",
    ),
    ("stop: {when: ranked, chips: 5}", "stop.chips: when: ranked has no use for it"),
    (
        "stop: {when: half_width, chips: 5, indifferent_chips: 2}",
        "t.yaml:2:55: stop.indifferent_chips: when: half_width has no use for it; delete it, or write when: ranked",
    ),
    (
        "stop: {when: ranked, min_deals: 99}",
        "t.yaml:2:33: stop.min_deals: expected a whole number from 100 to",
    ),
    (
        "stop: {when: ranked, min_deals: 500, max_deals: 400}",
        "stop.max_deals: expected at least min_deals, 500, got 400",
    ),
    (
        "rank_by: wins\nstop: {when: half_width, chips: 1}",
        "t.yaml:3:33: stop.chips: with rank_by: wins it is a share of games: expected a number below 1, got 1; "
        "write 0.01 for 1 %",
    ),
    (
        "rank_by: wins\nstop: {when: ranked, indifferent_chips: 2.5}",
        "t.yaml:3:41: stop.indifferent_chips: with rank_by: wins it is a share of games: expected a number below 1, "
        "got 2.5; write 0.025 for 2.5 %",
    ),
    (
        "rank_by: wins\nstop: {when: ranked, indifferent_chips: 500}",
        "expected a number below 1, got 500; write 0.02 for 2 %",
    ),
    (
        "schedule: gauntlet\nagainst: [A]\nstop: {when: ranked}",
        "t.yaml:4:14: stop.when: ranked does not go with schedule: gauntlet, whose bots are not ranked since they "
        "meet different fields; write when: half_width, or another schedule",
    ),
    ("deals: 5\nstop: {when: ranked}", "t.yaml:3:7: stop: deals and stop are both there; delete deals"),
    (
        "table: {bank: pott}",
        't.yaml:2:15: table.bank: expected "pot", "house" or "dealer", got \'pott\'; did you',
    ),
    # banks, wagers and payouts
    (
        "table: {preset: red_dog, bank: pot}",
        "t.yaml:2:32: table: bet.before_posts: true needs bank: house or bank: dealer (a pot has nothing to cover a wager",
    ),
    (
        "table: {bank: house, bet: {before_posts: true}}",
        "t.yaml:2:42: table: bet.before_posts: true needs consecutive: push",
    ),
    (
        "table: {preset: red_dog, pair: {rule: auto_pay}}",
        "t.yaml:2:17: table: bet.before_posts: true needs pair.rule: auto_trips",
    ),
    (
        "table: {preset: red_dog, bet: {may_pass: true}}",
        "table: bet.before_posts: true needs bet.may_pass: false (whoever is dealt in has wagered; a raise may",
    ),
    ("table: {preset: red_dog, bet: {must_cover_post: true}}", "needs bet.must_cover_post: false"),
    (
        "table: {consecutive: push}",
        "consecutive: push needs a wager to give back or to raise; write bet.before_posts: true",
    ),
    (
        "table: {pair: {rule: auto_trips}}",
        "pair.rule: auto_trips needs a wager to give back or to raise; write bet.bef",
    ),
    (
        "table: {bank: dealer, bet: {raise: wager}}",
        "bet.raise: wager needs a wager to give back or to raise; write bet",
    ),
    (
        "table: {preset: red_dog, bet: {raise: pot}}",
        'table.bet.raise: expected "none" or "wager", got \'pot\'',
    ),
    (
        "table: {payouts: {1: 2}}",
        "t.yaml:2:18: table: payouts: a pot pays 1 to 1; leave them out, or write bank: house or",
    ),
    (
        "table: {bank: house, payouts: {13: 2}}",
        "payouts: expected gaps from 1 to 12 such as {1: 5, 2: 4}, got 13",
    ),
    (
        "table: {bank: house, payouts: {wide: 2}}",
        "payouts: expected gaps from 1 to 12 such as {1: 5, 2: 4}, got wide",
    ),
    (
        "table: {bank: house, payouts: {1: 0}}",
        "table.payouts.1: expected a whole number from 1 to 1000, got 0",
    ),
    (
        "table: {bank: house, payouts: {}}",
        "payouts: expected gaps from 1 to 12 such as {1: 5, 2: 4}, got none",
    ),
    (
        "table: {preset: red_dog, payouts: {2: many}}",
        "table.payouts.2: expected a whole number from 1 to 1000, got 'many'",
    ),
    ("table: {bank: house, payouts: 5}", "table.payouts: expected a mapping or null, got 5"),
    # presets
    (
        "table: {preset: nepalli}",
        "t.yaml:2:17: table.preset: expected a preset (article, bicycle, dealer, denexa, denexa_house, "
        "nepali, red_dog), got 'nepalli'; did you mean \"nepali\"?",
    ),
    ("table: {preset: [nepali]}", "t.yaml:2:17: table.preset: expected a preset ("),
    # what does not go together
    (
        "table:\n  end: {rounds: null}",
        "t.yaml:3:8: table: end.rounds and end.turns are both null: players who always pass would never",
    ),
    (
        "schedule: balanced",
        "t.yaml:2:11: lineups: schedule: balanced needs how many lineups to play; write lineups: 100, say",
    ),
    (
        "lineups: 5",
        "t.yaml:2:10: lineups: schedule: round_robin plays them all; delete it, or write schedule: balanced",
    ),
    ("schedule: gauntlet", "t.yaml:2:11: against: schedule: gauntlet with seats: 2 needs 1 or more bots"),
    (
        "schedule: gauntlet\nseats: 3\nagainst: [A]",
        "t.yaml:4:10: against: schedule: gauntlet with seats: 3 needs 2 or more bots",
    ),
    ("schedule: gauntlet\nagainst: [A, A]", 't.yaml:3:10: against: "A" is there twice; delete one'),
    ("schedule: gauntlet\nagainst: A", "t.yaml:3:10: against: expected a list of text, got 'A'"),
    ("schedule: gauntlet\nagainst: [7]", 't.yaml:3:11: against.0: expected text, got 7; quote it: "7"'),
    (
        "against: [A]",
        "2:10: against: schedule: round_robin has no use for it; delete it, or write schedule: gauntlet",
    ),
    # keys twice
    ("seed: 1\nseed: 2", "t.yaml:3:1: seed: the key is there twice, first in line 2, delete one of the two"),
    (
        "table:\n  ante: {amount: 1, amount: 2}",
        "t.yaml:3:21: table.ante.amount: the key is there twice, first in line 3",
    ),
    ("? [a]\n: 1", "t.yaml:2:3: expected a word as the key, found a list or mapping"),
    ("<<: 5", "t.yaml:2:5: <<: expected a mapping (an alias of one)"),
]


@pytest.mark.parametrize(("text", "sentence"), BAD)
def test_an_error_is_one_sentence_with_its_place(folder: Path, text: str, sentence: str) -> None:
    problems = wrong(folder, f"bots: bots\n{text}\n")
    assert len(problems) == 1
    assert sentence in problems[0]
    assert problems[0].startswith("t.yaml:")


@pytest.mark.parametrize(
    "text",
    [
        "schedule: gauntlet\nagainst: [A]\nstop: {when: half_width, chips: 5}",
        "rank_by: wins\nstop: {when: half_width, chips: 0.99}",
        "rank_by: wins\nstop: {when: ranked, indifferent_chips: 0.99}",
        "rank_by: chips\nstop: {when: half_width, chips: 1}",
    ],
)
def test_what_goes_together_is_taken(folder: Path, text: str) -> None:
    (folder / "t.yaml").write_text(f"bots: bots\n{text}\n")
    assert load_spec(folder / "t.yaml").stop is not None


UNREADABLE: list[tuple[str | bytes, str]] = [
    ("", 't.yaml:1:1: the file is empty: expected keys such as "bots: ../bots" and "seed: 1"'),
    ("# nothing\n", "t.yaml:1:1: the file is empty"),
    ("- a\n- b\n", 't.yaml:1:1: found a list: expected keys such as "bots: ../bots"'),
    ("hello", "t.yaml:1:1: found 'hello': expected keys such as"),
    ("table:\n\tseats: 2", "t.yaml:2:1: a tab stands where YAML wants spaces; indent with spaces"),
    ("seed:\t1\n\tx: 2", "t.yaml:1:6: a tab stands where YAML wants spaces"),
    (
        "seed: 1\ntable: {a: 1\nseats: 2\n",
        "t.yaml:3:6: this is no valid YAML: expected ',' or '}', but got ':'",
    ),
    (
        "a: 1\n  b: 2",
        "t.yaml:2:4: this is no valid YAML: a ':' stands where no key can be; check the line before it",
    ),
    ("name: @x", "t.yaml:1:7: this is no valid YAML: '@' cannot start a value; quote the text"),
    ("name: 'x", "t.yaml:1:9: this is no valid YAML"),
    (b"name: caf\xe9\n", "t.yaml:1:10: the line is not UTF-8 text (byte 0xe9); save the file as UTF-8"),
    ("seed: 1".encode("utf-16"), "t.yaml:1:1: the line is not UTF-8 text (byte 0xff)"),
    (b"seed: 1\nname: a\0b", "t.yaml:2:8: the line holds a NUL byte"),
    (b"seed: 1\nname: a\x1bb", "t.yaml:2:8: the character U+001B is not allowed in YAML; delete it"),
    ("seed: 1\n---\nseed: 2", "t.yaml:2:1: a second document begins here; keep one, without ---"),
    ("seed: !!python/object:os.system x", "t.yaml:1:7: tags (!...) are not read here; write the plain value"),
    ("seed: *nobody", "t.yaml:1:7: *nobody has no anchor &nobody before it"),
    ("seed: &a [*a]", "t.yaml:1:11: *a stands inside what it means; write it out"),
    ("x: " + "[" * 900_000, "t.yaml:1:33: nested deeper than 30 levels; flatten it"),
    (
        "a0: &a0 [1]\n" + "".join(f"a{i}: &a{i} [*a{i - 1}]\n" for i in range(1, 99)),
        "nested deeper than 30 levels",
    ),
    (
        "a0: &a0 [1, 2, 3]\n"
        + "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 9)),
        "t.yaml:6:20: more than 100,000 values (aliases written out); shorten it",
    ),
    ("#" * 1_000_001, "t.yaml: the file is larger than 1 MB; shorten it"),
]


@pytest.mark.parametrize(("text", "sentence"), UNREADABLE)
def test_what_is_no_tournament_file_at_all_is_one_sentence(
    folder: Path, text: str | bytes, sentence: str
) -> None:
    [problem] = wrong(folder, text)
    assert sentence in problem


BAD_BOTS = [
    ("seed: 1", f"t.yaml:1:1: bots: expected {LIST}, but the key is missing; write bots: ../bots"),
    ("bots:", f"t.yaml:1:6: bots: expected {LIST}, got nothing"),
    ("bots: []", "t.yaml:1:7: bots: expected a folder, a file, or a list"),
    ("bots: {file: bots/gap.py}", 'got a mapping; begin the entry with "- "'),
    ("bots: 5", "t.yaml:1:7: bots: expected a folder, a file, or a list"),
    ("bots: [5]", "t.yaml:1:8: bots.0: expected a folder, a file, or a list"),
    ("bots: botz", 'botz: there is no such file or folder; did you mean "bots"?'),
    (
        "bots: bots/gap.py:Gap(7)",
        "t.yaml:1:7: bots: expected file.py, file.py:Class or file.py:Class(threshold=7)",
    ),
    ("bots: ['']", "t.yaml:1:8: bots.0: expected file.py"),
    (
        "bots:\n- bots\n- bots/gab.py:Gap",
        't.yaml:3:3: bots.1: bots/gab.py: there is no such file or folder; did you mean "gap.py"?',
    ),
    (
        "bots:\n- {class: Gap}",
        "t.yaml:2:3: bots.0: file: expected a bot's file, but the key is missing; write file: bot.py",
    ),
    (
        "bots:\n- {file: bots/gab.py}",
        "t.yaml:2:10: bots.0.file: bots/gab.py: there is no such file or folder; did you mean",
    ),
    ("bots:\n- {file: 5}", "t.yaml:2:10: bots.0.file: expected text, got 5"),
    (
        "bots:\n- {file: bots/gap.py, klass: Gap}",
        't.yaml:2:23: bots.0.klass: unknown key "klass"; did you mean "class"?',
    ),
    (
        "bots:\n- {file: bots/gap.py, name: a|b}",
        "t.yaml:2:29: bots.0.name: expected a name of printable characters without |",
    ),
    (
        "bots:\n- {file: bots/gap.py, params: 7}",
        "t.yaml:2:31: bots.0.params: expected a mapping such as {threshold: 7}, got 7",
    ),
    (
        "bots:\n- {file: bots/gap.py, params: {a: {b: 1}}}",
        "t.yaml:2:35: bots.0.params.a: expected a number, text, true, false",
    ),
    (
        "bots:\n- {file: bots/gap.py, params: {a: yes}}",
        "t.yaml:2:35: bots.0.params.a: without quotes YAML readers do not agree what it "
        "is; quote it (write true)",
    ),
    (
        "bots:\n- {file: bots/gap.py, params: {a: [1, 010]}}",
        "t.yaml:2:39: bots.0.params.a.1: without quotes YAML readers",
    ),
]


@pytest.mark.parametrize(("text", "sentence"), BAD_BOTS)
def test_what_names_no_bots_is_one_sentence_with_its_place(folder: Path, text: str, sentence: str) -> None:
    [problem] = wrong(folder, text)
    assert sentence in problem
    assert problem.startswith("t.yaml:")


BAD_OVERRIDES = [
    ("seed", "--set seed: expected KEY=VALUE such as table.ante.amount=20"),
    ("=3", "--set =3: expected KEY=VALUE"),
    ("table..x=3", "--set table..x=3: expected KEY=VALUE"),
    ("", "--set : expected KEY=VALUE"),
    ("sead=3", '--set sead=3: sead: unknown key "sead"; did you mean "seed"?'),
    (
        "table.ante.amout=3",
        '--set table.ante.amout=3: table.ante.amout: unknown key "amout"; did you mean "amount"?',
    ),
    (
        "table.ante.amount=ten",
        "--set table.ante.amount=ten: table.ante.amount: expected a whole number from 1 to",
    ),
    ("table.end.rounds=null", "--set table.end.rounds=null: table: end.rounds and end.turns are both null"),
    ("table.preset=denexxa", "--set table.preset=denexxa: table.preset: expected a preset ("),
    ("seats=", "--set seats=: seats: expected a whole number from 2 to 8, got nothing"),
    ("seats=[2", "--set seats=[2: this is no valid YAML"),
    ("limits={faults: 1, faults: 2}", "--set limits={faults: 1, faults: 2}: faults: the key is there twice"),
    ("bots.x=3", "--set bots.x=3: bots is no mapping, so nothing can be set under it"),
    ("bots=nowhere", "--set bots=nowhere: bots: nowhere: there is no such file or folder"),
    ("schedule=balanced", "--set schedule=balanced: lineups: schedule: balanced needs how many lineups"),
]


@pytest.mark.parametrize(("override", "sentence"), BAD_OVERRIDES)
def test_a_wrong_override_is_named_as_the_place(folder: Path, override: str, sentence: str) -> None:
    [problem] = wrong(folder, "bots: bots", override)
    assert problem.startswith(sentence)


def test_every_error_is_told_at_once_in_the_order_of_the_file(folder: Path) -> None:
    text = """\
bots: botz
seed: secrte
seats: 9
schedule: balanced
table:
  preset: nepalli
  chips: 0
  ante: {amount: ten, amuont: 3}
  end: {rounds: null}
  deck: 4
  seats: 3
foo: 1
deals: 1
deals: 2
limits: {faults: 0}
"""
    problems = wrong(folder, text, "confidence=95", "x")
    assert [p.partition(": ")[0] for p in problems] == [
        "--set x",
        "--set confidence=95",
        "t.yaml:1:7",
        "t.yaml:2:7",
        "t.yaml:3:8",
        "t.yaml:4:11",
        "t.yaml:6:11",
        "t.yaml:7:10",
        "t.yaml:8:18",
        "t.yaml:8:23",
        "t.yaml:9:8",
        "t.yaml:10:9",
        "t.yaml:11:3",
        "t.yaml:12:1",
        "t.yaml:14:1",
        "t.yaml:15:18",
    ]


def test_a_missing_file_names_the_nearest_one(tmp_path: Path) -> None:
    (tmp_path / "default.yaml").write_text("bots: x")
    with pytest.raises(ArenaError) as caught:
        load_spec(tmp_path / "defualt.yaml")
    message = 'there is no such file or folder; did you mean "default.yaml"?'
    assert str(caught.value) == f"{tmp_path}/defualt.yaml: {message}"
    with pytest.raises(ArenaError, match="expected a file, found a folder"):
        load_spec(tmp_path)


def test_wrong_rules_do_not_spoil_the_presets_for_the_next_file(folder: Path) -> None:
    before = {name: preset_table(name) for name in preset_names()}
    wrong(folder, "bots: bots\ntable: {ante: 5, chips: x, end: {rounds: null, foo: 1}, pair: {rule: 4}}")
    assert {name: preset_table(name) for name in preset_names()} == before


def test_a_problem_found_later_can_still_be_shown_in_the_file(folder: Path) -> None:
    spec = load(folder, "bots: bots\nseats: 4\n", "deals=5")
    assert str(spec.problem("seats", "too many")) == f"{folder}/t.yaml:2:8: seats: too many"
    assert str(spec.problem("schedule", "x")) == f"{folder}/t.yaml:1:1: schedule: x"
    assert str(spec.problem("deals", "x")) == "--set deals=5: deals: x"


def test_a_spec_made_in_python_checks_itself_too() -> None:
    source = BotSource(Path("bots"))
    with pytest.raises(ValueError, match="balanced needs how many"):
        TournamentSpec(name="x", table=table_rules(), bots=(source,), schedule="balanced")
    spec = TournamentSpec(name="x", table=table_rules(), bots=(source,))
    assert str(spec.problem("seats", "x")) == "seats: x"


@settings(max_examples=120, deadline=None)
@given(st.text(alphabet="abc:-[]{},&*!|>'\"%@`#?\\ \n\t<=.~0123yn", max_size=60))
def test_no_text_makes_the_reader_stumble(text: str) -> None:
    try:
        tree = parse_yaml(text, Place(Path("t.yaml")))
    except ArenaError as error:
        told = error.problems
    else:
        told = tree.problems
        assert () in tree.values
    assert all(problem.line and problem.column for problem in told)


def test_the_schema_knows_every_key_and_asks_only_for_bots() -> None:
    schema = json_schema()
    assert set(schema["properties"]) == set(TournamentSpec.model_fields)
    assert schema["required"] == ["bots"]
    assert schema["additionalProperties"] is False
    table = schema["$defs"]["TableRules"]
    assert table["properties"]["preset"]["enum"] == preset_names()
    for group in (table, *(schema["$defs"][g] for g in ("Ante", "Deck", "Pair", "End", "Limits"))):
        assert "required" not in group
        assert group["additionalProperties"] is False
        assert all("description" in p for p in group["properties"].values() if "$ref" not in p)
    assert all("description" in p for p in schema["properties"].values())
    assert schema["$defs"]["Ante"]["properties"]["amount"]["minimum"] == 1


def test_the_schema_describes_every_key_of_a_table() -> None:
    dump = table_rules({"preset": "red_dog"}).model_dump() | {"payouts": None}
    keys = {f"{g}.{k}" for g, v in dump.items() if isinstance(v, dict) for k in v}
    assert set(TABLE_HELP) == keys | {g for g, v in dump.items() if not isinstance(v, dict)}
