"""What a bot is shown to decide: one turn (:class:`Turn`), or many at once (:class:`Turns`)."""

from __future__ import annotations

from enum import IntEnum
from functools import cached_property
from itertools import repeat
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from arena.game import chance
from arena.game.bank import odds_of, pays_even
from arena.game.cards import count_by_rank
from arena.game.values import Money, ace_value, pair_value
from arena.game.wager_values import Wagers

if TYPE_CHECKING:
    from arena.game.rules import TableRules

    def _field(index: int, doc: str) -> Any: ...
else:
    try:  # what collections.namedtuple itself reads its fields with: half the time of a property
        from _collections import _tuplegetter as _field
    except ImportError:

        def _field(index, doc):
            return property(itemgetter(index), doc=doc)


Ints = npt.NDArray[np.integer[Any]]
Floats = npt.NDArray[np.float64]


class Kind(IntEnum):
    """What the posts are, as ``turns.kind`` holds it; a scalar ``turn.kind`` is the same word in small letters."""

    GAP = 0
    CONSECUTIVE = 1
    PAIR = 2
    TRIPS = 3  # a pair on which a bet is on a third card of its rank
    WAGER = 4  # before the posts (house-banked tables)
    ACE = 5  # an ace is to be called; there is nothing to bet on yet


KIND_NAMES = tuple(kind.name.lower() for kind in Kind)
KIND_OBJECTS = np.array(KIND_NAMES, dtype=object)
CALL_OBJECTS = np.array([None, "higher", "lower"], dtype=object)  # call is 1, -1 or 0: indexes from both ends

# Which question is being asked: part of the index of a turn's own stream of chance.
ACE_1, ACE_2, PAIR, BET, WAGER = range(5)
_CALLS = {ACE_1: ("low", "high"), ACE_2: ("low", "high"), PAIR: ("higher", "lower")}
_PART = 256
_WAGER_ROUNDS = 1 << 20  # beyond all rounds: a wager's numbers are those of no other question


