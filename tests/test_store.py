"""The store: what is kept comes back, one process at a time, and a damaged file is set aside."""

from __future__ import annotations

import dataclasses
import os
import random
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import playing
import pytest

from arena.bot.faults import Fault
from arena.bot.host import Limits
from arena.errors import ArenaError
from arena.tournament import store_file
from arena.tournament.blocks import Block, BlockResult
from arena.tournament.executors import Setup
from arena.tournament.lock import holder
from arena.tournament.store import open_store, peek_store
from arena.tournament.store_file import SCHEMA, open_file

BOTS = (playing.code(playing.GAP8), playing.code(playing.PASS), playing.code(playing.GAP8.replace("8", "7")))
SETUP = Setup(BOTS, playing.rules(), 7, 10, Limits(0.02, 1.0, 1 << 28), False)
DATA = Path(__file__).parent / "data"


def silent(sentence: str) -> None:
    raise AssertionError(f"nothing was to be said: {sentence}")


def result(first_deal: int = 0, deals: int = 5) -> BlockResult:
    return playing.play(BOTS[:2], deals=deals, first_deal=first_deal)


def late(of: BlockResult, position: int, kind: Fault = Fault.LATE) -> BlockResult:
    return dataclasses.replace(of, fault_log=np.array([[0, 1, position, kind, 1]]))


def test_what_is_kept_is_found_by_its_bots_deals_and_who_is_out(tmp_path: Path) -> None:
    kept = [result(), result(5, 3), result(deals=9)]
    with open_store(tmp_path, "t", silent) as store:
        for one in kept:
            store.shelf(SETUP).keep(one, {})
        store.shelf(SETUP).keep(late(kept[1], 1, Fault.DIED), {1: Fault.DIED})
    others = dataclasses.replace(SETUP, bots=(BOTS[2], *BOTS[:2]))
    with open_store(tmp_path, "t", silent) as store:
        shelf = store.shelf(others)
        assert shelf.blocks((1, 2)) == {0: [5, 9], 5: [3]}
        assert shelf.blocks((0, 1)) == {}
        for one in kept:
            block = dataclasses.replace(one.block, lineup=(1, 2))
            found = shelf.find(block, {})
            assert found is not None
            assert found.block == block
            assert playing.same(found, one)
        out = shelf.find(Block((1, 2), 5, 3), {2: Fault.DIED})
        assert out is not None
        assert out.fault_log.tolist() == [[0, 1, 1, Fault.DIED, 1]]
        assert shelf.find(Block((1, 2), 5, 3), {2: Fault.LATE}) is None
        assert shelf.find(Block((1, 2), 0, 3), {}) is None
        assert store.shelf(dataclasses.replace(SETUP, seed=8)).blocks((0, 1)) == {}


def test_a_block_in_which_a_time_limit_struck_is_played_again(tmp_path: Path) -> None:
    with open_store(tmp_path, "t", silent) as store:
        shelf = store.shelf(SETUP)
        shelf.keep(late(result(), 0), {})
        shelf.keep(late(result(5), 0), {1: Fault.LATE})
        shelf.keep(late(result(5), 1), {1: Fault.LATE})
        assert store.shelf(SETUP).blocks((0, 1)) == {}
        assert shelf.find(Block((0, 1), 0, 5), {}) is None
        assert shelf.find(Block((0, 1), 5, 5), {1: Fault.LATE}) is not None  # it is out whatever the time
        shelf.keep(result(), {})
        assert shelf.find(Block((0, 1), 0, 5), {}) is not None


