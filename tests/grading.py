"""Grades of bets, and sums of them, as tests ask for them."""

from __future__ import annotations

from typing import Any

from arena.analysis.skill import SkillSums, add_skill, grades_of
from arena.game.questions import Question


def loss(question: Question, bets: Any) -> Any:
    """Chips that each of these bets ``(n,)`` gives away against the best legal one, by exact odds."""
    return grades_of(question, bets).lost


def fresh_loss(question: Question, bets: Any) -> Any:
    """The same by the odds of fresh packs less the two posts."""
    return grades_of(question, bets).fresh_lost


def skill_of(question: Question, bets: Any) -> SkillSums:
    """The sums of one bot's decisions."""
    sums = SkillSums.zero()
    add_skill(sums, question, bets)
    return sums
