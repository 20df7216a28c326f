"""``arena runs`` and ``arena prune``: what is stored is listed as it is, and nothing goes that a run needs."""

from __future__ import annotations

import errno
import importlib
import json
import os
import sqlite3
from pathlib import Path

import pytest
from test_resume import GAP, Games, arena, games, run  # noqa: F401

from arena.cli.stored import size
from arena.tournament.executors import Worker
from arena.tournament.lock import holding
from arena.tournament.store_file import SCHEMA

DATA = Path(__file__).parent / "data"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bots").mkdir()
    for n in (6, 7, 9):
        (tmp_path / "bots" / f"gap{n}.py").write_text(GAP.format(n=n))
    (tmp_path / "t.yaml").write_text(
        "seed: 3\nbots: bots\ndeals: 20\nrank_by: chips\ntable: {end: {rounds: 2}}\n"
    )
    return tmp_path


def listed(capsys: pytest.CaptureFixture[str], out: str = "a") -> list[dict[str, object]]:
    """What ``arena runs --json`` says."""
    capsys.readouterr()
    assert arena("runs", "--out", out, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert isinstance(found, list)
    return found


def test_runs_are_listed_with_games_size_and_last_use(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert listed(capsys) == []
    run("a")
    run("a", "--set", "name=other", "--deals", 30)
    capsys.readouterr()
    assert arena("runs", "--out", "a") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["run", "games", "turns", "size", "last", "use", "(UTC)", "state"]
    assert [line.split()[:2] for line in lines[2:]] == [["other", "180"], ["t", "120"]]
    assert [line.split()[-1] for line in lines[2:]] == ["done", "done"]
    other, this = listed(capsys)
    assert (other["games"], this["games"]) == (180, 120)
    store = place / "a" / ".store" / "t.sqlite"
    assert this["size_bytes"] == store.stat().st_size
    assert this["is_done"] is True
    (store.parent / "t.sqlite.damaged-1").write_text("x")
    (store.parent / "bad.sqlite").write_bytes(b"no database" * 1000)
    with holding(store.with_suffix(".lock"), lambda _: None):
        bad, _, this = listed(capsys)
    assert "not a database" in str(bad["problem"])
    assert this["holder"] is not None
    assert this["holder"]["pid"] == os.getpid()  # type: ignore[index]
    assert len(this["aside"]) == 1  # type: ignore[arg-type]

    def stopped(*_: object) -> object:
        raise KeyboardInterrupt

    monkeypatch.setattr(importlib.import_module("arena.cli.run"), "hold", stopped)
    assert arena("run", "t.yaml", "--trust-bots", "--out", "a") == 130
    assert listed(capsys)[-1]["is_done"] is False


def test_prune_removes_what_the_last_run_did_not_use_and_no_more(
    place: Path,
    games: Games,  # noqa: F811
    capsys: pytest.CaptureFixture[str],
) -> None:
    run("a", "--deals", 50)
    run("a", "--seed", 9)
    (place / "bots" / "gap6.py").unlink()
    now = run("a")
    games.take()
    assert [line["games"] for line in listed(capsys)] == [300 + 120 + 40]
    said = []
    for arguments, left in ((["--dry-run"], 460), ([], 40), ([], 40)):
        capsys.readouterr()
        assert arena("prune", "--out", "a", *arguments) == 0
        said.append(capsys.readouterr().out)
        assert listed(capsys)[0]["games"] == left
    assert said == [
        "t: 420 of 460 games would be removed\n",
        "t: 420 of 460 games removed\n",
        "t: 0 of 40 games removed\n",
    ]
    assert run("a") == now
    assert games.take() == 0
    run("a", "--seed", 9)
    assert games.take() == 40


def test_blocks_that_a_run_cut_short_needs_stay(
    place: Path,
    games: Games,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    run("a")
    run("a", "--seed", 9)
    (place / "bots" / "gap8.py").write_text(GAP.format(n=8))
    play, left = Worker.play, [2]

    def few(self: Worker, *arguments: object) -> object:
        if not left[0]:
            raise KeyboardInterrupt
        left[0] -= 1
        return play(self, *arguments)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(Worker, "play", few)
        patch.setattr("arena.tournament.runner._WINDOW", 1)
        assert arena("run", "t.yaml", "--trust-bots", "--out", "a", "--workers", 1) == 130
    games.take()
    assert arena("prune", "--out", "a") == 0
    run("a")
    assert games.take() == 40  # of the three lineups that were new, two were stored, and no old one was lost


def test_whole_removes_a_store_and_its_damaged_files_and_nothing_else(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = run("a")
    run("a", "--set", "name=other")
    store = place / "a" / ".store"
    (store / "t.sqlite.damaged-1").write_text("x")
    assert arena("prune", "--out", "a", "--whole") == 2
    assert arena("prune", "--out", "a", "--whole", "x") == 2
    assert 'nothing is stored of a run "x"' in capsys.readouterr().err
    assert arena("prune", "--out", "a", "--whole", "--dry-run", "t") == 0
    assert (store / "t.sqlite").exists()
    assert arena("prune", "--out", "a", "--whole", "t") == 0
    assert sorted(path.name for path in store.iterdir()) == ["other.lock", "other.sqlite"]
    assert (place / "a" / "t" / "results.json").read_bytes() == report["results.json"]
    assert run("a") == report


@pytest.mark.parametrize(
    ("n", "text"), [(0, "0 kB"), (40_960, "41 kB"), (2_904_064, "2.9 MB"), (99_999, "100 kB")]
)
def test_sizes_are_in_thousands(n: int, text: str) -> None:
    assert size(n) == text


@pytest.mark.parametrize("out", ["//", 'q?u#o%20 te"s', "lnk"])
def test_runs_and_dry_runs_look_into_folders_of_any_name(
    place: Path, capsys: pytest.CaptureFixture[str], out: str
) -> None:
    (place / "real").mkdir()
    (place / "lnk").symlink_to("real")
    folder = f"/{place}/two" if out == "//" else out
    run(folder)
    assert [line["games"] for line in listed(capsys, folder)] == [120]
    assert arena("run", "t.yaml", "--trust-bots", "--out", folder, "--dry-run") == 0
    assert "0 of 120 games are new" in capsys.readouterr().out


def test_a_store_that_nobody_may_write_to_is_read(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run("a")
    if os.geteuid():
        for path in (*(place / "a" / ".store").iterdir(), place / "a" / ".store"):
            path.chmod(path.stat().st_mode & ~0o222)
    else:  # root may write anywhere: have it believe otherwise
        access = os.access
        monkeypatch.setattr("os.access", lambda path, mode: mode != os.W_OK and access(path, mode))
    before = sorted((place / "a" / ".store").iterdir())
    [found] = listed(capsys)
    assert (found["games"], found["problem"]) == (120, None)
    assert sorted((place / "a" / ".store").iterdir()) == before
    (place / "a" / ".store").chmod(0o700)


def test_a_run_whose_name_ends_as_damaged_files_do_is_none_of_them(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = place / "a" / ".store"
    run("a")
    assert arena("run", "t.yaml", "--trust-bots", "--out", "a", "--set", "name=t.sqlite.damaged-1") == 0
    for end in ("", "-wal", "-shm"):
        (store / f"t.sqlite.damaged-2{end}").write_text("x")
    this = listed(capsys)[0]
    assert this["aside"] == ["a/.store/t.sqlite.damaged-2"]
    assert arena("prune", "--out", "a", "--whole", "t") == 0
    other = "t.sqlite.damaged-1"
    assert sorted(path.name for path in store.iterdir()) == [f"{other}.lock", f"{other}.sqlite"]


def test_what_cannot_be_read_is_listed_as_that_and_does_not_hide_the_rest(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run("a")
    store = place / "a" / ".store"
    later = sqlite3.connect(store / "later.sqlite")
    later.execute("CREATE TABLE blocks (games, turns)")
    later.execute(f"PRAGMA user_version = {SCHEMA + 1}")
    later.close()
    (store / "empty.sqlite").write_bytes(b"")  # a run killed as it began
    (store / "z.sqlite").symlink_to("gone")
    opened = os.open

    def denied(path: str | Path, *arguments: int) -> int:
        if Path(path).name == "t.lock":
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return opened(path, *arguments)

    with monkeypatch.context() as patch:
        patch.setattr("os.open", denied)
        found = {str(line["name"]): line for line in listed(capsys)}
    assert [(name, line["games"], line["problem"]) for name, line in found.items()] == [
        ("empty", 0, None),
        (
            "later",
            0,
            f"stored by a later version of the arena (schema {SCHEMA + 1}, this one knows {SCHEMA})",
        ),
        ("t", 120, None),
        ("z", 0, "unable to open database file"),
    ]
    assert arena("prune", "--out", "a") == 0
    told = capsys.readouterr()
    assert "later: left as it is: it cannot be read (stored by a later version" in told.err
    assert "t: 0 of 120 games removed\n" in told.out


def test_damage_that_is_no_text_is_listed_and_a_dry_run_counts_nothing_as_stored(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run("a")
    store = place / "a" / ".store" / "t.sqlite"
    store.write_bytes(store.read_bytes().replace(b"CREATE TABLE used", b"CREATE\xceTABLE used"))
    [this] = listed(capsys)
    assert "malformed database schema" in str(this["problem"])
    assert arena("run", "t.yaml", "--trust-bots", "--out", "a", "--dry-run") == 0
    assert "are new" not in capsys.readouterr().out


def test_a_folder_of_stores_that_may_not_be_read_is_not_called_empty(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run("a")

    def denied(path: object) -> object:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr("os.scandir", denied)
    monkeypatch.setattr("os.listdir", denied)
    for command in ("runs", "prune"):
        assert arena(command, "--out", "a") == 2
        assert "a/.store: cannot be looked into (Permission denied)" in capsys.readouterr().err


def test_pruning_said_and_not_done_waits_for_nobody_and_leaves_files_as_they_are(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run("a", "--deals", 50)
    run("a")
    store = place / "a" / ".store" / "t.sqlite"
    capsys.readouterr()
    with holding(store.with_suffix(".lock"), lambda _: None):
        assert arena("prune", "--out", "a", "--dry-run") == 0
    assert capsys.readouterr().out == "t: 300 of 420 games would be removed\n"
    damaged = bytearray(store.read_bytes())
    damaged[4096:8192] = b"x" * 4096
    for content in (bytes(damaged), (DATA / "store_1.sqlite").read_bytes()):
        store.write_bytes(content)
        assert arena("prune", "--out", "a", "--dry-run") == 0
        assert [path.read_bytes() for path in store.parent.glob("*.sqlite*")] == [content]
    assert "t: 0 of 16 games would be removed" in capsys.readouterr().out
