"""Results for the tests of ``report.html``: nobody played them, and one has bots of nasty names."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from html.parser import HTMLParser
from itertools import product
from typing import Any

import numpy as np
from fake_results import START, block_result, entrants, random_results, skill_sums, spec
from told_games import ANTE, END, TURN, game

from arena.analysis.skill import GAPS, POTS, ROUNDS_LEFT, Measure, SkillReport
from arena.bot.faults import Fault
from arena.game.rules import table_rules
from arena.report.html import charts_of, report_html
from arena.report.page_data import page_data
from arena.report.page_tables import Table
from arena.report.results_json import dump, results_of
from arena.tournament.blocks import FirstFault
from arena.tournament.standings import collect, standings
from arena.tournament.telling import LEAST_STEPS, MOST_STEPS

NASTY = [
    "<script>alert(1)</script>",
    "</script><b>x",
    "שלום עולם",
    "a\u202eb",
    "q\"'&amp;",
    "line\u2028end",
    "{{ 7*7 }}",
    "#bot",
]


class Page(HTMLParser):
    """Elements with their attributes, and the text of each script."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.words = ""
        self._in_script = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._in_script = tag == "script"
        if self._in_script:
            self.scripts.append("")

    def handle_endtag(self, tag: str) -> None:
        self._in_script = False

    def handle_data(self, data: str) -> None:
        if self._in_script:
            self.scripts[-1] += data
        else:
            self.words += data

    def of(self, key: str) -> list[str]:
        return [attrs[key] or "" for _, attrs in self.elements if key in attrs]


def page_of(results: Mapping[str, Any]) -> Page:
    return Page(report_html(results, charts_of(results)).decode("utf-8"))


def tables_in(value: object) -> Iterator[Table]:
    """Every table of what templates are given."""
    if isinstance(value, Table):
        yield value
    elif isinstance(value, dict | list | tuple):
        for part in value.values() if isinstance(value, dict) else value:
            yield from tables_in(part)


def undefined_figures(results: Mapping[str, Any]) -> set[tuple[str, str]]:
    """Caption and heading of each column of figures without a definition on the page; columns of names need none."""
    ids = page_of(results).of("id")
    heads = {(table.caption, head) for table in tables_in(page_data(results)) for head in table.heads}
    return {
        (caption, head.text)
        for caption, head in heads
        if head.text not in ("Bot", "Next") and f"def-{head.define}" not in ids
    }


SOME_CELLS = (("3", "2–4 antes", "1"), ("8", "64 antes and more", "5 and more"), ("pair", "2–4 antes", "0"))
GRADED = {Measure.DECISIONS: 40, Measure.UNFORCED: 30, Measure.AGREED: 20, Measure.STAKE: 9, Measure.BEST_STAKE: 12,
          Measure.LOST: 0.4, Measure.ERROR: 1.5}  # fmt: skip


def full_results(bots: int, told: int) -> dict[str, Any]:
    """As much as a run of so many bots can have: bets at every gap, pot and time, and all steps of so many told games."""
    names = [f"A bot of some name {n}" for n in range(bots)]
    results = page_results(names)
    skill = [
        skill_sums(
            {
                at: {m: value * (1 + (bot + k) % 97 / 7) for m, value in GRADED.items()}
                for k, at in enumerate(cells)
            },
            (900, 400, 31.7 + bot),
        )
        for bot, cells in enumerate([list(product(GAPS, POTS, ROUNDS_LEFT[:-1]))] * bots)
    ]
    for bot, sums in zip(results["bots"], skill, strict=True):
        bot["skill"] = json.loads(dump(asdict(SkillReport.of(sums, table_rules()))))
    steps = max(LEAST_STEPS, MOST_STEPS // told)
    results["telling"] = [long_game(steps, names[n % bots], names[(n + 1) % bots]) for n in range(told)]
    return results


def long_game(steps: int, *bots: str) -> dict[str, Any]:
    """A game of so many steps, no two of them alike."""
    turns = [
        TURN | {"round": 1 + k // 2, "seat": k % 2, "bet": 17 * k, "third": "7H", "result": "win", "delta": 17 * k,
                "chips": [990 - 17 * k, 990 + 17 * k], "pot": 20 + 31 * k}
        for k in range(steps - 2)
    ]  # fmt: skip
    return game(*bots) | {"steps": [ANTE, *turns, END], "all_steps": 4 * steps, "first_step": steps}


def page_results(names: Sequence[str], deals: int = 60, **changes: Any) -> dict[str, Any]:
    """What ``results.json`` says of these bots, the better the earlier, every one graded, the first with a fault."""
    n = len(names)
    blocks = random_results(n, deals)
    fault = FirstFault(0, 3, "Traceback </script><!--\nValueError: no")
    blocks[0] = block_result(
        blocks[0].block.lineup, 0, blocks[0].chips, faults={(0, 0, Fault.EXCEPTION): (2, fault)}
    )
    rows = collect(blocks, n, START)
    rows = replace(
        rows,
        skill=tuple(skill_sums(dict.fromkeys(SOME_CELLS, GRADED)) for _ in range(n)),
        luck=np.zeros((3, *rows.net.shape), dtype=np.int64),
    )
    table = standings(
        rows, list(names), rules=changes.get("table", table_rules()), rank_by=changes.get("rank_by", "chips")
    )
    games = [game(*names[:2]), game(names[-1], names[0])]
    return results_of(spec(**changes), entrants(names), table, telling=games)
