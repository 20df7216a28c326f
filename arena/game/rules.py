"""Table rules: everything that YAML can say about how a table plays.

:class:`TableRules` is frozen and validates itself; presets stand as YAML files beside this module. The keys
are those of a tournament file's ``table:`` section, dotted names being nested keys.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, cached_property
from importlib import resources
from typing import Annotated, Any, Literal, Self

import yaml
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    ValidationError,
    ValidationInfo,
    model_serializer,
    model_validator,
)

from arena.errors import ArenaError, Problem, nearest
from arena.wording import printable, says

MAX_CHIPS = 1_000_000_000  # eight seats, multipliers and all stay far inside 53 bits
HOUSE_CHIPS = 1_000_000_000_000  # what a house begins with: more than anyone wins, and far inside 53 bits
WIDEST_GAP = 12
DEFAULT_PRESET = "nepali"

Chips = Annotated[int, Field(ge=1, le=MAX_CHIPS)]
Multiplier = Annotated[int, Field(ge=1, le=1000)]


def _gaps(value: object) -> object:
    """Payouts with whole numbers for keys, also where JSON or ``--set`` made ``"4"`` of 4. Raises ``ValueError``."""
    if not isinstance(value, Mapping):
        return value
    gaps = {int(k) if isinstance(k, str) and k in _GAP_TEXTS else k: v for k, v in value.items()}
    wrong = [gap for gap in gaps if type(gap) is not int or not 1 <= gap <= WIDEST_GAP]
    if wrong or not gaps:
        found = printable(str(wrong[0])) if wrong else "none"
        raise ValueError(f"payouts: expected gaps from 1 to {WIDEST_GAP} such as {{1: 5, 2: 4}}, got {found}")
    return gaps


_GAP_TEXTS = [str(gap) for gap in range(1, WIDEST_GAP + 1)]
Payouts = Annotated[dict[int, Multiplier], BeforeValidator(_gaps)]


class _Group(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Deck(_Group):
    """The cards: how many packs, and when everything not on the table is shuffled again."""

    packs: Annotated[int, Field(ge=1, le=8)]
    shuffle: Literal["exhausted", "dealer_turn", "each_turn"]


class Play(_Group):
    """Who acts after whom, and who deals."""

    direction: Literal["right", "left"]
    first_dealer: Literal["seat_0", "high_card"]
    dealer_moves: Literal["each_round", "never"]


class Ante(_Group):
    """What everyone puts in, and when."""

    amount: Chips
    each_round: bool
    when_empty: bool


class Bet(_Group):
    """Limits of a bet; whether a wager comes before the posts, and may then be raised."""

    min: Chips
    first_round_max: Literal["pot", "half_pot", "ante"]
    may_pass: bool
    must_cover_post: bool
    before_posts: bool = False
    raise_: Annotated[Literal["none", "wager"], Field(alias="raise")] = "none"

    @model_serializer(mode="wrap")
    def _dump(self, whole: SerializerFunctionWrapHandler) -> dict[str, Any]:
        out: dict[str, Any] = whole(self)
        before, raised = out.pop("before_posts"), out.pop("raise_")
        # a table without wagers is dumped as before there were any: stored games are found by it
        return out | ({"before_posts": before, "raise": raised} if before else {})


class Ace(_Group):
    """Whether an ace on the first and the second post may be low."""

    first: Literal["call", "choose", "high"]
    second: Literal["high", "choose"]


class Pair(_Group):
    """What happens on a pair."""

    rule: Literal["higher_lower", "auto_pay", "trips_bet", "auto_pay_or_trips", "pass", "auto_trips"]
    pay: Multiplier
    pay_unit: Literal["min_bet", "chip"]
    post: Multiplier
    trips_odds: Multiplier


class Post(_Group):
    """What hitting the post costs, all told, in bets."""

    multiplier: Multiplier


class End(_Group):
    """When a game is over, and whose the last pot is."""

    rounds: Annotated[int, Field(ge=1, le=10_000)] | None
    turns: Annotated[int, Field(ge=1, le=100_000)] | None
    pot_taken: bool
    pot: Literal["split_live", "split_all"]


class TableRules(_Group):
    """How one table plays. Frozen; raises ``pydantic.ValidationError`` naming every wrong key at once."""

    chips: Chips
    bank: Literal["pot", "house", "dealer"]
    deck: Deck
    play: Play
    ante: Ante
    bet: Bet
    ace: Ace
    consecutive: Literal["pass", "bet", "pay_min", "push"]
    pair: Pair
    post: Post
    end: End
    payouts: Payouts | None = None

    @model_validator(mode="after")
    def _ends(self, info: ValidationInfo) -> Self:
        may_run_on = bool(info.context and info.context.get("may_run_on"))
        if self.end.rounds is None and self.end.turns is None and not may_run_on:
            raise ValueError(
                "end.rounds and end.turns are both null: players who always pass would never end the game; "
                "give one of them"
            )
        return self

    @model_validator(mode="after")
    def _banks(self) -> Self:
        wrong = _wager_problem(self)
        if wrong is None and self.bank == "pot" and self.payouts is not None:
            wrong = "payouts: a pot pays 1 to 1; leave them out, or write bank: house or bank: dealer"
        if wrong:
            raise ValueError(wrong)
        return self

    @model_serializer(mode="wrap")
    def _dump(self, whole: SerializerFunctionWrapHandler) -> dict[str, Any]:
        out: dict[str, Any] = whole(self)
        if self.payouts is None:  # see Bet
            del out["payouts"]
        return out

    @cached_property
    def odds_by_gap(self) -> tuple[int, ...] | None:
        """What a chip wins at a gap of 0 … 12; the payout of the widest gap named holds for wider ones, too.

        None where every gap pays 1 to 1.
        """
        if self.payouts is None:
            return None
        named = sorted(self.payouts)
        steps = [[gap for gap in named if gap <= wide][-1:] for wide in range(WIDEST_GAP + 1)]
        return tuple(self.payouts[step[0]] if step else 1 for step in steps)

    @property
    def pair_pay_chips(self) -> int:
        """Chips an automatic payment on a pair is worth, before the cap at the pot."""
        return self.pair.pay * (self.bet.min if self.pair.pay_unit == "min_bet" else 1)


def _wager_problem(rules: TableRules) -> str | None:
    """What does not go with a wager before the posts, or goes with nothing else; None where all is well."""
    bet, rule = rules.bet, rules.pair.rule
    if not bet.before_posts:
        alone = {
            "consecutive: push": rules.consecutive == "push",
            "pair.rule: auto_trips": rule == "auto_trips",
            "bet.raise: wager": bet.raise_ == "wager",
        }
        found = [key for key, is_there in alone.items() if is_there]
        needs = "needs" if len(found) == 1 else "need"
        words = (
            f"{' and '.join(found)} {needs} a wager to give back or to raise; write bet.before_posts: true"
        )
        return words if found else None
    wanted = {
        "bank: house or bank: dealer (a pot has nothing to cover a wager with)": rules.bank == "pot",
        "consecutive: push": rules.consecutive != "push",
        "pair.rule: auto_trips": rule != "auto_trips",
        "bet.may_pass: false (whoever is dealt in has wagered; a raise may always be left)": bet.may_pass,
        "bet.must_cover_post: false": bet.must_cover_post,
    }
    missing = [key for key, is_wrong in wanted.items() if is_wrong]
    return f"bet.before_posts: true needs {'; '.join(missing)}" if missing else None


def preset_names() -> list[str]:
    """The presets' names, sorted."""
    folder = resources.files("arena.game") / "presets"
    return sorted(f.name.removesuffix(".yaml") for f in folder.iterdir() if f.name.endswith(".yaml"))


