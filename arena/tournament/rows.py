"""Results of blocks, in any order, summed to one row a deal: whole numbers, so the order cannot show."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from arena.analysis.ratings import Outcomes, outcomes_of
from arena.analysis.skill import SkillSums
from arena.bot.faults import Fault
from arena.tournament.blocks import BlockResult, Int64s, seat_of
from arena.tournament.study import ONE, BlockStudy, Mistake, worse

WIN = 840  # a game won alone; a tie of up to eight divides it evenly

Floats = npt.NDArray[np.float64]
Lineup = tuple[int, ...]
Range = tuple[int, int]  # first deal, deals


@dataclass(frozen=True, order=True)
class FaultAt:
    """The first fault of a bot and kind, ordered by lineup, deal, rotation and step."""

    lineup: Lineup
    deal: int
    rotation: int
    step: int
    text: str


@dataclass(frozen=True)
class Rows:
    """One row for each deal that every lineup has played; ``bots`` are indices of entrants.

    ``deals`` ``(rows,)`` are the deals' numbers, ``dropped`` how many more were begun but not complete.
    ``net`` (final minus starting chips) and ``wins`` (in 840ths) are ``(rows, bots)`` sums over the games
    of a deal, of which bot b plays ``games[b]``. ``busts``, ``largest_loss`` (in a game, ≥ 0) and
    ``turns`` are ``(bots,)``, ``faults`` ``(bots, kinds)``. ``meeting_net[i, j]`` and ``meeting_games[i,
    j]`` are over the games that have both i and j. ``seat_net`` ``(rows, seats)`` are sums of net chips by seat,
    ``outcomes`` how each lineup's games ended. ``luck`` ``(3, rows, bots)``, if blocks were studied, are
    sums over the games in 2⁻²⁰: of chips by third cards, of chips by posts, of games won by third cards; ``skill`` is of
    every bet of each bot in these blocks, and ``mistakes`` ``(bots,)`` the costliest of them.
    """

    deals: Int64s
    dropped: int
    lineups: int
    table_games: int
    games: Int64s
    net: Int64s
    wins: Int64s
    busts: Int64s
    largest_loss: Int64s
    turns: Int64s
    faults: Int64s
    first_faults: dict[tuple[int, int], FaultAt]
    meeting_net: Int64s
    meeting_games: Int64s
    seat_net: Int64s
    outcomes: tuple[Outcomes, ...]
    luck: Int64s | None = None
    skill: tuple[SkillSums, ...] | None = None
    mistakes: tuple[Mistake | None, ...] = ()

    @property
    def mean_chips(self) -> Floats:
        """Net chips a game, ``(rows, bots)``; 0 for a bot that plays none."""
        return np.asarray(self.net / np.maximum(self.games, 1))

    @property
    def win_share(self) -> Floats:
        """Share of games won, ties split, ``(rows, bots)``."""
        return np.asarray(self.wins / (WIN * np.maximum(self.games, 1)))

    @property
    def mean_luck(self) -> Floats:
        """Luck a game, ``(3, rows, bots)``: chips, chips, share of games won. Raises ``ValueError`` if none was found."""
        if self.luck is None:
            raise ValueError("these rows were collected without studies")
        return np.asarray(self.luck / (ONE * np.maximum(self.games, 1.0)))

    @property
    def adjusted_chips(self) -> Floats:
        """Net chips a game less their luck, ``(rows, bots)``; what is below the unit that luck is counted in is none."""
        found = self.mean_chips - self.mean_luck[:2].sum(axis=0)
        return np.where(np.abs(found) <= 1 / ONE, 0.0, found)


@dataclass
class _Tally:
    """Counts that blocks give for a whole range of deals, summed over lineups."""

    turns: Int64s
    faults: Int64s
    meeting_net: Int64s
    meeting_games: Int64s
    first_faults: dict[tuple[int, int], FaultAt] = field(default_factory=dict)


def collect(
    results: Iterable[BlockResult],
    n_entrants: int,
    chips: int,
    lineups: Collection[Lineup] | None = None,
    studies: Iterable[BlockStudy] | None = None,
) -> Rows:
    """The rows of ``results``, which may come in any order; ``chips`` is what every seat starts with.

    Only deals that every lineup has played are kept (``lineups``; without it, those that results are of).
    Turns, faults and meetings are counted by block: those of blocks that hold a kept deal. ``studies`` are
    those of the results, in their order. Raises ``ValueError`` for results that play a deal twice or are of no scheduled
    lineup.
    """
    sums = _Sums(n_entrants, chips)
    if studies is None:
        for result in results:
            sums.add(result)
    else:
        for result, study in zip(results, studies, strict=True):
            sums.add(result, study)
    return sums.rows(lineups, studies is not None)


class _Sums:
    """What :func:`collect` keeps as results pass by."""

    def __init__(self, bots: int, chips: int) -> None:
        self.bots, self.chips = bots, chips
        self.net, self.wins, self.busts, self.loss = (np.zeros((0, bots), dtype=np.int64) for _ in range(4))
        self.luck = np.zeros((0, 3, bots), dtype=np.int64)
        self.seat_net = np.zeros((0, 8), dtype=np.int64)
        self.skill = [SkillSums.zero()] * bots
        self.mistakes: list[Mistake | None] = [None] * bots
        self.outcomes: list[Outcomes] = []
        self.played: dict[Lineup, list[Range]] = {}
        self.rotations: dict[Lineup, int] = {}
        self.tallies: dict[Range, _Tally] = {}

    def add(self, result: BlockResult, study: BlockStudy | None = None) -> None:
        """Take in one block."""
        block = result.block
        deals = slice(block.first_deal, block.first_deal + block.deals)
        rotations = result.chips.shape[0]
        if self.rotations.setdefault(block.lineup, rotations) != rotations:
            raise ValueError(f"lineup {block.lineup} has blocks of different rotations")
        self.played.setdefault(block.lineup, []).append((block.first_deal, block.deals))
        self._grow_to(deals.stop)
        net = result.chips - self.chips
        is_best = result.chips == result.chips.max(axis=2, keepdims=True)
        wins = is_best * (WIN // is_best.sum(axis=2, keepdims=True))
        for position, bot in enumerate(block.lineup):
            mine = net[:, :, position]
            self.net[deals, bot] += mine.sum(axis=0)
            self.wins[deals, bot] += wins[:, :, position].sum(axis=0)
            self.busts[deals, bot] += (result.chips[:, :, position] == 0).sum(axis=0)
            self.loss[deals, bot] = np.maximum(self.loss[deals, bot], -mine.min(axis=0))
            if study is not None:
                self.skill[bot] += study.skill[position]
                self.mistakes[bot] = worse(self.mistakes[bot], study.mistakes[position])
                self.luck[deals, :, bot] += study.luck[:, :, :, position].sum(axis=1).T
            for rotation in range(rotations):
                self.seat_net[deals, seat_of(rotation, position, len(block.lineup))] += mine[rotation]
        self.outcomes.append(outcomes_of(result.chips, block.lineup, block.first_deal))
        self._tally(result, net.sum(axis=(0, 1)))

    def _grow_to(self, deals: int) -> None:
        if deals > len(self.net):
            more = (0, max(deals, 2 * len(self.net)) - len(self.net))
            self.net, self.wins, self.busts, self.loss, self.luck, self.seat_net = (
                np.pad(a, (more, *[(0, 0)] * (a.ndim - 1)))
                for a in (self.net, self.wins, self.busts, self.loss, self.luck, self.seat_net)
            )

    def _tally(self, result: BlockResult, net: Int64s) -> None:
        """Count what a block gives for its deals together; ``net`` ``(positions,)``."""
        block = result.block
        tally = self.tallies.setdefault((block.first_deal, block.deals), self._new_tally())
        bots = list(block.lineup)
        np.add.at(tally.turns, bots, result.turns.sum(axis=(0, 1)))
        np.add.at(tally.faults, bots, result.faults.sum(axis=0))
        games = result.chips.shape[0] * block.deals
        for position, bot in enumerate(block.lineup):
            others = [b for p, b in enumerate(block.lineup) if p != position]
            tally.meeting_net[bot, others] += net[position]
            tally.meeting_games[bot, others] += games
        for (rotation, position, kind), fault in result.first_faults.items():
            at = FaultAt(block.lineup, fault.deal, rotation, fault.step, fault.text)
            _keep_first(tally.first_faults, (block.lineup[position], int(kind)), at)

    def _new_tally(self) -> _Tally:
        bots = self.bots
        turns, faults = np.zeros(bots, dtype=np.int64), np.zeros((bots, len(Fault)), dtype=np.int64)
        net, games = (np.zeros((bots, bots), dtype=np.int64) for _ in range(2))
        return _Tally(turns, faults, net, games)

    def rows(self, lineups: Collection[Lineup] | None, is_studied: bool) -> Rows:
        """What came of it, with the incomplete deals dropped."""
        wanted = set(self.played) if lineups is None else set(lineups)
        if not set(self.played) <= wanted:
            raise ValueError(f"results of lineups not scheduled: {sorted(set(self.played) - wanted)}")
        times = self._times_played()
        deals = np.flatnonzero((times == len(wanted)) & (times > 0))
        games = np.zeros(self.bots, dtype=np.int64)
        for lineup, rotations in self.rotations.items():
            np.add.at(games, list(lineup), rotations)
        total = self._total(set(deals.tolist()))
        return Rows(
            deals=deals,
            dropped=int((times > 0).sum()) - len(deals),
            lineups=len(wanted),
            table_games=sum(self.rotations.values()) * len(deals),
            games=games,
            net=self.net[deals],
            wins=self.wins[deals],
            busts=self.busts[deals].sum(axis=0),
            largest_loss=self.loss[deals].max(axis=0, initial=0),
            turns=total.turns,
            faults=total.faults,
            first_faults=dict(sorted(total.first_faults.items())),
            meeting_net=total.meeting_net,
            meeting_games=total.meeting_games,
            seat_net=self.seat_net[deals][:, : max(map(len, self.rotations), default=0)],
            outcomes=tuple(sorted(self.outcomes, key=lambda o: (o.lineup, o.first_deal))),
            luck=self.luck[deals].transpose(1, 0, 2) if is_studied else None,
            skill=tuple(self.skill) if is_studied else None,
            mistakes=tuple(self.mistakes) if is_studied else (),
        )

    def _times_played(self) -> Int64s:
        """How many lineups have played each deal, ``(deals,)``. Raises ``ValueError`` if one did twice."""
        times = np.zeros(len(self.net), dtype=np.int64)
        for lineup, ranges in self.played.items():
            until = 0
            for first, deals in sorted(ranges):
                if first < until:
                    raise ValueError(f"lineup {lineup} has two results for deal {first}")
                until = first + deals
                times[first:until] += 1
        return times

    def _total(self, kept: set[int]) -> _Tally:
        """The tallies of ranges that hold a kept deal, together."""
        total = self._new_tally()
        for (first, deals), tally in self.tallies.items():
            if kept.isdisjoint(range(first, first + deals)):
                continue
            total.turns += tally.turns
            total.faults += tally.faults
            total.meeting_net += tally.meeting_net
            total.meeting_games += tally.meeting_games
            for key, at in tally.first_faults.items():
                _keep_first(total.first_faults, key, at)
        return total


def _keep_first(faults: dict[tuple[int, int], FaultAt], key: tuple[int, int], at: FaultAt) -> None:
    faults[key] = min(at, faults.get(key, at))
