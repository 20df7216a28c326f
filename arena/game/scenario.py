"""Scenario files: hands written down with their cards and replies, played through the engine and compared.

One JSON object a line; keys and events are those of the scenario format (``docs/scenarios.md``).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, ValidationError, field_validator

from arena.errors import ArenaError, Problem, nearest
from arena.game import cards as c
from arena.game.engine import Engine
from arena.game.questions import Question
from arena.game.rules import MAX_CHIPS, TableRules, merge, nest, table_rules
from arena.game.tables import Bools, Ints, Masks
from arena.wording import found, printable, says

_KINDS = ("gap", "consecutive", "pair")
_EXPECTED = ("events", "chips", "pot", "stock", "next")
_Count = Annotated[int, Field(ge=0, le=MAX_CHIPS)]
_Seat = Annotated[int, Field(ge=0, le=7)]


class Reply(BaseModel):
    """One scripted answer; any JSON value may stand for it, legal or not."""

    model_config = ConfigDict(extra="forbid", strict=True)
    ask: Literal["ace", "pair", "bet", "wager"]
    reply: Any


class Scenario(BaseModel):
    """One line of a scenario file; raises ``pydantic.ValidationError``."""

    model_config = ConfigDict(extra="forbid", strict=True)
    id: str
    title: str = ""
    preset: str
    overrides: dict[str, Any] = {}
    chips: list[_Count] = Field(min_length=2, max_length=8)
    pot: _Count
    dealer: _Seat
    round: Annotated[int, Field(ge=1, le=MAX_CHIPS)] = 1
    start: Literal["game", "turn"]
    actor: _Seat | None = None
    seen: list[str] = []
    turns: _Count
    draws: list[str]
    replies: list[Reply]
    next_round: bool = False
    expect: dict[str, Any] | None = None

    _path: Path | None = PrivateAttr(None)
    _line: int | None = PrivateAttr(None)

    @field_validator("expect")
    @classmethod
    def _is_compared(cls, expect: dict[str, Any] | None) -> dict[str, Any] | None:
        for key in expect or ():
            if key not in _EXPECTED:
                listed = ", ".join(_EXPECTED)
                raise ValueError(
                    f'unknown key "{printable(key)}"{nearest(key[:60], _EXPECTED)} (keys here: {listed})'
                )
        if expect and not isinstance(expect.get("events", []), list):
            raise ValueError(f"events: expected a list of events, got {found(expect['events'])}")
        return expect


def read_scenarios(path: Path) -> Iterator[Scenario]:
    """The scenarios of a file, line by line. Raises ``ArenaError`` with file and line."""
    lines = _text(path).split("\n")
    if not any(line.strip() for line in lines):
        raise ArenaError(Problem("no scenario in this file; it takes one JSON object a line", path))
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                scenario = _read(line)
                scenario._path, scenario._line = path, number
                _prepare(scenario)
            except ArenaError as error:
                raise ArenaError(Problem(p.message, path, number) for p in error.problems) from None
            yield scenario


def _text(path: Path) -> str:
    try:
        if path.exists() and not path.is_file():  # before opening: a pipe would wait for ever
            what = "a folder" if path.is_dir() else "no regular file"
            raise ArenaError(Problem(f"expected a scenario file, found {what}", path))
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        around: list[str] = []
        with suppress(OSError):
            around = sorted(p.name for p in path.parent.iterdir())
        hint = nearest(path.name, around) or "; check the path"
        raise ArenaError(Problem(f"there is no such file{hint}", path)) from None
    except UnicodeDecodeError:
        raise ArenaError(Problem("this is not UTF-8 text; save the file as UTF-8", path)) from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = (isinstance(error, OSError) and error.strerror) or str(error)
        raise ArenaError(Problem(f"cannot be read: {reason}", path)) from None


def _read(line: str) -> Scenario:
    """The scenario of a line. Raises ``ArenaError`` with every wrong key."""
    try:
        data = json.loads(line, object_pairs_hook=_object)
        if not isinstance(data, dict):
            raise ArenaError(f"expected a JSON object, got {found(data)}")
        scenario = Scenario.model_validate(data)
    except json.JSONDecodeError as error:
        raise ArenaError(f"expected a JSON object: {error.msg} (column {error.colno})") from None
    except ValidationError as error:
        schema = Scenario.model_json_schema()
        raise ArenaError(
            f"{'.'.join(printable(str(key)) for key in e['loc'])}: {says(e, schema)}" for e in error.errors()
        ) from None
    except RecursionError:
        raise ArenaError("nested too deeply; a scenario is one flat JSON object") from None
    except ValueError:  # Python reads no number of more than 4300 digits
        raise ArenaError("a number has too many digits; write fewer") from None
    seats = len(scenario.chips)
    for key, seat in (("dealer", scenario.dealer), ("actor", scenario.actor or 0)):
        if seat >= seats:
            raise ArenaError(f"{key}: expected a seat, here seats 0 to {seats - 1}, got {seat}")
    if scenario.start == "turn" and scenario.actor is None:
        raise ArenaError(
            "actor: a scenario that starts at a turn names the seat to act, but the key is missing; write it"
        )
    return scenario


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object in which no key is there twice. Raises ``ArenaError``."""
    out: dict[str, Any] = {}
    for key, value in pairs:
        if key in out:
            raise ArenaError(f"{printable(key)}: the key is there twice; delete one of the two")
        out[key] = value
    return out


