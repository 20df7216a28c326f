"""``arena replay``: runs found again by name, told from what is stored, and a sentence where that cannot be."""

from __future__ import annotations

import json
import shlex
import shutil
from itertools import pairwise
from pathlib import Path

import pytest
from commands import ended

from arena.report.past_run import PastRun, past_run
from arena.report.replay_text import replay_text, turn_sentences
from arena.report.results_json import FORMAT, dump, results_of
from arena.report.text import width
from arena.tournament.answers import run_answers
from arena.tournament.telling import MOST_STEPS, telling_games, told
from arena.tournament.tournament import Held

GAP = """
from arena import Bot

class Gap{n}(Bot):
    def bet(self, turn):
        if turn.uniform() < 0.01:
            return -1
        return turn.max_bet if turn.gap >= {n} else 0
"""
CONFIG = "seed: 3\nbots: bots\ndeals: 60\n"
SHORT = "table: {end: {rounds: 3}}\n"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with three bots and a tournament file; runs play in this process."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bots").mkdir()
    for n in (4, 8, 9):
        (tmp_path / "bots" / f"gap{n}.py").write_text(GAP.format(n=n))
    (tmp_path / "t.yaml").write_text(CONFIG + SHORT)
    return tmp_path


@pytest.fixture
def arena(place: Path, capsys: pytest.CaptureFixture[str]):
    """The exit code, output and talk of a command; ``run`` trusts its bots."""

    def call(*arguments: object) -> tuple[int, str, str]:
        return ended(capsys, *arguments, *(["--trust-bots"] if arguments[0] == "run" else []))

    return call


def results_again(past: PastRun, held: Held) -> bytes:
    """``results.json`` as the stored games have it."""
    table, seed = past.spec.table, past.spec.seed
    answers = run_answers(held, table, seed, past.spec.confidence)
    games = told(held, table, seed, past.names, telling_games(held, table.chips), MOST_STEPS)
    return dump(results_of(past.spec, past.entrants, held.standings, held.looks, answers, games))


@pytest.mark.parametrize(
    "more",
    [
        "",
        "table: {ante: {amount: 30}, end: {rounds: 5}}\nlimits: {faults: 3}\n",
        "seats: 3\n",
        "rank_by: wins\n",
        "table: {preset: red_dog, end: {rounds: 8}}\n",
        "table: {preset: dealer}\n",
    ],
    ids=["plain", "another table", "three seats", "by wins", "red_dog", "dealer"],
)
def test_a_run_is_recalled_to_the_byte_without_its_bots(place: Path, arena, more: str) -> None:
    (place / "t.yaml").write_text(CONFIG + more + ("" if "table:" in more else SHORT))
    assert arena("run", "t.yaml")[0] == 0
    for file in (place / "bots").iterdir():
        file.unlink()
    past = past_run("t", place / "reports")
    held = past.held()
    assert results_again(past, held) == (place / "reports/t/results.json").read_bytes()


@pytest.mark.slow
def test_a_run_that_stopped_early_is_recalled_with_its_looks(place: Path, arena) -> None:
    (place / "t.yaml").write_text(
        "seed: 3\nbots: bots\nrank_by: chips\nstop: {when: half_width, chips: 150, max_deals: 900}\n"
    )
    assert arena("run", "t.yaml")[0] == 0
    past = past_run("t", place / "reports")
    held = past.held()
    assert held.looks is not None
    assert results_again(past, held) == (place / "reports/t/results.json").read_bytes()
    code, _, talk = arena("replay", "t", "--deal", past.deals)
    assert code == 2
    assert f"t has deals 0 to {past.deals - 1}" in talk


def test_a_game_is_told_from_its_name_its_folder_and_its_file(place: Path, arena) -> None:
    arena("run", "t.yaml")
    told = [
        arena("replay", run, "--deal", 7, "--lineup", "Gap4,Gap8") for run in ("t", "reports/t", "t.yaml")
    ]
    assert told[0][0] == 0
    assert told[0] == told[1] == told[2]
    assert told[0][1].startswith("Deal 7, rotation 0: ")
    assert max(map(width, told[0][1].splitlines())) <= 80
    assert told[0] == arena("replay", "t", "--deal", 7, "--lineup", "Gap8", "--lineup", "Gap4")
    other = arena("replay", "t", "--deal", 7, "--lineup", "Gap4,Gap8", "--rotation", 1)
    assert other[0] == 0
    assert other[1].startswith("Deal 7, rotation 1: ")