class Turns:
    """One question to many tables at once: arrays of shape ``(n,)`` unless said otherwise.

    ``low``, ``high`` (ranks of the posts, 1 = low ace … 14), ``gap``, ``kind`` (see :class:`Kind`), ``call`` (pairs: 1
    higher, −1 lower, 0 none), ``pot``, ``chips``, ``min_bet``, ``max_bet``, ``may_pass``; ``wins``, ``hits``, ``losses``:
    unseen cards that would win, hit a post, lose, given the calls made (in ``call_pair``: as if *higher* were called);
    ``wager``: what was staked before the posts, of which ``bet`` asks for a raise (0 where no wager comes first);
    ``unseen`` ``(n, 15)``; ``edge``, ``odds``, ``multiplier``; ``seat``, ``stacks`` ``(n, seats)``, ``dealer``, ``round``,
    ``rounds`` (0: no limit), ``rules``, ``turns_since_shuffle``; ``row``: the table's index, to keep state by.
    In ``call_ace``: ``ace`` (1 or 2: which post, one number) and ``other`` (rank of the other post, 0 if still to come).
    """

    def __init__(
        self,
        *,
        question: int,
        rules: TableRules,
        seat: int,
        round: int,
        row: Ints,
        low: Ints,
        high: Ints,
        kind: Ints,
        call: Ints,
        pot: Ints,
        chips: Ints,
        min_bet: Ints,
        max_bet: Ints,
        wins: Ints,
        hits: Ints,
        losses: Ints,
        other: Ints,
        wager: Ints,
        dealer: Ints,
        turns_since_shuffle: Ints,
        stacks: Ints,
        packs: chance.Words,
        stream: chance.Words,
    ) -> None:
        self.question = question
        self.rules = rules
        self.seat = seat
        self.row = row
        self.low, self.high, self.kind, self.call = low, high, kind, call
        self.pot, self.chips, self.min_bet, self.max_bet = pot, chips, min_bet, max_bet
        self.wins, self.hits, self.losses = wins, hits, losses
        self.wager = wager
        self.other, self.dealer, self.turns_since_shuffle, self.stacks = (
            other,
            dealer,
            turns_since_shuffle,
            stacks,
        )
        self._round = round
        self._packs = packs
        self._stream = stream
        self._values: dict[tuple[str, int], list[float]] = {}
        self._drawn: dict[int, int] = {}
        self._drawn_all = 0

    def __len__(self) -> int:
        return len(self.row)

    def _own(self) -> None:
        """Copy every array, for one who keeps this: what they stand in is about to be written over."""
        self.__dict__.pop("_wagers", None)  # made of them, and made again where it is asked for
        for name, column in vars(self).items():
            if isinstance(column, np.ndarray):
                self.__dict__[name] = column.copy()
                self.__dict__[name].flags.writeable = False

    @property
    def ace(self) -> int:
        """In ``call_ace``: which post the ace is, 1 or 2; 0 elsewhere."""
        return {ACE_1: 1, ACE_2: 2}.get(self.question, 0)

    @property
    def round(self) -> Ints:
        """The round, counted from 1."""
        return np.broadcast_to(np.int64(self._round), len(self.row))

    @property
    def rounds(self) -> int:
        """How many rounds a game has; 0 where there is no limit."""
        return self.rules.end.rounds or 0

    @property
    def higher(self) -> Ints:
        """In ``call_pair``: unseen cards above the pair."""
        return self.wins

    @property
    def lower(self) -> Ints:
        """In ``call_pair``: unseen cards below the pair."""
        return self.losses

    @cached_property
    def gap(self) -> Ints:
        """Ranks strictly between the posts."""
        return np.asarray(np.maximum(self.high - self.low - 1, 0))

    @cached_property
    def unseen(self) -> Ints:
        """Unseen cards by rank, ``(n, 15)``; index = rank, 0 and 1 are zero."""
        return count_by_rank(self._packs)

    @cached_property
    def odds(self) -> Ints:
        """Chips won per chip bet."""
        odds = 1 if pays_even(self.rules) else odds_of(self.rules, self.kind, self.gap)
        return np.broadcast_to(odds, len(self.row))

    @cached_property
    def multiplier(self) -> Ints:
        """Chips paid per chip bet on hitting a post."""
        return np.where(self.kind == Kind.PAIR, self.rules.pair.post, self.rules.post.multiplier)

    @cached_property
    def edge(self) -> Floats:
        """Expected chips per chip bet, exact while no cap binds: (odds·wins − losses − multiplier·hits) / unseen.

        In ``wager``: per chip wagered, raised by as much wherever that pays.
        """
        if self.question == WAGER:
            return self._wagers.edge
        gain = self.wins if pays_even(self.rules) else self.odds * self.wins
        pair, post = self.rules.pair.post, self.rules.post.multiplier
        cost = self.hits * (post if pair == post else self.multiplier)
        return np.asarray((gain - self.losses - cost) / np.maximum(self.wins + self.hits + self.losses, 1))

    @cached_property
    def _wagers(self) -> Wagers:
        return Wagers(self.rules, self.unseen, self._round, self.pot, self.chips, self.max_bet)

    @cached_property
    def may_pass(self) -> npt.NDArray[np.bool_]:
        """Whether a bet of 0 passes; where it may not, 0 is the least bet."""
        choice = self.rules.pair.rule == "auto_pay_or_trips"
        free = self.rules.bet.may_pass or (self.rules.bet.before_posts and self.question == BET)
        return np.asarray(free | ((self.kind == Kind.TRIPS) & choice))

    def value(self, bet: npt.ArrayLike) -> Floats:
        """Expected chips of these bets, exact, with every cap: a hit costs at most ``chips``, a win at most ``pot``.

        0 is worth nothing where it passes, the payment on ``auto_pay_or_trips`` pairs, else what the least bet is worth.
        A raise is worth what it and the wager are together, so 0 what the wager is; a wager what comes of it at best.
        """
        asked = np.asarray(bet)
        stake = np.where((asked == 0) & ~self.may_pass, self.min_bet, asked)
        if self.question == WAGER:
            return self._wagers.value(stake)
        stake = stake + self.wager
        won = self.wins * np.minimum(self.odds * stake, self.pot)
        lost = self.losses * stake + self.hits * np.minimum(self.multiplier * stake, self.chips)
        total = np.maximum(self.wins + self.hits + self.losses, 1)
        worth: Floats = (won - lost) / total
        if self.rules.pair.rule == "auto_pay_or_trips":
            paid = np.minimum(self.rules.pair_pay_chips, self.pot)
            worth = np.where((self.kind == Kind.TRIPS) & (stake == 0), paid, worth)
        return worth

    def value_of(self, call: Literal["low", "high", "higher", "lower"]) -> Floats:
        """Expected chips of a call, exact, if the best is made of all that follows: of an ace in ``call_ace``, also before
        the second post, of a pair in ``call_pair``. Raises ``ValueError`` for a word that is no call there.
        """
        return self._value_of(call, slice(None))

    def _value_of(self, call: str, at: slice) -> Floats:
        if call not in _CALLS.get(self.question, ()):
            raise ValueError(f"{call!r} is no call that is asked for here")
        known = (column[at] for column in (self.pot, self.chips, self.wager))
        money = Money(self._round, *known)
        if self.question == PAIR:
            return pair_value(self.rules, self.low[at], call == "higher", self.unseen[at], money)
        return ace_value(self.rules, 14 if call == "high" else 1, self.other[at], self.unseen[at], money)

    def _value_at(self, call: str, position: int) -> float:
        """The same at one position; a few rows are computed together, and kept."""
        part, row = divmod(position, _PART)
        key = call, part
        if key not in self._values:
            self._values[key] = self._value_of(call, slice(part * _PART, (part + 1) * _PART)).tolist()
        return self._values[key][row]

    def uniform(self) -> Floats:
        """The next number in [0, 1) of each turn's own stream."""
        index = self._index(self._drawn_all)
        self._drawn_all += 1
        return chance.unit(chance.words(self._stream, index))

    def _index(self, drawn: int) -> int:
        place = self._round * 4 + self.question if self.question != WAGER else _WAGER_ROUNDS + self._round
        return (place << 32) + drawn + 1

    def _uniform_at(self, position: int) -> float:
        drawn = self._drawn.get(position, 0)
        self._drawn[position] = drawn + 1
        return (chance.word(int(self._stream[position]), self._index(drawn)) >> 11) * 2.0**-53


