"""Answers to what players ask: exact ones by hand counts, measured ones on games whose truth is known."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import playing
import pytest
from commands import ended

from arena.analysis.answers import counting_prices, leader_turns, ratio_interval
from arena.analysis.skill import grades_of
from arena.game.answers import ace_answer, gap_answers, pair_answers
from arena.game.cards import SeededDraws
from arena.game.engine import Engine
from arena.game.rules import preset_names
from arena.report.past_run import past_run
from arena.report.section_answers import gaps_sentence, pairs_sentence, table_answers
from arena.tournament.answers import run_answers
from arena.tournament.match import Retold

F = Fraction


def test_eight_pays_and_seven_breaks_even_where_a_post_costs_two_bets() -> None:
    """Of 50 unseen cards 4 a rank lie between; three are left of each post's rank; the others lose."""
    found = {a.gap: a for a in gap_answers(playing.rules())}
    assert sorted(found) == list(range(1, 13))
    for gap in range(1, 12):
        wins, hits = 4 * gap, 6
        losses = 50 - wins - hits
        assert (found[gap].wins, found[gap].hits, found[gap].losses) == (wins, hits, losses)
        assert found[gap].edge == F(wins - losses - 2 * hits, 50)
    assert (found[12].wins, found[12].hits, found[12].losses) == (48, 2, 0)  # a low ace and a high one
    assert found[7].edge == 0
    assert [gap for gap, at in found.items() if at.pays] == [8, 9, 10, 11, 12]


def test_where_a_post_costs_one_bet_seven_pays_and_without_low_aces_eleven_is_the_widest() -> None:
    found = {a.gap: a for a in gap_answers(playing.rules("bicycle"))}
    assert found[7].edge == F(28 - 16 - 6, 50)
    assert max(found) == 11
    assert 0 not in found
    assert 0 in {a.gap for a in gap_answers(playing.rules(consecutive="bet"))}


def test_a_pair_is_called_for_its_wider_side_and_eights_are_passed() -> None:
    """Two cards of the pair's rank are left, which cost double; four of every other rank."""
    found = {a.rank: a for a in pair_answers(playing.rules())}
    for rank in range(3, 14):
        above, below = 4 * (14 - rank), 4 * (rank - 2)
        assert found[rank].higher == F(above - below - 4, 50)
        assert found[rank].lower == F(below - above - 4, 50)
    assert (found[2].lower, found[14].higher) == (None, None)
    assert [found[rank].best for rank in (2, 7, 8, 9, 14)] == ["higher", "higher", "pass", "lower", "lower"]
    assert pair_answers(playing.rules(pair__rule="pass")) == ()


def test_trips_are_answered_as_bets_on_a_third_card() -> None:
    found = {a.rank: a for a in pair_answers(playing.rules("denexa_house"))}
    assert found[5].trips == F(2 * 25 - 48, 50)  # 25 to 1
    assert found[5].best == "bet"


def test_a_first_ace_is_worth_the_same_low_and_high_where_the_second_is_high_and_pairs_are_bet_on() -> None:
    """By hand: of 51 cards four of each rank make a gap of 0 to 11; three aces a gap of 12, or a pair called lower.

    Low: sum over gaps 8 to 11 of 4 · edge, and 3 · 22/25. High: the same gaps, and the pair: 48 win, 2 hit: 22/25 too.
    """
    found = ace_answer(playing.rules())
    assert found is not None
    by_hand = (
        20 * (4 * (F(4, 25) + F(8, 25) + F(12, 25) + F(16, 25)) + 3 * F(22, 25)) / 51
    )  # the pot of two antes is bet
    assert (found.low, found.high) == (by_hand, by_hand)
    assert found.best == "either"
    no_pairs = ace_answer(playing.rules(pair__rule="pass"))
    assert no_pairs is not None
    assert no_pairs.best == "low"  # two aces are then a hand only if the first is low
    assert ace_answer(playing.rules("bicycle")) is None


@pytest.mark.parametrize("preset", [name for name in preset_names() if name != "red_dog"])
def test_every_table_is_answered_in_sentences(preset: str) -> None:
    found = {a.key: a.text for a in table_answers(playing.rules(preset))}
    assert {"gaps", "stakes"} <= set(found)
    assert all(text.endswith(".") for text in found.values())


