"""The rules as a bot sees them: the same names and values as ``TableRules``, in plain objects that nothing can change.

A bot's process needs no parser of rules, and without one it starts faster.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from arena.game.rules import TableRules


class RulesView:
    """A section of the rules; its keys are attributes."""

    def __init__(self, **values: object) -> None:
        self.__dict__.update(values)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a table's rules cannot be changed")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a table's rules cannot be changed")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RulesView) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash(repr(self))

    def __repr__(self) -> str:
        return f"Rules({', '.join(f'{key}={value!r}' for key, value in vars(self).items())})"


def rules_view(table: Mapping[str, Any], **more: object) -> TableRules:
    """The rules of :func:`rules_data`; ``more`` are values beside the keys of a table."""
    parts: dict[str, Any] = {
        key: RulesView(**value) if isinstance(value, dict) and key != "payouts" else value
        for key, value in table.items()
    }
    if table["payouts"] is not None:  # JSON has made text of its gaps
        parts["payouts"] = MappingProxyType({int(gap): odds for gap, odds in table["payouts"].items()})
        more["odds_by_gap"] = tuple(cast("list[int]", more["odds_by_gap"]))
    return cast("TableRules", RulesView(**parts, **more))


def rules_data(rules: TableRules) -> dict[str, Any]:
    """What :func:`rules_view` makes these rules of, as JSON can hold it."""
    fields = {key: getattr(rules, key) for key in type(rules).model_fields}
    table = {
        key: dict(value) if hasattr(value, "model_fields_set") else value for key, value in fields.items()
    }
    return {
        "table": table,
        "more": {"pair_pay_chips": rules.pair_pay_chips, "odds_by_gap": rules.odds_by_gap},
    }
