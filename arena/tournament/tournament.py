"""A tournament held: blocks played, studied, looked at, and summed up in standings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import comb
from typing import Protocol

import numpy as np
import numpy.typing as npt

from arena.analysis.stakes import CELLS, FOLDS, LEAST_DEALS, expected_stakes
from arena.analysis.stopping import LookState, RuleHalfWidth, RuleRanked, least_min_deals, looks, state
from arena.bot.entrant import Entrant
from arena.errors import ArenaError
from arena.tournament.blame import Lost
from arena.tournament.blocks import Block, BlockResult
from arena.tournament.executors import Out, Setup, code_of, limits_of
from arena.tournament.plan import Plan, nothing_stored
from arena.tournament.rows import Rows, collect
from arena.tournament.runner import Progress, Run, block_deals
from arena.tournament.schedule import Lineup
from arena.tournament.spec import Stop, TournamentSpec
from arena.tournament.standings import Standings, ranked_rows, standings
from arena.tournament.store import Shelf
from arena.tournament.study import BlockStudy

_STRIDE = (
    1000  # deals between two ends of play, once there are as many: each end costs every bot a new process
)


@dataclass(frozen=True)
class Looks:
    """How a run that may stop early went: every look up to the one that stopped it, or the last."""

    stop: Stop
    states: tuple[LookState, ...]

    @property
    def met(self) -> bool:
        """Whether the rule was met before the deals ran out."""
        return self.states[-1].met


@dataclass(frozen=True)
class Held:
    """A tournament that is over. ``out`` are entrants that could be asked no more, ``lost`` blocks played anew by others."""

    standings: Standings
    rows: Rows
    results: tuple[BlockResult, ...]
    looks: Looks | None
    out: Out
    lost: tuple[Lost, ...]
    isolation: str  # the locks on bots' processes, in words; ``none``


def setup_of(spec: TournamentSpec, entrants: Sequence[Entrant], is_trusted: bool) -> Setup:
    """What workers need to play this tournament."""
    limits = spec.limits
    return Setup(
        tuple(map(code_of, entrants)),
        spec.table,
        spec.seed,
        limits.faults,
        limits_of(limits),
        is_trusted,
    )


def with_first_look(spec: TournamentSpec, bots: int) -> TournamentSpec:
    """The spec with the deals before the first look filled in. Raises ``ArenaError`` where those written are too few."""
    if spec.stop is None:
        return spec
    least = least_min_deals(spec.rank_by == "adjusted", bots)
    given = spec.stop.min_deals
    if given is not None and given < least:
        why = "intervals that are looked at again and again keep their promise only from there on"
        text = f"expected at least {least} for {bots} bots and rank_by: {spec.rank_by}, got {given}; {why}"
        raise ArenaError(spec.problem("stop.min_deals", text))
    if spec.stop.max_deals < least:
        text = f"expected at least {least} deals, where the first look is, got {spec.stop.max_deals}"
        raise ArenaError(spec.problem("stop.max_deals", text))
    return spec.model_copy(update={"stop": spec.stop.model_copy(update={"min_deals": given or least})})


def hold(
    spec: TournamentSpec,
    entrants: Sequence[Entrant],
    lineups: Sequence[Lineup],
    workers: int,
    is_trusted: bool,
    progress: Progress,
    say: Callable[[str], None] = lambda _: None,
    shelf: Shelf | None = None,
) -> Held:
    """Play a tournament to its end, by ``spec.deals`` or by ``spec.stop``, which :func:`with_first_look` has completed.

    ``say`` takes what bots' processes are locked with (``none``), before anything is played. What is on ``shelf`` is not
    played again; nothing in what comes out tells what was.
    """
    with Run(setup_of(spec, entrants, is_trusted), workers, say, shelf) as run:
        return hold_by(run, spec, entrants, lineups, progress, shelf)


class Playing(Protocol):
    """Who plays blocks and studies them: a ``Run``, or ``recall.Recalled``, which only knows what is stored."""

    @property
    def out(self) -> Out: ...

    @property
    def lost(self) -> list[Lost]: ...

    isolation: str

    def play(
        self, blocks: Sequence[Block], progress: Progress, fresh: Sequence[Block] | None = None
    ) -> list[BlockResult]: ...

    def study(
        self, results: Sequence[BlockResult], stakes: npt.NDArray[np.float64] | None
    ) -> list[BlockStudy]: ...


def hold_by(
    run: Playing,
    spec: TournamentSpec,
    entrants: Sequence[Entrant],
    lineups: Sequence[Lineup],
    progress: Progress,
    shelf: StoredBlocks | None = None,
) -> Held:
    """The tournament that ``run`` plays; see :func:`hold`."""
    table = _Table(spec, entrants, lineups, run, progress, shelf)
    found = None if spec.stop is None else _until(spec.stop, table)
    if found is None:
        table.play_to(spec.deals)
        table.cut(spec.deals)
        table.learn(spec.deals)
    rows = table.rows()
    summed = standings(
        rows,
        [e.name for e in entrants],
        spec.rank_by,
        spec.confidence,
        is_ranked=spec.schedule != "gauntlet" or len(lineups) == comb(len(entrants), spec.seats),
        looked_from=None if found is None else found.stop.min_deals,
        rules=spec.table,
    )
    return Held(summed, rows, tuple(table.results), found, run.out, tuple(run.lost), run.isolation)


def most_deals(spec: TournamentSpec) -> int:
    """The deals that a tournament plays at the most."""
    return spec.deals if spec.stop is None else spec.stop.max_deals


class StoredBlocks(Protocol):
    """What tells which blocks were played before: a ``Shelf``, or who looks into one."""

    def blocks(self, lineup: Lineup) -> Mapping[int, Sequence[int]]: ...


def plan_of(spec: TournamentSpec, lineups: Sequence[Lineup], shelf: StoredBlocks | None = None) -> Plan:
    """What is to be played, nothing of it planned yet; ``shelf`` has what was played before."""
    most = most_deals(spec)
    stored = nothing_stored if shelf is None else shelf.blocks
    return Plan(lineups, block_deals(most, spec.seats, spec.table), most, stored)


class _Table:
    """A tournament under way: deals played so far, what came of them, and what was luck."""

    def __init__(
        self,
        spec: TournamentSpec,
        entrants: Sequence[Entrant],
        lineups: Sequence[Lineup],
        run: Playing,
        progress: Progress,
        shelf: StoredBlocks | None,
    ) -> None:
        self.spec, self._bots, self._run = spec, len(entrants), run
        self._plan, self._fresh = plan_of(spec, lineups, shelf), plan_of(spec, lineups)
        self._progress = progress
        self._contents = [entrant.content for entrant in entrants]
        self._learned = 0  # deals that the stakes were learned from
        self._stakes: npt.NDArray[np.float64] | None = None
        self._studies: dict[int, BlockStudy] = {}
        self.results: list[BlockResult] = []

    @property
    def twins(self) -> list[tuple[int, int]]:
        """Pairs that cannot differ: the same code and parameters, or both out and played by default answers."""
        told = ["out" if i in self._run.out else content for i, content in enumerate(self._contents)]
        return [(i, j) for j in range(len(told)) for i in range(j) if told[i] == told[j]]

    def play_to(self, deals: int) -> bool:
        """Play on until every lineup has played ``deals`` deals. Whether a bot has fallen out meanwhile.

        If so its games were played anew, the earlier ones too: nothing learned, studied or looked at before holds. Stored
        deals beyond come too.
        """
        out = len(self._run.out)
        self.results = self._run.play(self._plan.reach(deals), self._progress, self._fresh.reach(deals))
        if is_anew := len(self._run.out) > out:
            self._learned, self._studies, self._stakes = 0, {}, None
        return is_anew

    def learn(self, deals: int) -> bool:
        """Learn the stakes to expect from the first ``deals`` deals, if these are twice those learned from or more.

        Whether they were learned. So the luck at a look depends on no deal after it, however far play has gone.
        """
        if is_due := deals >= 2 * self._learned:
            self._expect(deals)
        return is_due

    def _expect(self, deals: int) -> None:
        """Expect the stakes of the first ``deals`` deals; all of the luck is to be found anew."""
        self._learned, self._studies, self._stakes = deals, {}, None
        if deals < LEAST_DEALS:
            return
        sums = np.zeros((self._bots, 2, FOLDS, CELLS), dtype=np.int64)
        for result in (r.until(deals) for r in self.results if r.block.first_deal < deals):
            sums[list(result.block.lineup)] += result.stakes.sum(axis=2)
        self._stakes = expected_stakes(sums)

    def _study_new(self) -> None:
        new = [i for i in range(len(self.results)) if i not in self._studies]
        found = self._run.study([self.results[i] for i in new], self._stakes)
        self._studies.update(zip(new, found, strict=True))

    def rows(self) -> Rows:
        """One row a deal, of everything played, its luck found by the stakes learned last."""
        self._study_new()
        studies = [self._studies[i] for i in range(len(self.results))]
        return collect(self.results, self._bots, self.spec.table.chips, self._plan.lineups, studies)

    def cut(self, deals: int) -> None:
        """Forget all deals from ``deals`` on."""
        kept = [i for i, r in enumerate(self.results) if r.block.first_deal < deals]
        heads = [self.results[i].until(deals) for i in kept]
        whole = {k: i for k, i in enumerate(kept) if heads[k].block == self.results[i].block}
        self._studies = {k: self._studies[i] for k, i in whole.items() if i in self._studies}
        self.results = heads


def _until(stop: Stop, table: _Table) -> Looks:
    """Play and look until the rule is met, at the first prefix of deals on the grid that meets it, or the deals run out.

    What was played beyond that prefix is forgotten, or the result would depend on how play is cut. Where games were played
    anew, all looks are taken anew, from the first on: they are to be of the games that are reported.
    """
    rule = RuleRanked(stop.indifferent_chips) if stop.chips is None else RuleHalfWidth(stop.chips)
    assert stop.min_deals is not None, "with_first_look fills it in"
    grid = looks(stop.min_deals, stop.max_deals)
    seen: list[LookState] = []
    end = 0
    while not seen or (not seen[-1].met and end < stop.max_deals):
        reach = max(grid[0], min(2 * end, end + _STRIDE))
        begin, end = end, next((look for look in grid if look >= reach), stop.max_deals)
        if table.play_to(end):
            seen, begin = [], 0
        x: npt.NDArray[np.float64] | None = None
        for deals in (look for look in grid if begin < look <= end):
            if table.learn(deals) or x is None:
                x = ranked_rows(table.rows(), table.spec.rank_by)
            seen.append(state(x[:deals], rule, table.spec.confidence, stop.min_deals, table.twins))
            if seen[-1].met:
                table.cut(deals)
                break
    if not seen[-1].met:
        table.cut(stop.max_deals)
    return Looks(stop, tuple(seen))
