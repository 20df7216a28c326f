"""``arena submit`` and ``arena withdraw``: what goes in, what is refused and why, and that nothing is ever half done."""

from __future__ import annotations

import json
import os
import shutil
import threading
import time
from collections.abc import Callable
from pathlib import Path

import commands
import pytest

from arena.bot.entrant import BotSource, find_entrants
from arena.errors import ArenaError
from arena.tournament import roster, submission
from arena.tournament.lock import holding_folder
from arena.tournament.roster import entries, put, tidy
from arena.tournament.submission import place, read_submission

ROOT = Path(__file__).parent.parent
Arena = Callable[..., tuple[int, str, str]]
GAP = """from arena import Bot


class {name}(Bot):
    def bet(self, turn):
        return turn.max_bet if turn.gap >= {gap} else 0
"""


def bot(path: Path, name: str = "Wide", gap: int = 8) -> Path:
    path.write_text(GAP.format(name=name, gap=gap))
    return path


@pytest.fixture
def arena(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Arena:
    """A tournament of a house bot and one put there by hand, played in this process; ``arena`` in its folder."""
    (tmp_path / "bots").mkdir()
    shutil.copy(ROOT / "bots" / "edge.py", tmp_path / "bots")
    bot(tmp_path / "bots" / "narrow.py", "Narrow", 10)
    (tmp_path / "t.yaml").write_text("bots: bots\ndeals: 20\ntable: {end: {rounds: 2}}\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("arena.check.checking.DEALS", 6)  # tests/test_check.py is about checks
    monkeypatch.setattr("arena.check.repeat.SINGLE", 2)

    def call(command: str, *arguments: object) -> tuple[int, str, str]:
        more = ["--config", "t.yaml"] if command in ("submit", "withdraw") else []
        more += ["--trust-bots"] if command in ("submit", "run") else []
        return commands.ended(capsys, command, *arguments, *more)

    return call


def there(folder: Path = Path("bots")) -> list[str]:
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if "__pycache__" not in p.parts)


def in_play() -> list[str]:
    found, problems = find_entrants([BotSource(Path("bots"))])
    assert not problems
    return sorted(entrant.name for entrant in found)


BEFORE = ["edge.py", "narrow.py"]


def files(report: Path) -> dict[str, bytes]:
    """What a report's files hold that depends on nothing but what was played."""
    kept = [p for p in report.rglob("*") if p.is_file() and p.name != "run.json"]
    return {str(p.relative_to(report)): p.read_bytes() for p in kept}


def test_a_submission_plays_just_its_games_and_says_where_it_landed(arena: Arena, tmp_path: Path) -> None:
    assert arena("run", "t.yaml")[0] == 0
    code, out, err = arena("submit", bot(tmp_path / "wide.py"))
    assert code == 0
    assert "80 of 120 games are new" in err  # three lineups of two seats and twenty deals, one of them stored
    assert there() == [*BEFORE, "wide@1.py"]
    assert (tmp_path / "bots/wide@1.py").read_bytes() == (tmp_path / "wide.py").read_bytes()
    assert in_play() == ["Edge", "Narrow", "Wide@1"]
    landed = out[out.index("Wide@1 landed at rank") :]
    assert " of 3" in landed
    assert landed.count("Edge") == landed.count("Narrow") == 1
    report = files(tmp_path / "reports/t")
    code, _, err = arena("run", "t.yaml")
    assert "0 of 120 games are new" in err
    assert report == files(tmp_path / "reports/t")


def test_where_it_landed_is_what_the_standings_and_their_pairs_say(arena: Arena, tmp_path: Path) -> None:
    for gap in (2, 5):
        bot(tmp_path / "bots" / f"by_hand_{gap}.py", f"Gap{gap}", gap)
    (tmp_path / "t.yaml").write_text("bots: bots\ndeals: 500\ntable: {end: {rounds: 5}}\n")
    code, out, _ = arena("submit", bot(tmp_path / "wide.py"), "--json")
    assert code == 0
    [told] = json.loads(out)["bots"]
    results = json.loads((tmp_path / "reports/t/results.json").read_text())
    names = [b["name"] for b in results["bots"]]
    me = names.index("Wide@1")
    assert (told["name"], told["rank"], told["rank_low"], told["rank_high"]) == (
        "Wide@1", *(results["bots"][me][key] for key in ("rank", "rank_low", "rank_high")),
    )  # fmt: skip
    assert told["figure"]["mean"] == results["bots"][me]["adjusted"]["mean"]
    pairs = {frozenset(p["bots"]): p["separated"] for p in results["pairs"]}
    apart = {name: pairs[frozenset((me, i))] for i, name in enumerate(names) if i != me}
    assert told["beats"] == [n for n, is_apart in apart.items() if is_apart and names.index(n) > me]
    assert told["loses_to"] == [n for n, is_apart in apart.items() if is_apart and names.index(n) < me]
    assert told["not_separated_from"] == [n for n, is_apart in apart.items() if not is_apart]
    assert min(len(told["beats"]), len(told["loses_to"])) > 0, "or the test says nothing"


@pytest.mark.parametrize(
    ("keys", "sentences"),
    [
        ("rank_by: wins", ["Wide@1 landed at rank ", " % of games won.\n"]),
        ("rank_by: chips", [" chips a game.\n"]),
        (
            "schedule: gauntlet\nagainst: [Edge]",
            ["Wide@1: ", "Not ranked: these bots did not all meet the same field."],
        ),
        ("schedule: balanced\nlineups: 2", ["Wide@1 landed at rank "]),
        ("seats: 3", [" of 3"]),
        ("seed: secret", ["Wide@1 landed at rank "]),
    ],
)
def test_where_it_landed_is_told_of_every_kind_of_tournament(
    arena: Arena, tmp_path: Path, keys: str, sentences: list[str]
) -> None:
    (tmp_path / "t.yaml").write_text(f"bots: bots\ndeals: 20\ntable: {{end: {{rounds: 2}}}}\n{keys}\n")
    code, out, err = arena("submit", bot(tmp_path / "wide.py"))
    assert code == 0, err
    landed = out[out.rindex("\n\n") :]
    assert all(sentence in landed for sentence in sentences), landed
    assert in_play() == ["Edge", "Narrow", "Wide@1"]


def test_a_bot_that_the_schedule_names_no_more_is_told_before_anything_is_played(
    arena: Arena, tmp_path: Path
) -> None:
    assert arena("submit", bot(tmp_path / "wide.py"))[0] == 0
    (tmp_path / "t.yaml").write_text("bots: bots\ndeals: 20\nschedule: gauntlet\nagainst: [Wide@1]\n")
    code, _, err = arena("submit", bot(tmp_path / "wide.py", gap=7))
    assert code == 2
    assert "against" in err
    assert 'did you mean "Wide@2"' in err
    assert in_play() == ["Edge", "Narrow", "Wide@1"]


def test_a_next_version_takes_the_place_of_the_one_before_which_stays_on_file(
    arena: Arena, tmp_path: Path
) -> None:
    first = bot(tmp_path / "wide.py").read_bytes()
    assert arena("submit", "wide.py")[0] == 0
    bot(tmp_path / "wide.py", gap=7)
    code, _, err = arena("submit", "wide.py")
    assert code == 0
    assert "Wide@1 is out of play, on file in out_of_play/" in err
    assert in_play() == ["Edge", "Narrow", "Wide@2"]
    assert there() == [*BEFORE, "out_of_play", "out_of_play/wide@1.py", "wide@2.py"]
    assert (tmp_path / "bots/out_of_play/wide@1.py").read_bytes() == first
    bot(tmp_path / "wide.py", gap=6)
    assert "Wide@2 plays on beside it" in arena("submit", "wide.py", "--keep-old")[2]
    assert in_play() == ["Edge", "Narrow", "Wide@2", "Wide@3"]
    bot(tmp_path / "wide.py", gap=5)
    assert arena("submit", "wide.py")[0] == 0
    assert in_play() == ["Edge", "Narrow", "Wide@2", "Wide@4"], "what was kept stays until it is withdrawn"
    assert arena("withdraw", "Wide@2")[0] == 0
    assert in_play() == ["Edge", "Narrow", "Wide@4"]
    assert [name for name in there() if "kept" in name] == []


def test_what_is_withdrawn_stays_on_file_and_brings_nothing_back(arena: Arena, tmp_path: Path) -> None:
    for gap in (8, 7):
        assert arena("submit", bot(tmp_path / "wide.py", gap=gap))[0] == 0
    code, out, _ = arena("withdraw", "Wide")
    assert code == 0
    assert out == "Wide@2: out of play from the next run on; the file is kept as bots/out_of_play/wide@2.py\n"
    assert in_play() == ["Edge", "Narrow"]
    assert arena("withdraw", "Wide@2")[::2] == (
        2, "error: Wide@2 is out of play already; its file lies in bots/out_of_play\n",
    )  # fmt: skip
    assert arena("submit", "wide.py")[0] == 0  # the same bytes again: it is not in play now
    assert in_play() == ["Edge", "Narrow", "Wide@3"]
    assert arena("withdraw", "narrow.py")[0] == 0
    assert in_play() == ["Edge", "Wide@3"]


def test_who_cannot_be_withdrawn(arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert arena("submit", bot(tmp_path / "wide.py"))[0] == 0
    before = there()
    assert "Edge is of the house roster, which stays" in arena("withdraw", "Edge")[2]
    assert 'no bot called "Wild@1" plays in bots; did you mean "Wide@1"?' in arena("withdraw", "Wild@1")[2]
    monkeypatch.setattr(os, "geteuid", lambda: 4711)
    assert "Wide belongs to user" in arena("withdraw", "Wide")[2]
    assert there() == before


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda p: (p / "wide.py").symlink_to(bot(p / "real.py")), "is a symbolic link"),
        (lambda p: os.mkfifo(p / "wide.py"), "wide.py is no regular file"),
        (lambda p: (p / "wide.py").mkdir(), "wide.py is a folder"),
        (lambda p: (p / "wide.py").write_bytes(b"\x7fELF\0\0"), "wide.py:1:5: the line holds a NUL byte"),
        (lambda p: (p / "wide.py").write_bytes(b"# \xff\xfe"), "wide.py:1:3: the line is not UTF-8 text"),
        (lambda p: (p / "wide.py").write_bytes(b"#" * 1_000_001), "has 1,000,001 bytes, and a submission at most 1,000,000"),
        (lambda p: (p / "wide.py").touch(), "wide.py: no bot class here"),
        (lambda p: (p / "wide.py").write_text("class"), "wide.py:1:6: the file is no valid Python"),
        (lambda p: (p / "wide.py").write_text(GAP.format(name="Wíde", gap=8)), "names are identifiers"),
        (lambda p: (p / "wide.py").write_text(GAP.format(name="W" * 37, gap=8)), "36 is the most"),
        (
            lambda p: (p / "wide.py").write_text(GAP.format(name="Wide", gap=8) + "\n    name = 'No name'\n"),
            "a bot is called 'No name', and names are identifiers",
        ),
        (
            lambda p: (p / "wide.py").write_text(GAP.format(name="Wide", gap=8).replace("turn.max_bet", "-1")),
            "fault",
        ),
        (lambda p: bot(p / "wide.py", "Edge"), "the name Edge is taken: edge.py is of the house roster"),
        (lambda p: bot(p / "wide.py", "EDGE"), "the name EDGE is taken: edge.py is of the house roster"),
        (lambda p: bot(p / "wide.py", "Narrow"), "the name Narrow is taken: narrow.py was put there by hand"),
    ],
)  # fmt: skip
def test_what_is_refused(arena: Arena, tmp_path: Path, make: Callable[[Path], object], reason: str) -> None:
    make(tmp_path)
    code, out, _ = arena("submit", "wide.py")
    assert code == 1
    assert out.startswith("wide.py: refused, for 1 reason; the roster is as it was\n")
    assert reason in out
    assert there() == BEFORE


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("my bot.py", "the file is called 'my bot', and names are identifiers"),
        ("wide@1.py", "wide@1.py is named as a version; submit it under its own name: cp "),
        ("wide@x.py", "the file is called 'wide@x', and names are identifiers"),
        ("wïde.py", "the file is called 'wïde', and names are identifiers"),
        ("if.py", "the file is called 'if', and names are identifiers"),
        ("_wide.py", "the file is called '_wide', and what starts with _ does not play"),
        ("wide.txt", "expected a Python file, its name ending in .py"),
        ("narrow.py", "the file name narrow.py is taken: narrow.py was put there by hand"),
        ("EDGE.py", "the file name EDGE.py is taken: edge.py is of the house roster"),
    ],
)
def test_what_file_names_are_refused(arena: Arena, tmp_path: Path, name: str, reason: str) -> None:
    code, out, _ = arena("submit", bot(tmp_path / name))
    assert (code, there()) == (1, BEFORE)
    assert reason in out


