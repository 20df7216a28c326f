"""Which blocks a tournament is made of: stored ones where they fit, new ones for the deals between.

How deals are cut into blocks shows in no result; so blocks of an earlier run count whatever its number of deals was, and
more deals only add to them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from arena.analysis.stakes import PART
from arena.errors import ArenaError
from arena.tournament.blocks import Block
from arena.tournament.schedule import Lineup
from arena.wording import plural

MAX_BLOCKS = 2_000_000
Stored = Callable[
    [Lineup], Mapping[int, Sequence[int]]
]  # of a lineup: first deal → lengths of blocks, ascending


def nothing_stored(_: Lineup) -> Mapping[int, Sequence[int]]:
    """No blocks of any lineup."""
    return {}


class Plan:
    """Blocks that hold every lineup's deals from the first on, made longer step by step.

    New blocks have ``block_deals`` deals, or fewer where a stored one or a step's end comes before. A stored block may reach
    beyond a step; beyond ``most`` only where results can be cut there.
    """

    def __init__(
        self, lineups: Sequence[Lineup], block_deals: int, most: int, stored: Stored = nothing_stored
    ) -> None:
        self.lineups, self._block_deals, self._most, self._stored = lineups, block_deals, most, stored
        self._reach = dict.fromkeys(lineups, 0)
        self._blocks: list[Block] = []
        self.known: set[Block] = set()  # those that are stored

    def reach(self, deals: int) -> Sequence[Block]:
        """All blocks so far, in the order to play them, those that it takes to reach ``deals`` added at the end.

        All lineups of the first deals come first, so that these are complete early. Raises ``ArenaError`` for more
        blocks than can be planned.
        """
        number = len(self.lineups) * -(-deals // self._block_deals)
        if number > MAX_BLOCKS:
            way_out = "write fewer deals, or schedule: balanced with fewer lineups"
            raise ArenaError(
                f"{plural(len(self.lineups), 'lineup')} of {plural(deals, 'deal')} make {number:,} blocks; {way_out}"
            )
        new = [block for lineup in self.lineups for block in self._extend(lineup, deals)]
        self._blocks += sorted(new, key=lambda block: (block.first_deal, block.lineup))
        return self._blocks

    def _extend(self, lineup: Lineup, deals: int) -> list[Block]:
        stored = self._stored(lineup)
        found: list[Block] = []
        at = self._reach[lineup]
        while at < deals:
            fits = [n for n in stored.get(at, ()) if at + n <= self._most or self._most % PART == 0]
            if fits:
                block = Block(lineup, at, fits[-1])
                self.known.add(block)
            else:
                end = min([deals, at + self._block_deals, *(first for first in stored if first > at)])
                block = Block(lineup, at, end - at)
            found.append(block)
            at += block.deals
        self._reach[lineup] = at
        return found

    @property
    def games_new(self) -> int:
        """Games of the blocks so far that are not stored."""
        return sum(len(block.lineup) * block.deals for block in self._blocks if block not in self.known)
