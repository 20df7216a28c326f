"""What is to be checked: the bots that a text names, and tables to try them on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from arena.bot.entrant import BotSource, Entrant, find_entrants, parse_bot
from arena.bot.house import is_house
from arena.errors import Problem
from arena.game.rules import DEFAULT_PRESET, TableRules, preset_names, table_rules
from arena.tournament.duel import pick


def bots_of(text: str, roster: Sequence[BotSource]) -> tuple[tuple[Entrant, ...], tuple[Problem, ...]]:
    """All bots that a text names, and what is wrong with those that cannot be read.

    ``file.py`` means every bot in it, a folder every bot there, a name one of ``roster``. Raises ``ArenaError`` where
    there is no such file or name.
    """
    source = parse_bot(text, Path())
    if source.path.is_dir() or (source.path.suffix == ".py" and source.path.exists()):
        entrants, problems = find_entrants([source])
        return tuple(sorted(entrants, key=lambda entrant: entrant.name)), problems
    return (pick(text, roster),), ()


def house_bots(roster: Sequence[BotSource]) -> tuple[Entrant, ...]:
    """Those of a roster that are the house's own, by their files' bytes; none where the roster is not there."""
    return tuple(entrant for entrant in find_entrants(roster)[0] if is_house(entrant.source))


def all_tables() -> dict[str, TableRules]:
    """The rules of every preset, the default one first."""
    names = sorted(preset_names(), key=lambda name: (name != DEFAULT_PRESET, name))
    return {name: table_rules({"preset": name}) for name in names}