def test_json_is_the_game_that_the_text_tells(place: Path, arena) -> None:
    arena("run", "t.yaml")
    code, text, _ = arena("replay", "t", "--deal", 7, "--json")
    game = json.loads(text)
    assert code == 0
    assert (game["deal"], len(game["bots"])) == (7, 2)
    assert replay_text(game) + "\n" == arena("replay", "t", "--deal", 7)[1]


TURN = {
    "what": "turn", "round": 2, "seat": 1, "posts": ["AS", "QD"], "low": 1, "high": 12, "kind": "gap", "gap": 10,
    "dealer": 0, "wager": None, "min_wager": None, "max_wager": None, "best_wager": None,
    "wager_lost": None, "is_wager_fault": False, "is_dealer_out": False,
    "aces": ["low"], "call": None, "choice": None, "is_call_fault": False, "bet": 5, "is_bet_fault": False, "third": "AC",
    "asked": {"pot": 40, "chips": 990, "min_bet": 1, "max_bet": 40, "wins": 40, "hits": 6, "losses": 4, "best": 40,
              "best_worth": 19.2, "worth": 2.4, "lost": 8.4},
    "result": "hit", "delta": -10, "is_shuffled": False, "is_out": False, "chips": [990, 980], "pot": 50,
}  # fmt: skip
PAIR = TURN | {
    "posts": ["9S", "9D"], "low": 9, "high": 9, "kind": "pair", "gap": 0, "aces": [], "choice": {"higher": 20, "lower": 28},
    "call": "lower", "bet": 0, "third": None, "result": "pass", "delta": 0, "chips": [990, 990], "pot": 40,
    "asked": TURN["asked"] | {"wins": 28, "hits": 2, "losses": 20, "best": 40, "best_worth": 3.2, "worth": 0.0, "lost": 1.6},
}  # fmt: skip


def test_a_turn_is_told_in_plain_sentences() -> None:
    assert list(turn_sentences(TURN, "pot")) == [
        "Posts AS QD: gap 10, ace called low.",
        "Of 50 unseen cards 40 win, 6 hit a post, 4 lose. Best: bet 40, worth +19.20.",
        "Chosen: bet 5, worth +2.40: 8.40 chips given away.",
        "Third card AC hits a post: -10. Pot 50.",
    ]
    assert list(turn_sentences(PAIR, "pot")) == [
        "Posts 9S 9D: a pair; 20 higher, 28 lower unseen, called lower.",
        "Of 50 unseen cards 28 win, 2 hit a post, 20 lose. Best: bet 40, worth +3.20.",
        "Chosen: pass: 1.60 chips given away.",
    ]
    skipped = TURN | {"kind": "consecutive", "posts": ["7S", "8D"], "aces": [], "asked": None, "third": None}
    assert list(turn_sentences(skipped | {"result": "skip", "delta": 0}, "pot"))[1:] == [
        "Nothing to bet on: the turn passes."
    ]
    paid = list(turn_sentences(skipped | {"result": "paid", "delta": -2, "pot": 42, "is_out": True}, "pot"))
    assert paid == ["Posts 7S 8D: next to each other.", "Pays into the pot: -2. Pot 42. It is out of chips."]


RAISED = TURN | {
    "aces": [], "wager": 20, "min_wager": 1, "max_wager": 980, "posts": ["2S", "QD"], "low": 2, "gap": 9, "bet": 20,
    "asked": TURN["asked"] | {"best": 20, "best_worth": 17.6, "worth": 17.6, "lost": 0.0},
    "third": "5C", "result": "win", "delta": 40, "chips": [960, 1040], "pot": -40,
}  # fmt: skip


