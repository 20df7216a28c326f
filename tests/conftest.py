"""What the tests share."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

# strangers' programs, never to be imported here; and a fuzzer that is a script and wants a package of its own
collect_ignore = ["hostile", "fuzz_wire.py"]


@pytest.fixture(autouse=True)
def _page_is_told_by_a_hash(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a test is not about the page a hash of what it is made from stands for it: drawing takes seconds of a run."""
    if request.node.get_closest_marker("page") or request.node.get_closest_marker("slow"):
        return

    def told(results: Mapping[str, Any], charts: Mapping[str, Any]) -> dict[str, bytes]:
        from arena.report.html import PICTURES

        drawn = [f"charts/{name}.svg" for name in PICTURES.values() if name in charts]
        files = dict.fromkeys(["report.html", *drawn], repr(results).encode())
        return {name: hashlib.sha256(name.encode() + made).digest() for name, made in files.items()}

    monkeypatch.setattr("arena.report.write._page_files", told)
