"""Seeded chance without state: 64-bit words that depend on nothing but what they are for.

A key comes from BLAKE2b, which cannot be turned round; a word is SplitMix64's output function (Steele, Lea and
Flood, "Fast splittable pseudorandom number generators", 2014) of key + index · golden ratio, so any word can be had
alone, in any order, for a whole batch at once.
"""

from __future__ import annotations

import hashlib

import numpy as np
import numpy.typing as npt

Words = npt.NDArray[np.uint64]

GOLDEN = 0x9E3779B97F4A7C15
_MIX_1 = 0xBF58476D1CE4E5B9
_MIX_2 = 0x94D049BB133111EB
_MASK = (1 << 64) - 1
_KEYS = 8  # in a digest of 64 bytes


def key(*parts: object) -> int:
    """A 64-bit key for these parts; no part can be had back from it.

    >>> key("draws", 1, 2) == key("draws", 1, 2), key("draws", 1, 2) == key("draws", 12)
    (True, False)
    """
    return int.from_bytes(hashlib.blake2b(_text(parts), digest_size=8).digest(), "little")


def _text(parts: tuple[object, ...]) -> bytes:
    return "\x1f".join(f"{type(part).__name__}:{part}" for part in parts).encode()


def deal_keys(purpose: str, seed: int, first_deal: int, deals: int) -> Words:
    """One 64-bit key a deal, shape ``(deals,)``: a function of purpose, seed and deal number alone.

    Each is an eighth of a BLAKE2b digest that eight deals share: a key, found out or given away, says nothing of the
    seed or of another deal's key, so nothing short of trying every seed gives those.
    """
    first, end = first_deal // _KEYS, -(-(first_deal + deals) // _KEYS)
    head = _text(("deals", purpose, seed)) + b"\x1fint:"  # the text of each but for its last part
    blake2b = hashlib.blake2b
    digests = [blake2b(head + b"%d" % eight).digest() for eight in range(first, end)]
    keys = np.frombuffer(b"".join(digests), dtype="<u8").astype(np.uint64)
    return keys[first_deal - first * _KEYS :][:deals]


def words(keys: Words, index: int | Words) -> Words:
    """The word at ``index`` of each key's stream (shapes broadcast).

    >>> [hex(int(w)) for w in words(np.zeros(2, np.uint64), np.array([1, 2], np.uint64))]
    ['0xe220a8397b1dcdaf', '0x6e789e6aa1b965f4']
    """
    step = np.uint64(index * GOLDEN & _MASK) if isinstance(index, int) else index * np.uint64(GOLDEN)
    return mix(keys + step)


def mix(x: Words) -> Words:
    """SplitMix64's output function of ``x``, in place."""
    x ^= x >> np.uint64(30)
    x *= np.uint64(_MIX_1)
    x ^= x >> np.uint64(27)
    x *= np.uint64(_MIX_2)
    x ^= x >> np.uint64(31)
    return x


def word(key: int, index: int) -> int:
    """``words`` for one key, in Python integers.

    >>> hex(word(0, 1))
    '0xe220a8397b1dcdaf'
    """
    x = (key + index * GOLDEN) & _MASK
    x = (x ^ x >> 30) * _MIX_1 & _MASK
    x = (x ^ x >> 27) * _MIX_2 & _MASK
    return x ^ x >> 31


def unit(words: Words) -> npt.NDArray[np.float64]:
    """Words as numbers in [0, 1), all of a double's 53 bits used."""
    return (words >> np.uint64(11)).astype(np.float64) * 2.0**-53
