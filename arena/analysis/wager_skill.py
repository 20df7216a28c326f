"""Wagers before the posts graded as bets are (``skill.py``): against the one worth most by the cards unseen.

What a wager is worth goes over both posts and the third card, the best being made of all that follows, so that a bad raise
is counted once, as a raise. Its *fresh* grade is by full packs.
"""

from __future__ import annotations

import numpy as np

from arena.analysis.skill import Bools, Floats, Grades, SkillSums, add_grades
from arena.analysis.terms import Int64s
from arena.game.cards import count_by_rank
from arena.game.questions import Question
from arena.game.wager_values import Wagers

_NOISE = 1e-12  # of the most that could be won: below it two wagers are worth the same


def wager_grades(question: Question, wagers: Int64s) -> Grades:
    """The grades of wagers ``(n,)`` as they counted: 0, which is the least, or from the least to the greatest."""
    rules, least, most = question.tables.rules, question.min_bet, question.max_bet
    stake = np.where(wagers == 0, least, wagers)
    unseen = count_by_rank(question.unseen)
    full = np.broadcast_to(np.where(np.arange(15) < 2, 0, 4 * rules.deck.packs), unseen.shape)
    lost, agrees, best = _judged(question, unseen, stake)
    fresh_lost, fresh_agrees, _ = _judged(question, full, stake)
    return Grades(stake, best, lost, agrees, fresh_lost, fresh_agrees, least == most)


def _judged(question: Question, unseen: Int64s, stake: Int64s) -> tuple[Floats, Bools, Int64s]:
    """Loss in chips, whether the side of the least wager is right, and the least best one."""
    q, least = question, question.min_bet
    asked = Wagers(q.tables.rules, unseen, q.round, q.pot, q.chips, q.max_bet)
    tried = np.sort(np.stack([*asked.candidates(least), stake]), axis=0)
    worth, own = asked.value(tried), asked.value(stake)
    most = worth.max(axis=0) - _NOISE * asked.odds[-1] * q.max_bet
    is_best = worth >= most
    best = np.take_along_axis(tried, is_best.argmax(axis=0)[None], axis=0)[0]
    lost = np.where(own >= most, 0.0, worth.max(axis=0) - own)
    is_least = tried == least
    agrees = (is_best & (is_least == (stake == least))).any(axis=0)
    return lost, agrees, best


def add_wager_skill(sums: SkillSums, question: Question, wagers: Int64s) -> Floats:
    """Add a bot's wagers ``(n,)`` to its ``sums``, in place. What each lost, in chips."""
    grades = wager_grades(question, wagers)
    add_grades(sums, question, grades)
    return grades.lost
