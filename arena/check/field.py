"""Whom a bot meets while it is checked: a sparring partner at every second deal, at the others the house bots in turn.

Who it is follows from the deal alone, so other batches meet the same. House bots are known by their files' bytes, and play
in this process.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from arena.bot.faults import Fault
from arena.bot.harness import Answers, BotCode, Seating
from arena.bot.host import Host, LocalHost
from arena.bot.seat import METHOD_OF, subset, subset_of_turn
from arena.check.sparring import Sparring
from arena.game.questions import ASK_BET, ASK_PAIR, Question, TurnOver
from arena.game.rules import TableRules
from arena.game.tables import Ints
from arena.tournament.blocks import Block
from arena.tournament.match import bot_streams


class Field:
    """A host that is another bot from deal to deal. House bots make no faults (``tests/test_roster.py``)."""

    def __init__(
        self, house: Sequence[BotCode], rules: TableRules, seats: int, seat: int, block: Block, seed: int
    ) -> None:
        deals = np.arange(block.first_deal, block.first_deal + block.deals)
        self._who = (
            np.where(deals % 2 == 0, 0, 1 + deals // 2 % len(house)) if house else np.zeros_like(deals)
        )
        self._hosts: dict[int, Host] = {}
        for who in np.unique(self._who).tolist():
            streams = bot_streams(seed, house[who - 1].content if who else "sparring", seat, block)
            seating = Seating(block.deals, seat, seats, rules)
            self._hosts[who] = LocalHost(house[who - 1], seating, streams) if who else Sparring(streams)
        self.start = Answers(np.zeros(block.deals, dtype=np.int64))
        self.asked = tuple(dict.fromkeys(name for host in self._hosts.values() for name in host.asked))
        self.is_over: Fault | None = None

    def ask(self, question: Question) -> Answers:
        """See ``arena.bot.host.Host``."""
        values = np.zeros(len(question.rows), dtype=np.int64)
        if question.what == ASK_PAIR:  # what those who do not call are played by
            values[:] = question.wins >= question.losses
        method = METHOD_OF[question.what]
        for host, at in self._among(question.rows):
            if question.what == ASK_BET or method in host.asked:
                answers = host.ask(subset(question, at))
                values[at] = (
                    answers.values if answers.codes is None else np.where(answers.codes, 0, answers.values)
                )
        return Answers(values)

    def watch(self, turn: TurnOver, tables: Any) -> Answers:
        """See ``arena.bot.host.Host``."""
        for host, at in self._among(turn.rows):
            if "watch" in host.asked:
                host.watch(subset_of_turn(turn, at), tables)
        return Answers(np.zeros(len(turn.rows), dtype=np.int64))

    def _among(self, rows: Ints) -> Iterator[tuple[Host, npt.NDArray[np.intp]]]:
        """Every host with its places among ``rows``, if it has any."""
        who = self._who[rows]
        for number, host in self._hosts.items():
            if len(at := np.flatnonzero(who == number)):
                yield host, at

    def close(self) -> None:
        """See ``arena.bot.host.Host``."""
        for host in self._hosts.values():
            host.close()
