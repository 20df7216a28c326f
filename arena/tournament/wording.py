"""pydantic's errors in plain words: what was expected, what was found, and the nearest right name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic_core import ErrorDetails

from arena.errors import nearest
from arena.tournament.yaml_source import NO, YES, Keys, Tree, dotted

Schema = Mapping[str, Any]


def describe(schema: Schema, root: Schema) -> str:
    """What a JSON schema asks for, in words.

    >>> describe({"type": "integer", "minimum": 1, "maximum": 8}, {})
    'a whole number from 1 to 8'
    """
    schema = _follow(schema, root)
    if "anyOf" in schema:
        return " or ".join(describe(option, root) for option in schema["anyOf"])
    if "const" in schema:
        return listed([schema["const"]])
    if "enum" in schema:
        return listed(schema["enum"])
    kind = schema.get("type")
    if kind == "array":
        return "a list of " + describe(schema.get("items", {}), root)
    if kind == "object":
        return f"a mapping with the keys {', '.join(schema.get('properties', {}))}"
    words = {"integer": "a whole number", "number": "a number", "boolean": "true or false", "string": "text"}
    word = words.get(str(kind), str(kind))
    low, high = schema.get("minimum"), schema.get("maximum")
    return word if low is None else f"{word} from {low} to {high}"


def listed(choices: Sequence[object]) -> str:
    """``"a", "b" or "c"``."""
    quoted = [f'"{choice}"' for choice in choices]
    return " or ".join([", ".join(quoted[:-1]), quoted[-1]] if len(quoted) > 1 else quoted)


def found(value: object) -> str:
    """A value as YAML shows it, shortened."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return "a mapping"
    if isinstance(value, list | tuple):
        return "a list"
    if isinstance(value, int) and abs(value) >= 10**40:
        return "a far larger number"
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def sub_schema(root: Schema, loc: Sequence[str | int]) -> Schema:
    """The schema at ``loc``, references followed; an empty one where there is none."""
    schema = root
    for key in loc:
        schema = _follow(schema, root)
        inner = schema.get("items") if isinstance(key, int) else schema.get("properties", {}).get(key)
        schema = inner or {}
    return _follow(schema, root)


def _follow(schema: Schema, root: Schema) -> Schema:
    while "$ref" in schema:
        schema = root["$defs"][str(schema["$ref"]).rpartition("/")[2]]
    return schema


def sentence(
    error: ErrorDetails, root: Schema, prefix: Keys, tree: Tree, elsewhere: Mapping[str, str]
) -> str:
    """``table.ante.amount: expected a whole number from 1 to 1000000000, got 'ten'``.

    ``prefix`` is where the schema ``root`` lies in the file; ``elsewhere``: where unknown keys belong.
    """
    path = (*prefix, *error["loc"])
    where = dotted(path)
    if error["type"] == "extra_forbidden":
        return f"{where}: {_unknown(str(path[-1]), sub_schema(root, error['loc'][:-1]), elsewhere)}"
    if error["type"] == "value_error":
        message = str(error["ctx"]["error"])
        return f"{where}: {message}"
    schema = sub_schema(root, error["loc"])
    expected = describe(schema, root)
    if error["type"] == "missing":
        return f"{where}: expected {expected}, but the key is missing; write it"
    value = error["input"]
    hint = nearest(str(value), map(str, schema.get("enum", ()))) if isinstance(value, str) else ""
    if schema.get("type") == "string" and isinstance(value, bool | int | float):
        hint = f'; quote it: "{found(value)}"'
    way_out = tree.doubtful.get(path, "")
    if way_out and ("true" in expected or way_out not in (YES, NO)):
        hint = f" ({way_out})"
    return f"{where}: expected {expected}, got {found(value)}{hint}"


def _unknown(key: str, schema: Schema, elsewhere: Mapping[str, str]) -> str:
    keys = list(schema.get("properties", {}))
    outer, _, inner = key.partition(".")
    if inner and outer in keys:
        hint = f"; nest it: {outer}: {{{dotted((inner,))}: ...}}"
    else:
        hint = f"; {elsewhere[key]}" if key in elsewhere else nearest(key[:60], keys)
    return f'unknown key "{dotted((key,))}"{hint} (keys here: {", ".join(keys)})'
