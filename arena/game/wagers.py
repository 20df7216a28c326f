"""A wager before the posts in exact figures, from fresh packs: what ``arena odds`` prints of a table where everyone wagers.

Everything is counted over the orders in which three cards can come, so that nothing is rounded before it is shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from arena.errors import ArenaError
from arena.game.rules import TableRules

_TWO, _ACE = 2, 14


@dataclass(frozen=True)
class GapOdds:
    """Posts with a gap: the chance of them, that a third card then lies between, and the edge of a chip staked on it."""

    gap: int
    chance: Fraction
    win: Fraction
    odds: int
    edge: Fraction
    is_raised: bool


@dataclass(frozen=True)
class WagerOdds:
    """A wager with these packs, raised by as much on every gap whose edge is above 0.

    ``house_edge`` is what a chip wagered loses, ``staked`` the chips staked for it in the end, raises included. ``orders``
    counts the orders of three cards, ``ways`` those that win: under ``"trips"`` and the narrowest gap of each payout.
    """

    packs: int
    house_edge: Fraction
    staked: Fraction
    gaps: tuple[GapOdds, ...]
    orders: int
    ways: dict[str, int]

    @property
    def risk(self) -> Fraction:
        """What a chip staked loses (the element of risk)."""
        return self.house_edge / self.staked


def wager_odds(rules: TableRules, packs: int) -> WagerOdds:
    """The figures of these rules with so many packs. Raises ``ArenaError`` where no wager comes before the posts."""
    if not rules.bet.before_posts:
        raise ArenaError("no wager comes before the posts at this table; name the posts, such as 3S QD")
    if (rules.ace.first, rules.ace.second) != ("high", "high"):
        raise ArenaError("a wager's figures are for high aces; write ace.first: high and ace.second: high")
    cards, of_rank = 52 * packs, 4 * packs
    pairs = cards * (of_rank - 1)  # orders of two cards
    trips = Fraction(of_rank - 2, cards - 2)
    value = Fraction(pairs, cards * (cards - 1)) * rules.pair.trips_odds * trips
    gaps = tuple(_gaps(rules, packs))
    raised = [gap for gap in gaps if gap.is_raised]
    value += sum(gap.chance * gap.edge for gap in gaps) + sum(gap.chance * gap.edge for gap in raised)
    ways = {"trips": pairs * (of_rank - 2)}
    for gap in gaps:
        label = _payout(rules, gap.gap)
        ways[label] = ways.get(label, 0) + int(gap.chance * gap.win * cards * (cards - 1) * (cards - 2))
    staked = 1 + sum((gap.chance for gap in raised), Fraction(0))
    return WagerOdds(packs, -value, staked, gaps, cards * (cards - 1) * (cards - 2), ways)


def _gaps(rules: TableRules, packs: int) -> Iterator[GapOdds]:
    cards, of_rank = 52 * packs, 4 * packs
    for gap in range(1, _ACE - _TWO):
        lowest = _ACE - _TWO - gap  # how many lower posts there are
        chance = Fraction(2 * lowest * of_rank * of_rank, cards * (cards - 1))
        win, hit = Fraction(of_rank * gap, cards - 2), Fraction(2 * (of_rank - 1), cards - 2)
        odds = 1 if rules.odds_by_gap is None else rules.odds_by_gap[gap]
        edge = odds * win - (1 - win - hit) - rules.post.multiplier * hit
        yield GapOdds(gap, chance, win, odds, edge, rules.bet.raise_ == "wager" and edge > 0)


def _payout(rules: TableRules, gap: int) -> str:
    """The narrowest gap that is paid like this one, ``"4+"`` where wider ones are, too."""
    named = sorted(rules.payouts or {1: 1})
    least = max((at for at in named if at <= gap), default=1)
    return f"{least}+" if least == named[-1] else str(least)
