"""Blocks in, standings out: rows by deal, from which ranks, intervals and head-to-head follow."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from arena.analysis.differences import Differences, differences, later_quantiles
from arena.analysis.intervals import Floats, Interval, intervals, of_share
from arena.analysis.ranks import deals_to_separate, groups, letters, rank_intervals, ranks
from arena.analysis.ratings import Rating, ratings
from arena.analysis.seats import SeatEffect, seat_effect
from arena.analysis.settling import Settling, settling
from arena.analysis.skill import SkillReport
from arena.analysis.stopping import sequence_differences, sequence_intervals, sequence_quantile
from arena.analysis.variates import Agreement, adjust, agreement, games_saved
from arena.bot.faults import Fault
from arena.game.rules import TableRules
from arena.tournament.other_ranking import OtherRanking, RankBy, half_width_of, other_ranking
from arena.tournament.rows import FaultAt, Rows, collect

__all__ = ["BotStanding", "FaultAt", "FaultCount", "RankBy", "Rows", "Standings", "collect", "standings"]


@dataclass(frozen=True)
class FaultCount:
    """How often a bot made one kind of fault, and the first time it did."""

    kind: Fault
    count: int
    first: FaultAt | None


@dataclass(frozen=True)
class BotStanding:
    """One line of the standings; ``bot`` is the entrant's index.

    ``rank``, ``rank_low``, ``rank_high`` and ``letters`` are None and empty where bots are not ranked, or
    where this one played no game. ``adjusted`` are chips less luck and ``wins_adjusted`` the win share with its control
    variate, both None where no luck was found; ``games_saved`` is how many raw games tell as much as one adjusted.
    ``busts`` is a share of games, ``largest_loss`` in chips of one game.
    """

    bot: int
    name: str
    rank: int | None
    rank_low: int | None
    rank_high: int | None
    chips: Interval
    adjusted: Interval | None
    games_saved: float | None
    wins: Interval
    wins_adjusted: Interval | None
    rating: Rating
    skill: SkillReport | None
    letters: str
    games: int
    turns: int
    busts: float
    largest_loss: int
    faults: tuple[FaultCount, ...]

    @property
    def n_faults(self) -> int:
        """Faults of all kinds."""
        return sum(f.count for f in self.faults)


@dataclass(frozen=True)
class Standings:
    """The ranked table with intervals; places in ``bots`` index everything else.

    ``agreement`` says whether raw and adjusted chips agree; ``pairs_saved`` is the median over pairs of bots of
    how many raw games one adjusted game saves. ``differences`` ``(bots, bots)`` are of what ``rank_by`` says (chips a
    game, or share of games won); None where bots are not ranked. ``groups`` hold places no pair of which is separated.
    ``more_deals[i]`` is about how many more deals would separate places i and i + 1: 0 if they are, None
    if unknown. ``meeting_net[i, j]`` is the sum of i's net chips over the ``meeting_games[i, j]`` games
    at tables with j. ``settling`` is of what ranks, bots by place; ``other`` ranks by the other goal, None where bots are
    not ranked.
    """

    bots: tuple[BotStanding, ...]
    rank_by: RankBy
    confidence: float
    is_ranked: bool
    is_sequence: bool  # what ranks holds at every look of a run that may stop early
    is_approximate: bool
    deals: int
    dropped_deals: int
    lineups: int
    games: int
    turns: int
    differences: Differences | None
    groups: tuple[tuple[int, ...], ...]
    more_deals: tuple[int | None, ...]
    meeting_net: tuple[tuple[int, ...], ...]
    meeting_games: tuple[tuple[int, ...], ...]
    agreement: Agreement | None
    pairs_saved: float | None
    seat_effect: SeatEffect
    settling: Settling
    other: OtherRanking | None

    def half_width(self, i: int, j: int) -> float | None:
        """That of the difference of two places, None where there is none: see ``half_width_of``."""
        return None if self.differences is None else half_width_of(self.differences, i, j, self.rank_by)

    @property
    def is_share_unsure(self) -> bool:
        """Whether there are deals, and yet too few for an interval of some bot's games won."""
        return self.deals > 1 and any(
            bot.games and bot.wins.half_width is None and not bot.wins.is_identical for bot in self.bots
        )

    @property
    def time_faults(self) -> int:
        """Decisions that were late: another run may end otherwise."""
        return sum(f.count for bot in self.bots for f in bot.faults if f.kind is Fault.LATE)


