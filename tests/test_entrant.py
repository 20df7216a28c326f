"""Bots are found by reading their files: which classes play, their names, what is wrong with others."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from arena.bot.classes import BANKS
from arena.bot.entrant import BotSource, Entrant, able, find_entrants, parse_bot
from arena.bot.source import Place
from arena.errors import ArenaError

BET = "    def bet(self, turn):\n        return 0\n"
EDGE = "from arena import Bot\n\nclass Edge(Bot):\n" + BET
GAP = (
    "from arena import Bot\n\nclass Gap(Bot):\n"
    "    def __init__(self, threshold=8, *, share=0.5):\n        pass\n" + BET
)


def write(folder: Path, text: str | bytes, name: str = "bot.py") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def read(folder: Path, text: str | bytes, **source: object) -> tuple[list[str], list[str]]:
    """Names of the entrants of a file, sorted, and problems without the folder."""
    found, problems = find_entrants([BotSource(write(folder, text), **source)])  # type: ignore[arg-type]
    return sorted(e.name for e in found), [str(p).replace(f"{folder}/", "") for p in problems]


@pytest.mark.parametrize(
    ("head", "base"),
    [
        ("from arena import Bot", "Bot"),
        ("from arena import Bot as B", "B"),
        ("import arena", "arena.Bot"),
        ("import arena as a", "a.Bot"),
        ("from arena.bot.api import Bot", "Bot"),
        ("import arena.bot.api", "arena.bot.api.Bot"),
        ("import arena.bot.api as api", "api.Bot"),
        ("from arena.bot import api", "api.Bot"),
        ("from arena import *", "Bot"),
        ("import arena\nBase = arena.Bot", "Base"),
        ("try:\n    from arena import Bot\nexcept ImportError:\n    raise", "Bot"),
    ],
)
def test_a_bot_is_found_however_its_base_was_imported(tmp_path: Path, head: str, base: str) -> None:
    assert read(tmp_path, f"{head}\nclass Mine({base}):\n{BET}") == (["Mine"], [])


@pytest.mark.parametrize(
    ("head", "base"),
    [
        ("from elsewhere import Bot", "Bot"),
        ("import elsewhere", "elsewhere.Bot"),
        ("from .arena import Bot", "Bot"),
        ("from arena import Bot\nBot = object", "Other"),
        ("", "object"),
    ],
)
def test_a_class_that_derives_from_something_else_is_no_bot(tmp_path: Path, head: str, base: str) -> None:
    names, problems = read(tmp_path, f"{head}\nclass Mine({base}):\n{BET}")
    assert names == []
    assert problems[0].startswith("bot.py: no bot class here")


def test_a_file_is_read_and_never_run(tmp_path: Path) -> None:
    trap = f"open({str(tmp_path / 'ran')!r}, 'w')\n"
    assert read(tmp_path, trap + EDGE) == (["Edge"], [])
    assert not (tmp_path / "ran").exists()


def test_scalar_and_vectorised_bots_are_told_apart(tmp_path: Path) -> None:
    text = f"import arena\nclass S(arena.Bot):\n{BET}\nclass V(arena.VectorBot):\n{BET}"
    found, _ = find_entrants([BotSource(write(tmp_path, text))])
    assert {e.name: (e.is_vector, e.line, e.class_name) for e in found} == {
        "S": (False, 2, "S"),
        "V": (True, 6, "V"),
    }


def test_classes_derive_through_classes_of_their_file_and_bases_do_not_play(tmp_path: Path) -> None:
    text = f"""
from abc import abstractmethod
from arena import Bot
class Base(Bot):
    pass
class Abstract(Bot):
    @abstractmethod
    def bet(self, turn): ...
class _Hidden(Bot):
{BET}
class Mixin:
{BET}
class One(_Hidden):
    pass
class Two(Mixin, Base):
    pass
class Three(Abstract):
    bet = Mixin.bet