def test_where_a_wager_stands_it_is_asked_what_it_is_worth_and_when_to_raise() -> None:
    """Red Dog of one pack loses 3.155 % of a wager (Wizard of Odds); seven ranks between are the first with 28 to win of 50.

    Pairs are played by themselves and aces are high, so nothing is said of them.
    """
    found = {a.key: a for a in table_answers(playing.rules("red_dog"))}
    assert set(found) == {"wager", "gaps"}
    assert found["wager"].text.startswith(
        "The least, for most chips on average: a chip wagered is worth -0.03155 chips"
    )
    assert found["gaps"].question == "On which gaps to raise?"
    assert found["gaps"].text.startswith("From 7 ranks on: 7: +0.12, 8: +0.28")
    assert "Narrower ones cost chips: 6: -0.04, 5: -0.20, 4: -0.36, 3: -0.28" in found["gaps"].text
    fixed = {a.key for a in table_answers(playing.rules("red_dog", bet__raise="none"))}
    assert fixed == {"wager"}
    low = {a.key for a in table_answers(playing.rules("red_dog", ace__first="choose"))}
    assert low == {"gaps"}


def test_gaps_that_pay_on_both_sides_of_others_are_named_one_by_one() -> None:
    rules = playing.rules("red_dog", payouts={1: 30, 2: 1})
    assert gaps_sentence(gap_answers(rules)).startswith("On gaps of 1: +1.48, 7: +0.12")  # 30·4 − 46 of 50
    assert "Others cost chips: 6: -0.04" in gaps_sentence(gap_answers(rules))


def test_sentences_say_what_the_odds_are() -> None:
    rules = playing.rules()
    assert gaps_sentence(gap_answers(rules)).startswith("From 8 ranks on: 8: +0.16, 9: +0.32, 10: +0.48")
    assert "A gap of 7 breaks exactly even." in gaps_sentence(gap_answers(rules))
    assert pairs_sentence(pair_answers(rules)) == (
        "Call higher on 2–7 (+0.08 to +0.88 a chip); call lower on 9–A (+0.08 to +0.88 a chip); pass on 8 (-0.08 a chip)."
    )
    assert gaps_sentence(gap_answers(playing.rules(post__multiplier=40))).startswith("None.")


class _Each(Retold):
    """Replays a block and hands every bet question on."""

    def __init__(self, result, rotation, see) -> None:
        super().__init__(result, rotation)
        self._see = see

    def bet(self, question):
        self._see(question)
        return super().bet(question)


def questions(rules, see, deals: int = 60) -> None:
    """Every bet question of games between a bold bot and one that bets eights."""
    bold = "class Bold(Bot):\n    def bet(self, turn):\n        return turn.max_bet if turn.gap >= 5 else 0\n"
    result = playing.play([playing.code(bold), playing.code(playing.GAP8)], rules, deals=deals)
    for rotation in range(2):
        Engine(rules, 2, deals, SeededDraws(7, 0, deals), _Each(result, rotation, see)).play()


def test_who_does_not_count_loses_nothing_from_a_fresh_pack_and_never_gains() -> None:
    shuffled = playing.rules(deck__shuffle="each_turn")
    questions(shuffled, lambda q: (counting_prices(q) == 0).all() or pytest.fail("fresh packs"))
    prices: list[float] = []
    questions(playing.rules(), lambda q: prices.extend(counting_prices(q).tolist()))
    assert min(prices) >= 0
    assert max(prices) > 5


def test_the_price_of_not_counting_is_the_loss_of_the_fresh_pack_rule() -> None:
    """At nepali the rule is: all on a gap of 8 or more, and on pairs but eights; a gap of 7 is as good as a pass."""

    def check(question) -> None:
        # where fresh packs say even, as on sevens, neither is wrong by them: the bet may be either
        span = question.high - question.low - 1
        on_pair = (question.call > 0) & (question.low <= 7) | (question.call < 0) & (question.low >= 9)
        rule = np.where(np.where(question.kind == 0, span >= 8, on_pair), question.max_bet, 0)
        expected = grades_of(question, rule).lost
        even = (question.kind == 0) & (span == 7)
        assert counting_prices(question)[~even] == pytest.approx(expected[~even])

    questions(playing.rules(), check)


