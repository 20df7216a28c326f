"""The law of the draws, with fixed seeds, and the masks against the rules by rank.

Seeds are fixed, so every p is always the same one; a test is red below 1e-4, shared out over what it sees.
"""

from __future__ import annotations

import hashlib
from itertools import product

import numpy as np
import pytest
from scipy.stats import chi2

from arena.game import cards as c
from arena.game import chance
from arena.game.cards import FIRST_POST, SECOND_POST, THIRD_CARD, SeededDraws

P = 1e-4
DEALS = 20_000


def random_masks(rng: np.random.Generator, packs: int, depth: int, n: int) -> c.Masks:
    """Masks of ``depth`` unseen cards each, ``(packs, n)``."""
    order = np.argsort(rng.random((n, 52 * packs)), axis=1)[:, :depth]
    masks = np.zeros((packs, n), dtype=np.uint64)
    for k in range(packs):
        bits = np.where(order // 52 == k, np.uint64(1) << (order % 52).astype(np.uint64), np.uint64(0))
        masks[k] = np.bitwise_or.reduce(bits, axis=1)
    return masks


def p_value(counts: np.ndarray, expected: np.ndarray | float | None = None) -> float:
    """Of the chi-square of these counts, against equal ones if nothing is expected."""
    cells = np.ravel(counts).astype(float)
    wanted = np.ravel(cells.mean() if expected is None else expected)
    return float(chi2.sf(((cells - wanted) ** 2 / wanted).sum(), len(cells) - 1))


def is_unseen(masks: c.Masks, packs: c.Ints | int, cards: c.Ints) -> np.ndarray:
    at = np.arange(masks.shape[1])
    return (masks[packs, at] >> cards.astype(np.uint64)) & np.uint64(1) == 1


# ---- the law of one draw

DEPTHS = [(1, depth) for depth in range(1, 53)]
DEPTHS += [(2, depth) for depth in (1, 2, 9, 30, 103, 104)] + [(3, 60), (5, 260)]
DEPTHS += [(8, depth) for depth in (1, 3, 40, 200, 416)]


@pytest.mark.parametrize(("packs", "depth"), DEPTHS)
def test_a_draw_is_uniform_over_the_unseen_cards(packs: int, depth: int) -> None:
    mask = random_masks(np.random.default_rng(1000 * packs + depth), packs, depth, 1)
    masks = np.repeat(mask, DEALS, axis=1)
    drawn, cards = SeededDraws(1, 0, DEALS).draw(1, 0, FIRST_POST, slice(None), masks)
    assert is_unseen(masks, drawn, cards).all()
    cells = np.bincount(np.broadcast_to(drawn, DEALS) * 52 + cards, minlength=52 * packs)
    is_in = [mask[k, 0] >> np.uint64(card) & np.uint64(1) == 1 for k in range(packs) for card in range(52)]
    assert np.count_nonzero(cells) <= depth
    assert depth == 1 or p_value(cells[np.array(is_in)]) > P / 10


@pytest.mark.parametrize(
    ("packs", "depth"),
    [(1, 2), (1, 7), (1, 26), (1, 49), (2, 50), pytest.param(8, 300, marks=pytest.mark.slow)],
)
def test_whichever_cards_are_unseen_each_place_among_them_is_as_likely(packs: int, depth: int) -> None:
    masks = random_masks(np.random.default_rng(depth), packs, depth, DEALS)
    drawn, cards = SeededDraws(2, 0, DEALS).draw(3, 1, THIRD_CARD, slice(None), masks)
    assert is_unseen(masks, drawn, cards).all()
    below = np.uint64(1) << cards.astype(np.uint64)
    place = np.bitwise_count(masks[drawn, np.arange(DEALS)] & (below - np.uint64(1))).astype(int)
    for k in range(packs):
        place += np.where(np.broadcast_to(drawn, DEALS) > k, np.bitwise_count(masks[k]), 0)
    assert p_value(np.bincount(place, minlength=depth)) > P / 10


def test_a_pack_drawn_to_its_end_is_a_shuffled_pack() -> None:
    draws, deals = SeededDraws(3, 0, 4000), 4000
    unseen = np.full((1, deals), c.FULL, dtype=np.uint64)
    order = np.zeros((52, deals), dtype=np.int64)
    for i in range(52):
        _, order[i] = draws.draw(1 + i // 24, i // 3 % 8, i % 3, slice(None), unseen)
        unseen[0] ^= np.uint64(1) << order[i].astype(np.uint64)
    assert (np.sort(order, axis=0) == np.arange(52)[:, None]).all()
    for i in range(52):
        assert p_value(np.bincount(order[i], minlength=52)) > P / 52
    # No card tends to come early or late (51/52: the places of a deal's cards have a fixed sum).
    means, spread = np.argsort(order, axis=0).mean(axis=1), np.sqrt((52**2 - 1) / 12 / deals)
    assert chi2.sf((((means - 25.5) / spread) ** 2).sum() * 51 / 52, 51) > P


# ---- one draw and another


def test_different_draws_are_independent() -> None:
    """Every pair of 96 draws (four rounds, eight places, three cards) of the same deals, whole packs."""
    deals, draws = 3000, SeededDraws(4, 0, 3000)
    full = np.full((1, deals), c.FULL, dtype=np.uint64)
    named = list(product(range(1, 5), range(8), (FIRST_POST, SECOND_POST, THIRD_CARD)))
    ranks = np.array([c.ranks(draws.draw(*name, slice(None), full)[1]) - 2 for name in named])
    each = np.eye(13)[ranks]  # (draws, deals, 13)
    flat = each.transpose(1, 0, 2).reshape(deals, -1)
    tables = (flat.T @ flat).reshape(len(named), 13, len(named), 13)
    pairs = [(i, j) for i in range(len(named)) for j in range(i)]
    found = np.array([tables[i, :, j] for i, j in pairs]).reshape(len(pairs), -1)
    statistic = ((found - deals / 169) ** 2 / (deals / 169)).sum(axis=1)
    values = chi2.sf(statistic, 168)
    assert values.min() > P / len(pairs)
    assert abs(values.mean() - 0.5) < 0.05  # all of them together: neither too far apart nor too even


def test_the_draws_of_a_deal_and_of_the_next_are_independent() -> None:
    full = np.full((1, DEALS), c.FULL, dtype=np.uint64)
    for name in ((1, 0, 0), (1, 0, 1), (7, 3, 2)):
        cards = SeededDraws(5, 0, DEALS).draw(*name, slice(None), full)[1]
        for lag in (1, 2, 8):
            pairs = np.bincount(c.ranks(cards[:-lag]) * 15 + c.ranks(cards[lag:]), minlength=225)
            assert p_value(pairs.reshape(15, 15)[2:, 2:]) > P / 9


def test_seeds_that_are_neighbours_deal_different_cards() -> None:
    full = np.full((1, DEALS), c.FULL, dtype=np.uint64)
    one, other = (SeededDraws(seed, 0, DEALS).draw(1, 0, 0, slice(None), full)[1] for seed in (6, 7))
    assert p_value(np.bincount(c.ranks(one) * 15 + c.ranks(other), minlength=225).reshape(15, 15)[2:, 2:]) > P


def test_a_cut_for_the_deal_says_nothing_about_the_first_posts() -> None:
    full, draws = np.full((1, DEALS), c.FULL, dtype=np.uint64), SeededDraws(8, 0, DEALS)
    cut = c.ranks(draws.cut(0, 0, np.arange(DEALS), full)[1])
    for name in ((1, 0, 0), (1, 0, 1)):
        post = c.ranks(draws.draw(*name, slice(None), full)[1])
        assert p_value(np.bincount(cut * 15 + post, minlength=225).reshape(15, 15)[2:, 2:]) > P


# ---- the same card for the same draw


@pytest.mark.parametrize("packs", [1, 2, 3, 8])
def test_a_card_drawn_is_drawn_again_from_fewer_cards_if_it_is_among_them(packs: int) -> None:
    rng, n = np.random.default_rng(9), 4000
    draws = SeededDraws(9, 0, n)
    for depth in (52 * packs, 20 * packs, 6, 2):
        more = random_masks(rng, packs, depth, n)
        drawn, cards = draws.draw(1, 0, 0, slice(None), more)
        kept = np.uint64(1) << cards.astype(np.uint64)
        fewer = more & random_masks(rng, packs, 26 * packs, n)
        fewer[drawn, np.arange(n)] |= kept
        again, same = draws.draw(1, 0, 0, slice(None), fewer)
        assert (np.broadcast_to(again, n) == np.broadcast_to(drawn, n)).all()
        assert (same == cards).all()


@pytest.mark.parametrize("packs", [1, 4])
def test_a_draw_does_not_depend_on_other_draws_or_on_the_deals_beside_it(packs: int) -> None:
    masks = random_masks(np.random.default_rng(10), packs, 5 * packs, 300)
    fresh, busy = SeededDraws(10, 100, 300), SeededDraws(10, 0, 1000)
    rows = np.arange(100, 400)
    for name in product((1, 2), range(8), range(3)):
        busy.draw(*name, rows[::-1], masks)
    got = fresh.draw(1, 2, 1, slice(None), masks)
    some = busy.draw(1, 2, 1, rows, masks)
    assert (np.broadcast_to(got[0], 300) == np.broadcast_to(some[0], 300)).all()
    assert (got[1] == some[1]).all()
    for i in (0, 17, 299):
        alone = SeededDraws(10, 100 + i, 1).draw(1, 2, 1, slice(None), masks[:, [i]])
        assert (np.broadcast_to(alone[0], 1)[0], alone[1][0]) == (np.broadcast_to(got[0], 300)[i], got[1][i])


def test_draws_are_the_same_when_there_is_no_room_to_keep_words(monkeypatch: pytest.MonkeyPatch) -> None:
    full = np.full((1, 50), c.FULL, dtype=np.uint64)
    kept = SeededDraws(11, 0, 50)
    monkeypatch.setattr(SeededDraws, "_CACHE_BYTES", 0)
    unkept = SeededDraws(11, 0, 50)
    for _ in range(2):
        for name in ((1, 0, 0), (1, 0, 1)):
            assert (kept.draw(*name, slice(None), full)[1] == unkept.draw(*name, slice(None), full)[1]).all()


# ---- cards and masks


def test_cards_are_written_and_read_as_players_do() -> None:
    texts = [rank + suit for rank in [*map(str, range(2, 11)), *"JQKA"] for suit in "SHDC"]
    assert [c.card_text(card) for card in range(52)] == texts
    assert [c.parse_card(text) for text in texts] == list(range(52))
    assert [c.parse_card(text.lower()) for text in texts] == list(range(52))
    assert c.ranks(np.arange(52)).tolist() == [rank for rank in range(2, 15) for _ in range(4)]


@pytest.mark.parametrize("text", ["", "S", "1S", "11H", "10", "3", "3X", "QDD", " 3S", "10 H", "١٠S"])
def test_what_is_not_a_card_is_named(text: str) -> None:
    with pytest.raises(ValueError, match=f"expected a card such as 3S, 10H or QD, got '{text}'"):
        c.parse_card(text)


@pytest.mark.parametrize("packs", [1, 2, 8])
def test_unseen_cards_are_counted_by_rank(packs: int) -> None:
    masks = random_masks(np.random.default_rng(packs), packs, 23 * packs, 50)
    by_rank = c.count_by_rank(masks)
    assert by_rank.shape == (50, 15)
    for i in range(50):
        unseen = [card for k in range(packs) for card in range(52) if int(masks[k, i]) >> card & 1]
        assert by_rank[i].tolist() == [sum(card // 4 + 2 == rank for card in unseen) for rank in range(15)]
        assert c.count(masks)[i] == len(unseen)


def cards_of(mask: np.uint64) -> set[int]:
    return {card for card in range(64) if int(mask) >> card & 1}


def cards_where(test: list[bool]) -> set[int]:
    """Cards of the ranks 2 to 14 for which the test holds."""
    return {card for card in range(52) if test[card // 4]}


RANKS = range(2, 15)


@pytest.mark.parametrize(("low", "high"), [(low, high) for high in range(1, 15) for low in range(1, high)])
def test_a_card_between_the_posts_wins_and_one_of_their_ranks_hits(low: int, high: int) -> None:
    code = low * 15 + high
    assert cards_of(c.WINS[code]) == cards_where([low < rank < high for rank in RANKS])
    posts = {14 if post == 1 else post for post in (low, high)}
    assert cards_of(c.HITS[code]) == cards_where([rank in posts for rank in RANKS])


@pytest.mark.parametrize("pair", range(1, 15))
def test_higher_lower_and_trips_win_on_their_side_of_a_pair(pair: int) -> None:
    own = cards_where([rank == (14 if pair == 1 else pair) for rank in RANKS])
    assert cards_of(c.WINS[c.HIGHER + pair]) == cards_where([rank > pair for rank in RANKS]) - own
    assert cards_of(c.WINS[c.LOWER + pair]) == cards_where([rank < pair for rank in RANKS])
    assert cards_of(c.HITS[c.HIGHER + pair]) == cards_of(c.HITS[c.LOWER + pair]) == own
    assert cards_of(c.WINS[c.TRIPS + pair]) == own
    assert cards_of(c.HITS[c.TRIPS + pair]) == set()


def test_keys_of_deals_are_the_same_however_they_are_asked_for_and_all_of_them_differ() -> None:
    keys = chance.deal_keys("cards", 5, 0, 4000)
    assert len(np.unique(keys)) == 4000
    for first, deals in ((0, 1), (7, 2), (8, 8), (1234, 777), (3999, 1), (16, 0)):
        assert np.array_equal(chance.deal_keys("cards", 5, first, deals), keys[first : first + deals])
    for other in (chance.deal_keys("bots", 5, 0, 4000), chance.deal_keys("cards", 6, 0, 4000)):
        assert not np.isin(keys, other).any()


def test_every_bit_of_a_seed_of_128_bits_changes_every_card_and_the_chance_of_bots() -> None:
    seed = 0x0123456789ABCDEF_0123456789ABCDEF
    base = chance.deal_keys("cards", seed, 0, 64)
    for bit in range(128):
        other = chance.deal_keys("cards", seed ^ 1 << bit, 0, 64)
        assert (base != other).all(), bit


def test_a_key_says_nothing_of_another_key_of_its_seed() -> None:
    """Words of a stream that counts up could be turned round; keys of deals are digests, eight of which share one."""
    seed, deals = 2**127 + 12345, range(8, 24)
    text = "str:deals\x1fstr:cards\x1fint:%d\x1fint:%d"
    made = [
        hashlib.blake2b((text % (seed, deal // 8)).encode()).digest()[deal % 8 * 8 :][:8] for deal in deals
    ]
    expected = [int.from_bytes(key, "little") for key in made]
    assert chance.deal_keys("cards", seed, 8, 16).tolist() == expected
