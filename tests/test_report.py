"""Reports: the same bytes, strangers' words made harmless, and a folder written whole or not at all."""

import csv
import errno
import io
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fake_results import START, block_result, entrants, random_results, random_standings, spec
from markdown_it import MarkdownIt

from arena.analysis.intervals import Interval
from arena.bot.faults import Fault
from arena.errors import ArenaError
from arena.report.folder import write_folder
from arena.report.results_json import plain
from arena.report.terminal import standings_table, standings_text
from arena.report.text import (
    chips,
    code_block,
    csv_name,
    markdown,
    number,
    percent,
    shorten_all,
    visible,
    width,
)
from arena.report.write import report_files, write_report
from arena.tournament.blocks import FirstFault
from arena.tournament.standings import Standings, collect, standings

NASTY = ["a|b", "<b>x</b>", "`code`", "=1+1", "evil\u202etxt", "new\nline", "[x](http://y)", "*bold* _it_"]
FILES = {"report.md": b"new report", "results.json": b"{}"}


def faulty_standings() -> Standings:
    trace = "Traceback\n```\nValueError: <b>\x1b[31m"
    faults = {(0, 1, int(Fault.EXCEPTION)): (3, FirstFault(0, 2, trace))}
    flat = [[[START, START]] * 2] * 2
    return standings(collect([block_result((0, 1), 0, flat, faults=faults)], 2, START), ["good", "bad|bot"])


# Numbers


@pytest.mark.parametrize(
    ("value", "places", "text"),
    [
        (-0.04, 1, "0.0"),
        (0.0, 0, "0"),
        (-0.0, 2, "0.00"),
        (1234567.891, 2, "1,234,567.89"),
        (-5.5, 1, "-5.5"),
    ],
)
def test_numbers_have_separators_and_no_negative_zero(value: float, places: int, text: str) -> None:
    assert number(value, places) == text


@pytest.mark.parametrize(
    ("interval", "text"),
    [
        (Interval(12.3456, 4.5678), "+12.3 ± 4.6"),
        (Interval(-1234.5, 345.6), "-1,234 ± 346"),
        (Interval(0.0001, 9.96), "0 ± 10"),
        (Interval(0.01234, 0.0056), "+0.0123 ± 0.0056"),
        (Interval(5.0, None), "+5.0"),
        (Interval(0.0, None, is_identical=True), "0 identical"),
    ],
)
def test_chips_have_two_digits_of_their_half_width(interval: Interval, text: str) -> None:
    assert chips(interval) == text


def test_shares_are_percent() -> None:
    assert percent(Interval(0.5012, 0.0123)) == "50.1 ± 1.2"


# Strangers' words


def test_hidden_characters_are_shown_as_escapes() -> None:
    assert visible("a\x00b\u202ec\nd\ud800") == "a\\x00b\\u202ec\\nd\\ud800"
    assert visible("漢字 étude") == "漢字 étude"


@pytest.mark.parametrize("name", NASTY)
def test_a_name_in_a_markdown_table_is_only_text(name: str) -> None:
    text = f"| {markdown(name)} | x |\n| --- | --- |\n| {markdown(name)} | y |\n"
    html = MarkdownIt("commonmark").enable("table").render(text)
    shown = visible(name).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    assert f"<th>{shown}</th>\n<th>x</th>" in html
    assert f"<td>{shown}</td>\n<td>y</td>" in html


def test_a_code_block_outlasts_the_backticks_in_it() -> None:
    assert code_block("a\n````\n\tb\x1b") == "`````text\na\n````\n    b\\x1b\n`````"


def test_a_name_is_no_formula() -> None:
    assert [csv_name(n) for n in ("=1", "+1", "-1", "@x", "a=1", " =1")] == [
        *("'=1", "'+1", "'-1", "'@x", "a=1", "' =1"),
    ]


def test_shortened_names_stay_apart() -> None:
    assert shorten_all(["threshold_for_seven", "threshold_for_eight", "short"], 10) == [
        *("thre…seven", "thre…eight", "short"),
    ]
    assert shorten_all(["漢字漢字"], 6) == ["漢字…"]


# The terminal


@pytest.mark.parametrize(
    "names", [[f"bot {i:036d}" for i in range(12)], ["漢字" * 20] * 12, ["b"] * 12, NASTY * 2]
)
def test_the_table_fits_eighty_columns(names: list[str]) -> None:
    lines = standings_table(random_standings(12, 60, names[:12]), 80).split("\n")
    assert len(lines) == 14
    assert max(map(width, lines)) <= 80


