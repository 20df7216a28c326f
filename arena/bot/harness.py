"""The side of a bot: its instances, and its answers read for what they are.

The same code answers in a child process and, with trusted bots, in the worker. Answers come out as whole numbers with a
fault code each; whether they are legal is judged on the other side.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any

import numpy as np
import numpy.typing as npt

from arena.bot.api import Table, Tables, VectorBot, asked_methods
from arena.bot.faults import Fault
from arena.bot.load import load_class, what_happened
from arena.bot.turns import ACE_1, ACE_2, BET, PAIR, Plays, Turns, scalar_plays, scalar_turns
from arena.game.rules import TableRules

Ints = npt.NDArray[np.int64]
Codes = npt.NDArray[np.uint8]
METHOD = {ACE_1: "call_ace", ACE_2: "call_ace", PAIR: "call_pair", BET: "bet"}
WORDS = {ACE_1: ("low", "high"), ACE_2: ("low", "high"), PAIR: ("lower", "higher")}
_INT64 = np.iinfo(np.int64)


class OutOfTime(BaseException):
    """Raised inside a bot's code by the clock; no ``except Exception`` of the bot's catches it."""


@dataclass(frozen=True)
class BotCode:
    """What is needed to make a bot anywhere."""

    source: bytes
    file_name: str
    class_name: str
    params: dict[str, Any]
    content: str


@dataclass(frozen=True)
class Seating:
    """Where it sits: ``tables`` games at once, always in the same seat."""

    tables: int
    seat: int
    seats: int
    rules: TableRules


@dataclass
class Answers:
    """Answers to one question: ``values`` ``(n,)``; ``codes`` is None where nothing is wrong.

    ``first`` holds, for each kind of fault, the first row of the question that has it and what happened there.
    """

    values: Ints
    codes: Codes | None = None
    first: dict[int, tuple[int, str]] = field(default_factory=dict)


class Clock:
    """Stops a decision that takes too long: ``decision_s`` of CPU time, and a bank that all decisions may draw on.

    A tick of CPU time looks whether the decision has moved on; a single long call into C is only stopped as it ends.
    """

    TICK_S = 0.01

    def __init__(self, decision_s: float, bank_s: float) -> None:
        self.decision_s, self.bank_s = decision_s, bank_s
        self._done: list[Any] | None = None
        self._mark, self._since, self._charged, self._allowed = 0, 0.0, 0.0, 0.0
        signal.signal(signal.SIGPROF, self._tick)

    def start(self, done: list[Any], decisions_a_step: int) -> None:
        """Watch ``done`` grow by one a step, each of so many decisions."""
        self._done, self._mark, self._since, self._charged = done, len(done), time.process_time(), 0.0
        self._allowed = self.decision_s * decisions_a_step
        signal.setitimer(signal.ITIMER_PROF, self.TICK_S, self.TICK_S)

    def stop(self) -> None:
        """Watch no more."""
        signal.setitimer(signal.ITIMER_PROF, 0)
        self._done = None

    def _tick(self, *_: object) -> None:
        if self._done is None:
            return
        now = time.process_time()
        if len(self._done) != self._mark:
            self._mark, self._since, self._charged = len(self._done), now, 0.0
            return
        over = now - self._since - self._allowed
        if over > self._charged:
            self.bank_s -= over - self._charged
            self._charged = over
        if over > 0 and self.bank_s <= 0:
            self._since, self._charged = now, 0.0
            raise OutOfTime


class Harness:
    """A bot class and its instances at one seat of one seating.

    ``start_codes`` ``(tables,)`` marks games whose bot could not be made or started; ``asked`` names the optional
    methods that the bot wrote.
    """

    def __init__(
        self, code: BotCode, seating: Seating, streams: npt.NDArray[np.uint64], clock: Clock | None
    ) -> None:
        self.code, self.seating, self.clock = code, seating, clock
        self.asked: tuple[str, ...] = ()
        self.is_vector = False
        self._bots: list[Any] = []
        self._methods: dict[str, list[Callable[[Any], Any]]] = {}
        self.start = Answers(np.zeros(seating.tables, dtype=np.int64))
        try:
            bot = load_class(code.source, code.file_name, code.class_name, f"bot_{code.content[:16]}")
        except BaseException as error:
            self._fail(self.start, Fault.INIT, error)
            return
        self.is_vector = issubclass(bot, VectorBot)
        self.asked = asked_methods(bot)
        if self.is_vector:
            self._start_vector(bot)
        else:
            self._start_scalar(bot, streams.tolist())

    def _start_vector(self, bot: Any) -> None:
        s = self.seating
        try:
            made = bot(**self.code.params)
            made.start(Tables(s.tables, s.seat, s.seats, s.rules))
        except BaseException as error:
            self._fail(self.start, Fault.INIT, error)
        else:
            self._bots = [made]

    def _start_scalar(self, bot: Any, streams: list[int]) -> None:
        s, params, starts = self.seating, self.code.params, "start" in self.asked
        own = [
            name
            for name in ("__new__", "__init__", "__setattr__")
            if getattr(bot, name) is not getattr(object, name)
        ]
        if not starts and not own and not params:
            self._bots = [object.__new__(bot) for _ in streams]  # nothing of the bot's own runs yet
            for made, stream in zip(self._bots, streams, strict=True):
                made._stream = stream
            return
        self._bots = [None] * s.tables
        done: list[Any] = []

        def begin(stream: int) -> None:
            made = bot.__new__(bot)
            made._stream = stream
            bot.__init__(made, **params)
            if starts:
                made.start(Table(s.seat, s.seats, s.rules, made))
            self._bots[len(done)] = made

        self._each(zip(repeat(begin), streams, strict=False), done, self.start, Fault.INIT)
        self._bots = [b if b is not None else bot.__new__(bot) for b in self._bots]

    def ask(self, turns: Turns) -> Answers:
        """Answers to a question, shape ``(n,)``: chips, or 1 for *high* and *higher* and 0 for the others."""
        answers = Answers(np.zeros(len(turns), dtype=np.int64))
        if self.is_vector:
            return self._ask_vector(turns, answers)
        out: list[Any] = []
        methods = self._rows_of(METHOD[turns.question], turns.row)
        self._each(zip(methods, scalar_turns(turns), strict=True), out, answers, Fault.EXCEPTION)
        if turns.question == BET:
            _read_bets(out, answers)
        else:
            _read_calls(out, answers, WORDS[turns.question])
        return answers

    def watch(self, plays: Plays) -> Answers:
        """Let the bot see turns that are over; only faults come back."""
        answers = Answers(np.zeros(len(plays.row), dtype=np.int64))
        if self.is_vector:
            self._whole(lambda: self._bots[0].watch(plays), len(plays.row), answers)
        else:
            methods = self._rows_of("watch", plays.row)
            self._each(zip(methods, scalar_plays(plays), strict=True), [], answers, Fault.EXCEPTION)
        return answers

    def _rows_of(self, name: str, rows: Any) -> Iterable[Callable[[Any], Any]]:
        methods = self._methods.get(name)
        if methods is None:
            methods = self._methods[name] = [getattr(bot, name) for bot in self._bots]
        return methods if len(rows) == len(methods) else map(methods.__getitem__, rows.tolist())

    def _each(self, calls: Iterable[tuple[Any, Any]], out: list[Any], answers: Answers, kind: Fault) -> None:
        """Call one by one, whatever happens; ``out`` gets every result, None where it raised.

        ``calls`` must be made of C iterators: the clock may raise between two bytecodes, and never inside those.
        """
        append, pending = out.append, iter(calls)
        n = len(answers.values)
        while len(out) < n:
            try:
                if self.clock is not None:
                    self.clock.start(out, 1)
                for method, argument in pending:
                    append(method(argument))
                if self.clock is not None:
                    self.clock.stop()
                break
            except OutOfTime as error:
                self._mark(answers, Fault.LATE, len(out), error)
            except BaseException as error:
                self._mark(answers, kind, len(out), error)
            if self.clock is not None:
                self.clock.stop()
            if len(out) < n:
                append(None)

    def _whole(self, call: Callable[[], Any], n: int, answers: Answers) -> Any:
        """One call for all rows; None where it raised."""
        try:
            if self.clock is not None:
                self.clock.start([], n)
            result = call()
            if self.clock is not None:
                self.clock.stop()
            return result
        except BaseException as error:
            if self.clock is not None:
                self.clock.stop()
            self._fail(answers, Fault.LATE if isinstance(error, OutOfTime) else Fault.EXCEPTION, error)
            return None

    def _ask_vector(self, turns: Turns, answers: Answers) -> Answers:
        method = getattr(self._bots[0], METHOD[turns.question])
        given = self._whole(lambda: np.array(method(turns)), len(turns), answers)
        if answers.codes is not None:
            return answers
        is_bet = turns.question == BET
        if given.shape != (len(turns),):
            return _all_wrong(
                answers, Fault.WRONG_SHAPE, f"an answer of shape {given.shape}, expected ({len(turns)},)"
            )
        if given.dtype.kind not in ("iu" if is_bet else "b"):
            kind = Fault.NOT_WHOLE if is_bet else Fault.NOT_A_CALL
            return _all_wrong(
                answers, kind, f"an answer of {given.dtype}, expected {'integers' if is_bet else 'bool'}"
            )
        if given.dtype == np.uint64:
            given = np.minimum(given, np.uint64(_INT64.max))
        answers.values = given.astype(np.int64)
        return answers

    def _mark(self, answers: Answers, kind: Fault, row: int, error: BaseException) -> None:
        if row >= len(answers.values):  # the clock struck after the last answer
            return
        if answers.codes is None:
            answers.codes = np.zeros(len(answers.values), dtype=np.uint8)
        answers.codes[row] = kind
        if kind not in answers.first:
            text = "over its time" if kind == Fault.LATE else what_happened(error, self.code.file_name)
            answers.first[kind] = (row, text)

    def _fail(self, answers: Answers, kind: Fault, error: BaseException) -> None:
        self._mark(answers, kind, 0, error)
        assert answers.codes is not None
        answers.codes[:] = kind


def _all_wrong(answers: Answers, kind: Fault, text: str) -> Answers:
    answers.codes = np.full(len(answers.values), kind, dtype=np.uint8)
    answers.first[kind] = (0, text)
    return answers


def _describe(value: object) -> str:
    """A wrong answer as text that cannot run the bot's code."""
    if value is None or (
        isinstance(value, bool | int | float | str) and type(value).__module__ == "builtins"
    ):
        return repr(value)[:60]
    return f"a {type(value).__name__}"[:60]