def test_a_check_tells_what_submit_would_say_of_a_file_s_form_and_names(arena: Arena, tmp_path: Path) -> None:
    (tmp_path / "wide.py").symlink_to(bot(tmp_path / "my-bot.py"))
    short = ("--table", "nepali", "--deals", "5", "--trust-bots")
    code, out, _ = arena("check", "wide.py", *short)
    assert (code, "wide.py is a symbolic link" in out) == (1, True)
    code, out, _ = arena("check", "my-bot.py", *short)
    assert (code, "the file is called 'my-bot', and names are identifiers" in out) == (1, True)
    shutil.copy("my-bot.py", "bots/my-bot.py")  # there by hand: it plays as it is
    assert arena("check", "bots/my-bot.py", *short)[0] == 0
    assert arena("check", "my-bot.py:Wide", *short)[0] == 0, "a class is no submission"


def test_every_reason_is_told_at_once(arena: Arena, tmp_path: Path) -> None:
    text = GAP.format(name="Edge", gap=8).replace("turn.max_bet", "turn.max_bet + 1")
    (tmp_path / "if.py").write_text(text + GAP.format(name="Two", gap=8).replace("turn.gap", "turn.gapp"))
    code, out, _ = arena("submit", "if.py")
    assert code == 1
    for reason in (
        "the file is called 'if'",
        "the name Edge is taken",
        "Edge: would be refused",
        "Two: would be refused",
    ):
        assert reason in out
    assert "refused, for 4 reasons" in out
    code, out, _ = arena("submit", "if.py", "--json")
    told = json.loads(out)
    assert (code, told["is_submitted"], len(told["reasons"])) == (1, False, 2)
    assert [c["is_good"] for c in told["checks"]] == [False, False]


