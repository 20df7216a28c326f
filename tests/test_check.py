"""``arena check`` finds what answers must not depend on and faults with their place, and passes who does nothing wrong."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from commands import ended
from tables import short_tables

from arena.analysis.skill import SkillReport
from arena.bot.entrant import BotSource, find_entrants
from arena.bot.seat import BotOutError
from arena.check.bench import SEED, Bench
from arena.check.checking import Checked, check
from arena.check.findings import Finding, Kind
from arena.check.pace import Stopwatch
from arena.check.repeat import cut, repeat, whole
from arena.game.rules import table_rules
from arena.tournament.blocks import BlockResult
from arena.tournament.spec import Limits
from arena.tournament.study import study_block

NEPALI = {"nepali": table_rules({"preset": "nepali"})}
HEAD = "import random, time\nimport numpy as np\nfrom arena import Bot, VectorBot\n\n"
CLEAN = """
class Clean(Bot):
    def start(self, table):
        self.seen, self.names = 0, {"a": 1, "b": 2}

    def watch(self, play):
        self.seen += play.bet

    def bet(self, turn):
        share = turn.uniform() * self.rng.random() if self.seen % 2 else 1
        return max(turn.min_bet, int(turn.max_bet * share)) if turn.edge > 0 else 0
"""
CLEAN_VECTOR = """
class Clean(VectorBot):
    def start(self, tables):
        self.seen = np.zeros(tables.n, dtype=int)

    def watch(self, plays):
        self.seen[plays.row] += plays.bet

    def bet(self, turns):
        u = turns.uniform()
        return np.where((turns.edge > 0) & (self.seen[turns.row] % 3 > 0) & (u < 0.7), turns.max_bet, 0)
