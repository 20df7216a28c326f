"""SIGKILL of any process of a run: it ends as designed, and no process, file handle or shared memory is left."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from playing import GAP8, code, rules, same
from test_run import alive, cmdline, descendants

from arena.bot.host import Limits
from arena.bot.server import ChildServer
from arena.tournament.blocks import Block
from arena.tournament.executors import Setup, Worker
from arena.tournament.runner import Run

pytestmark = [pytest.mark.slow, pytest.mark.alone]
SLOW = GAP8.replace("return", "sum(range(2000))\n        return")
TODO = [Block((0, 1), 40 * k, 40) for k in range(8)]


def setup(is_trusted: bool = False) -> Setup:
    return Setup((code(SLOW), code(GAP8)), rules(), 7, 10, Limits(1.0, 1.0, 1 << 27), is_trusted)


def parent(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


def is_worker(pid: int) -> bool:
    return b"spawn_main" in cmdline(pid)


def is_server(pid: int) -> bool:
    return b"arena.bot.child" in cmdline(pid) and is_worker(parent(pid))


def is_child(pid: int) -> bool:
    return b"arena.bot.child" in cmdline(pid) and is_server(parent(pid))


KINDS: dict[str, Callable[[int], bool]] = {"child": is_child, "server": is_server, "worker": is_worker}


def handles() -> list[str]:
    """What this process has open, sorted."""
    found = []
    for fd in Path("/proc/self/fd").iterdir():
        try:
            found.append(os.readlink(fd).partition(":")[0])
        except OSError:
            continue
    return sorted(found)


def boards(processes: Iterable[int]) -> int:
    """Boards of shared memory that these processes map or hold."""
    count = 0
    for pid in processes:
        try:
            count += Path(f"/proc/{pid}/maps").read_text().count("memfd:arena-board")
            count += sum("memfd:arena-board" in os.readlink(fd) for fd in Path(f"/proc/{pid}/fd").iterdir())
        except OSError:
            continue
    return count


def semaphores() -> set[str]:
    return {name for name in os.listdir("/dev/shm") if name.startswith("sem.mp-")}


def left() -> tuple[list[str], int, int]:
    """Handles and boards of this process, and processes below it."""
    return handles(), boards([os.getpid()]), len(alive(descendants(os.getpid())))


def settled(is_so: Callable[[], bool]) -> bool:
    """Whether it becomes so within ten seconds."""
    end = time.monotonic() + 10
    gc.collect()  # names of locks go as their objects do
    while not is_so() and time.monotonic() < end:
        time.sleep(0.05)
    return is_so()


@pytest.mark.parametrize("kind", KINDS)
def test_a_process_that_is_killed_costs_its_blocks_and_leaves_nothing(kind: str) -> None:
    expected = [Worker(setup(is_trusted=True)).play(block) for block in TODO]
    with Run(setup(), 1) as warm:  # what the first run opens for good (a tracker of resources) is open before
        warm.play(TODO[:1], lambda _: None)
    before, shared = left(), semaphores()
    killed: list[int] = []
    begun = threading.Event()  # where one ends as others are being started concurrent.futures itself may fail

    def kill_one() -> None:
        begun.wait(30)
        end = time.monotonic() + 30
        while not killed and time.monotonic() < end:
            for pid, _ in descendants(os.getpid()):
                if KINDS[kind](pid):
                    killed.append(pid)
                    os.kill(pid, signal.SIGKILL)
                    return
            time.sleep(0.002)

    killer = threading.Thread(target=kill_one)
    with Run(setup(), 2, lambda _: begun.set()) as run:
        killer.start()
        results = run.play(TODO, lambda _: None)
        out = run.out
    killer.join()
    assert killed
    assert not out  # once may be chance: a bot is out the second time
    for result, other in zip(results, expected, strict=True):
        assert same(result, other)  # type: ignore[arg-type]
    assert settled(lambda: left() == before), (left(), before)
    assert settled(lambda: semaphores() <= shared)


def test_a_main_process_that_is_killed_takes_everything_along(tmp_path: Path) -> None:
    (tmp_path / "bots.py").write_text(
        "from arena import Bot\nclass A(Bot):\n    def bet(self, turn):\n        return sum(range(3000)) * 0\n"
        "class B(A):\n    pass\n"
    )
    (tmp_path / "t.yaml").write_text("seed: 3\nbots: bots.py\ndeals: 100000\n")
    shared = semaphores()
    run = subprocess.Popen(
        [sys.executable, "-c", "from arena.cli import main; main()", "run", str(tmp_path / "t.yaml"), "--out",
         str(tmp_path / "out"), "--workers", "2"],
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        assert settled(
            lambda: boards(pid for pid, _ in descendants(run.pid)) >= 4
        )  # two bots, each side of two boards
        below = descendants(run.pid)
        assert any(is_child(pid) for pid, _ in below)
    finally:
        run.kill()
        run.wait()
    assert settled(lambda: not alive(below)), alive(below)
    assert settled(lambda: semaphores() <= shared)
    assert [path.name for path in (tmp_path / "out").iterdir()] == [".store"]


def test_a_server_that_is_closed_leaves_nothing() -> None:
    before = left()
    server = ChildServer()
    server.canary()
    server.close()
    server.close()
    assert left() == before