def _wrong(answers: Answers, kind: Fault, row: int, text: str) -> None:
    if answers.codes is None:
        answers.codes = np.zeros(len(answers.values), dtype=np.uint8)
    if answers.codes[row] == 0:
        answers.codes[row] = kind
        answers.first.setdefault(kind, (row, text))


def _read_bets(out: list[Any], answers: Answers) -> None:
    """Whole numbers by type, kept inside 64 bits; anything else gets a code."""
    if set(map(type, out)) == {int}:
        try:
            answers.values = np.array(out, dtype=np.int64)
            return
        except OverflowError:
            pass
    for row, value in enumerate(out):
        if isinstance(value, np.integer):
            answers.values[row] = min(int(value), _INT64.max)
        elif isinstance(value, int) and not isinstance(value, bool):
            answers.values[row] = min(max(int.__add__(value, 0), _INT64.min), _INT64.max)
        else:
            _wrong(
                answers,
                Fault.NOT_WHOLE,
                row,
                f"bet gave {_describe(value)}, expected a whole number of chips",
            )


def _read_calls(out: list[Any], answers: Answers, words: tuple[str, str]) -> None:
    """1 for the second of the words, 0 for the first; anything else gets a code."""
    for row, value in enumerate(out):
        if isinstance(value, str) and str.__str__(value) in words:
            answers.values[row] = words.index(str.__str__(value))
        else:
            text = f"the call was {_describe(value)}, expected {words[0]!r} or {words[1]!r}"
            _wrong(answers, Fault.NOT_A_CALL, row, text)