"""
DEPENDS: dict[str, tuple[Kind, str]] = {
    "state in the module": (
        Kind.BATCH,
        "count = [0]\nclass B(Bot):\n    def bet(self, turn):\n        count[0] += 1\n"
        "        return turn.max_bet if count[0] % 3 == 0 else 0\n",
    ),
    "state in the class": (
        Kind.BATCH,
        "class B(Bot):\n    gaps = 0\n    def bet(self, turn):\n        type(self).gaps += turn.gap\n"
        "        return turn.min_bet if self.gaps % 7 < 3 else 0\n",
    ),
    "global random": (
        Kind.BATCH,
        "class B(Bot):\n    def bet(self, turn):\n        return random.randint(0, turn.max_bet)\n",
    ),
    "numpy's global random": (
        Kind.BATCH,
        "class B(Bot):\n    def bet(self, turn):\n        return int(np.random.randint(0, turn.max_bet + 1))\n",
    ),
    "a mean over the batch": (
        Kind.BATCH,
        "class B(VectorBot):\n    def bet(self, turns):\n"
        "        return np.where(turns.edge > turns.edge.mean(), turns.max_bet, 0)\n",
    ),
    "the row": (
        Kind.BATCH,
        "class B(VectorBot):\n    def bet(self, turns):\n        return np.where(turns.row == 1, turns.max_bet, 0)\n",
    ),
    "the order of a set": (
        Kind.CHANGES,
        "class B(Bot):\n    def bet(self, turn):\n"
        "        return turn.max_bet * (next(iter({'bet', 'pass', f'gap {turn.gap}'})) == 'bet')\n",
    ),
    "hash": (
        Kind.CHANGES,
        "class B(Bot):\n    def bet(self, turn):\n        return turn.min_bet * (hash(f'{turn.pot}') % 2)\n",
    ),
    "the clock": (
        Kind.CHANGES,
        "class B(Bot):\n    def bet(self, turn):\n        return turn.min_bet * (time.time_ns() // 1000 % 2)\n",
    ),
    "chance without a seed": (
        Kind.CHANGES,
        "class B(Bot):\n    def bet(self, turn):\n        return random.Random().randint(0, turn.max_bet)\n",
    ),
    "the clock, in a call": (
        Kind.CHANGES,
        "class B(Bot):\n    def bet(self, turn):\n        return 0\n    def call_ace(self, turn):\n"
        "        return 'low' if time.time_ns() // 1000 % 2 else 'high'\n",
    ),
    "global random, in a call": (
        Kind.BATCH,
        "class B(Bot):\n    def bet(self, turn):\n        return 0\n    def call_pair(self, turn):\n"
        "        return random.choice(['higher', 'lower'])\n",
    ),
}
HINTS = {
    "the order of a set": "order of a set",
    "hash": "order of a set",
    "the clock": "the clock",
    "chance without a seed": "not seeded",
}


@pytest.fixture
def checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Checked]:
    """What a check finds of the bot in a text; fewer games are played one by one than for a user."""
    monkeypatch.setattr("arena.check.repeat.SINGLE", 4)

    def run(text: str, tables: Any = NEPALI, **options: Any) -> Checked:
        (tmp_path / "b.py").write_text(HEAD + text)
        (entrant,), problems = find_entrants([BotSource(tmp_path / "b.py")])
        assert not problems
        return check(entrant, tables, **{"deals": 30, **options})

    return run


@pytest.fixture
def arena(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    monkeypatch.chdir(tmp_path)

    def run(*arguments: object) -> tuple[int, str, str]:
        return ended(capsys, *arguments)

    return run


@pytest.mark.parametrize(("text", "is_trusted"), [
        (CLEAN, True), (CLEAN_VECTOR, True),
        pytest.param(CLEAN, False, marks=pytest.mark.slow), pytest.param(CLEAN_VECTOR, False, marks=pytest.mark.slow),
    ])  # fmt: skip
def test_a_bot_that_depends_on_its_games_alone_is_good_on_every_table(
    checked: Callable[..., Checked], text: str, is_trusted: bool
) -> None:
    result = checked(text, short_tables(), deals=10, is_trusted=is_trusted)
    assert result.findings == ()
    assert result.is_good
    assert result.accepted == ("nepali", "article", "bicycle", "dealer", "denexa", "denexa_house", "red_dog")
    assert result.turns > 10 * 2 * 5


ALIKE = {
    "state in the class",
    "numpy's global random",
    "global random, in a call",
    "the clock, in a call",
    "hash",
}


@pytest.mark.parametrize(
    "what", [pytest.param(what, marks=pytest.mark.slow) if what in ALIKE else what for what in DEPENDS]
)
def test_what_answers_must_not_depend_on_is_found(checked: Callable[..., Checked], what: str) -> None:
    kind, text = DEPENDS[what]
    (finding,) = checked(text).findings
    assert finding.kind is kind
    assert finding.is_wrong
    assert finding.decision is not None
    assert finding.answers is not None
    assert finding.answers[0] != finding.answers[1]
    assert HINTS.get(what, "") in finding.sentence
    asked = "call_ace" if "'low'" in text else "call_pair" if "'higher'" in text else "bet"
    assert finding.decision.asked == asked
    for part in ("deal ", "round ", "seat ", asked, f"{finding.answers[0]}, then {finding.answers[1]}"):
        assert part in finding.sentence


def test_the_first_decision_that_differs_is_told_as_it_was(checked: Callable[..., Checked]) -> None:
    """Row 1 bets alone: whole, that is deal 1; one by one no row is 1. What it saw is told by another bot's errors."""
    (finding,) = checked(DEPENDS["the row"][1]).findings
    decision = finding.decision
    assert decision is not None
    assert decision.deal == 1
    assert finding.answers == (str(decision.max_bet), "0")
    spy = "class B(Bot):\n    def bet(self, turn):\n"
    where = (decision.round, decision.seat, *decision.posts)
    spy += f"        if (turn.round, turn.seat, turn.low, turn.high) == {where}:\n"
    spy += (
        "            raise ValueError(f'{turn.pot} {turn.chips} {turn.min_bet} {turn.max_bet} {turn.kind}')\n"
    )
    spy += "        return 0\n"
    faults = [f for f in checked(spy, is_trusted=True).findings if f.kind is Kind.FAULT]
    d = decision
    assert [f.text.splitlines()[-1] for f in faults if f.text] == [
        f"ValueError: {d.pot} {d.chips} {d.min_bet} {d.max_bet} {d.kind}"
    ]


