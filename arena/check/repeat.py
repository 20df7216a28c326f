"""Whether a bot's answers depend on nothing but its games: the same deals played again, and cut into other batches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from arena.bot.host import Host
from arena.bot.seat import BotOutError
from arena.check.bench import BOT, OTHER, Bench
from arena.check.decisions import Decision, decisions_at
from arena.check.ended import out_finding, where_it_ends
from arena.check.findings import Finding, Kind
from arena.check.pace import Stopwatch
from arena.game.questions import ASK_ACE_1, ASK_ACE_2, ASK_BET, ASK_PAIR, ASK_WAGER
from arena.game.rules import TableRules
from arena.tournament.blocks import Block, BlockResult
from arena.tournament.match import answer_at

SINGLE, CUT = 12, 64  # games played one by one first, then so many at a time
_AGAIN, _ELSEWHERE = 0, 1  # servers: the one that played first, and one that hashes and lies otherwise
_NEEDS_A_STATE = (
    "keep state in self, set as a game starts (start), and take chance from turn.uniform() or self.rng"
)
_FROM_OUTSIDE = "the clock, or chance that is not seeded? Take chance from turn.uniform() or self.rng"
_FROM_ORDER = "the order of a set, hash() or id()? Sort what a set gives"


def whole(deals: int) -> list[Block]:
    """All deals at once."""
    return [Block((BOT, OTHER), 0, deals)]


def cut(deals: int) -> list[Block]:
    """The same deals one by one, then in parts."""
    ends = [*range(min(SINGLE, deals) + 1), *range(SINGLE + CUT, deals, CUT)]
    ends += [deals] * (ends[-1] < deals)
    return [Block((BOT, OTHER), a, b - a) for a, b in pairwise(ends)]


def repeat(
    bench: Bench, preset: str, rules: TableRules, first: BlockResult, watch: Stopwatch
) -> list[Finding]:
    """What differs from ``first``, all deals at once, when they are played elsewhere, and in other batches.

    ``watch`` times the decisions that are asked alone.
    """
    deals = first.block.deals
    if found := _compare(bench, preset, rules, first, whole(deals), _ELSEWHERE):
        again = _compare(bench, preset, rules, first, whole(deals), _AGAIN)
        why = _FROM_OUTSIDE if again else _FROM_ORDER
        return [_finding(Kind.CHANGES, "in a second run of the same deals", found, why)]
    if found := _compare(bench, preset, rules, first, cut(deals), _AGAIN, watch.timed):
        return [_finding(Kind.BATCH, "when fewer games are played at once", found, _NEEDS_A_STATE)]
    return []


@dataclass(frozen=True)
class _Differs:
    """The first decision that differs; both answers; how many of the games differ."""

    decision: Decision
    answers: tuple[str, str]
    games: int
    of: int


def _finding(kind: Kind, when: str, found: _Differs | Finding, why: str) -> Finding:
    if isinstance(found, Finding):
        return found
    first, second = found.answers
    sentence = (
        f"answers change {when}: {found.decision}: {first}, then {second} "
        f"({found.games:,} of {found.of:,} games differ; {why})"
    )
    return Finding(kind, sentence, found.decision.preset, found.decision, found.answers)


def _compare(
    bench: Bench,
    preset: str,
    rules: TableRules,
    first: BlockResult,
    blocks: Sequence[Block],
    server: int,
    wrap: Callable[[Host], Host] = lambda host: host,
) -> _Differs | Finding | None:
    results = bench.play(rules, blocks, server, wrap)
    if isinstance(results, BotOutError):
        ended = where_it_ends(results, bench, preset, rules, blocks, server)
        return out_finding(preset, results, " in a run of the same deals, and not in the first", ended)
    steps = max(r.bets.shape[1] for r in [first, *results])
    told = [
        [_steps(getattr(r, name), steps) for name in ("bets", "calls", "wagers")] for r in [first, *results]
    ]
    one, other = told[0], [np.concatenate(parts, axis=2) for parts in zip(*told[1:], strict=True)]
    differs = np.any([a != b for a, b in zip(one, other, strict=True)], axis=0)
    games = differs.any(axis=1)  # (rotations, deals)
    if not games.any():
        return None
    deal = int(games.any(axis=0).argmax())
    rotation = int(games[:, deal].argmax())
    step = int(differs[rotation, :, deal].argmax())
    asked = decisions_at(preset, rules, first, rotation, deal, step)
    at = (rotation, step, deal)
    words = {what: [answer_at(what, *(int(k[at]) for k in kept)) for kept in (one, other)] for what in asked}
    what = next(w for w in _ORDER if w in words and words[w][0] != words[w][1])
    return _Differs(asked[what], (words[what][0], words[what][1]), int(games.sum()), games.size)


_ORDER = (ASK_WAGER, ASK_ACE_1, ASK_ACE_2, ASK_PAIR, ASK_BET)


def _steps(kept: npt.NDArray[Any], steps: int) -> npt.NDArray[Any]:
    """Answers ``(rotations, steps, deals)`` with so many steps."""
    return np.pad(kept, ((0, 0), (0, steps - kept.shape[1]), (0, 0)))
