"""A tournament file → :class:`TournamentSpec`, or every error in it at once, each with its place."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    InstanceOf,
    PrivateAttr,
    ValidationError,
    ValidationInfo,
    WithJsonSchema,
    field_validator,
)

from arena.bot.entrant import BotSource
from arena.bot.source import Place
from arena.errors import ArenaError, Problem
from arena.game.describe import ruling_notes
from arena.game.rules import (
    DEFAULT_PRESET,
    MAX_CHIPS,
    TableRules,
    preset_file,
)
from arena.tournament.bots_key import BOTS_SCHEMA, read_bots
from arena.tournament.seeds import MAX_SEED, SECRET, draw_seed
from arena.tournament.table_source import override, problems_of, read_table
from arena.tournament.yaml_source import Tree, read_yaml
from arena.wording import found

MAX_BALANCED = 100_000
_NAME = r"[A-Za-z0-9_][A-Za-z0-9._-]{0,99}"
_SEED_SCHEMA = {"anyOf": [{"type": "integer", "minimum": 0, "maximum": MAX_SEED}, {"const": SECRET}]}
_BOTH = "stop: deals and stop are both there; delete deals (stop has max_deals), or stop"


class Limits(BaseModel):
    """What a bot may use: milliseconds a decision and in reserve, memory, and faults a game."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    decision_ms: int = Field(
        20,
        ge=1,
        le=60_000,
        description="Milliseconds of processor time a decision may take (ten times that by the clock).",
    )
    bank_ms: int = Field(
        1000,
        ge=0,
        le=3_600_000,
        description="Milliseconds in reserve for a bot's process (one seat of a block of games), never refilled.",
    )
    memory_mb: int = Field(
        256,
        ge=64,
        le=1_048_576,
        description="Megabytes of memory a bot may use beside what Python and numpy take; no limit for trusted bots.",
    )
    faults: int = Field(10, ge=1, le=1_000_000, description="Faults in a game before a bot plays by default.")