def test_faults_are_told_with_place_count_and_traceback_each_kind_once(
    checked: Callable[..., Checked],
) -> None:
    text = (
        "class B(Bot):\n    def bet(self, turn):\n        if turn.gap == 9:\n            return turn.max_bet + 1\n"
        "        return [][1] if turn.round > 3 else 0\n    def call_pair(self, turn):\n        return 'up'\n"
    )
    tables = {preset: short_tables()[preset] for preset in ("nepali", "article", "bicycle")}
    found = {finding.label: finding for finding in checked(text, tables, is_trusted=True).findings}
    assert set(found) == {"too big", "exception", "not a call"}
    assert {f.preset for f in found.values()} == {"nepali"}
    assert found["exception"].also == ("article", "bicycle")
    assert found["not a call"].also == ("article",)  # elsewhere no pair is called
    at = {label: finding.decision for label, finding in found.items()}
    assert all(at.values())
    big, error, call = at["too big"], at["exception"], at["not a call"]
    assert big is not None
    assert big.posts[1] - big.posts[0] == 10
    assert found["too big"].text == f"a bet of {big.max_bet + 1}, where 0 or 1 to {big.max_bet} was legal"
    assert error is not None
    assert (error.round, error.asked) == (4, "bet")
    assert "line 9, in bet" in (found["exception"].text or "")
    assert call is not None
    assert call.asked == "call_pair"
    assert call.posts[0] == call.posts[1]


def test_a_fault_that_is_no_decision_s_names_the_round_or_the_start(checked: Callable[..., Checked]) -> None:
    watch = "class B(Bot):\n    def bet(self, turn):\n        return 0\n    def watch(self, play):\n        1 / 0\n"
    (finding,) = checked(watch, deals=5, is_trusted=True).findings
    assert finding.decision is None
    assert "first at preset nepali, deal 0, seat 0, round 1" in finding.sentence
    start = (
        "n = [0]\nclass B(Bot):\n    def start(self, table):\n        n[0] += 1\n        assert n[0] != 5\n"
    )
    start += "    def bet(self, turn):\n        return 0\n"
    first = checked(start, deals=5).findings[0]
    assert "deal 4, seat 0, as the game starts" in first.sentence


def test_a_bot_may_refuse_tables_but_not_all_of_them(checked: Callable[..., Checked]) -> None:
    text = (
        "class B(Bot):\n    def start(self, table):\n        if table.rules.ante.amount {} 10:\n"
        "            raise ValueError('not here')\n    def bet(self, turn):\n        return 0\n"
    )
    some = checked(text.format("!="), short_tables(), deals=5, is_trusted=True)
    assert some.is_good
    assert some.accepted == ("nepali", "dealer", "red_dog")
    (finding,) = some.findings
    assert (finding.kind, finding.preset) == (Kind.NOT_HERE, "article")
    assert finding.also == ("bicycle", "denexa", "denexa_house")
    none = checked(
        text.format("<"), {k: v for k, v in short_tables().items() if k not in some.accepted}, deals=5
    )
    assert not none.is_good
    assert [f.kind for f in none.findings] == [Kind.BROKEN]
    assert "ValueError: not here" in (none.findings[0].text or "")


def test_a_bot_whose_process_ends_or_that_hangs_would_be_out(checked: Callable[..., Checked]) -> None:
    ends = (
        "import os\nclass B(Bot):\n    def bet(self, turn):\n        os._exit(1) if turn.round == 3 else 0\n"
    )
    (finding,) = checked(ends).findings
    assert (finding.kind, finding.label) == (Kind.OUT, "died")
    hangs = "class B(Bot):\n    def bet(self, turn):\n        while True:\n            pass\n"
    kinds = {f.kind for f in checked(hangs, deals=30, limits=Limits(decision_ms=1, bank_ms=0)).findings}
    assert kinds & {Kind.OUT, Kind.FAULT}


def test_trusted_bots_are_checked_here_and_found_out_alike(checked: Callable[..., Checked]) -> None:
    assert checked(CLEAN, is_trusted=True).is_good
    (finding,) = checked(DEPENDS["state in the module"][1], is_trusted=True).findings
    assert finding.kind is Kind.BATCH


@pytest.mark.parametrize("deals", [1, 5, 12, 13, 76, 77, 300])
def test_batches_are_ones_and_parts_and_together_all_deals(deals: int) -> None:
    blocks = cut(deals)
    assert [b.first_deal for b in blocks] == list(np.cumsum([0, *(b.deals for b in blocks)])[:-1])
    assert sum(b.deals for b in blocks) == deals == whole(deals)[0].deals
    assert all(b.deals == 1 for b in blocks[:12])
    assert all(b.deals <= 64 for b in blocks)