"""
    assert read(tmp_path, text) == (["One", "Three", "Two"], [])


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ("    name = 'the edge'\n", "the edge"),
        ("    name: str = 'the edge'\n", "the edge"),
        ("    name: str\n", "Mine"),
        ("    @property\n    def name(self):\n        return 'x'\n", "Mine"),
    ],
)
def test_a_bot_is_called_by_its_name_or_its_class(tmp_path: Path, body: str, name: str) -> None:
    assert read(tmp_path, f"from arena import Bot\nclass Mine(Bot):\n{body}{BET}") == ([name], [])


def test_a_name_is_not_inherited_so_that_children_do_not_share_it(tmp_path: Path) -> None:
    text = f"from arena import Bot\nclass A(Bot):\n    name = 'a'\n{BET}\nclass B(A):\n    pass\n"
    assert read(tmp_path, text) == (["B", "a"], [])


def test_parameters_make_a_name_and_a_given_name_beats_all(tmp_path: Path) -> None:
    assert read(tmp_path, GAP, params={"threshold": 7}) == (["Gap(threshold=7)"], [])
    both = {"threshold": 7, "share": 0.25}
    assert read(tmp_path, GAP, params=both) == (["Gap(share=0.25, threshold=7)"], [])
    assert read(tmp_path, GAP, params={"threshold": 7}, name="seven") == (["seven"], [])


@pytest.mark.parametrize(
    ("signature", "params"),
    [
        ("def __init__(self, a, b=1, *, c=2): pass", {"a": 1, "c": 3}),
        ("def __init__(self, **kw): pass", {"anything": [1, [2.5, None, True, "x"]]}),
        ("def __init__(self, a, *rest): pass", {"a": None}),
        ("def __init__(self, a=1, /, b=2): pass", {"b": 1}),
        ("__init__ = make_init()", {"whatever": 1}),
    ],
)
def test_parameters_are_the_keywords_of_init(
    tmp_path: Path, signature: str, params: dict[str, object]
) -> None:
    text = f"from arena import Bot\nclass Mine(Bot):\n    {signature}\n{BET}"
    names, problems = read(tmp_path, text, params=params, name="n")
    assert (names, problems) == (["n"], [])


def test_init_is_found_in_the_nearest_base_of_the_file(tmp_path: Path) -> None:
    text = GAP + "\nclass Child(Gap):\n    pass\n"
    assert read(tmp_path, text, class_name="Child", params={"threshold": 3})[0] == ["Child(threshold=3)"]


def test_a_dataclass_takes_its_fields(tmp_path: Path) -> None:
    text = f"""
