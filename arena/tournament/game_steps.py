"""A game told again as plain data, from stored answers: cards follow from seed and deal, so no bot is asked.

:func:`game_steps` gives what JSON can hold. ``steps`` are in order, ``what`` says what each is:

- ``ante``: ``round``, ``dealer`` (a seat), ``paid`` (pairs of seat and chips), ``is_again`` (the pot was taken).
- ``deal``: ``round``, ``dealer``: a round begins at a table without a pot.
- ``turn``: ``round``, ``dealer``, ``seat``, ``posts`` (two cards), ``low``, ``high``, ``kind``, ``gap``; ``aces`` and
  ``call`` as called, ``choice`` (cards above and below a pair, where that was asked), ``is_call_fault``; where one came
  before the posts, ``wager``, its limits ``min_wager`` and ``max_wager``, the ``best_wager``, what it ``wager_lost`` against
  that, and ``is_wager_fault``; ``asked``, ``bet`` (what was staked, on top of a wager), ``is_bet_fault``; ``third``,
  ``result`` (``win``, ``hit``, ``loss``, ``push``: the wager came back, ``pass``, ``paid``, ``skip``), ``delta``;
  ``is_shuffled``, ``is_out``, ``is_dealer_out`` (whose chips were the bank).
- ``end``: ``reason``, ``shares`` (pairs of seat and chips of the last pot).

Every step has ``chips`` by seat and the ``pot`` as they were after it. At a house's table ``pot`` is what the house has won
so far, below 0 if it paid more; at a dealer's it is 0, and the dealer's own chips pay. So all chips together are always the
same.
``asked``, where a bet was: ``pot`` (what the bank could pay; null of a house, which pays all), ``chips``,
``min_bet``, ``max_bet``, the unseen cards that ``wins``, ``hits`` and ``losses``, the exact ``best`` bet and its
``best_worth``, the ``worth`` of the bet that was made (expected chips, caps and a wager included), and what it ``lost``: the
difference less what comes back with the pot, as the report's *lost* (``analysis.skill``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from arena.analysis.skill import grades_of
from arena.analysis.terms import terms_of
from arena.analysis.wager_skill import wager_grades
from arena.bot.turns import KIND_NAMES
from arena.errors import ArenaError
from arena.game.cards import SeededDraws
from arena.game.engine import Engine
from arena.game.odds import Call, Kind, Odds
from arena.game.questions import Question
from arena.game.rules import TableRules
from arena.game.scenario import event_dict
from arena.game.tables import Bools, Ints
from arena.tournament.blocks import BlockResult, seat_of
from arena.tournament.match import Retold

FORMAT = 3
# 1: the first. 2: house and dealer (`bank`, `deal`, `dealer`, wagers, pushes); `asked.pot` is null of a house.
# 3: `best_wager` and `wager_lost`.
_CALLS: tuple[Call | None, ...] = (None, "higher", "lower")  # of 0, 1 and −1

Json = dict[str, Any]


def game_steps(
    result: BlockResult, rules: TableRules, seed: int, names: Sequence[str], deal: int, rotation: int
) -> Json:
    """The game of one deal and rotation; ``names`` are those of the block's positions.

    ``deal``, ``rotation``, ``bank``, ``bots`` by seat, ``start_chips``, ``steps`` (see the module), ``chips`` and ``net`` by
    seat.
    Raises ``ArenaError`` where these rules and this seed do not lead to the chips that were stored.
    """
    k, at = len(result.block.lineup), deal - result.block.first_deal
    seats = [seat_of(rotation, position, k) for position in range(k)]
    teller = _Teller(rules, k, result, at, rotation)
    teller.engine = engine = Engine(rules, k, 1, SeededDraws(seed, deal, 1), teller, observer=teller)
    engine.play()
    if [int(engine.chips[seat, 0]) for seat in seats] != result.chips[rotation, at].tolist():
        raise ArenaError(
            f"deal {deal:,}: the stored answers do not lead to the chips stored with them: they were played by another "
            "version or at another table; arena run with --fresh plays them anew"
        )
    by_seat = dict(zip(seats, names, strict=True))
    return {
        "format": FORMAT,
        "deal": deal,
        "rotation": rotation,
        "bank": rules.bank,
        "bots": [by_seat[seat] for seat in range(k)],
        "start_chips": rules.chips,
        "steps": teller.steps,
        "chips": teller.chips,
        "net": [chips - rules.chips for chips in teller.chips],
    }


class _Teller(Retold):
    """Gives one game's kept answers again, and writes down what happens: player and observer in one."""

    engine: Engine

    def __init__(self, rules: TableRules, seats: int, result: BlockResult, at: int, rotation: int) -> None:
        super().__init__(result, rotation, slice(at, at + 1))
        self.steps: list[Json] = []
        self.chips, self.pot = [rules.chips] * seats, 0
        self._rules, self._round = rules, 0  # the round whose beginning was told, where no antes tell it
        self._turn = _nothing_yet()

    # ---- what is asked

    def _answer(self, question: Question) -> tuple[Bools, Bools | None]:
        calls, faulty = self._call(question)
        self._turn["is_call_fault"] |= faulty is not None
        return calls, faulty

    def call_ace(self, question: Question) -> tuple[Bools, Bools | None]:
        """The call that is kept."""
        return self._answer(question)

    def call_pair(self, question: Question) -> tuple[Bools, Bools | None]:
        """The call that is kept."""
        self._turn["choice"] = {"higher": int(question.wins[0]), "lower": int(question.losses[0])}
        return self._answer(question)

    def wager(self, question: Question) -> tuple[Ints, Bools | None]:
        """The wager that is kept, graded; 0 is the least."""
        wagers, faulty = super().wager(question)
        grades = wager_grades(question, wagers)
        least, most = int(question.min_bet[0]), int(question.max_bet[0])
        self._turn |= {"wager": int(wagers[0]) or least, "min_wager": least, "max_wager": most}
        self._turn |= {"best_wager": int(grades.best_stake[0]), "wager_lost": float(grades.lost[0])}
        self._turn["is_wager_fault"] = faulty is not None
        return wagers, faulty

    def bet(self, question: Question) -> tuple[Ints, Bools | None]:
        """The bet that is kept, graded."""
        bets, faulty = super().bet(question)
        self._turn |= _graded(question, bets) | {"is_bet_fault": faulty is not None}
        return bets, faulty

    # ---- what happens

    def note(self, event: str, rows: Ints, columns: dict[str, Any]) -> None:
        """Take in what the engine tells of its one table, seat by seat where there are several."""
        for i in range(len(rows)):
            got = event_dict(event, {key: value[i].item() for key, value in columns.items()})
            self._take(event, got)

    def _take(self, event: str, got: Json) -> None:
        if event == "ante":
            self._open_antes()["paid"].append([got["seat"], got["pay"]])
            self._move(got["seat"], -got["pay"])
        elif event == "shuffle":
            self._turn["is_shuffled"] = True
        elif event == "ace":
            self._turn["aces"].append(got["call"])
        elif event == "posts":
            self._open_round()
            self._turn |= {key: got[key] for key in ("seat", "kind", "low", "high", "gap")}
            self._turn |= {"round": self.engine.round, "dealer": self._dealer(), "posts": got["cards"]}
        elif event == "call":
            self._turn["call"] = got["call"]
        elif event == "third":
            self._turn |= {"third": got["card"], "result": got["result"]}
            if got["result"] == "push":
                self._end_turn(got["seat"], "push", 0)
        elif event == "pass" and self._turn["wager"] is not None:  # no raise: the wager plays on
            pass
        elif event in ("pay", "pass", "skip"):
            self._end_turn(got["seat"], event, got.get("delta", 0))
        elif event == "out" and self.steps[-1]["what"] == "turn":
            last = self.steps[-1]
            last["is_out" if got["seat"] == last["seat"] else "is_dealer_out"] = True
        elif event == "end":
            self.steps.append({"what": "end", "reason": got["reason"], "shares": []})
            self._move(0, 0)
        elif event == "share":
            self.steps[-1]["shares"].append([got["seat"], got["amount"]])
            self._move(got["seat"], got["amount"])

    def _end_turn(self, seat: int, event: str, delta: int) -> None:
        """One of these ends every turn."""
        turn = self._turn | {"delta": delta}
        has_wager = turn["wager"] is not None
        if has_wager and turn["kind"] == "pair":  # one for a third card of its rank
            turn["kind"] = "trips"
        if turn["result"] is None:
            turn["result"] = "paid" if event == "pay" else "push" if has_wager else event
        self.steps.append(turn)
        self._turn = _nothing_yet()
        self._move(seat, delta, turn["dealer"] if self._rules.bank == "dealer" else None)

    def _open_round(self) -> None:
        """A step for the round that begins with this turn, where there are no antes to tell it."""
        now = self.engine.round
        if self._rules.bank != "pot" and now > self._round:
            self._round = now
            self.steps.append({"what": "deal", "round": now, "dealer": self._dealer()})
            self._move(0, 0)

    def _dealer(self) -> int:
        return int(self.engine.dealer[0])

    def _open_antes(self) -> Json:
        """The step of the antes that are being paid."""
        now, last = self.engine.round, self.steps[-1] if self.steps else {}
        if last.get("what") != "ante" or last["round"] != now:
            dealer, is_again = self._dealer(), last.get("round") == now
            self.steps.append(
                {"what": "ante", "round": now, "dealer": dealer, "is_again": is_again, "paid": []}
            )
        return self.steps[-1]

    def _move(self, seat: int, chips: int, dealer: int | None = None) -> None:
        """Chips go from the pot or the house, or from a dealer, to a seat (negative: the other way)."""
        self.chips = [*self.chips]
        self.chips[seat] += chips
        if dealer is None:
            self.pot -= chips
        else:
            self.chips[dealer] -= chips
        self.steps[-1] |= {"chips": self.chips, "pot": self.pot}


