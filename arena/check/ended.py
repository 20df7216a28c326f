"""Where a bot's process ends: the same games again, its answers counted one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from arena.bot.faults import Fault
from arena.bot.harness import Answers
from arena.bot.host import Host
from arena.bot.seat import BotOutError
from arena.check.bench import Bench
from arena.check.decisions import Decision, bot_seat, decision_of
from arena.check.findings import Finding, Kind
from arena.game.questions import Question, TurnOver
from arena.game.rules import TableRules
from arena.tournament.blocks import Block

_OUT = {Fault.LATE: "it takes too long, again and again", Fault.DIED: "its process ends while it is asked"}


@dataclass(frozen=True)
class Where:
    """What a process was asked as it ended, in words and, if it was a decision, as one; ``how`` it ended."""

    place: str
    decision: Decision | None
    how: str


class Asked:
    """A host that keeps what it was asked last: nothing yet, a question, or to watch."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self.last: Question | TurnOver | None = None
        self.start, self.asked, self.is_over = host.start, host.asked, host.is_over

    def ask(self, question: Question) -> Answers:
        """See ``arena.bot.host.Host``."""
        self.last = question
        answers = self._host.ask(question)
        self.is_over = self._host.is_over
        return answers

    def watch(self, turn: TurnOver, tables: Any) -> Answers:
        """See ``arena.bot.host.Host``."""
        self.last = turn
        answers = self._host.watch(turn, tables)
        self.is_over = self._host.is_over
        return answers

    def close(self) -> None:
        """See ``arena.bot.host.Host``."""
        self._host.close()


def where_it_ends(
    out: BotOutError, bench: Bench, preset: str, rules: TableRules, blocks: Sequence[Block], server: int = 0
) -> Where | None:
    """The first decision of these games at which the process ends, as it did (``out``); None where now it does not."""
    last: list[Asked] = []
    if out.kind != Fault.DIED:
        return None

    def keep(host: Host) -> Host:
        last.append(Asked(host))
        return last[-1]

    for block in blocks:
        came = bench.play(rules, [block], server, keep, is_watched=True)
        if isinstance(came, BotOutError):
            return where(preset, block.first_deal, bot_seat(came.rotation), came, last[-1])
    return None


def where(preset: str, first_deal: int | None, seat: int, out: BotOutError, asked: Asked) -> Where | None:
    """The decision that a watched host ended at, from what it was ``asked`` last; deals count from ``first_deal``."""
    if out.at is None or out.kind != Fault.DIED:
        return None
    deal = None if first_deal is None else first_deal + out.at.row
    how, last = out.at.text.partition("(")[2].removesuffix(")"), asked.last
    if isinstance(last, Question):
        decision = decision_of(preset, deal, last, int(np.flatnonzero(last.rows == out.at.row)[0]))
        return Where(str(decision), decision, how)
    at = f"preset {preset}{'' if deal is None else f', deal {deal}'}, seat {seat}"
    return Where(
        f"{at}, {'as the game starts' if last is None else f'round {last.round}, in watch'}", None, how
    )


def out_finding(preset: str, out: BotOutError, when: str = "", at: Where | None = None) -> Finding:
    """That a bot can be asked no more, and ``at`` which decision, where that is known."""
    what = f"{_OUT[out.kind]}{when}"
    if at is None:
        sentence = f"preset {preset}: {what}; in a tournament it would be out"
        return Finding(Kind.OUT, sentence, preset, label=out.kind.label)
    sentence = f"{what} ({at.how}), first at {at.place}; in a tournament it would be out"
    return Finding(Kind.OUT, sentence, preset, at.decision, label=out.kind.label)