def test_a_check_is_the_same_check_each_time(checked: Callable[..., Checked]) -> None:
    text = DEPENDS["global random"][1]
    assert checked(text, deals=5).findings == checked(text, deals=5).findings != ()


# ---- views at the edge

EDGES = {
    "turn.chips == 1 and turn.pot == 7000": "one chip beside a huge pot",
    "turn.pot == 7 * 999": "a pot that holds nearly all chips",
    "turn.pot == 1 and turn.max_bet == 1 and turn.seat == 7": "a pot of one chip",
    "turn.chips == 7000": "nearly all chips in hand",
    "turn.wins + turn.hits + turn.losses == 1": "the last unseen card",
    "len(turn.stacks) == 8 and turn.round == turn.rounds == 10": "one chip beside a huge pot",
    **{f"turn.gap == {gap} and turn.chips == 1": "one chip beside a huge pot" for gap in (1, 6, 11)},
    "turn.gap == 12 and turn.low == 1 and turn.chips == 1": "one chip beside a huge pot",
    **{
        f"turn.kind == 'pair' and turn.low == {rank} and turn.chips == 1": "one chip beside a huge pot"
        for rank in (2, 9, 13)
    },
}


@pytest.mark.parametrize("when", EDGES)
def test_a_fault_that_only_an_edge_brings_out_is_found_with_its_view(
    checked: Callable[..., Checked], when: str
) -> None:
    text = f"class B(Bot):\n    def bet(self, turn):\n        return -1 if {when} else 0\n"
    (finding,) = checked(text, deals=1, is_trusted=True).findings
    assert (finding.kind, finding.label) == (Kind.EDGE, "negative")
    assert f"first with {EDGES[when]}: preset nepali, round " in finding.sentence
    assert finding.decision is not None
    assert finding.decision.seat == 7


def test_both_kinds_of_calls_are_asked_at_the_edge(checked: Callable[..., Checked]) -> None:
    calls = (
        "class B(Bot):\n    def bet(self, turn):\n        return 0\n"
        "    def call_pair(self, turn):\n        return 'up' if turn.chips == 1 else 'lower'\n"
        "    def call_ace(self, turn):\n        return 'up' if turn.chips == 1 else 'high'\n"
    )
    (finding,) = checked(calls, deals=1, is_trusted=True).findings
    assert (finding.kind, finding.label) == (Kind.EDGE, "not a call")
    tables = {preset: rules for preset, rules in short_tables().items() if preset == "denexa"}
    (finding,) = checked(calls, tables, deals=1, is_trusted=True).findings
    assert finding.decision is not None
    assert finding.decision.asked == "call_ace"


def test_a_bot_may_refuse_a_table_of_eight(checked: Callable[..., Checked]) -> None:
    text = "class B(Bot):\n    def start(self, table):\n        assert table.seats < 5\n"
    text += "    def bet(self, turn):\n        return 0\n"
    result = checked(text, deals=5)
    assert result.is_good
    (finding,) = result.findings
    assert finding.kind is Kind.NOT_HERE
    assert "a table of 8" in finding.sentence


# ---- what is told beside


def test_skill_is_that_of_the_tournament_s_study_and_the_dearest_decisions_are_the_dearest(
    checked: Callable[..., Checked], tmp_path: Path
) -> None:
    result = checked("class B(Bot):\n    def bet(self, turn):\n        return turn.min_bet\n")
    (entrant,), _ = find_entrants([BotSource(tmp_path / "b.py")])
    rules = NEPALI["nepali"]
    with Bench(entrant, Limits(), is_trusted=True) as bench:
        played = bench.play(rules, whole(30))
    assert not isinstance(played, BotOutError)
    assert result.skill == {
        "nepali": SkillReport.of(study_block(played[0], rules, SEED, None).skill[0], rules)
    }
    worst = result.costly
    assert len(worst) == 3
    assert worst[0].lost_chips >= worst[1].lost_chips >= worst[2].lost_chips > 0
    total = result.skill["nepali"].total
    assert max(c.lost_chips for c in worst) * total.decisions > total.lost_chips
    one = next(one for one in worst if one.decision.kind == "gap")
    d = one.decision
    assert (one.bet, one.best, one.share) == (1, d.max_bet, one.lost_chips / 1000)
    # By hand: half of what the pot gains or loses is the bot's anyway; a hit costs two stakes, at most all its chips.
    tell = f"(turn.round, turn.seat, turn.pot, turn.chips) == {(d.round, d.seat, d.pot, d.chips)}"
    spy = f"class B(Bot):\n    def bet(self, turn):\n        if {tell}:\n"
    spy += "            raise ValueError(f'{turn.wins} {turn.hits} {turn.losses}')\n        return turn.min_bet\n"
    (finding,) = checked(spy, is_trusted=True).findings
    assert finding.decision == d
    wins, hits, losses = map(int, str(finding.text).rpartition(": ")[2].split())
    most = d.max_bet
    gained = wins * (most - 1) - losses * (most - 1) - hits * (min(2 * most, d.chips) - 2)
    assert one.lost_chips == pytest.approx(gained / (wins + hits + losses) / 2)