from dataclasses import dataclass, field
from typing import ClassVar
from arena import Bot
@dataclass
class D(Bot):
    a: int
    b: list = field(default_factory=list)
    seen: int = field(init=False, default=0)
    kind: ClassVar[int] = 3
{BET}"""
    assert read(tmp_path, text, params={"a": 1, "b": [2]})[1] == []
    for wrong in ("seen", "kind"):
        [problem] = read(tmp_path, text, params={"a": 1, wrong: 2})[1]
        assert problem.endswith(f"class D has no parameter '{wrong}' (it takes a, b)")
    assert "class D needs a value for a;" in read(tmp_path, text)[1][0]


def content(folder: Path, text: str, **source: object) -> str:
    [entrant], problems = find_entrants([BotSource(write(folder, text), **source)])  # type: ignore[arg-type]
    assert not problems
    return entrant.content


def test_content_covers_file_class_and_parameters_but_not_the_name(tmp_path: Path) -> None:
    plain = content(tmp_path, GAP)
    assert len(plain) == 32
    assert int(plain, 16) >= 0
    assert content(tmp_path, GAP, name="other") == plain
    other = tmp_path / "sub"
    other.mkdir()
    assert content(other, GAP) == plain
    seven = content(tmp_path, GAP, params={"threshold": 7, "share": 1.0})
    assert content(tmp_path, GAP, params={"share": 1.0, "threshold": 7}) == seven
    different = {
        plain,
        seven,
        content(tmp_path, GAP, params={"threshold": 7, "share": 1}),
        content(tmp_path, GAP, params={"threshold": 7, "share": True}),
        content(tmp_path, GAP + "\n"),
        content(tmp_path, GAP + "class Two(Gap): pass\n", class_name="Gap"),
        content(tmp_path, GAP + "class Two(Gap): pass\n", class_name="Two"),
    }
    assert len(different) == 7


def test_entrants_come_in_order_of_content_whatever_the_order_of_sources(tmp_path: Path) -> None:
    sources = [
        BotSource(write(tmp_path, f"# {i}\n{EDGE}", f"e{i}.py"), name=f"bot {i % 7}{i}") for i in range(20)
    ]
    found, _ = find_entrants(sources)
    assert [e.content for e in found] == sorted(e.content for e in found)
    assert find_entrants(sources[::-1])[0] == found


def test_the_same_bot_twice_under_two_names_are_two_entrants_in_order_of_name(tmp_path: Path) -> None:
    path = write(tmp_path, EDGE)
    found, problems = find_entrants([BotSource(path, name="b"), BotSource(path, name="a")])
    assert [e.name for e in found] == ["a", "b"]
    assert problems == ()
    assert len({e.content for e in found}) == 1


def test_entrants_can_be_hashed_and_keep_their_parameters_sorted(tmp_path: Path) -> None:
    [entrant], _ = find_entrants(
        [BotSource(write(tmp_path, GAP), params={"threshold": [7], "share": 1}, name="x")]
    )
    assert isinstance(hash(entrant), int)
    assert entrant == Entrant(
        "x",
        tmp_path / "bot.py",
        GAP.encode(),
        "Gap",
        3,
        (("share", 1), ("threshold", [7])),
        False,
        entrant.content,
    )


def test_a_folder_gives_its_python_files_but_not_those_with_an_underscore(tmp_path: Path) -> None:
    for name in ("b", "a", "_base", ".hidden"):
        write(tmp_path, EDGE.replace("Edge", name.strip("_.").upper()), f"{name}.py")
    write(tmp_path, "not python", "notes.txt")
    (tmp_path / "sub").mkdir()
    found, problems = find_entrants([BotSource(tmp_path)])
    assert (sorted(e.name for e in found), problems) == (["A", "B"], ())


def test_broken_files_of_a_folder_are_named_and_the_rest_plays(tmp_path: Path) -> None:
    write(tmp_path, EDGE, "good.py")
    write(tmp_path, "def (", "broken.py")
    write(tmp_path, "x = 1", "empty.py")
    (tmp_path / "folder.py").mkdir()
    found, problems = find_entrants([BotSource(tmp_path)])
    assert [e.name for e in found] == ["Edge"]
    assert [(p.path and p.path.name, p.line, p.column) for p in problems] == [
        ("broken.py", 1, 5),
        ("empty.py", None, None),
    ]


def test_a_name_used_twice_names_both_places_and_neither_plays(tmp_path: Path) -> None:
    write(tmp_path, EDGE, "a.py")
    write(tmp_path, "# mine\n" + EDGE, "b.py")
    write(tmp_path, GAP, "c.py")
    found, [problem] = find_entrants([BotSource(tmp_path)])
    assert [e.name for e in found] == ["Gap"]
    assert str(problem) == (
        f'{tmp_path}/b.py:4:1: 2 bots are called "Edge": {tmp_path}/a.py:3 (class Edge) and '
        f'{tmp_path}/b.py:4 (class Edge); give each a name of its own (name = "..." in the class, or '
        "name: in the tournament file)"
    )


CLASS = "from arena import Bot\nclass X(Bot):\n"
PARAMS = CLASS + "    def __init__(self, threshold): pass\n" + BET
BAD: list[tuple[str | bytes, dict[str, object], str]] = [
    (
        "from arena import Bot\n\nclass X(Bot):\n  def bet(self: 3\n",
        {},
        "bot.py:4:10: the file is no valid Python",
    ),
    (CLASS + "    pass\n", {}, 'bot.py:2:1: class X has no bet(turn): write "def bet(self, turn)"'),
    (CLASS + "    async def bet(self, turn): ...\n", {}, "bot.py:2:1: class X has no bet(turn)"),
    ("class X(Bot):\n" + BET, {}, 'is not imported: add "from arena import Bot"'),
    ("x = 1\n", {}, 'bot.py: no bot class here: write "class Name(Bot)"'),
    ("", {}, "bot.py: no bot class here"),
    ("from arena import Bot\nclass _X(Bot):\n" + BET, {}, "bot.py: no bot class here"),
    (
        b"from arena\n# caf\xe9\n",
        {},
        "bot.py:2:6: the line is not UTF-8 text (byte 0xe9); save the file as",
    ),
    (b"import arena\nx = '\0'\n", {}, "bot.py:2:6: the line holds a NUL byte"),
    ("# coding: latin-1\n" + EDGE, {}, "bot.py:1:11: expected UTF-8, the line asks for latin-1"),
    (b"#" * 1_000_001, {}, "bot.py: the file is larger than 1 MB; shorten it"),
    ("x = " + "(" * 5000 + ")" * 5000, {}, "the file is no valid Python: too many nested parentheses"),
    ("x = " + "-" * 100_000 + "1", {}, "bot.py: the code is nested too deeply to be read; flatten it"),
    ("x = a" + ".b" * 100_000, {}, "bot.py: the code is nested too deeply to be read; flatten it"),
    (EDGE + EDGE, {}, "bot.py:8:1: class Edge is there twice, first in line 3; rename one"),
    (
        f"from arena import Bot, VectorBot\nclass X(Bot, VectorBot):\n{BET}",
        {},
        "bot.py:2:1: class X derives from both Bot and VectorBot; choose one",
    ),
    (CLASS + "    name = make()\n" + BET, {}, "bot.py:2:1: class X: expected a text in quotes as its name"),
    (CLASS + f"    name = '{'x' * 41}'\n" + BET, {}, "bot.py:2:1: class X: a name has at most 40 characters"),
    (CLASS + "    name = 'a|b'\n" + BET, {}, "class X: expected a name of printable characters without |"),
    (CLASS + "    name = 'a\\nb'\n" + BET, {}, "class X: expected a name of printable characters"),
    (CLASS + "    name = ' a'\n" + BET, {}, "class X: expected a name without spaces around it, got ' a'"),
    (CLASS + "    name = ''\n" + BET, {}, "class X: expected a name without spaces around it, got ''"),
    (
        PARAMS,
        {},
        "bot.py:2:1: class X needs a value for threshold; give it in the tournament file (params: {thres",
    ),
    (
        PARAMS,
        {"params": {"treshold": 7, "threshold": 1}},
        "class X has no parameter 'treshold'; did you mean \"threshold\"? (it takes threshold)",
    ),
    (EDGE, {"params": {"a": 1}}, "class Edge has no parameter 'a' (it takes none)"),
    (
        PARAMS,
        {"params": {"threshold": {}}},
        "parameter 'threshold': expected a number, text, true, false, null or a",
    ),
    (PARAMS, {"params": {"threshold": (1,)}}, "got a tuple (write a list: [1, 2])"),
    (PARAMS, {"params": {"threshold": float("nan")}}, "parameter 'threshold': expected a number"),
    (PARAMS, {"params": {"threshold": 2**63}}, "got a whole number of more than 63 bits"),
    (PARAMS, {"params": {"threshold": [[b"x"]]}}, "or a list of these, got b'x'"),
    (
        CLASS + "    def __init__(self, a, /): pass\n" + BET,
        {},
        "bot.py:2:1: class X: __init__ takes a by position only; take away the / or give a default",
    ),
    (EDGE, {"class_name": "Egde"}, 'bot.py has no bot class Egde; did you mean "Edge"? (bots there: Edge)'),
    (EDGE, {"class_name": "_Edge"}, "class _Edge starts with _, so it is no entrant; rename it"),
    (
        GAP + EDGE,
        {"params": {"threshold": 7}},
        "bot.py has several bots (Gap, Edge); say which one with class:",
    ),
]


@pytest.mark.parametrize(("text", "source", "sentence"), BAD)
def test_what_cannot_play_is_left_out_with_its_place_and_a_way_out(
    tmp_path: Path, text: str | bytes, source: dict[str, object], sentence: str
) -> None:
    names, problems = read(tmp_path, text, **source)
    assert "X" not in names
    assert len(problems) == 1
    assert sentence in problems[0]
    assert problems[0].startswith("bot.py")
    assert "\n" not in problems[0]


def test_every_broken_class_of_a_file_is_named_and_the_others_play(tmp_path: Path) -> None:
    text = EDGE + "class A(Bot):\n    pass\nclass B(Bot):\n    pass\n"
    names, problems = read(tmp_path, text)
    assert names == ["Edge"]
    assert [p.split(":")[1] for p in problems] == ["6", "8"]


def test_what_a_tournament_file_says_is_wrong_at_its_place_there(tmp_path: Path) -> None:
    at = Place(Path("t.yaml"), 4, 7)
    cases = [
        BotSource(tmp_path / "gone.py", at=at),
        BotSource(write(tmp_path, GAP), "Gapp", at=at),
        BotSource(write(tmp_path, GAP), params={"x": 1}, at=at),
        BotSource(write(tmp_path, GAP), name="a|b", at=at),
        BotSource(tmp_path, params={"x": 1}, at=at),
        BotSource(tmp_path, name="x", at=at),
    ]
    for source in cases:
        found, [problem] = find_entrants([source])
        assert found == ()
        assert str(problem).startswith("t.yaml:4:7: ")


def test_the_same_file_broken_in_two_sources_is_said_once(tmp_path: Path) -> None:
    source = BotSource(write(tmp_path, "def ("))
    assert len(find_entrants([source, source])[1]) == 1


def test_missing_files_and_folders_without_bots_are_problems_with_a_way_out(tmp_path: Path) -> None:
    write(tmp_path, EDGE, "edge.py")
    (tmp_path / "none").mkdir()
    for path, sentence in [
        (tmp_path / "egde.py", 'there is no such file or folder; did you mean "edge.py"?'),
        (tmp_path / "a" / "b.py", f"its folder {tmp_path / 'a'} is missing too"),
        (tmp_path / "none", "has no bots: put a .py file with a class deriving from arena.Bot there"),
        (write(tmp_path, EDGE, "edge.txt"), "expected a Python file, its name ending in .py"),
        (Path("/dev/null"), "expected a Python file"),
    ]:
        found, [problem] = find_entrants([BotSource(path)])
        assert found == ()
        assert sentence in str(problem)


def test_a_pipe_is_no_bot_and_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    found, [problem] = find_entrants([BotSource(tmp_path)])
    assert found == ()
    assert "found no regular file" in str(problem)


def test_escapes_that_python_warns_of_are_no_problem(tmp_path: Path) -> None:
    assert read(tmp_path, "x = '\\d'\n" + EDGE) == (["Edge"], [])


def test_a_long_chain_of_classes_is_refused_and_not_followed(tmp_path: Path) -> None:
    chain = "".join(f"class A{i}(A{i - 1}):\n    pass\n" for i in range(1, 150))
    names, problems = read(tmp_path, f"from arena import Bot\nclass A0(Bot):\n{BET}{chain}")
    assert len(names) == 100
    assert "derives through more than 100 classes; shorten the chain" in problems[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("bot.py", BotSource(Path("/r/bot.py"))),
        ("../x/bot.py", BotSource(Path("/x/bot.py"))),
        ("/abs/bot.py", BotSource(Path("/abs/bot.py"))),
        ("bots", BotSource(Path("/r/bots"))),
        ("bot.py:Gap", BotSource(Path("/r/bot.py"), "Gap")),
        ("bot.py:Gap()", BotSource(Path("/r/bot.py"), "Gap")),
        ("my bot.py:Gap(a=7)", BotSource(Path("/r/my bot.py"), "Gap", params={"a": 7})),
        (
            "b.py:G(a=-1, b=0.5, c='x', d=None, e=[1, 2], f=True)",
            BotSource(
                Path("/r/b.py"),
                "G",
                params={"a": -1, "b": 0.5, "c": "x", "d": None, "e": [1, 2], "f": True},
            ),
        ),
    ],
)
def test_a_bot_is_named_by_file_class_and_parameters(text: str, expected: BotSource) -> None:
    assert parse_bot(text, Path("/r")) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "b.py:",
        "b.py:a.B",
        "b.py:B(7)",
        "b.py:B(a=7",
        "b.py:B(a=x)",
        "b.py:B(**{})",
        "b.py:B(a=1, a=2)",
        "b.py:B(a=__import__('os'))",
        "b.py:B(a=1)(b=2)",
        "b.py:B; C",
        "b.py:B(a=" + "-" * 100_000 + "1)",
        "b.py\n:B",
    ],
)
def test_what_names_no_bot_is_refused_with_the_forms_that_do(text: str) -> None:
    with pytest.raises(ArenaError, match=r"expected file\.py, file\.py:Class or file\.py:Class") as caught:
        parse_bot(text, Path("/r"))
    assert len(str(caught.value)) < 250


# ---- where a bot plays

PLAYS = "from arena import Bot\nclass A(Bot):\n    plays = {}\n    def bet(self, turn):\n        return 0\n"
PLAYS += "class B(A):\n    pass\n"


@pytest.mark.parametrize(
    ("written", "banks"),
    [('("pot",)', ("pot",)), ('("dealer", "pot")', ("pot", "dealer")), ('("house", "pot", "dealer")', BANKS)],
)
def test_a_bot_says_at_whose_tables_it_plays_and_so_for_those_that_derive_from_it(
    tmp_path: Path, written: str, banks: tuple[str, ...]
) -> None:
    found, problems = find_entrants([BotSource(write(tmp_path, PLAYS.format(written)))])
    assert not problems
    assert {e.name: e.plays for e in found} == {"A": banks, "B": banks}
    some, notes = able(found, "house")
    assert {e.name for e in some} == ({"A", "B"} if "house" in banks else set())
    assert len(notes) == 2 - len(some)
    assert all("does not play where the bank is house (it says plays = (" in note.message for note in notes)


def test_a_bot_that_says_nothing_plays_everywhere(tmp_path: Path) -> None:
    (edge,), _ = find_entrants([BotSource(write(tmp_path, EDGE))])
    assert edge.plays == BANKS
    assert able([edge], "dealer") == ((edge,), ())


@pytest.mark.parametrize(
    "written", ["()", '("casino",)', '"pot"', '["pot"]', "BANKS", '("pot", x)', '("pot", 1)']
)
def test_what_is_no_list_of_banks_is_named(tmp_path: Path, written: str) -> None:
    found, problems = find_entrants([BotSource(write(tmp_path, PLAYS.format(written)))])
    assert not found
    assert (
        'class A: expected banks in brackets as what it plays (plays = ("pot", "dealer"); banks: '
        in problems[0].message
    )
