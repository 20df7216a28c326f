"""The engine: many tables with the same seating, advanced together; the one place that knows how a turn plays.

Every table is at the same round and place of the round; index arrays say which tables take part. A table plays in
order: antes, then turns by place; see ``Engine.play`` for a whole game and ``Engine.turn`` for one turn.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from arena.game import cards as c
from arena.game.rules import TableRules

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Masks = npt.NDArray[np.uint64]
Rows = Any  # an index array of tables, or slice(None) where all of them take part

GAP, CONSECUTIVE, PAIR, TRIPS = range(4)
ASK_ACE_1, ASK_ACE_2, ASK_PAIR, ASK_BET = range(4)


@dataclass(slots=True)
class Question:
    """What one seat is asked at the tables ``rows``; arrays of shape ``(n,)`` unless said otherwise.

    ``other`` is asked with aces: the rank of the other post, 0 if still to come. ``unseen`` is ``(packs, n)``. On a pair
    call ``wins`` and ``losses`` are the unseen cards above and below the pair. ``tables`` holds the state around it.
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
    unseen: Masks
    tables: Engine


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


class Observer(Protocol):
    """Who is told what happens. ``columns`` hold one entry for each of ``rows``."""

    def note(self, event: str, rows: Ints, columns: dict[str, Any]) -> None: ...


@dataclass(slots=True)
class _Hand:
    """One turn in progress at the tables ``rows``."""

    seat: int
    place: int
    rows: Rows
    chips: Ints
    pot: Ints
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


