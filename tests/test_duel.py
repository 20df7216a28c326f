"""``arena duel``: who is better, said in one sentence and by the exit code, and every wrong input told."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import ended, on_a_terminal

from arena.errors import CannotRunError

BOLD = """
from arena import Bot

class Bold(Bot):
    def __init__(self, threshold=9):
        self.threshold = threshold

    def bet(self, turn):
        return turn.max_bet if turn.gap >= self.threshold else 0

class Twin(Bold):
    pass
"""
PASS = "from arena import Bot\n\nclass Pass(Bot):\n    def bet(self, turn):\n        return 0\n"
NOISE = """
from arena import Bot

class Heads(Bot):
    def bet(self, turn):
        return turn.min_bet if turn.uniform() < 0.5 else 0

class Tails(Heads):
    pass
"""
WRONG = "from arena import Bot\n\nclass Wrong(Bot):\n    def bet(self, turn):\n        return -1\n"

Duel = Callable[..., tuple[int, str, str]]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "bots").mkdir()
    for name, text in {"bold": BOLD, "pass": PASS, "noise": NOISE, "wrong": WRONG}.items():
        (tmp_path / "bots" / f"{name}.py").write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def duel(place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Duel:
    """Exit code, standard output and standard error of a duel without processes."""

    def fight(*arguments: str, trust: bool = True) -> tuple[int, str, str]:
        return ended(capsys, "duel", *arguments, *(["--trust-bots"] if trust else []))

    return fight


def test_betting_on_wide_gaps_beats_passing_and_the_other_way_round_the_answer_is_no(duel: Duel) -> None:
    code, out, _ = duel("Bold", "Pass")
    assert code == 0
    first = (
        r"Bold is better than Pass by \d+(\.\d)? ± \d+(\.\d)? chips a game \(95 %, 500 deals, 1,000 games\)\."
    )
    assert re.fullmatch(first, out.splitlines()[0])
    code, reverse, _ = duel("Pass", "Bold")
    assert code == 1
    assert reverse.splitlines()[0] == out.splitlines()[0]
    assert [line.split()[0] for line in out.splitlines()[4:6]] == ["Bold", "Pass"]
    assert [line.split()[0] for line in reverse.splitlines()[4:6]] == ["Pass", "Bold"]


@pytest.mark.slow
def test_isolated_bots_give_the_same_answer_as_trusted_ones(
    duel: Duel, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trusted = duel("Bold", "Pass")
    monkeypatch.undo()
    monkeypatch.chdir(place)
    code, out, err = duel("Bold", "Pass", trust=False)
    assert (code, out) == trusted[:2]
    assert "trusted" not in err


def test_bots_that_have_not_differed_yet_play_to_the_last_deal(duel: Duel) -> None:
    code, out, _ = duel("Bold", "Twin", "--max-deals", "1000", "--indifferent", "5")
    assert code == 1
    assert out.startswith(
        "Bold and Twin never differed: every deal ended alike (95 %, 1,000 deals, 2,000 games).\n"
    )


def test_what_chance_decides_is_not_resolved_unless_so_little_is_indifferent(duel: Duel) -> None:
    code, out, _ = duel("Heads", "Tails", "--max-deals", "600")
    assert code == 1
    number = r"\d+\.\d+"
    is_so = rf"Not resolved after 600 deals: Heads less Tails is [+-]?{number} ± {number} chips a game \(95 %, 600 deals, "
    assert re.match(is_so, out)
    code, out, _ = duel("Heads", "Tails", "--max-deals", "600", "--indifferent", "100")
    assert code == 1
    assert re.match(
        rf"Heads and Tails are as good as equal, within ± {number} chips a game \(95 %, 500 deals, ", out
    )


def test_a_bot_is_named_by_file_class_and_parameters(duel: Duel, place: Path) -> None:
    code, out, _ = duel("bots/bold.py:Bold(threshold=20)", "bots/pass.py", "--max-deals", "600")
    assert code == 1
    assert out.startswith("Bold(threshold=20) and Pass never differed")
    code, out, _ = duel("bots/bold.py:Twin", "bots/bold.py:Twin(threshold=5)")
    assert code == 0
    (place / "old.py").write_text(BOLD.replace("=9", "=12").replace("Twin", "Other"))
    code, out, _ = duel("bots/bold.py:Bold", "old.py:Bold")
    assert code == 0
    assert out.startswith("bots/bold.py:Bold is better than old.py:Bold by ")


CONFIG = """\
bots: [bots/bold.py, {file: bots/pass.py, name: Idle}]
seats: 2
rank_by: chips
confidence: 0.9
seed: 5
table: {preset: bicycle}
"""


def test_a_tournament_file_gives_the_table_the_roster_and_what_ranks(duel: Duel, place: Path) -> None:
    (place / "t.yaml").write_text(CONFIG)
    code, out, _ = duel("Bold", "Idle", "--config", "t.yaml", "--json", "--set", "table.ante.amount=3")
    said = json.loads(out)
    assert (said["rank_by"], said["confidence"], said["seed"], said["min_deals"]) == ("chips", 0.9, 5, 100)
    assert said["table"]["ante"]["amount"] == 3
    assert [bot["name"] for bot in said["bots"]] == ["Bold", "Idle"]
    assert (said["verdict"], code) == ("better", 0)
    code, out, _ = duel("Bold", "Idle", "--config", "t.yaml", "--set", "rank_by=wins", "--seed", "6")
    assert "percentage points of games won (90 %, " in out.splitlines()[0]


def test_keys_of_a_file_that_a_duel_makes_no_use_of_are_named(duel: Duel, place: Path) -> None:
    keys = (
        "seats: 3\nname: n\nschedule: gauntlet\nagainst: [Bold, Pass]\nstop: {when: half_width, chips: 5}\n"
    )
    (place / "t.yaml").write_text("bots: bots\nrank_by: chips\n" + keys)
    _, _, err = duel("Bold", "Pass", "--config", "t.yaml")
    assert err.splitlines()[0] == "t.yaml: a duel makes no use of seats, schedule, against, stop"
    (place / "t.yaml").write_text("bots: bots\nrank_by: chips\nseats: 2\n")
    assert "no use" not in duel("Bold", "Pass", "--config", "t.yaml")[2]


def test_json_is_one_object_with_both_bots_as_they_were_named(duel: Duel) -> None:
    code, out, _ = duel("Pass", "Bold", "--json")
    said = json.loads(out)
    assert (code, said["verdict"]) == (1, "worse")
    assert said["difference"] < -said["half_width"] < 0
    first, second = said["bots"]
    assert (first["name"], second["params"], second["class"]) == ("Pass", {}, "Bold")
    assert first["adjusted"]["mean"] < 0 < second["adjusted"]["mean"]
    assert first["lost_per_decision_chips"] > second["lost_per_decision_chips"] > 0
    assert said["deals"] == 500 * said["looks"] or said["deals"] == 250 * (said["looks"] + 1)


def test_faults_are_counted_and_the_first_is_shown(duel: Duel) -> None:
    code, out, _ = duel("Wrong", "Pass", "--max-deals", "500")
    assert code == 1
    assert re.search(r"^Faults of Wrong: [\d,]+ negative\. The first, in deal 0:\n", out, re.M)
    assert "a bet of -1, where 0 or 1 to" in out


def test_nothing_is_written(duel: Duel, place: Path) -> None:
    before = sorted(place.rglob("*"))
    duel("Bold", "Pass")
    assert [path for path in sorted(place.rglob("*")) if path not in before] == []


BOTS = "(bots: Bold, Heads, Pass, Tails, Twin, Wrong)"
BAD = [
    (("Bald", "Pass"), f'no bot is called "Bald"; did you mean "Bold"? {BOTS}'),
    (("zzz", "Pass"), f'no bot is called "zzz" {BOTS}'),
    (("", "Pass"), "expected file.py, file.py:Class or file.py:Class(threshold=7), got ''"),
    (("bots/bald.py", "Pass"), 'bots/bald.py: there is no such file or folder; did you mean "bold.py"?'),
    (("bots/bold.py", "Pass"), "bots/bold.py has 2 bots (Bold, Twin); say which one: bots/bold.py:Bold"),
    (("bots/bold.py:Bald", "Pass"), 'bold.py has no bot class Bald; did you mean "Bold"? (bots there: Bold, Twin)'),
    (("bots/bold.py:Bold(9)", "Pass"), "expected file.py, file.py:Class or file.py:Class(threshold=7) with plain"),
    (("bots/bold.py:Bold(treshold=9)", "Pass"), "no parameter 'treshold'; did you mean \"threshold\"?"),
    (("Pass", "Pass"), '"Pass" and "Pass" are the same bot: the same code, class and parameters; name another'),
    (("Pass", "bots/pass.py:Pass"), '"Pass" and "bots/pass.py:Pass" are the same bot'),
    (("Bold", "Pass", "--table", "bicicle"), 'did you mean "bicycle"?'),
    (("Bold", "Pass", "--set", "ante.amuont=5"), 'unknown key "amuont"; did you mean "amount"?'),
    (("Bold", "Pass", "--set", "table.ante.amount=x"), "table.ante.amount: expected a whole number from 1 to"),
    (("Bold", "Pass", "--config", "t.yml"), 't.yml: there is no such file or folder; did you mean "t.yaml"?'),
    (("Bold", "Pass", "--config", "t.yaml", "--table", "bicycle"), "write --set table.preset=bicycle"),
    (("Bold", "Pass", "--config", "t.yaml", "--set", "rank=wins"), "rank: unknown key"),
    (("Bold", "Pass", "--set", "seats=4"), "a key of the tournament, not of its table"),
    (("Bold", "Pass", "--config", "t.yaml", "--set", "seats=4"), "--set seats=4: a duel makes no use of seats; it always"),
    (("Bold", "Pass", "--config", "t.yaml", "--set", "deals=4"), "a duel makes no use of deals; write --max-deals"),
    (("Bold", "Pass", "--config", "t.yaml", "--set", "stop.max_deals=600"), "no use of stop; write --max-deals or"),
    (("Bold", "Pass", "--config", "t.yaml", "--set", "lineups=4"), "a duel makes no use of lineups; its two bots"),
    (("Bold", "Pass", "--config", "t.yaml", "--seed", "3", "--set", "seed=4"), "--set seed=4: --seed is there, too;"),
    (("Bold", "Idel", "--config", "t.yaml"), 'no bot is called "Idel"; did you mean "Idle"? (bots: Bold, Idle, Twin)'),
    (("Bold", "Pass", "--max-deals", "499"), "--max-deals: expected at least 500, where the first look is, got 499"),
    (
        ("Bold", "Pass", "--config", "wins.yaml", "--indifferent", "1"),
        "--indifferent: with rank_by: wins it is a share of games: expected a number below 1, got 1; write 0.01 for 1 %",
    ),
    (("Bold", "Pass", "--indifferent", "nan"), "--indifferent: expected chips, 0 or more, got nan"),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "sentence"), BAD)
def test_what_is_wrong_is_one_sentence_with_the_nearest_name(
    duel: Duel, place: Path, arguments: tuple[str, ...], sentence: str
) -> None:
    (place / "t.yaml").write_text(CONFIG)
    (place / "wins.yaml").write_text("bots: bots\nrank_by: wins\n")
    code, out, err = duel(*arguments)
    assert (code, out) == (2, "")
    [line] = err.splitlines()
    assert line.startswith("error: ")
    assert sentence in line


@pytest.mark.parametrize("columns", [60, 80])
def test_names_of_any_length_leave_the_table_its_width(
    duel: Duel, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    on_a_terminal(monkeypatch, columns)
    _, out, _ = duel("bots/bold.py:Bold(threshold=11)", "bots/bold.py:Twin(threshold=8)")
    assert "Bold(threshold=11)" in " ".join(out.split())
    table = out.split("\n\n")[1].splitlines()
    assert max(map(len, out.splitlines())) <= columns
    assert len(table) == 4
    assert [line[:2] for line in table[2:]] == ["Bo", "Tw"]
    assert ("chips adjusted" in table[0], "lost a decision" in table[0]) == (True, True)


def test_both_bots_and_the_deals_are_told_at_once(duel: Duel) -> None:
    code, _, err = duel("Bald", "bots/pas.py", "--max-deals", "5")
    assert code == 2
    assert len(err.splitlines()) == 3


def test_a_broken_file_is_told_where_it_may_hold_the_bot_and_else_not(duel: Duel, place: Path) -> None:
    (place / "bots" / "broken.py").write_text("from arena import Bot\n\nclass Broken(Bot:\n    pass\n")
    code, _, err = duel("Bold", "Pass")
    assert (code, "broken.py" in err) == (0, False)
    code, _, err = duel("Broken", "Pass")
    assert code == 2
    assert "broken.py:3:" in err
    code, _, err = duel("bots/broken.py", "Pass")
    assert code == 2
    assert "broken.py:3:" in err


def test_without_a_folder_of_bots_a_name_needs_a_file(
    duel: Duel, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(place / "bots")
    code, _, err = duel("Bold", "pass.py")
    assert code == 2
    assert err == (
        "error: there is no folder bots here to look up names of bots in; run it where bots/ is, or name a file "
        "(file.py, file.py:Class), or a tournament file with --config\n"
    )
    assert duel("bold.py:Bold", "pass.py")[0] == 0


@pytest.mark.parametrize(("error", "code"), [(KeyboardInterrupt(), 130), (CannotRunError("no processes"), 3)])
def test_a_duel_that_cannot_go_on_says_so(
    duel: Duel, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int
) -> None:
    def stop(*_: object) -> None:
        raise error

    monkeypatch.setattr("arena.tournament.duel.hold", stop)
    ended, out, err = duel("Bold", "Pass")
    assert (ended, out) == (code, "")
    assert ("interrupted: nothing is decided; again: arena" if code == 130 else "error: no processes") in err
