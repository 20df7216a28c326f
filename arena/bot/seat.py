"""What the arena makes of a bot's answers: legal ones count, anything else is a fault and counts as the default."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from arena.bot.clock import MOST_STRIKES
from arena.bot.faults import Fault
from arena.bot.harness import Answers
from arena.bot.host import Host, NoBot
from arena.game.cards import at as where
from arena.game.questions import ASK_ACE_1, ASK_ACE_2, ASK_BET, ASK_PAIR, ASK_WAGER, Question, TurnOver
from arena.game.tables import Bools, Ints, Tables

KINDS = max(Fault) + 1
_LATE_A_GAME = 3
METHOD_OF = {
    ASK_ACE_1: "call_ace", ASK_ACE_2: "call_ace", ASK_PAIR: "call_pair", ASK_BET: "bet", ASK_WAGER: "wager"
}  # fmt: skip
_CHIPS = (ASK_BET, ASK_WAGER)
_TURN_ARRAYS = [f.name for f in fields(TurnOver) if f.name not in ("seat", "round", "place")]
_ARRAYS = [
    f.name for f in fields(Question) if f.name not in ("what", "seat", "round", "place", "unseen", "tables")
]


@dataclass(frozen=True)
class FirstAt:
    """The first fault of a kind at a seat: table, place in the game, and what was wrong."""

    row: int
    step: int
    text: str


class BotOutError(Exception):
    """A bot can be asked no more: its process ended (``DIED``), or it takes too long again and again (``LATE``).

    What else that process was about to answer cannot be told, so it is for the tournament to say what becomes of the games.
    ``at`` is the decision at which the process ended, where it was watched; ``rotation`` is for who plays them to add.
    """

    def __init__(self, entrant: int, kind: Fault, at: FirstAt | None = None) -> None:
        super().__init__(entrant, kind, at)
        self.entrant, self.kind, self.at = entrant, kind, at
        self.rotation = 0


_UNSAID = "its process did not say what happened"


class Seat:
    """A bot's place at many tables: asks it, judges what comes back, and counts faults.

    After ``limit`` faults in a game, or a fault in ``__init__`` or ``start``, the rest of that game is played by default
    answers. ``first`` holds each kind's first one, by table and then by time.
    """

    def __init__(self, host: Host, tables: int, limit: int, entrant: int = 0) -> None:
        self._host, self._limit, self._entrant = host, limit, entrant
        self._found: list[tuple[Ints, Ints]] = []
        self.first: dict[int, FirstAt] = {}
        self._faults: Ints = np.zeros(tables, dtype=np.int64)
        self._late: Ints = np.zeros(tables, dtype=np.int64)
        self._by_default: Bools = np.zeros(tables, dtype=bool)
        self._any_default = False
        if host.start.codes is not None:
            self._by_default |= host.start.codes != 0
        self._record(host.start, np.arange(tables), step=-1)

    @property
    def watches(self) -> bool:
        """Whether the bot wants to see turns that are over."""
        return "watch" in self._host.asked

    def bet(self, question: Question, step: int) -> tuple[Ints, Bools | None]:
        """Legal bets, or wagers; the second array marks those that stand in for a fault."""
        default = np.zeros(len(question.rows), dtype=np.int64)
        if question.what == ASK_WAGER and "wager" not in self._host.asked:
            return default, None
        return self._ask(question, step, default)

    def call(self, question: Question, step: int) -> tuple[Bools, Bools | None]:
        """Calls, True for *high* and *higher*; the second array marks those that stand in for a fault."""
        default = np.zeros(len(question.rows), dtype=np.int64)
        if question.what == ASK_PAIR:
            default = (question.wins >= question.losses).astype(np.int64)
        if METHOD_OF[question.what] not in self._host.asked:
            return default.astype(bool), None
        calls, faulty = self._ask(question, step, default)
        return calls.astype(bool), faulty

    def _ask(self, question: Question, step: int, default: Ints) -> tuple[Ints, Bools | None]:
        at: Any = slice(None)
        if self._any_default:
            at = where(~self._by_default[question.rows])
            if not len(at):
                return default, None
            question = subset(question, at)
        answers = self._host.ask(question)
        judge(question, answers)
        if answers.codes is None and not self._any_default:
            return answers.values, None
        out, faulty = default.copy(), np.zeros(len(default), dtype=bool)
        if answers.codes is None:
            out[at] = answers.values
            return out, None
        wrong = answers.codes != 0
        out[at] = np.where(wrong, default[at], answers.values)
        faulty[at] = wrong
        self._record(answers, question.rows, step)
        return out, faulty

    def watch(self, turn: TurnOver, tables: Tables, step: int) -> None:
        """Show the bot turns that are over, where its games are still its own."""
        if self._any_default:
            at = where(~self._by_default[turn.rows])
            if not len(at):
                return
            turn = subset_of_turn(turn, at)
        self._record(self._host.watch(turn, tables), turn.rows, step)

    def _record(self, answers: Answers, rows: Ints, step: int) -> None:
        """Count faults, keep the first of each kind, and find the games that go on by default."""
        codes = answers.codes
        if codes is None:
            return
        self._found.append((rows[codes != 0], codes[codes != 0].astype(np.int64)))
        for kind in map(int, np.unique(codes[codes != 0])):
            at, text = answers.first.get(kind, (0, _UNSAID))
            if codes[at] != kind:  # what a process says of where it was is its own; what it answered is here
                at = int((codes == kind).argmax())
            found, kept = FirstAt(int(rows[at]), step, text), self.first.get(kind)
            if kept is None or (found.row, found.step) < (kept.row, kept.step):
                self.first[kind] = found
        self._faults[rows] += codes != 0
        self._late[rows] += codes == Fault.LATE
        self._by_default |= (self._faults >= self._limit) | (self._late >= _LATE_A_GAME)
        if self._host.is_over is not None:
            raise BotOutError(self._entrant, self._host.is_over, self.first.get(self._host.is_over))
        if self._late.sum() >= MOST_STRIKES and not isinstance(self._host, NoBot):  # out already
            raise BotOutError(self._entrant, Fault.LATE)
        self._any_default = bool(self._by_default.any())

    def fault_counts(self) -> tuple[Ints, Ints, Ints]:
        """Tables, kinds and how many faults there were of them, ``(n,)`` each, by table and kind."""
        rows = np.concatenate([np.zeros(0, dtype=np.int64), *(rows for rows, _ in self._found)])
        kinds = np.concatenate([np.zeros(0, dtype=np.int64), *(kinds for _, kinds in self._found)])
        found, count = np.unique(rows * KINDS + kinds, return_counts=True)
        return found // KINDS, found % KINDS, count

    def close(self) -> None:
        """Let the bot go."""
        self._host.close()


def subset(question: Question, at: npt.NDArray[np.intp]) -> Question:
    """The question at some of its tables."""
    return replace(
        question, unseen=question.unseen[:, at], **{name: getattr(question, name)[at] for name in _ARRAYS}
    )


def subset_of_turn(turn: TurnOver, at: npt.NDArray[np.intp]) -> TurnOver:
    """A turn that is over at some of its tables."""
    return replace(turn, **{name: getattr(turn, name)[at] for name in _TURN_ARRAYS})


def judge(question: Question, answers: Answers) -> None:
    """Mark the answers that are not legal as faults, beside those that are faults already."""
    (_judge_bets if question.what in _CHIPS else _judge_calls)(question, answers)


def _judge_bets(question: Question, answers: Answers) -> None:
    """A bet is legal if it is 0 or between the least and the greatest bet; it is never clamped."""
    bets = answers.values
    bad = (bets != 0) & ((bets < question.min_bet) | (bets > question.max_bet))
    if not bad.any():
        return
    if answers.codes is None:
        answers.codes = np.zeros(len(bets), dtype=np.uint8)
    bad &= answers.codes == 0
    kinds = np.where(
        bets < 0, Fault.NEGATIVE, np.where(bets > question.max_bet, Fault.TOO_BIG, Fault.TOO_SMALL)
    )
    answers.codes[bad] = kinds[bad]
    for kind in (Fault.NEGATIVE, Fault.TOO_BIG, Fault.TOO_SMALL):
        at = where(bad & (kinds == kind))
        if len(at):
            row = int(at[0])
            low, high = question.min_bet[row], question.max_bet[row]
            what = f"a {METHOD_OF[question.what]} of {bets[row]}"
            answers.first[int(kind)] = (row, f"{what}, where 0 or {low} to {high} was legal")


def _judge_calls(question: Question, answers: Answers) -> None:
    bad = (answers.values != 0) & (answers.values != 1)
    if bad.any():
        if answers.codes is None:
            answers.codes = np.zeros(len(bad), dtype=np.uint8)
        answers.codes[bad & (answers.codes == 0)] = Fault.NOT_A_CALL
        answers.first.setdefault(int(Fault.NOT_A_CALL), (int(bad.argmax()), "a call that is none of the two"))
