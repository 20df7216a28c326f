"""Exact counts, edges and values of a hand from the unseen cards: what ``arena odds`` prints.

Numbers are fractions, so that nothing is rounded before it is shown. Unseen cards come as counts by rank.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Literal

from arena.errors import ArenaError
from arena.game.cards import card_text
from arena.game.rules import HOUSE_CHIPS, TableRules

Kind = Literal["gap", "consecutive", "pair", "trips"]
Call = Literal["higher", "lower"]
_LOW_ACE, _TWO, _ACE = 1, 2, 14


@dataclass(frozen=True)
class Odds:
    """One reading of two posts, aces named and a pair called, and what can be done about it.

    ``low`` is 1 for a low ace; ``wins``, ``hits`` and ``losses`` count unseen cards. ``paid`` is set where
    the table asks nothing: what the player gets, 0 for a turn passed over (counts and limits are then 0).
    ``may_pass`` is false where 0 means the least bet. ``payment`` is what a bet of 0 takes on a pair that may
    be bet on instead. ``pot`` is what the bank holds. A bet is laid on top of a ``wager``; ``pushes``: what does not win
    gives it back.
    """

    kind: Kind
    low: int
    high: int
    call: Call | None
    pot: int
    chips: int
    wins: int = 0
    hits: int = 0
    losses: int = 0
    odds: int = 1
    multiplier: int = 1
    min_bet: int = 0
    max_bet: int = 0
    may_pass: bool = True
    payment: int = 0
    wager: int = 0
    pushes: bool = False
    paid: int | None = None

    @property
    def gap(self) -> int:
        """Ranks strictly between the posts."""
        return max(self.high - self.low - 1, 0)

    @property
    def edge(self) -> Fraction:
        """Expected chips per chip bet while no cap binds; 0 where nothing is asked."""
        lost = 0 if self.pushes else self.losses + self.multiplier * self.hits
        gain = self.odds * self.wins - lost
        return Fraction(gain, max(self.wins + self.hits + self.losses, 1))

    def value(self, bet: int) -> Fraction:
        """Expected chips of this bet and the wager with every cap: a win takes at most the pot, a hit at most all chips."""
        if self.paid is not None:
            return Fraction(self.paid)
        if not self.wager and (self.max_bet == 0 or (bet == 0 and self.may_pass)):
            return Fraction(self.payment)
        stake = self.wager + (bet or (0 if self.may_pass else self.min_bet))
        won = self.wins * min(self.odds * stake, self.pot)
        lost = self.losses * stake + self.hits * min(self.multiplier * stake, self.chips)
        if self.pushes:
            lost = 0
        return Fraction(won - lost, self.wins + self.hits + self.losses)

    @property
    def best_bet(self) -> int:
        """The legal bet worth most, the least of equals.

        From cap to cap the value is a straight line, so a best bet is beside a cap or a limit.
        """
        full, covered = self.pot // self.odds - self.wager, self.chips // self.multiplier - self.wager
        caps = (self.min_bet, self.max_bet, full, covered)
        near = sorted({cap + more for cap in caps for more in (0, 1)})
        bets = [bet for bet in near if self.min_bet <= bet <= self.max_bet]
        return max([0, *bets] if self.may_pass else bets, key=self.value)

    @property
    def kelly(self) -> float:
        """The share of one's chips that lets them grow fastest when bet (Kelly), caps and limits left aside.

        It is the smaller root f of the slope of
        wins·log(1 + odds·f) + losses·log(1 − f) + hits·log(1 − multiplier·f).
        """
        wins, hits, losses, b = self.wins, self.hits, self.losses, self.odds
        m = self.multiplier if hits else 1  # where no card hits, the multiplier would bring in a false root
        gain = b * wins - losses - m * hits
        if gain <= 0 or self.pushes:  # on a draw of its own nothing is bet
            return 0.0
        square = (wins + hits + losses) * b * m
        linear = wins * b * (1 + m) + losses * (b - m) + hits * m * (b - 1)
        return (linear - sqrt(linear * linear - 4 * square * gain)) / (2 * square)


def hand_odds(
    rules: TableRules,
    posts: tuple[int, int],
    *,
    seen: Sequence[int] = (),
    pot: int | None = None,
    chips: int | None = None,
    is_first_round: bool = False,
    wager: int | None = None,
) -> list[Odds]:
    """Every reading of two posts that the player may choose: several where aces or a pair can be called.

    ``posts`` are the first and the second card, ``seen`` the others turned up since the last shuffle. Unless
    given, the pot is two antes (what a house or the dealer has at the start), the chips are those of the start, and the
    wager is the least. Raises ``ArenaError`` for a card named too often, and a wager where there is none.
    """
    unseen = _unseen(rules.deck.packs, posts, seen)
    if wager and not rules.bet.before_posts:
        raise ArenaError("wager: none comes before the posts at this table; leave it out")
    start = {"pot": 2 * rules.ante.amount, "house": HOUSE_CHIPS, "dealer": rules.chips}[rules.bank]
    pot, chips = start if pot is None else pot, rules.chips if chips is None else chips
    if rules.bet.before_posts and wager is None:
        wager = min(rules.bet.min, pot, chips)
    table = _Table(rules, unseen, pot, chips, is_first_round, wager or 0)
    first, second = (card // 4 + 2 for card in posts)
    return [
        table.odds(low, high, call)
        for low, high in _named(rules, first, second)
        for call in _calls(rules, low, high)
    ]


def _unseen(packs: int, posts: tuple[int, int], seen: Sequence[int]) -> list[int]:
    """Unseen cards by rank, index = rank; where none is left all but the posts have been shuffled."""
    for card, times in Counter([*posts, *seen]).items():
        if times > packs:
            there = "is one" if packs == 1 else f"are {packs}"
            raise ArenaError(f"{card_text(card)} is named {times} times, but there {there} in the cards")
    counts = [0, 0] + [4 * packs] * 13
    for card in posts:
        counts[card // 4 + 2] -= 1
    left = list(counts)
    for card in seen:
        left[card // 4 + 2] -= 1
    return left if any(left) else counts


def _named(rules: TableRules, first: int, second: int) -> Iterator[tuple[int, int]]:
    """The posts' ranks, lower first, in every way their aces may be named."""
    may_name = rules.ace.first == "call" or (rules.ace.first == "choose" and first != second)
    for left in (_LOW_ACE, _ACE) if first == _ACE and may_name else (first,):
        may_choose = rules.ace.second == "choose" and second == _ACE and left != second
        for right in (_LOW_ACE, _ACE) if may_choose else (second,):
            yield min(left, right), max(left, right)