def _nothing_yet() -> Json:
    """A turn before anything has happened in it."""
    nothing = dict.fromkeys(
        (
            "call",
            "choice",
            "wager",
            "min_wager",
            "max_wager",
            "best_wager",
            "wager_lost",
            "asked",
            "bet",
            "third",
            "result",
        )
    )
    faults = ("is_call_fault", "is_wager_fault", "is_bet_fault")
    no = dict.fromkeys((*faults, "is_shuffled", "is_out", "is_dealer_out"), False)
    return {"what": "turn", "aces": [], **nothing, **no}


def _graded(question: Question, bets: Ints) -> Json:
    """What one player was asked, and what the stake was worth beside the best."""
    terms = terms_of(question)
    stake, zero = int(terms.stakes(bets)[0]), int(terms.zero[0])
    kind, call = KIND_NAMES[int(question.kind[0])], _CALLS[int(question.call[0])]
    counts: dict[str, Any] = {name: int(getattr(question, name)[0]) for name in ("wins", "hits", "losses")}
    limits: dict[str, Any] = {
        name: int(getattr(question, name)[0]) for name in ("pot", "chips", "min_bet", "max_bet")
    }
    odds = Odds(
        cast(Kind, kind),
        int(question.low[0]),
        int(question.high[0]),
        call,
        odds=int(terms.odds[0]),
        multiplier=int(terms.multiplier[0]),
        may_pass=zero == 0,
        payment=int(terms.paid[0]),
        wager=int(terms.base[0]),
        **counts,
        **limits,
    )
    best = odds.best_bet
    if question.tables.rules.bank == "house":
        limits["pot"] = None
    worths = {"best": best, "best_worth": float(odds.value(best)), "worth": float(odds.value(stake))}
    lost = float(grades_of(question, bets).lost[0])
    # the kind once more: the posts are told before a pair is known to be one for a third card of its rank
    return {"kind": kind, "asked": {**limits, **counts, **worths, "lost": lost}, "bet": stake}