@cache
def preset_file(name: str) -> Mapping[str, Any]:
    """A preset's own file: ``title``, ``source``, ``rulings``, ``table`` and perhaps ``preset``, its base.

    Raises ``ArenaError`` where there is no such preset.
    """
    if name not in preset_names():
        raise ArenaError(
            f"no preset is called {name!r}{nearest(str(name), preset_names())} (presets: {', '.join(preset_names())})"
        )
    text = (resources.files("arena.game") / "presets" / f"{name}.yaml").read_text(encoding="utf-8")
    data: Mapping[str, Any] = yaml.safe_load(text)
    return data


def preset_table(name: str) -> dict[str, Any]:
    """The nested keys of a preset with what it takes over from its base. Raises ``ArenaError``."""
    data = preset_file(name)
    base = preset_table(data["preset"]) if "preset" in data else {}
    return merge(base, data["table"])


def merge(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """``over`` laid on ``base``, mappings key by key; neither is changed."""
    out = dict(base)
    for key, value in over.items():
        old = out.get(key)
        out[key] = merge(old, value) if isinstance(old, Mapping) and isinstance(value, Mapping) else value
    return out


def full_table(table: Mapping[str, Any]) -> dict[str, Any]:
    """A ``table:`` section with its preset filled in, not yet validated.

    Raises ``ArenaError`` for a preset that does not exist.
    """
    over = {key: value for key, value in table.items() if key != "preset"}
    name = table.get("preset", DEFAULT_PRESET)
    if not isinstance(name, str):
        raise ArenaError(f"preset: expected a preset's name, got {name!r}")
    return merge(preset_table(name), over)


def table_rules(table: Mapping[str, Any] | None = None, *, may_run_on: bool = False) -> TableRules:
    """The rules of a ``table:`` section (nothing: ``nepali``).

    ``may_run_on`` admits a table without an end, for a caller that stops by itself (scenarios count their turns).
    Raises ``ArenaError`` with one problem for every wrong key.
    """
    try:
        return TableRules.model_validate(full_table(table or {}), context={"may_run_on": may_run_on})
    except ValidationError as error:
        schema = TableRules.model_json_schema()
        where = [".".join(["table", *(printable(str(key)) for key in e["loc"])]) for e in error.errors()]
        raise ArenaError(
            Problem(f"{at}: {says(e, schema)}") for at, e in zip(where, error.errors(), strict=True)
        ) from None


def nest(keys: list[str], value: Any) -> dict[str, Any]:
    """``{"a": {"b": value}}`` for the keys ``["a", "b"]``."""
    for key in reversed(keys):
        value = {key: value}
    assert isinstance(value, dict)
    return value
