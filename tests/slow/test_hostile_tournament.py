"""Twenty hostile bots among the house's: the tournament ends, and the house's scores are what passing bots would leave."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from hostile_lab import HERE, ROOT, hostile_bots

from arena.bot.entrant import BotSource, Entrant, find_entrants
from arena.bot.faults import Fault
from arena.tournament.blocks import Block, BlockResult
from arena.tournament.executors import Worker
from arena.tournament.spec import load_spec
from arena.tournament.tournament import setup_of

pytestmark = [pytest.mark.slow, pytest.mark.alone]
HOUSE = ("edge", "fresh_pack", "leader_passes", "mood", "random_bet")
HOSTILE = (
    "ansi", "fork", "close_fd", "exit", "forge_frame", "garbage", "init_hang", "mem_bomb", "no_read", "one_call",
    "print_flood", "raise_decide", "raise_init", "read_passwd", "recursion", "segfault", "spin", "wrong_huge", "wrong_liar",
    "wrong_shape",
)  # fmt: skip
DEALS = 20
PASSES = '''"""Passes."""

from arena import Bot


class Passes(Bot):
    def bet(self, turn):
        return 0
'''


@dataclass(frozen=True)
class Told:
    """What a run says: its results, by name of bot, and its report."""

    bots: dict[str, dict[str, Any]]
    report: str
    talk: str


def entrant(path: Path) -> Entrant:
    (found,), problems = find_entrants([BotSource(path)])
    assert not problems
    return found


def stand_ins(folder: Path, house: list[Entrant], hostile: list[Entrant]) -> dict[str, Path]:
    """For each hostile bot a file of one that passes, whose content hash falls between the same house bots'.

    Lineups order entrants by content hash: so every lineup is the same but for who passes.
    """
    marks = sorted(bot.content for bot in house)

    def slot(bot: Entrant) -> int:
        return sum(mark < bot.content for mark in marks)

    free: dict[int, list[Path]] = {}
    wanted = [slot(bot) for bot in hostile]
    for salt in range(20_000):
        path = folder / f"passes_{salt}.py"
        path.write_text(PASSES + f"\n\n# {salt}\n")
        made = free.setdefault(slot(entrant(path)), [])
        if len(made) < wanted.count(slot(entrant(path))):
            made.append(path)
        if all(len(free.get(at, ())) == wanted.count(at) for at in set(wanted)):
            break
    for paths in free.values():
        paths.sort(key=lambda path: entrant(path).content)
    return {bot.name: free[slot(bot)].pop(0) for bot in sorted(hostile, key=lambda bot: bot.content)}


def run(folder: Path, name: str, bots: dict[str, Path]) -> Told:
    """Hold the tournament of these bots and read what it says."""
    lines = [
        f"name: {name}",
        "seed: 11",
        f"deals: {DEALS}",
        "limits: {decision_ms: 5, bank_ms: 50, faults: 1000}",
        "bots:",
    ]
    lines += [f"  - {{file: {path}, name: {bot}}}" for bot, path in bots.items()]
    (folder / f"{name}.yaml").write_text("\n".join(lines) + "\n")
    done = subprocess.run(
        [sys.executable, "-P", "-c", "from arena.cli import main; main()", "run", f"{folder}/{name}.yaml", "--out", folder],
        env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    results = json.loads((folder / name / "results.json").read_text())
    report = (folder / name / "report.md").read_text()
    return Told({bot["name"]: bot for bot in results["bots"]}, report, done.stdout + done.stderr)


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[Told, Told]:
    """The tournament with hostile bots, and that with bots that pass in their places."""
    folder = tmp_path_factory.mktemp("tournament")
    house = [entrant(ROOT / "bots" / f"{name}.py") for name in HOUSE]
    hostile = [replace(entrant(HERE / "hostile" / f"{name}.py"), name=name) for name in HOSTILE]
    passing = stand_ins(folder, house, hostile)
    of_house = {bot.name: bot.file for bot in house}
    with_hostile = run(folder, "hostile", of_house | {bot.name: bot.file for bot in hostile})
    return with_hostile, run(folder, "passing", of_house | passing)


def house_of(told: Told) -> dict[str, dict[str, Any]]:
    return {name: bot for name, bot in told.bots.items() if name not in HOSTILE}


def test_the_houses_scores_are_those_against_bots_that_pass(both: tuple[Told, Told]) -> None:
    hostile, passing = (house_of(told) for told in both)
    assert len(hostile) == len(HOUSE)
    assert hostile == passing
    assert len({json.dumps(bot["chips"]) for bot in hostile.values()}) == len(HOUSE)


def test_the_hostile_bots_score_as_bots_that_pass(both: tuple[Told, Told]) -> None:
    hostile, passing = both
    for name in HOSTILE:
        apart = {"faults", "first_faults", "file", "class", "content", "line", "params", "is_vector"}
        assert {k: v for k, v in hostile.bots[name].items() if k not in apart} == {
            k: v for k, v in passing.bots[name].items() if k not in apart
        }


def decisions(folder: Path) -> int:
    """How many bets a bot that passes is asked for in the tournament: counted as faults, in this process."""
    (folder / "passes.py").write_text(PASSES)
    faulty = HERE / "hostile" / "raise_decide.py"
    files = [faulty, folder / "passes.py", *(ROOT / "bots" / f"{name}.py" for name in HOUSE)]
    (folder / "t.yaml").write_text("seed: 11\nlimits: {faults: 1000}\nbots: [passes.py]\n")
    bots = [entrant(path) for path in files]
    worker = Worker(setup_of(load_spec(folder / "t.yaml"), bots, is_trusted=True))
    counts = []
    for other in range(1, len(bots)):
        result = worker.play(Block((0, other), 0, DEALS))
        assert isinstance(result, BlockResult)
        counts.append(int(result.faults[:, 0].sum()))
    return counts[0] * (len(HOSTILE) - 1) + sum(counts[1:])


def test_every_hostile_bots_faults_are_named_by_kind_and_count(
    both: tuple[Told, Told], tmp_path: Path
) -> None:
    hostile, passing = both
    asked = decisions(tmp_path)
    parts = hostile.report[hostile.report.index("## Faults\n") :].split("\n### ")[1:]
    sections = {heading: text for heading, _, text in (part.partition("\n") for part in parts)}
    for name in HOSTILE:
        bot, expect = hostile.bots[name], hostile_bots()[name].expect
        if expect == "harmless":
            assert set(bot["faults"]) <= {Fault.LATE.label}, name  # what it tries may take its time
            continue
        kind = Fault[expect.removeprefix("fault:").upper()].label
        assert set(bot["faults"]) == {kind}, name
        games, count = bot["games"], bot["faults"][kind]
        if expect == "fault:INIT":
            assert count == games
        elif expect.startswith("fault:"):
            assert count == asked, name
        else:
            assert 0 < count <= max(asked, games)
        assert f"{count:,} times *{kind}*" in sections[name], name
    assert all(not bot["faults"] for bot in passing.bots.values())


def test_nothing_a_bot_says_reaches_a_terminal_or_a_file_as_more_than_text(both: tuple[Told, Told]) -> None:
    hostile, _ = both
    assert "owned" in hostile.report
    for text in (hostile.report, hostile.talk, json.dumps(hostile.bots)):
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", text.replace("\r\n", "\n"))
