"""pydantic's errors in plain words: what was expected, what was found, and the nearest right name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic_core import ErrorDetails

from arena.errors import nearest

Schema = Mapping[str, Any]

YES, NO = "write true", "write false"


def printable(word: str) -> str:
    r"""A word that somebody wrote, fit to be printed and not long.

    >>> print(printable("na\nme"))
    na\nme
    """
    word = word[:60]
    return word if word.isprintable() else ascii(word)[1:-1]


def describe(schema: Schema, root: Schema) -> str:
    """What a JSON schema asks for, in words.

    >>> describe({"type": "integer", "minimum": 1, "maximum": 8}, {})
    'a whole number from 1 to 8'
    >>> describe({"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 8}, {})
    'a list of 2 to 8, each text'
    >>> describe({"type": "number", "exclusiveMinimum": 0, "maximum": 8}, {})
    'a number above 0, at most 8'
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
        each = describe(schema.get("items", {}), root)
        least, most = schema.get("minItems"), schema.get("maxItems")
        if most is not None:
            return f"a list of {least or 0} to {most}, each {each}"
        return f"a list, each {each}" if each.startswith("a ") else f"a list of {each}"
    if kind == "object":
        keys = schema.get("properties")
        return f"a mapping with the keys {', '.join(keys)}" if keys else "a mapping"
    words = {"integer": "a whole number", "number": "a number", "boolean": "true or false", "string": "text"}
    word = words.get(str(kind), str(kind or "a value"))
    low, high, above = (schema.get(key) for key in ("minimum", "maximum", "exclusiveMinimum"))
    if above is not None:
        return f"{word} above {above}" + ("" if high is None else f", at most {high}")
    return word if low is None else f"{word} from {low} to {high}"


def plural(count: int, one: str, many: str | None = None) -> str:
    """``1 game``, ``1,234 games``."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


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
        schema = _mapping(schema, root)
        if isinstance(schema.get("additionalProperties"), Mapping):  # keys are free, values alike
            inner = schema["additionalProperties"]
        else:
            inner = schema.get("items") if isinstance(key, int) else schema.get("properties", {}).get(key)
        schema = inner or {}
    return _follow(schema, root)


def _mapping(schema: Schema, root: Schema) -> Schema:
    """A schema, or that of the mapping or list where it is one or null."""
    schema = _follow(schema, root)
    options = (_follow(option, root) for option in schema.get("anyOf", ()))
    held = ("properties", "items", "additionalProperties")
    return next((o for o in options if any(key in o for key in held)), schema)


def _follow(schema: Schema, root: Schema) -> Schema:
    while "$ref" in schema:
        schema = root["$defs"][str(schema["$ref"]).rpartition("/")[2]]
    return schema


def says(
    error: ErrorDetails, root: Schema, way_out: str = "", elsewhere: Mapping[str, str] | None = None
) -> str:
    """``expected a whole number from 1 to 1000000000, got 'ten'``, of a model whose schema is ``root``.

    ``way_out``: what to write where YAML readers would not agree what the text is; ``elsewhere``: where unknown
    keys belong.
    """
    loc = error["loc"]
    if error["type"] == "extra_forbidden":
        keys = _mapping(sub_schema(root, loc[:-1]), root).get("properties", {})
        return _unknown(str(loc[-1]), list(keys), elsewhere or {})
    if error["type"] == "value_error":
        return str(error["ctx"]["error"])
    schema = sub_schema(root, loc)
    expected = describe(schema, root)
    if error["type"] == "missing":
        return f"expected {expected}, but the key is missing; write it"
    value = error["input"]
    if error["type"] in ("too_short", "too_long"):
        return f"expected {expected}, got a list of {len(value)}"
    hint = nearest(str(value), map(str, schema.get("enum", ()))) if isinstance(value, str) else ""
    if schema.get("type") == "string" and isinstance(value, bool | int | float):
        hint = f'; quote it: "{found(value)}"'
    if way_out and ("true" in expected or way_out not in (YES, NO)):
        hint = f" ({way_out})"
    return f"expected {expected}, got {found(value)}{hint}"


def _unknown(key: str, keys: Sequence[str], elsewhere: Mapping[str, str]) -> str:
    outer, _, inner = key.partition(".")
    if inner and outer in keys:
        hint = f"; nest it: {outer}: {{{printable(inner)}: ...}}"
    else:
        hint = f"; {elsewhere[key]}" if key in elsewhere else nearest(key[:60], keys)
    return f'unknown key "{printable(key)}"{hint} (keys here: {", ".join(keys)})'
