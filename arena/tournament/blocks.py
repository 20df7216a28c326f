"""A block is the unit of work: a range of deals × one lineup × its rotations; its result is what the games left."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

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

    ``chips`` ``(rotations, deals, positions)`` final chips; ``turns`` and ``faults`` ``(rotations, positions)`` and
    ``(rotations, positions, kinds of Fault)`` are counts over the block's deals; ``bets`` and ``calls``
    ``(rotations, steps, deals)`` hold every answer (see ``match.py``), from which a game can be retold.
    ``stakes`` ``(positions, 2, folds, cells)`` are sums of ``stakes.stake_sums``. ``first_faults`` is keyed by
    ``(rotation, position, kind)``; ``seconds`` is what playing it took.
    """

    block: Block
    chips: Int64s
    turns: Int64s
    faults: Int64s
    first_faults: Mapping[tuple[int, int, int], FirstFault]
    bets: npt.NDArray[np.signedinteger]
    calls: npt.NDArray[np.uint8]
    stakes: Int64s
    seconds: float