def test_a_wager_a_raise_and_the_bank_are_told() -> None:
    assert list(turn_sentences(RAISED, "house")) == [
        "Wagers 20 (from 1 to 980 allowed).",
        "Posts 2S QD: gap 9.",
        "Of 50 unseen cards 40 win, 6 hit a post, 4 lose. Best: raise by 20, worth +17.60.",
        "Chosen: raise by 20, worth +17.60.",
        "Third card 5C wins: +40. House -40.",
    ]
    left = RAISED | {"bet": 0, "asked": RAISED["asked"] | {"worth": 8.8, "lost": 8.8}}
    assert list(turn_sentences(left, "dealer"))[3:] == [
        "Chosen: no raise, worth +8.80: 8.80 chips given away.",
        "Third card 5C wins: +40. Dealer 960.",
    ]
    back = RAISED | {
        "asked": None,
        "bet": None,
        "result": "push",
        "delta": 0,
        "is_wager_fault": True,
        "wager": 1,
    }
    pair = back | {"kind": "trips", "gap": 0, "posts": ["2S", "2D"], "third": "5C"}
    assert list(turn_sentences(pair, "house")) == [
        "Wagers 1 (from 1 to 980 allowed): the least, its answer was a fault.",
        "Posts 2S 2D: a pair.",
        "Third card 5C is no third of a kind: the wager comes back.",
    ]
    neighbours = back | {"kind": "consecutive", "gap": 0, "posts": ["2S", "3D"], "third": None}
    assert list(turn_sentences(neighbours, "house"))[1:] == [
        "Posts 2S 3D: next to each other.",
        "The wager comes back.",
    ]
    broke = RAISED | {"chips": [0, 1040], "is_dealer_out": True}
    assert list(turn_sentences(broke, "dealer"))[-1] == (
        "Third card 5C wins: +40. Dealer 0. The dealer is out of chips."
    )


@pytest.mark.parametrize(("preset", "bank"), [("red_dog", "house +0"), ("dealer", "dealer 1,000")])
def test_a_game_without_a_pot_is_told_from_its_first_round_to_its_end(
    place: Path, arena, preset: str, bank: str
) -> None:
    (place / "t.yaml").write_text(CONFIG + f"table: {{preset: {preset}, end: {{rounds: 8}}}}\n")
    assert arena("run", "t.yaml")[0] == 0
    code, text, _ = arena("replay", "t", "--deal", 7)
    assert code == 0
    assert max(map(width, text.splitlines())) <= 80
    first = next(line for line in text.splitlines() if line.startswith("  "))
    assert first.endswith(f", 1,000 chips, {bank}")
    assert "Round 1" in text.splitlines()[2]
    assert "pot" not in text.lower()
    assert arena("replay", "t")[0] == 0


def test_names_of_strangers_are_shown_and_not_sent_to_the_terminal() -> None:
    end = {"what": "end", "reason": "rounds", "shares": [[0, 40]], "chips": [1030, 970], "pot": 0}
    bots = ["\x1b[31mred\u202e", "名" * 40]
    game = {
        "deal": 1,
        "rotation": 0,
        "bank": "pot",
        "bots": bots,
        "steps": [TURN, end],
        "chips": [1030, 970],
        "net": [30, -30],
    }
    text = replay_text(game)
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert max(map(width, text.splitlines())) <= 80
    assert "The last turn is over. The last pot is shared: " in text


def test_every_command_that_is_listed_tells_a_game_with_that_mistake(place: Path, arena) -> None:
    arena("run", "t.yaml")
    code, listed, _ = arena("replay", "t")
    assert code == 0
    commands = [shlex.split(line) for line in listed.splitlines() if line.startswith("  arena ")]
    assert len(commands) == 4  # the swing, and a mistake of each bot
    heads = [line for line in listed.splitlines() if not line.startswith(" ")]
    for head, words in list(zip(heads, commands, strict=True))[1:]:
        game = json.loads(arena(*words[1:], "--json")[1])
        seat = game["bots"].index(head.split()[0])
        lost = max(
            s["asked"]["lost"]
            for s in game["steps"]
            if s["what"] == "turn" and s["seat"] == seat and s["asked"]
        )
        assert head.endswith(f": {round(lost)} chips")