class Stop(BaseModel):
    """When to stop early: at the first look, every 250 deals, that meets the rule; ``max_deals`` at the latest."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    when: Literal["ranked", "half_width"] = Field(
        description="ranked: every pair of bots is separated; half_width: every interval is narrow enough."
    )
    chips: float | None = Field(
        None, gt=0, le=MAX_CHIPS, strict=False, validate_default=True,
        description="The half width wanted (when: half_width): chips, or with rank_by: wins a share of games (0.02: 2 %).",
    )  # fmt: skip
    indifferent_chips: float = Field(
        0.0, ge=0, le=MAX_CHIPS, strict=False,
        description="Pairs whose difference surely is within this are as good as equal (when: ranked): chips, or with "
        "rank_by: wins a share of games.",
    )  # fmt: skip
    min_deals: int | None = Field(
        None, ge=100, le=10_000_000,
        description="Deals before the first look (default: 100, or 500 to 1000 where luck is removed).",
    )  # fmt: skip
    max_deals: int = Field(20_000, ge=100, le=10_000_000, description="Deals at the most.")

    @field_validator("chips")
    @classmethod
    def _suits_half_width(cls, chips: float | None, info: ValidationInfo) -> float | None:
        if info.data.get("when") == "half_width" and chips is None:
            raise ValueError("when: half_width needs the half width to reach; write chips: 5, say")
        if info.data.get("when") == "ranked" and chips is not None:
            raise ValueError("when: ranked has no use for it; delete it, or write when: half_width")
        return chips

    @field_validator("indifferent_chips")
    @classmethod
    def _suits_ranked(cls, chips: float, info: ValidationInfo) -> float:
        if info.data.get("when") == "half_width":  # not run where it is left out
            raise ValueError("when: half_width has no use for it; delete it, or write when: ranked")
        return chips

    @field_validator("max_deals")
    @classmethod
    def _comes_after_the_least(cls, deals: int, info: ValidationInfo) -> int:
        least = info.data.get("min_deals")
        if least is not None and deals < least:
            raise ValueError(f"expected at least min_deals, {least}, got {deals}")
        return deals


class TournamentSpec(BaseModel):
    """What a tournament file says, checked. Frozen."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    name: str = Field(
        description="The tournament's name and its folder's under reports/ (default: the file's name).",
        json_schema_extra={"pattern": f"^{_NAME}$"},
    )
    seed: Annotated[int, WithJsonSchema(_SEED_SCHEMA)] = Field(
        1,
        ge=0,
        le=MAX_SEED,
        description="Seeds all chance: same seed, same results; secret: drawn for each run.",
    )
    table: TableRules = Field(description="The table's rules: a preset, and what differs from it.")
    seats: int = Field(2, ge=2, le=8, description="Bots at a table.")
    bots: Annotated[tuple[InstanceOf[BotSource], ...], WithJsonSchema(BOTS_SCHEMA)] = Field(min_length=1)
    schedule: Literal["round_robin", "balanced", "gauntlet"] = Field(
        "round_robin",
        description="Who meets whom: everyone, an even choice (`lineups`), or each those of `against`.",
    )
    lineups: int | None = Field(
        None, ge=1, le=MAX_BALANCED, validate_default=True, description="How many (schedule: balanced)."
    )
    against: Annotated[tuple[str, ...], Field(strict=False)] = Field(
        (), validate_default=True, description="Names of the bots that all others meet (schedule: gauntlet)."
    )
    deals: int = Field(
        1000, ge=1, le=10_000_000, description="Deals that each lineup plays in each rotation."
    )
    stop: Stop | None = Field(None, description="Stop early, in place of deals.")
    rank_by: Literal["adjusted", "chips", "wins"] = Field(
        "adjusted", description="What the standings go by: chips less luck, chips, or games won."
    )
    confidence: float = Field(
        0.95,
        ge=0.5,
        le=0.9999,
        description="Confidence of each bot's interval, of all rank ranges together, and of all differences together.",
    )
    limits: Limits = Field(Limits(), description="What a bot may use.")

    _tree: Tree = PrivateAttr(default_factory=lambda: Tree(None, {(): Place(None)}))
    _is_seed_secret: bool = PrivateAttr(default=False)
    _rulings: tuple[str, ...] = PrivateAttr(default=())

    @property
    def is_seed_secret(self) -> bool:
        """Whether the seed was drawn for this very run, and nobody can know it before the run tells."""
        return self._is_seed_secret

    @property
    def written(self) -> frozenset[str]:
        """The file's own keys, ``--set`` ones too; those left out have their defaults."""
        return frozenset(self._tree.data or ())

    @property
    def rulings(self) -> tuple[str, ...]:
        """``key: text`` of our readings where the source of the table's preset is silent and the file says nothing.

        None where nobody said which preset the table is of.
        """
        return self._rulings

    def problem(self, keys: str, message: str) -> Problem:
        """What is wrong with the dotted ``keys`` of this spec, at their place in its file."""
        path = tuple(int(key) if key.isdigit() else key for key in keys.split("."))
        return self._tree.place(path).problem(f"{keys}: {message}")

    @field_validator("name")
    @classmethod
    def _is_a_folder_name(cls, name: str) -> str:
        if not re.fullmatch(_NAME, name):
            raise ValueError(
                "expected a name for a folder (letters, digits, . _ -, not first . or -, at most 100), "
                f"got {found(name)}"
            )
        return name

    @field_validator("lineups")
    @classmethod
    def _suits_balanced(cls, lineups: int | None, info: ValidationInfo) -> int | None:
        schedule = info.data.get("schedule")
        if schedule == "balanced" and lineups is None:
            raise ValueError("schedule: balanced needs how many lineups to play; write lineups: 100, say")
        if schedule in ("round_robin", "gauntlet") and lineups is not None:
            raise ValueError(f"schedule: {schedule} plays them all; delete it, or write schedule: balanced")
        return lineups

    @field_validator("against")
    @classmethod
    def _suits_gauntlet(cls, against: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
        schedule, seats = info.data.get("schedule"), info.data.get("seats", 2)
        if schedule == "gauntlet" and len(against) < seats - 1:
            raise ValueError(
                f"schedule: gauntlet with seats: {seats} needs {seats - 1} or more bots for others to meet, "
                f"got {len(against)}; write against: [NAME, ...]"
            )
        if schedule in ("round_robin", "balanced") and against:
            raise ValueError(
                f"schedule: {schedule} has no use for it; delete it, or write schedule: gauntlet"
            )
        twice = [name for name, count in Counter(against).items() if count > 1]
        if twice:
            raise ValueError(f'"{twice[0]}" is there twice; delete one')
        return against


def load_spec(path: Path, overrides: Sequence[str] = ()) -> TournamentSpec:
    """What the tournament file at ``path`` says, ``table.ante.amount=20`` and the like laid over it.

    Paths in it and in overrides are relative to its folder; ``seed: secret`` is drawn here, once. Raises ``ArenaError``
    with all problems at once.
    """
    tree = read_yaml(path)
    if not isinstance(tree.data, dict):
        what = "the file is empty" if tree.data is None else f"found {found(tree.data)}"
        raise ArenaError(
            tree.place(()).problem(f'{what}: expected keys such as "bots: ../bots" and "seed: 1"')
        )
    problems: list[Problem] = []
    for text in overrides:
        try:
            tree.put(*override(text))
        except ArenaError as error:
            problems += error.problems
    problems += tree.problems
    if tree.data.get("deals") is not None and tree.data.get("stop") is not None:
        problems.append(tree.place(("stop",)).problem(_BOTH))
    table = read_table(tree, problems, TournamentSpec.model_fields)
    sources = read_bots(tree, path.parent, problems)
    values = {"name": _name_of(path), **tree.data, "table": table, "bots": sources}
    if values.get("deals") is None:  # as good as not written: what --until makes of a file's own
        values.pop("deals", None)
    is_secret = values.get("seed") == SECRET
    if is_secret:
        del values["seed"]
    spec = None
    try:
        spec = TournamentSpec.model_validate(values)
        spec._tree = tree
        problems += _stop_problems(spec)
    except ValidationError as error:
        problems += problems_of(error, TournamentSpec, (), tree, ("preset", *TableRules.model_fields))
    if problems or spec is None:
        key = [(str(p.path or ""), p.line or 0, p.column or 0) for p in problems]
        order = sorted(range(len(problems)), key=key.__getitem__)
        raise ArenaError(dict.fromkeys(problems[i] for i in order))
    written = tree.data.get("table") or {}
    spec._rulings = tuple(ruling_notes(written.get("preset", DEFAULT_PRESET), written))
    return with_secret_seed(spec) if is_secret else spec


def with_secret_seed(spec: TournamentSpec) -> TournamentSpec:
    """The same tournament with a seed drawn for it."""
    spec = spec.model_copy(update={"seed": draw_seed()})
    spec._is_seed_secret = True
    return spec


def with_rulings(spec: TournamentSpec, rulings: Sequence[str]) -> TournamentSpec:
    """The same tournament with the rulings that a report of it tells."""
    spec = spec.model_copy()
    spec._rulings = tuple(rulings)
    return spec


def _stop_problems(spec: TournamentSpec) -> list[Problem]:
    """Where ``stop`` does not go with what ranks, or with the schedule."""
    stop, out = spec.stop, []
    if stop is None:
        return []
    if stop.when == "ranked" and spec.schedule == "gauntlet":
        what = "ranked does not go with schedule: gauntlet, whose bots are not ranked since they meet different fields"
        out.append(spec.problem("stop.when", f"{what}; write when: half_width, or another schedule"))
    if spec.rank_by == "wins":
        for key, value in (("chips", stop.chips), ("indifferent_chips", stop.indifferent_chips)):
            if value is not None and (problem := share_problem(value)):
                out.append(spec.problem(f"stop.{key}", problem))
    return out


def share_problem(value: float) -> str | None:
    """What is wrong with a half width or a band of indifference where wins rank; None: nothing."""
    if value < 1:
        return None
    instead = value / 100 if value < 100 else 0.02
    return (
        f"with rank_by: wins it is a share of games: expected a number below 1, got {value:g}; "
        f"write {instead:g} for {100 * instead:g} %"
    )


def load_table(preset: str, overrides: Sequence[str] = ()) -> tuple[TableRules, Mapping[str, Any]]:
    """The rules of a preset with ``ante.amount=20`` and the like laid over it, and the ``table:`` that these make.

    Raises ``ArenaError`` with all problems at once, in the words of :func:`load_spec`.
    """
    preset_file(preset)  # says so where there is none
    tree = Tree({"table": {"preset": preset}}, {(): Place(None)})
    problems: list[Problem] = []
    for text in overrides:
        try:
            keys, value = override(text, "ante.amount=20")
            tree.put(keys if keys[0] == "table" else ("table", *keys), value)
        except ArenaError as error:
            problems += error.problems
    problems += tree.problems
    rules = read_table(tree, problems, TournamentSpec.model_fields)
    if problems:
        raise ArenaError(dict.fromkeys(problems))
    return rules, tree.data["table"] or {}


def _name_of(path: Path) -> str:
    """The file's name without its ending, made fit for a folder."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", path.stem).strip(".-")[:100] or "tournament"
