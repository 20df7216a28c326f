"""A first bot written for somebody: a file that already plays, with all that may be written explained."""

from __future__ import annotations

import keyword
import os
import re
from pathlib import Path

import arena
from arena.errors import ArenaError

MAX_NAME = 40

_TEXT = '''\
"""NAME: what it does, in a line. `arena check FILE` says whether it may play, `arena duel FILE Edge` whether it is good."""

from __future__ import annotations

from typing import Literal

from arena import Bot, Play, Table, Turn


class NAME(Bot):
    """Bets a share of what it may whenever the unseen cards favour it."""

    def __init__(self, share: float = 0.5) -> None:
        """Parameters, each with a default; `FILE:NAME(share=0.8)` plays with another value."""
        self.share = share

    def start(self, table: Table) -> None:
        """A game starts: there is one instance a game, so keep what you like in self. May be deleted."""
        self.lost_last = False

    def bet(self, turn: Turn) -> int:
        """Chips to bet: 0 passes, else from turn.min_bet to turn.max_bet.

        What to go by: turn.low and turn.high (the posts, 1 = low ace to 14), turn.gap, turn.kind; turn.wins, turn.hits and
        turn.losses (unseen cards that would win, hit a post, lose); turn.edge (expected chips per chip bet);
        turn.value(bet) (expected chips of that bet, exact); turn.pot, turn.chips, turn.stacks; turn.round of
        turn.rounds; turn.uniform() for chance.
        """
        if turn.edge <= 0:
            return 0
        share = self.share / 2 if self.lost_last else self.share
        return max(turn.min_bet, int(turn.max_bet * share))

    def call_ace(self, turn: Turn) -> Literal["low", "high"]:
        """Name an ace, where the table lets you. May be deleted: the default is "low"."""
        return "low"

    def call_pair(self, turn: Turn) -> Literal["higher", "lower"]:
        """Call a pair, where the table lets you. May be deleted: the default is this."""
        return "higher" if turn.higher >= turn.lower else "lower"

    def wager(self, turn: Turn) -> int:
        """Chips to stake before the posts, where the table asks for them. May be deleted: the default is this."""
        return turn.min_bet

    def watch(self, play: Play) -> None:
        """A turn at the table is over, anyone's: what everybody could see. Costs time; may be deleted."""
        self.lost_last = play.delta < 0
'''


def file_name(name: str) -> str:
    """The file that a class goes into.

    >>> file_name("HalfPot8"), file_name("mine")
    ('half_pot8.py', 'mine.py')
    """
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower() + ".py"


def new_bot(name: str, folder: Path) -> Path:
    """Write a bot of this name into ``folder`` and give back its file. Raises ``ArenaError``; never overwrites."""
    if wrong := _wrong_name(name):
        raise ArenaError(f"{wrong}; give a name for a class, such as MyBot")
    path = folder / file_name(name)
    text = _TEXT.replace("NAME", name).replace("FILE", str(path))
    try:
        with open(path, "x", encoding="utf-8") as out:
            out.write(text)
    except FileExistsError:
        raise ArenaError(
            f"{path} is there already; give the bot another name, or --into another folder"
        ) from None
    except OSError as error:
        raise ArenaError(
            f"{path} cannot be written ({error.strerror or os.strerror(error.errno or 0)}); "
            "make the folder first, or name another with --into"
        ) from None
    return path


def _wrong_name(name: str) -> str | None:
    shown = repr(name[:60])
    if not name.isascii() or not name.isidentifier() or keyword.iskeyword(name):
        return f"expected a Python identifier of letters, digits and _, got {shown}"
    if name.startswith("_"):
        return f"{shown} starts with _, and such classes do not play"
    if len(name) > MAX_NAME:
        return f"a name has at most {MAX_NAME} characters, {shown} has {len(name)}"
    if name in arena.__all__ or name == "Literal":
        return f"{shown} is a word that the file needs for something else"
    return None
