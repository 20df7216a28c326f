"""A bot checked: played on every table against sparring partners and house bots, and what was found."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from arena.analysis.skill import SkillReport
from arena.bot.entrant import Entrant
from arena.bot.faults import Fault
from arena.bot.host import LocalHost
from arena.bot.seat import BotOutError
from arena.check.bench import BOT, SEATS, Bench
from arena.check.costs import Costly, costs, dearest
from arena.check.decisions import Decision, bot_seat, decisions_at
from arena.check.ended import out_finding, where_it_ends
from arena.check.findings import Finding, Kind, grouped
from arena.check.pace import Pace, Stopwatch
from arena.check.repeat import repeat, whole
from arena.check.views import edge_views
from arena.game.questions import ASK_BET, ASK_WAGER
from arena.game.rules import TableRules
from arena.tournament.blocks import BlockResult, FirstFault
from arena.tournament.spec import Limits

DEALS = 300
Say = Callable[[str], None]


@dataclass(frozen=True)
class Checked:
    """What came of a check. ``accepted`` are the tables that take the bot; ``turns`` counts its turns in one run."""

    name: str
    entrant: Entrant | None  # None where the file cannot be read
    deals: int
    accepted: tuple[str, ...]
    turns: int
    findings: tuple[Finding, ...]
    skill: Mapping[str, SkillReport] = field(default_factory=dict)  # by table
    costly: tuple[Costly, ...] = ()  # the decisions that cost it most, of all tables
    pace: Pace | None = None
    decision_ms: int = 0  # allowed
    output: str = ""  # what it printed, the first of it
    against: tuple[str, ...] = ()  # house bots, beside sparring partners

    @property
    def is_good(self) -> bool:
        """Whether nothing is wrong."""
        return not any(finding.is_wrong for finding in self.findings)


@dataclass
class _Sheet:
    """What is found, table by table."""

    accepted: list[str] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    refused: list[Finding] = field(default_factory=list)
    turns: int = 0
    skill: dict[str, SkillReport] = field(default_factory=dict)
    costly: list[Costly] = field(default_factory=list)
    watch: Stopwatch = field(default_factory=Stopwatch)


def check(
    entrant: Entrant,
    tables: Mapping[str, TableRules],
    deals: int = DEALS,
    limits: Limits | None = None,
    is_trusted: bool = False,
    say: Say = lambda text: None,
    trusted_host: type[LocalHost] = LocalHost,
    house: Sequence[Entrant] = (),
) -> Checked:
    """Check a bot on these tables (preset → rules) with so many deals on each; ``say`` is told what is under way.

    Those at whose bank it says that it does not play are passed over.

    Every second deal is against one of ``house``, which play in this process: they must be house bots. A trusted bot plays
    in a ``trusted_host``, and what that raises is raised here. Raises ``CannotRunError`` where no bot can be run.
    """
    sheet = _Sheet()
    if not any(rules.bank in entrant.plays for rules in tables.values()):
        at = ", ".join(f"{preset} (bank: {rules.bank})" for preset, rules in tables.items())
        says = f"it plays at no table that was asked for: {at}; it says plays = {entrant.plays}"
        return replace(broken(entrant.name, [says]), entrant=entrant)
    tables = {preset: rules for preset, rules in tables.items() if rules.bank in entrant.plays}
    with Bench(entrant, limits or Limits(), is_trusted, trusted_host, house) as bench:
        for preset, rules in tables.items():
            say(f"{entrant.name}: {preset}")
            _check_table(bench, preset, rules, deals, sheet)
    pace, budget_ms = sheet.watch.pace(), (limits or Limits()).decision_ms
    if pace is not None and pace.median_ms > budget_ms:
        sentence = f"half of its decisions take longer than {pace.median_ms:.1f} ms, and {budget_ms} ms is what one has"
        sheet.findings.append(Finding(Kind.SLOW, sentence))
    kind = Kind.NOT_HERE if sheet.accepted else Kind.BROKEN
    found = grouped([*sheet.findings, *(replace(finding, kind=kind) for finding in sheet.refused)])
    costly = tuple(dearest(sheet.costly))
    return Checked(
        entrant.name,
        entrant,
        deals,
        tuple(sheet.accepted),
        sheet.turns,
        found,
        sheet.skill,
        costly,
        pace,
        budget_ms,
        bench.output,
        tuple(one.name for one in house),
    )


def broken(name: str, reasons: Sequence[str]) -> Checked:
    """A bot that cannot even be read."""
    return Checked(name, None, 0, (), 0, tuple(Finding(Kind.BROKEN, reason) for reason in reasons))


def _check_table(bench: Bench, preset: str, rules: TableRules, deals: int, sheet: _Sheet) -> None:
    played = bench.play(rules, whole(deals))
    if isinstance(played, BotOutError):
        at = where_it_ends(played, bench, preset, rules, whole(deals))
        sheet.findings.append(out_finding(preset, played, at=at))
        sheet.accepted.append(preset)
        return
    [first] = played
    starts = first.faults[:, BOT, Fault.INIT].sum()
    if starts == 2 * deals:
        sheet.refused.append(_not_here(preset, first))
        return
    sheet.accepted.append(preset)
    sheet.turns += int(first.turns[:, :, BOT].sum())
    sheet.findings += _faults(preset, rules, first)
    sheet.findings += repeat(bench, preset, rules, first, sheet.watch)
    sheet.findings += edge_views(bench, preset, rules)
    sheet.skill[preset], costly = costs(preset, rules, first)
    sheet.costly += costly


def _not_here(preset: str, result: BlockResult) -> Finding:
    """That no game could be started at a table."""
    [(_, text)] = [(k, f.text) for k, f in result.first_faults.items() if k == (0, BOT, Fault.INIT)]
    return Finding(Kind.NOT_HERE, f"preset {preset}: it cannot be made or started there", preset, text=text)


def _faults(preset: str, rules: TableRules, result: BlockResult) -> list[Finding]:
    """The first fault of each kind, and how many there were."""
    counts = result.faults[:, BOT].sum(axis=0)
    out = []
    for kind in np.flatnonzero(counts).tolist():
        at = {
            rotation: f
            for (rotation, place, k), f in result.first_faults.items()
            if (place, k) == (BOT, kind)
        }
        rotation = min(at, key=lambda r: (at[r].deal, r))
        fault, label = at[rotation], Fault(kind).label
        decision = _decision_of(preset, rules, result, rotation, fault)
        where = str(decision) if decision else _place_of(preset, rotation, fault)
        sentence = f"{label}, {counts[kind]:,} in {result.chips[..., BOT].size:,} games, first at {where}"
        out.append(Finding(Kind.FAULT, sentence, preset, decision, text=fault.text, label=label))
    return out


def _decision_of(
    preset: str, rules: TableRules, result: BlockResult, rotation: int, fault: FirstFault
) -> Decision | None:
    """The decision that went wrong; None where it was no decision (the start of a game, ``watch``)."""
    if fault.step < 0 or _WATCHING.match(fault.text):
        return None
    asked = decisions_at(preset, rules, result, rotation, fault.deal, fault.step)
    calls = [decision for what, decision in asked.items() if what not in (ASK_BET, ASK_WAGER)]
    is_call = " call " in fault.text or _CALLING.match(fault.text)
    if ASK_WAGER in asked and _WAGERING.match(fault.text):
        return asked[ASK_WAGER]
    return calls[0] if calls and is_call else asked.get(ASK_BET)


# A fault's text begins with the method's line in a traceback, with its name, or with why it cannot be called at all.
_WATCHING, _CALLING, _WAGERING = (
    re.compile(rf'(File "[^"]*", line \d+, in |TypeError: [\w.]*\b|a |)({name})')
    for name in (r"watch\b", "call_", r"wager\b")
)


def _place_of(preset: str, rotation: int, fault: FirstFault) -> str:
    """Where in a game it was, where that is no decision."""
    at = f"preset {preset}, deal {fault.deal}, seat {bot_seat(rotation)}"
    return f"{at}, as the game starts" if fault.step < 0 else f"{at}, round {fault.step // SEATS + 1}"
