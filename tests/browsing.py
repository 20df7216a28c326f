"""A browser for tests: Debian's Chromium, headless, without a network, and what the page said to it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

CHROMIUM = next((at for name in ("chromium", "chromium-browser") if (at := shutil.which(name))), None)
REASON = "no chromium here (Debian: apt-get install chromium): the page is not opened in a browser"


@dataclass
class Said:
    """What a page said while it was open: console messages, errors, dialogs, and requests beside the page itself."""

    messages: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)


@contextmanager
def browser() -> Iterator[Any]:
    """A Chromium that reaches nothing."""
    from playwright.sync_api import sync_playwright

    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=CHROMIUM, args=sandbox)
        try:
            yield made
        finally:
            made.close()


@contextmanager
def opened(
    made: Any, path: Path, width: int = 1200, at: str = "", **options: Any
) -> Iterator[tuple[Any, Said]]:
    """The page at ``path``, and there ``at`` (``#place``), with every chart drawn, and what it said."""
    context = made.new_context(viewport={"width": width, "height": 900}, offline=True, **options)
    try:
        page, said = context.new_page(), Said()
        url = path.absolute().as_uri() + at
        page.on("console", lambda message: said.messages.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: said.messages.append(f"error: {error}"))
        page.on(
            "dialog", lambda dialog: (said.messages.append(f"dialog: {dialog.message}"), dialog.dismiss())
        )
        page.on("request", lambda request: request.url == url or said.requests.append(request.url))
        page.goto(url)
        if page.query_selector("[data-chart]"):
            page.wait_for_selector("html[data-drawn]", timeout=60_000)
        yield page, said
    finally:
        context.close()


def take_picture(sample: Path) -> None:
    """The README's picture of the sample report: its top, one bot chosen."""
    with browser() as made, opened(made, sample / "report.html", width=900) as (page, _):
        page.select_option("#choose", "4")
        page.wait_for_timeout(500)
        end = page.evaluate("document.querySelector('#standings').getBoundingClientRect().bottom + scrollY")
        clip = {"x": 0, "y": 0, "width": 900, "height": end}
        page.screenshot(path=sample / "report.png", full_page=True, clip=clip)


if __name__ == "__main__":
    take_picture(Path(__file__).parent.parent / "reports/sample")