def test_wide_characters_do_not_shift_columns() -> None:
    lines = standings_table(random_standings(3, 60, ["漢字", "e\u0301tude", "plain"])).split("\n")[2:]
    assert len({width(line[: line.index(" ± ")]) for line in lines}) == 1


def test_the_terminal_names_faults_and_few_deals() -> None:
    text = standings_text(faulty_standings())
    assert "Faults of bad|bot: 3 exception." in text
    assert "approximate" in text
    assert "identical" in text


# The files


def files(table: Standings, names: list[str], **changes: Any) -> dict[str, str]:
    made = report_files(spec(**changes), entrants(names), table)
    return {name: content.decode("utf-8") for name, content in made.items()}


@pytest.mark.parametrize("bots", [2, 12, 50])
@pytest.mark.parametrize("deals", [1, 2, 60])
@pytest.mark.parametrize("rank_by", ["chips", "wins"])
def test_reports_of_every_size_are_whole_and_without_nan(bots: int, deals: int, rank_by: Any) -> None:
    names = [f"bot {i}" for i in range(bots)]
    made = files(random_standings(bots, deals, names, rank_by=rank_by), names, rank_by=rank_by)
    for content in made.values():
        assert "nan" not in content.lower()
        assert "-0.0 " not in content
        assert "\r" not in content
        assert content.endswith("\n")
    assert len(made["standings.csv"].splitlines()) == 1 + bots
    assert len(made["head_to_head.csv"].splitlines()) == 1 + bots * (bots - 1)


def test_the_order_of_results_does_not_show_in_the_bytes() -> None:
    names = [f"bot {i}" for i in range(4)]
    results = random_results(4, 90, block=30)
    one, other = (standings(collect(r, 4, START), names) for r in (results, results[::-1]))
    assert files(one, names) == files(other, names)


def test_results_json_is_strict_and_names_no_place() -> None:
    names = ["b", "a\ud800"]
    made = files(random_standings(2, 1, names), names)
    text = made["results.json"]

    def no_constants(word: str) -> None:
        raise AssertionError(word)

    found = json.loads(text, parse_constant=no_constants)
    assert found["format"] == 1
    assert found["seed"] == 7
    assert found["table"]["ante"]["amount"] == 10
    assert set(found["versions"]) == {"arena", "numpy", "scipy"}
    assert found["bots"][0]["file"] == "bots.py"
    assert found["bots"][0]["params"] == {"threshold": 7}
    assert found["bots"][0]["chips"]["low"] is None
    assert found["pairs"][0]["p"] is None
    assert "somewhere" not in "".join(made.values())
    assert text == json.dumps(found, sort_keys=True, indent=1) + "\n"


def test_anything_becomes_plain_json() -> None:
    assert plain({"a": (1, float("nan")), "b": {2, 1}, "c": Path("x"), "d": -0.0}) == {
        "a": [1, None],
        "b": [1, 2],
        "c": "x",
        "d": 0.0,
    }


def test_csv_survives_nasty_names() -> None:
    made = files(random_standings(len(NASTY), 20, NASTY), NASTY)
    lines = list(csv.DictReader(io.StringIO(made["standings.csv"])))
    assert sorted(line["bot"] for line in lines) == sorted(csv_name(name) for name in NASTY)
    assert all(None not in line and len(line) == len(lines[0]) for line in lines)


def test_the_report_shows_faults_with_their_first_traceback() -> None:
    made = files(faulty_standings(), ["good", "bad|bot"])
    report = made["report.md"]
    assert "### bad\\|bot" in report
    assert (
        "3 times *exception*, first on deal 0, rotation 0, step 2 at the table of good, bad\\|bot:" in report
    )
    assert "````text\nTraceback\n```\nValueError: <b>\\x1b[31m\n````" in report
    assert "**Approximate**" in report
    (line,) = [
        line for line in csv.DictReader(io.StringIO(made["standings.csv"])) if line["bot"] == "bad|bot"
    ]
    assert (line["faults"], line["faults_exception"], line["faults_late"]) == ("3", "3", "0")


def test_the_report_says_how_many_more_deals() -> None:
    names = ["a", "b", "c"]
    report = files(random_standings(3, 300, names), names)["report.md"]
    assert "## How many more deals" in report
    assert "about " in report.split("## How many more deals")[1]


def test_a_gauntlet_has_no_ranks() -> None:
    names = ["a", "b"]
    made = files(random_standings(2, 60, names, is_ranked=False), names, schedule="gauntlet", against=("a",))
    assert "not ranked" in made["report.md"]
    assert "## Head-to-head" not in made["report.md"]
    assert json.loads(made["results.json"])["bots"][0]["rank"] is None


