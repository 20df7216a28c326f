"""A pool of no processes: what workers would do, done here and at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from typing import Any

from arena.tournament.executors import Setup, Worker


class Here(Executor):
    """Plays and studies in this process."""

    def __init__(self, setup: Setup) -> None:
        self._worker = Worker(setup)

    def submit(self, task: Callable[..., Any], /, *arguments: Any, **_: Any) -> Future[Any]:
        done: Future[Any] = Future()
        done.set_result(getattr(self._worker, task.__name__)(*arguments))
        return done


@contextmanager
def pool(setup: Setup, workers: int) -> Iterator[tuple[Executor, str]]:
    """In place of ``executors.pool``, for bots that are trusted."""
    assert setup.is_trusted
    yield Here(setup), "none"
