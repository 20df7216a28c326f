"""Plays a tournament's blocks over worker processes and gives their results in the blocks' own order."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Protocol, Self

import numpy as np
import numpy.typing as npt

from arena.bot.faults import Fault
from arena.bot.seat import BotOutError
from arena.errors import CannotRunError
from arena.game.rules import TableRules
from arena.tournament.blame import Blame, Lost, blamed
from arena.tournament.blocks import Block, BlockResult
from arena.tournament.executors import Out, Setup, play, pool, study, submit
from arena.tournament.store import Shelf
from arena.tournament.study import BlockStudy

_BLOCK_DEALS = (
    1000,
    4000,
)  # small tournaments, large ones: large batches are faster, small ones spread better
_BLOCK_BYTES = 1 << 26
_TRIES = 3
_WINDOW = 3  # tasks at once for each worker: enough that none waits, few enough to wait on
_TURN_S, _PROCESS_S = 5.5e-6, 0.010  # asked, judged, kept, and studied afterwards


class Progress(Protocol):
    """Takes results as they come in."""

    def __call__(self, result: BlockResult, is_new: bool = True, /) -> None:
        """Take a result; it is not new if it was stored."""


def usable_workers() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def block_deals(deals: int, seats: int, rules: TableRules) -> int:
    """Deals a block has: of the tournament alone, so that blocks are the same whoever plays them."""
    steps = min(x for x in ((rules.end.rounds or 1 << 30) * seats, (rules.end.turns or 1 << 30) * seats))
    fits = max(1, _BLOCK_BYTES // (steps * seats * 10))
    return min(_BLOCK_DEALS[deals > 4 * _BLOCK_DEALS[0]], fits)


class Run:
    """A tournament under way: blocks go in, their results come out in the blocks' own order, whoever plays them.

    A worker that ends (killed, out of memory) costs the blocks it had: they are played again, and after three such ends
    ``CannotRunError`` is raised. A bot that can be asked no more, twice, is out: all its games, also
    those already played, are played by default answers; one whose process ended is watched once more, to say where.
    What ``shelf`` has is not played, and what is played is kept there. Whatever a block raises is raised here. A context:
    its workers end with it.
    """

    def __init__(
        self,
        setup: Setup,
        workers: int,
        say: Callable[[str], None] = lambda _: None,
        shelf: Shelf | None = None,
    ) -> None:
        self._setup, self._workers, self._say, self._shelf = setup, workers, say, shelf
        self.isolation = ""
        self._out: dict[int, Fault] = {}
        self._struck: dict[int, list[Lost]] = {}
        self._blames: dict[int, Blame | None] = {}
        self._done: dict[Block, tuple[BlockResult, Out]] = {}
        self._stack = ExitStack()
        self._executor: Executor | None = None
        self._ends = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.__exit__(kind, error, trace)

    def play(
        self, blocks: Sequence[Block], progress: Progress, fresh: Sequence[Block] | None = None
    ) -> list[BlockResult]:
        """The results of these blocks, played now or earlier; those that a bot fell out of since are played anew.

        ``fresh`` are the same deals in the blocks of a run from nothing (None: these are), by which it is told where a bot's
        process ended.
        """
        sent: dict[int, Out] = {}

        def arguments(i: int) -> tuple[Block, Out] | None:
            out = sent[i] = {bot: kind for bot, kind in self._out.items() if bot in blocks[i].lineup}
            stored = None if self._shelf is None else self._shelf.find(blocks[i], out)
            if stored is None:
                return blocks[i], out
            keep(blocks[i], stored, out, is_new=False)
            return None

        def arrived(i: int, came: BlockResult | BotOutError) -> None:
            if isinstance(came, BotOutError):
                struck = self._struck.setdefault(came.entrant, [])
                struck.append(Lost(came.entrant, came.kind, blocks[i]))
                if len(struck) > 1:
                    self._out.setdefault(
                        came.entrant, came.kind
                    )  # games are played and stored under one kind
                return
            if self._shelf is not None:
                self._shelf.keep(came, sent[i])
            keep(blocks[i], came, sent[i], is_new=True)

        def keep(block: Block, result: BlockResult, out: Out, is_new: bool) -> None:
            if block not in self._done:
                progress(result) if is_new else progress(result, False)
            self._done[block] = result, out

        while todo := [i for i, block in enumerate(blocks) if self._is_due(block)]:
            self._work(play, todo, arguments, arrived)
        for bot, kind in sorted(self._out.items()):
            if kind == Fault.DIED and bot not in self._blames:
                self._blames[bot] = self._blame(bot, self._suspects(bot, blocks, fresh or blocks))
        return [blamed(self._done[block][0], self._blames) for block in blocks]

    def _suspects(self, bot: int, blocks: Sequence[Block], fresh: Sequence[Block]) -> list[Block]:
        """The blocks of a run from nothing in which a bot's process may have ended first."""
        struck = [lost.block for lost in self._struck[bot]]
        if list(blocks) == list(fresh):
            places = [i for i, block in enumerate(blocks) if block in struck]
            # Those before the first that struck are known to be good, unless another bot was out there, or a worker was
            # lost with them and they were played again when this one was out.
            first = min(places) if len(self._out) == 1 and not self._ends else 0
            suspects = blocks[first : max(places) + 1]
        else:
            end = max(block.first_deal + block.deals for block in struck)
            suspects = [block for block in fresh if block.first_deal < end]
        return [block for block in suspects if bot in block.lineup]

    def _blame(self, bot: int, suspects: Sequence[Block]) -> Blame | None:
        """The first decision at which a bot's process ends, in the blocks' order, all others who are out being out.

        So it depends on nothing but the bots, whichever blocks were the ones to put it out.
        """
        found: list[Blame] = []
        others = {other: kind for other, kind in self._out.items() if other != bot}

        def arrived(i: int, came: BlockResult | BotOutError) -> None:
            if isinstance(came, BotOutError) and came.entrant == bot and came.at is not None:
                found.append(Blame(suspects[i], came.rotation, came.at))

        for i in range(len(suspects)):
            self._work(play, [i], lambda i: (suspects[i], others, bot), arrived)
            if found:
                return found[0]
        return None

    def _is_due(self, block: Block) -> bool:
        """Whether a block has not been played, or a bot of it has fallen out since."""
        if block not in self._done:
            return True
        out = self._done[block][1]
        return any(bot in self._out and bot not in out for bot in block.lineup)

    @property
    def out(self) -> Out:
        """Who is out, and why."""
        return dict(self._out)

    @property
    def lost(self) -> list[Lost]:
        """Blocks lost by bots that are not out: one each, which they played to its end when asked once more."""
        return [
            lost for bot, struck in sorted(self._struck.items()) if bot not in self._out for lost in struck
        ]

    def study(
        self, results: Sequence[BlockResult], stakes: npt.NDArray[np.float64] | None
    ) -> list[BlockStudy]:
        """What was luck in these results; ``stakes`` ``(entrants, FOLDS, CELLS)`` are expected, None: third cards only."""
        done: dict[int, BlockStudy] = {}

        def arguments(i: int) -> tuple[BlockResult, npt.NDArray[np.float64] | None]:
            return results[i], None if stakes is None else stakes[list(results[i].block.lineup)]

        self._work(study, range(len(results)), arguments, done.__setitem__)
        return [done[i] for i in range(len(results))]

    def _work(
        self,
        task: Callable[..., Any],
        todo: Iterable[int],
        arguments: Callable[[int], tuple[Any, ...] | None],
        arrived: Callable[[int, Any], None],
    ) -> None:
        """Have every task done once, in a window over the workers; ``arrived`` takes results as they come.

        ``arguments`` are asked for as a task is sent, so that a bot that has fallen out meanwhile is not asked again; None
        says that there is nothing left to do.
        """
        left = dict.fromkeys(todo)
        while left:
            try:
                executor = self._open()
                queue = iter(list(left))
                waiting: dict[Future[Any], int] = {}
                while True:
                    while len(waiting) < _WINDOW * self._workers and (i := next(queue, None)) is not None:
                        if (given := arguments(i)) is None:
                            del left[i]
                        else:
                            waiting[submit(executor, task, *given)] = i
                    if not waiting:
                        return
                    ready, _ = wait(waiting, return_when=FIRST_COMPLETED)
                    for future in ready:
                        i = waiting.pop(future)
                        result = future.result()
                        del left[i]
                        arrived(i, result)
            except BrokenProcessPool as error:
                self._ended(error)

    def _open(self) -> Executor:
        if self._executor is None:
            self._executor, isolation = self._stack.enter_context(pool(self._setup, self._workers))
            if not self.isolation:
                self.isolation = isolation
                self._say(isolation)
        return self._executor

    def _ended(self, error: BrokenProcessPool) -> None:
        self._ends += 1
        self._stack.close()
        self._executor = None
        if self._ends >= _TRIES:
            raise CannotRunError(
                f"worker processes keep ending ({error.__cause__ or 'killed, or out of memory?'}); try fewer with "
                "--workers, or look for a trusted bot that ends its process"
            ) from None


def seconds_to_play(blocks: Sequence[Block], seats: int, rules: TableRules, workers: int) -> float:
    """About how long these blocks take, from figures measured on one machine: turns, and bots' processes to start."""
    rounds = min((rules.end.rounds or 1 << 30), -(-(rules.end.turns or 1 << 30) // seats))
    turns = sum(b.deals for b in blocks) * seats * rounds * seats
    processes = len(blocks) * seats * seats
    return 1.0 + (turns * _TURN_S + processes * _PROCESS_S) / max(1, min(workers, len(blocks)))
