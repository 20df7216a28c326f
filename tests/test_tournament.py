"""A tournament held: where it stops, that nothing after that counts, and that luck is taken out whole."""

from __future__ import annotations

import dataclasses
import json
import re
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import in_process
import numpy as np
import pytest

from arena.analysis.stakes import expected_stakes
from arena.analysis.stopping import LookState, RuleHalfWidth, looks, sequence_intervals, state
from arena.bot.entrant import Entrant, find_entrants
from arena.bot.faults import Fault
from arena.bot.seat import BotOutError
from arena.cli import main
from arena.errors import ArenaError
from arena.game.rules import table_rules
from arena.tournament.rows import Rows
from arena.tournament.schedule import spec_lineups
from arena.tournament.spec import load_spec
from arena.tournament.study import ONE, study_block
from arena.tournament.tournament import Held, hold, with_first_look

BOTS = """
import numpy as np
from arena import Bot, VectorBot

class Gap(VectorBot):
    def bet(self, turns):
        return np.where(turns.gap >= 8, turns.max_bet, 0)

class Half(VectorBot):
    def bet(self, turns):
        return np.where(turns.edge > 0, turns.max_bet // 2, 0)

class Wild(Bot):
    def bet(self, turn):
        return turn.max_bet + (turn.uniform() < 0.01) if turn.uniform() < 0.3 else 0
"""
TWO = BOTS[: BOTS.index("class Wild")]
EVERY_FIELD = [f.name for f in dataclasses.fields(Rows)]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bots.py").write_text(BOTS)
    (tmp_path / "two.py").write_text(TWO)
    return tmp_path


def held(place: Path, text: str, workers: int = 1, bots: str = "bots.py") -> Held:
    table = "" if "table:" in text else "table: {end: {rounds: 4}}\n"
    (place / "t.yaml").write_text(f"bots: {bots}\n{text}\n{table}")
    spec = load_spec(place / "t.yaml")
    entrants, problems = find_entrants(spec.bots)
    assert not problems
    spec = with_first_look(spec, len(entrants))
    return hold(spec, entrants, spec_lineups(spec, entrants), workers, True, lambda _: None)


