"""The ``table`` of a tournament file, and what is wrong in a file as problems with their places."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ValidationError

from arena.bot.source import Place
from arena.errors import ArenaError, Problem, nearest
from arena.game.rules import DEFAULT_PRESET, TableRules, full_table, preset_names, preset_table, table_rules
from arena.tournament.wording import sentence
from arena.tournament.yaml_source import Keys, Tree, parse_yaml
from arena.wording import found


def override(text: str, example: str = "table.ante.amount=20") -> tuple[Keys, Tree]:
    """``table.ante.amount=20`` as a path of keys and a value. Raises ``ArenaError``."""
    origin = Place(None, label=f"--set {text[:60]}")
    dotted, equals, value = text.partition("=")
    keys = tuple(key.strip() for key in dotted.split("."))
    if not equals or not all(keys):
        raise ArenaError(origin.problem(f"expected KEY=VALUE such as {example}"))
    return keys, parse_yaml(value, origin)


def read_table(tree: Tree, problems: list[Problem], not_here: Collection[str]) -> TableRules:
    """The table's rules; where they are wrong, ``problems`` grows and the default's come back.

    ``not_here`` are the tournament's own keys, of which it is said that they are no key of its table.
    """
    default = table_rules()
    over = tree.data.get("table")
    if over is None:
        over = {}
    if not isinstance(over, dict):
        hint = f"; write table: {{preset: {over}}}" if over in preset_names() else ""
        message = f"table: expected a mapping such as {{preset: {DEFAULT_PRESET}}}, got {found(over)}{hint}"
        problems.append(tree.place(("table",)).problem(message))
        return default
    preset = over.get("preset", DEFAULT_PRESET)
    if preset not in preset_names():
        listed = ", ".join(preset_names())
        message = f"expected a preset ({listed}), got {found(preset)}{nearest(str(preset), preset_names())}"
        problems.append(tree.place(("table", "preset")).problem(f"table.preset: {message}"))
        over = {key: value for key, value in over.items() if key != "preset"}
        preset = DEFAULT_PRESET
    full = full_table(over)
    base = preset_table(preset)
    for _ in range(2):  # once repaired, the table also shows what is wrong between its keys
        try:
            rules = TableRules.model_validate(full)
        except ValidationError as error:
            problems += problems_of(error, TableRules, ("table",), tree, not_here)
            for wrong in error.errors():
                _repair(full, base, wrong["loc"])
        else:
            return rules
    return default


def _repair(table: dict[str, Any], base: Mapping[str, Any], loc: Sequence[str | int]) -> None:
    """Put the preset's value where ``loc`` is wrong."""
    if loc[:1] == ("payouts",):  # gaps are no keys with a meaning of their own
        loc = loc[:1]
    for key in loc[:-1]:
        table, base = table[str(key)], base[str(key)]
    for last in map(str, loc[-1:]):
        if last in base:
            table[last] = base[last]
        else:
            table.pop(last, None)


def problems_of(
    error: ValidationError, model: type[BaseModel], prefix: Keys, tree: Tree, not_here: Collection[str]
) -> list[Problem]:
    """pydantic's errors as problems with places; ``prefix`` is where the model lies in the file.

    ``not_here``: keys that belong to the other one, the tournament's in a table and the table's in a tournament.
    """
    schema = model.model_json_schema()
    elsewhere = dict.fromkeys(not_here, "it belongs under table:")
    if model is TableRules:
        schema["properties"] = {"preset": {}, **schema["properties"]}
        elsewhere = dict.fromkeys(not_here, "a key of the tournament, not of its table")
    out = []
    for wrong in error.errors():
        path = (*prefix, *wrong["loc"])
        says = sentence(wrong, schema, prefix, tree, elsewhere)
        out.append(_place(path, wrong["type"], tree).problem(says))
    return out


def _place(path: Keys, kind: str, tree: Tree) -> Place:
    """Where to point at for an error at ``path``: what it is about may be written elsewhere."""
    if kind == "extra_forbidden":
        return tree.place(path, of_key=True)
    around: dict[Keys, list[Keys]] = {
        ("table",): [  # what is wrong between its keys: a table that cannot end, a wager that no bank covers
            *(
                ("table", *keys)
                for keys in (("bet", "before_posts"), ("payouts",), ("bank",), ("end",), ("preset",))
            )
        ],
        ("lineups",): [path, ("schedule",)],
        ("against",): [path, ("schedule",)],
    }
    written = [keys for keys in around.get(path, [path]) if keys in tree.values]
    return tree.place(written[0] if written else path)
