"""``arena compare``: runs side by side, what is paired and what is not, and pages that say the same."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import numpy as np
import pytest
from commands import ended

from arena.report.compare import Comparison, compare
from arena.report.compare_html import compare_html
from arena.report.compare_text import compare_markdown, compare_text
from arena.report.past_run import past_run
from arena.report.text import width

GAP = """
from arena import VectorBot
import numpy as np

class Gap{n}(VectorBot):
    name = "{name}"
    def bet(self, turns):
        return np.where(turns.gap >= {n}, turns.max_bet // {part}, 0)
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bots").mkdir()
    for n in (5, 7, 8, 9):
        write(tmp_path, n)
    return tmp_path


def write(place: Path, n: int, part: int = 1, name: str | None = None) -> None:
    (place / "bots" / f"gap{n}.py").write_text(GAP.format(n=n, part=part, name=name or f"Gap{n}"))


@pytest.fixture
def arena(place: Path, capsys: pytest.CaptureFixture[str]):
    def call(*arguments: object) -> tuple[int, str, str]:
        return ended(capsys, *arguments, *(["--trust-bots"] if arguments[0] == "run" else []))

    return call


def make(place: Path, arena, name: str, more: str = "", seed: int = 3, deals: int = 120) -> None:
    more += "" if "table:" in more else "table: {end: {rounds: 3}}\n"
    (place / f"{name}.yaml").write_text(f"seed: {seed}\nbots: bots\ndeals: {deals}\n{more}")
    code, _, talk = arena("run", f"{name}.yaml")
    assert code == 0, talk


def compared(*names: str, by: str | None = None, bots: tuple[str, ...] = ()) -> Comparison:
    past = [past_run(name, Path("reports")) for name in names]
    return compare(past, [run.held() for run in past], by, bots)  # type: ignore[arg-type]


@pytest.mark.slow
def test_another_table_turns_the_order_of_bold_and_careful(place: Path, arena) -> None:
    make(place, arena, "one", "table: {end: {rounds: 5}}\n")
    make(place, arena, "soft", "table: {post: {multiplier: 1}, end: {rounds: 5}}\n")
    make(place, arena, "hard", "table: {post: {multiplier: 8}, end: {rounds: 5}}\n")
    found = compared("hard", "soft")
    (versus,) = found.versus
    assert versus.is_paired
    assert versus.deals == 120
    assert versus.notes[0] == "Tables differ: post.multiplier 8 → 1."
    names = [bot.name for bot in versus.bots]
    turned = {frozenset(names[i] for i in pair.bots): pair for pair in versus.pairs}[
        frozenset({"Gap7", "Gap9"})
    ]
    assert turned.verdict == "reversed"
    assert turned.change.is_sure
    assert versus.count("reversed") + versus.count("same") + versus.count("unsure") == 6
    (other,) = compared("one", "hard").versus
    assert {b.name: b.change.is_sure for b in other.bots}["Gap5"]


def test_a_changed_bot_is_measured_on_the_same_deals(place: Path, arena) -> None:
    make(place, arena, "before")
    write(place, 8, part=2)
    make(place, arena, "after")
    code, text, _ = arena("compare", "before", "after", "--bots", "Gap8", "--by", "chips")
    assert code == 0
    assert "Compared deal by deal: the same seed, 120 deals in both." in text
    assert "Other code or parameters: Gap8." in text
    assert "Gap8 *" in text
    before, after = (past_run(name, place / "reports").held().rows for name in ("before", "after"))
    i, j = (past_run(name, place / "reports").names.index("Gap8") for name in ("before", "after"))
    d = after.mean_chips[:, j] - before.mean_chips[:, i]
    (bot,) = compared("before", "after", by="chips", bots=("Gap8",)).versus[0].bots
    assert bot.change.mean == pytest.approx(d.mean())
    half = (
        1.9801 * d.std(ddof=1) / np.sqrt(120)
    )  # Student's t, 119 degrees of freedom, 95 %: one bot, nothing to share
    assert bot.change.interval.half_width == pytest.approx(half, rel=1e-4)


def test_versions_of_a_submitted_bot_are_one_bot(place: Path, arena) -> None:
    bots = place / "bots"
    for n in (7, 8, 9):
        (bots / f"gap{n}.py").unlink()
    (bots / "wide@1.py").write_text(GAP.format(n=8, part=2, name="Wide").replace("Gap8(", "Wide("))
    make(place, arena, "before", deals=20)
    (bots / "wide@2.py").write_text(GAP.format(n=9, part=1, name="Wide").replace("Gap9(", "Wide("))
    make(place, arena, "after", deals=20)
    (versus,) = compared("before", "after").versus
    wide = next(bot for bot in versus.bots if bot.name.startswith("Wide"))
    assert (wide.name, wide.is_same_code) == ("Wide@1 → Wide@2", False)
    assert versus.notes == ("The tables are the same.", "Other code or parameters: Wide@2.")
    means = (
        past_run(run, Path("reports")).held().rows.adjusted_chips.mean(axis=0) for run in ("before", "after")
    )
    names = (past_run(run, Path("reports")).names for run in ("before", "after"))
    version = iter((1, 2))
    assert wide.means == tuple(
        pytest.approx(x[of.index(f"Wide@{next(version)}")]) for x, of in zip(means, names, strict=True)
    )
    for name in ("Wide", "Wide@1", "Wide@2"):
        code, text, _ = arena("compare", "before", "after", "--bots", name)
        assert (code, "Wide@1 → Wide@2" in text, "Gap5" in text) == (0, True, False)
    (bots / "wide@1.kept").touch()
    make(place, arena, "both", deals=20)
    (versus,) = compared("before", "both").versus
    assert "Wide@1" in [bot.name for bot in versus.bots], "the same name goes before another version"
    assert "Only in both: Wide@2; a change may be that of the field." in versus.notes


def test_tables_of_other_banks_are_compared_as_any(place: Path, arena) -> None:
    make(place, arena, "pot", deals=20)
    make(place, arena, "house", "table: {preset: red_dog, end: {rounds: 3}}\n", deals=20)
    for names, change in ((("pot", "house"), "bank pot → house"), (("house", "pot"), "bank house → pot")):
        (versus,) = compared(*names).versus
        assert change in versus.notes[0]
        assert "payouts" in versus.notes[0]
        assert "5 to 1 at 1" in versus.notes[0]
        assert re.search(r"bet\.may_pass (false → true|true → false)", versus.notes[0]), "as YAML has it"


@pytest.mark.slow
def test_another_seed_is_compared_as_independent_samples(place: Path, arena) -> None:
    make(place, arena, "one")
    make(place, arena, "two", seed=4, deals=60)
    (versus,) = compared("one", "two").versus
    assert not versus.is_paired
    assert versus.deals == 60
    text = arena("compare", "one", "two")[1]
    assert "independent samples: their seeds differ" in text
    assert "Deals: 120 and 60." in text


@pytest.mark.slow
def test_more_deals_of_one_seed_are_compared_on_those_that_both_have(place: Path, arena) -> None:
    make(place, arena, "one")
    make(place, arena, "more", deals=150)
    (versus,) = compared("one", "more", by="chips").versus
    assert versus.is_paired
    assert versus.deals == 120
    assert all(bot.change.interval.is_identical and bot.change.mean == 0 for bot in versus.bots)
    assert "no change" in arena("compare", "one", "more", "--by", "chips")[1]


@pytest.mark.slow
def test_everything_that_is_said_of_three_runs_shares_the_error(place: Path, arena) -> None:
    for seed in (3, 4, 5):
        make(place, arena, f"s{seed}", seed=seed)
    two = compared("s3", "s4", bots=("Gap7", "Gap9"))
    three = compared("s3", "s4", "s5", bots=("Gap7", "Gap9"))
    halves = [found.versus[0].bots[0].change.interval.half_width for found in (two, three)]
    # t at 0.05 / (families · 2 bots): 4 families of two runs, 7 of three; some 200 degrees of freedom
    assert halves[1] / halves[0] == pytest.approx(2.941 / 2.757, rel=0.01)  # type: ignore[operator]
    assert [v.run for v in three.versus] == [1, 2]


def test_bots_of_one_run_alone_are_named_and_left_out(place: Path, arena) -> None:
    make(place, arena, "one")
    (place / "bots/gap5.py").unlink()
    write(place, 6)
    make(place, arena, "two")
    (versus,) = compared("one", "two").versus
    assert sorted(bot.name for bot in versus.bots) == ["Gap7", "Gap8", "Gap9"]
    assert "Only in one: Gap5; a change may be that of the field." in versus.notes
    assert "Only in two: Gap6; a change may be that of the field." in versus.notes


def test_runs_of_one_name_are_told_apart_in_every_sentence(place: Path, arena) -> None:
    make(place, arena, "one")
    (place / "reports").rename(place / "before")
    (place / "bots/gap5.py").unlink()
    write(place, 6)
    make(place, arena, "one")
    (versus,) = compared("before/one", "reports/one").versus
    assert "Only in before/one: Gap5; a change may be that of the field." in versus.notes
    assert "Only in reports/one: Gap6; a change may be that of the field." in versus.notes


def test_a_gauntlet_is_compared_by_bot_and_not_by_order(place: Path, arena) -> None:
    make(place, arena, "one", "schedule: gauntlet\nagainst: [Gap8]\n")
    make(place, arena, "two", "schedule: gauntlet\nagainst: [Gap8]\n", seed=4)
    (versus,) = compared("one", "two").versus
    assert versus.pairs == ()
    assert all(bot.ranks is None for bot in versus.bots)
    assert "Order: not compared" in arena("compare", "one", "two")[1]


@pytest.mark.slow
def test_a_run_that_may_have_stopped_early_says_what_its_intervals_are_worth(place: Path, arena) -> None:
    make(place, arena, "one")
    (place / "two.yaml").write_text(
        "seed: 3\nbots: bots\nrank_by: chips\ntable: {end: {rounds: 3}}\n"
        "stop: {when: half_width, chips: 300, max_deals: 250}\n"
    )
    arena("run", "two.yaml")
    assert "not corrected for stopping" in arena("compare", "one", "two")[1].replace("\n", " ")
    assert "not corrected" not in arena("compare", "one", "two", "--json")[1]


def test_all_forms_say_the_same_and_fit(place: Path, arena) -> None:
    make(place, arena, "one")
    make(place, arena, "soft", "table: {post: {multiplier: 1}, end: {rounds: 3}}\n")
    code, text, talk = arena("compare", "one", "soft", "--to", "c.md", "--to", "c.html", "--to", "c.json")
    assert (code, talk) == (0, "written: c.md\nwritten: c.html\nwritten: c.json\n")
    assert max(map(width, text.splitlines())) <= 80
    page, markdown = (place / "c.html").read_text(), (place / "c.md").read_text()
    data = json.loads((place / "c.json").read_text())
    assert json.loads(arena("compare", "one", "soft", "--json")[1]) == data
    figures = re.findall(r"[+-]\d+(?:\.\d+)? ± \d+(?:\.\d+)?", text.replace("\n    ", " "))
    assert len(figures) >= 4
    for figure in figures:
        assert figure in markdown
        assert figure in page
    assert not re.search(r"https?:|src=|href=|@import|url\(|<script", page)
    assert len(data["versus"][0]["bots"]) == 4
    assert [bot["change"]["is_sure"] for bot in data["versus"][0]["bots"]].count(True) == text.count(
        " up\n"
    ) + text.count(" down\n")


def test_a_name_is_text_in_every_form(place: Path, arena) -> None:
    write(place, 8, name="<b>*x*&")
    make(place, arena, "one")
    make(place, arena, "two", seed=4)
    found = compared("one", "two")
    page = compare_html(found)
    assert "<b>" not in page
    assert "&lt;b&gt;*x*&amp;" in page
    assert "\\<b\\>\\*x\\*\\&" in compare_markdown(found)
    assert "<b>*x*&" in compare_text(found)


def test_a_file_is_written_whole_or_stays_as_it_was(
    place: Path, arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(place, arena, "one", deals=10)
    make(place, arena, "two", seed=4, deals=10)
    (place / "c.md").write_text("before")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("os.replace", full)
        code, _, err = arena("compare", "one", "two", "--to", "c.md")
    assert (code, "--to c.md: it cannot be written (No space left on device)" in err) == (2, True)
    assert (place / "c.md").read_text() == "before"
    assert not list(place.glob(".c.md*"))
    assert arena("compare", "one", "two", "--to", "c.md")[0] == 0
    assert (place / "c.md").read_text().startswith("# ")


WRONG = [
    (["one"], "expected two runs or more to compare, got one"),
    (["one", "reports/one"], "is named twice"),
    (["one", "tow"], 'no report of a run "tow" in reports; did you mean "two"?'),
    (["one", "two", "--bots", "Gap6"], '--bots: "Gap6" is not in all of these runs; did you mean "Gap'),
    (["one", "two", "--to", "x.pdf"], "--to x.pdf: expected a file that ends in .md, .html, .json"),
    (["one", "two", "--to", "nowhere/x.md"], "it cannot be written"),
    (["one", "none"], "these runs share no bot"),
]  # fmt: skip


def test_what_cannot_be_compared_is_said_in_a_sentence(place: Path, arena) -> None:
    make(place, arena, "one", deals=10)
    make(place, arena, "two", seed=4, deals=10)
    shutil.rmtree(place / "bots")
    (place / "bots").mkdir()
    write(place, 5, name="x")
    write(place, 9, name="y")
    make(place, arena, "none", deals=10)
    for words, sentence in WRONG:
        code, text, talk = arena("compare", *words)
        assert (code, text) == (2, ""), words
        assert sentence in talk
    arena("prune", "--whole", "two")
    code, text, talk = arena("compare", "one", "two")
    assert (code, text) == (2, "")
    assert "no stored games" in talk