class _Script:
    """Cards and replies in the order written, and the events as they happen: source, player and observer in one."""

    def __init__(self, scenario: Scenario) -> None:
        self.draws = _cards(scenario.draws, "draws")
        self.replies = list(scenario.replies)
        self.events: list[dict[str, Any]] = []

    def draw(self, round: int, place: int, which: int, rows: Any, unseen: Masks) -> tuple[Any, Ints]:
        if not self.draws:
            raise ArenaError("a card is needed and draws has none left")
        card = self.draws.pop(0)
        packs = np.flatnonzero(unseen[:, 0] >> np.uint64(card) & np.uint64(1))
        if not len(packs):
            raise ArenaError(f"{c.card_text(card)} is drawn, but it has been seen already")
        return packs[:1], np.array([card])

    def cut(self, attempt: int, seat: int, rows: Ints, unseen: Masks) -> tuple[Any, Ints]:
        raise AssertionError("scenarios name their dealer")

    def _reply(self, ask: str) -> Any:
        if not self.replies or self.replies[0].ask != ask:
            follows = self.replies[0].ask if self.replies else "nothing"
            raise ArenaError(f"{ask} is asked, but replies has {follows} next")
        return self.replies.pop(0).reply

    def _call(self, ask: str, words: tuple[str, str], default: bool) -> tuple[Bools, Bools | None]:
        reply = self._reply(ask)
        legal = isinstance(reply, str) and reply in words
        return np.array([words.index(reply) == 1 if legal else default]), None if legal else np.array([True])

    def call_ace(self, question: Question) -> tuple[Bools, Bools | None]:
        return self._call("ace", ("low", "high"), False)

    def call_pair(self, question: Question) -> tuple[Bools, Bools | None]:
        return self._call("pair", ("lower", "higher"), bool(question.wins[0] >= question.losses[0]))

    def bet(self, question: Question) -> tuple[Ints, Bools | None]:
        return self._chips("bet", question)

    def wager(self, question: Question) -> tuple[Ints, Bools | None]:
        return self._chips("wager", question)

    def _chips(self, ask: str, question: Question) -> tuple[Ints, Bools | None]:
        reply = self._reply(ask)
        legal = type(reply) is int and (reply == 0 or question.min_bet[0] <= reply <= question.max_bet[0])
        return np.array([reply if legal else 0], dtype=np.int64), None if legal else np.array([True])

    def note(self, event: str, rows: Ints, columns: dict[str, Any]) -> None:
        self.events.append(event_dict(event, {key: value[0].item() for key, value in columns.items()}))


def event_dict(event: str, got: dict[str, Any]) -> dict[str, Any]:
    """An engine's note about one table as the scenario format writes it."""
    out: dict[str, Any] = {"e": event}
    if event == "posts":
        gap = max(got["high"] - got["low"] - 1, 0)
        cards = [c.card_text(got["first"]), c.card_text(got["second"])]
        kind = _KINDS[got["kind"]]
        return out | {
            "seat": got["seat"],
            "cards": cards,
            "kind": kind,
            "low": got["low"],
            "high": got["high"],
            "gap": gap,
        }
    if event == "third":
        result = "win" if got["wins"] else "hit" if got["hits"] else "push" if got["pushes"] else "loss"
        return out | {"seat": got["seat"], "card": c.card_text(got["card"]), "result": result}
    if event == "ace":
        got["call"] = "high" if got["call"] else "low"
    if event == "call":
        got["call"] = "higher" if got["call"] > 0 else "lower"
    if event == "shuffle":
        got.pop("seat", None)
    return out | got


