"""Small tournaments for tests, from bots written as text."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from textwrap import dedent
from typing import Any

from arena.bot.harness import BotCode, Seating
from arena.bot.host import ChildHost, Host, Limits, LocalHost
from arena.bot.server import ChildServer
from arena.game.cards import SeededDraws
from arena.game.rules import TableRules, merge, nest, table_rules
from arena.tournament.blocks import Block, BlockResult
from arena.tournament.match import bot_streams, play_block

HEAD = "import numpy as np\nfrom arena import Bot, VectorBot, Kind\n\n"
GAP8 = """
class Gap8(Bot):
    def bet(self, turn):
        return turn.max_bet if turn.gap >= 8 else 0
"""
GAP = """
class Gap(VectorBot):
    def __init__(self, threshold=8):
        self.threshold = threshold
    def bet(self, turns):
        return np.where(turns.gap >= self.threshold, turns.max_bet, 0)
"""
PASS = """
class Pass(Bot):
    def bet(self, turn):
        return 0
"""


def code(text: str, class_name: str | None = None, **params: Any) -> BotCode:
    """A bot from its class's text; the last class where none is named."""
    source = (HEAD + dedent(text)).encode()
    name = (
        class_name or [line for line in text.splitlines() if line.startswith("class ")][-1][6:].split("(")[0]
    )
    content = hashlib.sha256(source + name.encode() + repr(params).encode()).hexdigest()
    return BotCode(source, f"{name.lower()}.py", name, params, content)


def rules(preset: str = "nepali", **dotted: Any) -> TableRules:
    """A preset's rules with dotted keys (``__`` for the dot) laid over them."""
    table: dict[str, Any] = {"preset": preset}
    for key, value in dotted.items():
        table = merge(table, nest(key.split("__"), value))
    return table_rules(table)


def host_maker(
    codes: Sequence[BotCode],
    table: TableRules,
    block: Block,
    server: ChildServer | None,
    seed: int,
    decision_s: float,
) -> Callable[[int, int, int], Host]:
    def make(entrant: int, seat: int, tables: int) -> Host:
        bot = codes[entrant]
        seating = Seating(tables, seat, len(block.lineup), table)
        streams = bot_streams(seed, bot.content, seat, block)
        if server is None:
            return LocalHost(bot, seating, streams)
        return ChildHost(server, bot, seating, streams, Limits(decision_s, decision_s, 256 << 20))

    return make


def play(
    codes: Sequence[BotCode],
    table: TableRules | None = None,
    *,
    deals: int = 50,
    first_deal: int = 0,
    server: ChildServer | None = None,
    seed: int = 7,
    faults: int = 10,
    decision_s: float = 1.0,
) -> BlockResult:
    """The result of one block in which these bots sit at one table; in this process where there is no server."""
    table = table or rules()
    block = Block(tuple(range(len(codes))), first_deal, deals)
    make = host_maker(codes, table, block, server, seed, decision_s)
    return play_block(block, table, SeededDraws(seed, first_deal, deals), make, faults)


def same(a: BlockResult, b: BlockResult) -> bool:
    """Whether two results hold the same games, answers and faults."""
    arrays = ("chips", "turns", "faults", "bets", "calls")
    return all((getattr(a, n) == getattr(b, n)).all() for n in arrays) and a.first_faults == b.first_faults
