"""A server warmed up: what every bot's process would do first is done once, before any is forked.

Python makes a function faster once it has run a while, numpy looks for its loops as they are first used. A forked process
begins with what was learned here: an eighth less processor time in blocks of a thousand deals.
"""

from __future__ import annotations

import json
import mmap
import signal
import socket
import sys
from collections.abc import Callable

import numpy as np

from arena.bot import wire
from arena.bot.turns import BET

_TABLES, _TIMES, _SEATS = 64, 12, 2
_RULES = {
    "bank": "pot",
    "payouts": None,
    "pair": {"rule": "higher_lower", "post": 2, "trips_odds": 25},
    "post": {"multiplier": 2},
    "end": {"rounds": 10},
    "bet": {"may_pass": True, "before_posts": False},
    "deck": {"packs": 1},
}
_QUESTION = (0, 2, 12, 0, 0, 20, 990, 1, 20, 36, 6, 8, 0, 0, 0, 0)  # in the order of ``wire.ASK_COLUMNS``
_SOURCE = """from arena import Bot, VectorBot

class One(Bot):
    def bet(self, turn):
        return turn.min_bet if turn.gap >= 8 and turn.edge > 0 and turn.value(1) > 0 and turn.uniform() < 1 else 0

class Many(VectorBot):
    def bet(self, turns):
        return turns.min_bet * ((turns.gap >= 8) & (turns.edge > 0))
"""
_BOOT = {
    "file_name": "warm.py", "params": {}, "content": "0" * 64, "seat": 0, "seats": _SEATS,
    "decision_s": 60.0, "bank_s": 60.0, "is_watched": False,
    "rules": {"table": _RULES, "more": {"odds_by_gap": None, "pair_pay_chips": 2}},
}  # fmt: skip


def warm_up(answer_all: Callable[[socket.socket, mmap.mmap, wire.Request], None]) -> None:
    """Have two bots of the arena's own live as others will. Raises ``RuntimeError`` where one cannot answer."""
    kept = sys.stdout, sys.stderr, signal.getsignal(signal.SIGALRM)
    try:
        for name in ("One", "Many"):
            _live(name, answer_all)
    finally:
        sys.stdout, sys.stderr = kept[:2]
        signal.signal(signal.SIGALRM, kept[2])


def _live(name: str, answer_all: Callable[[socket.socket, mmap.mmap, wire.Request], None]) -> None:
    """One bot's life: all questions stand in line, and its answers are read once it is over."""
    boot = json.dumps(_BOOT | {"source": _SOURCE, "class_name": name}).encode()
    at = wire.Board.size(_TABLES, _SEATS, 1)
    memory = mmap.mmap(-1, at + len(boot))
    memory[at:] = boot
    board = wire.Board(memory, _TABLES, _SEATS, 1)
    for column, value in zip(board.columns, _QUESTION, strict=False):
        column[:] = value
    board.columns[0] = board.streams[:] = np.arange(_TABLES)
    board.stacks[:], board.packs[:] = 990, (1 << 52) - 1
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours, theirs:
        for nonce in range(1, _TIMES + 1):
            ours.send(wire.Request(wire.ASK, nonce, _TABLES, BET, 1).pack())
        ours.shutdown(socket.SHUT_WR)
        answer_all(theirs, memory, wire.Request(wire.START, 0, _TABLES, at, len(boot)))
        for nonce in range(_TIMES + 1):
            what = wire.ASK if nonce else wire.START
            reply = wire.Reply.unpack(ours.recv(wire.MAX_FRAME), what, nonce, _TABLES)
            if reply.flags & 1:
                raise RuntimeError(f"{name} of the warm-up: {reply.first}")
