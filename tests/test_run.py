"""``arena run`` from file to report: the same bytes whatever plays it, and nothing left behind when it is stopped."""

from __future__ import annotations

import importlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import page_hash
import pytest

from arena.bot.entrant import BotSource, find_entrants
from arena.cli import main
from arena.game.rules import table_rules
from arena.report.write import FILES
from arena.tournament.blocks import Block, BlockResult
from arena.tournament.executors import Worker
from arena.tournament.runner import Run, block_deals
from arena.tournament.spec import load_spec
from arena.tournament.tournament import setup_of

run_module = importlib.import_module("arena.cli.run")  # arena.cli.run is the command
SAME = [name for name in FILES if name != "run.json"]
BOTS = {
    "gaps.py": """
from arena import Bot

class Gap(Bot):
    def __init__(self, threshold=8):
        self.threshold = threshold

    def bet(self, turn):
        return turn.max_bet if turn.gap >= self.threshold else 0
""",
    "random_bot.py": """
from arena import Bot

class Random(Bot):
    def bet(self, turn):
        return self.rng.randint(turn.min_bet, turn.max_bet) if turn.uniform() < 0.5 else 0

    def call_ace(self, turn):
        return self.rng.choice(["low", "high"])
""",
    "vector.py": """
import numpy as np
from arena import VectorBot

class Wide(VectorBot):
    def bet(self, turns):
        return np.where(turns.uniform() < 0.9, np.where(turns.edge > 0, turns.max_bet // 2, 0), -1)
""",
}


def fill(folder: Path) -> None:
    (folder / "bots").mkdir()
    for name, text in BOTS.items():
        (folder / "bots" / name).write_text(text)
    (folder / "t.yaml").write_text("seed: 3\nbots: bots\ndeals: 30\ntable: {end: {rounds: 4}}\n")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    fill(tmp_path)
    return tmp_path


def arena(*arguments: object) -> int:
    with pytest.raises(SystemExit) as ended:
        main([str(a) for a in arguments])
    code = ended.value.code
    return code if isinstance(code, int) else 0


