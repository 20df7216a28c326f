"""A pool of no processes of its own: what workers would do, done here and at once; isolated bots have their processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from typing import Any, NoReturn

from arena.bot.server import ChildServer, ServerLostError
from arena.tournament.executors import Setup, Worker


class _Kept(ChildServer):
    """A server that outlives who uses it: to start one takes longer than most tests."""

    def close(self) -> None:
        """Stay."""


_servers: dict[int, _Kept] = {}  # by the seed of hashes


def server(hash_seed: int = 0) -> ChildServer:
    """The server that tests share."""
    if hash_seed not in _servers:
        _servers[hash_seed] = _Kept(hash_seed=hash_seed)
    return _servers[hash_seed]


def end_servers() -> None:
    """End those that were started."""
    while _servers:
        ChildServer.close(_servers.popitem()[1])


class _Worker(Worker):
    """One whose server stays, and that cannot end the process it is in."""

    def _serving(self) -> ChildServer:
        return server()

    def _end(self) -> NoReturn:
        end_servers()
        raise ServerLostError("the server that tests share is gone")


class Here(Executor):
    """Plays and studies in this process."""

    def __init__(self, setup: Setup) -> None:
        self._worker = _Worker(setup)

    def submit(self, task: Callable[..., Any], /, *arguments: Any, **_: Any) -> Future[Any]:
        done: Future[Any] = Future()
        done.set_result(getattr(self._worker, task.__name__)(*arguments))
        return done


@contextmanager
def pool(setup: Setup, workers: int) -> Iterator[tuple[Executor, str]]:
    """In place of ``executors.pool``."""
    here = Here(setup)
    yield here, here._worker.isolation()
