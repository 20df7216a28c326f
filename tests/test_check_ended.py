"""``arena check`` says at which decision a process ends and what a bot printed; ``--debug`` stops at the first fault."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import commands
import pytest

from arena.bot.entrant import BotSource, find_entrants
from arena.check.checking import Checked, check
from arena.check.findings import Kind
from arena.game.rules import table_rules

ROOT = Path(__file__).parent.parent
HEAD = "import os\nfrom arena import Bot, VectorBot\n\n"
ENDS = "class B(Bot):\n    def bet(self, turn):\n        if {}:\n            os._exit(7)\n        return 0\n"
ELSE = "\n    def bet(self, turn):\n        return 0\n"


def checked(folder: Path, text: str, deals: int = 20) -> Checked:
    (folder / "b.py").write_text(HEAD + text)
    (entrant,), problems = find_entrants([BotSource(folder / "b.py")])
    assert not problems
    return check(entrant, {"nepali": table_rules({"preset": "nepali"})}, deals)


def test_the_decision_at_which_a_process_ends_is_told_as_it_was(tmp_path: Path) -> None:
    """The bot itself says what it was shown, by a fault in place of its end."""
    when = "turn.round == 3 and turn.gap == 4"
    (ended,) = checked(tmp_path, ENDS.format(when)).findings
    assert (ended.kind, ended.label) == (Kind.OUT, "died")
    says = "f'{turn.pot} {turn.chips} {turn.min_bet} {turn.max_bet} {turn.low} {turn.high} {turn.seat}'"
    (fault,) = checked(
        tmp_path, ENDS.format(when).replace("os._exit(7)", f"raise ValueError({says})")
    ).findings
    at = ended.decision
    assert at is not None
    assert at == fault.decision
    saw = f"{at.pot} {at.chips} {at.min_bet} {at.max_bet} {at.posts[0]} {at.posts[1]} {at.seat}"
    assert (fault.text or "").endswith(f"ValueError: {saw}")
    assert (at.round, at.posts[1] - at.posts[0], at.asked) == (3, 5, "bet")
    assert ended.sentence == (
        f"its process ends while it is asked (exit code 7), first at {at}; in a tournament it would be out"
    )


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("class B(Bot):\n    def start(self, table):\n        os._exit(7)\n" + ELSE, "deal 0, seat 0, as the game starts"),
        ("class B(Bot):\n    def watch(self, play):\n        os._exit(7)\n" + ELSE, "deal 0, seat 0, round 1, in watch"),
        (ENDS.format("turn.chips == 7000"), "at the edge (eight seats) (exit code 7), first at preset nepali, round 1, "),
        (
            "n = [0]\nclass B(Bot):\n    def __init__(self):\n        n[0] += 1\n" + ELSE
            + "    def call_pair(self, turn):\n        return 'lower' if n[0] > 2 else os._exit(7)\n",
            "in a run of the same deals, and not in the first (exit code 7), first at preset nepali, deal ",
        ),
    ],
    ids=["start", "watch", "edge", "alone"],
)  # fmt: skip
def test_where_a_process_ends_is_told_wherever_it_does(tmp_path: Path, text: str, place: str) -> None:
    (finding,) = checked(tmp_path, text).findings
    assert finding.kind is Kind.OUT
    assert place in finding.sentence
    assert "exit code 7" in finding.sentence
    assert finding.also == ()


def arena(folder: Path, *arguments: str, typed: str = "") -> tuple[int, str, str]:
    command = [sys.executable, "-P", "-c", "from arena.cli import main; main()", *arguments]
    done = subprocess.run(
        command, input=typed, capture_output=True, text=True, cwd=folder, env=dict(os.environ, PYTHONPATH=str(ROOT))
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


def test_what_a_bot_prints_is_shown_and_cannot_do_anything_to_a_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (
        "class B(Bot):\n    def start(self, table):\n        print('hello \\x1b[31m', table.seats)\n" + ELSE
    )
    (tmp_path / "b.py").write_text(HEAD + text)
    monkeypatch.chdir(tmp_path)
    code, out, _ = commands.ended(capsys, "check", "b.py", "--table", "nepali", "--deals", "1")
    assert code == 0
    assert "it printed (the first of it; in a tournament nobody sees that):\n      hello [31m 2\n" in out
    assert checked(tmp_path, text, deals=1).output == "hello [31m 2\n"
    assert checked(tmp_path, "class B(Bot):" + ELSE, deals=1).output == ""


@pytest.mark.parametrize(
    ("body", "say", "said"),
    [
        (
            "share = turn.gap / 4\n        return 0 * (1 // (turn.gap - 6))",
            "share, turn.gap",
            r"ZeroDivisionError: integer .*\n(.*\n)*\(Pdb\) \(1\.5, 6\)",
        ),
        (
            "return -turn.gap if turn.gap == 6 else 0",
            "turn.max_bet, turn.gap, type(bot).__name__",
            r"a bet of -6, where 0 or 1 to (\d+) was legal(.*\n)*\(Pdb\) \(\1, 6, 'B'\)",
        ),
    ],
    ids=["an exception", "a wrong answer"],
)
def test_debug_opens_a_prompt_where_the_first_fault_is(
    tmp_path: Path, body: str, say: str, said: str
) -> None:
    (tmp_path / "b.py").write_text(HEAD + f"class B(Bot):\n    def bet(self, turn):\n        {body}\n")
    run = ("check", "b.py", "--table", "nepali", "--deals", "10", "--debug")
    code, out, err = arena(tmp_path, *run, typed=f"p {say}\nq\n")
    assert code == 1
    assert re.search(said, out)
    assert err.startswith("BOTS ARE TRUSTED: they run in this process")
    assert "Traceback" not in err
    if say.startswith("share"):
        assert arena(tmp_path, *run)[0] == 1  # nobody there to type: it ends all the same


def test_debug_of_a_bot_without_a_fault_is_a_check_like_any_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "b.py").write_text(HEAD + "class B(Bot):" + ELSE)
    run = ("check", "b.py", "--table", "nepali", "--deals", "3", "--debug")
    code, out, _ = commands.ended(capsys, *run)
    assert (code, out.partition(" (")[0]) == (0, "B: good")
    code, out, err = commands.ended(capsys, *run, "--json")
    assert (code, out, err) == (2, "", "error: --debug and --json are both there; leave one of them out\n")