def test_a_name_belongs_to_the_file_and_the_user_it_came_from(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert arena("submit", bot(tmp_path / "wide.py"))[0] == 0
    before = there()
    _, out, _ = arena("submit", bot(tmp_path / "other.py", gap=7))
    assert "the name Wide is taken: wide@1.py came in as wide.py; submit it as that for a new version" in out
    bot(tmp_path / "wide.py", "Broad", 7)
    assert "wide@1.py has Wide, and yours has none of these" in arena("submit", "wide.py")[1]
    bot(tmp_path / "wide.py", gap=7)
    monkeypatch.setattr(os, "geteuid", lambda: 4711)
    me = roster.user_name((tmp_path / "bots/wide@1.py").stat().st_uid)
    assert f"the name Wide is taken: wide@1.py is user {me}'s; rename yours" in arena("submit", "wide.py")[1]
    assert there() == before
    monkeypatch.undo()


def test_the_bot_in_the_folder_itself_is_told_what_to_do(arena: Arena, tmp_path: Path) -> None:
    code, out, _ = arena("submit", "bots/narrow.py")
    assert code == 1
    assert "refused, for 1 reason" in out
    assert "plays as it is; to submit it: mv bots/narrow.py . && arena submit narrow.py" in out


def test_an_old_file_copied_back_by_hand_neither_plays_nor_comes_back_nor_is_lost(
    arena: Arena, tmp_path: Path
) -> None:
    for gap in (8, 7):
        assert arena("submit", bot(tmp_path / "wide.py", gap=gap))[0] == 0
    shutil.copy(tmp_path / "bots/out_of_play/wide@1.py", tmp_path / "bots")
    assert in_play() == ["Edge", "Narrow", "Wide@2"]
    bot(tmp_path / "bots/wide@1.py", gap=3)
    code, _, err = arena("withdraw", "Wide@2")
    assert (code, "is not the file of that name in bots/out_of_play" in err) == (2, True)
    assert arena("submit", bot(tmp_path / "wide.py", gap=6))[0] == 0
    assert in_play() == ["Edge", "Narrow", "Wide@3"]
    assert "gap >= 3" in (tmp_path / "bots/wide@1.py").read_text()
    assert "gap >= 8" in (tmp_path / "bots/out_of_play/wide@1.py").read_text()
    shutil.copy(tmp_path / "bots/out_of_play/wide@1.py", tmp_path / "bots")
    assert arena("withdraw", "Wide")[0] == 0
    assert in_play() == ["Edge", "Narrow"]


def test_a_file_in_the_place_of_the_folder_of_bots_out_of_play_is_told_at_once(
    arena: Arena, tmp_path: Path
) -> None:
    (tmp_path / "bots/out_of_play").touch()
    code, _, err = arena("submit", bot(tmp_path / "wide.py"))
    assert (code, "is to be the folder of bots out of play, and is a file" in err) == (2, True)


@pytest.mark.parametrize(
    ("bots", "sentence"),
    [
        ("[bots/edge.py, bots/narrow.py]", "it names no folder, but files one by one; write bots: FOLDER"),
        ("bots/edge.py", "it names no folder, but files one by one"),
        ("[bots, more]", "it names several folders"),
    ],
)
def test_a_tournament_without_one_folder_has_no_roster(
    arena: Arena, tmp_path: Path, bots: str, sentence: str
) -> None:
    shutil.copytree("bots", "more")
    (tmp_path / "t.yaml").write_text(f"bots: {bots}\n")
    code, _, err = arena("submit", bot(tmp_path / "wide.py"))
    assert code == 2
    assert err.startswith("error: t.yaml:1:7: bots: submitted bots live in the folder")
    assert sentence in err


@pytest.mark.parametrize(
    ("what", "sentence"),
    [
        ("no.py", "there is no such file or folder"),
        ("wide.py:Wide(gap=7)", "a submission is a whole file; submit wide.py"),
        ("", "expected file.py"),
        ("wi\nde.py", "expected file.py"),
    ],
)
def test_what_is_no_submission_at_all(arena: Arena, tmp_path: Path, what: str, sentence: str) -> None:
    bot(tmp_path / "wide.py")
    code, _, err = arena("submit", what)
    assert (code, there()) == (2, BEFORE)
    assert sentence in err


def test_it_must_play_at_the_tournament_s_table(arena: Arena, tmp_path: Path) -> None:
    (tmp_path / "wide.py").write_text(
        GAP.format(name="Wide", gap=8)
        + "\n    def start(self, table):\n        assert table.rules.deck.packs == 2\n"
    )
    assert "it cannot be made or started there" in arena("submit", "wide.py")[1]


# ---- nothing half done


def halfway(arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Submit a second version that is interrupted where ``name`` is called, for the first time."""
    assert arena("submit", bot(tmp_path / "wide.py"))[0] == 0
    bot(tmp_path / "wide.py", gap=7)

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(name, interrupted)
        code, _, err = arena("submit", "wide.py")
    assert code == 130
    assert "interrupted: the roster is as it was, what was played is stored; go on with: " in err


@pytest.mark.parametrize(
    "name",
    [
        "arena.check.checking.check",
        "arena.tournament.lock.holding_folder",
        "arena.tournament.tournament._Table.play_to",
        "arena.tournament.submission.put",
        "arena.report.write.write_folder",
    ],
)
def test_wherever_it_is_interrupted_the_roster_is_as_it_was(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    halfway(arena, tmp_path, monkeypatch, name)
    assert there() == [*BEFORE, "wide@1.py"]
    assert in_play() == ["Edge", "Narrow", "Wide@1"]
    assert arena("submit", "wide.py")[0] == 0
    assert in_play() == ["Edge", "Narrow", "Wide@2"]


def test_one_killed_between_its_own_steps_has_put_its_bot_in_and_the_next_tidies_up(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    halfway(arena, tmp_path, monkeypatch, "arena.tournament.submission.tidy")
    assert there() == [*BEFORE, "wide@1.py", "wide@2.py"]
    assert in_play() == ["Edge", "Narrow", "Wide@2"], "the version before is out of play all the same"
    assert arena("withdraw", "Wide")[0] == 0
    assert in_play() == ["Edge", "Narrow"], "and does not come back"


def test_a_mark_left_by_a_killed_submission_keeps_nothing_in_play_later(tmp_path: Path) -> None:
    bot(tmp_path / "wide@1.py")
    for name in ("wide@1.kept", ".wide@2.py.new", "gone@1.kept", "mine.kept"):
        (tmp_path / name).touch()
    tidy(tmp_path)
    assert there(tmp_path) == ["mine.kept", "wide@1.py"]


@pytest.mark.parametrize("has_unnamed", [True, False])
def test_a_file_is_put_whole_or_not_at_all_and_never_over_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_unnamed: bool
) -> None:
    if not has_unnamed:
        monkeypatch.delattr(os, "O_TMPFILE")
    data = os.urandom(300_000)
    put(tmp_path, "a@1.py", data)
    assert (tmp_path / "a@1.py").read_bytes() == data
    with pytest.raises(FileExistsError):
        put(tmp_path, "a@1.py", b"other")

    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(OSError, match="No space left"):
        put(tmp_path, "b@1.py", data)
    assert there(tmp_path) == ["a@1.py"]
    assert (tmp_path / "a@1.py").read_bytes() == data


def test_a_second_submission_waits_and_sees_the_first(tmp_path: Path) -> None:
    """Both get in, and the one that waited is told that the name is taken meanwhile if it is."""
    (tmp_path / "bots").mkdir()
    one, two = (read_submission(str(bot(tmp_path / name))) for name in ("wide.py", "other.py"))
    assert place(two, tmp_path / "bots", False)[1] == []
    said: list[str] = []
    order: list[str] = []

    def second() -> None:
        with holding_folder(tmp_path / "bots", said.append):
            order.append("second")
            assert len(place(two, tmp_path / "bots", False)[1]) == 1

    with holding_folder(tmp_path / "bots", said.append):
        thread = threading.Thread(target=second)
        thread.start()
        while not said:
            time.sleep(0.01)
        place(one, tmp_path / "bots", False)[0].commit()
        order.append("first")
    thread.join()
    assert order == ["first", "second"]
    assert said == [f"{tmp_path / 'bots'}: another submission is under way; waiting for it to end"]


def test_what_was_checked_is_what_goes_in_even_if_the_file_changes_meanwhile(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = bot(tmp_path / "wide.py").read_bytes()
    really = submission.place

    def change(*arguments: object) -> object:
        (tmp_path / "wide.py").write_text("import os")
        return really(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(submission, "place", change)
    assert arena("submit", "wide.py")[0] == 0
    assert (tmp_path / "bots/wide@1.py").read_bytes() == good


def test_names_on_file_are_those_in_the_file_and_broken_files_only_have_theirs(tmp_path: Path) -> None:
    bot(tmp_path / "wide@2.py").write_text(GAP.format(name="Wide", gap=8) + GAP.format(name="Two", gap=8))
    (tmp_path / "broken.py").write_text("class")
    (tmp_path / "out_of_play").mkdir()
    bot(tmp_path / "out_of_play/wide@1.py")
    found = [(e.path.name, e.full_names, e.is_in_play) for e in entries(tmp_path)]
    assert found == [
        ("broken.py", (), True),
        ("wide@1.py", ("Wide@1",), False),
        ("wide@2.py", ("Wide@2", "Two@2"), True),
    ]
    with pytest.raises(ArenaError, match="out of play already"):
        roster.withdraw(tmp_path, "Wide@1")
    entry, away = roster.withdraw(tmp_path, "Two")
    assert (entry.names, away.name) == (("Wide", "Two"), "wide@2.py")
