"""The player of told games: one section that needs nothing from outside, and nobody's name is markup in it."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

from told_games import game

from arena.report.replay_html import player_script, player_style, replay_command, replay_section

EVIL = "</script><script>alert(1)</script>\u202e"


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
    assert data["title"] == "Edge bet worst, by exact odds: 1.60 (deal 7, Edge – Kelly)"
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
    assert len(page.scripts) == 1  # the data; the page has the player
    assert [set(attributes) for tag, attributes in page.tags if tag == "b"] == [
        {"data-held"}
    ]  # the player's own
    assert "<b>Kelly" not in text
    assert "alert(1)</script>" not in text
    assert "\u202e" not in text
    data = json.loads(page.scripts[0])
    assert data[0]["bots"] == ["</script><script>alert(1)</script>\\u202e", "<b>Kelly</b>"]


def test_nothing_is_fetched_from_outside_and_ids_are_used_once() -> None:
    text = str(replay_section([game("Edge", "Kelly")], "default"))
    text += player_script() + player_style()
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
    script = player_script()
    assert set(re.findall(r'one\("(\w+)"\)', script)) <= there
    buttons = {attributes["data-go"] for _, attributes in page.tags if "data-go" in attributes}
    assert set(re.findall(r'button\("(\w+)"\)', script)) <= buttons
    assert "</script" not in script
    assert "</style" not in player_style()


def test_a_part_of_a_game_says_which_and_who_holds_the_bank() -> None:
    long = game("Edge", "Kelly") | {"first_step": 40, "all_steps": 90, "bank": "dealer"}
    (data,) = json.loads(Page(replay_section([long], "default")).scripts[0])
    assert data["title"].endswith("(deal 7, Edge – Kelly; steps 41 to 43 of 90)")
    assert data["bank"] == "Dealer, who is the bank"
    assert (data["first"], data["all"]) == (40, 90)
    assert [step["bank"] for step in data["steps"]] == [990, 990, 1000]  # the dealer's, seat 1


def test_without_games_there_is_no_section() -> None:
    assert replay_section([], "default") == ""


def test_a_command_can_be_pasted_whatever_bots_are_called() -> None:
    assert replay_command("t", 3, ["A b", "C"], 0) == "arena replay t --deal 3 --lineup 'A b,C'"
    assert replay_command("t", 3, ["A, b", "C"], 1, "x y") == (
        "arena replay t --out 'x y' --deal 3 --lineup 'A, b' --lineup C --rotation 1"
    )
