"""The process a bot lives in, and the server that forks such processes.

``python -m arena.bot.child FD LAYERS`` is the server: warm (everything a bot may need is imported), single-threaded, and
it never sees a bot. It forks one child for each request on its socket and ends them all when that socket closes. A child
locks itself and says so; only what it is given after that comes from a stranger.
"""

from __future__ import annotations

import contextlib
import gc
import io
import json
import mmap
import os
import signal
import socket
import struct
import sys
import traceback
import weakref
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from arena.bot import confine, wire
from arena.bot.clock import EXIT_LATE, Clock
from arena.bot.harness import Answers, BotCode, Harness, Seating
from arena.bot.modules import Only, import_all
from arena.bot.plays import Plays
from arena.bot.rules_view import rules_view
from arena.bot.turns import Turns
from arena.bot.warm import warm_up

FORK, END = b"F", b"E"
FORK_SIZES = struct.Struct("<QI")  # bytes of memory, seconds of processor time
END_PID = struct.Struct("<QB")  # process, 1: say how it ended
ENDED = struct.Struct("<id")  # exit code, negative for a signal; seconds of processor time used in its life
MAX_REQUEST = 64
_MOST_FDS = 64  # more than the server ever has open
METHODS = ("call_ace", "call_pair", "start", "watch", "wager")


def serve(control: socket.socket, layers: confine.Layers) -> None:
    """Fork a child for each request until the socket closes; then end every child that is left."""
    children: set[int] = set()
    while True:
        message, fds, _, _ = socket.recv_fds(control, MAX_REQUEST, 2)
        if not message:
            break
        if message[:1] == END:
            pid, is_asked = END_PID.unpack(message[1:])
            how = _end(pid, children)
            if is_asked:
                control.send(ENDED.pack(*how))
        else:
            parent = os.getpid()
            pid = os.fork()
            if pid == 0:
                _live(socket.socket(fileno=fds[0]), fds[1], parent, FORK_SIZES.unpack(message[1:]), layers)
            children.add(pid)
        for fd in fds:
            os.close(fd)
    for pid in list(children):
        _end(pid, children)


def _end(pid: int, children: set[int]) -> tuple[int, float]:
    """End a child of ours and say how it ended, as in ``ENDED``; its number is nobody else's before it is reaped here."""
    if pid not in children:
        return 0, 0.0
    os.kill(pid, signal.SIGKILL)
    children.discard(pid)
    _, status, used = os.wait4(pid, 0)
    return os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime


def _live(
    control: socket.socket, board_fd: int, parent: int, sizes: tuple[int, int], layers: confine.Layers
) -> None:
    """A child's life: never returns."""
    status = 1
    try:
        memory = mmap.mmap(board_fd, 0)
        for first, end in ((3, control.fileno()), (control.fileno() + 1, _MOST_FDS)):
            os.closerange(first, end)  # the server's socket, the board's handle and Python's copy of it
        if layers.imports:
            sys.meta_path[:] = [Only()]
        try:
            said, is_locked = confine.lock(*sizes, parent, layers), True
        except confine.LockError as error:
            said, is_locked = str(error), False
        control.send(wire.Ready(os.getpid(), is_locked, said).pack())
        if is_locked:
            with contextlib.suppress(ConnectionError):
                _begin(control, memory)
        status = 0
    except BaseException:
        if os.environ.get("ARENA_CHILD_ERRORS"):  # for whoever works on this file: stderr is /dev/null else
            os.write(2, traceback.format_exc().encode())
    finally:
        os._exit(status)


def _begin(control: socket.socket, memory: mmap.mmap) -> None:
    """Take the first request: a bot to be, or the canary's."""
    if not (frame := control.recv(wire.MAX_FRAME)):
        return
    request = wire.Request.unpack(frame)
    if request.what == wire.CANARY:
        text = ", ".join(name for name, act in FORBIDDEN.items() if _succeeds(act))
        control.send(wire.Reply(wire.CANARY, request.nonce, request.n, 0, {0: (0, text)}).pack())
    else:
        _answer_all(control, memory, request)


def _answer_all(control: socket.socket, memory: mmap.mmap, request: wire.Request) -> None:
    """Start the bot of the first request, then answer until the other side hangs up."""
    boot = json.loads(memory[request.a : request.a + request.b])
    rules = rules_view(boot["rules"]["table"], **boot["rules"]["more"])
    seating = Seating(tables=request.n, seat=boot["seat"], seats=boot["seats"], rules=rules)
    board = wire.Board(memory, seating.tables, seating.seats, rules.deck.packs)
    sys.stdout = sys.stderr = _Captured(board.output)
    code = BotCode(
        boot["source"].encode("utf-8"), boot["file_name"], boot["class_name"], boot["params"], boot["content"]
    )
    streams = board.streams.copy()
    new_list: Callable[[], list[Any]] = (lambda: _Counted(board.progress)) if boot["is_watched"] else list
    clock = Clock(boot["decision_s"], boot["bank_s"], lambda: os._exit(EXIT_LATE))
    harness = Harness(code, seating, streams, clock, new_list)
    flags = 2 * harness.is_vector + sum(4 << k for k, name in enumerate(METHODS) if name in harness.asked)
    _reply(control, board, request, harness.start, flags)
    while frame := control.recv(wire.MAX_FRAME):
        request = wire.Request.unpack(frame)
        if request.what == wire.ASK:
            answers = _ask(board, request, harness, streams)
        else:
            answers = harness.watch(_plays(board, request, harness.is_vector))
        _reply(control, board, request, answers, 0)