def plain(value: Any) -> Any:
    """A value with its arrays as lists, fit to be compared."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if dataclasses.is_dataclass(value):
        return {f.name: plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    return [plain(v) for v in value] if isinstance(value, list | tuple) else value


def told(result: Held) -> dict[str, Any]:
    """All that a report could say of a tournament, how its blocks were cut left out."""
    rows = {name: plain(getattr(result.rows, name)) for name in EVERY_FIELD if name != "outcomes"}
    return {"rows": rows, "standings": plain(result.standings), "looks": plain(result.looks)}


def deals_of(states: tuple[LookState, ...]) -> list[int]:
    return [look.deals for look in states]


def stop_at(deals: int, place: Path, rank_by: str, grid: str) -> str:
    """A rule that is first met at ``deals``: every interval as narrow as they are there."""
    never = f"rank_by: {rank_by}\nstop: {{when: half_width, chips: 0.0001, {grid}}}"
    if rank_by not in WIDEST:
        looks = held(place, never).looks
        assert looks is not None
        assert not looks.met
        WIDEST[rank_by] = {look.deals: float(look.bot_half_widths.max()) for look in looks.states}
    chips = WIDEST[rank_by][deals]
    assert all(width > chips for at, width in WIDEST[rank_by].items() if at < deals)
    return never.replace("0.0001", repr(chips))


WIDEST: dict[str, dict[int, float]] = {}  # by what ranks and by look: the widest interval
ADJUSTED = pytest.param("adjusted", 1250, "max_deals: 2000", marks=pytest.mark.slow)
CHIPS = ("chips", 750, "max_deals: 1000")


@pytest.mark.parametrize(
    ("rank_by", "deals", "grid"), [ADJUSTED, pytest.param(*CHIPS, marks=pytest.mark.slow)]
)
def test_a_run_stops_at_the_first_look_that_meets_the_rule_whatever_was_played_beyond(
    place: Path, monkeypatch: pytest.MonkeyPatch, rank_by: str, deals: int, grid: str
) -> None:
    text = stop_at(deals, place, rank_by, grid)
    base = held(place, text)
    assert base.looks is not None
    first = 500 if rank_by == "adjusted" else 250
    assert deals_of(base.looks.states) == list(range(first, deals + 1, 250))
    assert base.looks.met
    assert [look.met for look in base.looks.states[:-1]] == [False] * (len(base.looks.states) - 1)
    assert len(base.rows.deals) == base.standings.deals == deals
    assert max(r.block.first_deal + r.block.deals for r in base.results) == deals
    monkeypatch.setattr("arena.tournament.tournament._STRIDE", 250)
    assert told(held(place, text)) == told(base)
    monkeypatch.setattr("arena.tournament.tournament._STRIDE", 5000)
    monkeypatch.setattr("arena.tournament.tournament.block_deals", lambda *_: 170)
    assert told(held(place, text)) == told(base)


@pytest.mark.workers
def test_a_run_that_stops_early_does_not_depend_on_the_workers(place: Path) -> None:
    text = "stop: {when: half_width, chips: 14, max_deals: 1000}"
    one = held(place, text)
    assert one.looks is not None
    assert one.looks.met
    assert told(held(place, text, workers=2)) == told(one)


@pytest.mark.parametrize(("rank_by", "deals", "grid"), [ADJUSTED, CHIPS])
def test_the_games_of_a_stopped_run_are_those_of_a_run_of_so_many_deals(
    place: Path, rank_by: str, deals: int, grid: str
) -> None:
    stopped = told(held(place, stop_at(deals, place, rank_by, grid)))["rows"]
    fresh = told(held(place, f"rank_by: {rank_by}\ndeals: {deals}"))["rows"]
    assert stopped["faults"] != np.zeros_like(stopped["faults"]).tolist()
    of_luck = {"luck"}  # the stakes are learned from fewer deals where there were looks
    assert {k: v for k, v in stopped.items() if k not in of_luck} == {
        k: v for k, v in fresh.items() if k not in of_luck
    }


@pytest.mark.parametrize("rank_by", ["adjusted", "chips", "wins"])
def test_after_looks_all_that_ranks_comes_from_the_sequence_and_nothing_else_does(
    place: Path, rank_by: str
) -> None:
    result = held(place, f"rank_by: {rank_by}\nstop: {{when: ranked, max_deals: 500}}")
    assert result.looks is not None
    assert result.looks.states[-1].deals == len(result.rows.deals) <= 500
    rows = {
        "adjusted": result.rows.adjusted_chips,
        "chips": result.rows.mean_chips,
        "wins": result.rows.win_share,
    }
    for name, x in rows.items():
        at_every_look = sequence_intervals(x, 0.95, 500 if rank_by == "adjusted" else 100)
        for bot in result.standings.bots:
            interval = getattr(bot, name)
            assert (interval == at_every_look[bot.bot]) is (name == rank_by)
    assert result.standings.is_sequence
    assert result.standings.differences is not None
    looked, i = result.looks.states[-1], [bot.bot for bot in result.standings.bots]
    assert np.array_equal(result.standings.differences.separated, looked.separated[np.ix_(i, i)])


@pytest.mark.parametrize("deals", [1, 19, 20, 120])
def test_luck_and_adjusted_chips_are_the_raw_chips_and_posts_count_from_twenty_deals_on(
    place: Path, deals: int
) -> None:
    rows = held(place, f"deals: {deals}").rows
    assert rows.luck is not None
    third, posts, _ = rows.mean_luck
    assert np.allclose(rows.adjusted_chips + third + posts, rows.mean_chips, rtol=1e-12, atol=1 / ONE)
    assert third.any()
    assert posts.any() == (deals >= 20)
    assert deals == 1 or rows.adjusted_chips.std() <= rows.mean_chips.std()  # of one deal nothing is sure


def test_adjusted_chips_do_not_depend_on_how_blocks_are_cut(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = held(place, "deals: 120")
    assert len(base.results) == 3
    monkeypatch.setattr("arena.tournament.tournament.block_deals", lambda *_: 7)
    small = held(place, "deals: 120")
    assert len(small.results) == 54
    assert told(small) == told(base)


TOO_FEW = [
    ("stop: {when: ranked, min_deals: 499}", "t.yaml:2:33: stop.min_deals: expected at least 500 for 3 bots"),
    ("stop: {when: ranked, max_deals: 499}", "t.yaml:2:33: stop.max_deals: expected at least 500 deals"),
    ("rank_by: chips\nstop: {when: ranked, min_deals: 100, max_deals: 99}", "t.yaml:3:49: stop.max_deals: expected"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "sentence"), TOO_FEW)
def test_too_few_deals_before_a_look_are_told_with_their_place(place: Path, text: str, sentence: str) -> None:
    with pytest.raises(ArenaError) as caught:
        held(place, text)
    [problem] = caught.value.problems
    assert sentence in str(problem)


def test_more_bots_need_more_deals_before_the_first_look(place: Path) -> None:
    (place / "t.yaml").write_text("bots: bots.py\nstop: {when: ranked}\n")
    spec = load_spec(place / "t.yaml")
    firsts = [with_first_look(spec, bots).stop for bots in (5, 6)]
    assert [stop.min_deals for stop in firsts if stop] == [500, 1000]


def run(place: Path, *arguments: str, text: str = "bots: two.py\n") -> int:
    (place / "t.yaml").write_text(text)
    with pytest.raises(SystemExit) as ended:
        main(["run", "t.yaml", "--trust-bots", *arguments])
    code = ended.value.code or 0
    assert isinstance(code, int)
    return code


CLONES = TWO[: TWO.index("class Half")] + "\nclass Twin(Gap):\n    pass\n"
NOISE = "".join(
    f"class {name}(Bot):\n    def bet(self, turn):\n        return turn.min_bet if turn.uniform() < 0.5 else 0\n\n"
    for name in ("Heads", "Tails")
)


def test_where_the_deals_run_out_it_is_said_who_was_not_resolved(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "noise.py").write_text(f"from arena import Bot\n\n{NOISE}")
    both = "bots: [noise.py, 'two.py:Gap']\nstop: {when: ranked, max_deals: 600}\n"
    assert run(place, text=both) == 0
    out = capsys.readouterr().out
    assert "2 looks; the deals ran out." in out
    assert "Not resolved: Heads and Tails." in out or "Not resolved: Tails and Heads." in out


def test_one_bot_under_two_names_is_resolved_at_the_first_look(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    twice = "bots: [{file: two.py, class: Gap, name: A}, {file: two.py, class: Gap, name: B}]\n"
    assert run(place, "--until", "ranked", text=twice) == 0
    assert "1 look; stopped: the rule is met." in capsys.readouterr().out


def test_clones_by_another_class_might_differ_yet(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (place / "clones.py").write_text(CLONES)
    stop = "stop: {when: ranked, max_deals: 750}\n"
    assert run(place, text="bots: clones.py\n" + stop) == 0
    assert "Not resolved: Gap and Twin" in capsys.readouterr().out


def test_until_half_width_stops_when_every_interval_is_narrow_enough(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(place, "--until", "half_width=30", text="bots: two.py\ndeals: 5\n") == 0
    assert "1 look; stopped: the rule is met." in capsys.readouterr().out
    results = json.loads((place / "reports" / "t" / "results.json").read_text())
    assert results["played"]["deals"] == 500


UNTIL = [
    ("rank", "--until rank: expected ranked, or half_width=CHIPS above 0 such as half_width=5"),
    ("half_width=abc", "--until half_width=abc: expected ranked, or half_width=CHIPS above 0"),
    ("half_width=-3", "--until half_width=-3: expected ranked, or half_width=CHIPS above 0"),
    ("half_width=nan", "--until half_width=nan: expected ranked, or half_width=CHIPS above 0"),
    ("", "--until : expected ranked, or half_width=CHIPS"),
    ("ranked=5", "--until ranked=5: expected ranked, or half_width=CHIPS"),
    ("half_width", "--until half_width: expected ranked, or half_width=CHIPS"),
    ("half_width=", "--until half_width=: expected ranked, or half_width=CHIPS"),
    ("half_width=0", "--until half_width=0: expected ranked, or half_width=CHIPS above 0"),
    ("half_width=inf", "--until half_width=inf: expected ranked, or half_width=CHIPS above 0"),
    ("half_width=[", "--until half_width=[: expected ranked, or half_width=CHIPS above 0"),
]


@pytest.mark.parametrize(("rule", "sentence"), UNTIL)
def test_a_rule_that_is_none_is_one_sentence(
    place: Path, capsys: pytest.CaptureFixture[str], rule: str, sentence: str
) -> None:
    assert run(place, "--until", rule) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert sentence in line
    assert not (place / "reports").exists()


def test_where_wins_rank_a_rule_counts_shares_of_games(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "bots: two.py\nrank_by: wins\n"
    assert run(place, "--until", "half_width=5", text=text) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert (
        "rank_by: wins it is a share of games: expected a number below 1, got 5; write 0.05 for 5 %" in line
    )
    assert run(place, "--until", "half_width=0.3", text=text) == 0
    assert "stopped: the rule is met" in capsys.readouterr().out
    assert "Rule: the interval of every bot is within ± 30 " in (place / "reports/t/report.md").read_text()


def test_deals_and_until_do_not_go_together(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(place, "--until", "ranked", "--deals", "700") == 2
    [line] = capsys.readouterr().err.splitlines()
    assert "--until and --deals do not go together" in line
    assert "--set stop.max_deals=700" in line
    assert run(place, "--until", "ranked", "--set", "deals=700") == 2
    assert "deals and stop are both there" in capsys.readouterr().err


def test_keys_of_stop_go_with_until(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rule = ["--until", "half_width=0.01", "--set", "stop.max_deals=500"]
    assert run(place, *rule, text="bots: two.py\ndeals: 5\n") == 0
    results = json.loads((place / "reports" / "t" / "results.json").read_text())
    assert results["played"]["deals"] == 500


DYING = """
import os
from arena import Bot

