"""The trusted side: a bot's process (or, with trusted bots, its instances here) asked one question for many tables."""

from __future__ import annotations

import fcntl
import json
import math
import mmap
import os
import signal
import socket
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from arena.bot import wire
from arena.bot.child import METHODS
from arena.bot.clock import EXIT_LATE, Account
from arena.bot.faults import Fault
from arena.bot.harness import Answers, BotCode, Harness, Ints, Seating
from arena.bot.plays import Plays
from arena.bot.rules_view import rules_data, rules_view
from arena.bot.server import ChildServer
from arena.bot.turns import Turns
from arena.game.cards import pick, ranks
from arena.game.chance import Words
from arena.game.questions import Question, TurnOver

_SEALS = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL if hasattr(fcntl, "F_SEAL_SHRINK") else 0
_LOOK_S = 0.25  # so often an unanswered process is looked at
_TIMEVAL = struct.Struct("@ll")
_MOST_ASKED = (
    1000  # decisions a game, far beyond any: for the kernel's limit, which stands behind the account
)
_TOLD = range(Fault.NOT_WHOLE, Fault.DIED)  # what a process says of itself; bets and calls are judged here
ENDED = "its process ended while it was asked"


class Host(Protocol):
    """A bot at one seat of one seating."""

    is_over: Fault | None  # why nothing more can be asked: its process has ended, or was ended

    @property
    def start(self) -> Answers:
        """Which games it could not be made for."""
        ...

    @property
    def asked(self) -> tuple[str, ...]:
        """Which optional methods it wrote."""
        ...

    def ask(self, question: Question) -> Answers:
        """Answers to a question: see ``Harness.ask``."""
        ...

    def watch(self, turn: TurnOver, tables: Any) -> Answers:
        """Show turns that are over at ``turn.rows``."""
        ...

    def close(self) -> None:
        """Let the bot go."""
        ...


@dataclass(frozen=True)
class Limits:
    """What a bot's process may use: processor time a decision and in reserve, and memory."""

    decision_s: float
    bank_s: float
    memory_bytes: int


class LocalHost:
    """A trusted bot in this process; ``on_error`` is told what it raises, at once, and may raise it further."""

    def __init__(
        self,
        code: BotCode,
        seating: Seating,
        streams: Words,
        on_error: Callable[[Fault, BaseException], None] = lambda kind, error: None,
    ) -> None:
        data = rules_data(seating.rules)
        self._seating = replace(seating, rules=rules_view(data["table"], **data["more"]))
        self._harness, self._streams = Harness(code, self._seating, streams, None, list, on_error), streams
        self.start, self.asked = self._harness.start, self._harness.asked
        self.is_over: Fault | None = None

    def ask(self, question: Question) -> Answers:
        """See :class:`Host`."""
        return self._harness.ask(self.turns(question))

    def bot_at(self, row: int) -> Any:
        """The instance that plays at a table."""
        return self._harness.bot_at(row)

    def turns(self, question: Question) -> Turns:
        """The question as the bot is shown it."""
        q, t, rows = question, question.tables, question.rows
        columns: dict[str, Any] = {
            "row": rows, "low": q.low, "high": q.high, "kind": q.kind, "call": q.call, "pot": q.pot, "chips": q.chips,
            "min_bet": q.min_bet, "max_bet": q.max_bet, "wins": q.wins, "hits": q.hits, "losses": q.losses,
            "other": q.other, "wager": q.wager, "dealer": t.dealer.take(rows),
            "turns_since_shuffle": t.since_shuffle.take(rows),
            "stacks": pick(t.chips, rows).T, "packs": q.unseen.copy(), "stream": self._streams.take(rows),
        }  # fmt: skip
        for column in columns.values():  # all of them copies: of the engine's state a bot can change nothing
            column.setflags(write=False)
        return Turns(question=q.what, rules=self._seating.rules, seat=q.seat, round=q.round, **columns)

    def watch(self, turn: TurnOver, tables: Any) -> Answers:
        """See :class:`Host`."""
        columns = {name: _read_only(column) for name, column in play_columns(turn, tables).items()}
        posts = _read_only(np.stack([columns.pop("first"), columns.pop("second")], axis=1))
        stacks = _read_only(pick(tables.chips, turn.rows).T)
        return self._harness.watch(Plays(posts=posts, stacks=stacks, round=turn.round, **columns))

    def close(self) -> None:
        """See :class:`Host`."""


def _read_only(column: Any) -> Any:
    """A view that a bot cannot write through: the engine may still need what is under it."""
    view = column.view()
    view.flags.writeable = False
    return view


