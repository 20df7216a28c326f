"""``arena run`` isolates bots, says with what, and refuses where it cannot."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from arena.bot.clock import Account
from arena.cli import main

BOTS = """
from arena import Bot

class Pass(Bot):
    def bet(self, turn):
        return 0

class Least(Bot):
    def bet(self, turn):
        return turn.min_bet
"""
SLEEPS = """
import time
from arena import Bot

class Sleeps(Bot):
    def bet(self, turn):
        if turn.round == 2:
            time.sleep(60)
        return 0
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "bots.py").write_text(BOTS)
    (tmp_path / "t.yaml").write_text("seed: 3\nbots: [bots.py]\ndeals: 4\n")
    return tmp_path


def run(place: Path, *more: str) -> tuple[int, dict[str, object]]:
    with pytest.raises(SystemExit) as ended:
        main(["run", str(place / "t.yaml"), "--out", str(place / "out"), "--workers", "1", *more])
    about = place / "out" / "t" / "run.json"
    return int(str(ended.value.code or 0)), json.loads(about.read_text()) if about.exists() else {}


@pytest.mark.workers
def test_a_run_says_with_what_bots_are_isolated(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, about = run(place)
    [line] = [line for line in capsys.readouterr().err.splitlines() if "isolated" in line]
    assert code == 0
    assert line.startswith("bots are isolated, each in a process of its own: seccomp, ")
    assert "256 MB" in line
    assert about["isolation"] == "a locked process for each bot, seat and seating"
    assert about["kernel"] == platform.release()
    assert isinstance(about["locks"], list)
    assert about["locks"][0] == "seccomp"
    assert about["time_faults"] == []


def test_memory_mb_is_the_limit(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(place, "--set", "limits.memory_mb=99")[0] == 0
    assert " 99 MB" in capsys.readouterr().err


def test_trusted_bots_are_announced(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, about = run(place, "--trust-bots")
    assert code == 0
    assert "BOTS ARE TRUSTED: they run inside the workers, not isolated" in capsys.readouterr().err
    assert (about["isolation"], about["locks"]) == ("none", [])


def test_blocks_in_which_time_ran_out_are_named_and_the_result_is_not_called_reproducible(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "sleeps.py").write_text(SLEEPS)
    (place / "t.yaml").write_text(
        "seed: 3\nbots: [sleeps.py, bots.py]\ndeals: 2\nlimits: {decision_ms: 5, bank_ms: 5}\n"
    )
    code, about = run(place)
    assert code == 0
    blocks = about["time_faults"]
    assert isinstance(blocks, list)
    assert [sorted(block["bots"]) for block in blocks] == [["Pass", "Sleeps"], ["Least", "Sleeps"]] or [
        sorted(block["bots"]) for block in blocks
    ] == [["Least", "Sleeps"], ["Pass", "Sleeps"]]
    late = sum(block["faults"] for block in blocks)
    said = f"reproducible: no ({late} time faults)"
    assert said in capsys.readouterr().out
    assert said in (place / "out" / "t" / "report.md").read_text()


# A filter under which no process may put on another: what a container without these rights looks like from inside.
NO_FILTERS = """
import ctypes, struct, sys
from arena.bot import confine
steps = [
    (confine.LD_W_ABS, 0, 0, 0), (confine.JEQ_K, 0, 3, PRCTL), (confine.LD_W_ABS, 0, 0, 16), (confine.JEQ_K, 0, 1, 22),
    (confine.RET_K, 0, 0, confine.REFUSE), (confine.RET_K, 0, 0, confine.ALLOW),
]
kernel = confine._kernel
kernel.prctl(38, 1)
code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *step) for step in steps))
filters = ctypes.create_string_buffer(struct.pack("@HP", len(steps), ctypes.addressof(code)))
kernel.prctl(22, 2, ctypes.addressof(filters))
import arena.report.write, page_hash
arena.report.write._page_files = page_hash.told
from arena.cli import main
main()
"""


def test_where_bots_cannot_be_isolated_nothing_is_played_and_the_ways_out_are_named(place: Path) -> None:
    prctl = {"x86_64": 157, "aarch64": 167}[platform.machine()]
    code = NO_FILTERS.replace("PRCTL", str(prctl))
    command = [sys.executable, "-c", code, "run", str(place / "t.yaml"), "--out", str(place / "out")]
    command += ["--workers", "1"]
    env = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, Path(__file__).parents[:2]))}
    found = subprocess.run(command, capture_output=True, text=True, timeout=60, env=env)
    assert found.returncode == 3
    assert found.stderr.splitlines()[-1] == (
        "error: bots cannot be isolated here (seccomp: Operation not permitted). Use Linux on x86-64 or arm64, "
        "Docker's default settings, or --trust-bots if you wrote every bot yourself."
    )
    assert "Traceback" not in found.stderr
    assert [path.name for path in (place / "out").iterdir()] == [".store"]
    trusted = subprocess.run([*command, "--trust-bots"], capture_output=True, text=True, timeout=60, env=env)
    assert trusted.returncode == 0, trusted.stderr


