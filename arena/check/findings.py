"""What a check finds: each a sentence, some of them reasons to refuse the bot."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from arena.check.decisions import Decision


class Kind(StrEnum):
    """What was found."""

    BROKEN = "broken"  # the file cannot be read, or no table takes the bot
    FAULT = "fault"
    EDGE = "edge"  # a fault on a view that hardly ever comes up
    OUT = "out"  # its process ended, or it takes too long again and again
    CHANGES = "changes"  # other answers in a second run of the same deals
    BATCH = "batch"  # other answers when fewer games are played at once
    SLOW = "slow"  # decisions take longer than they may
    NOT_HERE = "not here"  # a table that it does not take: no reason to refuse


@dataclass(frozen=True)
class Finding:
    """One thing found, first on the table ``preset`` and then on those in ``also``; ``label`` is the kind of a fault.

    ``answers`` are those of two runs that differ, ``text`` is what the bot's code said (a traceback).
    """

    kind: Kind
    sentence: str
    preset: str | None = None
    decision: Decision | None = None
    answers: tuple[str, str] | None = None
    text: str | None = None
    label: str | None = None
    also: tuple[str, ...] = ()

    @property
    def is_wrong(self) -> bool:
        """Whether it is a reason to refuse the bot."""
        return self.kind is not Kind.NOT_HERE


def grouped(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Each thing once, with all tables it was found on; reasons to refuse first.

    A kind of fault at the edge that is found in plain games too is told once, as found there.
    """
    findings = list(findings)
    plain = {finding.label for finding in findings if finding.kind is Kind.FAULT}
    by_what: dict[tuple[Kind, str | None], list[Finding]] = {}
    for finding in findings:
        if finding.kind is Kind.EDGE and finding.label in plain:
            continue
        by_what.setdefault((finding.kind, finding.label), []).append(finding)
    once = [
        replace(
            same[0],
            also=tuple(dict.fromkeys(f.preset for f in same if f.preset not in (None, same[0].preset))),
        )
        for same in by_what.values()
    ]
    return tuple(sorted(once, key=lambda finding: not finding.is_wrong))
