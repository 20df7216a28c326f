"""Cards, unseen cards as bit masks, and seeded draws.

A card is a number 0 … 51: ``4 · (rank − 2) + suit``, rank 2 … 14 (ace). Unseen cards are one 64-bit mask a pack, bit
``card`` set while the card has not been turned up since the last shuffle; shape ``(packs, tables)``.

A table's outcome depends on posts and calls through one number, its *hand code*: masks of the cards that win and that
hit a post stand in :data:`WINS` and :data:`HITS` under it.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from arena.game import chance

Masks = npt.NDArray[np.uint64]
Ints = npt.NDArray[np.int64]
AnyInts = npt.NDArray[np.integer[Any]]

FULL = (1 << 52) - 1
SUITS = "SHDC"
RANK_TEXT = {11: "J", 12: "Q", 13: "K", 14: "A"} | {r: str(r) for r in range(2, 11)}
_RANKS = {text: rank for rank, text in RANK_TEXT.items()}

FIRST_POST, SECOND_POST, THIRD_CARD = range(3)
PLACES = 8

_ONE = np.uint64(1)
_SIX_BITS = np.uint64(63)
# Candidates of a word for one pack, six bits each, tried in two sittings: most draws need no more than the first three.
_SITTINGS = ((0, 6, 12), (18, 24, 30, 36, 42, 48, 54))


def _shift_of_first(shifts: tuple[int, ...]) -> Masks:
    """The shift of the first good candidate, by the number whose bit k says that candidate k is good; 64: none is."""
    numbers = range(1 << len(shifts))
    return np.array(
        [next((s for k, s in enumerate(shifts) if m >> k & 1), 64) for m in numbers], dtype=np.uint64
    )


_CANDIDATES = [np.array(shifts, dtype=np.uint64)[:, None] for shifts in _SITTINGS]
_ORDER = np.arange(10, dtype=np.uint64)[:, None]
_FIRST_SHIFT = [_shift_of_first(shifts) for shifts in _SITTINGS]
_CARD_WORDS = chance.words(
    np.arange(1, 512, 64, dtype=np.uint64)[:, None], np.arange(52, dtype=np.uint64)
)  # (packs, cards)
_SHIFTS = {bits: np.arange(0, 64 - bits + 1, bits, dtype=np.uint64) for bits in (7, 8, 9)}


def at(mask: npt.NDArray[Any]) -> npt.NDArray[np.intp]:
    """Where a mask ``(n,)`` is true: ``np.flatnonzero`` without its layers, which small batches notice."""
    return mask.nonzero()[0]


def pick(columns: npt.NDArray[Any], at: Any) -> npt.NDArray[Any]:
    """Columns ``at`` of ``(k, n)``, a view for a slice: ``columns[:, at]`` is ten times slower, and so is what reads it."""
    return columns[:, at] if isinstance(at, slice) else columns.take(at, axis=1)


def add(columns: npt.NDArray[Any], at: Any, values: npt.NDArray[Any]) -> None:
    """Add ``values`` ``(k, n)`` to columns ``at``, each named once."""
    for row, value in zip(columns, values, strict=True):
        row[at] += value


def put(columns: npt.NDArray[Any], at: Any, values: Any) -> None:
    """Set columns ``at`` to ``values`` ``(k, n)``, row by row for the reason of :func:`pick`."""
    for row, value in zip(columns, values, strict=True):
        row[at] = value


def card_text(card: int) -> str:
    """A card as players write it.

    >>> card_text(0), card_text(51), card_text(34)
    ('2S', 'AC', '10D')
    """
    return RANK_TEXT[card // 4 + 2] + SUITS[card % 4]


def parse_card(text: str) -> int:
    """The card of a text such as ``10H`` or ``as``; raises ``ValueError`` naming what was expected.

    >>> parse_card("2S"), parse_card("ac")
    (0, 51)
    """
    rank, suit = _RANKS.get(text[:-1].upper()), SUITS.find(text[-1:].upper())
    if rank is None or suit < 0:
        raise ValueError(f"expected a card such as 3S, 10H or QD, got {text!r}")
    return 4 * (rank - 2) + suit


def ranks(cards: AnyInts) -> Ints:
    """Ranks 2 … 14 of cards."""
    return np.asarray((cards >> 2) + 2, dtype=np.int64)


def rank_bits(rank: int) -> int:
    """The mask of a rank; 1, a low ace, is an ace."""
    return 15 << 4 * ((rank if rank > 1 else 14) - 2)


# Hand codes: low · 15 + high for two ranks, and 15 more each for a pair called higher, called lower, and trips.
HIGHER, LOWER, TRIPS = 225, 240, 255


def _hand_masks() -> tuple[Masks, Masks]:
    def ranks_mask(ranks: range) -> int:
        return sum(rank_bits(rank) for rank in ranks if 2 <= rank <= 14)

    wins, hits = [0] * 270, [0] * 270
    for low in range(1, 15):
        for high in range(low + 1, 15):
            wins[low * 15 + high] = ranks_mask(range(low + 1, high))
            hits[low * 15 + high] = rank_bits(low) | rank_bits(high)
        wins[HIGHER + low] = ranks_mask(range(low + 1, 15)) & ~rank_bits(low)
        wins[LOWER + low] = ranks_mask(range(2, low))
        wins[TRIPS + low] = rank_bits(low)
        hits[HIGHER + low] = hits[LOWER + low] = rank_bits(low)
    return np.array(wins, dtype=np.uint64), np.array(hits, dtype=np.uint64)


WINS, HITS = _hand_masks()


def bit(cards: Ints) -> Masks:
    """The mask of each card."""
    return np.asarray(_ONE << cards.view(np.uint64))


def count(masks: Masks) -> Ints:
    """Set bits over all packs: ``(packs, n)`` to ``(n,)``."""
    if len(masks) == 1:
        return np.asarray(np.bitwise_count(masks[0]), dtype=np.int64)
    return np.asarray(np.bitwise_count(masks).sum(axis=0, dtype=np.int64))


def count_by_rank(masks: Masks) -> Ints:
    """Unseen cards by rank: ``(packs, n)`` to ``(n, 15)``; index = rank, 0 and 1 are zero."""
    shifts = np.arange(0, 52, 4, dtype=np.uint64)
    out = np.zeros((masks.shape[1], 15), dtype=np.int64)
    out[:, 2:] = np.bitwise_count((masks[:, :, None] >> shifts) & np.uint64(15)).sum(axis=0)
    return out


class CardSource(Protocol):
    """Where the cards come from: seeded draws, or a list of cards in a scenario."""

    def draw(self, round: int, place: int, which: int, rows: Any, unseen: Masks) -> tuple[Any, Ints]:
        """Packs and cards drawn at the tables ``rows`` from their unseen cards ``(packs, n)``, each not empty."""
        ...

    def cut(self, attempt: int, seat: int, rows: Ints, unseen: Masks) -> tuple[Any, Ints]:
        """Packs and cards drawn by a seat in the ``attempt``-th cut for the deal."""
        ...


class SeededDraws:
    """Draws of a range of deals: a card is the first unseen one of a random order that belongs to its draw alone.

    The order of the draw at (deal, round, place in the round, which card) does not depend on any other draw, on the
    lineup or on what bots do, so whoever plays a deal meets the same cards. Ten candidates from one word are tried
    first; the order goes on with the rest by a random priority of each card. For a player the law is that of a
    shuffled pack: uniform over the unseen cards, whatever went before.
    """

    _CACHE_BYTES = 1 << 25

    def __init__(self, seed: int, first_deal: int, deals: int) -> None:
        self._keys = chance.deal_keys("cards", seed, first_deal, deals)
        self._words: dict[int, Masks] = {}

    def draw(self, round: int, place: int, which: int, rows: Any, unseen: Masks) -> tuple[Any, Ints]:
        """See :class:`CardSource`."""
        return self._first_unseen((round * PLACES + place) * 4 + which, rows, unseen)

    def cut(self, attempt: int, seat: int, rows: Ints, unseen: Masks) -> tuple[Any, Ints]:
        """See :class:`CardSource`; round 0 holds the cuts."""
        return self._first_unseen((1 << 40) + attempt * PLACES + seat, rows, unseen)

    def _first_unseen(self, index: int, rows: Any, unseen: Masks) -> tuple[Any, Ints]:
        words = self._words.get(index)
        if words is None:  # the same deals are played by every lineup and rotation: keep what fits
            words = chance.words(self._keys, index)
            if (len(self._words) + 1) * words.nbytes <= self._CACHE_BYTES:
                self._words[index] = words
        return first_unseen(words[rows], unseen)


def first_unseen(words: Masks, unseen: Masks) -> tuple[Any, Ints]:
    """Pack and card at the head of each word's random order, seen cards left out: ``(n,)``, ``(packs, n)``.

    The order is exact up to ties of priorities of 58 bits. Every column of ``unseen`` must hold a card.
    """
    if len(unseen) == 1:
        return 0, _first_of_pack(words, unseen[0]).view(np.int64)
    return _first_of_packs(words, unseen)


def _first_of_pack(words: Masks, unseen: Masks) -> Masks:
    """The first of each word's ten candidates that is unseen; where none is, the unseen card of least priority."""
    shift = _try_candidates(words, unseen, 0)
    missed = at(shift == 64)
    if len(missed):
        words_left, unseen_left = words.take(missed), unseen.take(missed)
        later = _try_candidates(words_left, unseen_left, 1)
        shift[missed] = later
    found = words >> np.minimum(shift, _SIX_BITS)
    found &= _SIX_BITS
    if len(missed):
        at_failed = at(later == 64)
        if len(at_failed):
            least = _least_priority(words_left.take(at_failed), unseen_left.take(at_failed), 0)
            found[missed.take(at_failed)] = least & _SIX_BITS
    return found