class Dying(Bot):
    def bet(self, turn):
        if turn.uniform() < 0.001:
            os._exit(1)
        return turn.max_bet if turn.gap >= 9 else 0
"""


def test_a_bot_that_falls_out_between_looks_leaves_rows_of_default_answers(place: Path) -> None:
    (place / "dying.py").write_text(DYING)
    (place / "t.yaml").write_text(
        "bots: [dying.py, 'two.py:Gap']\ntable: {end: {rounds: 4}}\nstop: {when: half_width, chips: 1, max_deals: 750}\n"
    )
    spec = load_spec(place / "t.yaml")
    entrants: tuple[Entrant, ...] = find_entrants(spec.bots)[0]
    spec = with_first_look(spec, 2)
    out = hold(spec, entrants, spec_lineups(spec, entrants), 1, False, lambda _: None)
    dying = [entrant.name for entrant in entrants].index("Dying")
    assert list(out.out) == [dying]
    assert out.rows.skill is not None
    assert all(result.bets.size for result in out.results)
    [line] = [bot for bot in out.standings.bots if bot.bot == dying]
    assert line.skill is not None
    assert all(point.stake == 0 for point in line.skill.curve)  # it only ever passed


@pytest.mark.parametrize("error", [OSError("handle is closed"), ValueError("bad value(s) in fds_to_keep")])
@pytest.mark.parametrize("is_broken", [True, False])
def test_a_pool_that_breaks_as_a_task_is_sent_is_made_anew_and_other_errors_are_told(
    place: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, is_broken: bool
) -> None:
    text = "rank_by: chips\ndeals: 300"
    whole = held(place, text, bots="two.py")
    pools: list[object] = []

    class Breaking(in_process.Here):
        def submit(self, task: Any, /, *arguments: Any, **_: Any) -> Any:
            if not pools:
                pools.append(self)
                raise error
            if is_broken and self is pools[0]:
                raise BrokenProcessPool
            return super().submit(task, *arguments)

    monkeypatch.setattr(in_process, "Here", Breaking)
    if not is_broken:
        with pytest.raises(type(error), match=re.escape(str(error))):
            held(place, text, bots="two.py")
        return
    again = held(place, text, bots="two.py")
    assert pools
    assert [r.chips.tolist() for r in again.results] == [r.chips.tolist() for r in whole.results]


LATE = """
from arena import Bot

