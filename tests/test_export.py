"""``arena export``: what is written adds up, is what the rules make of the cards, and is the same however it was played."""

from __future__ import annotations

import csv
import importlib
import json
import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

import commands
import oracle
import pytest

from arena.check.named import all_tables
from arena.errors import ArenaError
from arena.game.rules import full_table
from arena.report.export import TABLES
from arena.report.past_run import past_run
from arena.tournament.game_columns import game_columns

ROOT = Path(__file__).parent.parent
Arena = Callable[..., tuple[int, str, str]]
Row = dict[str, Any]
BOTS = """
from arena import Bot


class Edge(Bot):
    def bet(self, turn):
        return turn.max_bet if turn.edge > 0 else 0


class Chance(Bot):
    name = "=Chance"

    def bet(self, turn):
        if turn.uniform() < 0.05:
            return -1  # a fault
        return self.rng.randint(turn.min_bet, turn.max_bet) if turn.uniform() < 0.5 else 0

    def call_ace(self, turn):
        return self.rng.choice(["low", "high", "middle"])

    def call_pair(self, turn):
        return self.rng.choice(["lower", "higher"])


class Passes(Bot):
    def bet(self, turn):
        return 0
"""


@pytest.fixture
def arena(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Arena:
    """A tournament of three bots, played in this process; ``arena`` in its folder."""
    (tmp_path / "bots.py").write_text(BOTS)
    (tmp_path / "t.yaml").write_text("bots: bots.py\ndeals: 30\ntable: {end: {rounds: 4}}\n")
    monkeypatch.chdir(tmp_path)

    def call(*arguments: object) -> tuple[int, str, str]:
        more = ["--trust-bots"] if arguments[0] == "run" else []
        return commands.ended(capsys, *arguments, *more)

    return call


def exported(arena: Arena, form: str = "csv", out: str = "reports") -> dict[str, bytes]:
    """The bytes of both tables."""
    code, told, err = arena("export", "t", "--to", form, "--out", out)
    assert code == 0, err
    assert told == f"{out}/t/export/games.{form}\n{out}/t/export/decisions.{form}\n"
    return {table: Path(f"{out}/t/export/{table}.{form}").read_bytes() for table in TABLES}


def rows(data: bytes) -> list[Row]:
    """The rows of a CSV file, numbers and truth values as such, None where nothing stands."""
    words = {"": None, "true": True, "false": False}

    def value(text: str) -> Any:
        if text in words:
            return words[text]
        return json.loads(text) if re.fullmatch(r"-?\d+(\.\d+)?(e-?\d+)?", text) else text

    return [
        {key: value(text) for key, text in row.items()} for row in csv.DictReader(data.decode().splitlines())
    ]


def results(out: str = "reports") -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Path(f"{out}/t/results.json").read_text())
    return found


def by_game(table: list[Row]) -> Iterator[list[Row]]:
    for _, game in groupby(table, key=lambda row: row["game"]):
        yield list(game)


def test_what_is_exported_adds_up_to_the_report(arena: Arena, tmp_path: Path) -> None:
    (tmp_path / "more.py").write_text(
        BOTS.replace("class Edge", "class Edge2").replace("Chance", "Luck").replace("Passes", "P2")
    )
    (tmp_path / "t.yaml").write_text(
        "bots: [bots.py, 'more.py:Edge2']\nseats: 3\ndeals: 30\ntable: {end: {rounds: 5}}\n"
    )
    assert arena("run", "t.yaml")[0] == 0
    tables = {name: rows(data) for name, data in exported(arena).items()}
    games, turns, report = tables["games"], tables["decisions"], results()
    assert len(games) == 3 * report["played"]["games"] == 3 * 4 * 3 * 30
    assert len(turns) == report["played"]["turns"]
    for game in by_game(games):
        assert sum(row["chips"] for row in game) == 3 * 1000
        assert sum(row["win_share"] for row in game) == pytest.approx(1)
        assert [row["seat"] for row in game] == [0, 1, 2]
    assert [game[0]["game"] for game in by_game(games)] == list(range(4 * 3 * 30))
    names = {"'=Chance": "=Chance"}  # as in standings.csv: no formula in a spreadsheet
    for bot in report["bots"]:
        mine = [row for row in games if names.get(row["bot"], row["bot"]) == bot["name"]]
        asked = [r for r in turns if names.get(r["bot"], r["bot"]) == bot["name"] and r["is_asked"]]
        assert len(mine) == bot["games"]
        assert sum(row["net_chips"] for row in mine) / len(mine) == pytest.approx(bot["chips"]["mean"])
        assert sum(row["win_share"] for row in mine) / len(mine) == pytest.approx(bot["win_share"]["mean"])
        assert sum(row["turns"] for row in mine) == bot["turns"]
        assert sum(row["faults"] for row in mine) == sum(bot["faults"].values())
        total = bot["skill"]["total"]
        assert len(asked) == total["decisions"]
        lost = sum(row["lost_chips"] for row in asked) / len(asked)
        assert lost == pytest.approx(total["lost_per_decision_chips"], abs=1e-5)
    assert any(row["is_bet_fault"] for row in turns)
    assert any(row["is_call_fault"] for row in turns)