def _try_candidates(words: Masks, unseen: Masks, sitting: int) -> Masks:
    """The shift that brings the first good candidate of a sitting to a word's end; 64 where none is good."""
    bits = words >> _CANDIDATES[sitting]  # (candidates, n)
    bits &= _SIX_BITS
    np.right_shift(unseen, bits, out=bits)
    bits &= _ONE
    bits <<= _ORDER[: len(bits)]
    return np.asarray(_FIRST_SHIFT[sitting].take(np.bitwise_or.reduce(bits).view(np.int64)))


def _least_priority(words: Masks, unseen: Masks, pack: int) -> Masks:
    """The least priority of the unseen cards, the card in its last six bits; a priority is a hash of word and card.

    All ones where no card is unseen.
    """
    least = np.full(len(words), (1 << 64) - 1, dtype=np.uint64)
    bits = at(np.unpackbits(unseen.view(np.uint8), bitorder="little").view(bool))  # 64 to a mask
    if len(bits):
        row, card = bits >> 6, bits & 63
        priority = chance.mix(words.take(row) ^ _CARD_WORDS[pack].take(card))
        priority &= ~_SIX_BITS
        priority |= card.view(np.uint64)
        is_first = np.ones(len(row), dtype=bool)
        np.not_equal(row[1:], row[:-1], out=is_first[1:])
        starts = at(is_first)
        least[row.take(starts)] = np.minimum.reduceat(priority, starts)
    return least


def _first_of_packs(words: Masks, unseen: Masks) -> tuple[Ints, Ints]:
    """``first_unseen`` for two to eight packs: candidates of 7 to 9 bits name a pack and a card."""
    packs, n = unseen.shape
    bits = 6 + int(packs - 1).bit_length()
    shifts = _SHIFTS[bits]
    candidates = (words >> shifts[::-1, None]) & np.uint64((1 << bits) - 1)
    pack_of, card_of = (candidates >> np.uint64(6)).astype(np.int64), candidates & _SIX_BITS
    masks = unseen[np.minimum(pack_of, packs - 1), np.arange(n)]
    good = ((masks >> card_of) & _ONE == 1) & (pack_of < packs)
    pack, card = np.full(n, -1, dtype=np.int64), np.zeros(n, dtype=np.int64)
    for k in range(len(shifts)):
        np.copyto(pack, pack_of[k], where=good[k])
        np.copyto(card, card_of[k].astype(np.int64), where=good[k])
    failed = at(pack < 0)
    if len(failed):
        best = np.array([_least_priority(words[failed], unseen[k, failed], k) for k in range(packs)])
        pack[failed] = best.argmin(axis=0)
        card[failed] = best.min(axis=0) & _SIX_BITS
    return pack, card
