"""A block's result through bytes and back: nothing lost, and damage seen."""

from __future__ import annotations

from typing import Any

import numpy as np
import playing
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from arena.tournament.blocks import Block, BlockResult, FirstFault
from arena.tournament.packing import DamagedError, is_whole, pack, unpack

ARRAYS = ("chips", "turns", "fault_log", "bets", "calls", "stakes")


def whole_numbers(dtype: Any, shape: tuple[int, ...]) -> st.SearchStrategy[Any]:
    """Arrays of this type whose numbers fill it, or keep within a few bits."""
    info = np.iinfo(dtype)
    ranges = st.sampled_from(
        [(info.min, info.max), (max(info.min, -128), 127), (0, min(info.max, 255)), (0, 0)]
    )
    return ranges.flatmap(
        lambda r: hnp.arrays(
            dtype, shape, elements=st.integers(int(r[0]), int(r[1])), fill=st.just(int(r[0]))
        )
    )


@st.composite
def results(draw: st.DrawFn) -> BlockResult:
    seats, deals, steps, faults, parts = (
        draw(st.integers(*r)) for r in ((2, 8), (1, 5), (0, 4), (0, 3), (1, 3))
    )
    block = Block(tuple(range(seats)), draw(st.integers(0, 10**7)), deals)
    kind = draw(st.sampled_from([np.int16, np.int32, np.int64]))
    key = st.tuples(st.integers(0, 7), st.integers(0, 7), st.integers(1, 10))
    first = st.builds(FirstFault, st.integers(0, 10**7), st.integers(-1, 10**6), st.text(max_size=20))
    return BlockResult(
        block,
        draw(whole_numbers(np.int64, (seats, deals, seats))),
        draw(whole_numbers(np.int64, (seats, deals, seats))),
        draw(whole_numbers(np.int64, (faults, 5))),
        draw(st.dictionaries(key, first, max_size=4)),
        draw(whole_numbers(kind, (seats, steps, deals))),
        draw(whole_numbers(np.uint8, (seats, steps, deals))),
        draw(whole_numbers(np.int64, (seats, 2, parts, 5, 3))),
    )


def assert_same(a: BlockResult, b: BlockResult) -> None:
    for name in ARRAYS:
        one, two = getattr(a, name), getattr(b, name)
        assert one.dtype == two.dtype, name
        assert one.shape == two.shape, name
        assert np.array_equal(one, two), name
    assert list(a.first_faults.items()) == list(b.first_faults.items())
    assert a.block == b.block


@settings(deadline=None)
@given(results())
def test_any_result_comes_back_as_it_was(result: BlockResult) -> None:
    assert_same(unpack(pack(result), result.block), result)


def test_a_text_that_is_no_unicode_comes_back() -> None:
    result = playing.play([playing.code(playing.GAP8), playing.code(playing.PASS)], deals=3)
    result.first_faults[0, 0, 7] = FirstFault(2, -1, 'lone \ud800, "quoted", \x00, 🂡')  # type: ignore[index]
    assert_same(unpack(pack(result), result.block), result)


RANDOM = """
class Random(Bot):
    def bet(self, turn):
        return turn.max_bet + 1 if turn.uniform() < 0.05 else self.rng.randint(turn.min_bet, turn.max_bet)
"""


def test_games_played_come_back_and_take_less_than_three_bytes_a_turn() -> None:
    result = playing.play([playing.code(RANDOM), playing.code(playing.GAP8)], deals=700)
    assert result.fault_log.size
    data = pack(result)
    assert_same(unpack(data, result.block), result)
    assert len(data) < 3 * result.turns.sum()


def test_bytes_under_another_label_are_seen() -> None:
    result = playing.play([playing.code(playing.GAP8), playing.code(playing.PASS)], deals=3)
    packed = pack(result, b"a 0 3 0")
    assert_same(unpack(packed, result.block, b"a 0 3 0"), result)
    assert not is_whole(packed, b"a 0 3 1")


def test_the_lineup_comes_from_whoever_unpacks() -> None:
    result = playing.play([playing.code(playing.GAP8), playing.code(playing.PASS)], deals=3)
    assert unpack(pack(result), Block((4, 9), 0, 3)).block.lineup == (4, 9)


@settings(deadline=None)
@given(st.data())
def test_a_bit_that_fell_over_or_an_end_cut_off_is_seen(data: st.DataObject) -> None:
    packed = DAMAGEABLE
    at = data.draw(st.integers(0, len(packed) * 8 - 1))
    broken = bytearray(packed)
    broken[at // 8] ^= 1 << at % 8
    for wrong in (bytes(broken), packed[: at // 8]):
        assert not is_whole(wrong)
        with pytest.raises(DamagedError):
            unpack(wrong, Block((0, 1), 0, 20))


DAMAGEABLE = pack(playing.play([playing.code(playing.GAP8), playing.code(playing.PASS)], deals=20))
