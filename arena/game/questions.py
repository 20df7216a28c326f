"""What the engine asks and tells: questions to seats, turns that are over, and who answers and watches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from arena.game import cards as c
from arena.game.bank import CONSECUTIVE, GAP, PAIR, TRIPS, WAGER
from arena.game.tables import Bools, Ints, Masks, Tables

__all__ = ["CONSECUTIVE", "GAP", "PAIR", "TRIPS", "WAGER"]

ASK_ACE_1, ASK_ACE_2, ASK_PAIR, ASK_BET, ASK_WAGER = range(5)


@dataclass(slots=True)
class Question:
    """What one seat is asked at the tables ``rows``; arrays of shape ``(n,)`` unless said otherwise.

    ``other`` is asked with aces: the rank of the other post, 0 if still to come. ``unseen`` is ``(packs, n)``. On a pair
    call ``wins`` and ``losses`` are the unseen cards above and below the pair. ``tables`` holds the state around it.
    ``pot`` is what the bank holds; ``wager`` what was staked before the posts, so that the bet asked for is a raise.
    """

    what: int
    seat: int
    round: int
    place: int
    rows: Ints
    low: Ints
    high: Ints
    kind: Ints
    call: Ints
    pot: Ints
    chips: Ints
    min_bet: Ints
    max_bet: Ints
    wins: Ints
    hits: Ints
    losses: Ints
    other: Ints
    wager: Ints
    unseen: Masks
    tables: Tables

    def codes(self) -> Ints:
        """Hand codes ``(n,)``: what the cards mean, given posts and call."""
        codes = self.low * 15 + self.high
        at = c.at(self.kind >= PAIR)
        if len(at):
            call = np.where(self.call.take(at) < 0, c.LOWER, c.HIGHER)
            pair = np.where(self.kind.take(at) == TRIPS, c.TRIPS, call)
            codes[at] = pair + self.low.take(at)
        return codes

    def count(self, codes: Ints) -> None:
        """Count the unseen cards that would win, hit a post and lose."""
        self.wins = c.count(self.unseen & c.WINS.take(codes))
        self.hits = c.count(self.unseen & c.HITS.take(codes))
        self.losses = c.count(self.unseen) - self.wins - self.hits


@dataclass(slots=True)
class TurnOver:
    """A turn that is over at the tables ``rows``: what everyone at the table saw. ``third`` is −1 where none was drawn."""

    seat: int
    round: int
    place: int
    rows: Ints
    first: Ints
    second: Ints
    third: Ints
    low: Ints
    high: Ints
    kind: Ints
    call: Ints
    bet: Ints
    delta: Ints
    wager: Ints


class Player(Protocol):
    """Who answers. Answers are legal ones; the second array marks those that stand in for an illegal answer."""

    def call_ace(self, question: Question) -> tuple[Bools, Bools | None]:
        """True: high."""
        ...

    def call_pair(self, question: Question) -> tuple[Bools, Bools | None]:
        """True: higher."""
        ...

    def bet(self, question: Question) -> tuple[Ints, Bools | None]:
        """0, or from ``min_bet`` to ``max_bet``."""
        ...

    def wager(self, question: Question) -> tuple[Ints, Bools | None]:
        """What is staked before the posts: 0 (the least), or from ``min_bet`` to ``max_bet``."""
        ...


@dataclass(slots=True)
class PostDraw:
    """A post about to be turned up at the tables ``rows``: ``card`` of ``unseen`` ``(packs, n)`` as it was before.

    With the second post come the rank of ``first`` and whether it is an ace that was called low (``is_low``). ``wager`` is
    what was staked before the posts.
    """

    which: int
    seat: int
    round: int
    place: int
    rows: Ints
    unseen: Masks
    card: Ints
    first: Ints | None
    is_low: Bools | None
    wager: Ints
    tables: Tables


@dataclass(slots=True)
class ThirdDraw:
    """A third card about to be turned up: what it did (``wins``, ``hits``) and what each result moves to the player.

    ``unseen`` ``(packs, n)`` is counted before it is drawn, ``code`` the hand code whose masks name winners and hits.
    """

    seat: int
    round: int
    place: int
    rows: Ints
    unseen: Masks
    code: Ints
    wins: Bools
    hits: Bools
    gain: Ints
    loss: Ints
    hit_cost: Ints
    tables: Tables


class Witness(Protocol):
    """Who is shown every draw with the state just before it (luck is what the card did beyond its expectation)."""

    def post(self, draw: PostDraw) -> None: ...

    def third(self, draw: ThirdDraw) -> None: ...
