"""Where a bot is tried: a tournament's own processes and engine, at any table, against sparring partners and house bots."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, Self

from arena.bot.entrant import Entrant
from arena.bot.harness import Seating
from arena.bot.host import ChildHost, Host, LocalHost
from arena.bot.seat import BotOutError
from arena.bot.server import ChildServer, ServerLostError
from arena.check.field import Field
from arena.errors import CannotRunError
from arena.game.cards import SeededDraws
from arena.game.rules import TableRules
from arena.tournament.blocks import Block, BlockResult
from arena.tournament.executors import code_of, limits_of
from arena.tournament.match import bot_streams, play_block
from arena.tournament.spec import Limits

SEED = 1
BOT, OTHER = 0, 1  # places in the lineup
SEATS = 2
_Wrap = Callable[[Host], Host]


class _Heard(ChildHost):
    """A bot in a process of its own; what it printed is kept as it closes."""

    def __init__(self, bench: Bench, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._bench = bench

    def close(self) -> None:
        """See ``arena.bot.host.Host``."""
        self._bench.output = self._bench.output or self.output
        super().close()


class Bench:
    """A bot with its limits, and the servers its processes come from, started as they are needed.

    Servers differ in where things lie in memory and in how text is hashed: what an answer must not depend on.
    A context: its processes end with it. ``is_trusted``: the bot plays in this process. ``house`` are house bots to
    play against.
    """

    def __init__(
        self,
        entrant: Entrant,
        limits: Limits,
        is_trusted: bool,
        trusted_host: type[LocalHost] = LocalHost,
        house: Sequence[Entrant] = (),
    ) -> None:
        self.entrant, self.limits, self.is_trusted = entrant, limits, is_trusted
        self._code, self._house = code_of(entrant), house
        self._trusted_host = trusted_host
        self._servers: dict[int, ChildServer] = {}
        self.output = ""  # what the first process that printed anything had printed

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for server in self._servers.values():
            server.close()

    def host(
        self,
        rules: TableRules,
        seats: int,
        seat: int,
        block: Block,
        server: int = 0,
        is_watched: bool = False,
    ) -> Host:
        """The bot at a seat, in a new process of the server of this number (the number is how it hashes text)."""
        seating = Seating(block.deals, seat, seats, rules)
        streams = bot_streams(SEED, self._code.content, seat, block)
        if self.is_trusted:
            return self._trusted_host(self._code, seating, streams)
        if server not in self._servers:
            self._servers[server] = ChildServer(hash_seed=server)
        limits = limits_of(self.limits)
        return _Heard(self, self._servers[server], self._code, seating, streams, limits, is_watched)

    def play(
        self,
        rules: TableRules,
        blocks: Sequence[Block],
        server: int = 0,
        wrap: _Wrap = lambda host: host,
        is_watched: bool = False,
    ) -> list[BlockResult] | BotOutError:
        """The bot's games at both seats of a table of two, block by block; or why it can be asked no more.

        ``wrap`` may put something round each host of the bot; ``is_watched`` as in ``ChildHost``. Raises ``CannotRunError``.
        """

        def make_host(entrant: int, seat: int, tables: int) -> Host:
            if entrant == BOT:
                return wrap(self.host(rules, SEATS, seat, block, server, is_watched))
            house = [code_of(one) for one in self._house if rules.bank in one.plays]
            return Field(house, rules, SEATS, seat, block, SEED)

        results = []
        try:
            for block in blocks:
                draws = SeededDraws(SEED, block.first_deal, block.deals)
                results.append(play_block(block, rules, draws, make_host, self.limits.faults))
        except BotOutError as out:
            return out
        except ServerLostError as error:
            raise CannotRunError(
                f"the server of bots' processes ended ({error}); is there memory left? Try again"
            ) from None
        return results
