"""An arena for bots that play In-Between: which strategy is better, by how much, and how sure is that."""

from typing import TYPE_CHECKING, Any

from arena.bot.api import Bot, Table, Tables, VectorBot
from arena.bot.turns import Kind, Play, Plays, Turn, Turns
from arena.errors import ArenaError

if TYPE_CHECKING:
    from arena.game.rules import TableRules, table_rules

__all__ = [
    "ArenaError",
    "Bot",
    "Kind",
    "Play",
    "Plays",
    "Table",
    "TableRules",
    "Tables",
    "Turn",
    "Turns",
    "VectorBot",
    "table_rules",
]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """The rules' parser, brought in as it is first asked for: a bot's process starts faster without."""
    if name in ("TableRules", "table_rules"):
        from arena.game import rules

        return getattr(rules, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