def best_stake(question):
    return grades_of(question, np.zeros(len(question.rows), dtype=np.int64)).best_stake


def wp_by_hand(question, row: int, stake: int) -> float:
    """The chance of winning a game of two on the dealer's last turn: the pot is halved, an odd chip goes to the other."""
    mine, other = (
        int(question.tables.chips[seat, question.rows[row]]) for seat in (question.seat, 1 - question.seat)
    )
    pot = int(question.pot[row])

    def share(change: int) -> float:
        left = pot - change
        if mine + change == 0:
            return 0.0
        ends = mine + change + left // 2, other + left - left // 2
        return 1.0 if ends[0] > ends[1] else 0.5 if ends[0] == ends[1] else 0.0

    if stake == 0:
        return share(0)
    cards = [int(x[row]) for x in (question.wins, question.losses, question.hits)]
    moves = [stake, -stake, -min(2 * stake, mine)]
    return sum(n * share(move) for n, move in zip(cards, moves, strict=True)) / sum(cards)


def test_leaders_last_turns_are_those_of_the_last_player_with_more_chips_and_a_paying_bet() -> None:
    seen: list[tuple[int, int, float, float]] = []

    def check(question) -> None:
        found = leader_turns(question)
        for i, row in enumerate(found.rows):
            chips = question.tables.chips[:, question.rows[row]]
            assert chips[question.seat] > chips[1 - question.seat]
            passed, bet = (wp_by_hand(question, row, stake) for stake in (0, best_stake(question)[row]))
            assert found.gain[i] == pytest.approx(passed - bet)
            seen.append((question.round, question.place, found.gain[i], found.cost[i]))

    questions(playing.rules(), check, deals=200)
    assert len(seen) > 10
    assert {(round, place) for round, place, _, _ in seen} == {(10, 1)}
    assert all(-1 <= gain <= 1 and cost > 0 for _, _, gain, cost in seen)
    assert sum(gain for _, _, gain, _ in seen) > 0  # at the end a lead is worth more than chips
    none: list[int] = []
    no_pass = playing.rules(bet__may_pass=False)
    questions(no_pass, lambda q: none.extend(leader_turns(q).rows.tolist()))
    assert none == []


def test_a_ratio_s_interval_holds_as_often_as_it_says() -> None:
    rng = np.random.default_rng(3)
    held = 0
    for _ in range(2000):
        luck = rng.normal(size=80)
        counts = rng.poisson(np.exp(0.3 * luck) * 2)
        sums = 0.4 * counts + rng.normal(0, 1, 80) * np.sqrt(counts)
        found = ratio_interval(sums.astype(float), counts.astype(float), 0.9)
        held += found.low <= 0.4 <= found.high  # type: ignore[union-attr, operator]
    assert 0.87 < held / 2000 < 0.92
    assert ratio_interval(np.zeros(3), np.zeros(3), 0.9) is None


def test_answers_are_the_same_however_deals_were_cut_and_stand_in_the_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bots").mkdir()
    for n in (6, 8):
        text = playing.HEAD + playing.GAP.replace("Gap", f"Gap{n}").replace("=8", f"={n}")
        (tmp_path / f"bots/gap{n}.py").write_text(text)
    (tmp_path / "t.yaml").write_text("bots: bots\ndeals: 90\n")
    arguments = ["run", "t.yaml", "--trust-bots"]
    assert ended(capsys, *arguments)[0] == 0
    report = (tmp_path / "reports/t/report.md").read_text()
    assert "## What players ask" in report
    for question in (
        "Which gaps pay?",
        "Is counting worth it?",
        "Does the seat matter?",
        "A first ace: low or high?",
    ):
        assert f"- **{question}** " in report
    past = past_run("t", tmp_path / "reports")
    whole = run_answers(past.held(), past.spec.table, past.spec.seed, 0.95)
    assert whole.deals == 90
    assert ended(capsys, *arguments, "--fresh", "--deals", 40)[0] == 0
    assert ended(capsys, *arguments)[0] == 0  # 40 deals and 50 more
    assert (tmp_path / "reports/t/report.md").read_text() == report
