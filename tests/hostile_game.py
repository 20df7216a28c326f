"""A hostile bot hosted by the arena's own means: its process or the worker, its seat, a block of games."""

from __future__ import annotations

import hashlib
from functools import cache
from typing import Any

import numpy as np
from hostile_lab import Hostile, Outcome
from playing import rules

from arena.bot.confine import Layers
from arena.bot.faults import Fault
from arena.bot.harness import Answers, BotCode, Seating
from arena.bot.host import ChildHost, Host, Limits, LocalHost
from arena.bot.seat import BotOutError
from arena.bot.server import ChildServer
from arena.game.cards import SeededDraws
from arena.game.questions import ASK_BET, Question
from arena.tournament.blocks import Block
from arena.tournament.match import bot_streams, play_block

PASS = """
import time
from arena import Bot

class Pass(Bot):
    def __init__(self, nap_s=0.0):
        self.nap_s = nap_s

    def bet(self, turn):
        time.sleep(self.nap_s)
        return 0
"""


def _code(source: bytes, name: str, params: dict[str, Any]) -> BotCode:
    content = hashlib.sha256(source + name.encode()).hexdigest()
    return BotCode(source, f"{name.lower()}.py", name, params, content)


class _Spy:
    """A host that counts what the bot behind it answers."""

    def __init__(self, host: Host, outcome: Outcome) -> None:
        self._host, self._outcome = host, outcome
        self.start, self.asked = host.start, host.asked
        outcome.asked += 1

    @property
    def is_over(self) -> Fault | None:
        return self._host.is_over

    def ask(self, question: Question) -> Answers:
        answers = self._host.ask(question)
        if question.what == ASK_BET:
            good = (
                (answers.values >= question.min_bet)
                & (answers.values <= question.max_bet)
                & (answers.values > 0)
            )
            if answers.codes is not None:
                good &= answers.codes == 0
            self._outcome.bets += int(good.sum())
        return answers

    def watch(self, turn: Any, tables: Any) -> Answers:
        return self._host.watch(turn, tables)

    def close(self) -> None:
        self._host.close()


def host(bot: Hostile, task: dict[str, Any], place: dict[str, Any], outcome: Outcome) -> None:
    """Play ``bot`` at a table with one that passes, in both seats, and fill in what came of it."""
    table = rules(end__rounds=task.get("rounds", 3))
    block = Block((0, 1), 0, task.get("deals", 2))
    params = (
        {**place, "tell": bool(task.get("tell"))} if bot.is_intrusion and bot.expect == "harmless" else {}
    )
    code = _code(bot.path.read_bytes(), bot.class_name, {**params, **task.get("params", {})})
    passes = _code(PASS.encode(), "Pass", {"nap_s": 0.03 if bot.name == "ponder" else 0.0})
    server = _server(task["layers"])
    limits = Limits(task.get("decision_s", 1.0), task.get("bank_s", 1.0), 96 << 20)

    def make(entrant: int, seat: int, tables: int) -> Host:
        one = passes if entrant else code
        seating = Seating(tables, seat, 2, table)
        streams = bot_streams(5, one.content, seat, block)
        if entrant or server is None:
            made: Host = LocalHost(one, seating, streams)
        else:
            made = ChildHost(server, one, seating, streams, limits)
        return made if entrant else _Spy(made, outcome)

    draws = SeededDraws(5, block.first_deal, block.deals)
    try:
        result = play_block(block, table, draws, make, faults=10)
    except BotOutError as found:
        outcome.out = found.kind.name
        return
    outcome.bets = max(outcome.bets, int(np.count_nonzero(result.bets)))
    outcome.games = [result.chips.tolist(), result.bets.tolist()]
    counted = result.faults[:, 0].sum(axis=0)
    outcome.faults = {Fault(kind).name: int(counted[kind]) for kind in np.flatnonzero(counted)}
    for (_, position, kind), fault in sorted(result.first_faults.items()):
        if position == 0:
            outcome.told.setdefault(Fault(kind).name, fault.text)


@cache
def _server(layers: str) -> ChildServer | None:
    """The server of bots' processes under these locks, one for all of them; None where bots are trusted."""
    return None if layers == "trusted" else ChildServer(Layers.of(layers))
