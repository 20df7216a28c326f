"""Runs set side by side: how bots that took part in all of them fared, and whether their order is another.

The first run is the one that the others are compared with. All intervals and verdicts of a comparison hold together at its
confidence: with R runs, 1 − confidence is shared out evenly over the orders of R runs, and over the changes of bots and of
bots' leads over each other in R − 1 of them; where bots are not ranked, over the changes of bots alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np

from arena.analysis.changes import Change, changes, leads
from arena.analysis.differences import Differences, differences
from arena.analysis.intervals import Floats
from arena.analysis.ranks import rank_intervals
from arena.bot.versions import unversioned
from arena.errors import ArenaError, nearest
from arena.report.past_run import PastRun
from arena.report.text import flat_keys, plural
from arena.tournament.standings import RankBy, is_approximate, ranked_rows
from arena.tournament.tournament import Held

Player = tuple[str, ...]  # what one bot is called, by run
Verdict = Literal["same", "reversed", "unsure"]


@dataclass(frozen=True)
class Lead:
    """By how much one bot is ahead of another in one run; ``is_sure``: the interval excludes 0."""

    mean: float
    half_width: float | None
    is_sure: bool


@dataclass(frozen=True)
class BotChange:
    """A bot in the first run and in another, ``Wide@1 → Wide@2`` where these are versions of it.

    ``ranks`` are its rank ranges there among the bots compared.
    """

    name: str
    is_same_code: bool
    means: tuple[float, float]
    ranks: tuple[tuple[int, int], tuple[int, int]] | None
    change: Change


@dataclass(frozen=True)
class PairChange:
    """Two bots, by index into the bots compared: the first one's lead over the second in either run, and its change."""

    bots: tuple[int, int]
    leads: tuple[Lead, Lead]
    change: Change
    verdict: Verdict

    @property
    def is_flipped(self) -> bool:
        """Whether the best estimates of the two runs disagree on who is ahead, be that sure or not."""
        return self.leads[0].mean * self.leads[1].mean < 0


@dataclass(frozen=True)
class Versus:
    """One run against the first one. ``bots`` are in the order of the first run; ``pairs`` is empty where nothing ranks."""

    run: int
    is_paired: bool
    deals: int
    notes: tuple[str, ...]
    bots: tuple[BotChange, ...]
    pairs: tuple[PairChange, ...]

    def count(self, verdict: Verdict) -> int:
        """How many pairs of bots have this verdict."""
        return sum(pair.verdict == verdict for pair in self.pairs)


@dataclass(frozen=True)
class Comparison:
    """Runs side by side: ``labels`` of all, what was played in ``facts``, and each but the first against the first."""

    labels: tuple[str, ...]
    facts: tuple[str, ...]
    by: RankBy
    confidence: float
    is_approximate: bool
    is_stopped: bool
    versus: tuple[Versus, ...]


def compare(
    runs: Sequence[PastRun], held: Sequence[Held], by: RankBy | None = None, bots: Sequence[str] = ()
) -> Comparison:
    """Runs and what they gave, side by side; ``by`` is what is compared (None: what ranks the first), ``bots`` which alone.

    Raises ``ArenaError`` for runs that share no bot, and for bots that are not in all of them.
    """
    players = _shared(runs, bots)
    by = by or runs[0].spec.rank_by
    confidence = runs[0].spec.confidence
    columns = [[run.names.index(player[k]) for player in players] for k, run in enumerate(runs)]
    rows = [ranked_rows(h.rows, by)[:, at] for h, at in zip(held, columns, strict=True)]
    is_ranked = len(players) > 1 and all(h.standings.is_ranked for h in held)
    families = 3 * len(runs) - 2 if is_ranked else len(runs) - 1
    each = 1 - (1 - confidence) / families
    orders = [differences(x, each) if is_ranked else None for x in rows]
    order = np.argsort(-rows[0].mean(axis=0), kind="stable")
    labels = _labels(runs)
    return Comparison(
        labels=labels,
        facts=tuple(_facts(run) for run in runs),
        by=by,
        confidence=confidence,
        is_approximate=any(is_approximate(len(x), len(players), by == "adjusted") for x in rows),
        is_stopped=any(run.spec.stop is not None for run in runs),
        versus=tuple(
            _versus(k, runs, held, rows, orders, [players[i] for i in order], order, each, by)
            for k in range(1, len(runs))
        ),
    )


