"""Worker processes that play blocks, behind the standard ``concurrent.futures.Executor``.

Workers are started afresh (*spawn*), ignore Ctrl-C, and hold one end of a pipe whose other end only the main process has:
however that one ends, the pipe closes, and every worker, its server of bots' processes and those processes end too.
"""

from __future__ import annotations

import errno
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.util import Finalize
from typing import Any, NoReturn, TypeVar

import numpy as np
import numpy.typing as npt

from arena.bot.entrant import Entrant
from arena.bot.faults import Fault
from arena.bot.harness import BotCode, Seating
from arena.bot.host import ChildHost, Host, Limits, LocalHost, NoBot
from arena.bot.seat import BotOutError
from arena.bot.server import ChildServer, ServerLostError
from arena.errors import CannotRunError
from arena.game.cards import SeededDraws
from arena.game.rules import TableRules
from arena.tournament import spec
from arena.tournament.blocks import Block, BlockResult
from arena.tournament.match import bot_streams, play_block
from arena.tournament.study import BlockStudy, study_block

_SENT_S = 0.2  # more than the largest result takes to be sent
_POOL_THREADS = 3  # one that manages the pool, one that feeds its queue, and one to spare

T = TypeVar("T")
Out = Mapping[int, Fault]  # entrants that can be asked no more, and why


@dataclass(frozen=True)
class Setup:
    """What a worker needs to play any block of a tournament."""

    bots: tuple[BotCode, ...]
    rules: TableRules
    seed: int
    faults: int
    limits: Limits
    is_trusted: bool


def code_of(entrant: Entrant) -> BotCode:
    """What is needed to make an entrant's bot anywhere."""
    return BotCode(
        entrant.source, entrant.file.name, entrant.class_name, dict(entrant.params), entrant.content
    )


def limits_of(limits: spec.Limits) -> Limits:
    """A tournament file's limits as those of a process."""
    return Limits(limits.decision_ms / 1000, limits.bank_ms / 1000, limits.memory_mb << 20)


class Worker:
    """One process's share of a tournament: its server of bots' processes, and the draws of the deals at hand."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._server: ChildServer | None = None  # started as it is first needed
        self._draws: tuple[tuple[int, int], SeededDraws] | None = None

    def play(
        self, block: Block, out: Out | None = None, watched: int | None = None
    ) -> BlockResult | BotOutError:
        """The result of a block, the bots in ``out`` played by default; or who of the others can be asked no more.

        The processes of the entrant ``watched`` count their answers, so that it can be said at which one they end.
        """
        s, gone = self._setup, out or {}

        def make_host(entrant: int, seat: int, tables: int) -> Host:
            if entrant in gone:
                return NoBot(gone[entrant], tables)
            code = s.bots[entrant]
            seating = Seating(tables, seat, len(block.lineup), s.rules)
            streams = bot_streams(s.seed, code.content, seat, block)
            if s.is_trusted:
                return LocalHost(code, seating, streams)
            return ChildHost(self._serving(), code, seating, streams, s.limits, entrant == watched)

        deals = (block.first_deal, block.deals)
        if self._draws is None or self._draws[0] != deals:
            self._draws = (deals, SeededDraws(s.seed, *deals))
        try:
            return play_block(block, s.rules, self._draws[1], make_host, s.faults)
        except BotOutError as found:
            return found
        except ServerLostError:
            self._end()

    def isolation(self) -> str:
        """The locks on bots' processes here, tried out; ``none`` with trusted bots. Raises ``CannotRunError``."""
        if self._setup.is_trusted:
            return "none"
        try:
            return self._serving().canary(self._setup.limits.memory_bytes)
        except ServerLostError:
            self._end()

    def study(self, result: BlockResult, stakes: npt.NDArray[np.float64] | None) -> BlockStudy:
        """What was luck in a block."""
        return study_block(result, self._setup.rules, self._setup.seed, stakes)

    def _serving(self) -> ChildServer:
        if self._server is None:
            self._server = ChildServer()
        return self._server

    def _end(self) -> NoReturn:
        """End this process: the pool starts workers anew, and what they had is played again."""
        self.close()
        os._exit(1)

    def close(self) -> None:
        """End the bots' processes; may be called twice."""
        if self._server is not None:
            self._server.close()


_worker: Worker | None = None  # a pool's tasks find their process's state only here
_is_ending = threading.Event()  # in a worker: the main process has let go of it


def _begin(setup: Setup, lifeline: Connection, places: Connection, workers: int) -> None:
    global _worker
    _stay_on_one_core(os.read(places.fileno(), 1)[0], workers)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    nowhere = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):  # a trusted bot's prints are not the arena's output
        os.dup2(nowhere, fd)
    _worker = Worker(setup)
    Finalize(None, _worker.close, exitpriority=10)
    threading.Thread(target=_end_with, args=(lifeline, _worker), daemon=True).start()


def _stay_on_one_core(place: int, workers: int) -> None:
    """Keep this process, one of so many, and those it starts on one core: waking another core costs more than a question.

    Not where some cores would be left over, for then those that are taken may be busy with something else.
    """
    if not hasattr(os, "sched_getaffinity"):
        return
    usable = sorted(os.sched_getaffinity(0))
    if workers % len(usable) == 0:
        with suppress(OSError):  # a container may forbid it, and nothing depends on it
            os.sched_setaffinity(0, {usable[place % len(usable)]})


def _end_with(lifeline: Connection, worker: Worker) -> None:
    """End this process and what it started as the main one lets go of the pipe.

    Not in the middle of a result, for whose other half the main one would wait for ever: none is begun any more, and one
    that was has time to be sent.
    """
    try:
        lifeline.recv_bytes()
    except (EOFError, OSError):
        _is_ending.set()
        worker.close()
        time.sleep(_SENT_S)
        os._exit(1)