@pytest.mark.parametrize("preset", all_tables())
@pytest.mark.parametrize("seats", [2, 3])
def test_every_turn_is_what_the_oracle_makes_of_the_same_cards_and_answers(
    arena: Arena, tmp_path: Path, preset: str, seats: int
) -> None:
    table = {"preset": preset, "end": {"rounds": 6}}  # more is only more of the same
    rules = full_table(table)
    (tmp_path / "t.yaml").write_text(f"bots: bots.py\nseats: {seats}\ndeals: 8\ntable: {json.dumps(table)}\n")
    assert arena("run", "t.yaml")[0] == 0
    tables = {name: rows(data) for name, data in exported(arena).items()}
    step = 1 if rules["play"]["direction"] == "left" else -1
    games = list(by_game(tables["games"]))
    told = list(by_game(tables["decisions"]))
    assert len(told) == len(games)
    for game, turns in zip(games, told, strict=True):
        dealer = (turns[0]["seat"] - step) % seats  # the first turn is that of the seat after the dealer
        cards = [t[c] for t in turns for c in ("first_post", "second_post", "third_card") if t[c]]
        answers = [answer for turn in turns for answer in answers_of(turn)]

        def draw(
            _r: int, _p: int, _w: int, unseen: list[oracle.Card], cards: list[str] = cards
        ) -> oracle.Card:
            return oracle.find(cards.pop(0), unseen)

        def ask(kind: str, _s: int, _v: Row, answers: list[tuple[str, object]] = answers) -> object:
            asked, answer = answers.pop(0)
            assert asked == kind
            return answer

        end = oracle.play_game(rules, seats, rules["chips"], dealer, draw, ask)
        assert (cards, answers) == ([], [])
        assert end["chips"] == [row["chips"] for row in game]
        assert list(turns_of(end["events"])) == [seen(turn) for turn in turns]


def answers_of(turn: Row) -> Iterator[tuple[str, object]]:
    """What the oracle is answered in a turn; a fault as a fault."""
    if turn["wager"] is not None:
        yield "wager", turn["wager"]
    for ace in ("first_ace", "second_ace"):
        if turn[ace]:
            yield "ace", turn[ace]
    rank = turn["low"]
    if turn["pair_call"] and 2 < rank < 14:
        yield "pair", turn["pair_call"]
    if turn["is_asked"]:
        yield "bet", turn["bet"]


def turns_of(events: list[Row]) -> Iterator[Row]:
    """The oracle's events as what is compared of a turn."""
    turn: Row | None = None
    wager: tuple[int, int] | None = None
    for event in events:
        if event["e"] == "wager":
            wager = event["min"], event["max"]
        elif event["e"] == "posts":
            if turn:
                yield turn
            keys = ("seat", "low", "high", "gap")
            turn = {key: event[key] for key in keys}
            turn |= {"result": None, "delta": 0, "asked": None, "wager": wager}
        elif turn and event["e"] == "ask":
            turn["asked"] = tuple(event[key] for key in ("min", "max", "wins", "hits", "losses"))
        elif turn and event["e"] == "third":
            turn["result"] = event["result"]
        elif turn and event["e"] == "pay":
            turn["delta"] = event["delta"]
        elif turn and wager and event["e"] == "skip":
            turn["result"] = "push"
    if turn:
        yield turn


