"""The second grade of skill: chances of winning the game given away, on turns after which it ends.

Winning the game is not winning chips: late and behind, a bad bet can be right (statistics.md, "Skill"). On the
last turn of a game the chance to win follows exactly from the bet, without a guess of what comes after:
``WP(b) = Σ_r (u_r/N) · share_i(final chips)``, a tie for the most chips shared by those tied.

The final chips, the pot shared out, depend on the turn only through the player's change d. From d to d + 1 the
player's final chips never fall and nobody else's rise, so the win share is a rising step function of d: it leaves 0
where nobody is ahead any more, and rises as opponents who were level fall behind. By the odd chips of the pot an
opponent is level for at most three values of d. So if a stake b ≥ 2 may be lost and still leave a share, all opponents
are behind from d = 1 on: every stake wins the same with a winning card, and less is better. If it may not, losing
leaves nothing, and more is better. Hence no bet is better than all of 0, the least and the greatest, and for
the same reason none is worse: three bets stand for thousands (the tests try them all). Without a pot the same holds: an
opponent is level for at most one value of d, and odds above 1 to 1 only make a win reach further. A raise is a stake on top
of a wager, so that the least of the three is the wager alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from arena.analysis.terms import Int64s, Terms, part_of, terms_of
from arena.game.cards import pick
from arena.game.questions import Question

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

_WIN = 840  # a win in whole parts: ties of up to eight share it evenly
_SHARES = np.array([_WIN // k for k in range(1, 9)], dtype=np.int64)  # by how many others are tied
_CHUNK = 1 << 12
_FAR = np.int64(1) << 40  # beyond all chips of a table


@dataclass(frozen=True, slots=True)
class WinGrades:
    """Grades of the last turns among the decisions of a question: ``at`` ``(m,)`` says which these are.

    ``lost`` ``(m,)`` is the chance of winning given away, max WP − WP(chosen); ``is_forced`` ``(m,)`` marks
    turns on which every legal bet has the same.
    """

    at: Int64s
    lost: Floats
    is_forced: Bools


def is_last_turn(question: Question) -> Bools | None:
    """At which tables ``(n,)`` the game ends with this turn whatever card comes; None where it can at none.

    By the limits of turns and rounds; a game may end earlier (one player left, the pot taken), but that
    depends on the card.
    """
    tables, end = question.tables, question.tables.rules.end
    last: Bools | None = None
    if end.turns is not None:
        last = np.asarray(tables.turns[question.rows] + 1 >= end.turns)
    if question.round == end.rounds:
        is_round_over = tables.is_round_over(question.seat, question.place)[question.rows]
        last = np.asarray(is_round_over if last is None else last | is_round_over)
    return last


def win_grades(question: Question, bets: Int64s) -> WinGrades:
    """Grades of those of the bets ``(n,)`` that end their game."""
    last = is_last_turn(question)
    at = np.flatnonzero(last) if last is not None else np.zeros(0, dtype=np.int64)
    lost, is_forced = np.zeros(len(at)), np.ones(len(at), dtype=bool)
    for start in range(0, len(at), _CHUNK):
        some = slice(start, start + _CHUNK)
        lost[some], is_forced[some] = _graded(part_of(question, at[some]), bets[at[some]])
    return WinGrades(at, lost, is_forced)


def _graded(question: Question, bets: Int64s) -> tuple[Floats, Bools]:
    """What these bets ``(n,)``, all on last turns, give away, and where there was no choice."""
    terms, share = terms_of(question), _share_of(question)
    stakes = np.stack([terms.zero, question.min_bet, question.max_bet, terms.stakes(bets)])
    worths = _worth(question, terms, share, stakes)
    most = worths[:3].max(axis=0)
    cards = question.wins + question.hits + question.losses
    return (most - worths[3]) / (_WIN * cards), most == worths[:3].min(axis=0)


@dataclass(frozen=True, slots=True)
class _Share:
    """A player's share of a win as a function of his change d on the last turn.

    From ``level`` ``(n,)`` on nobody has more chips than he in the end, from ``above`` ``(seats − 1, n)`` on
    an opponent has fewer.
    """

    level: Int64s
    above: Int64s

    def of(self, delta: Int64s) -> Int64s:
        """The share for changes ``(k, n)``, in parts of ``_WIN``."""
        tied = np.zeros(delta.shape, dtype=np.int64)
        for above in self.above:
            tied += delta < above
        return np.where(delta >= self.level, _SHARES[tied], 0)


def _share_of(question: Question) -> _Share:
    """The share's steps, by rules.md: equal shares of the pot, odd chips in order from the seat after the dealer.

    With a change d the player is ahead of an opponent by their chips' difference, d, and the odd chip that one
    of the two may get. One player left takes the whole pot; who has no chips gets none under ``split_live``.
    """
    tables, seat = question.tables, question.seat
    if tables.rules.bank != "pot":
        return _share_of_stacks(question)
    chips, is_live_only = pick(tables.chips, question.rows), tables.rules.end.pot == "split_live"
    is_live = chips > 0
    shares = is_live if is_live_only else np.ones_like(is_live)
    after_dealer = np.arange(tables.seats)[:, None] - tables.dealer[question.rows]
    place = (tables.step * after_dealer - 1) % tables.seats
    served = [(shares & (place < mine)).sum(axis=0) for mine in place]  # how many get an odd chip earlier
    sharers = shares.sum(axis=0)
    is_out_lost = np.asarray(is_live_only | (is_live.sum(axis=0) == 2))
    level = np.where(is_out_lost, 1 - question.chips, -_FAR)
    above = []
    for other in range(tables.seats):
        if other != seat:
            even = chips[other] - chips[seat]
            odd = [
                _odd_chips(question.pot - even - more, sharers, served[seat], served[other])
                for more in (-1, 0, 1)
            ]
            catches = even + np.where(odd[0] > 0, -1, np.where(odd[1] >= 0, 0, 1))
            passes = even + np.where(odd[1] > 0, 0, np.where(odd[2] >= 0, 1, 2))
            level = np.maximum(level, np.where(shares[other], catches, -_FAR))
            above.append(np.where(shares[other], passes, -_FAR))
    return _Share(level, np.array(above))


def _share_of_stacks(question: Question) -> _Share:
    """The same where there is no pot to share; what the player wins a dealer loses, so that he meets him half-way."""
    tables, seat = question.tables, question.seat
    chips = pick(tables.chips, question.rows)
    level = np.full(len(question.rows), -_FAR)
    above = []
    for other in range(tables.seats):
        if other != seat:
            even = chips[other] - chips[seat]
            pays = (tables.dealer[question.rows] == other) & (tables.rules.bank == "dealer")
            level = np.maximum(level, np.where(pays, -(-even // 2), even))
            above.append(np.where(pays, even // 2, even) + 1)
    return _Share(level, np.array(above))


def _odd_chips(pot: Int64s, sharers: Int64s, mine: Int64s, theirs: Int64s) -> Int64s:
    """Odd chips of the pot that come to the player less those to an opponent: −1, 0 or 1; ``(n,)``."""
    odd = pot % sharers
    return np.asarray((mine < odd).astype(np.int64) - (theirs < odd))


def _worth(question: Question, terms: Terms, share: _Share, stakes: Int64s) -> Int64s:
    """WP of stakes ``(k, n)`` in parts of ``_WIN · cards``; a stake of 0 draws no card and takes what it is paid."""
    sure = (stakes == 0) * terms.paid
    staked = stakes + terms.base
    won = share.of(np.minimum(terms.odds * staked, question.pot) + sure)
    lost = share.of(sure - staked)
    hit = share.of(sure - np.minimum(terms.multiplier * staked, question.chips))
    return np.asarray(question.wins * won + question.losses * lost + question.hits * hit)