def is_approximate(deals: int, bots: int, is_adjusted: bool = False) -> bool:
    """Whether intervals are to be called approximate (statistics.md, "Differences and ranks")."""
    return deals < 200 or (deals < 500 and (bots > 12 or is_adjusted))


def standings(
    rows: Rows,
    names: Sequence[str],
    rank_by: RankBy = "chips",
    confidence: float = 0.95,
    is_ranked: bool = True,
    looked_from: int | None = None,
    rules: TableRules | None = None,
) -> Standings:
    """Who is better, by how much, and how sure that is.

    ``looked_from`` is the least number of deals before the first look of a run that looked repeatedly whether to stop: all
    that ranks then comes from the confidence sequence, which holds at every look at once. With ``rules`` the bets of
    studied blocks are graded.
    ``is_ranked=False`` is for bots that did not all meet the same field, as in a ``gauntlet``. Bots
    that played no game stand last and unranked. Raises ``ValueError`` where no deal is complete.
    """
    if len(rows.deals) == 0:
        raise ValueError("no deal was played by every lineup")
    x = ranked_rows(rows, rank_by)
    order = _order(rows, x)
    n_ranked = int((rows.games[order] > 0).sum()) if is_ranked else 0
    ranked = order[:n_ranked]
    skill = None
    if rules is not None and rows.skill is not None:
        skill = [SkillReport.of(sums, rules) for sums in rows.skill]
    diff = None
    if n_ranked > 1:
        diff = (
            differences(x[:, ranked], confidence)
            if looked_from is None
            else sequence_differences(x[:, ranked], confidence, looked_from)
        )
    found = groups(diff.separated) if diff else ()
    return Standings(
        bots=_lines(
            rows, names, order, confidence, _ranking(x[:, ranked], diff, found), (rank_by, looked_from), skill
        ),
        agreement=agreement(rows.mean_luck[:2].sum(axis=0)) if rows.luck is not None else None,
        pairs_saved=games_saved(rows.mean_chips, rows.adjusted_chips).pairs
        if rows.luck is not None
        else None,
        seat_effect=seat_effect(rows.seat_net, rows.table_games // len(rows.deals), confidence),
        settling=settling(x[:, order], confidence, looked_from),
        other=None if diff is None else _other(rows, ranked, rank_by, confidence),
        rank_by=rank_by,
        confidence=confidence,
        is_ranked=diff is not None,
        is_sequence=looked_from is not None,
        is_approximate=is_approximate(len(rows.deals), len(order), rank_by == "adjusted"),
        deals=len(rows.deals),
        dropped_deals=rows.dropped,
        lineups=rows.lineups,
        games=rows.table_games,
        turns=int(rows.turns.sum()),
        differences=diff,
        groups=found,
        more_deals=_more_deals(diff, confidence, looked_from) if diff else (),
        meeting_net=_nested(rows.meeting_net[np.ix_(order, order)]),
        meeting_games=_nested(rows.meeting_games[np.ix_(order, order)]),
    )


def ranked_rows(rows: Rows, rank_by: RankBy) -> Floats:
    """What ranks, ``(rows, bots)``. Raises ``ValueError`` for adjusted chips without studies."""
    if rank_by == "wins":
        return rows.win_share
    return rows.adjusted_chips if rank_by == "adjusted" else rows.mean_chips


def _other(
    rows: Rows, ranked: np.typing.NDArray[np.intp], rank_by: RankBy, confidence: float
) -> OtherRanking | None:
    by: RankBy = "wins" if rank_by != "wins" else "chips" if rows.luck is None else "adjusted"
    return other_ranking(ranked_rows(rows, by)[:, ranked], by, confidence)


def _order(rows: Rows, x: Floats) -> np.typing.NDArray[np.intp]:
    """Entrants from best to worst, those without a game last; ties in the order of entrants."""
    means = x.mean(axis=0)
    place = ranks(np.where(rows.games > 0, means, means.min() - 1))
    return np.lexsort((place, rows.games == 0))


@dataclass(frozen=True)
class _Ranking:
    """Rank, least and greatest rank, and letters of one bot."""

    rank: int | None = None
    low: int | None = None
    high: int | None = None
    letters: str = ""


def _ranking(x: Floats, diff: Differences | None, found: Sequence[Sequence[int]]) -> list[_Ranking]:
    """Of the columns of ``x``, which stand in order; empty if there is nothing to rank."""
    if diff is None:
        return []
    means = x.mean(axis=0)
    lows_highs = rank_intervals(means, diff.separated)
    columns = (ranks(means).tolist(), lows_highs.tolist(), letters(found, len(means)))
    return [_Ranking(rank, low, high, text) for rank, (low, high), text in zip(*columns, strict=True)]


def _lines(
    rows: Rows,
    names: Sequence[str],
    order: Iterable[int],
    confidence: float,
    ranking: Sequence[_Ranking],
    looks: tuple[RankBy, int | None],
    skill: Sequence[SkillReport] | None,
) -> tuple[BotStanding, ...]:
    """The lines of the table in ``order``; ``ranking`` is of the first of them, ``looks`` what ranks and from when it was
    looked at.
    """
    chips, wins = intervals(rows.mean_chips, confidence), intervals(rows.win_share, confidence)
    nothing: tuple[None, ...] = (None,) * len(names)
    adjusted: Sequence[Interval | None] = nothing
    wins_adjusted: Sequence[Interval | None] = nothing
    saved: Sequence[float | None] = nothing
    if rows.luck is not None:
        adjusted = intervals(rows.adjusted_chips, confidence)
        saved = games_saved(rows.mean_chips, rows.adjusted_chips).bots
        controls = adjust(rows.win_share, rows.mean_luck.transpose(1, 2, 0), rows.deals)
        wins_adjusted = intervals(controls.rows, confidence) if controls.is_adjusted else nothing
    if looks[1] is not None:  # what ranks was looked at again and again
        of = sequence_intervals(ranked_rows(rows, looks[0]), confidence, looks[1])
        chips, wins, adjusted = (
            of if looks[0] == "chips" else chips,
            of if looks[0] == "wins" else wins,
            of if looks[0] == "adjusted" else adjusted,
        )
    rated = ratings(rows.outcomes, rows.deals, len(names), confidence)
    lines = []
    for place, bot in enumerate(map(int, order)):
        at = ranking[place] if place < len(ranking) else _Ranking()
        games = int(rows.games[bot]) * len(rows.deals)
        lines.append(
            BotStanding(
                bot=bot,
                name=names[bot],
                rank=at.rank,
                rank_low=at.low,
                rank_high=at.high,
                chips=chips[bot],
                adjusted=adjusted[bot],
                games_saved=saved[bot],
                wins=of_share(wins[bot]),
                wins_adjusted=None if (share := wins_adjusted[bot]) is None else of_share(share),
                rating=rated[bot],
                skill=None if skill is None else skill[bot],
                letters=at.letters,
                games=games,
                turns=int(rows.turns[bot]),
                busts=int(rows.busts[bot]) / max(games, 1),
                largest_loss=int(rows.largest_loss[bot]),
                faults=_faults(rows, bot),
            )
        )
    return tuple(lines)


def _faults(rows: Rows, bot: int) -> tuple[FaultCount, ...]:
    """A bot's faults by kind, those it made."""
    return tuple(
        FaultCount(kind, int(rows.faults[bot, kind]), rows.first_faults.get((bot, int(kind))))
        for kind in Fault
        if kind is not Fault.NONE and rows.faults[bot, kind] > 0
    )


def _more_deals(diff: Differences, confidence: float, looked_from: int | None) -> tuple[int | None, ...]:
    """Between each bot and the next: about how many more deals would separate them."""
    mean, se = np.diagonal(diff.mean, 1).tolist(), np.diagonal(diff.se, 1).tolist()
    done, bots = np.diagonal(diff.separated, 1).tolist(), len(diff.mean)
    quantile_at: Callable[[int], float] | None = None
    if looked_from is not None:
        alpha = (1 - confidence) / (bots * (bots - 1) // 2)
        quantile_at = partial(sequence_quantile, alpha=alpha, min_deals=looked_from)
    elif diff.quantile is not None and not all(done):
        quantile_at = later_quantiles(confidence, bots, diff.deals)
    return tuple(
        0 if done[i] else deals_to_separate(mean[i], se[i], quantile_at, diff.deals) for i in range(len(done))
    )


def _nested(a: np.typing.NDArray[np.int64]) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(row) for row in a.tolist())
