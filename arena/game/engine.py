"""The engine: many tables with the same seating, advanced together; the one place that knows how a turn plays.

Every table is at the same round and place of the round; index arrays say which tables take part. A table plays in
order: antes, then turns by place; see ``Engine.play`` for a whole game and ``Engine.turn`` for one turn.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.game import cards as c
from arena.game.bank import CONSECUTIVE, GAP, PAIR, TRIPS, WAGER, multiplier_of, odds_of
from arena.game.hand import Dealing, Hand
from arena.game.questions import (
    ASK_ACE_1,
    ASK_ACE_2,
    ASK_BET,
    ASK_PAIR,
    ASK_WAGER,
    Question,
    ThirdDraw,
    TurnOver,
)
from arena.game.tables import Bools, Ints


class Engine(Dealing):
    """Tables and the steps that play them.

    ``player`` answers, ``observer`` is told everything that happens, ``on_turn_over`` each turn that is over, and
    ``witness`` every draw.
    """

    def play(self) -> None:
        """Play every table to the end of its game."""
        self.start_game()
        while self.playing.any():
            for place in range(self.seats):
                self.turn(place)
            if self.playing.any():
                self.start_round()

    def turn(self, place: int) -> None:
        """Play the turn at this place of the round, wherever a live seat holds it."""
        is_dealers = self.rules.bank == "dealer"
        if is_dealers and place == self.seats - 1:  # a dealer who is the bank takes no turn
            return
        dealers: Any = range(self.seats)
        if self.dealer.min() == self.dealer.max():
            dealers = self.dealer[:1].tolist()
        for dealer in dealers:
            seat = (dealer + self.step * (place + 1)) % self.seats
            rows = c.at(self.playing & (self.chips[seat] > 0) & (self.dealer == dealer))
            if is_dealers:  # a dealer without chips has nothing to cover a bet with: his round is over
                rows = rows[self.chips[dealer, rows] > 0]
            if len(rows):
                self._turn(seat, place, dealer, rows)

    # ---- one turn

    def _turn(self, seat: int, place: int, dealer: int, rows: Ints) -> None:
        if self.rules.deck.shuffle == "each_turn":
            self._shuffle(rows)
        hand = self._open(seat, place, dealer, rows)
        if self.rules.bet.before_posts:
            self._wager(hand)
        first = self._draw(hand, c.FIRST_POST, None, None)
        low_ace = self._call_first_ace(hand, first)
        second = self._draw(hand, c.SECOND_POST, first, low_ace)
        self._read_posts(hand, c.ranks(first), c.ranks(second), low_ace)
        if self.observer is not None:
            self._note(
                "posts",
                rows,
                seat=seat,
                first=first,
                second=second,
                kind=hand.kind,
                low=hand.low,
                high=hand.high,
            )
        if self.rules.bet.before_posts:
            self._play_wager(hand)
        else:
            self._play_posts(hand)
        self._close(hand, rows, first, second)

    def _call_first_ace(self, hand: Hand, first: Ints) -> Bools:
        is_low = np.zeros(hand.n, dtype=bool)
        if self.rules.ace.first == "call":
            self._ask_ace(hand, ASK_ACE_1, c.at(first >= 48), np.zeros(hand.n, dtype=np.int64), is_low)
        return is_low

    def _ask_ace(self, hand: Hand, what: int, at: Ints, other: Ints, is_low: Bools) -> None:
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

    def _read_posts(self, hand: Hand, first: Ints, second: Ints, is_low: Bools) -> None:
        """Name the aces that may be chosen now; set ``low``, ``high`` and ``kind``."""
        ace = self.rules.ace
        is_pair = (first == second) & ~is_low
        if ace.first == "choose":
            self._ask_ace(hand, ASK_ACE_1, c.at((first == 14) & ~is_pair), second, is_low)
        left = np.where(is_low, 1, first) if ace.first != "high" else first
        right = second
        if ace.second == "choose":
            second_low = np.zeros(hand.n, dtype=bool)
            self._ask_ace(hand, ASK_ACE_2, c.at((second == 14) & ~is_pair), left, second_low)
            right = np.where(second_low, 1, second)
        hand.low, hand.high = np.minimum(left, right), np.maximum(left, right)
        step = hand.high - hand.low
        hand.kind = np.where(step > 1, GAP, np.where(step == 1, CONSECUTIVE, PAIR))

    def _play_posts(self, hand: Hand) -> None:
        """Play what the posts lead to: an automatic payment, nothing, or a bet."""
        rules = self.rules
        to_bet = hand.kind == GAP
        if rules.consecutive == "bet":
            to_bet |= hand.kind == CONSECUTIVE
        else:
            at = c.at(hand.kind == CONSECUTIVE)
            if rules.consecutive == "pay_min":
                self._pay(hand, at, -np.minimum(rules.bet.min, hand.chips[at]))
            elif self.observer is not None:
                self._note("skip", self._all[hand.rows][at], seat=hand.seat)
        pairs = c.at(hand.kind == PAIR)
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
        self._bet(hand, c.at(to_bet))

    def _call_pair(self, hand: Hand, pairs: Ints) -> None:
        rank = hand.low[pairs]
        call = np.where(rank == 14, -1, 1)
        asked = (rank > 2) & (rank < 14)
        at = pairs[asked]
        faulty = None
        if len(at):
            question = self._question(hand, ASK_PAIR, at)
            self._limits(question)
            question.count(c.HIGHER + question.low)
            higher, faulty = self.player.call_pair(question)
            call[asked] = np.where(higher, 1, -1)
        hand.call[pairs] = call
        if self.observer is not None:
            if faulty is not None:
                self._note("illegal", self._all[hand.rows][at[faulty]], seat=hand.seat)
            self._note("call", self._all[hand.rows][pairs], seat=hand.seat, call=call)

    def _wager(self, hand: Hand) -> None:
        """Have a wager made at every table of the hand, before the posts."""
        self._shuffle_empty(hand, None)
        question = self._question(hand, ASK_WAGER, np.arange(hand.n))
        question.kind = np.full(hand.n, WAGER, dtype=np.int64)
        self._limits(question)
        if self.observer is not None:
            self._note("wager", question.rows, seat=hand.seat, min=question.min_bet, max=question.max_bet)
        wager, faulty = self.player.wager(question)
        if faulty is not None and self.observer is not None:
            self._note("illegal", question.rows[faulty], seat=hand.seat)
        hand.wager = np.where(wager == 0, question.min_bet, wager)

    def _play_wager(self, hand: Hand) -> None:
        """Play a wager on: neighbours give it back, a pair draws a third card by itself, on a gap it may be raised."""
        if self.observer is not None:
            self._note("skip", self._all[hand.rows][hand.kind == CONSECUTIVE], seat=hand.seat)
        at = c.at(hand.kind != CONSECUTIVE)
        if not len(at):
            return
        self._shuffle_empty(hand, at)
        self._raise(hand, c.at(hand.kind == GAP))
        hand.kind[hand.kind == PAIR] = TRIPS
        code = self._question(hand, ASK_BET, at).codes()
        self._third_card(hand, at, (hand.wager + hand.bet).take(at), code, hand.kind.take(at))

    def _raise(self, hand: Hand, at: Ints) -> None:
        """Ask for raises at ``at``, where any is possible."""
        question = self._question(hand, ASK_BET, at)
        self._limits(question)
        may = question.max_bet > 0
        if not may.all():
            at = at[may]
            question = self._question(hand, ASK_BET, at)
            self._limits(question)
        if len(at):
            question.count(question.codes())
            hand.bet[at] = self._ask_bet(hand, question)

    def _bet(self, hand: Hand, at: Ints) -> None:
        """Ask for bets at ``at``, draw third cards and settle."""
        question = self._question(hand, ASK_BET, at)
        self._limits(question)
        if not question.max_bet.all():
            if self.observer is not None:
                self._note("skip", question.rows[question.max_bet == 0], seat=hand.seat)
            at = at[question.max_bet > 0]
            question = self._question(hand, ASK_BET, at)
            self._limits(question)
        if not len(at):
            return
        if self._shuffle_empty(hand, at):
            question.unseen = c.pick(hand.unseen, at)
        code = question.codes()
        question.count(code)
        bet = self._read_zero(hand, question, at, self._ask_bet(hand, question))
        hand.bet[at] = bet
        staked = c.at(bet)
        if len(staked):
            self._third_card(hand, *(column.take(staked) for column in (at, bet, code, question.kind)))

    def _ask_bet(self, hand: Hand, question: Question) -> Ints:
        """The answers to a bet question; where a wager stands they raise it, and 0 is always a pass."""
        if self.observer is not None:
            q = question
            self._note(
                "ask", q.rows, seat=hand.seat, min=q.min_bet, max=q.max_bet, wins=q.wins, hits=q.hits, losses=q.losses
            )  # fmt: skip
        bet, faulty = self.player.bet(question)
        if self.observer is not None:
            if faulty is not None:
                self._note("illegal", question.rows[faulty], seat=hand.seat)
            if self.rules.bet.before_posts:
                self._note("pass", question.rows[bet == 0], seat=hand.seat)
        return bet

    def _read_zero(self, hand: Hand, question: Question, at: Ints, bet: Ints) -> Ints:
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

    def _third_card(self, hand: Hand, at: Ints, bet: Ints, code: Ints, kind: Ints) -> None:
        rules = self.rules
        rows = self._all[hand.rows].take(at)
        unseen = c.pick(hand.unseen, at)
        pack, card = self.draws.draw(self.round, hand.place, c.THIRD_CARD, rows, unseen)
        bit = c.bit(card)
        if len(unseen) == 1:
            hand.unseen[0][at] = unseen[0] ^ bit
        else:
            hand.unseen[pack, at] ^= bit
        hand.third[at] = card
        wins, hits = (c.WINS.take(code) & bit) != 0, (c.HITS.take(code) & bit) != 0
        gain = lost = bet
        if not self._is_even:
            gap = np.maximum(hand.high - hand.low - 1, 0).take(at)
            gain = np.minimum(bet * odds_of(rules, kind, gap), hand.pot[at])
        is_draw = kind == TRIPS if rules.pair.rule == "auto_trips" else None
        if is_draw is not None:
            lost = np.where(is_draw, 0, bet)
        hit_cost = np.minimum(bet * multiplier_of(rules, kind), hand.chips.take(at))
        if self.witness is not None:
            self.witness.third(
                ThirdDraw(
                    hand.seat,
                    self.round,
                    hand.place,
                    rows,
                    unseen,
                    code,
                    wins,
                    hits,
                    gain,
                    lost,
                    hit_cost,
                    self,
                )
            )
        delta = np.where(wins, gain, -np.where(hits, hit_cost, lost))
        if self.observer is not None:
            pushes = np.zeros(len(at), dtype=bool) if is_draw is None else is_draw & ~wins
            self._note("third", rows, seat=hand.seat, card=card, wins=wins, hits=hits, pushes=pushes)
            at, delta = at[~pushes], delta[~pushes]  # which move nothing
        self._pay(hand, at, delta)

    def _close(self, hand: Hand, rows: Ints, first: Ints, second: Ints) -> None:
        """Write the turn back, and end games or re-ante where it calls for it."""
        where = hand.rows
        chips, pot = hand.chips + hand.delta, hand.pot - hand.delta
        self.chips[hand.seat][where] = chips
        self._bank(hand.dealer)[where] = pot
        if len(rows) != self.tables:
            c.put(self.unseen, rows, hand.unseen)
        has_played: Any = 1
        if len(rows) != self.tables:  # adding a mask everywhere is faster than 1 at these rows
            has_played = np.zeros(self.tables, dtype=bool)
            has_played[rows] = True
        self.since_shuffle += has_played
        self.turns += has_played
        self.turns_of_seat[hand.seat] += has_played
        if not chips.all():
            broke = rows[chips == 0]
            if self.observer is not None:
                self._note("out", broke, seat=hand.seat)
            self._end_sole(broke)
        if self.rules.bank == "dealer" and not pot.all():
            broke = rows[pot == 0]
            if self.observer is not None:
                self._note("out", broke, seat=hand.dealer)
            self._end_sole(broke)
        self._after_turn(hand, rows)
        if self.on_turn_over is not None:
            self.on_turn_over(
                TurnOver(
                    seat=hand.seat, round=self.round, place=hand.place, rows=rows, first=first, second=second,
                    third=hand.third, low=hand.low, high=hand.high, kind=hand.kind, call=hand.call, bet=hand.bet,
                    delta=hand.delta, wager=hand.wager,
                )
            )  # fmt: skip

    def _after_turn(self, hand: Hand, rows: Ints) -> None:
        """Pot taken, re-ante, last turn: in this order, where no sole holder has ended the game already."""
        end = self.rules.end
        empty = rows[:0]
        if self.rules.bank == "pot" and not self.pot[hand.rows].all():
            empty = rows[(self.pot[rows] == 0) & self.playing[rows]]
        if end.pot_taken:
            self._end(empty, "pot_taken", None)
            empty = empty[:0]
        last = self._is_last_turn(hand, rows)
        if len(empty) and self.rules.ante.when_empty:
            again = empty if last is None else empty[~last[empty]]
            self.ante(again, hand.seat)
        if last is not None:
            self._end(
                rows[(last | self._is_last_turn(hand, rows))[rows] & self.playing[rows]], "rounds", None
            )

    def _is_last_turn(self, hand: Hand, rows: Ints) -> Any:
        """Which tables (all of them) have just had the last turn of their game; None where none can have."""
        end = self.rules.end
        last: Any = None
        if end.turns is not None:
            last = self.turns >= end.turns
        if self.round == end.rounds:
            is_round_over = self.is_round_over(hand.seat, hand.place)
            last = is_round_over if last is None else last | is_round_over
        return last
