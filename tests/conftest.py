"""What the tests share."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from arena.bot.server import ChildServer
    from arena.tournament.executors import Setup

sys.path.insert(0, str(Path(__file__).parent))

# strangers' programs, never to be imported here; and a fuzzer that is a script and wants a package of its own
collect_ignore = ["hostile", "fuzz_wire.py"]


SLOW = Path(__file__).parent / "slow"


@pytest.fixture(autouse=True)
def _page_is_told_by_a_hash(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a test is not about the page a hash of what it is made from stands for it: drawing takes seconds of a run."""
    if request.node.get_closest_marker("page") or request.node.get_closest_marker("slow"):
        return

    import page_hash

    monkeypatch.setattr("arena.report.write._page_files", page_hash.told)


@pytest.fixture(scope="session", autouse=True)
def _no_server_stays() -> Iterator[None]:
    yield
    if (in_process := sys.modules.get("in_process")) is not None:
        in_process.end_servers()


@pytest.fixture(autouse=True)
def _runs_need_no_worker_processes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a test is not about worker processes this one plays in their place: to start two takes a second and a half.

    So too for the servers of a check.
    """
    if request.node.get_closest_marker("workers") or SLOW in request.path.parents:
        return

    def here(setup: Setup, workers: int) -> AbstractContextManager[tuple[Executor, str]]:
        import in_process

        return in_process.pool(setup, workers)

    def server(hash_seed: int) -> ChildServer:
        import in_process

        return in_process.server(hash_seed)

    monkeypatch.setattr("arena.tournament.runner.pool", here)
    monkeypatch.setattr("arena.check.bench.ChildServer", server)
