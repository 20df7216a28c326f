"""Runs that go on from what is stored: only what is new is played, and the report is that of a run from nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.bot.entrant import find_entrants
from arena.cli import main
from arena.report.write import FILES, write_report
from arena.tournament.answers import run_answers
from arena.tournament.blocks import Block
from arena.tournament.executors import Out, Worker
from arena.tournament.schedule import spec_lineups
from arena.tournament.spec import load_spec
from arena.tournament.store import open_store
from arena.tournament.telling import MOST_STEPS, telling_games, told
from arena.tournament.tournament import hold

SAME = [name for name in FILES if name != "run.json"]
GAP = """
from arena import Bot

class Gap{n}(Bot):
    def bet(self, turn):
        if turn.uniform() < 0.01:
            return -1
        return turn.max_bet if turn.gap >= {n} else 0
"""
Arena = Callable[..., dict[str, bytes]]


class Games:
    """What was played: lineups' blocks, and games in all."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []

    def take(self) -> int:
        """How many games since asked last."""
        games = sum(len(block.lineup) * block.deals for block in self.blocks)
        self.blocks.clear()
        return games


@pytest.fixture
def games(monkeypatch: pytest.MonkeyPatch) -> Games:
    counted, play = Games(), Worker.play

    def count(self: Worker, block: Block, out: Out | None = None) -> object:
        counted.blocks.append(block)
        return play(self, block, out)

    monkeypatch.setattr(Worker, "play", count)
    return counted


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bots").mkdir()
    for n in (6, 7, 9):
        (tmp_path / "bots" / f"gap{n}.py").write_text(GAP.format(n=n))
    (tmp_path / "t.yaml").write_text(
        "seed: 3\nbots: bots\ndeals: 60\nrank_by: chips\ntable: {end: {rounds: 2}}\n"
    )
    return tmp_path


def arena(*arguments: object) -> int:
    with pytest.raises(SystemExit) as ended:
        main([str(a) for a in arguments])
    code = ended.value.code or 0
    assert isinstance(code, int)
    return code


def run(out: str, *arguments: object) -> dict[str, bytes]:
    """The report of a run of ``t.yaml`` into this folder."""
    assert arena("run", "t.yaml", "--trust-bots", "--out", out, *arguments) == 0
    return {name: Path(out, "t", name).read_bytes() for name in SAME}