class Turn(tuple[Any, ...]):
    """One decision. Reading it is cheap; what few bots read is computed when asked for."""

    __slots__ = ()

    low: int = _field(0, "Rank of the lower post: 1 = low ace, 2 … 14 = ace.")
    high: int = _field(1, "Rank of the higher post.")
    gap: int = _field(2, "Ranks strictly between the posts: 3 and Q have 8.")
    kind: Literal["gap", "consecutive", "pair", "trips", "wager", "ace"] = _field(3, "What the posts are.")
    call: Literal["higher", "lower"] | None = _field(4, "What was called on a pair.")
    pot: int = _field(
        5, "Chips that pay a win: the pot's, the dealer's, or a house's (more than can be won)."
    )
    chips: int = _field(6, "Your chips, a wager among them.")
    min_bet: int = _field(7, "The least bet.")
    max_bet: int = _field(8, "The greatest bet.")
    wins: int = _field(9, "Unseen cards that would win (in call_pair: as if higher were called).")
    hits: int = _field(10, "Unseen cards that would hit a post.")
    losses: int = _field(11, "Unseen cards that would lose.")
    edge: float = _field(12, "Expected chips per chip bet, exact while no cap binds.")
    round: int = _field(13, "The round, counted from 1.")
    _at: int = _field(14, "Position in the batch.")
    _turns: Turns = _field(15, "The batch this turn was asked in.")

    @property
    def higher(self) -> int:
        """In ``call_pair``: unseen cards above the pair."""
        return self.wins

    @property
    def lower(self) -> int:
        """In ``call_pair``: unseen cards below the pair."""
        return self.losses

    @property
    def ace(self) -> int:
        """In ``call_ace``: which post the ace is, 1 or 2; 0 elsewhere."""
        return self._turns.ace

    @property
    def other(self) -> int:
        """In ``call_ace``: rank of the other post, 0 if still to come."""
        return int(self._turns.other[self._at])

    @property
    def wager(self) -> int:
        """Staked before the posts, so that ``bet`` asks for a raise; 0 where no wager comes first."""
        return int(self._turns.wager[self._at])

    @property
    def may_pass(self) -> bool:
        """Whether a bet of 0 passes; where it may not, 0 is the least bet."""
        return bool(self._turns.may_pass[self._at])

    @property
    def odds(self) -> int:
        """Chips won per chip bet."""
        return int(self._turns.odds[self._at])

    @property
    def multiplier(self) -> int:
        """Chips paid per chip bet on hitting a post."""
        return int(self._turns.multiplier[self._at])

    @property
    def unseen(self) -> tuple[int, ...]:
        """Unseen cards by rank, 15 numbers; index = rank, 0 and 1 are zero."""
        return tuple(self._turns.unseen[self._at].tolist())

    @property
    def seat(self) -> int:
        """Your seat, counted from 0."""
        return self._turns.seat

    @property
    def stacks(self) -> tuple[int, ...]:
        """Everyone's chips, by seat."""
        return tuple(self._turns.stacks[self._at].tolist())

    @property
    def dealer(self) -> int:
        """The dealer's seat."""
        return int(self._turns.dealer[self._at])

    @property
    def rounds(self) -> int:
        """How many rounds a game has; 0 where there is no limit."""
        return self._turns.rounds

    @property
    def rules(self) -> TableRules:
        """The table's rules."""
        return self._turns.rules

    @property
    def turns_since_shuffle(self) -> int:
        """Turns since everything was last shuffled, this one not counted; one it was shuffled in counts."""
        return int(self._turns.turns_since_shuffle[self._at])

    def value(self, bet: int) -> float:
        """Expected chips of this bet, exact, with every cap: a hit costs at most ``chips``, a win at most ``pot``.

        0 is worth nothing where it passes, the payment on ``auto_pay_or_trips`` pairs, else what the least bet is worth.
        A raise is worth what it and the wager are together, so 0 what the wager is; a wager what comes of it at best.
        """
        if self.kind == "wager":
            return self._turns._wagers.value_at(self._at, bet or self.min_bet)
        paid_choice = self.kind == "trips" and self.rules.pair.rule == "auto_pay_or_trips"
        if bet == 0 and paid_choice:
            return float(min(self.rules.pair_pay_chips, self.pot))
        stake = self.wager + (self.min_bet if bet == 0 and not self.may_pass else bet)
        won = self.wins * min(self.odds * stake, self.pot)
        lost = self.losses * stake + self.hits * min(self.multiplier * stake, self.chips)
        return (won - lost) / max(self.wins + self.hits + self.losses, 1)

    def value_of(self, call: Literal["low", "high", "higher", "lower"]) -> float:
        """Expected chips of a call, exact, if the best is made of all that follows: of an ace in ``call_ace``, also before
        the second post, of a pair in ``call_pair``. Raises ``ValueError`` for a word that is no call there.
        """
        return self._turns._value_at(call, self._at)

    def uniform(self) -> float:
        """The next number in [0, 1) of this turn's own stream."""
        return self._turns._uniform_at(self._at)

    def __repr__(self) -> str:
        return (
            f"Turn({self.kind} {self.low}-{self.high}, call={self.call}, pot={self.pot}, chips={self.chips}, "
            f"bet {self.min_bet}..{self.max_bet}, wins={self.wins}, hits={self.hits}, losses={self.losses})"
        )


def scalar_turns(turns: Turns) -> Any:
    """The rows of ``turns`` as :class:`Turn`, made one by one as they are read."""
    columns = zip(
        turns.low.tolist(),
        turns.high.tolist(),
        turns.gap.tolist(),
        KIND_OBJECTS[turns.kind].tolist(),
        CALL_OBJECTS[turns.call].tolist(),
        turns.pot.tolist(),
        turns.chips.tolist(),
        turns.min_bet.tolist(),
        turns.max_bet.tolist(),
        turns.wins.tolist(),
        turns.hits.tolist(),
        turns.losses.tolist(),
        turns.edge.tolist(),
        repeat(turns._round),
        range(len(turns)),
        repeat(turns),
        strict=False,
    )
    return map(tuple.__new__, repeat(Turn), columns)
