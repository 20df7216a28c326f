"""What ``report.md`` says in sentences, ``report.html`` says, too, and in the same words."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fake_results import START, block_result, entrants, looks_at, lucky_rows, random_results, spec
from page_results import Page, tables_in, undefined_figures

from arena.bot.faults import Fault
from arena.game.rules import table_rules
from arena.report.page_data import page_data
from arena.report.write import report_files
from arena.tournament.blocks import FirstFault
from arena.tournament.spec import Stop
from arena.tournament.standings import Standings, collect, standings
from arena.tournament.tournament import Looks

pytestmark = pytest.mark.page


def both(found: Standings, names: str, looks: Looks | None = None, **changes: Any) -> tuple[str, str]:
    """The words of the page, and those of the Markdown without its emphasis."""
    made = report_files(spec(**changes), entrants(names), found, looks)
    markdown = made["report.md"].decode().replace("*", "").replace("`", "")
    return " ".join(Page(made["report.html"].decode()).words.split()), " ".join(markdown.split())


def test_a_run_that_looked_has_its_rule_its_end_and_what_was_left_on_the_page() -> None:
    rows = collect(random_results(3, 300), 3, START)
    table = standings(rows, list("xyz"), looked_from=100)
    ranked = Stop(when="ranked", min_deals=100, max_deals=500, indifferent_chips=2)
    narrow = Stop(when="half_width", chips=0.5, min_deals=100, max_deals=300)
    for stop, said in (
        (ranked, ("every pair of bots is separated, or surely within ± 2 chips a game. Looked at every 250 deals from",
                  "Not resolved: y and x; y and z; x and z.", "Pairs separated As good as equal Not resolved")),
        (narrow, ("the interval of every bot is within ± 0.5 chips a game", "Still too wide: y (± ", "Bots too wide")),
    ):  # fmt: skip
        page, markdown = both(table, "xyz", looks_at(rows, stop, (250, 300)), stop=stop)
        assert "Bot Rank Range Chips a game Games won, % † Groups" in page  # what ranks holds at every look
        assert "Won, % † Won less luck, % † Elo † Busts, %" in page
        always = (
            "† not corrected for stopping: an interval for a number of deals fixed beforehand",
            "The deals ran out at 300, after 2 looks: the rule is not met.",
            "comes from a confidence sequence",
        )
        for text in (*said, *always):
            assert text in page
            assert text in markdown.replace(" |", "")


@pytest.mark.parametrize(("deals", "is_said"), [(19, True), (20, False)])
def test_few_deals_are_cautioned_against_on_the_page(deals: int, is_said: bool) -> None:
    table = standings(lucky_rows(deals), ["a", "b"], "adjusted")
    for words in both(table, "ab", rank_by="adjusted"):
        said = "Only the luck of third cards is removed: that of the posts needs 20 deals to learn what bots stake."
        assert (said in words) is is_said
        assert "Approximate: with" in words
        assert "Raw and adjusted chips agree: " in words


@pytest.mark.parametrize(("deals", "rough"), [(60, "; a rough figure from 60 deals"), (200, "")])
def test_how_much_luck_removed_saves_is_about_and_rough_where_deals_are_few(deals: int, rough: str) -> None:
    # (25 + 1600) / 25 = 65: see test_report
    page, markdown = both(standings(lucky_rows(deals), ["a", "b"], "adjusted"), "ab", rank_by="adjusted")
    assert f"one game tells as much as about 65 raw ones (the median over pairs{rough})." in page
    assert ("all of these are rough figures" in markdown) is bool(rough)


def test_a_balanced_schedule_says_on_the_page_how_often_pairs_met() -> None:
    flat = [[[START + 5, START - 5]] * 3] * 2
    rows = collect([block_result((0, 1), 0, flat), block_result((0, 2), 0, flat)], 4, START)
    met = (
        "sat together in 0–6 games, 2.0 on average, which is in 0–1 of the 2 lineups; 4 pairs of 6 never met."
    )
    for words in both(standings(rows, list("abcd")), "abcd", schedule="balanced", lineups=2):
        assert met in words
    for words in both(standings(rows, list("abcd")), "abcd"):
        assert "never met" not in words


def test_a_bot_that_was_out_and_late_decisions_are_said_on_the_page() -> None:
    faults = {(r, 0, int(Fault.LATE)): (2, FirstFault(0, r, "gone")) for r in (0, 1)}
    rows = collect([block_result((0, 1), 0, [[[START - 9, START + 9]] * 2] * 2, faults=faults)], 2, START)
    for words in both(standings(rows, ["a", "b"]), "ab"):
        assert "late (it was out: all its games are counted by default answers), first on deal 0" in words
        assert "reproducible: no (4 time faults): how long a decision takes" in words


def test_hitting_a_post_is_counted_in_words() -> None:
    rows = collect(random_results(2, 60), 2, START)
    for multiplier, words in (
        (1, "hitting a post costs 1 bet, and"),
        (2, "hitting a post costs 2 bets, and"),
    ):
        rules = table_rules({"post": {"multiplier": multiplier}})
        assert words in both(standings(rows, ["a", "b"]), "ab", table=rules)[1]


def test_what_a_table_of_looks_counts_is_defined() -> None:
    table = standings(collect(random_results(3, 300), 3, START), list("xyz"), looked_from=100)
    for stop in (
        Stop(when="ranked", min_deals=100, max_deals=500),
        Stop(when="half_width", chips=5, min_deals=100, max_deals=300),
    ):
        rows = collect(random_results(3, 300), 3, START)
        made = report_files(spec(stop=stop), entrants("xyz"), table, looks_at(rows, stop, (250, 300)))
        results = json.loads(made["results.json"])
        assert any("Widest bot ±" in {head.text for head in t.heads} for t in tables_in(page_data(results)))
        assert undefined_figures(results) == set()
