"""Whom a bot plays against while it is checked: an opponent that needs no process and follows from its stream alone."""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.bot.faults import Fault
from arena.bot.harness import Answers
from arena.game import chance
from arena.game.chance import Words
from arena.game.questions import ASK_BET, ASK_WAGER, Question, TurnOver

_ASK = 1 << 40  # questions have words of their own, apart from the one that gives a game its temper


class Sparring:
    """A host that calls by the coin, and bets in each game as rarely and as much as that game's temper has it.

    So pots run from nearly nothing to all chips, and games go on long or end early.
    """

    def __init__(self, streams: Words) -> None:
        self._streams = streams
        self._often, self._share = (chance.unit(chance.words(streams, k)) for k in (1, 2))
        self.start = Answers(np.zeros(len(streams), dtype=np.int64))
        self.asked: tuple[str, ...] = ("call_ace", "call_pair", "wager")
        self.is_over: Fault | None = None

    def ask(self, question: Question) -> Answers:
        """See ``arena.bot.host.Host``."""
        rows = question.rows
        coin = chance.unit(chance.words(self._streams[rows], _ASK + question.round * 4 + question.what))
        if question.what not in (ASK_BET, ASK_WAGER):
            return Answers((coin < 0.5).astype(np.int64))
        most = np.maximum(question.min_bet, (question.max_bet * self._share[rows]).astype(np.int64))
        return Answers(np.where(coin < self._often[rows], most, 0))

    def watch(self, turn: TurnOver, tables: Any) -> Answers:
        """It did not ask to watch."""
        raise AssertionError("a sparring partner was shown a turn")

    def close(self) -> None:
        """See ``arena.bot.host.Host``."""
