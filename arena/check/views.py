"""Views at the edge: what hardly ever comes up in a few hundred deals, and would be the first fault of a long tournament.

Every pair of posts, at a table of eight, in the first round and the last, with one chip and a pot that is all the others'
chips, with all chips, with a pot of one chip, and with a single card unseen. One turn each, played by the engine. Where the
dealer is the bank his chips stand for the pot's; a house's chips stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from arena.bot.faults import Fault
from arena.bot.seat import BotOutError, Seat
from arena.check.bench import BOT, Bench
from arena.check.decisions import decision_of
from arena.check.ended import Asked, out_finding, where
from arena.check.findings import Finding, Kind
from arena.game import cards as c
from arena.game.engine import Engine
from arena.game.questions import Question, TurnOver
from arena.game.rules import TableRules
from arena.game.tables import Bools, Ints, Masks
from arena.tournament.blocks import Block

SEATS, SEAT = 8, 7  # the last to play as seat 0 deals and play goes to the left
_RANKS = 13
_POSTS = _RANKS * _RANKS
_LATE_ROUND = 50  # where rounds have no limit

# What each view does to the table at ``rows``, the bot's seat being SEAT.
_View = Callable[[Engine, Any], None]


def _bank(engine: Engine, rows: Any, chips: int) -> None:
    """Put so many chips where wins are paid from; seat 0 deals."""
    if engine.rules.bank == "pot":
        engine.pot[rows] = chips
    elif engine.rules.bank == "dealer":
        engine.chips[0, rows] = chips


def _one_chip(engine: Engine, rows: Any) -> None:
    engine.chips[SEAT, rows] = 1
    _bank(engine, rows, (SEATS - 1) * engine.rules.chips)


def _all_in_the_pot(engine: Engine, rows: Any) -> None:
    engine.chips[:SEAT, rows] = 1
    _bank(engine, rows, (SEATS - 1) * (engine.rules.chips - 1))


def _pot_of_one(engine: Engine, rows: Any) -> None:
    _bank(engine, rows, 1)


def _all_chips(engine: Engine, rows: Any) -> None:
    engine.chips[:SEAT, rows] = 1
    engine.chips[SEAT, rows] = (SEATS - 1) * engine.rules.chips
    _bank(engine, rows, SEATS * engine.rules.ante.amount)


def _last_card(engine: Engine, rows: Any) -> None:
    """Both posts and one more card are all that is unseen before the posts."""
    first, second = _posts(np.arange(_POSTS))
    third = (first + second + 7) % 52
    clash = (third == first) | (third == second)
    third = np.where(clash, (third + 11) % 52, third)
    _bank(engine, rows, SEATS * engine.rules.ante.amount)
    bits = c.bit(np.stack([first, second, third]))
    engine.unseen[:, rows] = 0
    engine.unseen[0, rows] = np.bitwise_or.reduce(bits)


VIEWS: dict[str, _View] = {
    "one chip beside a huge pot": _one_chip,
    "a pot that holds nearly all chips": _all_in_the_pot,
    "a pot of one chip": _pot_of_one,
    "nearly all chips in hand": _all_chips,
    "the last unseen card": _last_card,
}


def _posts(index: Ints) -> tuple[Ints, Ints]:
    """First and second card of a view: every pair of ranks, of two suits."""
    return index // _RANKS % _RANKS * 4, index % _RANKS * 4 + 1


class _Script:
    """Posts as the views have them; the third card is the first that is unseen."""

    def draw(self, round: int, place: int, which: int, rows: Any, unseen: Masks) -> tuple[Any, Ints]:
        """See ``arena.game.cards.CardSource``."""
        if which == c.THIRD_CARD:
            pack = (unseen != 0).argmax(axis=0)
            some = unseen[pack, np.arange(unseen.shape[1])]
            return pack, np.bitwise_count((some & (~some + np.uint64(1))) - np.uint64(1)).astype(np.int64)
        card = _posts(np.arange(len(VIEWS) * _POSTS)[rows])[which]
        return np.zeros_like(card), card

    def cut(self, attempt: int, seat: int, rows: Ints, unseen: Masks) -> tuple[Any, Ints]:
        """Nobody cuts: the game is under way."""
        raise AssertionError("a view began a game")


class _Asking:
    """The engine's player: the bot at its seat; each kind of question is kept."""

    def __init__(self, seat: Seat) -> None:
        self._seat = seat
        self.asked: dict[int, Question] = {}

    def call_ace(self, question: Question) -> tuple[Bools, Bools | None]:
        self.asked[question.what] = question
        return self._seat.call(question, question.what)

    call_pair = call_ace

    def bet(self, question: Question) -> tuple[Ints, Bools | None]:
        self.asked[question.what] = question
        return self._seat.bet(question, question.what)

    wager = bet


