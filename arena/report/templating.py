"""Pages from templates: everything that goes in is escaped, and what a template asks for must be there."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import jinja2
from markupsafe import Markup

FOLDERS = tuple(Path(__file__).parent / name for name in ("page", "templates"))


@cache
def environment() -> jinja2.Environment:
    """The templates of ``arena/report/page`` and ``templates``, autoescaped whatever they are called."""
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDERS),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


@cache
def asset(name: str) -> Markup:
    """A style sheet or script of ours, to stand in a page as it is."""
    path = next(path for folder in FOLDERS if (path := folder / name).exists())
    return Markup(path.read_text(encoding="utf-8"))


def policy(scripts: Sequence[str] = ()) -> str:
    """A content security policy: these scripts and no other, no request to anywhere."""
    hashes = [base64.b64encode(hashlib.sha256(s.encode("utf-8")).digest()).decode("ascii") for s in scripts]
    allowed = " ".join(f"'sha256-{digest}'" for digest in hashes) or "'none'"
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
