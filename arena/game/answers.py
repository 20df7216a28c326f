"""What players ask of a table, answered exactly for fresh packs: which gaps pay, how to name an ace, what to call on a pair.

Every hand that two posts can form is enumerated with :func:`hand_odds`, so the table's own rules decide, and nothing is an
estimate. Worths are of full stacks and a pot of two antes (or what a house or the dealer has), as ``arena odds`` has them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from arena.game.odds import Odds, hand_odds
from arena.game.rules import TableRules

_RANKS = range(13)  # of cards: two to ace
_ACE, _LOW_ACE = 14, 1


@dataclass(frozen=True)
class GapAnswer:
    """A gap of a fresh pack: cards that win, hit a post and lose, edge a chip, and the share of chips to stake (Kelly)."""

    gap: int
    wins: int
    hits: int
    losses: int
    edge: Fraction
    kelly: float

    @property
    def pays(self) -> bool:
        """Whether a bet wins chips in the long run."""
        return self.edge > 0


@dataclass(frozen=True)
class PairAnswer:
    """A pair of a rank: the edge of either call (None: it cannot be called), or of a bet on a third card (``trips``)."""

    rank: int
    higher: Fraction | None
    lower: Fraction | None
    trips: Fraction | None

    @property
    def best(self) -> str:
        """``higher``, ``lower``, ``either``, ``bet``, or ``pass`` where no call pays."""
        edges = {"higher": self.higher, "lower": self.lower, "bet": self.trips}
        most = max(edge for edge in edges.values() if edge is not None)
        if most <= 0:
            return "pass"
        best = [call for call, edge in edges.items() if edge == most]
        return best[0] if len(best) == 1 else "either"


@dataclass(frozen=True)
class AceAnswer:
    """What naming a first ace low or high is worth, in chips, before the second post is seen; best bets follow.

    ``pays_low`` and ``pays_high`` are the chances that a hand comes on which a bet pays.
    """

    low: Fraction
    high: Fraction
    pays_low: Fraction
    pays_high: Fraction

    @property
    def best(self) -> str:
        """``low``, ``high`` or ``either``."""
        return "either" if self.low == self.high else "low" if self.low > self.high else "high"


def gap_answers(rules: TableRules) -> tuple[GapAnswer, ...]:
    """Every gap on which the table lets players bet or raise, from the narrowest on; neighbours are a gap of 0.

    >>> from arena.game.rules import table_rules
    >>> [(a.gap, str(a.edge)) for a in gap_answers(table_rules())][6:8]
    [(7, '0'), (8, '4/25')]
    """
    found: dict[int, GapAnswer] = {}
    for odds in _hands(rules):
        if odds.kind in ("gap", "consecutive") and odds.paid is None and _may_stake(rules, odds):
            answer = GapAnswer(odds.gap, odds.wins, odds.hits, odds.losses, odds.edge, odds.kelly)
            found.setdefault(odds.gap, answer)
    return tuple(found[gap] for gap in sorted(found))


def _may_stake(rules: TableRules, odds: Odds) -> bool:
    """Whether there is a choice: where a wager stands already, only if it may be raised on these posts."""
    return not rules.bet.before_posts or (rules.bet.raise_ == "wager" and odds.kind == "gap")


def pair_answers(rules: TableRules) -> tuple[PairAnswer, ...]:
    """Every rank's pair, twos first; nothing where the table lets nobody bet on pairs."""
    edges: dict[int, dict[str, Fraction]] = {}
    for odds in _hands(rules):
        if odds.kind in ("pair", "trips") and odds.paid is None and not odds.pushes:
            edges.setdefault(odds.high, {})[odds.call or "trips"] = odds.edge
    return tuple(
        PairAnswer(rank, at.get("higher"), at.get("lower"), at.get("trips"))
        for rank, at in sorted(edges.items())
    )


def ace_answer(rules: TableRules) -> AceAnswer | None:
    """Whether a first ace is better called low or high; None where it is not called before the second post.

    The second post is any of the cards left in fresh packs, each as likely.
    """
    if rules.ace.first != "call":
        return None
    worth = {"low": Fraction(0), "high": Fraction(0)}
    pays = dict(worth)
    of_a_rank = 4 * rules.deck.packs
    for second in _RANKS:
        cards = Fraction(of_a_rank - (second == 12), 13 * of_a_rank - 1)
        for name, readings in _named(hand_odds(rules, (48, 4 * second + 1))).items():
            best = max(odds.value(odds.best_bet) for odds in readings)
            worth[name] += cards * best
            pays[name] += cards * any(
                odds.paid is None and odds.value(odds.best_bet) > 0 for odds in readings
            )
    return AceAnswer(worth["low"], worth["high"], pays["low"], pays["high"])


def _named(readings: list[Odds]) -> dict[str, list[Odds]]:
    """The readings of a first ace by what it was called."""
    low = [odds for odds in readings if odds.low == _LOW_ACE]
    return {"low": low, "high": [odds for odds in readings if odds.low != _LOW_ACE]}


def _hands(rules: TableRules) -> Iterator[Odds]:
    """Every reading of every two ranks as posts, in either order, of fresh packs."""
    for first, second in product(_RANKS, repeat=2):
        yield from hand_odds(rules, (4 * first, 4 * second + 1))
