"""A duel: two bots head to head until one is better, or it is sure that neither is by much."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from arena.analysis.stopping import least_min_deals
from arena.bot.entrant import BotSource, Entrant, able, find_entrants, parse_bot
from arena.errors import ArenaError, Problem, nearest
from arena.tournament.runner import Progress
from arena.tournament.schedule import spec_lineups
from arena.tournament.spec import Stop, TournamentSpec, share_problem
from arena.tournament.standings import BotStanding
from arena.tournament.tournament import Held, hold, with_first_look


class Verdict(StrEnum):
    """What a duel says of the bot named first."""

    BETTER = "better"
    WORSE = "worse"
    EQUAL = "equal"  # surely within the band of indifference
    IDENTICAL = "identical"  # every deal ended alike, to the last
    UNRESOLVED = "unresolved"


@dataclass(frozen=True)
class Duel:
    """Two bots, in the order they were named, and the tournament that decides between them."""

    spec: TournamentSpec
    pair: tuple[Entrant, Entrant]


@dataclass(frozen=True)
class Decided:
    """How a duel ended, and the two bots' lines in the order they were named.

    ``difference`` is the first bot's mean less the second's, in what ranks; ``half_width`` is that of the confidence
    sequence, None where every deal gave the same difference.
    """

    verdict: Verdict
    difference: float
    half_width: float | None
    bots: tuple[BotStanding, BotStanding]
    held: Held


def duel_of(base: TournamentSpec, texts: tuple[str, str], max_deals: int, indifferent: float) -> Duel:
    """The duel of the bots that two texts name, by the table, limits, confidence and ranking of ``base``.

    ``indifferent`` is in chips, or where wins rank a share of games. Raises ``ArenaError`` where a text names no bot, or
    both the same, where ``max_deals`` are too few, and where that share is none.
    """
    found: list[Entrant] = []
    problems: list[Problem] = []
    for text in texts:
        try:
            found.append(pick(text, base.bots))
        except ArenaError as error:
            problems += error.problems
    least = least_min_deals(base.rank_by == "adjusted", 2)
    if max_deals < least:
        problems.append(
            Problem(f"--max-deals: expected at least {least}, where the first look is, got {max_deals}")
        )
    if base.rank_by == "wins" and (problem := share_problem(indifferent)):
        problems.append(Problem(f"--indifferent: {problem}"))
    if problems:
        raise ArenaError(dict.fromkeys(problems))
    first, second = found
    if first.content == second.content:
        what = f'"{texts[0]}" and "{texts[1]}" are the same bot: the same code, class and parameters'
        raise ArenaError(f"{what}; name another, or other parameters: file.py:Class(threshold=7)")
    if first.name == second.name:
        first, second = (replace(bot, name=text) for bot, text in zip(found, texts, strict=True))
    return Duel(_spec(base, (first, second), max_deals, indifferent), (first, second))


def _spec(
    base: TournamentSpec, pair: tuple[Entrant, Entrant], max_deals: int, indifferent: float
) -> TournamentSpec:
    sources = tuple(BotSource(e.file, e.class_name, e.name, dict(e.params)) for e in pair)
    spec = TournamentSpec(
        name="duel",
        seed=base.seed,
        table=base.table,
        bots=sources,
        stop=Stop(when="ranked", indifferent_chips=indifferent, max_deals=max_deals),
        rank_by=base.rank_by,
        confidence=base.confidence,
        limits=base.limits,
    )
    return with_first_look(spec, 2)


def pick(text: str, roster: Sequence[BotSource]) -> Entrant:
    """The one bot that ``text`` names: as ``file.py`` and so on, or by its name among those of ``roster``.

    Raises ``ArenaError`` where there is none, or more than one.
    """
    source = parse_bot(text, Path())
    if source.path.suffix != ".py":
        return _by_name(text, roster)
    entrants, problems = find_entrants([source])
    if problems:
        raise ArenaError(problems)
    if len(entrants) > 1:
        names = sorted(entrant.class_name for entrant in entrants)
        raise ArenaError(
            f"{text} has {len(names)} bots ({', '.join(names)}); say which one: {text}:{names[0]}"
        )
    return entrants[0]


def _by_name(name: str, roster: Sequence[BotSource]) -> Entrant:
    if not any(source.path.exists() for source in roster):
        where = roster[0].path  # no word of the name: of two names that is one sentence
        way_out = f"run it where {where}/ is, or name a file (file.py, file.py:Class), or a tournament file with --config"
        raise ArenaError(f"there is no folder {where} here to look up names of bots in; {way_out}")
    entrants, problems = find_entrants(roster)
    for entrant in entrants:
        if entrant.name == name:
            return entrant
    names = sorted(entrant.name for entrant in entrants)
    sentence = f'no bot is called "{name}"{nearest(name, names)} (bots: {", ".join(names) or "none"})'
    raise ArenaError([*problems, sentence])


def fight(
    duel: Duel,
    workers: int,
    is_trusted: bool,
    progress: Progress,
    say: Callable[[str], None] = lambda _: None,
) -> Decided:
    """Play a duel to its end; ``say`` as in ``hold``."""
    _, elsewhere = able(duel.pair, duel.spec.table.bank)
    if elsewhere:
        raise ArenaError(elsewhere)
    entrants = sorted(duel.pair, key=lambda e: (e.content, e.name))
    lineups = spec_lineups(duel.spec, entrants)
    held = hold(duel.spec, entrants, lineups, workers, is_trusted, progress, say)
    return decided(held, entrants.index(duel.pair[0]))


def decided(held: Held, first: int) -> Decided:
    """What a tournament of two says of the entrant with the index ``first``."""
    table, looks = held.standings, held.looks
    assert looks is not None, "a duel is always stopped by a rule"
    diff = table.differences
    assert diff is not None, "two bots that played are ranked"
    i, j = (0, 1) if table.bots[0].bot == first else (1, 0)
    mean = float(diff.mean[i, j])
    never_varies = bool(diff.is_constant[i, j])
    if diff.separated[i, j]:
        verdict = Verdict.BETTER if mean > 0 else Verdict.WORSE
    elif never_varies and mean == 0:
        verdict = Verdict.IDENTICAL
    else:
        verdict = Verdict.EQUAL if looks.met else Verdict.UNRESOLVED
    return Decided(verdict, mean, table.half_width(i, j), (table.bots[i], table.bots[j]), held)
