"""What a bot's author writes: a ``Bot``, asked one decision at a time, or a ``VectorBot``, asked for many tables at once.

Both see what a player at the table could know, and nothing else.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from arena.bot.plays import Play, Plays
from arena.bot.turns import Turn, Turns

if TYPE_CHECKING:
    from arena.game.rules import TableRules

NEVER_BET = "bet(turn) is not written"


class Table(NamedTuple):
    """What a scalar bot is told as a game starts."""

    seat: int
    seats: int
    rules: TableRules
    bot: Bot

    @property
    def rng(self) -> random.Random:
        """The bot's own seeded source of chance (``self.rng``)."""
        return self.bot.rng


class Tables(NamedTuple):
    """What a vectorised bot is told as a batch of games starts; ``n`` tables, rows 0 … n−1."""

    n: int
    seat: int
    seats: int
    rules: TableRules


class Bot:
    """A strategy, asked one decision at a time; one instance a game. Write ``bet``; the rest has defaults."""

    _stream: int = 0

    def bet(self, turn: Turn) -> int:
        """Chips to bet, from ``turn.min_bet`` to ``turn.max_bet``; 0 passes."""
        raise NotImplementedError(NEVER_BET)

    def call_ace(self, turn: Turn) -> Literal["low", "high"]:
        """Name an ace, where the rules let the player."""
        return "low"

    def call_pair(self, turn: Turn) -> Literal["higher", "lower"]:
        """Call a pair where both calls are open: the side with more unseen cards; higher where they are equal."""
        return "higher" if turn.higher >= turn.lower else "lower"

    def wager(self, turn: Turn) -> int:
        """Chips to wager before the posts, where the table asks for them; 0 is the least."""
        return turn.min_bet

    def start(self, table: Table) -> None:
        """A game starts."""

    def watch(self, play: Play) -> None:
        """A turn at this table, anyone's, is over."""

    @property
    def rng(self) -> random.Random:
        """This game's own seeded ``random.Random``, made when first read."""
        made = self.__dict__.get("_rng")
        if made is None:
            made = self.__dict__["_rng"] = random.Random(self._stream)
        return made


class VectorBot:
    """A strategy asked for many tables at once; one instance a batch, state kept in arrays by ``turns.row``."""

    def bet(self, turns: Turns) -> npt.ArrayLike:
        """Chips to bet at each table: whole numbers, shape ``(n,)``."""
        raise NotImplementedError(NEVER_BET)

    def call_ace(self, turns: Turns) -> npt.ArrayLike:
        """Name aces: Booleans, shape ``(n,)``; True is high."""
        return np.zeros(len(turns), dtype=bool)

    def call_pair(self, turns: Turns) -> npt.ArrayLike:
        """Call pairs: Booleans, shape ``(n,)``; True is higher."""
        return turns.higher >= turns.lower

    def wager(self, turns: Turns) -> npt.ArrayLike:
        """Chips to wager before the posts at each table: whole numbers, shape ``(n,)``."""
        return turns.min_bet

    def start(self, tables: Tables) -> None:
        """A batch of games starts."""

    def watch(self, plays: Plays) -> None:
        """A turn at some of these tables, anyone's, is over."""


def asked_methods(bot: type) -> tuple[str, ...]:
    """Which optional methods a bot class wrote itself; the others are never called."""
    base = VectorBot if issubclass(bot, VectorBot) else Bot
    names = ("call_ace", "call_pair", "start", "watch", "wager")
    return tuple(name for name in names if getattr(bot, name) is not getattr(base, name))