def play_columns(turn: TurnOver, tables: Any) -> dict[str, Ints]:
    """The columns of turns that are over, named as in ``wire.WATCH_COLUMNS``."""
    rows = turn.rows
    return {
        "row": rows,
        "seat": np.full(len(rows), turn.seat),
        "first": ranks(turn.first),
        "second": ranks(turn.second),
        "low": turn.low,
        "high": turn.high,
        "kind": turn.kind,
        "call": turn.call,
        "bet": turn.bet,
        "third": np.where(turn.third >= 0, ranks(turn.third), 0),
        "delta": turn.delta,
        "pot": tables.bank(rows),
        "wager": turn.wager,
    }


class NoBot:
    """In place of a bot that is out: all its games are played by default answers, with one fault each that says why."""

    def __init__(self, kind: Fault, tables: int) -> None:
        text = "it took too long, again and again" if kind == Fault.LATE else ENDED
        codes = np.full(tables, kind, dtype=np.uint8)
        self.start = Answers(np.zeros(tables, dtype=np.int64), codes, {int(kind): (0, text)})
        self.asked: tuple[str, ...] = ()
        self.is_over: Fault | None = None

    def ask(self, question: Question) -> Answers:
        """Never asked: every game is played by default."""
        raise AssertionError("a bot that is out was asked")

    def watch(self, turn: TurnOver, tables: Any) -> Answers:
        """Never asked."""
        raise AssertionError("a bot that is out was asked")

    def close(self) -> None:
        """See :class:`Host`."""


