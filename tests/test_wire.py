"""The frames that come from a bot's process: whatever they hold, the reader gives a reply or raises ``WireError``."""

from __future__ import annotations

import struct
import time
import tracemalloc

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from arena.bot import wire
from arena.bot.wire import MAGIC, MAX_FRAME, MAX_TEXT, MAX_TEXTS, Ready, Reply, Request, WireError

NONCE = 0x0123456789ABCDEF
N = 1000
HEAD = struct.pack("<IIQII", MAGIC, wire.ASK, NONCE, N, 1)
texts = st.dictionaries(
    st.integers(0, 255), st.tuples(st.integers(0, N - 1), st.text(max_size=2000)), max_size=MAX_TEXTS
)
# What is near to a frame finds more than bytes by chance: the right head, then counts and texts of any kind.
pieces = st.lists(
    st.one_of(
        st.builds(
            lambda kind, size, row, text: struct.pack("<BxHI", kind, size, row) + text,
            st.integers(0, 255),
            st.integers(0, 65535),
            st.integers(0, 2**32 - 1),
            st.binary(max_size=300),
        ),
        st.builds(
            lambda kind, row, text: struct.pack("<BxHI", kind, len(text), row) + text,
            st.integers(0, 255),
            st.integers(0, N + 1),
            st.binary(max_size=300),
        ),
        st.binary(max_size=20),
    ),
    max_size=MAX_TEXTS + 2,
)
near = st.builds(
    lambda count, parts: HEAD + struct.pack("<I", count) + b"".join(parts),
    st.one_of(st.integers(0, MAX_TEXTS + 2), st.integers(0, 2**32 - 1)),
    pieces,
)
frames = st.one_of(st.binary(max_size=200), near)


@settings(max_examples=300, deadline=None)
@given(frames)
@example(HEAD + struct.pack("<I", 0))
@example(HEAD + struct.pack("<I", 1) + struct.pack("<BxHI", 9, 2, 5) + b"ab")
def test_any_frame_gives_a_reply_or_an_error_of_the_wire_and_no_more_than_it_holds(frame: bytes) -> None:
    unpacked(frame)


@pytest.mark.slow
@settings(max_examples=5000, deadline=None)
@given(frames)
def test_so_do_thousands_of_frames(frame: bytes) -> None:
    unpacked(frame)


def unpacked(frame: bytes) -> None:
    try:
        reply = Reply.unpack(frame, wire.ASK, NONCE, N)
    except WireError:
        return
    assert frame.startswith(HEAD[:20])
    assert len(reply.first) <= MAX_TEXTS
    assert sum(len(text) for _, text in reply.first.values()) <= len(frame)
    assert all(0 <= row < N for row, _ in reply.first.values())


@settings(max_examples=200, deadline=None)
@given(texts)
def test_what_is_packed_is_read_as_it_was(first: dict[int, tuple[int, str]]) -> None:
    short = {kind: (row, text) for kind, (row, text) in first.items() if len(text.encode()) <= MAX_TEXT}
    frame = Reply(wire.ASK, NONCE, N, 1, short).pack()
    assert len(frame) <= MAX_FRAME
    assert Reply.unpack(frame, wire.ASK, NONCE, N) == Reply(wire.ASK, NONCE, N, 1, short)


@settings(max_examples=500, deadline=None)
@given(texts, st.data())
def test_a_frame_with_one_byte_changed_or_cut_never_answers_something_else(
    first: dict[int, tuple[int, str]], data: st.DataObject
) -> None:
    frame = Reply(wire.ASK, NONCE, N, 1, dict(list(first.items())[:4])).pack()
    cut = data.draw(st.integers(0, len(frame) - 1))
    with pytest.raises(WireError):
        Reply.unpack(frame[:cut], wire.ASK, NONCE, N)
    with pytest.raises(WireError):
        Reply.unpack(frame + b"\0", wire.ASK, NONCE, N)
    at = data.draw(st.integers(0, 19))  # magic, what, nonce, n
    changed = bytearray(frame)
    changed[at] ^= data.draw(st.integers(1, 255))
    with pytest.raises(WireError):
        Reply.unpack(bytes(changed), wire.ASK, NONCE, N)


def test_the_largest_frames_are_read_in_little_time_and_memory() -> None:
    full = HEAD + struct.pack("<I", MAX_TEXTS)
    full += b"".join(struct.pack("<BxHI", k, MAX_TEXT, 0) + b"\xff" * MAX_TEXT for k in range(MAX_TEXTS))
    liar = HEAD + struct.pack("<I", 0xFFFFFFFF) + b"\xff" * (MAX_FRAME - 24)
    tracemalloc.start()
    start = time.perf_counter()
    assert len(Reply.unpack(full, wire.ASK, NONCE, N).first) == MAX_TEXTS
    with pytest.raises(WireError):
        Reply.unpack(liar, wire.ASK, NONCE, N)
    taken, peak = time.perf_counter() - start, tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert taken < 0.5
    assert peak < 10 * MAX_FRAME


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.binary(max_size=64), st.binary(max_size=64).map(lambda b: struct.pack("<I", MAGIC) + b)))
@example(struct.pack("<IIQ", MAGIC, 1, 4711) + b"seccomp")
@example(struct.pack("<IIQ", MAGIC, 1, 2**63))
@example(struct.pack("<IIQ", MAGIC, 1, 5) + b"x" * 50_000)
def test_any_first_word_is_read_or_refused(frame: bytes) -> None:
    try:
        ready = Ready.unpack(frame)
    except WireError:
        return
    assert 0 < ready.pid < 1 << 31
    assert len(ready.text) <= MAX_TEXT
    assert Ready.unpack(ready.pack()).pid == ready.pid


@given(st.binary(max_size=64))
def test_any_request_is_read_or_refused(frame: bytes) -> None:
    try:
        request = Request.unpack(frame)
    except WireError:
        return
    assert request.pack() == frame


def test_nothing_is_said_of_a_row_that_was_not_asked() -> None:
    frame = struct.pack("<IIQIIIBxHI", MAGIC, wire.ASK, NONCE, 0, 1, 1, 9, 0, 0)
    with pytest.raises(WireError):
        Reply.unpack(frame, wire.ASK, NONCE, 0)