def _reply(
    control: socket.socket, board: wire.Board, request: wire.Request, answers: Answers, flags: int
) -> None:
    n = request.n
    board.values[:n] = answers.values
    if answers.codes is not None:
        board.codes[:n] = answers.codes
        flags |= 1
    control.send(wire.Reply(request.what, request.nonce, n, flags, answers.first).pack())


class _Counted(list[Any]):
    """A list whose length the other side can see, so that it can tell where a process ended."""

    def __init__(self, progress: Any) -> None:
        super().__init__()
        self._progress = progress
        progress[0] = 0

    def append(self, value: Any, /) -> None:
        super().append(value)
        self._progress[0] = len(self)

    def extend(self, values: Iterable[Any], /) -> None:
        for value in values:
            self.append(value)


class _Captured(io.TextIOBase):
    """Where a bot's prints go: the first of it is kept, the rest is dropped."""

    def __init__(self, output: Any) -> None:
        self._output, self._at = output, 0

    def writable(self) -> bool:
        return True

    def write(self, text: str, /) -> int:
        room = len(self._output) - self._at
        if room > 0:
            raw = text[:room].encode("utf-8", "backslashreplace")[:room]
            self._output[self._at : self._at + len(raw)] = np.frombuffer(raw, dtype=np.uint8)
            self._at += len(raw)
        return len(text)


def _ask(board: wire.Board, request: wire.Request, harness: Harness, streams: Any) -> Answers:
    """Answers to the question on the board; whatever the bot keeps of it becomes a copy before the next one comes."""
    turns = _turns(board, request, harness, streams)
    answers = harness.ask(turns)
    look = weakref.ref(turns)
    del turns
    if not harness.is_vector and (kept := look()) is not None:
        kept._own()
    return answers


def _shown(rows: Any, is_copied: bool) -> Any:
    """Rows of the board for a bot to read: an array that a vectorised bot gets is its own, as it may keep it."""
    rows = rows.copy() if is_copied else rows.view()
    rows.flags.writeable = False
    return rows


def _turns(board: wire.Board, request: wire.Request, harness: Harness, streams: Any) -> Turns:
    n, seating, is_copied = request.n, harness.seating, harness.is_vector
    columns = _shown(board.columns[: len(wire.ASK_COLUMNS), :n], is_copied)
    named = dict(zip(wire.ASK_COLUMNS, columns, strict=True))
    return Turns(
        question=request.a,
        round=request.b,
        rules=seating.rules,
        seat=seating.seat,
        stacks=_shown(board.stacks[:, :n], is_copied).T,
        packs=_shown(board.packs[:, :n], is_copied),
        stream=_shown(streams.take(named["row"]), is_copied=False),
        **named,
    )


def _plays(board: wire.Board, request: wire.Request, is_copied: bool) -> Plays:
    n = request.n
    columns = _shown(board.columns[: len(wire.WATCH_COLUMNS), :n], is_copied)
    named = dict(zip(wire.WATCH_COLUMNS, columns, strict=True))
    posts = _shown(np.stack([named.pop("first"), named.pop("second")], axis=1), is_copied=False)
    return Plays(posts=posts, stacks=_shown(board.stacks[:, :n], is_copied).T, round=request.b, **named)


def _fork() -> None:
    if os.fork() == 0:
        os._exit(0)


# What the canary tries: were one of these to succeed, the locks would not hold here, whatever the kernel said.
FORBIDDEN: dict[str, Callable[[], object]] = {
    "opening a file": lambda: os.open(os.sep, os.O_RDONLY),
    "opening a socket": lambda: socket.socket(socket.AF_UNIX, socket.SOCK_STREAM),
    "starting a process": _fork,
    "running a program": lambda: os.execv("/nowhere/at/all", ["all"]),
    "signalling a process": lambda: os.kill(os.getppid(), 0),
    "making machine code": lambda: mmap.mmap(
        -1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC
    ),
}


def _succeeds(act: Callable[[], object]) -> bool:
    try:
        act()
    except PermissionError:
        return False
    except OSError:  # it was let through, and came to nothing for a reason of its own
        return True
    return True


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    import_all()
    confine.compiled()
    warm_up(_answer_all)
    gc.collect()
    gc.freeze()  # a child's collector need not touch, and so copy, what was here before it
    serve(socket.socket(fileno=int(sys.argv[1])), confine.Layers.of(sys.argv[2]))
