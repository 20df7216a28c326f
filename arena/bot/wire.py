"""What passes between the trusted side and a bot's process: raw columns in shared memory, and small framed messages.

Nothing that comes from a bot's process is ever unpickled or evaluated; a frame that is not exactly as described raises
:class:`WireError`, and the process is ended.
"""

from __future__ import annotations

import mmap
import struct
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

MAGIC = 0x1B37AEA1
MAX_FRAME = 60_000
MAX_TEXT = 3_000  # more than any text that a harness gives
MAX_TEXTS = 16

MAX_OUTPUT = 4096  # of what a bot prints

START, ASK, WATCH, CANARY = range(4)

_REQUEST = struct.Struct("<IIQIII")  # magic, what, nonce, n, a, b
_REPLY = struct.Struct("<IIQIII")  # magic, what, nonce, n, flags, texts
_TEXT = struct.Struct("<BxHI")  # kind, bytes, row
_READY = struct.Struct("<IIQ")  # magic, 1 locked, 2 not, process number; then a text

# Columns of a question, then (watch) of a turn that is over; each 64 bits a table.
ASK_COLUMNS = (
    "row", "low", "high", "kind", "call", "pot", "chips", "min_bet", "max_bet", "wins", "hits", "losses", "other",
    "dealer", "turns_since_shuffle", "wager",
)  # fmt: skip
WATCH_COLUMNS = (
    "row",
    "seat",
    "first",
    "second",
    "low",
    "high",
    "kind",
    "call",
    "bet",
    "third",
    "delta",
    "pot",
    "wager",
)


class WireError(Exception):
    """A message is not what the wire allows."""


class Request(NamedTuple):
    """A question's frame: the columns of ``n`` tables stand in shared memory."""

    what: int
    nonce: int
    n: int
    a: int = 0
    b: int = 0

    def pack(self) -> bytes:
        """The frame's bytes."""
        return _REQUEST.pack(MAGIC, self.what, self.nonce, self.n, self.a, self.b)

    @staticmethod
    def unpack(frame: bytes) -> Request:
        """The request of a frame. Raises ``WireError``."""
        if len(frame) != _REQUEST.size:
            raise WireError("a request of the wrong length")
        magic, what, nonce, n, a, b = _REQUEST.unpack(frame)
        if magic != MAGIC:
            raise WireError("a request without its mark")
        return Request(what, nonce, n, a, b)


class Reply(NamedTuple):
    """An answer's frame: values and codes of ``n`` rows stand in shared memory, ``first`` by kind of fault.

    ``flags``: bit 0, codes are given; in reply to START bit 1, the bot is vectorised, and from bit 2 on the methods it
    wrote.
    """

    what: int
    nonce: int
    n: int
    flags: int
    first: dict[int, tuple[int, str]]

    def pack(self) -> bytes:
        """The frame's bytes, texts cut to what a frame holds."""
        texts = list(self.first.items())[:MAX_TEXTS]
        parts = [_REPLY.pack(MAGIC, self.what, self.nonce, self.n, self.flags, len(texts))]
        for kind, (row, text) in texts:
            raw = text.encode("utf-8", "backslashreplace")[:MAX_TEXT]
            parts.append(_TEXT.pack(kind, len(raw), row) + raw)
        return b"".join(parts)

    @staticmethod
    def unpack(frame: bytes, what: int, nonce: int, n: int) -> Reply:
        """The reply of a frame to the request ``what``, ``nonce``, ``n``. Raises ``WireError``, and nothing else."""
        if len(frame) < _REPLY.size:
            raise WireError("a reply that is too short")
        magic, got_what, got_nonce, got_n, flags, texts = _REPLY.unpack_from(frame)
        if (magic, got_what, got_nonce, got_n) != (MAGIC, what, nonce, n) or texts > MAX_TEXTS:
            raise WireError("a reply that answers something else")
        first, at = {}, _REPLY.size
        for _ in range(texts):
            if at + _TEXT.size > len(frame):
                raise WireError("a reply cut short")
            kind, size, row = _TEXT.unpack_from(frame, at)
            at += _TEXT.size
            if at + size > len(frame) or size > MAX_TEXT or row >= n:
                raise WireError("a text too long, cut short, or of no row")
            first[kind] = (row, frame[at : at + size].decode("utf-8", "replace"))
            at += size
        if at != len(frame):
            raise WireError("a reply with more behind it")
        return Reply(what, nonce, n, flags, first)


class Ready(NamedTuple):
    """What a fresh process says before it is given a bot: that it is locked and how, or why it is not."""

    pid: int
    is_locked: bool
    text: str

    def pack(self) -> bytes:
        """The frame's bytes."""
        return _READY.pack(MAGIC, 1 if self.is_locked else 2, self.pid) + self.text.encode()[:MAX_TEXT]

    @staticmethod
    def unpack(frame: bytes) -> Ready:
        """The word of a fresh process. Raises ``WireError``."""
        if not _READY.size <= len(frame) <= _READY.size + MAX_TEXT:
            raise WireError("a first word of the wrong length")
        magic, state, pid = _READY.unpack_from(frame)
        if magic != MAGIC or state not in (1, 2) or not 0 < pid < 1 << 31:
            raise WireError("a first word that is none")
        return Ready(pid, state == 1, frame[_READY.size :].decode("utf-8", "replace"))


class Board:
    """The shared memory of one bot's process: columns in, answers out, and the text that starts the bot.

    ``progress`` ``(1,)`` counts the answers to the question that is out, where that was asked for (``Request.b`` of START);
    ``output`` ``(MAX_OUTPUT,)`` holds what the bot prints, zeros behind it.

    Sizes follow from ``tables``, ``seats`` and ``packs`` alone, so both sides lay it out alike.
    """

    def __init__(self, memory: mmap.mmap, tables: int, seats: int, packs: int) -> None:
        self._memory = memory
        columns = max(len(ASK_COLUMNS), len(WATCH_COLUMNS))
        at = 0

        def take(rows: int, dtype: type) -> npt.NDArray[Any]:
            nonlocal at
            made: npt.NDArray[Any] = np.frombuffer(
                memory, dtype=dtype, count=rows * tables, offset=at
            ).reshape(rows, tables)
            at += made.nbytes
            return made

        self.columns = take(columns, np.int64)
        self.stacks = take(seats, np.int64)
        self.packs = take(packs, np.uint64)
        self.streams = take(1, np.uint64)[0]
        self.values = take(1, np.int64)[0]
        self.progress = np.frombuffer(memory, dtype=np.int64, count=1, offset=at)
        self.output = np.frombuffer(memory, dtype=np.uint8, count=MAX_OUTPUT, offset=at + 8)
        at += 8 + MAX_OUTPUT
        self.codes = take(1, np.uint8)[0]

    @staticmethod
    def size(tables: int, seats: int, packs: int) -> int:
        """Bytes that a board of this shape takes."""
        columns = max(len(ASK_COLUMNS), len(WATCH_COLUMNS))
        return tables * ((columns + seats + packs + 2) * 8 + 1) + 8 + MAX_OUTPUT

    def close(self) -> None:
        """Let go of the memory."""
        del self.columns, self.stacks, self.packs, self.streams, self.values, self.codes
        del self.progress, self.output
        self._memory.close()
