"""The process a bot lives in, and the server that forks such processes.

``python -m arena.bot.child FD`` is the server: warm (everything a bot may need is imported), single-threaded, and it
never sees a bot. It forks one child for each request on its socket and ends them all when that socket closes.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import json
import mmap
import os
import signal
import socket
import sys
from typing import Any

import numpy as np
import numpy.random

from arena.bot import wire
from arena.bot.harness import Answers, BotCode, Clock, Harness, Seating
from arena.bot.turns import Plays, Turns
from arena.game.rules import TableRules

_LIBC = ctypes.CDLL(None)
_PR_SET_PDEATHSIG = 1
FORK, KILL = b"F", b"K"
MAX_REQUEST = 8192
METHODS = ("call_ace", "call_pair", "start", "watch")


def serve(control: socket.socket) -> None:
    """Fork a child for each request until the socket closes; then end every child that is left.

    A request brings the rules of its table; they are read here, once, for all children that sit at such a table.
    """
    read: dict[bytes, TableRules] = {}
    children: set[int] = set()
    while True:
        message, fds, _, _ = socket.recv_fds(control, MAX_REQUEST, 2)
        _reap(children)
        if not message:
            break
        if message[:1] == KILL:
            _kill(int(message[1:]), children)
        else:
            if message not in read:
                read[message] = TableRules.model_validate_json(message[1:])
            pid = os.fork()
            if pid == 0:
                control.close()
                _live(socket.socket(fileno=fds[0]), fds[1], read[message])
            children.add(pid)
            control.send(str(pid).encode())
        for fd in fds:
            os.close(fd)
    for pid in list(children):
        _kill(pid, children)


def _reap(children: set[int]) -> None:
    for pid in list(children):
        if os.waitpid(pid, os.WNOHANG)[0]:
            children.discard(pid)


def _kill(pid: int, children: set[int]) -> None:
    """End a child of ours; its number cannot have been given to another process before it is reaped here."""
    if pid in children:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        children.discard(pid)


def _live(control: socket.socket, board_fd: int, rules: TableRules) -> None:
    """A child's life: never returns."""
    status = 1
    try:
        _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        with contextlib.suppress(ConnectionError):
            _answer_all(control, board_fd, rules)
        status = 0
    except BaseException:
        if os.environ.get("ARENA_CHILD_ERRORS"):  # for whoever works on this file: stderr is /dev/null else
            sys.excepthook(*sys.exc_info())
    finally:
        os._exit(status)


def _answer_all(control: socket.socket, board_fd: int, rules: TableRules) -> None:
    """Take the start message, then answer until the other side hangs up."""
    memory = mmap.mmap(board_fd, 0)
    os.close(board_fd)
    request = wire.Request.unpack(control.recv(wire.MAX_FRAME))
    boot = json.loads(memory[request.a : request.a + request.b])
    seating = Seating(tables=request.n, seat=boot["seat"], seats=boot["seats"], rules=rules)
    board = wire.Board(memory, seating.tables, seating.seats, rules.deck.packs)
    code = BotCode(
        boot["source"].encode("utf-8"), boot["file_name"], boot["class_name"], boot["params"], boot["content"]
    )
    streams = board.streams.copy()
    harness = Harness(code, seating, streams, Clock(boot["decision_s"], boot["bank_s"]))
    flags = 2 * harness.is_vector + sum(4 << k for k, name in enumerate(METHODS) if name in harness.asked)
    _reply(control, board, request, harness.start, flags)
    while frame := control.recv(wire.MAX_FRAME):
        request = wire.Request.unpack(frame)
        if request.what == wire.ASK:
            answers = harness.ask(_turns(board, request, seating, streams))
        else:
            answers = harness.watch(_plays(board, request))
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


def _frozen(array: Any) -> Any:
    array.flags.writeable = False
    return array


def _turns(board: wire.Board, request: wire.Request, seating: Seating, streams: Any) -> Turns:
    """The question on the board, copied: a bot may keep what it was shown."""
    n = request.n
    columns = _frozen(board.columns[: len(wire.ASK_COLUMNS), :n].copy())
    named = dict(zip(wire.ASK_COLUMNS, columns, strict=True))
    return Turns(
        question=request.a,
        round=request.b,
        rules=seating.rules,
        seat=seating.seat,
        stacks=_frozen(board.stacks[:, :n].copy()).T,
        packs=_frozen(board.packs[:, :n].copy()),
        stream=_frozen(streams[named["row"]]),
        **named,
    )


def _plays(board: wire.Board, request: wire.Request) -> Plays:
    n = request.n
    columns = _frozen(board.columns[: len(wire.WATCH_COLUMNS), :n].copy())
    named = dict(zip(wire.WATCH_COLUMNS, columns, strict=True))
    posts = _frozen(np.stack([named.pop("first"), named.pop("second")], axis=1))
    return Plays(posts=posts, stacks=_frozen(board.stacks[:, :n].copy()).T, round=request.b, **named)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.freeze()  # a child's collector need not touch, and so copy, what was here before it
    serve(socket.socket(fileno=int(sys.argv[1])))
