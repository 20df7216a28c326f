"""Every wrong input: one clear sentence with its place and the way out, exit 2, nothing written."""

from __future__ import annotations

import errno
import importlib
import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.cli import main

GOOD = "seed: 1\nbots: bots\ndeals: 5\n"
BOT = "from arena import Bot\nclass {name}(Bot):\n    def bet(self, turn):\n        return 0\n"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "bots").mkdir()
    for name in ("One", "Two"):
        (tmp_path / "bots" / f"{name.lower()}.py").write_text(BOT.format(name=name))
    (tmp_path / "t.yaml").write_text(GOOD)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *arguments: str, command: str = "run t.yaml") -> tuple[int, str]:
    with pytest.raises(SystemExit) as ended:
        main([*command.split(), *arguments])
    code = ended.value.code or 0
    assert isinstance(code, int)
    return code, capsys.readouterr().err


# file's text → the sentence that must stand alone in a line of standard error, place first: file:line:column: key: …
FILES = {
    "unknown key": (GOOD + "deels: 5\n", r't\.yaml:4:1: deels: unknown key "deels"; did you mean "deals"\?'),
    "unknown key below": (
        GOOD + "table: {ante: {amont: 5}}\n",
        r't\.yaml:4:16: table\.ante\.amont: unknown key "amont"; did you mean "amount"\?',
    ),
    "wrong type": (
        GOOD + "seats: two\n",
        r"t\.yaml:4:8: seats: expected a whole number from 2 to 8, got 'two'$",
    ),
    "bool for number": (
        GOOD + "seats: true\n",
        r"t\.yaml:4:8: seats: expected a whole number from 2 to 8, got true$",
    ),
    "duplicate key": (
        GOOD + "deals: 6\n",
        r"t\.yaml:4:1: deals: the key is there twice, first in line 3, delete",
    ),
    "tab": (
        GOOD + "table:\n\tchips: 5\n",
        r"t\.yaml:5:1: a tab stands where YAML wants spaces; indent with spaces$",
    ),
    "empty": ("", r't\.yaml:1:1: the file is empty: expected keys such as "bots: \.\./bots"'),
    "a list": ("- bots\n", r't\.yaml:1:1: found a list: expected keys such as "bots: \.\./bots"'),
    "syntax": (
        "seed: [1\nbots: bots\n",
        r"t\.yaml:2:5: this is no valid YAML: expected ',' or '\]', but got ':'",
    ),
    "missing folder": (
        "bots: nowhere\n",
        r"t\.yaml:1:7: bots: nowhere: there is no such file or folder; check",
    ),
    "seats 1": (GOOD + "seats: 1\n", r"t\.yaml:4:8: seats: expected a whole number from 2 to 8, got 1$"),
    "seats 9": (GOOD + "seats: 9\n", r"t\.yaml:4:8: seats: expected a whole number from 2 to 8, got 9$"),
    "more seats than bots": (
        GOOD + "seats: 3\n",
        r"t\.yaml:2:7: bots: 2 bots to seat at a table of 3; add bots, or set seats lower$",
    ),
    "negative chips": (
        GOOD + "table: {chips: -5}\n",
        r"t\.yaml:4:16: table\.chips: expected a whole number from 1 to 1000000000, got -5$",
    ),
    "huge chips": (
        GOOD + "table: {chips: 99999999999}\n",
        r"t\.yaml:4:16: table\.chips: expected a whole number from 1 to 1000000000, got 99999999999$",
    ),
    "no end": (
        GOOD + "table: {end: {rounds: null}}\n",
        r"t\.yaml:4:14: table: end\.rounds and end\.turns are both null: .* never end the game; give one of them$",
    ),
    "a wager on a pot": (
        GOOD + "table: {preset: red_dog, bank: pot}\n",
        r"t\.yaml:4:32: table: bet\.before_posts: true needs bank: house or bank: dealer \(",
    ),
    "no such preset": (
        GOOD + "table: {preset: nepal}\n",
        r't\.yaml:4:17: table\.preset: expected a preset \(.*\), got \'nepal\'; did you mean "nepali"\?$',
    ),
    "a choice": (
        GOOD + "table: {consecutive: pas}\n",
        r't\.yaml:4:22: table\.consecutive: expected "pass", "bet", "pay_min" or "push", got \'pas\'; did you mean',
    ),
    "no bots key": (
        "seed: 1\n",
        r"t\.yaml:1:1: bots: expected a folder, .*, but the key is missing; write bots: ",
    ),
    "a folder's name": (
        GOOD + "name: ../x\n",
        r"t\.yaml:4:7: name: expected a name for a folder \(.*\), got '\.\./x'$",
    ),
    "params": (
        "bots:\n- {file: bots/one.py, params: {thresh: 1}}\n- bots/two.py\n",
        r"t\.yaml:2:3: class One has no parameter 'thresh' \(it takes none\)$",
    ),
    "unknown class": (
        "bots:\n- bots/one.py:Onne\n- bots/two.py\n",
        r't\.yaml:2:3: one\.py has no bot class Onne; did you mean "One"\?',
    ),
    "name twice": (
        "bots:\n- {file: bots/one.py, name: X}\n- {file: bots/two.py, name: X}\n",
        r't\.yaml:3:3: 2 bots are called "X": bots/one\.py:2 \(class One\) and bots/two\.py:2 \(class Two\); give each',
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_a_wrong_tournament_file(name: str, place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text, says = FILES[name]
    (place / "t.yaml").write_text(text)
    code, err = run(capsys)
    assert code == 2
    assert re.search(f"^error: {says}", err, re.M), err
    assert "Traceback" not in err
    assert not (place / "reports").exists()


def not_utf8(place: Path) -> None:
    (place / "t.yaml").write_bytes(b"name: \xff\n")


def no_file(place: Path) -> None:
    (place / "t.yaml").unlink()


def a_folder(place: Path) -> None:
    (place / "t.yaml").unlink()
    (place / "t.yaml").mkdir()


def no_bots(place: Path) -> None:
    for path in (place / "bots").iterdir():
        path.unlink()


def one_bot(place: Path) -> None:
    (place / "bots" / "two.py").unlink()


def bot_syntax(place: Path) -> None:
    (place / "bots" / "two.py").write_text("from arena import Bot\nclass Two(Bot:\n")


def no_class(place: Path) -> None:
    (place / "bots" / "two.py").write_text("x = 1\n")


def no_bet(place: Path) -> None:
    (place / "bots" / "two.py").write_text("from arena import Bot\nclass Two(Bot):\n    pass\n")


def same_name(place: Path) -> None:
    (place / "bots" / "two.py").write_text(BOT.format(name="One"))


def report_is_a_file(place: Path) -> None:
    (place / "reports").mkdir()
    (place / "reports" / "t").write_text("mine")


def third_stays(place: Path) -> None:
    same_name(place)
    (place / "bots" / "three.py").write_text(
        "from arena import Bot\nclass Three(Bot):\n    def bet(self, turn):\n        return 0\n"
    )


PLACES: dict[str, tuple[Callable[[Path], None], str]] = {
    "not utf-8": (
        not_utf8,
        r"t\.yaml:1:7: the line is not UTF-8 text \(byte 0xff\); save the file as UTF-8$",
    ),
    "no file": (no_file, r"t\.yaml: there is no such file or folder; check the path$"),
    "a folder": (a_folder, r"t\.yaml: expected a file, found a folder$"),
    "no bots": (
        no_bots,
        r"t\.yaml:2:7: bots has no bots: put a \.py file with a class deriving from arena\.Bot there$",
    ),
    "one bot": (one_bot, r"t\.yaml:2:7: bots: one bot found, and a game takes two; add bots"),
    "bot with a syntax error": (bot_syntax, r"bots/two\.py:2:\d+: the file is no valid Python: "),
    "bot file without a class": (no_class, r'bots/two\.py: no bot class here: write "class Name\(Bot\)"'),
    "bot without bet": (
        no_bet,
        r'bots/two\.py:2:1: class Two has no bet\(turn\): write "def bet\(self, turn\)"',
    ),
    "a name used twice": (
        same_name,
        r'bots/two\.py:2:1: 2 bots are called "One": bots/one\.py:2 \(class One\) and bots/two\.py:2 \(class One\); give',
    ),
    "all but one called alike": (
        third_stays,
        r"t\.yaml:2:7: bots: one bot left, without those named above, and a game takes two; mend those, or add bots to",
    ),
    "report folder is a file": (
        report_is_a_file,
        r"(\S*/)?reports/t: expected a folder for the report, found a file; ",
    ),
}


@pytest.mark.parametrize("name", PLACES)
def test_a_wrong_place(name: str, place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change, says = PLACES[name]
    change(place)
    before = sorted((place / "reports").rglob("*"))
    code, err = run(capsys)
    assert code == 2, err
    assert re.search(f"^error: {says}", err, re.M), err
    assert "Traceback" not in err
    assert sorted((place / "reports").rglob("*")) == before


# what follows --set → the sentence after it; {} is the table: in a tournament file, and where there is only a table
OVERRIDES = {
    "no value": ("{}chips", r"expected KEY=VALUE such as {}ante\.amount=20$"),
    "no key": ("=5", r"expected KEY=VALUE such as {}ante\.amount=20$"),
    "unknown": ("{}chip=5", r'table\.chip: unknown key "chip"; did you mean "chips"\?'),
    "unknown below": ("{}ante.amout=3", r'table\.ante\.amout: unknown key "amout"; did you mean "amount"\?'),
    "a group": (
        "{}ante=5",
        r"table\.ante: expected a mapping with the keys amount, each_round, when_empty, got 5$",
    ),
    "below a value": (
        "{}chips.x=5",
        r"table\.chips: expected a whole number from 1 to 1000000000, got a mapping$",
    ),
    "on for true": (
        "{}bet.may_pass=on",
        r"table\.bet\.may_pass: expected true or false, got 'on' \(write true\)$",
    ),
    "underscores": (
        "{}ante.amount=1_0",
        r"table\.ante\.amount: expected a whole number .*, got '1_0' \(write numbers without underscores\)$",
    ),
    "octal": (
        "{}ante.amount=010",
        r"table\.ante\.amount: .*, got '010' \(write numbers without leading zeros\)$",
    ),
    "a choice": ("{}ace.first=hihg", r"table\.ace\.first: expected .*, got 'hihg'; did you mean \"high\"\?$"),
    "no such preset": ("{}preset=nepal", r"table\.preset: expected a preset .*; did you mean \"nepali\"\?$"),
    "a pot's payouts": (
        "{}payouts.2=4",
        r"table: payouts: a pot pays 1 to 1; leave them out, or write bank: house",
    ),
    "no end": ("{}end.rounds=null", r"table: end\.rounds and end\.turns are both null: "),
    "no YAML": ("{}chips=[1", r"this is no valid YAML: "),
    "twice": ("{}ante={{amount: 1, amount: 2}}", r"amount: the key is there twice, delete one of the two$"),
    "not of a table": (
        "{}seats=3",
        r'table\.seats: unknown key "seats"; a key of the tournament, not of its table',
    ),
}


@pytest.mark.parametrize(
    "command", ["run t.yaml", "rules", "rules bicycle", "odds 3S QD", "odds 3S QD --table article"]
)
@pytest.mark.parametrize("name", OVERRIDES)
def test_a_wrong_override_is_told_in_the_same_words_by_every_command(
    name: str, command: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    outer = "table." if command.startswith("run") else ""
    text, says = (part.replace("{}", outer) for part in OVERRIDES[name])
    text = text.replace("{{", "{").replace("}}", "}")
    code, err = run(capsys, "--set", text, command=command)
    assert code == 2
    assert re.search(f"^error: --set {re.escape(text)}: {says}", err, re.M), err
    assert "Traceback" not in err


def test_an_override_of_a_tournament_is_told_with_itself_as_the_place(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, err = run(capsys, "--set", "deals=many")
    assert code == 2
    assert err == "error: --set deals=many: deals: expected a whole number from 1 to 10000000, got 'many'\n"


def test_all_overrides_that_are_wrong_are_told_at_once(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, err = run(capsys, "--set", "table.chips=0", "--set", "bet=1", "--set", "x", command="rules nepali")
    assert code == 2
    assert sorted(line.split(": ")[1] for line in err.splitlines()) == [
        "--set bet=1",
        "--set table.chips=0",
        "--set x",
    ]


# arguments → exit code and the sentence, of commands that take no tournament file
COMMANDS = {
    "rules of no preset": ("rules nepal", "no preset is called 'nepal'; did you mean \"nepali\"? (presets: "),
    "odds at no preset": ("odds 3S QD --table nepal", "no preset is called 'nepal'; did you mean"),
    "no card": ("odds 3S 11D", "expected a card such as 3S, 10H or QD, got '11D'"),
    "a card too often": ("odds 3S QD --seen 3S", "3S is named 2 times, but there is one in the cards"),
    "bots nowhere": ("bots nope", "nope: there is no such file or folder; check the path"),
    "bots nearly there": ("bots bot", 'bot: there is no such file or folder; did you mean "bots"?'),
    "a folder without bots": ("bots empty", "empty: empty has no bots: put a .py file with a class"),
    "only broken bots": ("bots broken", "broken/x.py: no bot class here: write"),
    "no Python file": ("bots t.txt", "t.txt: expected a Python file, its name ending in .py"),
    "bots of no file": ("bots no.yaml", 'no.yaml: there is no such file or folder; did you mean "t.yaml"?'),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_wrong_argument(name: str, place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (place / "empty").mkdir()
    (place / "broken").mkdir()
    (place / "broken" / "x.py").write_text("x = 1\n")
    (place / "t.txt").write_text("")
    command, says = COMMANDS[name]
    code, err = run(capsys, command=command)
    assert code == 2
    assert re.search(f"^error: {re.escape(says)}", err, re.M), err
    assert "Traceback" not in err


def test_without_the_folder_bots_its_listing_says_where_to_run_it_or_what_to_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    code, err = run(capsys, command="bots")
    assert (code, err) == (
        2,
        "error: there is no folder bots here; run it where bots/ is, or name a folder, a bot file or a tournament file\n",
    )


def test_broken_bots_among_good_ones_are_named_and_the_answer_is_no(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "bots" / "three.py").write_text("class Three(:\n")
    with pytest.raises(SystemExit) as ended:
        main(["bots"])
    out, err = capsys.readouterr()
    assert ended.value.code == 1
    assert re.fullmatch(r"left out: bots/three\.py:1:\d+: the file is no valid Python: .*\n", err)
    assert "One" in out
    assert "Two" in out


SCENARIO: dict[str, Any] = {
    "id": "T", "preset": "nepali", "chips": [100, 100], "pot": 20, "dealer": 0, "start": "turn", "actor": 1,
    "turns": 1, "draws": ["3D", "QS"], "replies": [{"ask": "bet", "reply": 0}],
}  # fmt: skip
# a scenario's second line (text, or keys laid over the scenario; None takes one away) → the sentence after its place
SCENARIOS: dict[str, tuple[str | dict[str, Any], str]] = {
    "no JSON": ('{"id" 1}', r"expected a JSON object: Expecting ':' delimiter \(column 7\)$"),
    "a list": ("[1]", r"expected a JSON object, got a list$"),
    "too deep": ("[" * 100_000, r"nested too deeply"),
    "too many digits": (f'{{"pot": {"9" * 5000}}}', r"a number has too many digits; write fewer$"),
    "key twice": ('{"id": "A", "id": "B"}', r"id: the key is there twice; delete one of the two$"),
    "key missing": ({"preset": None}, r"preset: expected text, but the key is missing; write it$"),
    "unknown key": (
        {"repleis": []},
        r'repleis: unknown key "repleis"; did you mean "replies"\? \(keys here: id, ',
    ),
    "unknown key below": (
        {"replies": [{"ask": "bet", "reply": 0, "rep": 1}]},
        r'replies\.0\.rep: unknown key "rep"; did you mean "reply"\? \(keys here: ask, reply\)$',
    ),
    "wrong type": ({"pot": "x"}, r"pot: expected a whole number from 0 to 1000000000, got 'x'$"),
    "one seat": ({"chips": [9]}, r"chips: expected a list of 2 to 8, each a whole .*, got a list of 1$"),
    "negative chips": (
        {"chips": [9, -1]},
        r"chips\.1: expected a whole number from 0 to 1000000000, got -1$",
    ),
    "huge round": ({"round": 10**30}, r"round: expected a whole number from 1 to 1000000000, got 1000000000"),
    "a choice": (
        {"start": "games"},
        r'start: expected "game" or "turn", got \'games\'; did you mean "game"\?$',
    ),
    "no question": (
        {"replies": [{"ask": "beet", "reply": 0}]},
        r'replies\.0\.ask: expected "ace", "pair", "bet" or "wager", got \'beet\'; did you mean "bet"\?$',
    ),
    "no such seat": ({"actor": 5}, r"actor: expected a seat, here seats 0 to 1, got 5$"),
    "no actor": ({"actor": None}, r"actor: .* names the seat to act, but the key is missing; write it$"),
    "no card": ({"draws": ["3D", "11S"]}, r"expected a card such as 3S, 10H or QD, got '11S' \(in draws\)$"),
    "no card seen": ({"seen": ["X"]}, r"expected a card such as 3S, 10H or QD, got 'X' \(in seen\)$"),
    "no such preset": ({"preset": "nepal"}, r'no preset is called \'nepal\'; did you mean "nepali"\?'),
    "a house's pot": (
        {"overrides": {"bank": "house"}},
        r"pot: there is none where the house is the bank; write 0$",
    ),
    "unknown rule": (
        {"overrides": {"ante.amout": 3}},
        r'table\.ante\.amout: unknown key "amout"; did you mean "amount"\?',
    ),
    "a group": (
        {"overrides": {"ante": 5}},
        r"table\.ante: expected a mapping with the keys amount, .*, got 5$",
    ),
    "a rule's type": (
        {"overrides": {"bet.may_pass": "on"}},
        r"table\.bet\.may_pass: expected true or false, got 'on'$",
    ),
    "a rule twice": (
        {"overrides": {"ante": {"amount": 1}, "ante.amount": 2}},
        r'overrides: "ante" and "ante\.amount" both set ante; write one of the two$',
    ),
    "unknown expectation": (
        {"expect": {"chip": [1]}},
        r'expect: unknown key "chip"; did you mean "chips"\? \(keys here: events, chips, pot, stock, next\)$',
    ),
    "no events": ({"expect": {"events": 3}}, r"expect: events: expected a list of events, got 3$"),
}


@pytest.mark.parametrize("check", ["", " --check"])
@pytest.mark.parametrize("name", SCENARIOS)
def test_a_wrong_scenario(name: str, check: str, place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong, says = SCENARIOS[name]
    if isinstance(wrong, dict):
        wrong = json.dumps({key: value for key, value in (SCENARIO | wrong).items() if value is not None})
    (place / "s.jsonl").write_text(f"{json.dumps(SCENARIO | {'expect': {}})}\n{wrong}\n")
    code, err = run(capsys, command=f"scenario s.jsonl{check}")
    assert code == 2
    assert re.search(rf"^error: s\.jsonl:2: {says}", err, re.M), err
    assert "Traceback" not in err


def test_a_scenario_that_cannot_be_played_is_named_with_its_line(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "s.jsonl").write_text(f"\n{json.dumps(SCENARIO | {'draws': ['3D']})}\n")
    assert run(capsys, command="scenario s.jsonl") == (
        2,
        "error: s.jsonl:2: scenario T: a card is needed and draws has none left\n",
    )
    with pytest.raises(SystemExit) as ended:
        main(["scenario", "s.jsonl", "--check"])
    out, err = capsys.readouterr()
    assert ended.value.code == 1
    assert out == "s.jsonl:2: scenario T: a card is needed and draws has none left\n"
    assert err == "1 scenarios, 1 differ\n"


def a_pipe(path: Path) -> None:
    os.mkfifo(path)


SCENARIO_FILES: dict[str, tuple[Callable[[Path], object], str]] = {
    "empty": (
        lambda path: path.write_text("\n\n"),
        "s.jsonl: no scenario in this file; it takes one JSON object a line",
    ),
    "not utf-8": (
        lambda path: path.write_bytes(b"\xff"),
        "s.jsonl: this is not UTF-8 text; save the file as UTF-8",
    ),
    "a folder": (lambda path: path.mkdir(), "s.jsonl: expected a scenario file, found a folder"),
    "a pipe": (a_pipe, "s.jsonl: expected a scenario file, found no regular file"),
    "none": (
        lambda path: path.with_name("ss.jsonl").touch(),
        's.jsonl: there is no such file; did you mean "ss.jsonl"?',
    ),
}


@pytest.mark.parametrize("name", SCENARIO_FILES)
def test_a_wrong_scenario_file(name: str, place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make, says = SCENARIO_FILES[name]
    make(place / "s.jsonl")
    assert run(capsys, command="scenario s.jsonl") == (2, f"error: {says}\n")


@pytest.mark.parametrize(
    "command", ["check {}.py", "replay {}", "compare {} {}", "export {} --to csv", "report {}"]
)
def test_a_name_too_long_for_the_file_system_is_told_with_the_name_first(
    command: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, err = run(capsys, command=command.format(*["a" * 300] * 2))
    assert (code, err[:27], err.count("\n")) == (2, f"error: {'a' * 20}", 1)
    assert "File name too long" in err
    assert "Errno" not in err


def test_all_that_is_wrong_is_said_at_once(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (place / "t.yaml").write_text(GOOD + "seats: 1\nrank_bi: chips\ntable: {chips: 0}\n")
    code, err = run(capsys)
    assert code == 2
    assert [line.split(":")[2] for line in err.splitlines()] == ["4", "5", "6"]


def test_with_strict_nothing_starts_and_without_it_the_rest_play(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "bots" / "three.py").write_text("class Three(:\n")
    code, err = run(capsys, "--strict")
    assert code == 2
    assert "three.py:1:" in err
    assert not (place / "reports").exists()
    code, err = run(capsys)
    assert code == 0
    assert "left out: " in err
    assert (place / "reports" / "t" / "report.md").exists()


def test_a_disk_that_fills_up_while_writing_leaves_the_old_report_whole(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(capsys)[0] == 0
    before = {path: path.read_bytes() for path in (place / "reports" / "t").rglob("*.*")}
    assert len(before) > 8
    calls = []

    def full(fd: int) -> None:
        calls.append(fd)
        if len(calls) == 3:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("os.fsync", full)
    code, err = run(capsys, "--seed", "2")
    assert code == 2
    assert "No space left on device" in err
    assert "as it was" in err
    assert {path: path.read_bytes() for path in (place / "reports" / "t").rglob("*.*")} == before
    assert sorted(path.name for path in (place / "reports").iterdir()) == [".store", "t"]


def test_a_report_folder_that_cannot_be_written_is_found_before_play(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr("tempfile.TemporaryFile", refused)
    monkeypatch.setattr(importlib.import_module("arena.cli.run"), "Progress", None)  # play begins with it
    code, err = run(capsys)
    assert code == 2
    assert "no report can be written there (Permission denied)" in err