class Kernel:
    """A process's clock and the wall's, moved by hand."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.cpu = self.wall = 0.0
        monkeypatch.setattr("time.clock_gettime", lambda _: self.cpu)
        monkeypatch.setattr("time.monotonic", lambda: self.wall)


def test_an_account_lets_a_question_use_its_decisions_and_the_bank_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kernel = Kernel(monkeypatch)
    account = Account(1, decision_s=0.02, bank_s=1.0)
    account.open()
    kernel.cpu = 100 * 0.02 + 0.6
    assert not account.close(100, 0)
    assert account.bank_s == pytest.approx(0.4)
    kernel.cpu += 0.302  # between two questions: all but 2 ms of it from the bank
    account.open()
    assert account.bank_s == pytest.approx(0.1)
    kernel.cpu += 100 * 0.02 + 0.3
    assert account.close(100, 0)  # 0.2 s more than there was, and not a word of it
    account.open()
    kernel.cpu += 100 * 0.02 + 5
    assert not account.close(100, 1)  # a decision was said to be late: that is what it costs
    assert account.bank_s == 0


def test_a_tenth_of_the_time_asleep_over_a_question_is_charged(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = Kernel(monkeypatch)
    account = Account(1, decision_s=0.02, bank_s=1.0)
    account.open()
    kernel.wall = 100 * 0.2 + 5  # what 100 decisions may take by the wall, and 5 s
    assert not account.close(100, 0)
    assert account.bank_s == pytest.approx(0.5)
    account.open()
    kernel.wall += 100 * 0.2 + 7
    assert account.close(100, 0)


def test_an_account_ends_a_wait_by_processor_time_or_ten_times_that_by_the_wall(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kernel = Kernel(monkeypatch)
    account = Account(1, decision_s=0.02, bank_s=1.0)
    account.open()
    most = (
        1000 * 0.02 + 1.0 + 50 * 0.02 + 0.1 + 50 * 0.02
    )  # decisions, bank, 50 late ones and their ticks, slack
    kernel.cpu, kernel.wall = most - 0.01, most
    assert not account.is_over(1000)
    kernel.cpu = most + 0.01
    assert account.is_over(1000)
    kernel.cpu, kernel.wall = 0.0, 10 * (1.0 + 50 * 0.02 + 0.1) - 0.1
    assert not account.is_over(1000)  # asleep
    kernel.wall += 0.2
    assert account.is_over(1000)
    kernel.cpu = 1.0  # at work on a busy machine
    assert not account.is_over(1000)


def test_a_wait_is_never_shorter_than_two_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = Kernel(monkeypatch)
    account = Account(1, decision_s=0.001, bank_s=0.0)
    account.open()
    kernel.wall = 1.9
    assert not account.is_over(1)
    kernel.wall = 2.1
    assert account.is_over(1)