class Late(Bot):
    def bet(self, turn):
        while True:
            pass
"""


def test_a_bot_that_is_out_for_being_late_leaves_a_tournament_that_ends(place: Path) -> None:
    (place / "late.py").write_text(LATE)
    (place / "t.yaml").write_text(
        "bots: [late.py, 'two.py:Gap']\ntable: {end: {rounds: 4}}\ndeals: 120\nlimits: {decision_ms: 1, bank_ms: 0}\n"
    )
    spec = load_spec(place / "t.yaml")
    entrants: tuple[Entrant, ...] = find_entrants(spec.bots)[0]
    out = hold(spec, entrants, spec_lineups(spec, entrants), 1, False, lambda _: None)
    late = [entrant.name for entrant in entrants].index("Late")
    assert out.out == {late: Fault.LATE}
    assert sum(int(result.faults[:, :, Fault.LATE].sum()) for result in out.results) == 240


def falls_out(monkeypatch: pytest.MonkeyPatch, bot: int, deal: int) -> list[int]:
    """Have a bot end in every block with this deal or a later one. Returned: where every block played begins."""
    played: list[int] = []

    class Falling(in_process.Here):
        def submit(self, task: Any, /, *arguments: Any, **_: Any) -> Any:
            if task.__name__ != "play":
                return super().submit(task, *arguments)
            block, out, *_ = arguments
            played.append(block.first_deal)
            if block.first_deal + block.deals > deal and bot in block.lineup and bot not in out:
                done: Future[Any] = Future()
                done.set_result(BotOutError(bot, Fault.DIED))
                return done
            return super().submit(task, *arguments)

    monkeypatch.setattr(in_process, "Here", Falling)
    return played


BOLD = """
from arena import VectorBot

