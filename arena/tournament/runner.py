"""Plays a tournament's blocks over worker processes and gives their results in the blocks' own order."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool

from arena.errors import CannotRunError
from arena.game.rules import TableRules
from arena.tournament.blocks import Block, BlockResult
from arena.tournament.executors import Setup, play, pool

_BLOCK_DEALS = (
    1000,
    4000,
)  # small tournaments, large ones: large batches are faster, small ones spread better
_BLOCK_BYTES = 1 << 26
_TRIES = 3
_TURN_S, _PROCESS_S = 1.3e-6, 0.010

Progress = Callable[[BlockResult], None]


def usable_workers() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def block_deals(deals: int, seats: int, rules: TableRules) -> int:
    """Deals a block has: of the tournament alone, so that blocks are the same whoever plays them."""
    steps = min(x for x in ((rules.end.rounds or 1 << 30) * seats, (rules.end.turns or 1 << 30) * seats))
    fits = max(1, _BLOCK_BYTES // (steps * seats * 10))
    return min(_BLOCK_DEALS[deals > 4 * _BLOCK_DEALS[0]], fits)


def play_blocks(blocks: Sequence[Block], setup: Setup, workers: int, progress: Progress) -> list[BlockResult]:
    """The results of all blocks, in their order.

    A worker that ends (killed, out of memory) costs the blocks it had: they are played again, and after three such
    ends ``CannotRunError`` is raised. Whatever a block raises is raised here.
    """
    done: dict[int, BlockResult] = {}
    for attempt in range(1, _TRIES + 1):
        try:
            with pool(setup, max(1, min(workers, len(blocks)))) as executor:
                waiting: dict[Future[BlockResult], int] = {
                    executor.submit(play, block): i for i, block in enumerate(blocks) if i not in done
                }
                while waiting:
                    ready, _ = wait(waiting, return_when=FIRST_COMPLETED)
                    for future in ready:
                        i = waiting.pop(future)
                        done[i] = future.result()
                        progress(done[i])
            break
        except BrokenProcessPool:
            if attempt == _TRIES:
                raise CannotRunError(
                    "worker processes keep ending (killed, or out of memory?); try fewer with --workers, "
                    "or look for a trusted bot that ends its process"
                ) from None
    return [done[i] for i in range(len(blocks))]


def seconds_to_play(blocks: Sequence[Block], seats: int, rules: TableRules, workers: int) -> float:
    """About how long these blocks take, from figures measured on one machine: turns, and bots' processes to start."""
    rounds = min((rules.end.rounds or 1 << 30), -(-(rules.end.turns or 1 << 30) // seats))
    turns = sum(b.deals for b in blocks) * seats * rounds * seats
    processes = len(blocks) * seats * seats
    return 1.0 + (turns * _TURN_S + processes * _PROCESS_S) / max(1, min(workers, len(blocks)))
