"""What a bot stakes: its mean stake, as a share of the greatest bet, by kind of hand; learned across folds of deals.

The posts' luck (``luck.py``) is measured by the stake a bot is expected to make on the hand they form. For a deal that stake
is learned from the other folds alone (fold = deal mod 5), so it depends on nothing that happened in a game of its own fold.
Source: statistics.md, "Luck, removed exactly".
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from arena.game.cards import at
from arena.game.questions import TRIPS, Question

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

FOLDS = 5
PART = 250  # deals whose stakes are kept together: those between two looks of a run that may stop early
LEAST_DEALS = 20  # below this nothing is learned: third-card luck only; tests/slow/test_adjusted_coverage.py
PAIR_CELL, TRIPS_CELL = 13, 14  # 0 … 12: the gap, 0 for consecutive posts
HANDS = 15
CELLS = 2 * HANDS  # then the same again where the edge is positive
ONE = 1 << 20  # a stake equal to the greatest bet; whole numbers, so that sums do not depend on their order


def groups(first_deal: int, deals: int) -> tuple[Ints, int]:
    """The group of each deal of a range, ``(deals,)``, and how many there are: part · FOLDS + fold."""
    numbers = np.arange(first_deal, first_deal + deals)
    part = numbers // PART - first_deal // PART
    return part * FOLDS + numbers % FOLDS, (int(part[-1]) + 1) * FOLDS


def stake_sums(question: Question, bets: Ints, group: Ints, n_groups: int) -> Ints:
    """Stakes of one question to one bot, ``(2, groups, CELLS)``: how many decisions, and the sum of stake/max in ``ONE``s.

    ``bets`` and ``group`` are ``(n,)``. Where passing is not allowed a bet of 0 is the least bet.
    """
    rules, q = question.tables.rules, question
    pair_cell, hand = PAIR_CELL, q.high - q.low
    numerator = q.wins - q.losses - rules.post.multiplier * q.hits
    if rules.odds_by_gap is not None:
        numerator += (np.take(rules.odds_by_gap, np.maximum(hand - 1, 0)) - 1) * q.wins * (hand > 1)
    if rules.pair.rule == "higher_lower" and rules.pair.post != rules.post.multiplier:
        numerator -= (rules.pair.post - rules.post.multiplier) * q.hits * (hand == 0)
    elif rules.pair.rule != "higher_lower":  # pairs that are bet on are trips, which no card hits
        pair_cell = TRIPS_CELL
        numerator += (rules.pair.trips_odds - 1) * q.wins * (hand == 0)
    cells = np.array([pair_cell, *range(13)]).take(hand)
    cells += (numerator > 0) * HANDS
    stake = bets
    if not (rules.bet.may_pass or rules.bet.before_posts):  # a raise of 0 is none
        takes = (q.kind == TRIPS) & (rules.pair.rule == "auto_pay_or_trips")
        stake = np.where((bets == 0) & ~takes, q.min_bet, bets)
    index = group * CELLS + cells
    n = np.bincount(index, minlength=n_groups * CELLS)
    some = at(stake > 0)
    shares = np.floor(stake.take(some) * float(ONE) / q.max_bet.take(some))
    share = np.bincount(index.take(some), weights=shares, minlength=n_groups * CELLS)
    return np.stack([n, share.astype(np.int64)]).reshape(2, n_groups, CELLS)


def expected_stakes(sums: npt.NDArray[Any]) -> Floats:
    """The mean stake/max for deals of each fold, learned from the others: ``(…, 2, FOLDS, CELLS)`` to ``(…, FOLDS, CELLS)``.

    Each cell is given two decisions beforehand, one that passed and one that staked as much as the bot does in the kind of
    hand where it stakes most: where a cell was seen seldom or never the stake stays unsure, and rows keep the spread that
    this leaves. Without them a bot whose hands of a kind all went alike looks as if nothing could surprise: on games of one
    turn intervals came out as ± 0. With one that staked all (Laplace's rule) a bot that always bets one chip was expected to
    stake a hundred where little was seen, and adjusted chips had seven times the spread of raw ones.
    """
    others = sums.sum(axis=-2, keepdims=True) - sums
    n, share = others[..., 0, :, :], others[..., 1, :, :] / float(ONE)
    most = (share / np.maximum(n, 1)).max(axis=-1, keepdims=True)
    return np.asarray((share + most) / (n + 2))
