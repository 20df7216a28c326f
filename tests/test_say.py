"""What is said to people: wrapped where a terminal shows it, one line a message where a program may read it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from commands import ended, on_a_terminal

from arena.cli.say import fitted, say, tell
from arena.report.text import width

BOTS = """
from arena import Bot


class Never(Bot):
    def bet(self, turn):
        return 0


class Wrong(Bot):
    def bet(self, turn):
        return turn.max_bet + 1 if turn.gap > 9 else 0
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bots.py").write_text(BOTS)
    (tmp_path / "t.yaml").write_text("bots: bots.py\ndeals: 5\n")
    return tmp_path


def words(text: str) -> list[str]:
    return re.sub(r"\d+\.\d\d ms", "ms", text).split()


def test_a_check_is_wrapped_on_a_terminal_and_one_line_a_message_elsewhere(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tables = ("--table", "nepali", "--table", "article")
    arguments = ("check", "bots.py:Wrong", "--deals", "4", "--trust-bots", *tables)
    code, plain, _ = ended(capsys, *arguments)
    assert code == 1
    assert max(map(len, plain.splitlines())) > 150, "there is something to wrap"
    assert len(re.findall(r"^  fault: too big, .*; also on article$", plain, re.M)) == 1
    assert (
        "ms at most; where a bot is quick most of that is the asking, not the bot; 20 ms are allowed\n"
        in plain
    )
    on_a_terminal(monkeypatch, 72)
    _, shown, _ = ended(capsys, *arguments)
    assert max(map(width, shown.splitlines())) <= 72
    assert words(shown) == words(plain)
    assert "\n      a bet of 10, where 0 or" in shown
    assert re.search(r"^  fault: too big, .*\n    \S", shown, re.M), "the rest of an item stands further in"


def test_the_commitment_of_a_secret_seed_fits_and_its_command_stays_whole(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ("run", "t.yaml", "--seed", "secret", "--trust-bots", "--workers", "1")
    _, out, err = ended(capsys, *arguments)
    assert re.search(r"^Commitment: \w{64}, printed again by printf %s \d+ \| sha256sum$", out, re.M)
    assert re.search(r"^seed: secret; the SHA-256 of its digits is \w{64}$", err, re.M)
    on_a_terminal(monkeypatch, 80)
    _, out, err = ended(capsys, *arguments)
    assert re.search(r"^printed again by printf %s \d+ \| sha256sum$", out, re.M)
    assert max(map(width, out.splitlines())) <= 80
    assert re.search(r"^seed: secret; the SHA-256 of its digits is\n  \w{64}$", err, re.M)


@pytest.mark.slow
def test_where_a_bot_landed_fits_the_terminal(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    roster = place / "bots"
    roster.mkdir()
    for k in range(12):
        bot = f"class AlwaysStakesAll{k}(Bot):\n    def bet(self, turn):\n        return {k}\n"
        (roster / f"b{k}.py").write_text(f"from arena import Bot\n\n\n{bot}")
    (place / "r.yaml").write_text("bots: bots\ndeals: 2\ntable: {end: {rounds: 2}}\n")
    (place / "mine.py").write_text(BOTS.split("\n\n\nclass Wrong")[0].replace("Never", "Mine"))
    on_a_terminal(monkeypatch, 80)
    code, out, err = ended(
        capsys, "submit", "mine.py", "--config", "r.yaml", "--trust-bots", "--workers", "1"
    )
    assert code == 0, err
    assert re.search(r"^  is not separated from 12 bots: .*\n    AlwaysStakesAll", out, re.M)
    assert max(map(width, out.splitlines())) <= 80


def test_both_streams_are_asked_for_themselves(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    on_a_terminal(monkeypatch, 60)
    monkeypatch.setattr("sys.stdout.isatty", lambda: False)
    said = " ".join(["words"] * 12)
    say(said)
    tell(said, "arena run t.yaml")
    out, err = capsys.readouterr()
    assert out == f"{said}\n"
    assert err.splitlines() == [" ".join(["words"] * 10), "  words words arena run t.yaml"]


def test_no_word_is_lost_or_broken_and_wide_letters_count_twice() -> None:
    text = "漢字漢字 漢字漢字 漢字漢字\n- an item of a list is no sentence\n" + "x" * 30
    assert (
        fitted(text, 18) == "漢字漢字 漢字漢字\n漢字漢字\n- an item of a\nlist is no\nsentence\n" + "x" * 30
    )
    assert fitted(text, None) == text
