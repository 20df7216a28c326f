"""The side of a bot: its instances, and its answers read for what they are.

The same code answers in a child process and, with trusted bots, in the worker. Answers come out as whole numbers with a
fault code each; whether they are legal is judged on the other side.
"""

from __future__ import annotations

import inspect
import operator
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import repeat
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.random
import numpy.typing as npt

from arena.bot.api import Bot, Table, Tables, VectorBot, asked_methods
from arena.bot.clock import Clock, OutOfTime
from arena.bot.faults import Fault
from arena.bot.load import clean, load_class, what_happened
from arena.bot.plays import Plays, scalar_plays
from arena.bot.turns import ACE_1, ACE_2, BET, PAIR, WAGER, Turns, scalar_turns

if TYPE_CHECKING:
    from arena.game.rules import TableRules

Ints = npt.NDArray[np.int64]
Codes = npt.NDArray[np.uint8]
METHOD = {ACE_1: "call_ace", ACE_2: "call_ace", PAIR: "call_pair", BET: "bet", WAGER: "wager"}
WORDS = {ACE_1: ("low", "high"), ACE_2: ("low", "high"), PAIR: ("lower", "higher")}
_INT64 = np.iinfo(np.int64)


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


class Harness:
    """A bot class and its instances at one seat of one seating.

    ``start_codes`` ``(tables,)`` marks games whose bot could not be made or started; ``asked`` names the optional
    methods that the bot wrote.
    """

    def __init__(
        self,
        code: BotCode,
        seating: Seating,
        streams: npt.NDArray[np.uint64],
        clock: Clock | None,
        new_list: Callable[[], list[Any]] = list,
        on_error: Callable[[Fault, BaseException], None] = lambda kind, error: None,
    ) -> None:
        self.code, self.seating, self.clock, self._new_list = code, seating, clock, new_list
        self._on_error = on_error
        self.asked: tuple[str, ...] = ()
        self.is_vector = False
        self._bots: list[Any] = []
        self._are_bare = False
        self._methods: dict[str, tuple[Callable[[Any, Any], Any], npt.NDArray[Any]]] = {}
        self.start = Answers(np.zeros(seating.tables, dtype=np.int64))
        if (
            b"random" in code.source
        ):  # a bot that uses global chance at least repeats itself where it is alone
            random.seed(code.content)
            np.random.seed(int(code.content[:8], 16))
        try:
            bot = self._timed(
                lambda: load_class(code.source, code.file_name, code.class_name, code.content), 1
            )
            self.is_vector = issubclass(bot, VectorBot)
            self.asked = asked_methods(bot)
        except BaseException as error:
            self._fail(self.start, Fault.LATE if isinstance(error, OutOfTime) else Fault.INIT, error)
            return
        if self.is_vector:
            self._start_vector(bot)
        else:
            self._start_scalar(bot, streams.tolist())

    def _start_vector(self, bot: Any) -> None:
        s = self.seating

        def begin() -> Any:
            made = bot(**self.code.params)
            made.start(Tables(s.tables, s.seat, s.seats, s.rules))
            return made

        self._bots = [self._whole(begin, s.tables, self.start, Fault.INIT)]

    def _start_scalar(self, bot: Any, streams: list[int]) -> None:
        s, params, starts = self.seating, self.code.params, "start" in self.asked
        if not starts and not params and _is_bare(bot):  # nothing of the bot's own would run
            self._are_bare = True
            self._bots = list(map(object.__new__, repeat(bot, len(streams))))
            for one, stream in zip(self._bots, streams, strict=True):
                one._stream = stream
            return
        made = self._new_list()

        def begin(stream: int) -> Any:
            one = bot.__new__(bot)
            one._stream = stream
            bot.__init__(one, **params)
            if starts:
                one.start(Table(s.seat, s.seats, s.rules, one))
            return one

        self._each(map(begin, streams), made, self.start, Fault.INIT)
        self._bots = made  # None where it failed: that game is played by default

    def ask(self, turns: Turns) -> Answers:
        """Answers to a question, shape ``(n,)``: chips, or 1 for *high* and *higher* and 0 for the others."""
        answers = Answers(np.zeros(len(turns), dtype=np.int64))
        if self.is_vector:
            return self._ask_vector(turns, answers)
        out = self._new_list()
        calls = self._calls(METHOD[turns.question], turns.row, scalar_turns(turns))
        self._each(calls, out, answers, Fault.EXCEPTION)
        if turns.question in (BET, WAGER):
            _read_chips(out, answers, METHOD[turns.question])
        else:
            _read_calls(out, answers, WORDS[turns.question])
        return answers

    def bot_at(self, row: int) -> Any:
        """The instance that plays at a table."""
        return self._bots[0] if self.is_vector else self._bots[row]

    def watch(self, plays: Plays) -> Answers:
        """Let the bot see turns that are over; only faults come back."""
        answers = Answers(np.zeros(len(plays.row), dtype=np.int64))
        if self.is_vector:
            self._whole(lambda: self._bots[0].watch(plays), len(plays.row), answers)
        else:
            calls = self._calls("watch", plays.row, scalar_plays(plays))
            self._each(calls, self._new_list(), answers, Fault.EXCEPTION)
        return answers

    def _calls(self, name: str, rows: Any, arguments: Iterable[Any]) -> Iterator[Any]:
        """The results of a method at these tables, each called as it is read."""
        known = self._methods.get(name)
        if known is None:
            known = self._methods[name] = self._method(name)
        function, owners = known
        at_rows = owners if len(rows) == len(owners) else owners.take(rows)
        return map(function, at_rows.tolist(), arguments)

    def _method(self, name: str) -> tuple[Callable[[Any, Any], Any], npt.NDArray[Any]]:
        """A function, and an array with its first argument for each table.

        Where nothing of the bots' own has run yet they cannot have put anything in the class's place.
        """
        function: Any = inspect.getattr_static(type(self._bots[0]), name, None)
        if self._are_bare and inspect.isfunction(function):
            return function, _objects(self._bots)
        return operator.call, _objects([_bound(bot, name) for bot in self._bots])

    def _each(self, results: Iterator[Any], out: list[Any], answers: Answers, kind: Fault) -> None:
        """Read one by one, whatever happens; ``out`` gets every result, None where it raised.

        ``results`` must be made of C iterators: the clock may raise between two bytecodes, and never inside those. What
        was read before an exception stays in ``out``.
        """
        n = len(answers.values)
        if self.clock is not None:
            self.clock.struck.clear()
        while len(out) < n:
            why: BaseException = StopIteration()  # raised by the bot, it is an end only for the iterator
            try:
                if self.clock is not None:
                    self.clock.start(out, 1)
                out.extend(results)
                if self.clock is not None:
                    self.clock.stop()
            except BaseException as error:
                why = error
            if self.clock is not None:
                self.clock.stop()
            if len(out) < n:
                self._mark(answers, Fault.LATE if isinstance(why, OutOfTime) else kind, len(out), why)
                out.append(None)
        if self.clock is not None:
            for row in self.clock.struck:  # the bot's code may have caught what stopped it
                if row < n and (answers.codes is None or answers.codes[row] == 0):
                    self._mark(answers, Fault.LATE, row, OutOfTime())

    def _timed(self, call: Callable[[], Any], decisions: int) -> Any:
        """What ``call`` gives, stopped by the clock after so many decisions' time. Raises what it raises."""
        if self.clock is None:
            return call()
        self.clock.struck.clear()
        try:
            self.clock.start([], decisions)
            result = call()
        finally:
            self.clock.stop()
        if self.clock.struck:
            raise OutOfTime
        return result

    def _whole(self, call: Callable[[], Any], n: int, answers: Answers, kind: Fault = Fault.EXCEPTION) -> Any:
        """One call for all rows; None where it raised."""
        try:
            return self._timed(call, n)
        except BaseException as error:
            self._fail(answers, Fault.LATE if isinstance(error, OutOfTime) else kind, error)
            return None

    def _ask_vector(self, turns: Turns, answers: Answers) -> Answers:
        name = METHOD[turns.question]
        given = self._whole(lambda: np.array(getattr(self._bots[0], name)(turns)), len(turns), answers)
        if answers.codes is not None:
            return answers
        is_bet = turns.question in (BET, WAGER)
        if given.shape != (len(turns),):
            return _all_wrong(
                answers,
                Fault.WRONG_SHAPE,
                f"{name} gave an answer of shape {given.shape}, expected ({len(turns)},)",
            )
        if given.dtype.kind not in ("iu" if is_bet else "b"):
            kind = Fault.NOT_WHOLE if is_bet else Fault.NOT_A_CALL
            return _all_wrong(
                answers,
                kind,
                f"{name} gave an answer of {given.dtype}, expected {'integers' if is_bet else 'bool'}",
            )
        if given.dtype == np.uint64:
            given = np.minimum(given, np.uint64(_INT64.max))
        answers.values = given.astype(np.int64)
        return answers

    def _mark(self, answers: Answers, kind: Fault, row: int, error: BaseException) -> None:
        if row >= len(answers.values):  # the clock struck after the last answer
            return
        self._on_error(kind, error)
        if answers.codes is None:
            answers.codes = np.zeros(len(answers.values), dtype=np.uint8)
        answers.codes[row] = kind
        if kind not in answers.first:
            text = (
                "over its time"
                if kind == Fault.LATE
                else what_happened(error, self.code.file_name, self.code.content)
            )
            answers.first[kind] = (row, text)

    def _fail(self, answers: Answers, kind: Fault, error: BaseException) -> None:
        self._mark(answers, kind, 0, error)
        assert answers.codes is not None
        answers.codes[:] = kind


