"""The whole result for programs: ``results.json``, the same bytes from the same inputs.

Format 1: the first. ``chips`` are net chips a game, shares are fractions, ``null`` stands where there is
nothing to say, floats have ten significant digits, bots are in the order of the standings and pairs index
them. A ``p`` of ``p_floor`` means at most that.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import numpy as np

from arena import __version__
from arena.analysis.differences import P_FLOOR
from arena.analysis.intervals import Interval
from arena.report.text import visible
from arena.tournament.standings import BotStanding, Standings

if TYPE_CHECKING:
    from arena.bot.entrant import Entrant
    from arena.tournament.spec import TournamentSpec

FORMAT = 1


def results_json(spec: TournamentSpec, entrants: Sequence[Entrant], standings: Standings) -> bytes:
    """``results.json``: strictly valid JSON, sorted keys, ASCII, LF."""
    return dump(
        {
            "format": FORMAT,
            "name": visible(spec.name),
            "seed": spec.seed,
            "table": spec.table.model_dump(mode="json"),
            "tournament": {
                "seats": spec.seats,
                "schedule": spec.schedule,
                "lineups": spec.lineups,
                "against": list(spec.against),
                "deals": spec.deals,
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
            "p_floor": P_FLOOR,
            "bots": [_bot(bot, entrants[bot.bot]) for bot in standings.bots],
            "groups": [list(group) for group in standings.groups],
            "more_deals": list(standings.more_deals),
            "pairs": _pairs(standings),
            "versions": {"arena": __version__, "numpy": version("numpy"), "scipy": version("scipy")},
        }
    )


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


def _bot(bot: BotStanding, entrant: Entrant) -> dict[str, object]:
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
        "win_share": _interval(bot.wins),
        "groups": bot.letters,
        "games": bot.games,
        "turns": bot.turns,
        "bust_share": bot.busts,
        "largest_loss": bot.largest_loss,
        "faults": {fault.kind.label: fault.count for fault in bot.faults},
    }


def _interval(interval: Interval) -> dict[str, object]:
    return {
        "mean": interval.mean,
        "low": interval.low,
        "high": interval.high,
        "is_identical": interval.is_identical,
    }


def _pairs(standings: Standings) -> list[dict[str, object]]:
    """Every pair once, the better one first."""
    diff = standings.differences
    if diff is None:
        return []
    out = []
    for i, j in zip(*np.triu_indices(len(diff.mean), 1), strict=True):
        has_interval = diff.half_width is not None and not diff.is_constant[i, j]
        half = diff.half_width[i, j] if diff.half_width is not None and has_interval else None
        out.append(
            {
                "bots": [i, j],
                "difference": diff.mean[i, j],
                "half_width": half,
                "p": None if diff.p is None else diff.p[i, j],
                "p_holm": None if diff.p_holm is None else diff.p_holm[i, j],
                "separated": diff.separated[i, j],
                "never_varies": diff.is_constant[i, j],
            }
        )
    return out