class ChildHost:
    """A bot in a process of its own, asked over a board of shared memory.

    The process is asked for at once and begun as ``start`` or ``asked`` is first read, so that several can be under way.
    ``is_watched``: it counts its answers one by one, and if it ends, the faults say at which row. Raises
    ``CannotRunError`` where the process cannot be locked.
    """

    def __init__(
        self,
        server: ChildServer,
        code: BotCode,
        seating: Seating,
        streams: Words,
        limits: Limits,
        is_watched: bool = False,
    ) -> None:
        self._server, self._seating, self._streams, self._limits = server, seating, streams, limits
        self._is_watched = is_watched
        self.is_over: Fault | None = None
        self._pid: int | None = None
        self._account: Account | None = None
        self._handle: int | None = None
        self._begun: tuple[Answers, tuple[str, ...]] | None = None
        self._boot = json.dumps(
            {
                "source": code.source.decode("utf-8"), "file_name": code.file_name, "class_name": code.class_name,
                "params": code.params, "content": code.content, "seat": seating.seat, "seats": seating.seats,
                "decision_s": limits.decision_s, "bank_s": limits.bank_s, "is_watched": is_watched,
                "rules": rules_data(seating.rules),
            }
        ).encode()  # fmt: skip
        packs = seating.rules.deck.packs
        self._boot_at = wire.Board.size(seating.tables, seating.seats, packs)
        size = self._boot_at + len(self._boot)
        board_fd = os.memfd_create("arena-board", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        try:
            os.ftruncate(board_fd, size)
            fcntl.fcntl(
                board_fd, fcntl.F_ADD_SEALS, _SEALS
            )  # or a bot could cut off memory that is still read
            self._memory = mmap.mmap(board_fd, size)
            self._board = wire.Board(self._memory, seating.tables, seating.seats, packs)
            cpu_s = limits.bank_s + _MOST_ASKED * seating.tables * limits.decision_s
            self._control = server.fork(board_fd, limits.memory_bytes, math.ceil(cpu_s) + 1)
        finally:
            os.close(board_fd)

    @property
    def start(self) -> Answers:
        """See :class:`Host`."""
        return self._begin()[0]

    @property
    def asked(self) -> tuple[str, ...]:
        """See :class:`Host`."""
        return self._begin()[1]

    @property
    def output(self) -> str:
        """What the bot has printed so far, at most 4 KiB, without anything that a terminal would obey."""
        text = self._board.output.tobytes().rstrip(b"\0").decode("utf-8", "replace")
        return "".join(char for char in text if char.isprintable() or char in "\n\t")

    def _begin(self) -> tuple[Answers, tuple[str, ...]]:
        """See that the process is locked; only then give it the bot."""
        if self._begun is None:
            self._pid = self._server.locked(self._control).pid
            self._account = Account(self._pid, self._limits.decision_s, self._limits.bank_s)
            self._handle = _handle_of(self._pid)
            self._memory[self._boot_at :] = self._boot
            self._board.streams[:] = self._streams
            self._control.settimeout(None)
            for option in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
                self._control.setsockopt(socket.SOL_SOCKET, option, _TIMEVAL.pack(0, int(_LOOK_S * 1e6)))
            answers, flags = self._exchange(wire.START, self._seating.tables, self._boot_at, len(self._boot))
            self._begun = answers, tuple(name for k, name in enumerate(METHODS) if flags & 4 << k)
        return self._begun

    def ask(self, question: Question) -> Answers:
        """See :class:`Host`."""
        q, t, rows, n = question, question.tables, question.rows, len(question.rows)
        given = (
            rows, q.low, q.high, q.kind, q.call, q.pot, q.chips, q.min_bet, q.max_bet, q.wins, q.hits, q.losses,
            q.other, t.dealer.take(rows), t.since_shuffle.take(rows), q.wager,
        )  # fmt: skip
        self._put(given, t, rows)
        self._board.packs[:, :n] = q.unseen
        return self._exchange(wire.ASK, n, q.what, q.round)[0]

    def watch(self, turn: TurnOver, tables: Any) -> Answers:
        """See :class:`Host`."""
        columns = play_columns(turn, tables)
        self._put([columns[name] for name in wire.WATCH_COLUMNS], tables, turn.rows)
        return self._exchange(wire.WATCH, len(turn.rows), 0, turn.round)[0]

    def _put(self, columns: Sequence[Ints], tables: Any, rows: Ints) -> None:
        n = len(rows)
        for slot, column in zip(self._board.columns, columns, strict=False):
            slot[:n] = column
        self._board.stacks[:, :n] = pick(tables.chips, rows)

    def _exchange(self, what: int, n: int, a: int, b: int) -> tuple[Answers, int]:
        """One request and its answers; a process that is gone, late or talks nonsense is ended, and all rows are faults."""
        assert self._account is not None
        nonce = int.from_bytes(os.urandom(8), "little")  # none that the process could know before
        try:
            self._account.open()
            self._waiting(n, self._control.send, wire.Request(what, nonce, n, a, b).pack())
            self._signal(signal.SIGCONT)  # with the request there already, it wakes but once
            reply = wire.Reply.unpack(self._waiting(n, self._control.recv, wire.MAX_FRAME), what, nonce, n)
            self._signal(signal.SIGSTOP)
            answers = self._read(reply)
            late = 0 if answers.codes is None else int((answers.codes == Fault.LATE).sum())
            if self._account.close(n, late):
                return self._end(n, Fault.LATE), 0
            return answers, reply.flags
        except TimeoutError:
            return self._end(n, Fault.LATE), 0
        except (OSError, wire.WireError):
            return self._end(n, Fault.DIED), 0

    def _signal(self, which: signal.Signals) -> None:
        """Stop the process, so that it does not think on another's time, or let it go on; see :func:`_handle_of`."""
        if self._handle is not None:
            signal.pidfd_send_signal(self._handle, which)

    def _waiting(self, n: int, call: Callable[[Any], Any], argument: Any) -> Any:
        """What a call on the socket gives. Raises ``TimeoutError`` once the process has used what it may, or ``OSError``."""
        assert self._account is not None
        while True:
            try:
                return call(argument)
            except BlockingIOError:
                if self._account.is_over(n):
                    raise TimeoutError from None

    def _read(self, reply: wire.Reply) -> Answers:
        """The answers on the board, copied, with every code known. Raises ``WireError``."""
        codes = self._board.codes[: reply.n].copy() if reply.flags & 1 else None
        known = codes is None or bool(((codes == 0) | ((codes >= _TOLD.start) & (codes < _TOLD.stop))).all())
        if not known or any(kind not in _TOLD for kind in reply.first):
            raise wire.WireError("a reply with a kind of fault that is none")
        return Answers(self._board.values[: reply.n].copy(), codes, reply.first)

    def _end(self, n: int, kind: Fault) -> Answers:
        assert self._pid is not None
        assert self._account is not None
        status, used_s = self._server.end(self._pid)
        if kind == Fault.DIED and status == EXIT_LATE and self._account.may_be_late(used_s):
            kind = Fault.LATE
        self.is_over, first = kind, {}
        if self._is_watched and kind == Fault.DIED:
            row = min(max(int(self._board.progress[0]), 0), n - 1)
            first[int(kind)] = (row, f"its process ended here ({_how(status)})")
        return Answers(np.zeros(n, dtype=np.int64), np.full(n, kind, dtype=np.uint8), first)

    def close(self) -> None:
        """See :class:`Host`."""
        self._control.close()
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None
        if self._pid is not None and self.is_over is None:
            self._server.let_go(self._pid)
        self._board.close()


def _handle_of(pid: int) -> int | None:
    """A handle by which a process, and never another one that got its number, is stopped and goes on.

    None where the kernel gives none (before 5.3, or a container forbids it): the account's charge must do there.
    """
    try:
        return os.pidfd_open(pid)
    except (OSError, AttributeError):
        return None


def _how(status: int) -> str:
    """How a process ended, in words, from its exit code (negative: a signal)."""
    if status >= 0:
        return f"exit code {status}"
    if status == -signal.SIGKILL:
        return "it was ended by the arena, the kernel or someone else"
    return f"signal {-status}, {signal.strsignal(-status)}"