def test_time_is_told_and_a_bot_that_is_slow_by_the_middle_decision_is_refused(
    checked: Callable[..., Checked],
) -> None:
    text = "class B(Bot):\n    def bet(self, turn):\n        time.sleep(0.004 * (len(turn.stacks) == 2))\n        return 0\n"
    fine = checked(text, deals=1)
    assert fine.is_good
    assert fine.pace is not None
    assert 4 <= fine.pace.median_ms <= fine.pace.p99_ms <= fine.pace.max_ms
    assert fine.pace.decisions > 2 * 5
    slow = checked(text, deals=1, limits=Limits(decision_ms=2, bank_ms=5000))
    assert [f.kind for f in slow.findings if f.kind is Kind.SLOW] == [Kind.SLOW]


# ---- arena new


def test_a_new_bot_is_good_on_every_table_and_is_never_overwritten(tmp_path: Path, arena: Any) -> None:
    (tmp_path / "bots").mkdir()
    code, out, err = arena("new", "HalfWay2")
    assert (code, out) == (0, "bots/half_way2.py\n")
    assert "arena check bots/half_way2.py" in err
    code, out, _ = arena("check", "bots/half_way2.py", "--deals", 1, "--trust-bots")
    assert code == 0, out
    assert out.startswith(
        "HalfWay2: good (1 deal on each of nepali, article, bicycle, dealer, denexa, denexa_house, red_dog; "
    )
    code, _, _ = arena("check", "bots/half_way2.py:HalfWay2(share=1.0)", "--table", "nepali", "--deals", 5)
    assert code == 0  # in processes of their own
    before = (tmp_path / "bots/half_way2.py").read_bytes()
    code, out, err = arena("new", "HalfWay2")
    assert (code, out) == (2, "")
    assert "bots/half_way2.py is there already" in err
    assert (tmp_path / "bots/half_way2.py").read_bytes() == before
    assert [path.name for path in (tmp_path / "bots").iterdir()] == ["half_way2.py"]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("2fast", "identifier"), ("my-bot", "identifier"), ("../x", "identifier"), ("class", "identifier"),
        ("Bót", "identifier"), ("", "identifier"), ("_Mine", "starts with _"), ("Bot", "needs for something else"),
        ("B" * 41, "at most 40"),
    ],
)  # fmt: skip
def test_a_name_that_cannot_be_a_bot_s_is_refused(tmp_path: Path, arena: Any, name: str, reason: str) -> None:
    code, out, err = arena("new", "--", name)
    assert (code, out) == (2, "")
    assert reason in err
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_named(tmp_path: Path, arena: Any) -> None:
    code, _, err = arena("new", "Mine", "--into", "nowhere")
    assert code == 2
    assert "nowhere/mine.py cannot be written (No such file or directory)" in err


# ---- the command


BAD = "class Bad(Bot):\n    def bet(self, turn):\n        print('hello')\n        return -1\n"


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "clean.py").write_text(HEAD + CLEAN)
    (tmp_path / "bad.py").write_text(HEAD + BAD)
    (tmp_path / "broken.py").write_text("class Broken(\n")
    return tmp_path


def test_the_command_says_good_or_every_reason_at_once_and_by_exit_code(place: Path, arena: Any) -> None:
    short = ("--table", "nepali", "--deals", 5)
    code, out, err = arena("check", "Clean", *short)
    assert (code, err) == (0, "")
    assert out.startswith("Clean: good (5 deals on nepali; ")
    code, out, err = arena("check", "Clean", "bad.py", "broken.py", *short)
    assert (code, err) == (1, "")
    said = out.split("\n\n")
    assert [text.splitlines()[0].partition(":")[0] for text in said] == ["Clean", "Bad", "broken.py"]
    assert "would be refused, for 1 reason" in said[1]
    assert "fault: negative, " in said[1]
    assert "broken: broken.py:1:" in said[2]


