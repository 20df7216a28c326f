"""An arena for bots that play In-Between: which strategy is better, by how much, and how sure is that."""

from arena.bot.api import Bot, Table, Tables, VectorBot
from arena.bot.turns import Kind, Play, Plays, Turn, Turns
from arena.errors import ArenaError
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
