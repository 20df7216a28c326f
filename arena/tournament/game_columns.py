"""Stored games told anew as columns: every game, and every turn of it, from the answers that were kept.

The engine plays the games again with these answers, and a witness notes what was there before each turn. Rows stand in the
order of lineup, deal, rotation and seat or turn, however deals were cut into blocks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from arena.analysis.skill import grades_of
from arena.analysis.wager_skill import wager_grades
from arena.bot.turns import KIND_NAMES
from arena.errors import ArenaError
from arena.game.cards import FIRST_POST, SeededDraws, card_text
from arena.game.engine import Engine
from arena.game.questions import ASK_ACE_1, PAIR, PostDraw, Question, ThirdDraw, TurnOver
from arena.game.rules import TableRules
from arena.game.tables import Bools, Ints
from arena.tournament.blocks import BlockResult, seat_of
from arena.tournament.match import Retold

Array = npt.NDArray[Any]
NONE = np.iinfo(np.int64).min  # where a whole number or a word is missing; of floats it is not-a-number

_GAMES_AT_ONCE = 1024
_CARDS = tuple(map(card_text, range(52)))
_ACES, _CALLS, _RESULTS = ("low", "high"), ("lower", "higher"), ("win", "hit", "loss", "push")


class Field(NamedTuple):
    """A column: its values are whole numbers, floats, truth values, or places in ``words`` (None: the bots' names)."""

    name: str
    kind: Literal["int", "float", "bool", "word"] = "int"
    words: tuple[str, ...] | None = None


GAMES = (
    *map(Field, ("game", "lineup", "deal", "rotation", "seat")),
    Field("bot", "word"),
    *map(Field, ("chips", "net_chips")),
    Field("win_share", "float"),
    *map(Field, ("turns", "faults")),
)
DECISIONS = (
    *map(Field, ("game", "lineup", "deal", "rotation", "turn", "round", "seat")),
    Field("bot", "word"),
    Field("first_post", "word", _CARDS),
    Field("second_post", "word", _CARDS),
    Field("first_ace", "word", _ACES),
    Field("second_ace", "word", _ACES),
    *map(Field, ("low", "high", "gap")),
    Field("kind", "word", KIND_NAMES),
    Field("pair_call", "word", _CALLS),
    *map(Field, ("pot", "chips", "min_wager", "max_wager", "wager")),
    Field("is_asked", "bool"),
    *map(Field, ("min_bet", "max_bet", "wins", "hits", "losses", "bet")),
    Field("is_call_fault", "bool"),
    Field("is_wager_fault", "bool"),
    Field("is_bet_fault", "bool"),
    Field("third_card", "word", _CARDS),
    Field("result", "word", _RESULTS),
    *map(Field, ("delta", "best_wager")),
    Field("wager_lost_chips", "float"),
    Field("best_bet"),
    Field("lost_chips", "float"),
)
# What is noted while a turn goes on, with what it is where nothing happens.
_NOTED: dict[str, tuple[type, object]] = {
    **dict.fromkeys(("pot", "chips", "first_ace", "second_ace", "min_bet", "max_bet"), (np.int64, NONE)),
    **dict.fromkeys(
        ("min_wager", "max_wager", "best_wager", "wins", "hits", "losses", "result", "best_bet"),
        (np.int64, NONE),
    ),
    **dict.fromkeys(("is_asked", "is_call_fault", "is_wager_fault", "is_bet_fault"), (np.bool_, False)),
    **dict.fromkeys(("wager_lost_chips", "lost_chips"), (np.float64, np.nan)),
}


@dataclass(frozen=True)
class Told:
    """Some deals of a lineup: columns by name, arrays of one length each; ``games`` is how many games they are of."""

    games: int
    by_game: dict[str, Array]
    by_turn: dict[str, Array]


class _Telling(Retold):
    """Kept answers given again by one rotation's bots, and all that happens noted."""

    def __init__(self, result: BlockResult, rotation: int, some: slice) -> None:
        super().__init__(result, rotation, some)
        tables = self._bets.shape[1]
        self._now: dict[str, Array] = {
            name: np.full(tables, none, dtype=kind) for name, (kind, none) in _NOTED.items()
        }
        self.turns: list[dict[str, Array]] = []
        nothing = np.zeros(0, dtype=np.int64)
        self.over(
            TurnOver(0, 1, 0, *[nothing] * (len(fields(TurnOver)) - 3))
        )  # no turn at all: so there are columns where nobody had one

    def post(self, draw: PostDraw) -> None:
        """No chips have moved when the first post is turned up."""
        if draw.which == FIRST_POST:
            tables, rows = draw.tables, draw.rows
            pot = np.int64(NONE) if tables.rules.bank == "house" else tables.bank(rows)
            self._note(rows, pot=pot, chips=tables.chips[draw.seat][rows])

    def third(self, draw: ThirdDraw) -> None:
        """What the third card did; where a loss takes nothing the wager comes back."""
        lost = np.where(draw.hits, 1, np.where(draw.loss == 0, 3, 2))
        self._note(draw.rows, result=np.where(draw.wins, 0, lost))

    def wager(self, question: Question) -> tuple[Ints, Bools | None]:
        """See ``arena.game.questions.Player``."""
        wagers, faulty = super().wager(question)
        grades = wager_grades(question, wagers)
        self._note(
            question.rows, min_wager=question.min_bet, max_wager=question.max_bet,
            best_wager=grades.best_stake, wager_lost_chips=grades.lost,
        )  # fmt: skip
        self._note_fault("is_wager_fault", question.rows, faulty)
        return wagers, faulty

    def call_ace(self, question: Question) -> tuple[Bools, Bools | None]:
        """See ``arena.game.questions.Player``."""
        high, faulty = super().call_ace(question)
        which = "first_ace" if question.what == ASK_ACE_1 else "second_ace"
        self._note(question.rows, **{which: high})
        self._note_fault("is_call_fault", question.rows, faulty)
        return high, faulty

    def call_pair(self, question: Question) -> tuple[Bools, Bools | None]:
        """See ``arena.game.questions.Player``."""
        higher, faulty = super().call_pair(question)
        self._note_fault("is_call_fault", question.rows, faulty)
        return higher, faulty

    def bet(self, question: Question) -> tuple[Ints, Bools | None]:
        """See ``arena.game.questions.Player``."""
        bets, faulty = super().bet(question)
        q, grades = question, grades_of(question, bets)
        self._note(
            q.rows, is_asked=True, min_bet=q.min_bet, max_bet=q.max_bet, wins=q.wins, hits=q.hits, losses=q.losses,
            best_bet=grades.best_stake, lost_chips=grades.lost,
        )  # fmt: skip
        self._note_fault("is_bet_fault", q.rows, faulty)
        return bets, faulty

    def over(self, turn: TurnOver) -> None:
        """Write a turn down, and forget what was noted of it."""
        rows, is_pair = turn.rows, turn.kind >= PAIR
        noted = {name: column[rows] for name, column in self._now.items()}
        for name, (_, none) in _NOTED.items():
            self._now[name][rows] = none
        has_wager = noted["max_wager"] != NONE
        is_back = has_wager & (turn.third < 0)  # neighbours give it back
        fixed = {"round": turn.round, "seat": turn.seat}
        self.turns.append(
            noted
            | {name: np.full(len(rows), value) for name, value in fixed.items()}
            | {
                "row": rows,
                "first_post": turn.first,
                "second_post": turn.second,
                "low": turn.low,
                "high": turn.high,
                "gap": np.where(is_pair, 0, turn.high - turn.low - 1),
                "kind": turn.kind,
                "wager": np.where(has_wager, turn.wager, NONE),
                "result": np.where(is_back, _RESULTS.index("push"), noted["result"]),
                "pair_call": np.where(turn.call == 0, NONE, turn.call > 0),
                "bet": np.where(noted["is_asked"], turn.bet, NONE),
                "third_card": np.where(turn.third < 0, NONE, turn.third),
                "delta": turn.delta,
            }
        )

    def _note(self, rows: Ints, **columns: Any) -> None:
        for name, values in columns.items():
            self._now[name][rows] = values

    def _note_fault(self, name: str, rows: Ints, faulty: Bools | None) -> None:
        if faulty is not None:
            self._now[name][rows[faulty]] = True


def game_columns(
    result: BlockResult, rules: TableRules, seed: int, number: int, first_game: int
) -> Iterator[Told]:
    """A block's games and turns, some deals at a time; ``number`` is its lineup's, ``first_game`` that of deal 0's first.

    Raises ``ArenaError`` where the games do not end as they are stored to have.
    """
    at_once = max(1, _GAMES_AT_ONCE // len(result.block.lineup))
    for start in range(0, result.block.deals, at_once):
        yield _columns_of_deals(result, slice(start, start + at_once), rules, seed, number, first_game)


def _columns_of_deals(
    result: BlockResult, some: slice, rules: TableRules, seed: int, number: int, first_game: int
) -> Told:
    chips = result.chips[:, some]
    rotations, deals, seats = chips.shape
    first_deal = result.block.first_deal + some.start
    parts = []
    for rotation in range(rotations):
        told = _Telling(result, rotation, some)
        draws = SeededDraws(seed, first_deal, deals)
        engine = Engine(rules, seats, deals, draws, told, on_turn_over=told.over, witness=told)
        engine.play()
        for position in range(seats):
            if (engine.chips[seat_of(rotation, position, seats)] != chips[rotation, :, position]).any():
                raise ArenaError(
                    f"games of deals {first_deal:,} to {first_deal + deals - 1:,} do not end as they are stored: another "
                    "version of the arena played them; arena run --fresh plays them anew"
                )
        parts.append(
            _joined(told.turns) | {"rotation": np.full(sum(len(t["row"]) for t in told.turns), rotation)}
        )
    turns = _joined(parts)
    order = np.lexsort((turns["rotation"], turns["row"]))  # stable: a game's turns stay as they came
    turns = {name: column[order] for name, column in turns.items()}
    turns["deal"] = first_deal + turns.pop("row")
    _number(turns, result, number, first_game)
    starts = np.flatnonzero(np.diff(turns["game"], prepend=-1))
    turns["turn"] = np.arange(len(order)) - np.repeat(starts, np.diff([*starts, len(order)])) + 1
    return Told(rotations * deals, _games(result, some, rules, number, first_game), turns)


def _joined(parts: Sequence[dict[str, Array]]) -> dict[str, Array]:
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _number(columns: dict[str, Array], result: BlockResult, number: int, first_game: int) -> None:
    """Add which lineup, game and bot each row is of."""
    lineup = np.array(result.block.lineup)
    seats = len(lineup)
    columns["lineup"] = np.full(len(columns["deal"]), number)
    columns["game"] = first_game + columns["deal"] * seats + columns["rotation"]
    columns["bot"] = lineup[(columns["seat"] - columns["rotation"]) % seats]


def _games(
    result: BlockResult, some: slice, rules: TableRules, number: int, first_game: int
) -> dict[str, Array]:
    """One row for each game and seat."""
    chips = result.chips[:, some]
    rotations, deals, seats = chips.shape
    deal, rotation, seat = (axis.ravel() for axis in np.indices((deals, rotations, seats)))
    position = (seat - rotation) % seats
    faults = np.zeros(result.chips.shape, dtype=np.int64)
    np.add.at(faults, tuple(result.fault_log[:, :3].T), result.fault_log[:, 4])
    is_won = chips == chips.max(axis=2, keepdims=True)
    columns: dict[str, Array] = {
        "deal": result.block.first_deal + some.start + deal,
        "rotation": rotation,
        "seat": seat,
        "chips": chips[rotation, deal, position],
        "net_chips": chips[rotation, deal, position] - rules.chips,
        "win_share": (is_won / is_won.sum(axis=2, keepdims=True))[rotation, deal, position],
        "turns": result.turns[:, some][rotation, deal, position],
        "faults": faults[:, some][rotation, deal, position],
    }
    _number(columns, result, number, first_game)
    return columns
