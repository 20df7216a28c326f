"""The whole result for programs: ``results.json``, the same bytes from the same inputs.

``chips`` are net chips a game, ``adjusted`` the same less luck, shares are fractions, ``null`` stands where there is
nothing to say, floats have ten significant digits, bots are in the order of the standings and all else (``pairs``,
``meetings``, ``looks``, the lineups of first faults) indexes them. A ``p`` of ``p_floor`` means at most that. What each
figure is: docs/report.md.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from importlib.metadata import version
from itertools import combinations
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import numpy as np

from arena import __version__
from arena.analysis.differences import P_FLOOR
from arena.analysis.intervals import Interval
from arena.analysis.ratings import Rating
from arena.analysis.settling import Settling
from arena.analysis.stopping import LookState
from arena.game.describe import describe
from arena.report.section_answers import answers
from arena.report.text import visible, visible_lines
from arena.tournament.seeds import commitment, is_drawn, verify_line
from arena.tournament.standings import BotStanding, FaultAt, Standings

if TYPE_CHECKING:
    from arena.bot.entrant import Entrant
    from arena.tournament.answers import RunAnswers
    from arena.tournament.game_steps import Json
    from arena.tournament.spec import TournamentSpec
    from arena.tournament.tournament import Looks

FORMAT = 6
# 1: the first. 2: luck, skill, ratings, seats, meetings, looks and `stop` (with `deals` null), first faults.
# 3: skill's `lost_per_decision_chips` and `fresh_lost_per_decision_chips` were called `…_per_turn_chips`, and the last of
#    its rounds left, `limited by turns only`, was called `no limit`.
# 4: `rules` (the table in sentences, and rulings) and `settling`; nothing else changed.
# 5: `answers` (what players ask) and `telling` (games told again); nothing else changed.
# 6: `skill` counts wagers before the posts as decisions, `wager` among its gaps; told turns have `best_wager`, `wager_lost`.
#    `other_ranking`: the same bots by the other goal, games won or chips.


def results_of(
    spec: TournamentSpec,
    entrants: Sequence[Entrant],
    standings: Standings,
    looks: Looks | None = None,
    run: RunAnswers | None = None,
    telling: Sequence[Json] = (),
) -> dict[str, Any]:
    """What ``results.json`` says, in JSON's own types.

    ``run`` are answers that took the run's games to find, ``telling`` its most telling games as ``telling.told`` gives them.
    """
    places = {bot.bot: place for place, bot in enumerate(standings.bots)}
    found: dict[str, Any] = plain(
        {
            "format": FORMAT,
            "name": visible(spec.name),
            "seed": spec.seed,
            "seed_commitment": commitment_json(spec.seed),
            "table": spec.table.model_dump(mode="json"),
            "rules": {"sentences": describe(spec.table), "rulings": list(spec.rulings)},
            "tournament": {
                "seats": spec.seats,
                "schedule": spec.schedule,
                "lineups": spec.lineups,
                "against": list(spec.against),
                "deals": None if spec.stop is not None else spec.deals,
                "stop": None if spec.stop is None else spec.stop.model_dump(mode="json"),
                "rank_by": spec.rank_by,
                "confidence": spec.confidence,
                "limits": spec.limits.model_dump(mode="json"),
            },
            "played": {
                "deals": standings.deals,
                "dropped_deals": standings.dropped_deals,
                "lineups": standings.lineups,
                "games": standings.games,
                "turns": standings.turns,
            },
            "is_approximate": standings.is_approximate,
            "is_ranked": standings.is_ranked,
            "is_sequence": standings.is_sequence,
            "p_floor": P_FLOOR,
            "agreement": _agreement(standings, places),
            "pairs_saved": standings.pairs_saved,
            "bots": [_bot(bot, entrants[bot.bot], places) for bot in standings.bots],
            "groups": [list(group) for group in standings.groups],
            "more_deals": list(standings.more_deals),
            "pairs": _pairs(standings),
            "meetings": _meetings(standings),
            "looks": None if looks is None else _looks(looks, places),
            "seat_effect": _seats(standings),
            "settling": _settling(standings.settling),
            "other_ranking": None if standings.other is None else asdict(standings.other),
            "answers": [asdict(answer) for answer in answers(spec.table, standings, run)],
            "telling": [_visible(game) for game in telling],
            "versions": {"arena": __version__, "numpy": version("numpy"), "scipy": version("scipy")},
        }
    )
    return found


def _visible(game: Json) -> Json:
    return game | {"bot": visible(game["bot"]), "bots": [visible(name) for name in game["bots"]]}


def commitment_json(seed: int) -> dict[str, str] | None:
    """A drawn seed's commitment and how to check it; ``digits``, since many readers round numbers this long."""
    if not is_drawn(seed):
        return None
    return {"digits": str(seed), "sha256": commitment(seed), "verify": verify_line(seed)}


def dump(value: object) -> bytes:
    """``value`` as JSON with sorted keys that every parser takes: no NaN, ASCII, LF."""
    text = json.dumps(plain(value), sort_keys=True, indent=1, ensure_ascii=True, allow_nan=False)
    return (text + "\n").encode("ascii")