def _shared(runs: Sequence[PastRun], wanted: Sequence[str]) -> list[Player]:
    """The bots to compare: those of all runs, or those wanted, by full name or without its version."""
    shared = _players(runs)
    if not shared:
        labels = _labels(runs)
        listed = "; ".join(
            f"{label}: {', '.join(run.names)}" for label, run in zip(labels, runs, strict=True)
        )
        raise ArenaError(f"these runs share no bot, by name ({listed}); nothing can be compared")
    known = {name: player for player in shared for name in (unversioned(player[0]), *player)}
    unknown = [name for name in wanted if name not in known]
    if unknown:
        raise ArenaError(
            f'--bots: "{name}" is not in all of these runs{nearest(name, known)} (shared: {", ".join(known)})'
            for name in unknown
        )
    return list(dict.fromkeys(known[name] for name in wanted)) or shared


def _players(runs: Sequence[PastRun]) -> list[Player]:
    """Bots of one name in all runs; then those of which each run has one other version."""
    same = [name for name in runs[0].names if all(name in run.names for run in runs)]
    rest = [[name for name in run.names if name not in same] for run in runs]
    players: list[Player] = [(name,) * len(runs) for name in same]
    for bot in dict.fromkeys(map(unversioned, rest[0])):
        found = [[name for name in names if unversioned(name) == bot] for names in rest]
        if all(len(names) == 1 for names in found):
            players.append(tuple(name for [name] in found))
    return players


def _versus(
    k: int,
    runs: Sequence[PastRun],
    held: Sequence[Held],
    rows: Sequence[Floats],
    orders: Sequence[Differences | None],
    players: Sequence[Player],
    order: Any,
    confidence: float,
    by: RankBy,
) -> Versus:
    """Run ``k`` against the first; ``players`` and ``order`` are the bots compared, best of the first run first."""
    x, y = rows[0][:, order], rows[k][:, order]
    is_paired = runs[0].spec.seed == runs[k].spec.seed
    if is_paired:
        deals, at, to = np.intersect1d(held[0].rows.deals, held[k].rows.deals, return_indices=True)
        a, b = x[at], y[to]
    else:
        deals, a, b = np.arange(min(len(x), len(y))), x, y
    first, other = (None if (d := orders[i]) is None else _Order(d, order, rows[i]) for i in (0, k))
    of_bots = changes(a, b, confidence, is_paired)
    pairs_of_names = [(player[0], player[k]) for player in players]
    bots = tuple(
        BotChange(
            was if was == now else f"{was} → {now}",
            _content(runs[0], was) == _content(runs[k], now),
            (float(x[:, i].mean()), float(y[:, i].mean())),
            None if first is None or other is None else (first.ranks[i], other.ranks[i]),
            of_bots[i],
        )
        for i, (was, now) in enumerate(pairs_of_names)
    )
    pairs: tuple[PairChange, ...] = ()
    if first is not None and other is not None:
        of_leads = changes(leads(a), leads(b), confidence, is_paired)
        pairs = tuple(
            _pair(i, j, first.lead(i, j), other.lead(i, j), change)
            for (i, j), change in zip(combinations(range(len(players)), 2), of_leads, strict=True)
        )
    labels = _labels(runs)
    notes = tuple(
        _notes(
            (runs[0], runs[k]), (labels[0], labels[k]), pairs_of_names, by, len(deals) if is_paired else None
        )
    )
    return Versus(k, is_paired, len(deals), notes, bots, pairs)


