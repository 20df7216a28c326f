"""Runs killed at any moment: the same command goes on, loses at most what was in flight, and reports the same bytes."""

from __future__ import annotations

import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arena.report.write import FILES

pytestmark = [pytest.mark.slow, pytest.mark.alone]
ROOT = Path(__file__).parents[2]
SAME = [name for name in FILES if name != "run.json"]
KILLS = 24
BOTS = """
from arena import Bot

class Gap(Bot):
    def __init__(self, threshold=8):
        self.threshold = threshold

    def bet(self, turn):
        return turn.max_bet if turn.gap >= self.threshold else -1 if turn.uniform() < 0.001 else 0

class Random(Bot):
    def bet(self, turn):
        return self.rng.randint(turn.min_bet, turn.max_bet) if turn.uniform() < 0.5 else 0

class Edge(Bot):
    def bet(self, turn):
        return turn.max_bet if turn.edge > 0 else 0
"""
DIES = """
import os
from arena import Bot

class Dies(Bot):
    def bet(self, turn):
        if turn.uniform() < 0.0005:
            os._exit(1)
        return turn.max_bet if turn.gap >= 7 else 0
"""


OTHER = {
    "gauntlet": "deals: 300\nschedule: gauntlet\nagainst: [Edge]\n",
    "stop": "stop: {when: half_width, chips: 24, max_deals: 3000}\nrank_by: chips\n",
}


def fill(folder: Path, text: str = "deals: 200\n") -> None:
    (folder / "bots.py").write_text(BOTS)
    (folder / "dies.py").write_text(DIES)
    names = "[dies.py, 'bots.py:Random', 'bots.py:Edge', 'bots.py:Gap', 'bots.py:Gap(threshold=6)']"
    (folder / "t.yaml").write_text(f"seed: 5\nbots: {names}\n{text}")


def start(folder: Path, out: str) -> subprocess.Popen[str]:
    """A run in blocks of 20 deals, so that there is much to lose."""
    small = "import arena.tournament.tournament as t; t.block_deals = lambda *_: 20; from arena.cli import main; main()"
    command = [sys.executable, "-c", small, "run", "t.yaml", "--out", out, "--workers", "2"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        command, cwd=folder, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, env=environment
    )


