"""A block played: every answer asked, judged and kept.

Answers stand in ``bets`` and ``calls``, both ``(rotations, steps, deals)``; a step is a place in a round,
so step ``(round − 1) · seats + place``. A bet is the legal one that counted, 0 also where none was asked. The byte in
``calls``:

| bits | 0–1 | 2–3 | 4–5 | 6 | 7 |
|---|---|---|---|---|---|
| | first ace: 1 low, 2 high | second ace | pair: 1 lower, 2 higher | a call was a fault | the bet was a fault |

Where a wager comes before the posts it stands in ``wagers``, of the same shape, −1 for a fault, which counts as 0.
Cards follow from seed and deal, so these answers are all it takes to tell a game again: :class:`Retold` gives them again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from arena.analysis.stakes import CELLS, FOLDS, groups, stake_sums
from arena.bot.host import Host
from arena.bot.seat import BotOutError, Seat
from arena.game import chance
from arena.game.cards import SeededDraws
from arena.game.chance import Words
from arena.game.engine import Engine
from arena.game.questions import ASK_ACE_1, ASK_ACE_2, ASK_BET, ASK_PAIR, ASK_WAGER, Question, TurnOver
from arena.game.rules import HOUSE_CHIPS, TableRules
from arena.game.tables import Bools, Ints
from arena.tournament.blocks import Block, BlockResult, FirstFault, seat_of

Bytes = npt.NDArray[np.uint8]
MakeHost = Callable[[int, int, int], Host]  # entrant, seat, tables
_SHIFT = {ASK_ACE_1: 0, ASK_ACE_2: 2, ASK_PAIR: 4}
_CALL_FAULT, _BET_FAULT = 64, 128


def step_of(round: int, place: int, seats: int) -> int:
    """The step at which a place of a round is kept."""
    return (round - 1) * seats + place


class _Log:
    """Answers by step, as a game goes."""

    def __init__(self, tables: int, seats: int, most_chips: int, has_wagers: bool) -> None:
        self._tables, self._seats, self._has_wagers = tables, seats, has_wagers
        self.type = next(t for t in (np.int16, np.int32, np.int64) if most_chips <= np.iinfo(t).max)
        self.bets: list[npt.NDArray[Any]] = []
        self.calls: list[Bytes] = []
        self.wagers: list[npt.NDArray[Any]] = []

    def at(self, round: int, place: int) -> int:
        """The step, with room made for it."""
        step = step_of(round, place, self._seats)
        while len(self.bets) <= step:
            self.bets.append(np.zeros(self._tables, dtype=self.type))
            self.calls.append(np.zeros(self._tables, dtype=np.uint8))
            if self._has_wagers:
                self.wagers.append(np.zeros(self._tables, dtype=self.type))
        return step


class _Asking:
    """The engine's player: hands each question to the seat it is for, and keeps the answers."""

    def __init__(self, seats: list[Seat], log: _Log, block: Block) -> None:
        self._seats, self._log = seats, log
        self._group, self._groups = groups(block.first_deal, block.deals)
        self.stakes = np.zeros((len(seats), 2, self._groups, CELLS), dtype=np.int64)

    def _call(self, question: Question) -> tuple[Bools, Bools | None]:
        step = self._log.at(question.round, question.place)
        calls, faulty = self._seats[question.seat].call(question, step)
        kept = self._log.calls[step]
        kept[question.rows] |= (calls.astype(np.uint8) + np.uint8(1)) << np.uint8(_SHIFT[question.what])
        if faulty is not None:
            kept[question.rows[faulty]] |= _CALL_FAULT
        return calls, faulty

    call_ace = call_pair = _call

    def bet(self, question: Question) -> tuple[Ints, Bools | None]:
        step = self._log.at(question.round, question.place)
        bets, faulty = self._seats[question.seat].bet(question, step)
        self._log.bets[step][question.rows] = bets
        self.stakes[question.seat] += stake_sums(
            question, bets, self._group.take(question.rows), self._groups
        )
        if faulty is not None:
            self._log.calls[step][question.rows[faulty]] |= _BET_FAULT
        return bets, faulty

    def wager(self, question: Question) -> tuple[Ints, Bools | None]:
        step = self._log.at(question.round, question.place)
        wagers, faulty = self._seats[question.seat].bet(question, step)
        self._log.wagers[step][question.rows] = wagers if faulty is None else np.where(faulty, -1, wagers)
        return wagers, faulty


def answer_at(what: int, bet: int, calls: int, wager: int) -> str:
    """A kept answer to the question ``what`` in words, from its bet, its byte of calls and its wager."""
    if what == ASK_WAGER:
        return f"{wager:,}" if wager >= 0 else "0 (a fault)"
    if what == ASK_BET:
        return f"{bet:,}" + (" (a fault)" if calls & _BET_FAULT else "")
    word = {1: "low", 2: "high"} if what != ASK_PAIR else {1: "lower", 2: "higher"}
    return word.get(calls >> _SHIFT[what] & 3, "not asked") + (" (a fault)" if calls & _CALL_FAULT else "")


