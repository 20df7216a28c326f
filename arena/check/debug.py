"""A bot played in this process that is stopped at its first fault, with the frame to look at it in."""

from __future__ import annotations

from typing import NoReturn

import numpy as np

from arena.bot.faults import Fault
from arena.bot.harness import Answers, BotCode, Seating
from arena.bot.host import LocalHost
from arena.bot.seat import judge
from arena.bot.turns import scalar_turns
from arena.game.chance import Words
from arena.game.questions import Question


class StoppedError(Exception):
    """The first fault of a bot that is debugged; the traceback of ``error`` leads to it."""

    def __init__(self, kind: Fault, error: BaseException) -> None:
        super().__init__(kind, error)
        self.kind, self.error = kind, error


class WrongAnswerError(Exception):
    """An answer that the rules do not allow; the frame that raises it has ``bot`` and ``turn``."""


class DebuggedHost(LocalHost):
    """A bot in this process; raises :class:`StoppedError` at its first fault."""

    def __init__(self, code: BotCode, seating: Seating, streams: Words) -> None:
        super().__init__(code, seating, streams, _stop)

    def ask(self, question: Question) -> Answers:
        """See ``arena.bot.host.Host``."""
        answers = super().ask(question)
        judge(question, answers)
        if answers.codes is not None and answers.codes.any():
            at = int(np.flatnonzero(answers.codes)[0])
            kind = Fault(int(answers.codes[at]))
            turn = list(scalar_turns(self.turns(question)))[at]
            try:
                _refuse(self.bot_at(int(question.rows[at])), turn, answers.first[kind][1])
            except WrongAnswerError as error:
                raise StoppedError(kind, error) from None
        return answers


def _stop(kind: Fault, error: BaseException) -> NoReturn:
    raise StoppedError(kind, error) from None


def _refuse(bot: object, turn: object, why: str) -> NoReturn:
    """Raise, with what one would want to look at in reach."""
    raise WrongAnswerError(f"{why}; see bot and turn")
