"""One turn in progress: its cards and chips, and the questions it asks; how it plays is the engine's to say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from arena.game import cards as c
from arena.game.bank import most_of, pays_even, raise_of
from arena.game.questions import ASK_BET, Player, PostDraw, Question, TurnOver, Witness
from arena.game.rules import TableRules
from arena.game.tables import Bools, Ints, Masks, Observer, Rows, Tables


@dataclass(slots=True)
class Hand:
    """One turn in progress at the tables ``rows``."""

    seat: int
    place: int
    dealer: int
    rows: Rows
    chips: Ints
    pot: Ints  # what the bank holds
    unseen: Masks
    n: int
    on_table: list[tuple[Any, Ints]]
    low: Ints
    high: Ints
    kind: Ints
    call: Ints
    bet: Ints
    third: Ints
    delta: Ints
    wager: Ints


class Dealing(Tables):
    """Tables with turns in progress. ``player``, ``observer``, ``on_turn_over`` and ``witness``: see ``Engine``."""

    def __init__(
        self,
        rules: TableRules,
        seats: int,
        tables: int,
        draws: c.CardSource,
        player: Player,
        observer: Observer | None = None,
        on_turn_over: Callable[[TurnOver], None] | None = None,
        witness: Witness | None = None,
    ) -> None:
        super().__init__(rules, seats, tables, draws, observer)
        self.player, self.on_turn_over, self.witness = player, on_turn_over, witness
        self._is_even = pays_even(rules)
        self._no_wager = np.zeros(tables, dtype=np.int64)

    def _open(self, seat: int, place: int, dealer: int, rows: Ints) -> Hand:
        n = len(rows)
        where: Rows = slice(None) if n == self.tables else rows
        return Hand(
            seat=seat,
            place=place,
            dealer=dealer,
            rows=where,
            chips=self.chips[seat][where],
            pot=self._bank(dealer)[where],
            unseen=c.pick(self.unseen, where),
            n=n,
            on_table=[],
            low=np.zeros(n, dtype=np.int64),
            high=np.zeros(n, dtype=np.int64),
            kind=np.zeros(n, dtype=np.int64),
            call=np.zeros(n, dtype=np.int64),
            bet=np.zeros(n, dtype=np.int64),
            third=np.full(n, -1, dtype=np.int64),
            delta=np.zeros(n, dtype=np.int64),
            wager=self._no_wager[:n],
        )

    def _bank(self, dealer: int) -> Ints:
        """What pays, ``(tables,)``."""
        return self.chips[dealer] if self.rules.bank == "dealer" else self.pot

    def _draw(self, hand: Hand, which: int, first: Ints | None, is_low: Bools | None) -> Ints:
        """Turn up a post at every table of the hand."""
        self._shuffle_empty(hand, None)
        pack, card = self.draws.draw(self.round, hand.place, which, hand.rows, hand.unseen)
        if self.witness is not None:
            ranks = None if first is None else c.ranks(first)
            rows, unseen = self._all[hand.rows], hand.unseen.copy()
            self.witness.post(
                PostDraw(
                    which,
                    hand.seat,
                    self.round,
                    hand.place,
                    rows,
                    unseen,
                    card,
                    ranks,
                    is_low,
                    hand.wager,
                    self,
                )
            )
        bit = c.bit(card)
        if len(hand.unseen) == 1:
            hand.unseen[0] ^= bit
        else:
            hand.unseen[pack, np.arange(hand.n)] ^= bit
        hand.on_table.append((pack, card))
        return card

    def _shuffle_empty(self, hand: Hand, among: Ints | None) -> bool:
        """Shuffle all but the cards on the table where no card is left face down (``among``: only at these), if anywhere."""
        left = hand.unseen[0] if len(hand.unseen) == 1 else np.bitwise_or.reduce(hand.unseen)
        if among is not None:
            left = left.take(among)
        if left.all():
            return False
        at = c.at(left == 0)
        at = at if among is None else among[at]
        for unseen in hand.unseen:
            unseen[at] = c.FULL
        for pack, card in hand.on_table:
            hand.unseen[pack if len(hand.unseen) == 1 else pack[at], at] ^= c.bit(card[at])
        rows = self._all[hand.rows][at]
        self.since_shuffle[rows] = 0
        if self.observer is not None:
            self._note("shuffle", rows, stock=c.count(c.pick(hand.unseen, at)))
        return True

    def _pay(self, hand: Hand, at: Ints, delta: Ints) -> None:
        """Move chips from the bank to the player (negative: to the bank)."""
        hand.delta[at] = delta
        if self.observer is not None:
            left = hand.pot[at] - delta if self.rules.bank == "pot" else 0
            self._note("pay", self._all[hand.rows][at], seat=hand.seat, delta=delta, pot=left)

    def _question(self, hand: Hand, what: int, at: Ints) -> Question:
        rows = self._all[hand.rows].take(at)
        nothing = np.zeros(len(at), dtype=np.int64)
        return Question(
            what=what, seat=hand.seat, round=self.round, place=hand.place, rows=rows,
            low=hand.low.take(at), high=hand.high.take(at), kind=hand.kind.take(at), call=hand.call.take(at),
            pot=hand.pot.take(at), chips=hand.chips.take(at), min_bet=nothing, max_bet=nothing,
            wins=nothing, hits=nothing, losses=nothing, other=nothing,
            wager=hand.wager.take(at) if self.rules.bet.before_posts else nothing,
            unseen=c.pick(hand.unseen, at), tables=self,
        )  # fmt: skip

    def _limits(self, question: Question) -> None:
        """Set the least and the greatest bet; of a raise, where a wager stands."""
        most = most_of(self.rules, self.round, question.pot, question.chips, question.kind)
        if self.rules.bet.before_posts and question.what == ASK_BET:
            most = raise_of(self.rules, most, question.wager)
        question.max_bet = most
        question.min_bet = np.minimum(self.rules.bet.min, most)
