"""Which bots are this project's own: a file is known by its bytes, wherever it lies."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from arena.bot.entrant import Entrant

# SHA-256 (its first 16 bytes) of every file of the house roster; tests/test_secret_seed.py says how to write them anew.
HOUSE = frozenset(
    {
        "04a5c6ebed2352b0c7012d9589c31238",
        "2acbf97e5a4124b07273ca5c6891cf28",
        "2aecf8dc6705fabeb6d5b36707c670ff",
        "3a86af954d0c0fbbc38d46d2d912c761",
        "69a0e3fac6ca8eba0dafe1bb3820f8ef",
        "7cfee04cdb2b45702ec3c3beefac645f",
        "b51db24bec68f6ea86f23eab10a7c2d4",
        "bffa956562c5ee7c14b985ac3033e01d",
        "c0213615df1384f9dd2083ddfd92f378",
        "c6dd95f45de9c38abbabbb0a01177c8d",
        "ca8c67519ae61088fcde5d951f77ec51",
        "d9cc0c4f55aeb847477318f24b5893a2",
        "e37e2015824030fbce1610b64f862af2",
        "fa73f9c3424f5307e071c984f9ec4978",
    }
)


def file_hash(source: bytes) -> str:
    """What a bot's file is known by."""
    return hashlib.sha256(source).hexdigest()[:32]


def is_house(source: bytes) -> bool:
    """Whether a bot's file is one of the house roster's, to the byte."""
    return file_hash(source) in HOUSE


def outsiders(entrants: Iterable[Entrant]) -> list[Entrant]:
    """Those of these entrants whose file is not one of the house roster's, to the byte."""
    return [entrant for entrant in entrants if not is_house(entrant.source)]
