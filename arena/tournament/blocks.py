"""A block is the unit of work: a range of deals × one lineup × its rotations; its result is what the games left."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from arena.analysis.stakes import PART
from arena.bot.faults import Fault

Int64s = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Block:
    """Deals ``first_deal`` … ``first_deal + deals − 1`` of one lineup; ``lineup`` holds entrants' indices."""

    lineup: tuple[int, ...]
    first_deal: int
    deals: int


def seat_of(rotation: int, position: int, seats: int) -> int:
    """The seat where the entrant at ``position`` of a lineup sits in a rotation: rotations are cyclic shifts."""
    return (position + rotation) % seats


@dataclass(frozen=True)
class FirstFault:
    """The first fault of one kind: where it was and what the bot's code said."""

    deal: int
    step: int  # place in the game: (round − 1) · seats + place in the round
    text: str


@dataclass(frozen=True)
class BlockResult:
    """What the games of a block left; axis 0 is the rotation, positions are places in ``block.lineup``.

    ``chips`` and ``turns`` ``(rotations, deals, positions)``: final chips, turns taken. ``bets`` and ``calls``
    ``(rotations, steps, deals)`` hold every answer (see ``match.py``), from which a game can be retold. ``fault_log``
    ``(n, 5)``: rotation, deal of the block, position, kind, how many. ``first_faults`` is keyed by ``(rotation, position,
    kind)``. ``stakes`` ``(positions, 2, parts, FOLDS, CELLS)`` are sums of ``stakes.stake_sums`` by ``PART`` of deals.
    ``wagers`` ``(rotations, steps, deals)`` has no steps at a table without them.
    """

    block: Block
    chips: Int64s
    turns: Int64s
    fault_log: Int64s
    first_faults: Mapping[tuple[int, int, int], FirstFault]
    bets: npt.NDArray[np.signedinteger]
    calls: npt.NDArray[np.uint8]
    stakes: Int64s
    wagers: npt.NDArray[np.signedinteger] = field(default_factory=lambda: np.zeros((0, 0, 0), dtype=np.int64))

    @property
    def faults(self) -> Int64s:
        """How many faults, ``(rotations, positions, kinds)``."""
        rotations, _, positions = self.chips.shape
        out = np.zeros((rotations, positions, len(Fault)), dtype=np.int64)
        rotation, _, position, kind, count = self.fault_log.T
        np.add.at(out, (rotation, position, kind), count)
        return out

    def until(self, deal: int) -> BlockResult:
        """The result of the deals below ``deal``, which must end a part unless it is beyond the block's end."""
        deals = min(deal - self.block.first_deal, self.block.deals)
        last = self.block.first_deal + deals
        return replace(
            self,
            block=replace(self.block, deals=deals),
            chips=self.chips[:, :deals],
            turns=self.turns[:, :deals],
            fault_log=self.fault_log[self.fault_log[:, 1] < deals],
            first_faults={key: at for key, at in self.first_faults.items() if at.deal < last},
            bets=self.bets[:, :, :deals],
            calls=self.calls[:, :, :deals],
            wagers=self.wagers[:, :, :deals],
            stakes=self.stakes[:, :, : -(-last // PART) - self.block.first_deal // PART],
        )
