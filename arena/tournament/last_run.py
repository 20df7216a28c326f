"""What the run that was done last under a name had played, kept in its store: its games can be read without bots' files."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena.bot.entrant import Entrant
from arena.errors import ArenaError
from arena.game.rules import TableRules
from arena.tournament.blocks import BlockResult
from arena.tournament.schedule import Lineup
from arena.tournament.spec import TournamentSpec
from arena.tournament.store import Shelf, Store
from arena.tournament.tournament import Held

_KEY = "last_run"


@dataclass(frozen=True)
class LineupBlocks:
    """Where a lineup's games lie: its key, and of each block the first deal and how many are stored."""

    lineup: Lineup
    key: bytes
    blocks: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class LastRun:
    """A finished run. Bots' ``names`` and ``net_chips`` (over all games) are by entrant, as lineups number them."""

    name: str
    rules: TableRules
    seed: int
    deals: int
    names: tuple[str, ...]
    net_chips: tuple[int, ...]
    lineups: tuple[LineupBlocks, ...]

    @property
    def seats(self) -> int:
        """Bots at a table."""
        return len(self.lineups[0].lineup)

    @property
    def games(self) -> int:
        """Games in all."""
        return len(self.lineups) * self.deals * self.seats

    def results(self, store: Store, of: LineupBlocks) -> Iterator[BlockResult]:
        """A lineup's blocks in the order of their deals, none beyond the run's. Raises ``ArenaError`` where one is gone."""
        for first, deals in of.blocks:
            found = store.block(of.key, of.lineup, first, deals)
            if found is None:
                raise ArenaError(
                    f"{store.path}: games of the last finished run are gone; arena run plays them again, and then "
                    "they can be exported"
                )
            yield found.until(self.deals)


def keep(store: Store, spec: TournamentSpec, entrants: Sequence[Entrant], held: Held, shelf: Shelf) -> None:
    """Write down what a run that is done has played; its seed has been told by then."""
    blocks: dict[Lineup, tuple[bytes, list[list[int]]]] = {}
    for result in held.results:
        lineup, first = result.block.lineup, result.block.first_deal
        key, deals = shelf.used[lineup, first]
        blocks.setdefault(lineup, (key, []))[1].append([first, deals])
    told: Mapping[str, Any] = {
        "name": spec.name,
        "rules": spec.table.model_dump(mode="json"),
        "seed": str(spec.seed),
        "deals": held.standings.deals,
        "names": [entrant.name for entrant in entrants],
        "net_chips": held.rows.net.sum(axis=0).tolist(),
        "lineups": [[list(lineup), key.hex(), sorted(own)] for lineup, (key, own) in sorted(blocks.items())],
    }
    store.put(_KEY, json.dumps(told, separators=(",", ":")))


def read(store: Store) -> LastRun:
    """The run that was done last. Raises ``ArenaError`` where none is, or an earlier version of the arena stored it."""
    text = store.get(_KEY)
    if text is None:
        raise ArenaError(
            f"{store.path}: no finished run is written down there; the same arena run once more writes it, and plays only "
            "what is not stored"
        )
    told = json.loads(text)
    return LastRun(
        told["name"],
        TableRules.model_validate(told["rules"]),
        int(told["seed"]),
        told["deals"],
        tuple(told["names"]),
        tuple(told["net_chips"]),
        tuple(
            LineupBlocks(tuple(lineup), bytes.fromhex(key), tuple((first, deals) for first, deals in own))
            for lineup, key, own in told["lineups"]
        ),
    )
