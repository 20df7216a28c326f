"""Seeds: written in a tournament file, or ``secret``, which is drawn for one run and committed to before it is played.

A written seed has at most 63 bits and a drawn one more, so a seed itself tells which it is, and the report of a secret
run is played again, to the byte, with ``--seed N``.
"""

from __future__ import annotations

import hashlib
import secrets

SECRET = "secret"
MAX_WRITTEN = 2**63 - 1
MAX_SEED = 2**128 - 1


def draw_seed() -> int:
    """A seed of 128 bits from the operating system's chance."""
    while (seed := secrets.randbits(128)) <= MAX_WRITTEN:
        pass  # once in 2^65 draws
    return seed


def is_drawn(seed: int) -> bool:
    """Whether a seed was drawn: nobody writes one as long as that, unless to play a secret run again."""
    return seed > MAX_WRITTEN


def commitment(seed: int) -> str:
    """What can be shown before play and binds to the seed without telling it: the SHA-256 of its decimal digits, in hex.

    >>> commitment(1)
    '6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b'
    """
    return hashlib.sha256(str(seed).encode("ascii")).hexdigest()


def verify_line(seed: int) -> str:
    """The shell command that prints a seed's commitment.

    >>> verify_line(1)
    'printf %s 1 | sha256sum'
    """
    return f"printf %s {seed} | sha256sum"