class Bold(VectorBot):
    def bet(self, turns):
        return turns.max_bet

class Timid(VectorBot):
    def bet(self, turns):
        return turns.min_bet
"""


def widest(result: Held) -> list[float]:
    assert result.looks is not None
    return [float(look.bot_half_widths.max()) for look in result.looks.states]


@pytest.mark.parametrize(("rank_by", "most"), [("chips", 1000), ("adjusted", 750)])
def test_all_looks_are_of_the_games_that_are_reported_although_a_bot_fell_out_between_them(
    place: Path, monkeypatch: pytest.MonkeyPatch, rank_by: str, most: int
) -> None:
    text = f"rank_by: {rank_by}\nstop: {{when: half_width, chips: 0.001, max_deals: {most}}}"
    without = held(place, text, bots="two.py")
    played = falls_out(monkeypatch, bot=0, deal=600)
    result = held(place, text, bots="two.py")
    assert played.count(0) == 2  # from the first deal on
    assert result.looks is not None
    least = 500 if rank_by == "adjusted" else 100
    grid = looks(least, most)
    x = result.rows.adjusted_chips if rank_by == "adjusted" else result.rows.mean_chips
    of_rows = [state(x[:deals], RuleHalfWidth(0.001), 0.95, least) for deals in grid]
    assert plain(result.looks.states) == plain(of_rows)
    assert abs(np.array(widest(result)) / widest(without) - 1).min() > 0.02  # not the looks of before


def test_a_rule_that_the_games_played_anew_meet_earlier_stops_there(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (place / "bold.py").write_text(BOLD)
    text = "rank_by: chips\nstop: {when: half_width, chips: 0.001, max_deals: 1000}"
    wild = held(place, text, bots="bold.py")
    before = widest(wild)
    [bold] = [bot.bot for bot in wild.standings.bots if bot.name == "Bold"]
    falls_out(monkeypatch, bold, deal=600)
    after = widest(held(place, text, bots="bold.py"))
    chips = (after[0] + before[1]) / 2
    assert after[0] < chips < before[1]  # at 250 deals after, at 500 before
    result = held(place, text.replace("0.001", repr(chips)), bots="bold.py")
    assert result.looks is not None
    assert deals_of(result.looks.states) == [250]
    assert result.looks.met
    assert len(result.rows.deals) == 250


@pytest.mark.parametrize(("rank_by", "learned"), [("chips", (250, 500, 1000)), ("adjusted", (500, 1000))])
def test_stakes_are_learned_anew_once_twice_the_deals_are_looked_at(
    place: Path, monkeypatch: pytest.MonkeyPatch, rank_by: str, learned: tuple[int, ...]
) -> None:
    sums: list[Any] = []

    def spy(of: Any) -> Any:
        sums.append(of.copy())
        return expected_stakes(of)

    monkeypatch.setattr("arena.tournament.tournament.expected_stakes", spy)
    text = f"rank_by: {rank_by}\nstop: {{when: half_width, chips: 0.001, max_deals: 1250}}"
    result = held(place, text, bots="two.py")
    first = [
        sum(r.until(n).stakes.sum(axis=2) for r in result.results if r.block.first_deal < n) for n in learned
    ]
    assert len(sums) == len(first)
    assert all((found == right).all() for found, right in zip(sums, first, strict=True))
    stakes, rules = expected_stakes(first[-1]), table_rules({"end": {"rounds": 4}})
    luck = np.concatenate([study_block(r, rules, 1, stakes).luck.sum(axis=1) for r in result.results], axis=1)
    assert result.rows.luck is not None
    assert (result.rows.luck == luck).all()  # of every deal, also those before it was learned


def test_a_gauntlet_of_two_bots_who_both_met_each_other_is_ranked(place: Path) -> None:
    text = "deals: 20\nschedule: gauntlet\nagainst: [Gap]"
    assert held(place, text, bots="two.py").standings.is_ranked
    assert not held(place, text).standings.is_ranked  # of three two do not meet
