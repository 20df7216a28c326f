"""Tables of the presets with fewer rounds: a turn of the hundredth round is played as one of the tenth."""

from __future__ import annotations

from arena.check.named import all_tables
from arena.game.rules import TableRules


def short_tables(rounds: int = 10) -> dict[str, TableRules]:
    """Every preset's table, no game of more than so many rounds."""

    def short(table: TableRules) -> TableRules:
        if (table.end.rounds or rounds + 1) <= rounds:
            return table
        return table.model_copy(update={"end": table.end.model_copy(update={"rounds": rounds})})

    return {name: short(table) for name, table in all_tables().items()}
