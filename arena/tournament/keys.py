"""Content keys of blocks: two blocks with one key hold the same games, move for move."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import sys

import numpy as np

from arena.tournament.executors import Out, Setup
from arena.tournament.schedule import Lineup

# Raise it whenever a block plays otherwise than before: an engine's or interface's change that shows in answers, chips
# or the words of a fault. ``tests/test_keys.py`` says when that is due.
PLAYS = 1


def setup_key(setup: Setup) -> bytes:
    """16 bytes of all that every block of a tournament depends on; its bots come in with lineups.

    Limits and trust are in: another limit may strike, and what trusted bots did among the arena's own data is not taken for
    what isolated ones do. Python and numpy are in, as what bots compute, and a traceback's words, may differ.
    """
    of = [
        PLAYS,
        setup.rules.model_dump(mode="json"),
        setup.seed,
        [setup.faults, *dataclasses.astuple(setup.limits), setup.is_trusted],
        list(sys.version_info[:2]),
        np.__version__.split(".")[:2],
    ]
    return _hash(of)


def lineup_key(of_setup: bytes, setup: Setup, lineup: Lineup, out: Out) -> bytes:
    """16 bytes of a lineup's bots in their order (content and file name, which tracebacks show), and who of them is out."""
    bots = [
        [setup.bots[bot].content, setup.bots[bot].file_name, int(out[bot]) if bot in out else None]
        for bot in lineup
    ]
    return _hash([of_setup.hex(), bots])


def _hash(value: object) -> bytes:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(text.encode("ascii"), digest_size=16).digest()