class Engine:
    """State of ``tables`` tables and its steps. Chips are conserved at every step; none is ever negative.

    ``chips`` ``(seats, tables)``, ``pot``, ``dealer``, ``turns``, ``since_shuffle`` ``(tables,)``, ``unseen`` ``(packs, tables)``;
    ``playing`` is false where the game is over. ``round`` counts from 1 and is the same for all.
    """

    def __init__(
        self,
        rules: TableRules,
        seats: int,
        tables: int,
        draws: c.CardSource,
        player: Player,
        observer: Observer | None = None,
        on_turn_over: Callable[[TurnOver], None] | None = None,
    ) -> None:
        self.rules, self.seats, self.tables = rules, seats, tables
        self.draws, self.player, self.observer, self.on_turn_over = draws, player, observer, on_turn_over
        self.step = 1 if rules.play.direction == "left" else -1
        self.chips: Ints = np.full((seats, tables), rules.chips, dtype=np.int64)
        self.pot: Ints = np.zeros(tables, dtype=np.int64)
        self.dealer: Ints = np.zeros(tables, dtype=np.int64)
        self.turns: Ints = np.zeros(tables, dtype=np.int64)
        self.turns_of_seat = [0] * seats  # over all tables
        self.since_shuffle: Ints = np.zeros(tables, dtype=np.int64)
        self.unseen: Masks = np.full((rules.deck.packs, tables), c.FULL, dtype=np.uint64)
        self.playing: Bools = np.ones(tables, dtype=bool)
        self.round = 1
        self._all = np.arange(tables)

    # ---- the course of a game

    def play(self) -> None:
        """Play every table to the end of its game."""
        self.start_game()
        while self.playing.any():
            for place in range(self.seats):
                self.turn(place)
            if self.playing.any():
                self.start_round()

    def start_game(self) -> None:
        """Find the first dealer and take the antes."""
        if self.rules.play.first_dealer == "high_card":
            self._cut_for_deal()
        self._ante(self._all, self.dealer)

    def start_round(self) -> None:
        """Shuffle where the dealer's turn calls for it, move the deal, take the antes of a new round."""
        self.round += 1
        rows = np.flatnonzero(self.playing)
        if self.rules.deck.shuffle == "dealer_turn":
            used = rows[c.count(self.unseen[:, rows]) < 52 * self.rules.deck.packs]
            self._shuffle(used)
        self._move_deal(rows)
        if self.rules.ante.each_round:
            self._ante(rows, self.dealer[rows])

    def turn(self, place: int) -> None:
        """Play the turn at this place of the round, wherever a live seat holds it."""
        dealers: Any = range(self.seats)
        if self.dealer.min() == self.dealer.max():
            dealers = self.dealer[:1].tolist()
        for dealer in dealers:
            seat = (dealer + self.step * (place + 1)) % self.seats
            rows = np.flatnonzero(self.playing & (self.chips[seat] > 0) & (self.dealer == dealer))
            if len(rows):
                self._turn(seat, place, rows)

    # ---- one turn

    def _turn(self, seat: int, place: int, rows: Ints) -> None:
        if self.rules.deck.shuffle == "each_turn":
            self._shuffle(rows)
        hand = self._open(seat, place, rows)
        first = self._draw(hand, c.FIRST_POST)
        low_ace = self._call_first_ace(hand, first)
        second = self._draw(hand, c.SECOND_POST)
        self._read_posts(hand, c.ranks(first), c.ranks(second), low_ace)
        if self.observer is not None:
            self._note("posts", rows, seat=seat, first=first, second=second, kind=hand.kind, low=hand.low, high=hand.high)
        self._play_posts(hand)
        self._close(hand, rows, first, second)

    def _open(self, seat: int, place: int, rows: Ints) -> _Hand:
        n = len(rows)
        where: Rows = slice(None) if n == self.tables else rows
        return _Hand(
            seat=seat,
            place=place,
            rows=where,
            chips=self.chips[seat][where],
            pot=self.pot[where],
            unseen=self.unseen[:, where],
            n=n,
            on_table=[],
            low=np.zeros(n, dtype=np.int64),
            high=np.zeros(n, dtype=np.int64),
            kind=np.zeros(n, dtype=np.int64),
            call=np.zeros(n, dtype=np.int64),
            bet=np.zeros(n, dtype=np.int64),
            third=np.full(n, -1, dtype=np.int64),
            delta=np.zeros(n, dtype=np.int64),
        )

    def _draw(self, hand: _Hand, which: int) -> Ints:
        """Turn up a post at every table of the hand."""
        self._shuffle_empty(hand, None)
        pack, card = self.draws.draw(self.round, hand.place, which, hand.rows, hand.unseen)
        bit = np.uint64(1) << card.astype(np.uint64)
        if len(hand.unseen) == 1:
            hand.unseen[0] ^= bit
        else:
            hand.unseen[pack, np.arange(hand.n)] ^= bit
        hand.on_table.append((pack, card))
        return card

    def _shuffle_empty(self, hand: _Hand, among: Ints | None) -> None:
        """Shuffle all but the cards on the table where no card is left face down (``among``: only at these)."""
        left = hand.unseen[0] if len(hand.unseen) == 1 else np.bitwise_or.reduce(hand.unseen)
        if among is not None:
            left = left[among]
        if left.all():
            return
        at = np.flatnonzero(left == 0)
        at = at if among is None else among[at]
        hand.unseen[:, at] = c.FULL
        for pack, card in hand.on_table:
            hand.unseen[pack if len(hand.unseen) == 1 else pack[at], at] ^= np.uint64(1) << card[at].astype(np.uint64)
        rows = self._all[hand.rows][at]
        self.since_shuffle[rows] = 0
        if self.observer is not None:
            self._note("shuffle", rows, stock=c.count(hand.unseen[:, at]))

    def _call_first_ace(self, hand: _Hand, first: Ints) -> Bools:
        is_low = np.zeros(hand.n, dtype=bool)
        if self.rules.ace.first == "call":
            self._ask_ace(hand, ASK_ACE_1, np.flatnonzero(first >= 48), np.zeros(hand.n, dtype=np.int64), is_low)
        return is_low

    def _ask_ace(self, hand: _Hand, what: int, at: Ints, other: Ints, is_low: Bools) -> None:
        """Have the aces at ``at`` named; ``is_low`` is set where they are low."""
        if not len(at):
            return
        question = self._question(hand, what, at)
        question.other = other[at]
        high, faulty = self.player.call_ace(question)
        is_low[at] = ~high
        if self.observer is not None:
            rows = question.rows
            if faulty is not None:
                self._note("illegal", rows[faulty], seat=hand.seat)
            self._note("ace", rows, seat=hand.seat, call=high)

    def _read_posts(self, hand: _Hand, first: Ints, second: Ints, is_low: Bools) -> None:
        """Name the aces that may be chosen now; set ``low``, ``high`` and ``kind``."""
        ace = self.rules.ace
        is_pair = (first == second) & ~is_low
        if ace.first == "choose":
            self._ask_ace(hand, ASK_ACE_1, np.flatnonzero((first == 14) & ~is_pair), second, is_low)
        left = np.where(is_low, 1, first) if ace.first != "high" else first
        right = second
        if ace.second == "choose":
            second_low = np.zeros(hand.n, dtype=bool)
            self._ask_ace(hand, ASK_ACE_2, np.flatnonzero((second == 14) & ~is_pair), left, second_low)
            right = np.where(second_low, 1, second)
        hand.low, hand.high = np.minimum(left, right), np.maximum(left, right)
        step = hand.high - hand.low
        hand.kind = np.where(step > 1, GAP, np.where(step == 1, CONSECUTIVE, PAIR))

    def _play_posts(self, hand: _Hand) -> None:
        """Play what the posts lead to: an automatic payment, nothing, or a bet."""
        rules = self.rules
        to_bet = hand.kind == GAP
        if rules.consecutive == "bet":
            to_bet |= hand.kind == CONSECUTIVE
        else:
            at = np.flatnonzero(hand.kind == CONSECUTIVE)
            if rules.consecutive == "pay_min":
                self._pay(hand, at, -np.minimum(rules.bet.min, hand.chips[at]))
            elif self.observer is not None:
                self._note("skip", self._all[hand.rows][at], seat=hand.seat)
        pairs = np.flatnonzero(hand.kind == PAIR)
        if rules.pair.rule == "auto_pay":
            self._pay(hand, pairs, np.minimum(rules.pair_pay_chips, hand.pot[pairs]))
        elif rules.pair.rule != "pass":
            to_bet[pairs] = True
            if rules.pair.rule == "higher_lower":
                self._call_pair(hand, pairs)
            else:
                hand.kind[pairs] = TRIPS
        elif self.observer is not None:
            self._note("skip", self._all[hand.rows][pairs], seat=hand.seat)
        self._bet(hand, np.flatnonzero(to_bet))

    def _call_pair(self, hand: _Hand, pairs: Ints) -> None:
        rank = hand.low[pairs]
        hand.call[pairs] = np.where(rank == 14, -1, 1)
        at = pairs[(rank > 2) & (rank < 14)]
        faulty = None
        if len(at):
            question = self._question(hand, ASK_PAIR, at)
            self._limits(hand, question)
            self._count(question, c.HIGHER + question.low)
            higher, faulty = self.player.call_pair(question)
            hand.call[at] = np.where(higher, 1, -1)
        if self.observer is not None:
            if faulty is not None:
                self._note("illegal", self._all[hand.rows][at[faulty]], seat=hand.seat)
            self._note("call", self._all[hand.rows][pairs], seat=hand.seat, call=hand.call[pairs])

    def _bet(self, hand: _Hand, at: Ints) -> None:
        """Ask for bets at ``at``, draw third cards and settle."""
        question = self._question(hand, ASK_BET, at)
        self._limits(hand, question)
        if not question.max_bet.all():
            if self.observer is not None:
                self._note("skip", question.rows[question.max_bet == 0], seat=hand.seat)
            at = at[question.max_bet > 0]
            question = self._question(hand, ASK_BET, at)
            self._limits(hand, question)
        if not len(at):
            return
        self._shuffle_empty(hand, at)
        question.unseen = hand.unseen[:, at]
        code = self._code(question)
        self._count(question, code)
        if self.observer is not None:
            q = question
            self._note("ask", q.rows, seat=hand.seat, min=q.min_bet, max=q.max_bet, wins=q.wins, hits=q.hits, losses=q.losses)
        bet, faulty = self.player.bet(question)
        if faulty is not None and self.observer is not None:
            self._note("illegal", question.rows[faulty], seat=hand.seat)
        bet = self._read_zero(hand, question, at, bet)
        hand.bet[at] = bet
        staked = np.flatnonzero(bet)
        if len(staked):
            self._third_card(hand, at[staked], bet[staked], code[staked], question.kind[staked])

    def _read_zero(self, hand: _Hand, question: Question, at: Ints, bet: Ints) -> Ints:
        """Bets with 0 read as the rules read it: a pass, the least bet, or the payment on a pair."""
        rules = self.rules
        if rules.bet.may_pass and self.observer is None and rules.pair.rule != "auto_pay_or_trips":
            return bet
        none = bet == 0
        if rules.pair.rule == "auto_pay_or_trips":
            takes = none & (question.kind == TRIPS)
            paid = at[takes]
            self._pay(hand, paid, np.minimum(rules.pair_pay_chips, hand.pot[paid]))
            none &= ~takes
        if not rules.bet.may_pass:
            return np.where(none, question.min_bet, bet)
        if self.observer is not None:
            self._note("pass", question.rows[none], seat=hand.seat)
        return bet

    def _third_card(self, hand: _Hand, at: Ints, bet: Ints, code: Ints, kind: Ints) -> None:
        rules = self.rules
        rows = self._all[hand.rows][at]
        unseen = hand.unseen[:, at]
        pack, card = self.draws.draw(self.round, hand.place, c.THIRD_CARD, rows, unseen)
        bit = np.uint64(1) << card.astype(np.uint64)
        hand.unseen[pack, at] ^= bit
        hand.third[at] = card
        wins, hits = (c.WINS[code] & bit) != 0, (c.HITS[code] & bit) != 0
        gain = bet
        if rules.pair.rule in ("trips_bet", "auto_pay_or_trips"):
            gain = np.where(kind == TRIPS, np.minimum(bet * rules.pair.trips_odds, hand.pot[at]), bet)
        multiplier = np.where(kind == PAIR, rules.pair.post, rules.post.multiplier)
        hit_cost = np.minimum(bet * multiplier, hand.chips[at])
        if self.observer is not None:
            self._note("third", rows, seat=hand.seat, card=card, wins=wins, hits=hits)
        self._pay(hand, at, np.where(wins, gain, -np.where(hits, hit_cost, bet)))

    def _pay(self, hand: _Hand, at: Ints, delta: Ints) -> None:
        """Move chips from the pot to the player (negative: into the pot)."""
        hand.delta[at] = delta
        if self.observer is not None:
            self._note("pay", self._all[hand.rows][at], seat=hand.seat, delta=delta, pot=hand.pot[at] - delta)

    def _close(self, hand: _Hand, rows: Ints, first: Ints, second: Ints) -> None:
        """Write the turn back, and end games or re-ante where it calls for it."""
        where = hand.rows
        chips, pot = hand.chips + hand.delta, hand.pot - hand.delta
        self.chips[hand.seat][where] = chips
        self.pot[where] = pot
        if len(rows) != self.tables:
            self.unseen[:, rows] = hand.unseen
        self.since_shuffle[where] += 1
        self.turns[where] += 1
        self.turns_of_seat[hand.seat] += hand.n
        if not chips.all():
            broke = rows[chips == 0]
            if self.observer is not None:
                self._note("out", broke, seat=hand.seat)
            self._end_sole(broke)
        self._after_turn(hand, rows)
        if self.on_turn_over is not None:
            self.on_turn_over(
                TurnOver(
                    seat=hand.seat, round=self.round, place=hand.place, rows=rows, first=first, second=second,
                    third=hand.third, low=hand.low, high=hand.high, kind=hand.kind, call=hand.call, bet=hand.bet,
                    delta=hand.delta,
                )
            )  # fmt: skip

    def _after_turn(self, hand: _Hand, rows: Ints) -> None:
        """Pot taken, re-ante, last turn: in this order, where no sole holder has ended the game already."""
        end = self.rules.end
        empty = rows[:0]
        if not self.pot[hand.rows].all():
            empty = rows[(self.pot[rows] == 0) & self.playing[rows]]
        if end.pot_taken:
            self._end(empty, "pot_taken", None)
            empty = empty[:0]
        last = self._is_last_turn(hand, rows)
        if len(empty) and self.rules.ante.when_empty:
            again = empty if last is None else empty[~last[empty]]
            self._ante(again, hand.seat)
        if last is not None:
            self._end(rows[(last | self._is_last_turn(hand, rows))[rows] & self.playing[rows]], "rounds", None)

    def _is_last_turn(self, hand: _Hand, rows: Ints) -> Any:
        """Which tables (all of them) have just had the last turn of their game; None where none can have."""
        end = self.rules.end
        last = None
        if end.turns is not None:
            last = self.turns >= end.turns
        if self.round == end.rounds:
            later = [(hand.seat + self.step * k) % self.seats for k in range(1, self.seats - hand.place)]
            is_round_over = ~(self.chips[later] > 0).any(axis=0)
            last = is_round_over if last is None else last | is_round_over
        return last

    # ---- questions

    def _question(self, hand: _Hand, what: int, at: Ints) -> Question:
        rows = self._all[hand.rows][at]
        nothing = np.zeros(len(at), dtype=np.int64)
        return Question(
            what=what, seat=hand.seat, round=self.round, place=hand.place, rows=rows,
            low=hand.low[at], high=hand.high[at], kind=hand.kind[at], call=hand.call[at],
            pot=hand.pot[at], chips=hand.chips[at], min_bet=nothing, max_bet=nothing,
            wins=nothing, hits=nothing, losses=nothing, other=nothing, unseen=hand.unseen[:, at], tables=self,
        )  # fmt: skip

    def _limits(self, hand: _Hand, question: Question) -> None:
        """Set the least and the greatest bet."""
        bet = self.rules.bet
        most = np.minimum(question.pot, question.chips)
        if self.round == 1 and bet.first_round_max == "half_pot":
            most = np.minimum(most, np.maximum(question.pot // 2, bet.min))
        elif self.round == 1 and bet.first_round_max == "ante":
            most = np.minimum(most, self.rules.ante.amount)
        if bet.must_cover_post:
            post = np.where(question.kind == PAIR, self.rules.pair.post, self.rules.post.multiplier)
            covered = question.chips // np.where(question.kind == TRIPS, 1, post)
            most = np.minimum(most, covered)
        question.max_bet = most
        question.min_bet = np.minimum(bet.min, most)

    @staticmethod
    def _code(question: Question) -> Ints:
        """Hand codes: what the cards mean, given posts and call."""
        pair = np.where(question.kind == TRIPS, c.TRIPS, np.where(question.call < 0, c.LOWER, c.HIGHER))
        return np.where(question.kind >= PAIR, pair + question.low, question.low * 15 + question.high)

    @staticmethod
    def _count(question: Question, code: Ints) -> None:
        """Count the unseen cards that would win, hit a post and lose."""
        question.wins = c.count(question.unseen & c.WINS[code])
        question.hits = c.count(question.unseen & c.HITS[code])
        question.losses = c.count(question.unseen) - question.wins - question.hits

    # ---- cards, antes, deal, ends

    def _shuffle(self, rows: Ints) -> None:
        """Shuffle every card at these tables."""
        self.unseen[:, rows] = c.FULL
        self.since_shuffle[rows] = 0
        if self.observer is not None:
            self._note("shuffle", rows, stock=c.count(self.unseen[:, rows]))

    def _in_order(self, after: Any) -> Ints:
        """All seats in order of play from the one after ``after``: ``(seats, 1)`` or ``(seats, tables)``."""
        return np.asarray((np.atleast_1d(after) + self.step * np.arange(1, self.seats + 1)[:, None]) % self.seats)

    def _ante(self, rows: Ints, after: Any) -> None:
        """Everyone with chips antes, from the seat after ``after`` on; ends the games that this ends."""
        if not len(rows):
            return
        where: Rows = slice(None) if len(rows) == self.tables else rows
        amount = self.rules.ante.amount
        if self.observer is None and self.chips[:, where].min() > amount:  # everyone can pay and go on
            self.chips[:, where] -= amount
            self.pot[where] += amount * self.seats
            return
        before = self.chips[:, rows]
        pay = np.minimum(before, amount)
        self.chips[:, rows] = before - pay
        self.pot[rows] += pay.sum(axis=0)
        broke = (pay > 0) & (before == pay)
        if self.observer is not None:
            self._note_antes(rows, pay, broke, self._in_order(after))
        if broke.any() or ((before > 0).sum(axis=0) < 2).any():
            live = (before > pay).sum(axis=0)
            self._end(rows[live == 0], "no_chips", pay[:, live == 0] > 0)
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
        some_live = (self.chips[:, rows] > 0).any(axis=0)
        for seat in order:
            who = broke[seat, n] & some_live
            self._note("out", rows[who], seat=seat[who])

    def _cut_for_deal(self) -> None:
        """One card each, the highest deals, ties cut again; the cards go back before the shuffle."""
        unseen = self.unseen.copy()
        tied = self.chips > 0
        attempt = 0
        while len(rows := np.flatnonzero(tied.sum(axis=0) > 1)) or attempt == 0:
            best = np.zeros((self.seats, self.tables), dtype=np.int64)
            for seat in range(self.seats):
                at = np.flatnonzero(tied[seat] & np.isin(self._all, rows))
                if not len(at):
                    continue
                spent = at[c.count(unseen[:, at]) == 0]
                unseen[:, spent] = c.FULL
                left = unseen[:, at]
                pack, card = self.draws.cut(attempt, seat, at, left)
                unseen[pack, at] ^= np.uint64(1) << card.astype(np.uint64)
                best[seat, at] = c.ranks(card)
            tied[:, rows] = best[:, rows] == best[:, rows].max(axis=0)
            attempt += 1
        self.dealer = tied.argmax(axis=0).astype(np.int64)

    def _move_deal(self, rows: Ints) -> None:
        """The deal moves to the next live seat; where it stays, only if the dealer is out."""
        if self.rules.play.dealer_moves == "never":
            rows = rows[self.chips[self.dealer[rows], rows] == 0]
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
        self._end(rows[(self.chips[:, rows] > 0).sum(axis=0) == 1], "sole_holder", None)

    def _end(self, rows: Ints, reason: str, anted: Bools | None) -> None:
        """End these games and share their pots: ``anted`` ``(seats, n)`` says who shares after ``no_chips``."""
        if not len(rows):
            return
        self.playing[rows] = False
        if self.observer is not None:
            self._note("end", rows, reason=reason)
        live = self.chips[:, rows] > 0
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