def test_json_holds_what_the_text_does(place: Path, arena: Any) -> None:
    code, out, err = arena("check", "bad.py", "--json", "--table", "nepali", "--deals", 20, "--trust-bots")
    assert err.startswith("BOTS ARE TRUSTED: they run in this process, not isolated, without limits of time")
    assert code == 1
    assert "hello" not in out
    (bot,) = json.loads(out)
    assert (bot["name"], bot["is_good"], bot["accepted"]) == ("Bad", False, ["nepali"])
    (finding,) = bot["findings"]
    assert (finding["kind"], finding["fault"]) == ("fault", "negative")
    assert finding["decision"]["asked"] == "bet"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("no.py",), "no.py: there is no such file or folder"),
        (("Cleam",), 'no bot is called "Cleam"; did you mean "Clean"?'),
        (("Clean", "--table", "nepalli"), 'did you mean "nepali"?'),
        (("clean.py:",), "expected file.py"),
        (("Clean", "--table", "nepali", "--config", "t.yaml"), "--config and --table are both there"),
    ],
)
def test_wrong_input_is_one_sentence_and_exit_2(
    place: Path, arena: Any, arguments: tuple[str, ...], sentence: str
) -> None:
    code, out, err = arena("check", *arguments)
    assert (code, out) == (2, "")
    assert sentence in err


def test_a_tournament_file_gives_table_limits_and_names(place: Path, arena: Any) -> None:
    (place / "t.yaml").write_text("bots: bots\ntable: {preset: bicycle, ante: {amount: 3}}\nname: mine\n")
    code, out, _ = arena("check", "Clean", "--config", "t.yaml", "--deals", 3)
    assert code == 0
    assert "3 deals on mine" in out


# ---- the comparison itself can fail


def test_one_changed_answer_in_thousands_is_found(checked: Callable[..., Checked], tmp_path: Path) -> None:
    (tmp_path / "b.py").write_text(HEAD + CLEAN)
    ((entrant,), _) = find_entrants([BotSource(tmp_path / "b.py")])
    rules = NEPALI["nepali"]
    with Bench(entrant, Limits(), is_trusted=True) as bench:
        played = bench.play(rules, whole(40))
        assert not isinstance(played, BotOutError)
        (first,) = played
        assert repeat(bench, "nepali", rules, first, Stopwatch()) == []
        seat_0_bets = np.argwhere(first.bets[0] > 0)
        step, deal = seat_0_bets[len(seat_0_bets) // 2]
        (finding,) = repeat(bench, "nepali", rules, _altered(first, int(step), int(deal)), Stopwatch())
    assert isinstance(finding, Finding)
    assert finding.decision is not None
    assert finding.decision.deal == deal
    assert finding.answers is not None
    assert int(finding.answers[0].replace(",", "")) + 1 == int(finding.answers[1].replace(",", ""))
    assert SEED == 1


def _altered(result: BlockResult, step: int, deal: int) -> BlockResult:
    bets = result.bets.copy()
    bets[0, step, deal] -= 1
    return replace(result, bets=bets)


WAGERS = """
class Wagers(Bot):
    def wager(self, turn):
        return turn.max_bet + 1 if turn.round == 3 else 1
    def bet(self, turn):
        return 0
"""


def test_a_wrong_wager_is_told_as_one(checked: Callable[..., Checked]) -> None:
    """At the wager's own place, with what was asked: no posts lie yet."""
    tables = {name: rules for name, rules in short_tables().items() if name in ("red_dog", "nepali")}
    found = checked(WAGERS, tables, deals=3, is_trusted=True).findings
    first = next(f for f in found if f.kind == Kind.FAULT)
    assert first.preset == "red_dog"
    assert first.sentence == (
        "too big, 6 in 6 games, first at preset red_dog, deal 0, round 3, seat 0, wager: a house pays, chips 1,001, "
        "bets 1 to 1,001"
    )
    assert first.text == "a wager of 1002, where 0 or 1 to 1001 was legal"