def workers_of(pid: int) -> list[int]:
    """The worker processes of a run."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and (entry / "stat").read_text().rpartition(")")[2].split()[1] == str(
                pid
            ):
                line = (entry / "cmdline").read_bytes()
                if b"spawn_main" in line:
                    found.append(int(entry.name))
        except OSError:
            continue
    return found


def stored(folder: Path, out: str) -> int:
    """How many blocks are stored; looked at so that a log left behind stays for the next run to recover."""
    path = folder / out / ".store" / "t.sqlite"
    way = "mode=ro" if Path(f"{path}-wal").exists() else "immutable=1"
    try:
        connection = sqlite3.connect(f"file:{path}?{way}", uri=True)
    except sqlite3.OperationalError:
        return 0
    try:
        return int(connection.execute("SELECT count(*) FROM blocks").fetchone()[0])
    except sqlite3.OperationalError:  # it has no tables yet
        return 0
    finally:
        connection.close()


def wait(run: subprocess.Popen[str], folder: Path, blocks: int, seconds: float) -> None:
    """Until so many blocks more are stored, and then so long, or the run has ended."""
    there = stored(folder, "out")
    deadline = time.monotonic() + 60
    while run.poll() is None and stored(folder, "out") < there + blocks and time.monotonic() < deadline:
        time.sleep(0.02)
    time.sleep(seconds)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, bytes]]:
    """A folder with bots, and the report of an undisturbed run there."""
    folder = tmp_path_factory.mktemp("kills")
    fill(folder)
    run = start(folder, "base")
    _, err = run.communicate(timeout=600)
    assert run.returncode == 0, err
    return folder, {name: (folder / "base" / "t" / name).read_bytes() for name in SAME}


def test_killed_again_and_again_it_goes_on_and_reports_the_same(
    base: tuple[Path, dict[str, bytes]],
) -> None:
    folder, report = base
    assert b"its process ended here" in report["report.md"]
    rng = random.Random(11)
    before, of_main, finished, grew, logs = 0, 0, 0, 0, 0
    for kill in range(KILLS):
        run = start(folder, "out")
        if kill % 3:
            wait(run, folder, rng.randrange(1, 12), rng.uniform(0, 0.05))
        else:  # as it starts, or, where all is stored, as it studies and writes
            time.sleep(rng.uniform(0.2, 1.5))
        if rng.random() < 0.5:
            run.send_signal(rng.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT]))
            of_main += 1
        else:
            for worker in workers_of(run.pid)[: rng.choice([1, 2])]:
                os.kill(worker, signal.SIGKILL)
            time.sleep(rng.uniform(0, 1))
            run.kill()
        _, err = run.communicate(timeout=60)
        assert "damaged" not in err
        if run.returncode == 0:  # it was done before: begin anew
            finished += 1
            assert {name: (folder / "out" / "t" / name).read_bytes() for name in SAME} == report, kill
            for path in (folder / "out" / ".store").iterdir():
                path.unlink()
            before = 0
            continue
        logs += (folder / "out" / ".store" / "t.sqlite-wal").exists()
        now = stored(folder, "out")
        assert now >= before, kill  # nothing that was stored is lost
        grew += now > before
        before = now
    assert 5 < of_main < KILLS - 5
    assert grew + finished > KILLS // 3
    assert logs > KILLS // 2  # most runs begin with a file that was not closed
    run = start(folder, "out")
    deadline = time.monotonic() + 60
    while len(workers := workers_of(run.pid)) < 2 and time.monotonic() < deadline:
        time.sleep(0.02)
    time.sleep(1)
    os.kill(workers[0], signal.SIGKILL)  # and this once it goes on by itself
    _, err = run.communicate(timeout=600)
    assert run.returncode == 0, err
    assert re.search(r"^[\d,]+ of 4,000 games are new$", err, re.MULTILINE)
    assert {name: (folder / "out" / "t" / name).read_bytes() for name in SAME} == report


@pytest.mark.parametrize("kind", OTHER)
def test_a_gauntlet_and_a_run_that_looks_whether_to_stop_go_on_after_kills(kind: str, tmp_path: Path) -> None:
    fill(tmp_path, OTHER[kind])
    run = start(tmp_path, "base")
    assert "error" not in run.communicate(timeout=600)[1]
    report = {name: (tmp_path / "base" / "t" / name).read_bytes() for name in SAME}
    if kind == "stop":
        assert b"**Stopped at " in report["report.md"]
        assert b"**Stopped at 250 deals" not in report["report.md"]  # it went on after a look
    rng, killed = random.Random(12), 0
    for _ in range(3):
        run = start(tmp_path, "out")
        wait(run, tmp_path, rng.randrange(3, 12), rng.uniform(0, 0.05))
        run.kill()
        run.communicate(timeout=60)
        killed += run.returncode != 0
    assert killed > 2
    run = start(tmp_path, "out")
    assert "error" not in run.communicate(timeout=600)[1]
    assert {name: (tmp_path / "out" / "t" / name).read_bytes() for name in SAME} == report


def test_two_runs_on_one_store_come_one_after_the_other(base: tuple[Path, dict[str, bytes]]) -> None:
    folder, report = base
    runs = [start(folder, "both") for _ in range(2)]
    said = [run.communicate(timeout=600)[1] for run in runs]
    assert [run.returncode for run in runs] == [0, 0]
    assert sum("has been on it since" in err for err in said) == 1
    second = next(err for err in said if "has been on it since" in err)
    new = re.search(r"^([\d,]+) of 4,000 games are new$", second, re.MULTILINE)
    assert new is not None
    assert int(new[1].replace(",", "")) <= 4 * 2 * 200  # those of the bot that is out, which is asked again
    assert {name: (folder / "both" / "t" / name).read_bytes() for name in SAME} == report
