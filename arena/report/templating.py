"""Pages from templates: everything that goes in is escaped, and what a template asks for must be there."""

from __future__ import annotations

from functools import cache
from importlib import resources

import jinja2
from markupsafe import Markup


@cache
def environment() -> jinja2.Environment:
    """The templates of ``arena/report/templates``, autoescaped whatever they are called."""
    return jinja2.Environment(
        loader=jinja2.PackageLoader("arena.report", "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        keep_trailing_newline=True,
    )


@cache
def asset(name: str) -> Markup:
    """A style sheet or script of ours, to stand in a page as it is."""
    text = (resources.files("arena.report") / "templates" / name).read_text(encoding="utf-8")
    return Markup(text)
