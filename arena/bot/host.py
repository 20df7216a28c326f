"""The trusted side: a bot's process (or, with trusted bots, its instances here) asked one question for many tables."""

from __future__ import annotations

import contextlib
import fcntl
import json
import mmap
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from arena.bot import child, wire
from arena.bot.faults import Fault
from arena.bot.harness import Answers, BotCode, Harness, Ints, Seating
from arena.bot.turns import Plays, Turns
from arena.errors import CannotRunError
from arena.game.cards import pick, ranks
from arena.game.chance import Words
from arena.game.questions import Question, TurnOver
from arena.game.rules import TableRules

_SEALS = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL if hasattr(fcntl, "F_SEAL_SHRINK") else 0
_SERVER_WAIT_S = 20.0
_LEAST_WAIT_S = 2.0
_CLOSE_S = 0.5
_WAIT_FACTOR = 10
_LAST_FAULT = max(Fault)


class Host(Protocol):
    """A bot at one seat of one seating. ``start`` says which games it could not be made for; ``asked``, what it wrote."""

    start: Answers
    asked: tuple[str, ...]
    is_over: Fault | None  # why nothing more can be asked: its process has ended, or was ended

    def ask(self, question: Question) -> Answers:
        """Answers to a question: see ``Harness.ask``."""
        ...

    def watch(self, turn: TurnOver, tables: Any) -> Answers:
        """Show turns that are over at ``turn.rows``."""
        ...

    def close(self) -> None:
        """Let the bot go."""
        ...


class LocalHost:
    """A trusted bot in this process."""

    def __init__(self, code: BotCode, seating: Seating, streams: Words) -> None:
        self._harness = Harness(code, seating, streams, clock=None)
        self._seating, self._streams = seating, streams
        self.start, self.asked = self._harness.start, self._harness.asked
        self.is_over: Fault | None = None

    def ask(self, question: Question) -> Answers:
        """See :class:`Host`."""
        q, t, rows = question, question.tables, question.rows
        columns: dict[str, Any] = {
            "row": rows, "low": q.low, "high": q.high, "kind": q.kind, "call": q.call, "pot": q.pot, "chips": q.chips,
            "min_bet": q.min_bet, "max_bet": q.max_bet, "wins": q.wins, "hits": q.hits, "losses": q.losses,
            "other": q.other, "dealer": t.dealer.take(rows), "turns_since_shuffle": t.since_shuffle.take(rows),
            "stacks": pick(t.chips, rows).T, "packs": q.unseen.copy(), "stream": self._streams.take(rows),
        }  # fmt: skip
        for column in columns.values():  # all of them copies: of the engine's state a bot can change nothing
            column.setflags(write=False)
        return self._harness.ask(
            Turns(question=q.what, rules=self._seating.rules, seat=q.seat, round=q.round, **columns)
        )

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
        "pot": tables.pot[rows],
    }


class NoBot:
    """In place of a bot that is out: all its games are played by default answers, with one fault each that says why."""

    def __init__(self, kind: Fault, tables: int) -> None:
        text = (
            "it took too long, again and again"
            if kind == Fault.LATE
            else "its process ended while it was asked"
        )
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


class ServerLostError(Exception):
    """The server that forks bots' processes has ended or does not answer: its worker can only start anew."""


class ChildServer:
    """The warm server that forks bots' processes; one for each worker. Everything it forked ends with it.

    Text is hashed by ``hash_seed`` in it: 0 wherever games count.
    """

    def __init__(self, hash_seed: int = 0) -> None:
        if not hasattr(os, "memfd_create"):
            raise CannotRunError(
                "bots cannot be run in processes of their own here (no memfd_create: not Linux); "
                "use --trust-bots if you wrote every bot yourself"
            )
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        environment = {
            "PYTHONPATH": os.pathsep.join(p for p in sys.path if p),
            "PYTHONHASHSEED": str(hash_seed),
            "OPENBLAS_NUM_THREADS": "1",
            "OMP_NUM_THREADS": "1",
            "MKL_NUM_THREADS": "1",
        }
        kept = ("PATH", "LANG", "LC_ALL", "ARENA_CHILD_ERRORS", "OPENBLAS_CORETYPE")
        environment |= {k: os.environ[k] for k in kept if k in os.environ}
        noise = None if "ARENA_CHILD_ERRORS" in os.environ else subprocess.DEVNULL
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-s", "-B", "-m", "arena.bot.child", str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=noise,
            stderr=noise,
            start_new_session=True,  # Ctrl-C at the terminal is the main process's to answer
        )
        theirs.close()
        self._control = ours
        self._control.settimeout(_SERVER_WAIT_S)

    def fork(self, control: socket.socket, board_fd: int, rules: TableRules) -> int:
        """A new child's process number; it gets these three. Raises :class:`ServerLostError`."""
        try:
            request = child.FORK + rules.model_dump_json().encode()
            socket.send_fds(self._control, [request], [control.fileno(), board_fd])
            return int(self._control.recv(64))
        except (OSError, ValueError) as error:
            raise ServerLostError(str(error)) from None

    def kill(self, pid: int) -> None:
        """End a child that was forked here. Raises :class:`ServerLostError`."""
        try:
            self._control.send(child.KILL + str(pid).encode())
        except OSError as error:
            raise ServerLostError(str(error)) from None

    def close(self) -> None:
        """End the server and every child of it; may be called twice."""
        self._control.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_CLOSE_S)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)  # and whatever its children may have started
        self._process.wait()


