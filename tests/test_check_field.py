"""Whom a bot meets while it is checked: by deal a sparring partner or a house bot, the same in any batch."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from commands import ended
from tables import short_tables

from arena.bot.entrant import BotSource, Entrant, find_entrants
from arena.bot.harness import Seating
from arena.bot.host import Host, LocalHost
from arena.check.bench import BOT, SEED, Bench
from arena.check.field import Field
from arena.check.named import all_tables, house_bots
from arena.check.repeat import cut
from arena.check.sparring import Sparring
from arena.game.cards import SeededDraws
from arena.game.rules import TableRules
from arena.tournament.blocks import Block, BlockResult
from arena.tournament.executors import code_of
from arena.tournament.match import bot_streams, play_block
from arena.tournament.spec import Limits

ROOT = Path(__file__).parent.parent
WHOLE = Block((0, 1), 0, 60)


def house(*files: str) -> list[Entrant]:
    return list(find_entrants([BotSource(ROOT / "bots" / name) for name in files])[0])


def alone(me: Entrant, other: Entrant | None, rules: TableRules) -> BlockResult:
    """The games of a bot against one other, or a sparring partner, alone."""

    def host(entrant: int, seat: int, tables: int) -> Host:
        bot = me if entrant == BOT else other
        content = "sparring" if bot is None else bot.content
        streams = bot_streams(SEED, content, seat, WHOLE)
        return (
            Sparring(streams)
            if bot is None
            else LocalHost(code_of(bot), Seating(tables, seat, 2, rules), streams)
        )

    return play_block(WHOLE, rules, SeededDraws(SEED, 0, 60), host, 10)


@pytest.mark.parametrize("preset", all_tables())
def test_every_deal_is_the_game_against_its_opponent_alone(preset: str) -> None:
    """One of these watches, one has chance of its own, one is vectorised or not: whatever they need they are given."""
    rules = short_tables()[preset]
    me = house("kelly.py")[0]
    others = house("edge.py", "mood.py", "random_bet.py")
    with Bench(me, Limits(), True, house=others) as bench:
        played = bench.play(rules, [WHOLE])
        parts = bench.play(rules, cut(60))
    assert isinstance(played, list)
    assert isinstance(parts, list)
    games = [alone(me, other, rules) for other in (None, *others)]
    for deal in range(60):
        # half of the deals sparring, the others the house bots in turn
        who = 0 if deal % 2 == 0 else 1 + (deal - 1) // 2 % 3
        assert (played[0].chips[:, deal] == games[who].chips[:, deal]).all(), deal
    differ = 3 if rules.bank == "house" else 4  # against a house one bot hardly meets the other
    assert len({result.chips.tobytes() for result in games}) >= differ, "or it would not matter who it is"
    assert (np.concatenate([part.chips for part in parts], axis=1) == played[0].chips).all()


def test_without_house_bots_all_is_sparring() -> None:
    rules = all_tables()["nepali"]
    [me] = house("edge.py")
    with Bench(me, Limits(), True) as bench:
        played = bench.play(rules, [WHOLE])
    assert isinstance(played, list)
    assert (played[0].chips == alone(me, None, rules).chips).all()


def test_only_who_is_needed_is_made() -> None:
    codes = [code_of(one) for one in house("edge.py", "mood.py")]
    field = Field(codes, all_tables()["nepali"], 2, 0, Block((0, 1), 4, 1), SEED)
    assert list(field._hosts) == [0]


def test_house_bots_are_known_by_their_bytes_and_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bots").mkdir()
    shutil.copy(ROOT / "bots/edge.py", tmp_path / "bots/renamed.py")
    text = (ROOT / "bots/kelly.py").read_text()
    (tmp_path / "bots/kelly.py").write_text(text + "# changed\n")
    monkeypatch.chdir(tmp_path)
    assert [bot.name for bot in house_bots([BotSource(Path("bots"))])] == ["Edge"]
    assert house_bots([BotSource(Path("none"))]) == ()
    code, out, _ = ended(capsys, "check", "Kelly", "--table", "nepali", "--deals", 10, "--trust-bots")
    assert code == 0
    assert "; half of it against 1 house bot)" in out.splitlines()[0]
    _, out, _ = ended(capsys, "check", "Kelly", "--table", "nepali", "--deals", 10, "--trust-bots", "--json")
    assert json.loads(out)[0]["against"] == ["Edge"]
