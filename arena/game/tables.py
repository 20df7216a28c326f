"""Many tables between turns: chips, pots, dealers and unseen cards, and how antes, deals, shuffles and ends change them.

Arrays hold one entry a table; every table is at the same round. Index arrays say at which tables something happens.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from arena.game import cards as c
from arena.game.rules import HOUSE_CHIPS, TableRules

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Masks = npt.NDArray[np.uint64]
Rows = Any  # an index array of tables, or slice(None) where all of them take part


class Observer(Protocol):
    """Who is told what happens. ``columns`` hold one entry for each of ``rows``."""

    def note(self, event: str, rows: Ints, columns: dict[str, Any]) -> None: ...


class Tables:
    """State of ``tables`` tables between turns. Chips are conserved at every step; none is ever negative.

    ``chips`` ``(seats, tables)``, ``pot``, ``dealer``, ``turns``, ``since_shuffle`` ``(tables,)``, ``unseen`` ``(packs,
    tables)``; ``playing`` is false where the game is over. ``round`` counts from 1 and is the same for all. At a house's
    table ``pot`` holds the house's chips, which nobody shares; at a dealer's it is empty, and the dealer's chips pay.
    """

    def __init__(
        self,
        rules: TableRules,
        seats: int,
        tables: int,
        draws: c.CardSource,
        observer: Observer | None = None,
    ) -> None:
        self.rules, self.seats, self.tables = rules, seats, tables
        self.draws, self.observer = draws, observer
        self.step = 1 if rules.play.direction == "left" else -1
        self.chips: Ints = np.full((seats, tables), rules.chips, dtype=np.int64)
        self.pot: Ints = np.full(tables, HOUSE_CHIPS if rules.bank == "house" else 0, dtype=np.int64)
        self.dealer: Ints = np.zeros(tables, dtype=np.int64)
        self.turns: Ints = np.zeros(tables, dtype=np.int64)
        self.turns_of_seat: Ints = np.zeros((seats, tables), dtype=np.int64)
        self.since_shuffle: Ints = np.zeros(tables, dtype=np.int64)
        self.unseen: Masks = np.full((rules.deck.packs, tables), c.FULL, dtype=np.uint64)
        self.playing: Bools = np.ones(tables, dtype=bool)
        self.round = 1
        self._all = np.arange(tables)

    def start_game(self) -> None:
        """Find the first dealer and open the game."""
        if self.rules.play.first_dealer == "high_card":
            self._cut_for_deal()
        self.open_game()

    def open_game(self) -> None:
        """Take the antes; where there is no pot, see that there is a game: a dealer with chips, and two players."""
        if self.rules.bank == "pot":
            self.ante(self._all, self.dealer)
            return
        self._end_sole(self._all)
        if self.rules.bank == "dealer":
            self._pass_deal(c.at(self.chips[self.dealer, self._all] == 0))

    def bank(self, rows: Ints) -> Ints:
        """What the bank holds at these tables: the most that a win is paid."""
        if self.rules.bank == "dealer":
            return np.asarray(self.chips[self.dealer[rows], rows])
        return self.pot.take(rows)

    def start_round(self) -> None:
        """Shuffle where the dealer's turn calls for it, move the deal, take the antes of a new round."""
        self.round += 1
        rows = c.at(self.playing)
        if self.rules.deck.shuffle == "dealer_turn":
            used = rows[c.count(c.pick(self.unseen, rows)) < 52 * self.rules.deck.packs]
            self._shuffle(used)
        self._move_deal(rows)
        if self.rules.ante.each_round and self.rules.bank == "pot":
            self.ante(rows, self.dealer[rows])

    def is_round_over(self, seat: int, place: int) -> Bools:
        """At which tables ``(tables,)`` nobody has a turn after this seat's at its place of the round."""
        is_dealers = self.rules.bank == "dealer"
        later = [(seat + self.step * k) % self.seats for k in range(1, self.seats - place - is_dealers)]
        is_over = ~(self.chips[later] > 0).any(axis=0)
        if is_dealers:
            is_over |= self.chips[(seat - self.step * (place + 1)) % self.seats] == 0
        return np.asarray(is_over)

    def _shuffle(self, rows: Ints) -> None:
        """Shuffle every card at these tables."""
        for pack in self.unseen:
            pack[rows] = c.FULL
        self.since_shuffle[rows] = 0
        if self.observer is not None:
            self._note("shuffle", rows, stock=c.count(c.pick(self.unseen, rows)))

    def _in_order(self, after: Any) -> Ints:
        """All seats in order of play from the one after ``after``: ``(seats, 1)`` or ``(seats, tables)``."""
        return np.asarray(
            (np.atleast_1d(after) + self.step * np.arange(1, self.seats + 1)[:, None]) % self.seats
        )

    def ante(self, rows: Ints, after: Any) -> None:
        """Everyone with chips antes, from the seat after ``after`` on; ends the games that this ends."""
        if not len(rows):
            return
        where: Rows = slice(None) if len(rows) == self.tables else rows
        amount = self.rules.ante.amount
        before = c.pick(self.chips, where)
        if self.observer is None and before.min() > amount:  # everyone can pay and go on
            c.put(self.chips, where, before - amount)
            self.pot[where] += amount * self.seats
            return
        pay = np.minimum(before, amount)
        left = before - pay
        c.put(self.chips, where, left)
        self.pot[where] += pay.sum(axis=0)
        if self.observer is not None:
            self._note_antes(rows, pay, (pay > 0) & (left == 0), self._in_order(after))
        live = (left > 0).sum(axis=0, dtype=np.int8)
        if live.min() < 2:
            self._end(rows[live == 0], "no_chips", c.pick(pay, c.at(live == 0)) > 0)
            self._end(rows[live == 1], "sole_holder", None)

    def _note_antes(self, rows: Ints, pay: Ints, broke: Bools, order: Ints) -> None:
        n = np.arange(len(rows))
        order = np.broadcast_to(order, (self.seats, len(rows)))
        pot = self.pot[rows] - pay.sum(axis=0)
        for seat in order:
            paid = pay[seat, n]
            pot = pot + paid
            who = paid > 0
            self._note("ante", rows[who], seat=seat[who], pay=paid[who], pot=pot[who])
        some_live = (c.pick(self.chips, rows) > 0).any(axis=0)
        for seat in order:
            who = broke[seat, n] & some_live
            self._note("out", rows[who], seat=seat[who])

    def _cut_for_deal(self) -> None:
        """One card each, the highest deals, ties cut again; the cards go back before the shuffle."""
        unseen = self.unseen.copy()
        tied = self.chips > 0
        attempt = 0
        while len(rows := c.at(tied.sum(axis=0) > 1)) or attempt == 0:
            best = np.zeros((self.seats, self.tables), dtype=np.int64)
            for seat in range(self.seats):
                at = c.at(tied[seat] & np.isin(self._all, rows))
                if not len(at):
                    continue
                spent = at[c.count(c.pick(unseen, at)) == 0]
                for pack in unseen:
                    pack[spent] = c.FULL
                left = c.pick(unseen, at)
                pack, card = self.draws.cut(attempt, seat, at, left)
                unseen[pack, at] ^= c.bit(card)
                best[seat, at] = c.ranks(card)
            tied[:, rows] = best[:, rows] == best[:, rows].max(axis=0)
            attempt += 1
        self.dealer = tied.argmax(axis=0).astype(np.int64)

    def _move_deal(self, rows: Ints) -> None:
        """The deal moves to the next live seat; where it stays, only if the dealer is out. A bank always moves."""
        if self.rules.play.dealer_moves == "never" and self.rules.bank != "dealer":
            rows = rows[self.chips[self.dealer[rows], rows] == 0]
        self._pass_deal(rows)

    def _pass_deal(self, rows: Ints) -> None:
        """The next live seat deals."""
        if not len(rows):
            return
        old = int(self.dealer[rows[0]])
        following = (old + self.step) % self.seats
        if self.observer is None and (self.dealer[rows] == old).all() and self.chips[following, rows].all():
            self.dealer[rows] = following
            return
        order = self._in_order(self.dealer[rows])
        live = self.chips[order, rows] > 0
        new = order[live.argmax(axis=0), np.arange(len(rows))]
        moved = new != self.dealer[rows]
        self.dealer[rows] = new
        if self.observer is not None:
            self._note("dealer", rows[moved], seat=new[moved])

    def _end_sole(self, rows: Ints) -> None:
        self._end(rows[(c.pick(self.chips, rows) > 0).sum(axis=0, dtype=np.int8) == 1], "sole_holder", None)

    def _end(self, rows: Ints, reason: str, anted: Bools | None) -> None:
        """End these games and share their pots: ``anted`` ``(seats, n)`` says who shares after ``no_chips``."""
        if not len(rows):
            return
        self.playing[rows] = False
        if self.observer is not None:
            self._note("end", rows, reason=reason)
        if self.rules.bank != "pot":
            return
        live = c.pick(self.chips, rows) > 0
        if reason == "rounds" and self.rules.end.pot == "split_all":
            live = np.ones_like(live)
        sharers = live if anted is None else anted
        n = np.arange(len(rows))
        part, odd = np.divmod(self.pot[rows], sharers.sum(axis=0))
        served = np.zeros(len(rows), dtype=np.int64)
        for seat in self._in_order(self.dealer[rows]):
            shares = sharers[seat, n]
            amount = np.where(shares, part + (served < odd), 0)
            served += shares
            self.chips[seat, rows] += amount
            if self.observer is not None:
                who = amount > 0
                self._note("share", rows[who], seat=seat[who], amount=amount[who])
        self.pot[rows] = 0

    def _note(self, event: str, rows: Ints, **columns: Any) -> None:
        if self.observer is not None and len(rows):
            n = len(rows)
            self.observer.note(event, rows, {k: np.broadcast_to(v, n) for k, v in columns.items()})