def edge_views(bench: Bench, preset: str, rules: TableRules) -> list[Finding]:
    """Faults on views at the edge of what a table can show."""
    out: list[Finding] = []
    for round in (1, rules.end.rounds or _LATE_ROUND):
        out += _turn(bench, preset, rules, round)
    return out


def _turn(
    bench: Bench, preset: str, rules: TableRules, round: int, is_watched: bool = False
) -> list[Finding]:
    tables = len(VIEWS) * _POSTS
    host = Asked(bench.host(rules, SEATS, SEAT, Block(tuple(range(SEATS)), 0, tables), is_watched=is_watched))
    try:
        seat = Seat(host, tables, limit=1 << 30, entrant=BOT)
        asking = _Asking(seat)
        engine = _engine(rules, round, asking)
        if seat.watches:
            engine.on_turn_over = lambda turn: _show(seat, turn, engine)
        engine.turn(_place(engine))
    except BotOutError as out:
        if out.kind == Fault.DIED and not is_watched:
            return _turn(bench, preset, rules, round, is_watched=True) or [out_finding(preset, out, _AT_EDGE)]
        return [out_finding(preset, out, _AT_EDGE, where(preset, None, SEAT, out, host))]
    finally:
        host.close()
    return _faults(preset, round, seat, asking)


_AT_EDGE = " on views at the edge (eight seats)"
_WATCHED = 9  # no question


def _show(seat: Seat, turn: TurnOver, engine: Engine) -> None:
    seat.watch(turn, engine, _WATCHED)


def _engine(rules: TableRules, round: int, asking: _Asking) -> Engine:
    engine = Engine(rules, SEATS, len(VIEWS) * _POSTS, _Script(), asking)
    engine.round = round
    for k, change in enumerate(VIEWS.values()):
        change(engine, slice(k * _POSTS, (k + 1) * _POSTS))
    return engine


def _place(engine: Engine) -> int:
    """The place in the round of the bot's seat; seat 0 deals."""
    return next(place for place in range(SEATS) if (engine.step * (place + 1)) % SEATS == SEAT)


def _faults(preset: str, round: int, seat: Seat, asking: _Asking) -> list[Finding]:
    _, kinds, counts = seat.fault_counts()
    total = np.bincount(kinds, counts, len(Fault)).astype(int)
    out = []
    for kind, first in sorted(seat.first.items()):
        label, view = Fault(kind).label, list(VIEWS)[first.row // _POSTS]
        question = asking.asked.get(first.step)
        at, decision = f"preset {preset}, round {round}, seat {SEAT}", None
        if question is not None:
            decision = decision_of(preset, None, question, int(np.flatnonzero(question.rows == first.row)[0]))
            at = str(decision)
        if kind == Fault.INIT and total[kind] == len(VIEWS) * _POSTS:
            sentence = f"preset {preset}: it cannot be made or started at a table of {SEATS}"
            return [Finding(Kind.NOT_HERE, sentence, preset, text=first.text, label=f"{SEATS} seats")]
        views = len(VIEWS) * _POSTS
        sentence = f"{label}, {total[kind]:,} on {views:,} views at the edge, first with {view}: {at}"
        out.append(Finding(Kind.EDGE, sentence, preset, decision, text=first.text, label=label))
    return out