def test_texts_are_kept_until_taken_out_and_files_are_for_their_owner_alone(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        with open_store(tmp_path / "a" / ".store", "t", silent) as store:
            assert store.get("seed") is None
            store.put("seed", "123")
            store.put("seed", "124")
            files = {path.name: stat.S_IMODE(path.stat().st_mode) for path in store.path.parent.iterdir()}
    finally:
        os.umask(old)
    assert files == dict.fromkeys(("t.lock", "t.sqlite", "t.sqlite-shm", "t.sqlite-wal"), 0o600)
    assert stat.S_IMODE((tmp_path / "a" / ".store").stat().st_mode) == 0o700
    with open_store(tmp_path / "a" / ".store", "t", silent) as store:
        assert store.get("seed") == "124"
        store.put("seed", None)
        assert store.get("seed") is None
        store.put("seed", "5")
        store.shelf(SETUP).keep(result(), {})
        store.clear()
        assert store.get("seed") is None
        assert store.shelf(SETUP).blocks((0, 1)) == {}


HOLDS = """
import sys, time
from pathlib import Path
from arena.tournament import store_file
from arena.tournament.store import open_store, peek_store
with open_store(Path(sys.argv[1]), "t", print) as store:
    store.put("from", "the other")
    print("held", flush=True)
    sys.stdin.readline()
"""


def other_process(folder: Path) -> subprocess.Popen[str]:
    """A process that holds the store ``t`` until it is told to end."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDS, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_a_second_process_says_who_holds_the_store_and_waits(tmp_path: Path) -> None:
    other = other_process(tmp_path)
    said: list[str] = []

    def told(sentence: str) -> None:
        said.append(sentence)
        threading.Timer(0.3, lambda: other.communicate("end\n")).start()

    who = holder(tmp_path / "t.lock")
    assert who is not None
    assert who.pid == other.pid
    start = time.monotonic()
    with open_store(tmp_path, "t", told) as store:
        assert time.monotonic() - start > 0.25
        assert store.get("from") == "the other"
    assert said == [f"t: process {other.pid} has been on it since {who.since}; waiting for it to end"]
    assert holder(tmp_path / "t.lock") is None
    assert other.wait(5) == 0


def test_a_lock_of_a_process_that_was_killed_is_no_obstacle(tmp_path: Path) -> None:
    other = other_process(tmp_path)
    other.send_signal(signal.SIGKILL)
    other.communicate()
    assert holder(tmp_path / "t.lock") is None
    with open_store(tmp_path, "t", silent) as store:
        assert store.get("from") == "the other"
        shelf = store.shelf(SETUP)
        for first in range(0, 200, 5):
            shelf.keep(result(first), {})


def test_a_page_that_belongs_to_nothing_is_damage(tmp_path: Path) -> None:
    filled(tmp_path)
    lose_a_page(tmp_path / "t.sqlite")
    said: list[str] = []
    with open_store(tmp_path, "t", said.append) as store:
        assert store.get("from") is None
    assert len(said) == 1
    assert "t.sqlite: the store is damaged" in said[0]
    assert (tmp_path / "t.sqlite.damaged-1").exists()


def lose_a_page(path: Path) -> None:
    """Have a page that belongs to nothing: only a look at every page finds that."""
    with sqlite3.connect(path) as connection:
        size = connection.execute("PRAGMA page_size").fetchone()[0]
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.close()
    with open(path, "r+b") as file:
        file.seek(28)
        file.write((pages + 1).to_bytes(4, "big"))
        file.seek(pages * size)
        file.write(bytes(size))


def filled(folder: Path) -> tuple[Path, dict[int, BlockResult]]:
    """A store of some blocks, closed, and what is in it."""
    kept = {first: result(first) for first in range(0, 60, 5)}
    with open_store(folder, "t", silent) as store:
        for one in kept.values():
            store.shelf(SETUP).keep(one, {})
        store.put("seed", "123")
    return folder / "t.sqlite", kept


def use(folder: Path, kept: dict[int, BlockResult], said: list[str]) -> None:
    """Find in the store what was kept there, or keep it."""
    with open_store(folder, "t", said.append) as store:
        shelf = store.shelf(SETUP)
        for one in kept.values():
            there = shelf.find(one.block, {})
            assert there is None or playing.same(there, one)
            if there is None:
                shelf.keep(one, {})


def test_damage_anywhere_in_a_file_is_found_or_harmless_and_never_overwritten(tmp_path: Path) -> None:
    path, kept = filled(tmp_path)
    whole = path.read_bytes()
    rng = random.Random(5)
    found = 0
    for trial in range(60):
        for old in tmp_path.glob("t.sqlite*"):
            old.unlink()
        at, length = rng.randrange(len(whole)), rng.choice([1, 1, 8, 512])
        broken = bytearray(whole[:at] if trial % 10 == 0 else whole)
        for place in range(at, min(at + length, len(broken))):
            broken[place] ^= rng.randrange(1, 256)
        path.write_bytes(broken)
        said: list[str] = []
        try:
            use(tmp_path, kept, said)
        except ArenaError as error:
            said.append(str(error))
        if said:
            found += 1
            assert "damaged" in said[0] or "later version" in said[0]
            kept_as = path if "set aside as" not in said[0] else path.with_name("t.sqlite.damaged-1")
            assert kept_as.read_bytes()[4096:] == broken[4096:]
    assert found >= 15  # most of a page may be empty


@pytest.mark.parametrize("content", [b"no database at all, but long enough to look at" * 100, b"x"])
def test_a_file_that_is_no_store_is_set_aside_as_it_is(tmp_path: Path, content: bytes) -> None:
    for n in (1, 2):
        (tmp_path / "t.sqlite").write_bytes(content)
        said: list[str] = []
        with open_store(tmp_path, "t", said.append) as store:
            store.put("a", "b")
        assert [f"set aside as t.sqlite.damaged-{n}" in sentence for sentence in said] == [True]
        assert (tmp_path / f"t.sqlite.damaged-{n}").read_bytes() == content


def test_a_database_of_another_program_is_set_aside(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "t.sqlite") as connection:
        connection.execute("CREATE TABLE blocks (a)")
    connection.close()
    said: list[str] = []
    with open_store(tmp_path, "t", said.append):
        pass
    assert len(said) == 1
    assert "it is no store of the arena" in said[0]


@pytest.mark.parametrize(
    ("word", "other"), [(b"value TEXT", b"valve TEXT"), (b"UNIQUE (lineup", b"UNIQUE (linear")]
)
def test_tables_whose_columns_are_others_are_damage(tmp_path: Path, word: bytes, other: bytes) -> None:
    path, _ = filled(tmp_path)
    whole = path.read_bytes()
    assert word in whole
    path.write_bytes(whole.replace(word, other))
    said: list[str] = []
    with open_store(tmp_path, "t", said.append) as store:
        store.put("a", "b")
    assert ["set aside as t.sqlite.damaged-1" in sentence for sentence in said] == [True]


def test_a_store_of_a_later_version_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path, _ = filled(tmp_path)
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA user_version = {SCHEMA + 1}")
    connection.close()
    before = path.read_bytes()
    with (
        pytest.raises(ArenaError, match=f"schema {SCHEMA + 1}, this one knows {SCHEMA}"),
        open_store(tmp_path, "t", silent),
    ):
        pass
    assert path.read_bytes() == before


def test_a_folder_whose_name_is_no_unicode_is_looked_into(tmp_path: Path) -> None:
    folder = tmp_path / "x\udcff"
    with open_store(folder, "t", silent) as store:
        store.put("a", "b")
    with peek_store(folder, "t") as found:
        assert found is not None
        assert found.get("a") == "b"


def test_a_file_that_others_are_busy_with_is_not_called_damaged() -> None:
    for code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_PROTOCOL, sqlite3.SQLITE_CORRUPT):
        error = sqlite3.OperationalError("locking protocol")
        error.sqlite_errorcode = code
        assert store_file.is_damage(error) is (code == sqlite3.SQLITE_CORRUPT)


def test_a_place_that_cannot_be_written_is_one_sentence_with_the_way_out(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("a file")
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "taken" / "t.sqlite").mkdir(parents=True)
    for name in ("file", "dangling", "taken"):
        with pytest.raises(ArenaError) as told, open_store(tmp_path / name, "t", silent):
            pass
        assert "results cannot be stored" in str(told.value)
        assert "make the place writable, or choose another folder with --out" in str(told.value)


VERSIONS = sorted(DATA.glob("store_*.sqlite"))


def test_there_is_a_file_of_every_version() -> None:
    assert [path.name for path in VERSIONS] == [f"store_{n}.sqlite" for n in range(1, SCHEMA + 1)]


@pytest.mark.parametrize("path", VERSIONS, ids=lambda path: path.stem)
def test_a_file_of_any_version_opens_with_all_that_is_in_it(tmp_path: Path, path: Path) -> None:
    shutil.copy(path, tmp_path / "t.sqlite")
    with open_store(tmp_path, "t", silent) as store:
        assert store.get("seed") == "123"
    connection = open_file(tmp_path / "t.sqlite", silent)
    assert connection.execute("PRAGMA user_version").fetchone()[0] == SCHEMA
    rows = connection.execute(
        "SELECT first_deal, deals, games, turns, again FROM blocks ORDER BY id"
    ).fetchall()
    data = connection.execute("SELECT data FROM blocks ORDER BY id").fetchall()
    connection.close()
    assert rows == [(0, 5, 10, 200, 0), (5, 3, 6, 120, 1)]
    assert [len(blob) > 100 for (blob,) in data] == [True, True]


def test_a_step_to_a_new_version_that_fails_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, kept = filled(tmp_path)
    steps = (*store_file._STEPS, ("CREATE TABLE more (a)", "CREATE TABLE blocks (a)"))
    with monkeypatch.context() as patch:
        patch.setattr(store_file, "_STEPS", steps)
        patch.setattr(store_file, "SCHEMA", len(steps))
        with (
            pytest.raises(store_file._DamagedFileError, match="already exists"),
            open_store(tmp_path, "t", lambda _: None),
        ):
            pass
    aside = sqlite3.connect(tmp_path / "t.sqlite.damaged-1")
    assert aside.execute("PRAGMA user_version").fetchone()[0] == SCHEMA
    assert aside.execute("SELECT count(*) FROM blocks").fetchone()[0] == len(kept)
    assert not aside.execute("SELECT * FROM sqlite_master WHERE name = 'more'").fetchall()
    aside.close()
