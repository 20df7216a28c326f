"""Coverage-guided fuzzing of the frame reader: ``pip install atheris`` (no dependency of ours), then

``python tests/fuzz_wire.py -max_total_time=60 -max_len=60000``. An input that raises anything but ``WireError`` ends it.
"""

import struct
import sys

import atheris

with atheris.instrument_imports():
    from arena.bot import wire

NONCE, N = 7, 1000


def one(data: bytes) -> None:
    """The bytes as they are, and behind a head that is right."""
    for frame in (data, struct.pack("<IIQI", wire.MAGIC, wire.ASK, NONCE, N) + data):
        try:
            reply = wire.Reply.unpack(frame, wire.ASK, NONCE, N)
        except wire.WireError:
            continue
        assert len(reply.first) <= wire.MAX_TEXTS
        assert sum(len(text) for _, text in reply.first.values()) <= len(frame)
    try:
        wire.Ready.unpack(data)
    except wire.WireError:
        return


atheris.Setup(sys.argv, one)
atheris.Fuzz()