class ChildHost:
    """A bot in a process of its own, asked over a board of shared memory."""

    def __init__(
        self,
        server: ChildServer,
        code: BotCode,
        seating: Seating,
        streams: Words,
        decision_s: float,
        bank_s: float,
    ) -> None:
        self._server, self._seating = server, seating
        self._decision_s, self._bank_s = decision_s, bank_s
        self._nonce = int.from_bytes(os.urandom(8), "little")
        self.is_over: Fault | None = None
        self.asked: tuple[str, ...] = ()
        boot = json.dumps(
            {
                "source": code.source.decode("utf-8"), "file_name": code.file_name, "class_name": code.class_name,
                "params": code.params, "content": code.content, "seat": seating.seat, "seats": seating.seats,
                "decision_s": decision_s, "bank_s": bank_s,
            }
        ).encode()  # fmt: skip
        packs = seating.rules.deck.packs
        at = wire.Board.size(seating.tables, seating.seats, packs)
        board_fd = os.memfd_create("arena-board", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        os.ftruncate(board_fd, at + len(boot))
        fcntl.fcntl(board_fd, fcntl.F_ADD_SEALS, _SEALS)  # or a bot could cut off memory that we still read
        memory = mmap.mmap(board_fd, at + len(boot))
        memory[at:] = boot
        self._board = wire.Board(memory, seating.tables, seating.seats, packs)
        self._board.streams[:] = streams
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._pid = server.fork(theirs, board_fd, seating.rules)
        theirs.close()
        os.close(board_fd)
        self.start, flags = self._exchange(wire.START, seating.tables, at, len(boot))
        self.asked = tuple(name for k, name in enumerate(child.METHODS) if flags & 4 << k)

    def ask(self, question: Question) -> Answers:
        """See :class:`Host`."""
        q, t, rows, n = question, question.tables, question.rows, len(question.rows)
        given = (
            rows, q.low, q.high, q.kind, q.call, q.pot, q.chips, q.min_bet, q.max_bet, q.wins, q.hits, q.losses,
            q.other, t.dealer.take(rows), t.since_shuffle.take(rows),
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
        self._nonce = (self._nonce + 1) % (1 << 64)
        wait_s = max(_LEAST_WAIT_S, _WAIT_FACTOR * (n * self._decision_s + self._bank_s))
        try:
            self._control.settimeout(wait_s)
            self._control.send(wire.Request(what, self._nonce, n, a, b).pack())
            reply = wire.Reply.unpack(self._control.recv(wire.MAX_FRAME), what, self._nonce, n)
            return self._read(reply), reply.flags
        except TimeoutError:
            return self._end(n, Fault.LATE), 0
        except (OSError, wire.WireError):
            return self._end(n, Fault.DIED), 0

    def _read(self, reply: wire.Reply) -> Answers:
        """The answers on the board, copied, with every code known. Raises ``WireError``."""
        codes = self._board.codes[: reply.n].copy() if reply.flags & 1 else None
        if (codes is not None and codes.max() > _LAST_FAULT) or any(
            kind > _LAST_FAULT for kind in reply.first
        ):
            raise wire.WireError("a reply with an unknown kind of fault")
        return Answers(self._board.values[: reply.n].copy(), codes, reply.first)

    def _end(self, n: int, kind: Fault) -> Answers:
        self.is_over = kind
        self._server.kill(self._pid)
        return Answers(np.zeros(n, dtype=np.int64), np.full(n, kind, dtype=np.uint8), {})

    def close(self) -> None:
        """See :class:`Host`."""
        self._control.close()
        self._board.close()