def report(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in SAME}


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The report of the bots that ``place`` has."""
    folder = tmp_path_factory.mktemp("base")
    fill(folder)
    with (
        pytest.MonkeyPatch.context() as patch
    ):  # test_html.py says that the page depends on the results alone
        patch.setattr("arena.report.write._page_files", page_hash.told)
        assert arena("run", folder / "t.yaml", "--out", folder / "base", "--workers", 1) == 0
    return report(folder / "base" / "t")


@pytest.mark.workers
def test_the_report_is_the_same_bytes_with_two_workers_small_blocks_or_trusted_bots(
    place: Path, base: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = ("run", place / "t.yaml", "--out")
    assert arena(*run, place / "trusted", "--trust-bots", "--workers", 1) == 0
    assert report(place / "trusted" / "t") == base
    monkeypatch.setattr("arena.tournament.tournament.block_deals", lambda *_: 7)
    assert arena(*run, place / "small", "--workers", 2) == 0
    assert report(place / "small" / "t") == base
    assert json.loads((place / "small" / "t" / "run.json").read_text())["workers"] == 2


def test_the_report_does_not_depend_on_the_order_of_the_roster(place: Path, base: dict[str, bytes]) -> None:
    for order in (["gaps.py", "random_bot.py", "vector.py"], ["vector.py", "gaps.py", "random_bot.py"]):
        (place / "t.yaml").write_text(
            "seed: 3\ndeals: 30\ntable: {end: {rounds: 4}}\nbots:\n"
            + "".join(f"  - bots/{name}\n" for name in order)
        )
        assert arena("run", place / "t.yaml", "--out", place / "listed") == 0
        assert report(place / "listed" / "t") == base


def test_another_seed_gives_another_report(place: Path, base: dict[str, bytes]) -> None:
    assert arena("run", place / "t.yaml", "--out", place / "other", "--seed", 4) == 0
    assert report(place / "other" / "t")["standings.csv"] != base["standings.csv"]


def games(place: Path, names: list[str]) -> dict[tuple[str, ...], BlockResult]:
    spec = load_spec(place / "t.yaml")
    entrants, _ = find_entrants([BotSource(place / "bots" / name) for name in names])
    worker = Worker(setup_of(spec, entrants, is_trusted=True))
    pairs = [(i, j) for i in range(len(entrants)) for j in range(i + 1, len(entrants))]
    return {(entrants[i].name, entrants[j].name): worker.play(Block((i, j), 0, 20)) for i, j in pairs}


def test_the_games_of_a_lineup_do_not_depend_on_who_else_takes_part(place: Path) -> None:
    all_games = games(place, list(BOTS))
    assert len(all_games) == 3
    for pair, result in games(place, ["gaps.py", "random_bot.py"]).items():
        for name in ("chips", "bets", "calls", "faults"):
            assert np.array_equal(getattr(result, name), getattr(all_games[pair], name))


def test_a_rename_changes_nothing_but_the_name(place: Path, base: dict[str, bytes]) -> None:
    (place / "t.yaml").write_text(
        "seed: 3\ndeals: 30\ntable: {end: {rounds: 4}}\n"
        "bots:\n  - bots/random_bot.py\n  - bots/vector.py\n  - {file: bots/gaps.py, name: Zzz}\n"
    )
    assert arena("run", place / "t.yaml", "--out", place / "new") == 0
    renamed = report(place / "new" / "t")["standings.csv"].decode()
    assert sorted(renamed.replace("Zzz", "Gap").splitlines()) == sorted(
        base["standings.csv"].decode().splitlines()
    )


def test_a_dry_run_says_what_it_would_play_and_writes_nothing(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert arena("run", place / "t.yaml", "--out", place / "none", "--dry-run") == 0
    out = capsys.readouterr().out
    assert "3 lineups x 2 rotations x 30 deals = 180 games" in out
    assert "Gap - " in out or " - Gap" in out
    names = re.findall(r"^  (\w+)  \(\w+\.py:\d+\)$", out, re.M)
    assert len(names) == 3
    assert names == sorted(names)
    assert not (place / "none").exists()


def test_a_broken_file_is_named_and_the_rest_play_on(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (place / "bots" / "broken.py").write_text("from arena import Bot\n\nclass Broken(Bot:\n    pass\n")
    assert arena("run", place / "t.yaml", "--out", place / "out") == 0
    assert "broken.py:3:" in capsys.readouterr().err
    assert arena("run", place / "t.yaml", "--out", place / "strict", "--strict") == 2
    assert "broken.py:3:" in capsys.readouterr().err
    assert not (place / "strict").exists()


def test_faults_are_in_the_report_by_kind_with_the_first_one(place: Path, base: dict[str, bytes]) -> None:
    text = base["report.md"].decode()
    assert "negative" in text
    assert "a bet of -1, where 0 or 1 to" in text


def test_a_gauntlet_plays_only_against_those_named_and_ranks_nobody(place: Path) -> None:
    (place / "t.yaml").write_text(
        "bots: bots\ndeals: 20\ntable: {end: {rounds: 2}}\nschedule: gauntlet\nagainst: [Gap]\n"
    )
    assert arena("run", place / "t.yaml", "--out", place / "g") == 0
    results = json.loads((place / "g" / "t" / "results.json").read_text())
    assert all(bot["rank"] is None for bot in results["bots"])
    assert {bot["name"]: bot["games"] for bot in results["bots"]} == {"Gap": 80, "Random": 40, "Wide": 40}


def descendants(pid: int) -> set[tuple[int, str]]:
    """All processes below ``pid``, each with its start time."""
    parents: dict[int, list[tuple[int, str]]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents.setdefault(int(fields[1]), []).append((int(entry.name), fields[19]))
    found: set[tuple[int, str]] = set()
    todo = [pid]
    while todo:
        for child in parents.get(todo.pop(), []):
            found.add(child)
            todo.append(child[0])
    return found


def alive(processes: set[tuple[int, str]]) -> list[int]:
    left = []
    for pid, started in processes:
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if fields[19] == started and fields[0] != "Z":
            left.append(pid)
    return left


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_run_that_is_stopped_leaves_no_process_and_no_report(place: Path, how: signal.Signals) -> None:
    spin = "from arena import Bot\nclass Spin(Bot):\n    def bet(self, turn):\n        while True: pass\n"
    (place / "bots" / "spin.py").write_text(spin)
    start = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"  # a shell's & ignores it
    )
    command = [
        sys.executable,
        "-c",
        f"{start}; from arena.cli import main; main()",
        "run",
        str(place / "t.yaml"),
    ]
    more = ["--out", str(place / "out"), "--deals", "100000", "--set", "limits.decision_ms=60000"]
    run = subprocess.Popen([*command, *more], stderr=subprocess.PIPE, text=True, env=dict(os.environ))
    deadline = time.monotonic() + 30
    while len(below := descendants(run.pid)) < 6 and time.monotonic() < deadline:
        time.sleep(0.05)  # two workers, a server each, two bots each: wait until bots play
    assert len(below) >= 6
    time.sleep(0.3)
    below = descendants(run.pid)
    start = time.monotonic()
    run.send_signal(how)
    try:
        _, err = run.communicate(timeout=20)
    finally:
        run.kill()
        run.wait()
    took = time.monotonic() - start
    while alive(below) and time.monotonic() < start + 5:
        time.sleep(0.02)
    assert alive(below) == []
    assert [path.name for path in (place / "out").iterdir()] == [".store"]
    if how != signal.SIGKILL:
        assert run.returncode == 130
        assert took < 5.0  # a second where nothing else runs; it would wait for bots that never answer
        assert f"go on with: arena run {place / 't.yaml'} --out" in err
        assert "Traceback" not in err
        assert "leaked" not in err


@pytest.mark.workers
def test_a_worker_that_dies_costs_only_its_blocks(place: Path) -> None:
    spec = load_spec(place / "t.yaml")
    entrants, _ = find_entrants(spec.bots)
    setup = setup_of(spec, entrants, is_trusted=False)
    todo = [Block((0, 1), 10 * k, 10) for k in range(8)]
    killed: list[int] = []

    def kill_one(_: BlockResult) -> None:
        if not killed:
            worker = next(pid for pid, _ in descendants(os.getpid()) if b"spawn_main" in cmdline(pid))
            killed.append(worker)
            os.kill(worker, signal.SIGKILL)

    with Run(setup, 2) as run:
        results = run.play(todo, kill_one)
    assert killed
    assert [r.block for r in results] == todo


DYING = """
import os
from arena import Bot

