"""A hash of what the report's page is made from, in place of the page: drawing takes seconds of a run."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any


def told(results: Mapping[str, Any], charts: Mapping[str, Any]) -> dict[str, bytes]:
    """Files as ``arena.report.write`` makes of the same, each with a hash for its content."""
    from arena.report.html import PICTURES

    drawn = [f"charts/{name}.svg" for name in PICTURES.values() if name in charts]
    files = dict.fromkeys(["report.html", *drawn], repr(results).encode())
    return {name: hashlib.sha256(name.encode() + made).digest() for name, made in files.items()}