def _calls(rules: TableRules, low: int, high: int) -> Sequence[Call | None]:
    """The calls open to a player; nothing is above an ace or below a two or a low ace."""
    if low != high or rules.pair.rule != "higher_lower":
        return [None]
    if low == _ACE:
        return ["lower"]
    return ["higher"] if low <= _TWO else ["higher", "lower"]


@dataclass(frozen=True)
class _Table:
    rules: TableRules
    unseen: list[int]
    pot: int
    chips: int
    is_first_round: bool
    wager: int

    def odds(self, low: int, high: int, call: Call | None) -> Odds:
        """The odds of one reading."""
        rules, rule = self.rules, self.rules.pair.rule
        may_bet_pair = rule in ("trips_bet", "auto_pay_or_trips", "auto_trips")
        kind: Kind = "trips" if may_bet_pair else "pair"
        if low != high:
            kind = "gap" if high - low > 1 else "consecutive"
        reading = (kind, low, high, call, self.pot, self.chips)
        paid = self._paid(kind)
        if paid is not None:
            return Odds(*reading, paid=paid)
        wins, hits = self._count(kind, low, high, call)
        multiplier = rules.pair.post if kind == "pair" else rules.post.multiplier
        most = self._most(1 if kind == "trips" else multiplier)
        if rules.bet.before_posts:
            may_raise = kind == "gap" and rules.bet.raise_ == "wager"
            most = max(min(most - self.wager, self.wager), 0) if may_raise else 0
        takes = kind == "trips" and rule == "auto_pay_or_trips"
        return Odds(
            *reading,
            wins=wins,
            hits=hits,
            losses=sum(self.unseen) - wins - hits,
            odds=rules.pair.trips_odds if kind == "trips" else self._gap_odds(high - low - 1),
            multiplier=multiplier,
            min_bet=min(rules.bet.min, most),
            max_bet=most,
            may_pass=rules.bet.may_pass or takes or rules.bet.before_posts,
            payment=min(rules.pair_pay_chips, self.pot) if takes and most else 0,
            wager=self.wager,
            pushes=rule == "auto_trips" and kind == "trips",
        )

    def _gap_odds(self, gap: int) -> int:
        by_gap = self.rules.odds_by_gap
        return 1 if by_gap is None or gap < 1 else by_gap[gap]

    def _paid(self, kind: Kind) -> int | None:
        """What the posts pay by themselves; None where there is something to bet on."""
        if kind == "consecutive" and self.rules.consecutive != "bet":
            return -min(self.rules.bet.min, self.chips) if self.rules.consecutive == "pay_min" else 0
        if kind == "pair" and self.rules.pair.rule != "higher_lower":
            auto = self.rules.pair.rule == "auto_pay"
            return min(self.rules.pair_pay_chips, self.pot) if auto else 0
        return None

    def _count(self, kind: Kind, low: int, high: int, call: Call | None) -> tuple[int, int]:
        """Unseen cards that win and that hit a post. A third ace is high, but hits a low one."""
        ranks = {_ACE if rank == _LOW_ACE else rank for rank in (low, high)}
        posts = sum(self.unseen[rank] for rank in ranks)
        if kind == "trips":
            return posts, 0
        if call is None:
            return sum(self.unseen[low + 1 : high]), posts
        side = range(low + 1, _ACE + 1) if call == "higher" else range(_TWO, low)
        return sum(self.unseen[rank] for rank in side if rank not in ranks), posts

    def _most(self, multiplier: int) -> int:
        """The greatest bet."""
        bet = self.rules.bet
        limits = [self.pot, self.chips]
        if self.is_first_round and bet.first_round_max == "half_pot":
            limits.append(max(self.pot // 2, bet.min))
        if self.is_first_round and bet.first_round_max == "ante":
            limits.append(self.rules.ante.amount)
        if bet.must_cover_post:
            limits.append(self.chips // multiplier)
        return min(limits)