def _is_bare(bot: Any) -> bool:
    """Whether making an instance and giving it its stream is all the arena's own doing."""
    try:
        names = ("__new__", "__init__", "__getattribute__", "__setattr__", "_stream", "__abstractmethods__")
        return type(bot) is type and all(getattr(bot, n, None) is getattr(Bot, n, None) for n in names)
    except BaseException:
        return False


def _objects(items: list[Any]) -> npt.NDArray[Any]:
    return np.fromiter(items, dtype=object, count=len(items))


def _bound(bot: Any, name: str) -> Callable[[Any], Any]:
    """A bot's method; if it cannot be had, one that says why each time it is called."""
    try:
        method: Callable[[Any], Any] = getattr(bot, name)
        return method
    except BaseException as error:
        why = error

        def fail(_: Any) -> Any:
            raise why

        return fail


def _all_wrong(answers: Answers, kind: Fault, text: str) -> Answers:
    answers.codes = np.full(len(answers.values), kind, dtype=np.uint8)
    answers.first[kind] = (0, text)
    return answers


def _wrong(answers: Answers, kind: Fault, row: int, text: str) -> None:
    if answers.codes is None:
        answers.codes = np.zeros(len(answers.values), dtype=np.uint8)
    if answers.codes[row] == 0:
        answers.codes[row] = kind
        answers.first.setdefault(kind, (row, clean(text)))