def said(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """What was said of new games."""
    return [line for line in capsys.readouterr().err.splitlines() if line.endswith("games are new")]


def test_the_same_run_again_plays_nothing_and_reports_the_same(
    place: Path, games: Games, capsys: pytest.CaptureFixture[str]
) -> None:
    first = run("a")
    assert games.take() == 3 * 2 * 60
    assert said(capsys) == []
    assert run("a") == first
    assert games.take() == 0
    assert said(capsys) == ["0 of 360 games are new"]
    assert run("a", "--workers", 7) == first
    assert games.take() == 0


def test_a_bot_more_or_another_plays_only_its_own_lineups(
    place: Path, games: Games, capsys: pytest.CaptureFixture[str]
) -> None:
    run("a")
    (place / "bots" / "gap8.py").write_text(GAP.format(n=8))
    said(capsys)
    games.take()
    four = run("a")
    assert said(capsys) == ["360 of 720 games are new"]
    assert games.take() == 360
    assert run("nothing") == four
    (place / "bots" / "gap6.py").write_text(GAP.format(n=6) + "\n# another\n")
    games.take()
    changed = run("a")
    assert games.take() == 360
    assert run("nothing2") == changed
    (place / "bots" / "gap6.py").unlink()
    games.take()
    run("a")
    assert games.take() == 0


def test_a_rename_in_the_tournament_plays_nothing_a_file_of_another_name_does(
    place: Path, games: Games
) -> None:
    run("a")
    games.take()
    text = (place / "t.yaml").read_text()
    listed = "[{file: bots/gap6.py, name: Zzz}, bots/gap7.py, bots/gap9.py]"
    (place / "t.yaml").write_text(text.replace("bots: bots", f"bots: {listed}"))
    renamed = run("a")
    assert games.take() == 0
    assert run("nothing") == renamed
    (place / "bots" / "gap6.py").rename(place / "bots" / "other.py")
    (place / "t.yaml").write_text(text)
    games.take()
    run("a")
    assert games.take() == 2 * 2 * 60  # a traceback would show the name


MORE = [
    (["--deals", 100], 3 * 2 * 40),
    (["--deals", 30], 3 * 2 * 30),
    (["--deals", 500], 3 * 2 * 440),
    (["--until", "half_width=40", "--set", "stop.max_deals=500"], None),
    (["--seed", 4], 360),
    (["--set", "table.ante.amount=12"], 360),
    (["--set", "limits.faults=3"], 360),
    (["--set", "rank_by=wins"], 0),
    (["--set", "confidence=0.8"], 0),
]


@pytest.mark.parametrize(("arguments", "new"), MORE)
def test_whatever_is_changed_the_report_is_that_of_a_run_from_nothing(
    place: Path, games: Games, arguments: list[object], new: int | None
) -> None:
    first = run("a")
    games.take()
    changed = run("a", *arguments)
    played = games.take()
    assert new is None or played == new
    assert run("nothing", *arguments) == changed
    assert played < games.take() or new
    assert run("a") == first
    assert games.take() == 0


@pytest.mark.slow
def test_deals_after_a_run_that_stopped_early_and_the_other_way_round(place: Path, games: Games) -> None:
    long = ["--set", "table.end.rounds=10"]
    stop = [*long, "--until", "half_width=16", "--set", "stop.max_deals=1500"]
    stopped = run("a", *stop)
    games.take()
    for deals in (1500, 500, 300):
        there = run("a", *long, "--deals", deals)
        assert games.take() == 3 * 2 * {1500: 500, 500: 0, 300: 50}[deals], deals
        assert run(f"n{deals}", *long, "--deals", deals) == there
        games.take()
    assert run("a", *stop) == stopped
    assert games.take() == 0


@pytest.mark.slow
def test_blocks_cut_otherwise_are_as_good(place: Path, games: Games, monkeypatch: pytest.MonkeyPatch) -> None:
    adjusted = ("--set", "rank_by=adjusted")
    whole = run("whole", *adjusted, "--deals", 610)
    for size, deals in ((7, 20), (11, 133), (350, 610)):
        monkeypatch.setattr("arena.tournament.tournament.block_deals", lambda *_, size=size: size)
        last = run("a", *adjusted, "--deals", deals)
    assert last == whole


def test_fresh_plays_everything_anew(place: Path, games: Games, capsys: pytest.CaptureFixture[str]) -> None:
    first = run("a")
    games.take()
    said(capsys)
    assert run("a", "--fresh") == first
    assert games.take() == 360
    assert said(capsys) == []
    assert run("a") == first
    assert games.take() == 0


def test_twins_of_one_content_share_what_is_stored(place: Path, games: Games) -> None:
    twins = "[{file: bots/gap6.py, name: A}, {file: bots/gap6.py, name: B}, bots/gap9.py]"
    (place / "t.yaml").write_text((place / "t.yaml").read_text().replace("bots: bots", f"bots: {twins}"))
    first = run("a")
    assert games.take() <= 3 * 2 * 60
    assert run("a") == first
    assert games.take() == 0


def test_a_damaged_store_is_set_aside_and_played_anew(
    place: Path, games: Games, capsys: pytest.CaptureFixture[str]
) -> None:
    first = run("a")
    games.take()
    store = place / "a" / ".store" / "t.sqlite"
    damaged = bytearray(store.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    store.write_bytes(damaged)
    assert run("a") == first
    assert games.take() == 360
    assert "the store is damaged" in capsys.readouterr().err
    assert (store.parent / "t.sqlite.damaged-1").read_bytes() == damaged


def test_a_dry_run_counts_what_is_stored_waits_for_nobody_and_leaves_damage_where_it_is(
    place: Path, games: Games, capsys: pytest.CaptureFixture[str]
) -> None:
    run("a")
    dry = ("run", "t.yaml", "--trust-bots", "--out", "a", "--dry-run", "--deals", 100)
    told = []
    with open_store(place / "a" / ".store", "t", lambda _: None):  # as a run under way holds it
        for fresh in ((), ("--fresh",)):
            assert arena(*dry, *fresh) == 0
            told.append(capsys.readouterr().out)
    assert "240 of 600 games are new" in told[0]
    assert "are new" not in told[1]
    store = place / "a" / ".store" / "t.sqlite"
    whole = store.read_bytes()
    for content in (b"", b"x" * 5000, whole[:9000], whole[:4096] + b"x" * (len(whole) - 4096)):
        store.write_bytes(content)
        assert arena(*dry) == 0
        assert "= 600 games" in capsys.readouterr().out
        assert [store.read_bytes()] == [path.read_bytes() for path in store.parent.glob("*.sqlite*")]
    assert arena(*dry[:4], "none", *dry[5:]) == 0
    assert not (place / "none").exists()


def test_a_report_without_a_store_is_the_same(place: Path, games: Games) -> None:
    given = ["deals=300", "rank_by=adjusted"]
    stored = run("a", *(word for over in given for word in ("--set", over)))
    again = run("a", *(word for over in given for word in ("--set", over)))
    spec = load_spec(place / "t.yaml", given)
    entrants, _ = find_entrants(spec.bots)
    lineups = spec_lineups(spec, entrants)
    held = hold(spec, entrants, lineups, 1, True, lambda *_: None)
    answers = run_answers(held, spec.table, spec.seed, spec.confidence)
    names = [entrant.name for entrant in entrants]
    worst = telling_games(held, spec.table.chips)
    games = told(held, spec.table, spec.seed, names, worst, MOST_STEPS)
    write_report(place / "bare" / "t", spec, entrants, held.standings, {}, held.looks, answers, games)
    assert {name: (place / "bare" / "t" / name).read_bytes() for name in SAME} == stored == again


ENV = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, Path(__file__).parents[:2]))}
LIMITED = """
import resource, sys
import arena.report.write as write
import arena.tournament.tournament as tournament
import page_hash
from arena.cli import main
tournament.block_deals = lambda *_: 50
write._page_files = page_hash.told
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv.pop(1)), resource.RLIM_INFINITY))
main()
"""


