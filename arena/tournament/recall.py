"""What a store knows of a tournament, told without playing anything and without a line of any bot's code."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from sqlite3 import Error as DatabaseError

import numpy as np
import numpy.typing as npt

from arena.bot.entrant import Entrant
from arena.errors import ArenaError
from arena.tournament.blame import Lost
from arena.tournament.blocks import Block, BlockResult
from arena.tournament.executors import Out, Setup
from arena.tournament.runner import Progress
from arena.tournament.schedule import Lineup
from arena.tournament.spec import TournamentSpec
from arena.tournament.store import Shelf, peek_store
from arena.tournament.study import BlockStudy, study_block
from arena.tournament.tournament import Held, hold_by


class NotStoredError(ArenaError):
    """Games that are asked for are not in the store."""


@contextmanager
def recalling(folder: Path, name: str, setup: Setup, out: Out) -> Iterator[Recalled]:
    """What is stored in ``folder`` of the run ``name``, whoever writes to it; ``out`` are the entrants who were out.

    Raises ``NotStoredError`` where there is no store that this version reads, ``ArenaError`` where it is damaged.
    """
    path = folder / f"{name}.sqlite"
    try:
        with peek_store(folder, name) as store:
            if store is None:
                raise NotStoredError(
                    f"{path}: no stored games that this version reads; arena run plays them anew"
                )
            yield Recalled(store.shelf(setup, with_late=True), setup, out)
    except DatabaseError as error:
        raise ArenaError(
            f"{path}: the store is damaged ({error}); arena run sets it aside and plays anew"
        ) from error


class Recalled:
    """Plays nothing, and finds what was played: what :func:`hold_by` asks of a run, from a store alone."""

    isolation = "none"

    def __init__(self, shelf: Shelf, setup: Setup, out: Out) -> None:
        self._shelf, self._setup, self._out = shelf, setup, out

    @property
    def out(self) -> Out:
        """Who is out, and why."""
        return self._out

    @property
    def lost(self) -> list[Lost]:
        """None: what was played again is not stored as such."""
        return []

    def _out_of(self, lineup: Lineup) -> Out:
        """Who of a lineup was out. A bot that was late in every game may have been out, or slow: the store knows."""
        out = {bot: kind for bot, kind in self._out.items() if bot in lineup}
        return out if out and self._shelf.blocks(lineup, out) else {}

    def blocks(self, lineup: Lineup) -> Mapping[int, Sequence[int]]:
        """First deal → lengths, ascending, of the stored blocks of a lineup."""
        return self._shelf.blocks(lineup, self._out_of(lineup))

    def block(self, lineup: Lineup, deal: int) -> BlockResult:
        """The shortest stored block of a lineup that has this deal. Raises ``NotStoredError``."""
        holds = [
            Block(lineup, first, deals)
            for first, lengths in self.blocks(lineup).items()
            for deals in lengths
            if first <= deal < first + deals
        ]
        if not holds:
            raise NotStoredError(f"deal {deal:,} of this lineup is not stored")
        return self._find(min(holds, key=lambda block: block.deals))

    def _find(self, block: Block) -> BlockResult:
        found = self._shelf.find(block, self._out_of(block.lineup))
        if found is None:
            last = block.first_deal + block.deals - 1
            raise NotStoredError(f"deals {block.first_deal:,} to {last:,} of a lineup are not stored")
        return found

    def play(
        self, blocks: Sequence[Block], progress: Progress, fresh: Sequence[Block] | None = None
    ) -> list[BlockResult]:
        """These blocks' stored results. Raises ``NotStoredError`` where one is not."""
        found = []
        for block in blocks:
            found.append(self._find(block))
            progress(found[-1], False)
        return found

    def study(
        self, results: Sequence[BlockResult], stakes: npt.NDArray[np.float64] | None
    ) -> list[BlockStudy]:
        """What was luck in these results; see ``study_block``."""
        rules, seed = self._setup.rules, self._setup.seed
        return [
            study_block(result, rules, seed, None if stakes is None else stakes[list(result.block.lineup)])
            for result in results
        ]


def recall(
    recalled: Recalled, spec: TournamentSpec, entrants: Sequence[Entrant], lineups: Sequence[Lineup]
) -> Held:
    """The tournament as ``hold`` gave it, all of it from the store; but where a bot's process ended is not looked for again.

    Raises ``NotStoredError`` where games are missing.
    """
    return hold_by(recalled, spec, entrants, lineups, lambda *_: None, recalled)