def test_the_swing_and_the_mistakes_are_the_greatest_of_all_games(place: Path, arena) -> None:
    arena("run", "t.yaml")
    past = past_run("t", place / "reports")
    held = past.held()
    swing, *mistakes = telling_games(held, past.spec.table.chips)
    assert swing.chips == max(bot.largest_loss for bot in held.standings.bots)
    games = told(held, past.spec.table, past.spec.seed, past.names, [swing, *mistakes])
    for game in games[1:]:
        step = game["steps"][game["at"]]
        assert game["bots"][step["seat"]] == game["bot"]
        assert step["asked"]["lost"] == game["lost"]
    worst = dict.fromkeys(past.names, 0.0)
    for lineup in past.lineups:
        players = ",".join(past.names[bot] for bot in lineup)
        for deal, rotation in ((0, 0), (20, 1), (59, 0)):  # a sample
            words = ("--deal", deal, "--rotation", rotation, "--lineup", players, "--json")
            for step in json.loads(arena("replay", "t", *words)[1])["steps"]:
                if step["what"] == "turn" and step["asked"]:
                    bot = past.names[lineup[(step["seat"] - rotation) % 2]]
                    worst[bot] = max(worst[bot], step["asked"]["lost"])
    by_bot = {past.names[m.bot]: m.chips for m in mistakes}
    assert all(0 < lost <= by_bot[bot] for bot, lost in worst.items())


@pytest.mark.slow
def test_of_a_long_game_the_steps_around_what_it_is_told_for_are_kept(place: Path, arena) -> None:
    (place / "t.yaml").write_text(CONFIG + "table: {preset: red_dog}\n")
    arena("run", "t.yaml")
    past = past_run("t", place / "reports")
    held = past.held()
    games = telling_games(held, past.spec.table.chips)
    given = held, past.spec.table, past.spec.seed, past.names, games
    whole, parts = told(*given), told(*given, most_steps=40 * len(games))
    for game, part in zip(whole, parts, strict=True):
        n = len(game["steps"])
        first = part["first_step"]
        assert (game["first_step"], game["all_steps"], part["all_steps"]) == (0, n, n)
        assert part["steps"] == game["steps"][first : first + 40]
        assert len(part["steps"]) == min(40, n)
        if game["why"] == "mistake":
            assert part["steps"][part["at"]] == game["steps"][game["at"]]
        else:
            assert part["at"] == 0
            seat = game["bots"].index(game["bot"])
            chips = [1000, *(step["chips"][seat] for step in game["steps"])]
            worst = max(a - b for a, b in pairwise(chips))
            kept = chips[first : first + 41]
            assert worst in [a - b for a, b in pairwise(kept)]
    assert max(game["all_steps"] for game in whole) > 100
    assert {len(game["steps"]) for game in told(*given, most_steps=1)} == {24}


WRONG = [
    (["nope", "--deal", 1], 'no report of a run "nope" in reports (runs: t)'),
    (["tt", "--deal", 1], 'did you mean "t"?'),
    (["t", "--deal", 60], "--deal 60: t has deals 0 to 59; arena run with --deals 61 plays on to it"),
    (["t", "--deal", 1, "--lineup", "Gap4,Gap5"], 'no bot of t is called "Gap5"; did you mean "Gap'),
    (["t", "--deal", 1, "--lineup", "Gap4"], "expected 2 different bots, got Gap4"),
    (["t", "--deal", 1, "--lineup", "Gap4,Gap4"], "expected 2 different bots"),
    (["t", "--deal", 1, "--rotation", 2], "--rotation 2: a table of 2 seats has rotations 0 to 1"),
    (["t", "--rotation", 1], "go with --deal"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "sentence"), WRONG, ids=[str(i) for i in range(len(WRONG))])
def test_what_cannot_be_told_is_said_in_a_sentence(arena, words: list[object], sentence: str) -> None:
    arena("run", "t.yaml")
    code, text, talk = arena("replay", *words)
    assert (code, text) == (2, "")
    assert sentence in talk


@pytest.mark.parametrize("run", ["t", "reports/t", "t.yaml"])
def test_a_run_without_a_report_but_with_games_is_said_to_be_one(place: Path, arena, run: str) -> None:
    arena("run", "t.yaml", "--deals", 2)
    shutil.rmtree(place / "reports/t")
    for command in (["replay", run], ["export", run, "--to", "csv"], ["report", run], ["compare", run, "u"]):
        code, text, talk = arena(*command)
        assert (code, text) == (2, "")
        assert f"has no report yet, only a store of games ({Path('reports/.store/t.sqlite')})" in talk
    assert arena("run", "t.yaml", "--deals", 2)[0] == 0
    assert arena("report", run)[0] == 0


