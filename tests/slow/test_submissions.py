"""Submissions by processes of their own: killed at any moment, and several at once."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arena.bot.entrant import BotSource, find_entrants
from arena.report.write import FILES

pytestmark = [pytest.mark.slow, pytest.mark.alone]
ROOT = Path(__file__).parents[2]
KILLS = 20
BOT = """from arena import Bot


class {name}(Bot):
    def bet(self, turn):
        return turn.max_bet if turn.gap >= {gap} else 0
"""


def bot(folder: Path, name: str, gap: int) -> str:
    path = folder / f"{name.lower()}.py"
    path.write_text(BOT.format(name=name, gap=gap))
    return str(path)


def start(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    """``arena`` with checks of few deals, so that a submission takes a few seconds."""
    small = "import arena.check.checking as c; c.DEALS = 30; from arena.cli import main; main()"
    return subprocess.Popen(
        [sys.executable, "-c", small, *arguments, "--config", "t.yaml"],
        cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)}, start_new_session=True,
    )  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "bots").mkdir()
    for gap in (6, 7):
        bot(tmp_path / "bots", f"House{gap}", gap)
    (tmp_path / "t.yaml").write_text("bots: bots\ndeals: 100\n")
    return tmp_path


def there(folder: Path) -> list[str]:
    place = folder / "bots"
    return sorted(str(p.relative_to(place)) for p in place.rglob("*") if "__pycache__" not in p.parts)


def in_play(folder: Path) -> list[str]:
    found, problems = find_entrants([BotSource(folder / "bots")])
    assert not problems
    return sorted(entrant.name for entrant in found)


def test_a_submission_killed_at_any_moment_leaves_the_roster_as_it_was_or_is_in(folder: Path) -> None:
    """Killed all through, and so that most are in the moment of going in; the roster is one of two at every time."""
    chance, took, cut_short = random.Random(1), 0.0, 0
    for number in range(1, KILLS + 1):
        submitted = bot(folder, "Wide", number)  # beyond 12 it always passes: another file, all that matters
        before, playing = there(folder), in_play(folder)
        begun = time.monotonic()
        run = start(folder, "submit", submitted)
        if took:
            try:
                run.wait(took * (0.95 + 0.1 * chance.random() if number % 2 else chance.random()))
            except subprocess.TimeoutExpired:
                run.send_signal(signal.SIGKILL)
        out, err = run.communicate(timeout=120)
        took = took or time.monotonic() - begun
        if run.returncode == 0:
            assert "landed at rank" in out
        else:
            assert run.returncode == -signal.SIGKILL, err
            cut_short += 1
        if in_play(folder) == playing:
            assert run.returncode != 0
            assert there(folder) == before
        else:
            version = 1 + sum("wide@" in name for name in before)
            assert in_play(folder) == ["House6", "House7", f"Wide@{version}"]
            assert (folder / "bots" / f"wide@{version}.py").read_bytes() == Path(submitted).read_bytes()
    assert cut_short >= KILLS // 3, "or nothing was tried"


def test_interrupted_it_says_so_and_leaves_the_roster_as_it_was(folder: Path) -> None:
    before = there(folder)
    (folder / "t.yaml").write_text("bots: bots\ndeals: 30000\n")
    run = start(folder, "submit", bot(folder, "Wide", 8))
    deadline = time.monotonic() + 120
    while not (folder / "reports/.store/t.sqlite").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(1)  # it is among its games
    run.send_signal(signal.SIGINT)
    _, err = run.communicate(timeout=60)
    assert run.returncode == 130, err
    assert "interrupted: the roster is as it was" in err
    assert there(folder) == before


def test_of_several_at_once_none_is_lost_and_the_report_is_that_of_a_run_from_nothing(folder: Path) -> None:
    names = ("Wide", "Broad", "Large", "Vast")
    runs = [start(folder, "submit", bot(folder, name, 8 + k)) for k, name in enumerate(names)]
    for run in runs:
        out, err = run.communicate(timeout=300)
        assert run.returncode == 0, err
        assert "landed at rank" in out
    assert in_play(folder) == sorted(["House6", "House7", *(f"{name}@1" for name in names)])
    command = ["-c", "from arena.cli import main; main()", "run", "t.yaml", "--out", "anew"]
    subprocess.run(
        [sys.executable, *command], cwd=folder, check=True, capture_output=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    for name in set(FILES) - {"run.json"}:
        assert (folder / "anew/t" / name).read_bytes() == (folder / "reports/t" / name).read_bytes()