def plain(value: object) -> Any:
    """``value`` in JSON's own types: floats rounded, not-a-number as null, anything unknown as text."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float | np.floating):
        return float(f"{float(value):.10g}") + 0.0 if math.isfinite(value) else None
    if isinstance(value, np.integer | np.bool_):
        return value.item()
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, set | frozenset):
        return [plain(v) for v in sorted(value, key=repr)]
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        return [plain(v) for v in value]
    return str(value)


def _bot(bot: BotStanding, entrant: Entrant, places: Mapping[int, int]) -> dict[str, object]:
    return {
        "name": visible(bot.name),
        "file": PurePath(entrant.file).name,
        "class": entrant.class_name,
        "params": dict(entrant.params),
        "content": entrant.content,
        "rank": bot.rank,
        "rank_low": bot.rank_low,
        "rank_high": bot.rank_high,
        "chips": _interval(bot.chips),
        "adjusted": _interval(bot.adjusted),
        "games_saved": bot.games_saved,
        "win_share": _interval(bot.wins),
        "win_share_adjusted": _interval(bot.wins_adjusted),
        "rating": _rating(bot.rating),
        "skill": None if bot.skill is None else asdict(bot.skill),
        "groups": bot.letters,
        "games": bot.games,
        "turns": bot.turns,
        "bust_share": bot.busts,
        "largest_loss": bot.largest_loss,
        "faults": {fault.kind.label: fault.count for fault in bot.faults},
        "first_faults": {
            fault.kind.label: _first(fault.first, places) for fault in bot.faults if fault.first is not None
        },
    }


def _first(fault: FaultAt, places: Mapping[int, int]) -> dict[str, object]:
    """Where a fault was first made: the bots of the lineup by place in the standings."""
    return {
        "lineup": [places[bot] for bot in fault.lineup],
        "deal": fault.deal,
        "rotation": fault.rotation,
        "step": fault.step,
        "text": visible_lines(fault.text),
    }


def _interval(interval: Interval | None) -> dict[str, object] | None:
    if interval is None:
        return None
    return {
        "mean": interval.mean,
        "low": interval.low,
        "high": interval.high,
        "is_identical": interval.is_identical,
    }


def _rating(rating: Rating) -> dict[str, object]:
    return {
        "elo": rating.elo,
        "se": rating.se,
        "half_width": rating.half_width,
        "pool": rating.pool + 1,
        "reason": None if rating.reason is None else str(rating.reason),
    }


def _agreement(standings: Standings, places: Mapping[int, int]) -> dict[str, object] | None:
    found = standings.agreement
    if found is None:
        return None
    return asdict(found) | {"bot": None if found.bot is None else places[found.bot]}


def _seats(standings: Standings) -> dict[str, object]:
    found = standings.seat_effect
    return {
        "seats": None if found.seats is None else [_interval(seat) for seat in found.seats],
        "spread_chips": found.spread_chips,
        "is_shown": found.is_shown,
    }


def _settling(found: Settling) -> dict[str, object]:
    """By bot, the means of what ranks over the first deals, and half the widths of their intervals."""
    bots = zip(*found.intervals, strict=True)
    return {
        "deals": list(found.deals),
        "bots": [
            {"means": [at.mean for at in bot], "half_widths": [at.half_width for at in bot]} for bot in bots
        ],
    }


def _pairs(standings: Standings) -> list[dict[str, object]]:
    """Every pair once, the better one first."""
    diff = standings.differences
    if diff is None:
        return []
    out = []
    for i, j in combinations(range(len(diff.mean)), 2):
        out.append(
            {
                "bots": [i, j],
                "difference": diff.mean[i, j],
                "half_width": standings.half_width(i, j),
                "p": None if diff.p is None else diff.p[i, j],
                "p_holm": None if diff.p_holm is None else diff.p_holm[i, j],
                "separated": diff.separated[i, j],
                "never_varies": diff.is_constant[i, j],
            }
        )
    return out


def _meetings(standings: Standings) -> list[dict[str, object]]:
    """Every pair that sat together: in how many games, and what each won in them."""
    games, net = standings.meeting_games, standings.meeting_net
    return [
        {"bots": [i, j], "games": games[i][j], "net_chips": [net[i][j], net[j][i]]}
        for i in range(len(games))
        for j in range(i + 1, len(games))
        if games[i][j]
    ]


def _looks(looks: Looks, places: Mapping[int, int]) -> dict[str, object]:
    """Every look in short, and what the last one left."""
    last = looks.states[-1]
    return {
        "is_met": looks.met,
        "states": [_look(state) for state in looks.states],
        "unresolved": by_place(last.unresolved, places),
        "indifferent": by_place(indifferent_pairs(last), places),
        "too_wide": sorted(places[bot] for bot in last.too_wide),
        "bot_half_widths": [last.bot_half_widths[bot] for bot in places],
    }


def indifferent_pairs(state: LookState) -> list[list[int]]:
    """The pairs of entrants that are as good as equal."""
    found: list[list[int]] = np.argwhere(np.triu(state.indifferent)).tolist()
    return found


def by_place(pairs: Sequence[Sequence[int]], places: Mapping[int, int]) -> list[list[int]]:
    """Pairs of entrants as pairs of places in the standings, the better bot first.

    >>> by_place([(0, 1), (0, 2)], {0: 2, 1: 0, 2: 1})
    [[0, 2], [1, 2]]
    """
    return sorted(sorted(places[bot] for bot in pair) for pair in pairs)


def _look(state: LookState) -> dict[str, object]:
    return {
        "deals": state.deals,
        "is_met": state.met,
        "separated": np.triu(state.separated).sum(),
        "indifferent": len(indifferent_pairs(state)),
        "unresolved": len(state.unresolved),
        "too_wide": len(state.too_wide),
        "widest_pair": state.half_widths.max(initial=0.0),
        "widest_bot": state.bot_half_widths.max(initial=0.0),
    }
