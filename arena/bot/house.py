"""Which bots are this project's own: a file is known by its bytes, wherever it lies."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from arena.bot.entrant import Entrant

# SHA-256 (its first 16 bytes) of every file of the house roster; tests/test_house.py says how to write them anew.
HOUSE = frozenset(
    {
        "098042450fae5146c60b5396d0ca4822",
        "2aecf8dc6705fabeb6d5b36707c670ff",
        "3a86af954d0c0fbbc38d46d2d912c761",
        "3c861a62024f209e7096e57e3d8b111a",
        "73267cfc10e5ed0740276b64b223e297",
        "7cfee04cdb2b45702ec3c3beefac645f",
        "909f972c51b7cba2f7d21244b16756c2",
        "bffa956562c5ee7c14b985ac3033e01d",
        "c0213615df1384f9dd2083ddfd92f378",
        "c6dd95f45de9c38abbabbb0a01177c8d",
        "cec65f5725109a3d09d76065e5c5f71f",
        "e37e2015824030fbce1610b64f862af2",
        "fa73f9c3424f5307e071c984f9ec4978",
    }
)


def file_hash(source: bytes) -> str:
    """What a bot's file is known by."""
    return hashlib.sha256(source).hexdigest()[:32]


def outsiders(entrants: Iterable[Entrant]) -> list[Entrant]:
    """Those of these entrants whose file is not one of the house roster's, to the byte."""
    return [entrant for entrant in entrants if file_hash(entrant.source) not in HOUSE]