def limited(most_bytes: int, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A run of ``t.yaml`` in a process none of whose files may be longer."""
    command = [
        sys.executable,
        "-c",
        LIMITED,
        str(most_bytes),
        "run",
        "t.yaml",
        "--trust-bots",
        "--workers",
        "1",
    ]
    return subprocess.run([*command, *arguments], capture_output=True, text=True, check=False, env=ENV)


@pytest.mark.slow
def test_where_no_more_fits_on_the_disk_it_says_so_and_goes_on_when_there_is_room(place: Path) -> None:
    deals = ("--deals", "250")
    full = limited(80_000, *deals)
    assert full.returncode == 2
    [line] = [line for line in full.stderr.splitlines() if line.startswith("error:")]
    assert "t.sqlite: results cannot be stored" in line
    assert "the same command goes on from there" in line
    assert not (place / "reports" / "t").exists()
    again = limited(1 << 30, *deals)
    assert again.returncode == 0, again.stderr
    new = next(line for line in again.stderr.splitlines() if line.endswith("games are new"))
    assert 0 < int(new.split()[0].replace(",", "")) < 1500
    assert limited(1 << 30, *deals, "--out", "nothing").returncode == 0
    for name in SAME:
        assert (place / "reports" / "t" / name).read_bytes() == (place / "nothing" / "t" / name).read_bytes()