def test_bots_that_never_met_are_said_with_two_that_did(place: Path, arena) -> None:
    (place / "t.yaml").write_text(CONFIG + "schedule: gauntlet\nagainst: [Gap8]\n")
    arena("run", "t.yaml")
    code, _, talk = arena("replay", "t", "--deal", 1, "--lineup", "Gap4,Gap9")
    assert code == 2
    assert "Gap4, Gap9 did not meet in t; " in talk


def test_a_changed_bot_is_not_told_as_if_it_had_played(place: Path, arena) -> None:
    arena("run", "t.yaml")
    before = arena("replay", "t", "--deal", 3, "--lineup", "Gap4,Gap8")
    (place / "bots/gap4.py").write_text(GAP.format(n=4) + "# changed\n")
    code, _, talk = arena("replay", "t.yaml", "--deal", 3, "--lineup", "Gap4,Gap8")
    assert code == 2
    assert (
        "gap4.py: Gap4 has changed since this run: what is stored was played by another bot; arena run t.yaml"
        in talk
    )
    assert arena("replay", "t", "--deal", 3, "--lineup", "Gap4,Gap8") == before  # the report's own bot


def test_games_that_are_gone_are_said_with_the_reason(place: Path, arena) -> None:
    arena("run", "t.yaml")
    arena("prune", "--whole", "t")
    code, _, talk = arena("replay", "t", "--deal", 3)
    assert code == 2
    assert "no stored games" in talk
    assert "pruned, moved, or begun anew" in talk
    arena("run", "t.yaml", "--seed", 4, "--out", "elsewhere")
    (place / "reports/.store/t.sqlite").write_bytes((place / "elsewhere/.store/t.sqlite").read_bytes())
    assert "reports/t: deal 3 of this lineup is not stored" in arena("replay", "t", "--deal", 3)[2]
    assert "are not stored" in arena("replay", "t")[2]
    about = json.loads((place / "reports/t/run.json").read_text())
    (place / "reports/t/run.json").write_text(json.dumps(about | {"python": "3.9.1"}))
    assert "the run was made with Python 3.9 (here: 3." in arena("replay", "t", "--deal", 3)[2]


@pytest.mark.parametrize(
    ("file", "text", "sentence"),
    [
        ("results.json", "{", "not JSON as arena run wrote it"),
        ("results.json", "[]", "expected a mapping"),
        ("results.json", '{"format": 1}', f"expected format {FORMAT}, found 1: another version wrote it"),
        ("results.json", json.dumps({"format": FORMAT}), "not as arena run wrote it"),
        ("run.json", "", "not JSON"),
        ("run.json", "{}", "not as arena run wrote it"),
    ],
)
def test_a_report_that_cannot_be_read_is_said(
    place: Path, arena, file: str, text: str, sentence: str
) -> None:
    arena("run", "t.yaml")
    (place / "reports/t" / file).write_text(text)
    code, _, talk = arena("replay", "t", "--deal", 3)
    assert code == 2
    assert sentence in talk


def test_a_damaged_store_is_said_and_left_alone(place: Path, arena) -> None:
    arena("run", "t.yaml")
    store = place / "reports/.store/t.sqlite"
    data = bytearray(store.read_bytes())
    data[len(data) // 2 :] = bytes(len(data) - len(data) // 2)
    store.write_bytes(data)
    code, _, talk = arena("replay", "t")
    assert code == 2
    assert "t.sqlite: the store is damaged" in talk
    assert store.read_bytes() == bytes(data)


def test_a_bot_that_is_out_and_one_that_is_late_are_told_as_they_were_reported(place: Path, arena) -> None:
    """Trusted bots cannot be put out; so the stored blocks say it, and the report."""
    (place / "bots/gap4.py").write_text(GAP.format(n=4).replace("return -1", "raise SystemExit"))
    arena("run", "t.yaml")
    past = past_run("t", place / "reports")
    assert past.out == {}
    results = json.loads((place / "reports/t/results.json").read_text())
    (bot,) = [bot for bot in results["bots"] if bot["name"] == "Gap4"]
    bot["faults"] = {"late": bot["games"]}
    (place / "reports/t/results.json").write_text(json.dumps(results))
    past = past_run("t", place / "reports")
    assert list(past.out) == [past.names.index("Gap4")]
    assert past.held().rows.dropped == 0  # late in every game and not out: its games are found all the same
