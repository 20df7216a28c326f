"""A decision of a game that was played, found again by telling the game anew from its kept answers."""

from __future__ import annotations

from dataclasses import dataclass

from arena.bot.turns import KIND_NAMES
from arena.check.bench import BOT, SEATS, SEED
from arena.game.cards import RANK_TEXT, SeededDraws
from arena.game.engine import Engine
from arena.game.questions import ASK_BET, ASK_PAIR, ASK_WAGER, Question
from arena.game.rules import TableRules
from arena.game.tables import Bools, Ints
from arena.tournament.blocks import BlockResult, seat_of
from arena.tournament.match import Retold, step_of

_METHOD = {ASK_PAIR: "call_pair", ASK_BET: "bet", ASK_WAGER: "wager"}
_RANKS = {**RANK_TEXT, 1: "low ace"}


@dataclass(frozen=True)
class Decision:
    """One question and its place: ranks of the posts as called (in ``call_ace``: 0 where none lies yet), and chips.

    ``deal`` is None where the view is a made one.
    """

    preset: str
    deal: int | None
    seat: int
    round: int
    asked: str
    posts: tuple[int, int]
    kind: str
    bank: str
    pot: int
    chips: int
    min_bet: int
    max_bet: int

    def __str__(self) -> str:
        """``preset nepali, deal 3, round 2, seat 1, bet on 5 and Q (gap): pot 40, chips 960, bets 1 to 40``."""
        deal = "" if self.deal is None else f", deal {self.deal}"
        at = f"preset {self.preset}{deal}, round {self.round}, seat {self.seat}, {self.asked}"
        pays = {"house": "a house pays", "dealer": f"the dealer has {self.pot:,}"}.get(
            self.bank, f"pot {self.pot:,}"
        )
        posts = " and ".join(_RANKS[rank] for rank in self.posts if rank)
        if self.asked == "call_ace":
            return f"{at}{f' beside {posts}' if posts else ''}: {pays}, chips {self.chips:,}"
        if posts:
            at += f" on {posts} ({self.kind})"
        return f"{at}: {pays}, chips {self.chips:,}, bets {self.min_bet:,} to {self.max_bet:,}"


def decision_of(preset: str, deal: int | None, question: Question, at: int = 0) -> Decision:
    """The question at its position ``at`` as a decision of this deal."""
    q, what = question, question.what
    is_ace = what not in _METHOD
    posts = (int(q.other[at]), 0) if is_ace else (int(q.low[at]), int(q.high[at]))
    return Decision(
        preset, deal, q.seat, q.round, _METHOD.get(what, "call_ace"), posts,
        "ace" if is_ace else KIND_NAMES[int(q.kind[at])], q.tables.rules.bank,
        int(q.pot[at]), int(q.chips[at]), int(q.min_bet[at]), int(q.max_bet[at]),
    )  # fmt: skip


class _Finding(Retold):
    """Answers given again; the questions of one step are kept as decisions."""

    def __init__(self, preset: str, deal: int, step: int, result: BlockResult, rotation: int) -> None:
        row = deal - result.block.first_deal
        super().__init__(result, rotation, slice(row, row + 1))
        self._preset, self._deal, self._step = preset, deal, step
        self.found: dict[int, Decision] = {}

    def _keep(self, question: Question) -> None:
        if step_of(question.round, question.place, SEATS) == self._step:
            self.found[question.what] = decision_of(self._preset, self._deal, question)

    def call_ace(self, question: Question) -> tuple[Bools, Bools | None]:
        self._keep(question)
        return super().call_ace(question)

    def call_pair(self, question: Question) -> tuple[Bools, Bools | None]:
        self._keep(question)
        return super().call_pair(question)

    def bet(self, question: Question) -> tuple[Ints, Bools | None]:
        self._keep(question)
        return super().bet(question)

    def wager(self, question: Question) -> tuple[Ints, Bools | None]:
        self._keep(question)
        return super().wager(question)


def decisions_at(
    preset: str, rules: TableRules, result: BlockResult, rotation: int, deal: int, step: int
) -> dict[int, Decision]:
    """What was asked at a step of a game, by question; every answer before it is the one kept in ``result``."""
    told = _Finding(preset, deal, step, result, rotation)
    Engine(rules, SEATS, 1, SeededDraws(SEED, deal, 1), told).play()
    return told.found


def bot_seat(rotation: int) -> int:
    """Where the bot that is checked sits in a rotation."""
    return seat_of(rotation, BOT, SEATS)