class Dying(Bot):
    def bet(self, turn):
        if turn.uniform() < 0.03:
            os._exit(1)
        return turn.max_bet if turn.gap >= 7 else 0
"""


@pytest.mark.slow
@pytest.mark.workers
def test_a_bot_whose_process_ends_is_out_and_its_games_are_played_by_default_whatever_the_blocks(
    place: Path, base: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    (place / "bots" / "dying.py").write_text(DYING)
    assert arena("run", place / "t.yaml", "--out", place / "one") == 0
    assert arena("run", place / "t.yaml", "--out", place / "two", "--workers", 2) == 0
    assert report(place / "one" / "t") == report(place / "two" / "t")
    assert "its process ended here (exit code 1)" in report(place / "one" / "t")["report.md"].decode()
    monkeypatch.setattr("arena.tournament.tournament.block_deals", lambda *_: 7)
    assert arena("run", place / "t.yaml", "--out", place / "small", "--workers", 2) == 0
    # In other blocks it meets its end elsewhere, but what the games were worth is the same.
    assert report(place / "one" / "t")["standings.csv"] == report(place / "small" / "t")["standings.csv"]
    (place / "bots" / "dying.py").write_text(
        "from arena import Bot\n\nclass Dying(Bot):\n    def bet(self, turn):\n        return 0\n"
    )
    assert arena("run", place / "t.yaml", "--out", place / "passes") == 0
    of = [json.loads((place / run / "t" / "results.json").read_text()) for run in ("one", "passes")]
    scores = [{bot["name"]: bot["chips"]["mean"] for bot in results["bots"]} for results in of]
    assert {"Gap", "Wide"} <= set(scores[0])
    assert scores[0]["Gap"] == scores[1]["Gap"]  # Gap draws no chance: a bot's own chance is of its content


def cmdline(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def test_blocks_are_cut_by_the_tournament_alone_and_fit_in_memory() -> None:
    nepali = table_rules({"preset": "nepali"})
    assert block_deals(1000, 2, nepali) == 1000
    assert block_deals(100_000, 2, nepali) == 4000
    long = nepali.model_copy(update={"end": nepali.end.model_copy(update={"rounds": 10_000})})
    assert block_deals(100_000, 8, long) * 10_000 * 8 * 8 * 10 <= 1 << 26