def seen(turn: Row) -> Row:
    """The same of a row."""
    keys = ("min_bet", "max_bet", "wins", "hits", "losses")
    asked = tuple(turn[key] for key in keys) if turn["is_asked"] else None
    wager = (turn["min_wager"], turn["max_wager"]) if turn["max_wager"] is not None else None
    same = {key: turn[key] for key in ("seat", "low", "high", "gap", "result", "delta")}
    return same | {"asked": asked, "wager": wager}


def test_pots_and_stacks_follow_from_one_turn_to_the_next(arena: Arena) -> None:
    """At this table everyone antes 10 before each round, and again when a turn empties the pot."""
    assert arena("run", "t.yaml")[0] == 0
    for turns in by_game(rows(exported(arena)["decisions"])):
        assert [turn["turn"] for turn in turns] == list(range(1, len(turns) + 1))
        assert (turns[0]["pot"], turns[0]["chips"]) == (20, 990)
        for before, after in pairwise(turns):
            left = before["pot"] - before["delta"]
            antes = after["pot"] - left
            is_new_round = after["round"] > before["round"]
            assert antes == 0 or is_new_round or left == 0
            assert 0 <= antes <= 40


def test_it_is_the_same_however_deals_were_cut_and_whoever_played_them(
    arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert arena("run", "t.yaml", "--deals", "60")[0] == 0
    whole = exported(arena)
    monkeypatch.setattr("arena.tournament.game_columns._GAMES_AT_ONCE", 14)
    assert exported(arena) == whole
    monkeypatch.setattr("arena.tournament.tournament.block_deals", lambda *_: 25)
    for deals in ("30", "60"):
        assert arena("run", "t.yaml", "--deals", deals, "--out", "cut")[0] == 0
    assert exported(arena, out="cut") == whole


def test_a_run_that_stopped_early_is_exported_up_to_where_it_stopped(arena: Arena) -> None:
    assert arena("run", "t.yaml", "--until", "half_width=300")[0] == 0
    deals = results()["played"]["deals"]
    assert deals < 20_000
    games = rows(exported(arena)["games"])
    assert len(games) == deals * 3 * 2 * 2
    assert max(row["deal"] for row in games) == deals - 1


def test_json_lines_say_the_same(arena: Arena) -> None:
    assert arena("run", "t.yaml")[0] == 0
    told = exported(arena, "jsonl")
    for table, data in exported(arena).items():
        lines = [json.loads(line) for line in told[table].decode().splitlines()]
        assert [list(line) for line in lines] == [[field.name for field in TABLES[table]]] * len(lines)
        for line in lines:
            if line["bot"] == "=Chance":
                line["bot"] = "'=Chance"
        assert lines == rows(data)
    assert Path("reports/t/export/games.csv").exists(), "another format leaves the first one where it is"


def test_parquet_says_the_same(arena: Arena) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed (the extra export)")
    assert arena("run", "t.yaml")[0] == 0
    exported(arena, "parquet")
    for table, data in exported(arena, "jsonl").items():
        found = parquet.read_table(f"reports/t/export/{table}.parquet")
        assert found.column_names == [field.name for field in TABLES[table]]
        assert found.to_pylist() == [json.loads(line) for line in data.decode().splitlines()]
        kinds = {field.name: field.kind for field in TABLES[table]}
        types = {"int": "int64", "float": "double", "bool": "bool"}
        assert {n: str(t) for n, t in zip(found.column_names, found.schema.types, strict=True)} == {
            n: types.get(kind, "dictionary<values=string, indices=int32, ordered=0>") for n, kind in kinds.items()
        }  # fmt: skip


def test_without_pyarrow_it_says_what_to_install(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    assert arena("run", "t.yaml")[0] == 0
    really = importlib.import_module

    def gone(name: str, package: str | None = None) -> object:
        if name.startswith("pyarrow"):
            raise ImportError(name)
        return really(name, package)

    monkeypatch.setattr(importlib, "import_module", gone)
    code, _, err = arena("export", "t", "--to", "parquet")
    assert code == 2
    assert "pip install pyarrow" in err
    assert "--to csv" in err
    assert not Path("reports/t/export").exists()


def test_what_cannot_be_exported_is_told(arena: Arena) -> None:
    assert arena("run", "t.yaml")[0] == 0
    code, _, err = arena("export", "tt", "--to", "csv")
    assert (code, 'did you mean "t"?' in err) == (2, True)
    before = exported(arena)
    told, path = results(), Path("reports/t/results.json")
    for change, says in (
        (
            {"bots": [told["bots"][0] | {"chips": {"mean": 1.0}}, *told["bots"][1:]]},
            "not what results.json reports",
        ),
        ({"table": told["table"] | {"chips": 900}}, "are not stored"),
        ({"format": 4}, "another version wrote it"),
    ):
        path.write_text(json.dumps(told | change))
        code, _, err = arena("export", "t", "--to", "csv")
        assert (code, says in err) == (2, True), err
        assert {t: Path(f"reports/t/export/{t}.csv").read_bytes() for t in TABLES} == before


def test_games_that_do_not_end_as_they_are_stored_are_told(arena: Arena) -> None:
    assert arena("run", "t.yaml")[0] == 0
    run = past_run("t", Path("reports"))
    number, result = next(run.results())
    assert next(game_columns(result, run.spec.table, run.spec.seed, number, 0)).games
    with pytest.raises(ArenaError, match="do not end as they are stored"):
        next(game_columns(result, run.spec.table, run.spec.seed + 1, number, 0))


def test_a_run_is_named_as_for_replay_and_compare(arena: Arena) -> None:
    assert arena("run", "t.yaml")[0] == 0
    by_name = exported(arena)
    for run in ("reports/t", "t.yaml"):
        assert arena("export", run, "--to", "csv", "--into", "there")[0] == 0
        assert {t: Path(f"there/{t}.csv").read_bytes() for t in TABLES} == by_name
    Path("bots.py").write_text(BOTS.replace("turn.max_bet if", "turn.min_bet if"))
    code, _, err = arena("export", "t.yaml", "--to", "csv")
    assert (code, "Edge has changed since this run" in err) == (2, True)


def test_after_prune_all_is_there_and_after_the_next_run_too(arena: Arena) -> None:
    assert arena("run", "t.yaml", "--seed", "5")[0] == 0
    first = exported(arena)
    assert arena("run", "t.yaml")[0] == 0
    assert exported(arena)["games"] != first["games"], "it is of the run that was done last"
    second = exported(arena)
    assert arena("prune", "t")[0] == 0
    assert exported(arena) == second


@pytest.mark.parametrize("error", [KeyboardInterrupt(), OSError(28, "No space left on device")])
def test_an_export_that_is_cut_short_leaves_the_one_before(
    arena: Arena, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    assert arena("run", "t.yaml")[0] == 0
    before = exported(arena)
    assert arena("run", "t.yaml", "--deals", "60")[0] == 0
    here = importlib.import_module("arena.report.export")
    play, told = here.game_columns, [0]

    def cut_short(*arguments: object) -> Iterator[object]:
        told[0] += 1
        if told[0] == 3:
            raise error
        yield from play(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(here, "game_columns", cut_short)
        code, _, err = arena("export", "t", "--to", "csv")
    assert (code, told) == (130 if isinstance(error, KeyboardInterrupt) else 2, [3])
    assert ("interrupted" if code == 130 else "the export could not be written (No space left") in err
    assert {t: Path(f"reports/t/export/{t}.csv").read_bytes() for t in TABLES} == before
    assert sorted(os.listdir("reports/t/export")) == ["decisions.csv", "games.csv"]
    assert [name for name in os.listdir("reports/t") if name.startswith(".")] == []


def test_every_column_is_in_the_document() -> None:
    text = (ROOT / "docs/export.md").read_text()
    told: dict[str, list[str]] = defaultdict(list)
    table = ""
    for line in text.splitlines():
        if heading := re.fullmatch(r"## `(\w+)`.*", line):
            table = heading[1]
        elif cell := re.match(r"\| ((?:`\w+`(?:, )?)+) \|", line):
            told[table] += re.findall(r"`(\w+)`", cell[1])
    assert told == {name: [field.name for field in fields] for name, fields in TABLES.items()}
