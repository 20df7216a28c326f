"""Whose fault it was, exactly: the decision at which a bot's process ended, and blocks in which time ran out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from arena.bot.faults import Fault
from arena.bot.seat import FirstAt
from arena.tournament.blocks import Block, BlockResult, FirstFault


@dataclass(frozen=True)
class Blame:
    """The decision at which a bot's process ended, playing ``block``."""

    block: Block
    rotation: int
    at: FirstAt


@dataclass(frozen=True)
class Lost:
    """A block that an entrant fell out of, and why."""

    entrant: int
    kind: Fault
    block: Block


def blamed(result: BlockResult, blames: Mapping[int, Blame | None]) -> BlockResult:
    """The result with the first faults of bots that are out told by where their process ended, and only there."""
    firsts = dict(result.first_faults)
    lineup = result.block.lineup
    for bot, blame in blames.items():
        if blame is None or bot not in lineup:
            continue
        position, kind = lineup.index(bot), int(Fault.DIED)
        for rotation in range(len(lineup)):
            firsts.pop((rotation, position, kind), None)
        deal = blame.block.first_deal + blame.at.row
        is_here = 0 <= deal - result.block.first_deal < result.block.deals
        if blame.block.lineup == lineup and is_here:
            firsts[blame.rotation, position, kind] = FirstFault(deal, blame.at.step, blame.at.text)
    return replace(result, first_faults=firsts)


def time_faults(results: Iterable[BlockResult]) -> list[tuple[Block, int]]:
    """The blocks in which decisions were late, with how many; another run may end otherwise there."""
    found = [(r.block, int(r.faults[:, :, Fault.LATE].sum())) for r in results]
    return [(block, late) for block, late in found if late]
