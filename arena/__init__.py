"""An arena for bots that play In-Between: which strategy is better, by how much, and how sure is that."""

from importlib import import_module

TYPE_CHECKING = False  # as type checkers see it, without loading typing
if TYPE_CHECKING:
    from typing import Any

    from arena.bot.api import Bot, Table, Tables, VectorBot
    from arena.bot.plays import Play, Plays
    from arena.bot.turns import Kind, Turn, Turns
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

_HOMES = {
    **dict.fromkeys(("Bot", "Table", "Tables", "VectorBot"), "arena.bot.api"),
    **dict.fromkeys(("Play", "Plays"), "arena.bot.plays"),
    **dict.fromkeys(("Kind", "Turn", "Turns"), "arena.bot.turns"),
    "ArenaError": "arena.errors",
    **dict.fromkeys(("TableRules", "table_rules"), "arena.game.rules"),
}


def __getattr__(name: str) -> "Any":
    """Each name is brought in as it is first asked for: the command line answers Ctrl-C before numpy is loaded, and a
    bot's process starts without the rules' parser.
    """
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
