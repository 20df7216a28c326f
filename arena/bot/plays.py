"""What a bot is shown of turns that are over (``watch``): one (:class:`Play`), or many at once (:class:`Plays`)."""

from __future__ import annotations

from itertools import repeat
from typing import Any, NamedTuple

import numpy as np

from arena.bot.turns import CALL_OBJECTS, KIND_OBJECTS, Ints

_THIRD_OBJECTS = np.array([None, None, *range(2, 15)], dtype=object)


class Play(NamedTuple):
    """One turn as everyone at the table saw it (``watch``)."""

    seat: int
    posts: tuple[int, int]  # ranks as dealt, 2 … 14
    low: int  # the lower post as called: 1 is a low ace
    high: int
    kind: str
    call: str | None  # pairs: "higher", "lower"
    bet: int  # 0: passed, or nothing was asked
    third: int | None  # rank of the third card
    delta: int  # chips the turn won (or cost) the player
    pot: int  # after the turn, re-ante included
    stacks: tuple[int, ...]  # after the turn
    round: int
    wager: int  # staked before the posts; ``bet`` is then the raise


class Plays(NamedTuple):
    """:class:`Play` for many tables at once: arrays of shape ``(n,)`` unless said otherwise; ``third`` is 0 for none."""

    row: Ints
    seat: Ints
    posts: Ints  # (n, 2)
    low: Ints
    high: Ints
    kind: Ints
    call: Ints
    bet: Ints
    third: Ints
    delta: Ints
    pot: Ints
    stacks: Ints  # (n, seats)
    round: int
    wager: Ints


def scalar_plays(plays: Plays) -> Any:
    """The rows of ``plays`` as :class:`Play`, made one by one as they are read."""
    columns = zip(
        plays.seat.tolist(),
        map(tuple, plays.posts.tolist()),
        plays.low.tolist(),
        plays.high.tolist(),
        KIND_OBJECTS[plays.kind].tolist(),
        CALL_OBJECTS[plays.call].tolist(),
        plays.bet.tolist(),
        _THIRD_OBJECTS[plays.third].tolist(),
        plays.delta.tolist(),
        plays.pot.tolist(),
        map(tuple, plays.stacks.tolist()),
        repeat(plays.round),
        plays.wager.tolist(),
        strict=False,
    )
    return map(tuple.__new__, repeat(Play), columns)
