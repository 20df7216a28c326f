"""The player of told games: one section that needs nothing from outside, and nobody's name is markup in it."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from typing import Any

from arena.report.replay_html import replay_command, replay_section
from arena.report.templating import asset

ANTE = {"what": "ante", "round": 1, "dealer": 1, "is_again": False, "paid": [[0, 10], [1, 10]], "chips": [990, 990],
        "pot": 20}  # fmt: skip
TURN = {
    "what": "turn", "round": 1, "seat": 0, "posts": ["3S", "QD"], "low": 3, "high": 12, "kind": "gap", "gap": 8, "aces": [],
    "call": None, "choice": None, "is_call_fault": False, "bet": 0, "is_bet_fault": False, "third": None,
    "asked": {"pot": 20, "chips": 990, "min_bet": 1, "max_bet": 20, "wins": 32, "hits": 6, "losses": 12, "best": 20,
              "best_worth": 3.2, "worth": 0.0, "lost": 1.6},
    "result": "pass", "delta": 0, "is_shuffled": False, "is_out": False, "chips": [990, 990], "pot": 20,
}  # fmt: skip
END = {"what": "end", "reason": "rounds", "shares": [[0, 10], [1, 10]], "chips": [1000, 1000], "pot": 0}
EVIL = "</script><script>alert(1)</script>\u202e"


def game(*bots: str) -> dict[str, Any]:
    return {
        "why": "mistake", "bot": bots[0], "lost": 1.6, "at": 1, "deal": 7, "rotation": 1, "bots": list(bots),
        "start_chips": 1000, "steps": [ANTE, TURN, END], "chips": [1000, 1000], "net": [0, 0],
    }  # fmt: skip


class Page(HTMLParser):
    """What a browser would make of a page: tags, and the text of scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.ids: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self.ids += [value or "" for key, value in attrs if key == "id"]
        if tag == "script":
            self.scripts.append("")

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1][0] == "script":
            self.scripts[-1] += data


def test_a_game_is_told_step_by_step_in_words() -> None:
    page = Page(replay_section([game("Edge", "Kelly")], "default"))
    (data,) = json.loads(page.scripts[0])
    assert data["title"] == "Edge bet worst, by exact odds: 2 (deal 7, Edge – Kelly)"
    assert data["command"] == "arena replay default --deal 7 --lineup Edge,Kelly --rotation 1"
    assert (data["at"], data["start"], data["bots"]) == (1, 1000, ["Edge", "Kelly"])
    assert [step["text"] for step in data["steps"]] == [
        ["Round 1, Kelly deals. Antes: 10 each. Pot 20."],
        [
            "Round 1: Edge.",
            "Posts 3S QD: gap 8.",
            "Of 50 unseen cards 32 win, 6 hit a post, 12 lose. Best: bet 20, worth +3.20.",
            "Chosen: pass: 1.60 chips given away.",
        ],
        ["The last turn is over. The last pot is shared: Edge 10, Kelly 10."],
    ]
    assert [step["dealer"] for step in data["steps"]] == [1, 1, 1]


def test_a_name_is_text_and_never_markup() -> None:
    text = str(replay_section([game(EVIL, "<b>Kelly</b>"), game("a", "b")], "run"))
    page = Page(text)
    assert len(page.scripts) == 2  # the data, the player
    assert [set(attributes) for tag, attributes in page.tags if tag == "b"] == [
        {"data-pot"}
    ]  # the player's own
    assert "<b>Kelly" not in text
    assert "alert(1)</script>" not in text
    assert "\u202e" not in text
    data = json.loads(page.scripts[0])
    assert data[0]["bots"] == ["</script><script>alert(1)</script>\\u202e", "<b>Kelly</b>"]


def test_nothing_is_fetched_from_outside_and_ids_are_used_once() -> None:
    text = str(replay_section([game("Edge", "Kelly")], "default"))
    assert not re.search(r"https?:|//[a-z]|@import|url\(|\bfetch\b|XMLHttp|innerHTML|\beval\b", text)
    page = Page(text)
    assert not [tag for tag, attributes in page.tags if {"src", "href"} & set(attributes)]
    assert len(page.ids) == len(set(page.ids))
    labelled = [attributes["for"] for tag, attributes in page.tags if tag == "label" and "for" in attributes]
    assert set(labelled) <= set(page.ids)


def test_what_the_script_looks_for_is_in_the_page() -> None:
    page = Page(replay_section([game("Edge", "Kelly")], "default"))
    there = {
        key.removeprefix("data-")
        for _, attributes in page.tags
        for key in attributes
        if key.startswith("data-")
    }
    script = str(asset("replay.js"))
    assert set(re.findall(r'one\("(\w+)"\)', script)) <= there
    buttons = {attributes["data-go"] for _, attributes in page.tags if "data-go" in attributes}
    assert set(re.findall(r'button\("(\w+)"\)', script)) <= buttons
    assert "</script" not in script
    assert "</style" not in str(asset("replay.css"))


def test_without_games_there_is_no_section() -> None:
    assert replay_section([], "default") == ""


def test_a_command_can_be_pasted_whatever_bots_are_called() -> None:
    assert replay_command("t", 3, ["A b", "C"], 0) == "arena replay t --deal 3 --lineup 'A b,C'"
    assert replay_command("t", 3, ["A, b", "C"], 1, "x y") == (
        "arena replay t --out 'x y' --deal 3 --lineup 'A, b' --lineup C --rotation 1"
    )
