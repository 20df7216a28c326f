"""The rules as a bot sees them: the same names and values as ``TableRules``, in plain objects that nothing can change.

A bot's process needs no parser of rules, and without one it starts faster.
"""

from __future__ import annotations

from collections.abc import Mapping
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
        return hash(tuple(vars(self).items()))

    def __repr__(self) -> str:
        return f"Rules({', '.join(f'{key}={value!r}' for key, value in vars(self).items())})"


def rules_view(table: Mapping[str, Any], **more: object) -> TableRules:
    """The rules of a whole ``table:`` section (``TableRules.model_dump()``); ``more`` are values beside its keys."""
    parts = {key: RulesView(**value) if isinstance(value, Mapping) else value for key, value in table.items()}
    return cast("TableRules", RulesView(**parts, **more))


def rules_data(rules: TableRules) -> dict[str, Any]:
    """What :func:`rules_view` makes these rules of, as JSON can hold it."""
    return {"table": rules.model_dump(mode="json"), "more": {"pair_pay_chips": rules.pair_pay_chips}}