# The folder


def contents(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with an old report, and what its user put there."""
    place = tmp_path / "reports" / "test"
    (place / "mine").mkdir(parents=True)
    (place / "report.md").write_bytes(b"old report")
    (place / "notes.txt").write_bytes(b"my notes")
    (place / "mine" / "plot.png").write_bytes(b"my plot")
    (place / "link").symlink_to("notes.txt")
    return place


MINE = {"notes.txt": b"my notes", "mine/plot.png": b"my plot", "link": b"my notes"}


def test_a_report_replaces_its_files_and_keeps_others(folder: Path) -> None:
    write_folder(folder, FILES)
    write_folder(folder, FILES | {"plots/one.svg": b"<svg/>"})
    assert contents(folder) == FILES | MINE | {"plots/one.svg": b"<svg/>"}
    assert (folder / "link").is_symlink()
    assert os.listdir(folder.parent) == ["test"]


def test_write_report_makes_all_files(tmp_path: Path) -> None:
    names = ["a", "b"]
    table = random_standings(2, 10, names)
    write_report(tmp_path / "deep" / "er", spec(), entrants(names), table, {"seconds": 1.5, "workers": 2})
    assert sorted(os.listdir(tmp_path / "deep" / "er")) == [
        *("head_to_head.csv", "report.md", "results.json", "run.json", "standings.csv"),
    ]
    assert json.loads((tmp_path / "deep" / "er" / "run.json").read_bytes()) == {"seconds": 1.5, "workers": 2}


def fails_at(call: int, real: Callable[..., Any], error: OSError | KeyboardInterrupt) -> Callable[..., Any]:
    """``real``, which raises ``error`` the ``call``-th time."""
    count = 0

    def fake(*args: Any, **kwargs: Any) -> Any:
        nonlocal count
        count += 1
        if count == call:
            raise error
        return real(*args, **kwargs)

    return fake


@pytest.mark.parametrize(
    ("name", "call"), [("fsync", 1), ("fsync", 2), ("rename", 1), ("rename", 2), ("flock", 1)]
)
def test_a_full_disk_leaves_the_old_report_whole(
    folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, call: int
) -> None:
    before = contents(folder)
    where = "arena.report.folder.fcntl" if name == "flock" else "arena.report.folder.os"
    real = getattr(__import__("fcntl" if name == "flock" else "os"), name)
    full = OSError(errno.ENOSPC, "No space left on device")
    with monkeypatch.context() as patch:
        patch.setattr(f"{where}.{name}", fails_at(call, real, full))
        with pytest.raises(ArenaError, match=r"could not be written \(No space left on device\)"):
            write_folder(folder, FILES)
    assert contents(folder) == before
    assert os.listdir(folder.parent) == ["test"]


def test_ctrl_c_between_the_renames_puts_the_old_report_back(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = contents(folder)
    with monkeypatch.context() as patch:
        patch.setattr("arena.report.folder.os.rename", fails_at(2, os.rename, KeyboardInterrupt()))
        with pytest.raises(KeyboardInterrupt):
            write_folder(folder, FILES)
    assert contents(folder) == before
    assert os.listdir(folder.parent) == ["test"]


@pytest.mark.parametrize("is_swapped", [False, True])
def test_a_run_killed_in_its_swap_is_tidied_by_the_next(folder: Path, is_swapped: bool) -> None:
    write_folder(folder, {"report.md": b"older"})
    old, new = folder.with_name(".test.old"), folder.with_name(".test.new")
    if is_swapped:
        old.mkdir()
    else:
        folder.rename(old)
        new.mkdir()
        (new / "report.md").write_bytes(b"half")
    write_folder(folder, FILES)
    assert contents(folder) == FILES | MINE
    assert os.listdir(folder.parent) == ["test"]


def test_a_file_in_the_way_is_named(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file")
    with pytest.raises(ArenaError, match="expected a folder for the report, found a file"):
        write_folder(tmp_path / "out", FILES)
    with pytest.raises(ArenaError, match="could not be written"):
        write_folder(tmp_path / "out" / "deeper", FILES)
    (tmp_path / "dir" / "report.md").mkdir(parents=True)
    with pytest.raises(ArenaError, match="found a folder"):
        write_folder(tmp_path / "dir", FILES)
    assert (tmp_path / "out").read_text() == "a file"


def test_where_there_are_no_hard_links_files_are_copied(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_links(*args: Any, **kwargs: Any) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr("arena.report.folder.os.link", no_links)
    write_folder(folder, FILES)
    assert contents(folder) == FILES | MINE