# What a bot gives back is a stranger's object: looked at only through its real type, which it cannot put on, never through
# its own methods.
_NUMPY_INTS = (
    np.int8,
    np.int16,
    np.int32,
    np.int64,
    np.uint8,
    np.uint16,
    np.uint32,
    np.uint64,
    np.longlong,
    np.ulonglong,
)


def _whole_number(value: Any) -> int | None:
    """The value of a whole number by type, kept inside 64 bits; None for anything else."""
    kind = type(value)
    if any(kind is known for known in _NUMPY_INTS):
        return min(int(value), _INT64.max)
    if kind is not bool and issubclass(kind, int):
        return min(max(int.__add__(value, 0), _INT64.min), _INT64.max)
    return None


def _describe(value: Any) -> str:
    """A wrong answer as text that cannot run the bot's code."""
    kind = type(value)
    if value is None or kind is bool or kind is float:
        return repr(value)
    if kind is str:
        return repr(value[:50])
    name = type.__dict__["__name__"].__get__(kind)
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"[:60]


def _read_chips(out: list[Any], answers: Answers, method: str) -> None:
    """Whole numbers by type, kept inside 64 bits; anything else gets a code."""
    try:
        if list(map(type, out)).count(int) == len(out):
            answers.values = np.fromiter(out, dtype=np.int64, count=len(out))
            return
    except BaseException:  # too big for 64 bits, or a type that is not like others: one by one
        pass
    for row, value in enumerate(out):
        number = _whole_number(value)
        if number is None:
            _wrong(
                answers,
                Fault.NOT_WHOLE,
                row,
                f"{method} gave {_describe(value)}, expected a whole number of chips",
            )
        else:
            answers.values[row] = number


def _read_calls(out: list[Any], answers: Answers, words: tuple[str, str]) -> None:
    """1 for the second of the words, 0 for the first; anything else gets a code."""
    for row, value in enumerate(out):
        text = str.__str__(value) if issubclass(type(value), str) else None
        if text in words:
            answers.values[row] = words.index(text)
        else:
            says = f"the call was {_describe(value)}, expected {words[0]!r} or {words[1]!r}"
            _wrong(answers, Fault.NOT_A_CALL, row, says)