class _Order:
    """One run's bots in the order of the first run."""

    def __init__(self, found: Differences, order: Any, x: Floats) -> None:
        self._found, self._order = found, order
        ranges = rank_intervals(x.mean(axis=0), found.separated)[order]
        self.ranks = [(int(low), int(high)) for low, high in ranges]

    def lead(self, i: int, j: int) -> Lead:
        """The lead of one over another."""
        a, b = self._order[i], self._order[j]
        half = (
            None
            if self._found.half_width is None or self._found.is_constant[a, b]
            else self._found.half_width[a, b]
        )
        return Lead(
            float(self._found.mean[a, b]),
            None if half is None else float(half),
            bool(self._found.separated[a, b]),
        )


def _pair(i: int, j: int, first: Lead, other: Lead, change: Change) -> PairChange:
    verdict: Verdict = "unsure"
    if first.is_sure and other.is_sure:
        verdict = "same" if first.mean * other.mean > 0 else "reversed"
    return PairChange((i, j), (first, other), change, verdict)


def _content(run: PastRun, name: str) -> str:
    return run.entrants[run.names.index(name)].content


def _labels(runs: Sequence[PastRun]) -> tuple[str, ...]:
    """What runs are called here: their folders' names, or whole paths where these are alike."""
    short = [run.folder.resolve().name for run in runs]
    return tuple(
        str(run.folder) if short.count(name) > 1 else name for name, run in zip(short, runs, strict=True)
    )


def _facts(run: PastRun) -> str:
    spec = run.spec
    return (
        f"{plural(run.deals, 'deal')}, seed {spec.seed}, {plural(len(run.entrants), 'bot')}, {spec.seats} seats, "
        f"{spec.schedule.replace('_', ' ')}"
    )


def _notes(
    runs: tuple[PastRun, PastRun],
    labels: tuple[str, str],
    players: Sequence[tuple[str, str]],
    by: RankBy,
    shared: int | None,
) -> Iterator[str]:
    """What differs between two runs beside the figures; ``players`` are what the bots compared are called in either.

    ``shared`` deals were compared in pairs, None: as independent samples.
    """
    first, other = runs
    was, now = _table(first), _table(other)  # a key that only some tables have is not in all
    table = [
        f"{key} {was.get(key, 'none')} → {now.get(key, 'none')}"
        for key in was | now
        if was.get(key, "none") != now.get(key, "none")
    ]
    yield f"Tables differ: {'; '.join(table)}." if table else "The tables are the same."
    if by != "wins" and any(was[key] != now[key] for key in ("chips", "ante.amount", "bank")):
        yield "Chips of these tables are not of one size; games won are: --by wins."
    for key in ("seats", "schedule", "lineups", "against"):
        old, new = (_plain(getattr(run.spec, key)) for run in (first, other))
        if old != new:
            yield f"{key} {old} → {new}."
    changed = [b for a, b in players if _content(first, a) != _content(other, b)]
    if changed:
        yield f"Other code or parameters: {', '.join(changed)}."
    for k, met in enumerate(({a for a, _ in players}, {b for _, b in players})):
        alone = [name for name in runs[k].names if name not in runs[1 - k].names and name not in met]
        if alone:
            yield f"Only in {labels[k]}: {', '.join(alone)}; a change may be that of the field."
    if first.deals != other.deals:
        means = (
            ""
            if shared is None
            else f"; means are of all of a run's own, changes of the {shared:,} that both have"
        )
        yield f"Deals: {first.deals:,} and {other.deals:,}{means}."


def _table(run: PastRun) -> dict[str, str]:
    """Dotted keys and values of a table's rules; payouts, of which there are as many as gaps, in one line."""
    table: dict[str, Any] = run.spec.table.model_dump(mode="json")
    odds = (f"{odds} to 1 at {gap}" for gap, odds in (table.get("payouts") or {}).items())
    return dict(flat_keys(table | {"payouts": ", ".join(odds) or "none"}))


def _plain(value: object) -> str:
    """What a tournament's key says, in words."""
    if isinstance(value, tuple):
        return ", ".join(value) or "none"
    return "none" if value is None else str(value).replace("_", " ")