class Retold:
    """A player that gives the kept answers of a ``result``'s rotation again, at the deals ``at`` of its block."""

    def __init__(self, result: BlockResult, rotation: int, at: slice = slice(None)) -> None:
        self._seats = len(result.block.lineup)
        self._bets, self._calls = result.bets[rotation, :, at], result.calls[rotation, :, at]
        self._wagers = result.wagers[rotation, :, at] if result.wagers.size else self._bets[:0]

    def _call(self, question: Question) -> tuple[Bools, Bools | None]:
        kept = self._calls[step_of(question.round, question.place, self._seats)][question.rows]
        faulty = (kept & _CALL_FAULT) != 0
        return kept >> _SHIFT[question.what] & 3 == 2, faulty if faulty.any() else None

    call_ace = call_pair = _call

    def bet(self, question: Question) -> tuple[Ints, Bools | None]:
        step = step_of(question.round, question.place, self._seats)
        faulty = (self._calls[step][question.rows] & _BET_FAULT) != 0
        return self._bets[step][question.rows].astype(np.int64), faulty if faulty.any() else None

    def wager(self, question: Question) -> tuple[Ints, Bools | None]:
        kept = self._wagers[step_of(question.round, question.place, self._seats)][question.rows].astype(
            np.int64
        )
        faulty = kept < 0
        return np.maximum(kept, 0), faulty if faulty.any() else None


def most_chips(rules: TableRules, seats: int) -> int:
    """The most that any answer can be: all chips of a table, a house's among them."""
    return seats * rules.chips + (HOUSE_CHIPS if rules.bank == "house" else 0)


def play_block(
    block: Block, rules: TableRules, draws: SeededDraws, make_host: MakeHost, faults: int
) -> BlockResult:
    """The result of a block: all rotations of its lineup over its deals.

    ``make_host(entrant, seat, tables)`` gives the bot for a seat; it is closed here, whatever happens. Raises
    ``BotOutError`` where a bot can be asked no more.
    """
    k = len(block.lineup)
    parts = [_play_rotation(block, rotation, rules, draws, make_host, faults) for rotation in range(k)]
    steps = max(len(log.bets) for _, log, _, _ in parts)
    bets = np.zeros((k, steps, block.deals), dtype=parts[0][1].type)
    calls = np.zeros((k, steps, block.deals), dtype=np.uint8)
    chips, turns = (np.zeros((k, block.deals, k), dtype=np.int64) for _ in range(2))
    wagers = np.zeros((k, steps if rules.bet.before_posts else 0, block.deals), dtype=bets.dtype)
    stakes = np.zeros_like(parts[0][3])
    fault_log: list[Ints] = [np.zeros((0, 5), dtype=np.int64)]
    first: dict[tuple[int, int, int], FirstFault] = {}
    for rotation, (engine, log, seats, staked) in enumerate(parts):
        for step, (bet, call) in enumerate(zip(log.bets, log.calls, strict=True)):
            bets[rotation, step], calls[rotation, step] = bet, call
        for step, wager in enumerate(log.wagers):
            wagers[rotation, step] = wager
        for position in range(k):
            seat = seat_of(rotation, position, k)
            chips[rotation, :, position] = engine.chips[seat]
            turns[rotation, :, position] = engine.turns_of_seat[seat]
            stakes[position] += staked[seat]
            row, kind, count = seats[seat].fault_counts()
            here = np.ones_like(row)
            fault_log.append(np.stack([here * rotation, row, here * position, kind, count], axis=1))
            for fault, at in seats[seat].first.items():
                first[rotation, position, fault] = FirstFault(block.first_deal + at.row, at.step, at.text)
    stakes = stakes.reshape(k, 2, -1, FOLDS, CELLS)
    return BlockResult(block, chips, turns, np.concatenate(fault_log), first, bets, calls, stakes, wagers)


def _play_rotation(
    block: Block, rotation: int, rules: TableRules, draws: SeededDraws, make_host: MakeHost, faults: int
) -> tuple[Engine, _Log, list[Seat], Ints]:
    k, tables = len(block.lineup), block.deals
    entrants = [block.lineup[(seat - rotation) % k] for seat in range(k)]
    hosts: list[Host] = []
    try:
        for seat, entrant in enumerate(entrants):  # all of them under way before the first is waited for
            hosts.append(make_host(entrant, seat, tables))
        seats = [Seat(host, tables, faults, bot) for host, bot in zip(hosts, entrants, strict=True)]
        log = _Log(tables, k, most_chips(rules, k), rules.bet.before_posts)
        watchers = [seat for seat in seats if seat.watches]
        asking = _Asking(seats, log, block)
        engine = Engine(rules, k, tables, draws, asking)

        def show(turn: TurnOver) -> None:
            for watcher in watchers:
                watcher.watch(turn, engine, log.at(turn.round, turn.place))

        engine.on_turn_over = show if watchers else None
        engine.play()
    except BotOutError as out:
        out.rotation = rotation
        raise
    finally:
        for host in hosts:
            host.close()
    return engine, log, seats, asking.stakes


def bot_streams(seed: int, content: str, seat: int, block: Block) -> Words:
    """What a bot's own chance starts from, one word a game: of seed, deal, seat and the entrant's content alone."""
    return chance.deal_keys(f"bot {seat} {content}", seed, block.first_deal, block.deals)