def play_scenario(scenario: Scenario) -> dict[str, Any]:
    """What happens: ``id``, ``events``, ``chips``, ``pot``, ``stock``, ``next``. Raises ``ArenaError``."""
    try:
        return _outcome(scenario, *_prepare(scenario))
    except ArenaError as error:
        raise ArenaError(
            Problem(f"scenario {printable(scenario.id)}: {p.message}", scenario._path, scenario._line)
            for p in error.problems
        ) from None


def _prepare(scenario: Scenario) -> tuple[TableRules, _Script, list[int]]:
    """The rules, the script, and the cards seen before it begins. Raises ``ArenaError``."""
    table: dict[str, Any] = {"preset": scenario.preset}
    for key, value in scenario.overrides.items():
        for outer in scenario.overrides:
            if key.startswith(f"{outer}."):
                raise ArenaError(f'overrides: "{outer}" and "{key}" both set {outer}; write one of the two')
        table = merge(table, nest(key.split("."), value))
    rules = table_rules(table, may_run_on=True)
    if scenario.pot and rules.bank != "pot":
        raise ArenaError(f"pot: there is none where the {rules.bank} is the bank; write 0")
    return rules, _Script(scenario), _cards(scenario.seen, "seen")


def _cards(texts: list[str], key: str) -> list[int]:
    try:
        return [c.parse_card(text) for text in texts]
    except ValueError as error:
        raise ArenaError(f"{error} (in {key})") from None


def _outcome(scenario: Scenario, rules: TableRules, script: _Script, seen: list[int]) -> dict[str, Any]:
    engine = Engine(rules, len(scenario.chips), 1, script, script, script)
    engine.chips[:, 0] = scenario.chips
    engine.dealer[0], engine.round = scenario.dealer, scenario.round
    if rules.bank == "pot":
        engine.pot[0] = scenario.pot
    for card in seen:
        packs = np.flatnonzero(engine.unseen[:, 0] >> np.uint64(card) & np.uint64(1))
        if not len(packs):
            raise ArenaError(f"seen names {c.card_text(card)} too often")
        engine.unseen[packs[0], 0] ^= np.uint64(1) << np.uint64(card)
    actor = _play(engine, scenario)
    for left, name in ((script.draws, "draws"), (script.replies, "replies")):
        if left:
            raise ArenaError(f"{len(left)} of its {name} were never needed")
    return {
        "id": scenario.id,
        "events": script.events,
        "chips": engine.chips[:, 0].tolist(),
        "pot": int(engine.pot[0]) if rules.bank == "pot" else 0,
        "next": actor,
        "stock": int(c.count(engine.unseen)[0]),
    }


def _play(engine: Engine, scenario: Scenario) -> int | None:
    """Play the scenario's turns; the seat to act next, None where the round or the game is over."""
    place = 0
    if scenario.start == "game":
        engine.open_game()
    else:
        assert scenario.actor is not None
        place = (engine.step * (scenario.actor - scenario.dealer) - 1) % engine.seats
    while engine.playing[0] and engine.turns[0] < scenario.turns:
        if next_seat(engine, place) is None:
            engine.start_round()
            place = 0
        else:
            engine.turn(place)
            place += 1
    actor = next_seat(engine, place)
    if scenario.next_round and engine.playing[0] and actor is None:
        engine.start_round()
        actor = next_seat(engine, 0)
    return actor


def next_seat(engine: Engine, place: int) -> int | None:
    """The first live seat from this place of the round on, at the first table; None where there is none."""
    if not engine.playing[0]:
        return None
    dealer, last = int(engine.dealer[0]), engine.seats
    if engine.rules.bank == "dealer":  # who takes no turn, and whose round is over once his chips are gone
        last = engine.seats - 1 if engine.chips[dealer, 0] else 0
    order = ((dealer + engine.step * (p + 1)) % engine.seats for p in range(place, last))
    return next((seat for seat in order if engine.chips[seat, 0] > 0), None)


def first_difference(expected: dict[str, Any], got: dict[str, Any]) -> str | None:
    """The first thing that differs, in words; None where all is as expected."""
    for number, pair in enumerate(_zip_events(expected.get("events", []), got["events"]), 1):
        if pair[0] != pair[1]:
            return f"event {number}: expected {_event_text(pair[0])}, got {_event_text(pair[1])}"
    for key in ("chips", "pot", "stock", "next"):
        if key in expected and expected[key] != got[key]:
            return f"{key}: expected {expected[key]}, got {got[key]}"
    return None


def _zip_events(a: list[Any], b: list[Any]) -> Iterable[tuple[Any, Any]]:
    n = max(len(a), len(b))
    return zip(a + [None] * (n - len(a)), b + [None] * (n - len(b)), strict=True)


def _event_text(event: Any) -> str:
    return "nothing more" if event is None else json.dumps(event)
