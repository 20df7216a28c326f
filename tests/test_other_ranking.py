"""The ranking by the other goal: games won beside chips, chips beside games won."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest
from commands import ended
from scipy.stats import studentized_range

from arena.report.html import charts_of, report_html
from arena.report.results import read_results
from arena.report.section_other import other_sentence
from arena.tournament.other_ranking import other_ranking


def test_means_leads_and_ranges_are_those_of_the_studentized_range() -> None:
    x = np.random.default_rng(5).normal([0.0, 2.0, 0.1], 1.0, (200, 3))
    found = other_ranking(x, "chips", 0.9)
    assert found is not None
    order = np.argsort(-x.mean(axis=0)).tolist()
    assert [line.place for line in found.lines] == order
    assert order[0] == 1
    quantile = studentized_range.ppf(0.9, 3, 199) / np.sqrt(2)
    for line in found.lines[1:]:
        d = x[:, 1] - x[:, line.place]
        half = quantile * d.std(ddof=1) / np.sqrt(200)
        assert (line.behind, line.half_width) == (pytest.approx(d.mean()), pytest.approx(half, rel=1e-6))
        assert line.is_separated == (abs(d.mean()) > half)
    assert [(line.rank, line.rank_low, line.rank_high) for line in found.lines] == [
        (1, 1, 1),
        (2, 2, 3),
        (3, 2, 3),
    ]
    first = found.lines[0]
    assert (first.behind, first.half_width, first.is_separated) == (0, None, False)


def test_few_bots_deals_or_differences_give_no_interval() -> None:
    assert other_ranking(np.ones((9, 1)), "wins", 0.95) is None
    one = other_ranking(np.array([[0.0, 1.0]]), "wins", 0.95)
    assert one is not None
    assert [(line.place, line.half_width, line.is_separated) for line in one.lines] == [
        (1, None, False),
        (0, None, False),
    ]
    same = other_ranking(np.full((50, 2), 0.5), "wins", 0.95)
    assert same is not None
    assert [(line.rank, line.rank_high, line.half_width) for line in same.lines] == [
        (1, 2, None),
        (1, 2, None),
    ]
    wide = other_ranking(np.array([[0.0, 1.0], [1.0, 0.0]]), "wins", 0.95)
    assert wide is not None
    assert wide.lines[1].half_width is None, "shares cannot differ by more than all"


def test_bots_with_one_mean_are_first_together() -> None:
    rows = np.array([[0.0, 1.0, 1.0, 0.5], [1.0, 1.0, 1.0, 0.5]] * 30)

    def said(x: np.ndarray, rank_by: str = "adjusted") -> str:
        found = other_ranking(x, "wins", 0.95)
        assert found is not None
        return other_sentence(asdict(found), "ABCD"[: x.shape[1]], rank_by, 0.95, False)

    assert "By games won B and C are first, level with one another: ahead of A by 50 ± " in said(rows)
    assert ", separated from all others." in said(rows)
    assert said(rows[:, [1, 1, 1]]).endswith("By games won A, B and C are level."), (
        "no interval, none to hold"
    )
    assert said(rows[:1]).endswith("not separated from D, A."), "one deal: no interval either"
    assert "Intervals hold for all pairs at once at 95 %." in said(rows)
    assert "By games won A is first: ahead of B by " in said(rows[:, [1, 0]])
    assert said(rows, "wins").startswith("The standings go by games won; ")


BOTS = """
from arena import Bot


class Grabs(Bot):
    "Few chips in most games, all of them in some."

    def bet(self, turn):
        return turn.max_bet if turn.gap >= 5 else 0


class Waits(Bot):
    def bet(self, turn):
        return turn.max_bet // 2 if turn.gap >= 9 else 0
"""


def test_a_report_has_both_goals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bots.py").write_text(BOTS)
    Path("t.yaml").write_text("bots: bots.py\ndeals: 30\n")
    says = {}
    for by, other in (("chips", "wins"), ("wins", "adjusted")):
        code, _, err = ended(
            capsys, "run", "t.yaml", "--set", f"rank_by={by}", "--trust-bots", "--workers", "1"
        )
        assert code == 0, err
        results = json.loads(Path("reports/t/results.json").read_text())
        found, bots = results["other_ranking"], results["bots"]
        assert found["rank_by"] == other
        for line in found["lines"]:
            bot = bots[line["place"]]
            assert line["mean"] == pytest.approx(
                (bot["win_share"] if other == "wins" else bot["adjusted"])["mean"]
            )
        first, last = found["lines"]
        assert last["behind"] == pytest.approx(first["mean"] - last["mean"])
        names = [bots[line["place"]]["name"] for line in found["lines"]]
        text = Path("reports/t/report.md").read_text()
        page = report_html(read_results(Path("reports/t")), charts_of(results)).decode()
        title = {"wins": "By games won", "adjusted": "By luck-adjusted chips"}[other]
        assert f"## {title}\n" in text
        assert f"<caption>{title}</caption>" in page
        says[other] = text.split(f"## {title}\n\n")[1].split("\n\n")[0]
        goal = "games won" if other == "wins" else "chips"
        assert f"By {goal} {names[0]} is first: ahead of {names[1]} by " in says[other]
        assert says[other] in page
        assert ("not separated from" in says[other]) == (not last["is_separated"])