def _sent(result: T) -> T:
    """A task's result, to be sent to the main process; where that has let go nothing is sent, and this process ends."""
    if _is_ending.is_set():
        threading.Event().wait()
    return result


def isolation() -> str:
    """A pool's task: see ``Worker.isolation``."""
    assert _worker is not None
    return _sent(_worker.isolation())


def play(block: Block, out: Out, watched: int | None = None) -> BlockResult | BotOutError:
    """A pool's task: a block played by this process's worker; see ``Worker.play``."""
    assert _worker is not None
    return _sent(_worker.play(block, out, watched))


def study(result: BlockResult, stakes: npt.NDArray[np.float64] | None) -> BlockStudy:
    """A pool's task: a block studied; see ``study_block``."""
    assert _worker is not None
    return _sent(_worker.study(result, stakes))


def submit(executor: Executor, task: Callable[..., Any], *arguments: Any) -> Future[Any]:
    """A task sent to a pool. Raises ``BrokenProcessPool`` where a worker has ended, also while others are being started.

    For then the pool closes its queue, and to give that to a new process fails in one way or another.
    """
    try:
        return executor.submit(task, *arguments)
    except (OSError, ValueError):
        executor.submit(isolation)  # a pool that has broken says so
        raise


@contextmanager
def pool(setup: Setup, workers: int) -> Iterator[tuple[Executor, str]]:
    """An executor of ``workers`` processes that can :func:`play`, and its isolation; all are gone when it closes.

    Raises ``CannotRunError`` where bots cannot be isolated, or the machine gives no processes.
    """
    with ExitStack() as stack:
        try:
            executor, locks = stack.enter_context(_started(setup, workers))
        except BrokenExecutor:  # a worker ended as it started: who plays tries again
            raise
        except (OSError, RuntimeError) as error:  # no handles, memory, threads or semaphores left
            raise cannot_start(error) from error
        yield executor, locks


def cannot_start(error: OSError | RuntimeError) -> CannotRunError:
    """That workers cannot be started, why, and the way out."""
    way_out = {
        errno.EMFILE: "raise the limit of open files (ulimit -n 256)",
        errno.ENFILE: "close other programs: the machine has no file handles left",
        errno.ENOSPC: "make room in /dev/shm",
        errno.EROFS: "have /dev/shm writable: semaphores live there",
        errno.EACCES: "have /dev/shm writable: semaphores live there",
        errno.ENOENT: "have /dev/shm and /proc mounted",
        errno.ENOSYS: "have /dev/shm mounted",
    }.get(error.errno or 0 if isinstance(error, OSError) else 0, _MORE)
    return CannotRunError(f"worker processes cannot be started here ({error}); {way_out}")


_MORE = "try fewer with --workers, or raise the limits of memory and processes (ulimit -v, ulimit -u)"


@contextmanager
def _started(setup: Setup, workers: int) -> Iterator[tuple[Executor, str]]:
    _try_threads()
    context = multiprocessing.get_context("spawn")
    worker_end, main_end = context.Pipe(duplex=False)
    places, to_places = context.Pipe(duplex=False)
    os.write(to_places.fileno(), bytes(range(workers)))  # each worker takes one
    executor = ProcessPoolExecutor(workers, context, _begin, (setup, worker_end, places, workers))
    try:
        yield executor, _begun(executor, workers)
        executor.shutdown(wait=True)
    finally:
        main_end.close()
        executor.shutdown(wait=False, cancel_futures=True)
        worker_end.close()
        places.close()
        to_places.close()


def _begun(executor: Executor, workers: int) -> str:
    """Have all workers begin, and the locks that they tell."""
    others = multiprocessing.active_children()
    try:
        with _environment(_FOR_WORKERS), _no_interrupt():
            started = [submit(executor, isolation) for _ in range(workers)]
        locks: str
        (locks,) = {task.result() for task in started}
    except BaseException:
        for process in multiprocessing.active_children():
            if process not in others:
                process.kill()  # or one that still loads its modules would be waited for; it has sent no half result yet
        raise
    return locks


def _try_threads() -> None:
    """Raise ``RuntimeError`` where the threads that serve a pool cannot be started: it would wait for them for ever."""
    done = threading.Event()
    threads = [threading.Thread(target=done.wait) for _ in range(_POOL_THREADS)]
    try:
        for thread in threads:
            thread.start()
    finally:
        done.set()


# Strings hash alike everywhere, linear algebra takes one thread, and no module is found in the current folder.
_FOR_WORKERS = {
    "PYTHONHASHSEED": "0",
    "PYTHONSAFEPATH": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
}


@contextmanager
def _no_interrupt() -> Iterator[None]:
    """Hold Ctrl-C and SIGTERM back while processes are started: they inherit that, and it is answered here, at the end.

    The mask is the processes'. It is this thread's alone, and a signal that a library's thread takes is answered here all
    the same, in the middle of a start: so handlers wait, too.
    """
    stops = (signal.SIGINT, signal.SIGTERM)
    came: list[int] = []
    is_main = threading.current_thread() is threading.main_thread()
    handlers = [signal.signal(stop, lambda number, _: came.append(number)) for stop in stops if is_main]
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, stops)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        for stop, handler in zip(stops, handlers, strict=False):
            signal.signal(stop, handler)
        for number in came[:1]:
            signal.raise_signal(number)


@contextmanager
def _environment(values: dict[str, str]) -> Iterator[None]:
    """These environment variables for the processes started meanwhile."""
    before: dict[str, Any] = {key: os.environ.get(key) for key in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for key, value in before.items():
            if value is None:
                os.environ.pop(key, None)
            else:
                os.environ[key] = value
