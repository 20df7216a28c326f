"""Every wrong input: one clear sentence with its place and the way out, exit 2, nothing written."""

from __future__ import annotations

import errno
import importlib
import os
import re
from collections.abc import Callable
from pathlib import Path

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


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    with pytest.raises(SystemExit) as ended:
        main(["run", "t.yaml", *arguments])
    code = ended.value.code or 0
    assert isinstance(code, int)
    return code, capsys.readouterr().err


# file's text → what the sentence must say; the place is file:line:column where the text has one
FILES = {
    "unknown key": (GOOD + "deels: 5\n", r'^error: .*t\.yaml:4:1: .*deels.*did you mean "deals"'),
    "unknown key below": (
        GOOD + "table: {ante: {amont: 5}}\n",
        r't\.yaml:4:\d+: .*table\.ante\.amont.*"amount"',
    ),
    "wrong type": (GOOD + "seats: two\n", r"t\.yaml:4:\d+: seats: expected a whole number.*two"),
    "bool for number": (GOOD + "seats: true\n", r"t\.yaml:4:\d+: seats: expected a whole number.*true"),
    "duplicate key": (GOOD + "deals: 6\n", r"t\.yaml:4:1: .*deals"),
    "tab": (GOOD + "table:\n\tchips: 5\n", r"t\.yaml:5:\d+: .*tab"),
    "empty": ("", r"t\.yaml.*empty"),
    "a list": ("- bots\n", r"t\.yaml:1:1: "),
    "syntax": ("seed: [1\nbots: bots\n", r"t\.yaml:\d+:\d+: "),
    "missing folder": ("bots: nowhere\n", r"t\.yaml:1:\d+: .*nowhere|nowhere.*"),
    "seats 1": (GOOD + "seats: 1\n", r"t\.yaml:4:\d+: seats: .*2"),
    "seats 9": (GOOD + "seats: 9\n", r"t\.yaml:4:\d+: seats: .*8"),
    "more seats than bots": (GOOD + "seats: 3\n", r"2 bots to seat at a table of 3"),
    "negative chips": (GOOD + "table: {chips: -5}\n", r"t\.yaml:4:\d+: table\.chips: "),
    "huge chips": (GOOD + "table: {chips: 99999999999}\n", r"t\.yaml:4:\d+: table\.chips: "),
    "no end": (GOOD + "table: {end: {rounds: null}}\n", r"t\.yaml:4:\d+: .*never end"),
    "house bank": (GOOD + "table: {bank: house}\n", r"t\.yaml:4:\d+: .*not built yet"),
    "red dog": (GOOD + "table: {preset: red_dog}\n", r"t\.yaml:4:\d+: .*not built yet"),
    "no such preset": (GOOD + "table: {preset: nepal}\n", r't\.yaml:4:\d+: .*did you mean "nepali"'),
    "a choice": (GOOD + "table: {consecutive: pas}\n", r"t\.yaml:4:\d+: table\.consecutive: .*pay_min"),
    "no bots key": ("seed: 1\n", r"t\.yaml.*bots"),
    "a folder's name": (GOOD + "name: ../x\n", r"t\.yaml:4:\d+: name: "),
    "params": ("bots:\n- {file: bots/one.py, params: {thresh: 1}}\n- bots/two.py\n", r"thresh"),
    "unknown class": ("bots:\n- bots/one.py:Onne\n- bots/two.py\n", r'Onne.*"One"'),
    "name twice": ("bots:\n- {file: bots/one.py, name: X}\n- {file: bots/two.py, name: X}\n", r"X"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_wrong_tournament_file(name: str, place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text, says = FILES[name]
    (place / "t.yaml").write_text(text)
    code, err = run(capsys)
    assert code == 2
    assert re.search(says, err, re.M), err
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


PLACES: dict[str, tuple[Callable[[Path], None], str]] = {
    "not utf-8": (not_utf8, r"t\.yaml.*UTF-8"),
    "no file": (no_file, r"t\.yaml.*(no such|not there|does not exist|no file)"),
    "a folder": (a_folder, r"t\.yaml.*folder"),
    "no bots": (no_bots, r"bots.*no bot|no bot"),
    "one bot": (one_bot, r"t\.yaml:2:\d+: bots: one bot found, and a game takes two"),
    "bot with a syntax error": (bot_syntax, r"two\.py:2:\d+: "),
    "bot file without a class": (no_class, r"two\.py.*(no bot|class)"),
    "bot without bet": (no_bet, r"two\.py:2.*bet"),
    "a name used twice": (same_name, r"One"),
    "report folder is a file": (report_is_a_file, r"reports/t: expected a folder"),
}


@pytest.mark.parametrize("name", PLACES)
def test_a_wrong_place(name: str, place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change, says = PLACES[name]
    change(place)
    before = sorted((place / "reports").rglob("*"))
    code, err = run(capsys)
    assert code == 2, err
    assert re.search(says, err, re.I), err
    assert "Traceback" not in err
    assert sorted((place / "reports").rglob("*")) == before


OVERRIDES = {
    "no value": ("table.chips", r"--set table\.chips"),
    "unknown": ("table.chip=5", r'--set table\.chip=5.*"chips"'),
    "wrong type": ("deals=many", r"--set deals=many.*whole number"),
}


@pytest.mark.parametrize("name", OVERRIDES)
def test_a_wrong_override(name: str, place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text, says = OVERRIDES[name]
    code, err = run(capsys, "--set", text)
    assert code == 2
    assert re.search(says, err), err


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
    before = {path.name: path.read_bytes() for path in (place / "reports" / "t").iterdir()}
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
    assert {path.name: path.read_bytes() for path in (place / "reports" / "t").iterdir()} == before
    assert [path.name for path in (place / "reports").iterdir()] == ["t"]


def test_a_report_folder_that_cannot_be_written_is_found_before_play(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr("tempfile.TemporaryFile", refused)
    monkeypatch.setattr(importlib.import_module("arena.cli.run"), "play_blocks", None)
    code, err = run(capsys)
    assert code == 2
    assert "no report can be written there (Permission denied)" in err
