"""Results for the tests of ``report.html``: nobody played them, and one has bots of nasty names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html.parser import HTMLParser
from typing import Any

import numpy as np
from fake_results import START, block_result, entrants, random_results, skill_sums, spec
from told_games import game

from arena.analysis.skill import Measure
from arena.bot.faults import Fault
from arena.game.rules import table_rules
from arena.report.html import charts_of, report_html
from arena.report.page_data import page_data
from arena.report.page_tables import Table
from arena.report.results_json import results_of
from arena.tournament.blocks import FirstFault
from arena.tournament.standings import collect, standings

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


def page_results(names: Sequence[str], deals: int = 60, **changes: Any) -> dict[str, Any]:
    """What ``results.json`` says of these bots, the better the earlier, every one graded, the first with a fault."""
    n = len(names)
    blocks = random_results(n, deals)
    fault = FirstFault(0, 3, "Traceback </script><!--\nValueError: no")
    blocks[0] = block_result(
        blocks[0].block.lineup, 0, blocks[0].chips, faults={(0, 0, Fault.EXCEPTION): (2, fault)}
    )
    rows = collect(blocks, n, START)
    some = {
        (gap, pot, left): {Measure.DECISIONS: 40, Measure.UNFORCED: 30, Measure.AGREED: 20, Measure.STAKE: 9,
                           Measure.BEST_STAKE: 12, Measure.LOST: 0.4, Measure.ERROR: 1.5}
        for gap, pot, left in (("3", "2–4 antes", "1"), ("8", "64 antes and more", "5 and more"), ("pair", "2–4 antes", "0"))
    }  # fmt: skip
    object.__setattr__(rows, "skill", tuple(skill_sums(some) for _ in range(n)))
    object.__setattr__(rows, "luck", np.zeros((3, *rows.net.shape), dtype=np.int64))
    table = standings(
        rows, list(names), rules=changes.get("table", table_rules()), rank_by=changes.get("rank_by", "chips")
    )
    games = [game(*names[:2]), game(names[-1], names[0])]
    return results_of(spec(**changes), entrants(names), table, telling=games)
