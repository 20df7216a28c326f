"""A secret seed: bound to before play, told with the results, played again to the byte, of no use to who knows another."""

from __future__ import annotations

import hashlib
import importlib
import json
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import ended

from arena.bot.entrant import BotSource, find_entrants
from arena.bot.house import HOUSE, file_hash, outsiders
from arena.cli.seed import KeptSeed
from arena.errors import ArenaError
from arena.game import chance
from arena.report.write import FILES
from arena.tournament.seeds import MAX_SEED, MAX_WRITTEN, commitment, draw_seed, is_drawn, verify_line
from arena.tournament.spec import load_spec, with_secret_seed
from arena.tournament.store import open_store

ROOT = Path(__file__).parent.parent
DEFAULT, HOSTILE = ROOT / "configs" / "default.yaml", ROOT / "tests" / "data" / "known_seed.py"
SEED = 0x5EC2E7 << 100 | 12345  # as if drawn
PASS = "from arena import Bot\n\nclass Pass(Bot):\n    def bet(self, turn):\n        return 0\n"

Arena = Callable[..., tuple[int, str, str]]


@pytest.fixture
def arena(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Arena:
    """Exit code, standard output and standard error of a command."""
    (tmp_path / "edge.py").write_bytes((ROOT / "bots" / "edge.py").read_bytes())
    (tmp_path / "pass.py").write_text(PASS)
    (tmp_path / "t.yaml").write_text("bots: [edge.py, pass.py]\ndeals: 20\nseed: secret\n")
    monkeypatch.chdir(tmp_path)

    def run(*arguments: object) -> tuple[int, str, str]:
        return ended(capsys, *arguments)

    return run


def test_drawn_seeds_have_128_bits_of_the_system_s_and_are_known_from_written_ones() -> None:
    seeds = [draw_seed() for _ in range(400)]
    assert all(MAX_WRITTEN < seed <= MAX_SEED for seed in seeds)
    assert all(is_drawn(seed) for seed in seeds)
    assert not is_drawn(MAX_WRITTEN)
    for bit in range(128):  # each bit is a fair coin: 400 heads or tails have a chance of 2^-399
        assert len({seed >> bit & 1 for seed in seeds}) == 2
    assert len(set(seeds)) == 400


def test_the_commitment_is_what_the_line_beside_it_prints() -> None:
    printed = subprocess.run(
        ["sh", "-c", verify_line(SEED)], capture_output=True, text=True, check=True
    ).stdout
    assert printed.split()[0] == commitment(SEED) == hashlib.sha256(b"%d" % SEED).hexdigest()


def test_the_commitment_comes_before_play_and_the_seed_with_the_results(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_module = importlib.import_module("arena.cli.run")
    hold = run_module.hold

    def held(*arguments: object) -> object:
        print("PLAY BEGINS", file=sys.stderr)
        return hold(*arguments)

    monkeypatch.setattr(run_module, "hold", held)
    code, out, err = arena("run", "t.yaml", "--out", "out", "--trust-bots")
    assert code == 0
    before = err.split("PLAY BEGINS")[0]
    told = re.search(r"seed: secret; the SHA-256 of its digits is ([0-9a-f]{64})\n", before)
    seed = re.search(r"^Seed: ([0-9]{20,39}) ", out, re.M)
    assert told is not None
    assert seed is not None
    assert seed[1] not in err
    assert hashlib.sha256(seed[1].encode()).hexdigest() == told[1]
    results = json.loads((tmp_path / "out/t/results.json").read_text())
    assert results["seed"] == int(seed[1])
    assert results["seed_commitment"] == {
        "digits": seed[1], "sha256": told[1], "verify": f"printf %s {seed[1]} | sha256sum"
    }  # fmt: skip
    report = (tmp_path / "out/t/report.md").read_text()
    assert told[1] in report
    assert f"printf %s {seed[1]} | sha256sum" in report


def test_a_secret_run_is_played_again_to_the_byte_and_two_of_them_differ(
    arena: Arena, tmp_path: Path
) -> None:
    code, out, _ = arena("run", "t.yaml", "--out", "first", "--trust-bots")
    assert code == 0
    seed = json.loads((tmp_path / "first/t/results.json").read_text())["seed"]
    code, again, err = arena("run", "t.yaml", "--out", "again", "--seed", seed)
    assert (code, again) == (0, out)
    assert "SHA-256" not in err
    for name in FILES[:-1]:
        assert (tmp_path / "first/t" / name).read_bytes() == (tmp_path / "again/t" / name).read_bytes()
    ways = [json.loads((tmp_path / run / "t/run.json").read_text())["seed"] for run in ("first", "again")]
    assert ways == ["secret, drawn for this run", "written"]
    arena("run", "t.yaml", "--out", "other", "--trust-bots")
    assert (tmp_path / "other/t/results.json").read_bytes() != (
        tmp_path / "first/t/results.json"
    ).read_bytes()


def test_a_written_seed_has_no_commitment(arena: Arena, tmp_path: Path) -> None:
    code, out, err = arena("run", "t.yaml", "--seed", 7, "--out", "out", "--trust-bots")
    assert code == 0
    assert "ommitment" not in out + err + (tmp_path / "out/t/report.md").read_text()
    assert json.loads((tmp_path / "out/t/results.json").read_text())["seed_commitment"] is None


def test_a_secret_run_cut_short_goes_on_with_its_own_seed_and_the_next_run_has_another(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> object:
        raise KeyboardInterrupt

    drawn = [SEED + n for n in range(5)]
    monkeypatch.setattr("arena.tournament.spec.draw_seed", lambda: drawn.pop(0))
    with monkeypatch.context() as patch:
        patch.setattr(importlib.import_module("arena.cli.run"), "hold", interrupted)
        code, out, err = arena("run", "t.yaml", "--out", "out", "--trust-bots")
    assert (code, out) == (130, "")
    assert "stored with its secret seed" in err
    assert commitment(SEED) in err
    assert str(SEED) not in err
    assert not (tmp_path / "out" / "t").exists()
    seeds = []
    for bound in (SEED, SEED + 2, SEED + 4):
        fresh = ["--fresh"] if bound == SEED + 4 else []
        if fresh:
            with monkeypatch.context() as patch:
                patch.setattr(importlib.import_module("arena.cli.run"), "hold", interrupted)
                assert arena("run", "t.yaml", "--out", "out", "--trust-bots")[0] == 130
        code, out, err = arena("run", "t.yaml", "--out", "out", "--trust-bots", *fresh)
        assert code == 0
        assert commitment(bound) in err
        seeds.append(json.loads((tmp_path / "out/t/results.json").read_text())["seed"])
    assert seeds == [SEED, SEED + 2, SEED + 4]
    store = sqlite3.connect(tmp_path / "out/.store/t.sqlite")
    assert store.execute("SELECT key FROM meta").fetchall() == []
    store.close()


@pytest.mark.parametrize("seed", [str(SEED)[:-1] + "0", "seed", "", "١"])
def test_a_kept_seed_that_is_not_the_one_bound_to_is_not_played_with(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: str
) -> None:
    def interrupted(*_: object) -> object:
        raise KeyboardInterrupt

    drawn = [SEED + n for n in range(3)]
    monkeypatch.setattr("arena.tournament.spec.draw_seed", lambda: drawn.pop(0))
    command = ("run", "t.yaml", "--out", "out", "--trust-bots")
    with monkeypatch.context() as patch:
        patch.setattr(importlib.import_module("arena.cli.run"), "hold", interrupted)
        assert arena(*command)[0] == 130
    store = sqlite3.connect(tmp_path / "out/.store/t.sqlite")
    store.execute("UPDATE meta SET value = ? WHERE key = 'secret_seed'", (seed,))
    store.commit()
    store.close()
    assert arena(*command, "--dry-run")[0] == 0
    code, _, err = arena(*command)
    assert code == 0
    assert "that of the run that was cut short is damaged" in err
    assert json.loads((tmp_path / "out/t/results.json").read_text())["seed"] == SEED + 2


@pytest.mark.parametrize("moment", range(5))
def test_a_seed_that_was_told_plays_no_new_game_although_a_run_was_killed_as_it_drew_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: int
) -> None:
    (tmp_path / "pass.py").write_text(PASS)
    (tmp_path / "t.yaml").write_text("bots: pass.py\nseed: 5\n")
    spec = load_spec(tmp_path / "t.yaml")
    old, new, last = (with_secret_seed(spec) for _ in range(3))
    with open_store(tmp_path, "t", print) as store:
        seeds = KeptSeed(store)
        seeds.take(old, lambda _: False)
        seeds.is_told(old)
        put, left = store.put, [moment]

        def killed(key: str, value: str | None) -> None:
            if not left[0]:
                raise KeyboardInterrupt
            left[0] -= 1
            put(key, value)

        with monkeypatch.context() as patch:
            patch.setattr(store, "put", killed)
            with pytest.raises(KeyboardInterrupt):
                seeds.take(new, lambda _: False)
        assert KeptSeed(store).take(last, lambda _: False).seed == last.seed


def test_a_run_whose_seed_was_told_before_its_report_failed_writes_it_the_next_time_and_plays_no_more(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> object:
        raise ArenaError("no room for the report")

    drawn = [SEED + n for n in range(4)]
    monkeypatch.setattr("arena.tournament.spec.draw_seed", lambda: drawn.pop(0))
    command = ("run", "t.yaml", "--out", "out", "--trust-bots")

    def failed() -> int:
        with monkeypatch.context() as patch:
            patch.setattr("arena.report.write.write_report", full)
            code, out, err = arena(*command)
        assert (code, "no room for the report" in err) == (2, True)
        return int(re.search(r"^Seed: ([0-9]+) ", out, re.M)[1])  # type: ignore[index]

    assert failed() == SEED
    code, _, err = arena(*command)
    assert code == 0
    assert "0 of 40 games are new" in err
    assert "goes on with its own" in err
    assert json.loads((tmp_path / "out/t/results.json").read_text())["seed"] == SEED
    assert failed() == SEED + 2
    (tmp_path / "pass.py").write_text(PASS + "\n# knows the seed\n")
    code, _, err = arena(*command)
    assert code == 0
    assert f"with --seed {SEED + 2}" in err
    assert json.loads((tmp_path / "out/t/results.json").read_text())["seed"] == SEED + 3


def test_a_duel_may_have_a_secret_seed_with_and_without_a_file(arena: Arena) -> None:
    for more in ((), ("--config", "t.yaml")):
        code, out, err = arena("duel", "edge.py", "pass.py", "--seed", "secret", "--trust-bots", *more)
        assert code == 0
        seed = re.search(r"^Seed: ([0-9]+) ", out, re.M)
        assert seed is not None
        assert hashlib.sha256(seed[1].encode()).hexdigest() in err
    code, out, _ = arena("duel", "edge.py", "pass.py", "--seed", SEED, "--trust-bots", "--json")
    assert json.loads(out)["seed_commitment"]["sha256"] == commitment(SEED)


@pytest.mark.parametrize("seed", ["Secret", "-1", "1.5", "", MAX_SEED + 1, "1" * 5000, "١"])
def test_a_wrong_seed_is_named(arena: Arena, seed: object) -> None:
    code, out, err = arena("run", "t.yaml", f"--seed={seed}")
    assert (code, out) == (2, "")
    assert f"expected a whole number from 0 to {MAX_SEED}, or secret, got" in err


def test_a_dry_run_of_a_balanced_schedule_says_that_its_lineups_are_an_example(arena: Arena) -> None:
    balanced = ("--set", "schedule=balanced", "--set", "lineups=1", "--dry-run")
    assert "an example" in arena("run", "t.yaml", *balanced)[1]
    assert "an example" not in arena("run", "t.yaml", *balanced, "--seed", 1)[1]


# ---- who is told that a written seed can be guessed


def test_the_list_of_house_files_is_what_lies_in_bots() -> None:
    """Where this is red write these into ``arena/bot/house.py``."""
    assert sorted(HOUSE) == sorted(file_hash(path.read_bytes()) for path in (ROOT / "bots").rglob("*.py"))


def test_a_house_bot_is_known_by_its_bytes_wherever_it_lies(tmp_path: Path) -> None:
    source = (ROOT / "bots" / "edge.py").read_bytes()
    (tmp_path / "renamed.py").write_bytes(source)
    (tmp_path / "edge.py").write_bytes(
        source.replace(b"> 0", b"> 1e-9").replace(b"class Edge", b"class Other")
    )
    entrants, problems = find_entrants([BotSource(tmp_path)])
    assert not problems
    assert [entrant.name for entrant in outsiders(entrants)] == ["Other"]


@pytest.mark.parametrize(
    ("arguments", "is_said"),
    [
        (("--seed", 7), True),
        ((), False),  # secret
        (("--seed", 7, "--trust-bots"), False),  # every one is the user's own
        (("--seed", 7, "--set", f"bots={json.dumps(str(ROOT / 'bots'))}", "--set", "deals=1"), False),
    ],
)
def test_bots_from_outside_the_house_and_a_written_seed_are_named_in_one_line(
    arena: Arena, monkeypatch: pytest.MonkeyPatch, arguments: tuple[object, ...], is_said: bool
) -> None:
    def interrupted(*_: object) -> object:
        raise KeyboardInterrupt

    monkeypatch.setattr(importlib.import_module("arena.cli.run"), "hold", interrupted)
    _, _, err = arena("run", "t.yaml", "--out", "out", *arguments)
    lines = [line for line in err.splitlines() if "house roster" in line]
    assert len(lines) == is_said
    assert all("Pass is not" in line and "--seed secret" in line and "Edge" not in line for line in lines)


# ---- what a known seed is worth


def test_the_hostile_bot_s_own_arithmetic_is_the_arena_s() -> None:
    names: dict[str, object] = {}
    exec(HOSTILE.read_text(), names)
    for message in (b"", b"abc", bytes(range(128))):
        assert names["blake2b"](message) == hashlib.blake2b(message).digest()  # type: ignore[operator]
    keys = chance.deal_keys("cards", 20261129, 0, 20)
    assert [names["deal_key"](20261129, deal) for deal in range(20)] == keys.tolist()  # type: ignore[operator]


def _difference(arena: Arena, folder: Path, *arguments: object) -> tuple[float, float]:
    """Chips a game by which the bot that knows a seed is ahead of its honest twin, and the interval's half width."""
    bots = json.dumps([f"{HOSTILE}:KnownSeed", f"{HOSTILE}:Honest", str(ROOT / "bots" / "gap.py") + ":Gap8"])
    over = (
        f"bots={bots}",
        "rank_by=chips",
        "confidence=0.9999",
    )  # luck removed would remove what knowing is worth
    code, _, err = arena(
        "run", DEFAULT, "--out", folder, "--deals", 200, *(x for o in over for x in ("--set", o)), *arguments
    )
    assert code == 0, err
    found = json.loads((folder / "default/results.json").read_text())
    assert all(not bot["faults"] for bot in found["bots"]), found["bots"]
    names = [bot["name"] for bot in found["bots"]]
    pair = next(p for p in found["pairs"] if {names[i] for i in p["bots"]} == {"KnownSeed", "Honest"})
    sign = 1 if names[pair["bots"][0]] == "KnownSeed" else -1
    return sign * pair["difference"], pair["half_width"]


TRUST = [
    pytest.param(("--trust-bots",), id="trusted"),
    pytest.param(("--workers", 1), id="in processes", marks=pytest.mark.slow),
]


@pytest.mark.parametrize("trust", TRUST)
def test_who_knows_the_seed_of_the_default_file_wins_hugely(
    arena: Arena, tmp_path: Path, trust: tuple[object, ...]
) -> None:
    ahead, half = _difference(arena, tmp_path / "out", *trust)
    assert (
        ahead - half > 100
    )  # a game starts with 1,000 chips; the honest twin wins 25 a game from the house roster


@pytest.mark.parametrize("trust", TRUST)
def test_under_a_secret_seed_it_gains_nothing(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trust: tuple[object, ...]
) -> None:
    monkeypatch.setattr(
        "arena.tournament.spec.draw_seed", lambda: SEED
    )  # so that the test is always the same one
    ahead, half = _difference(arena, tmp_path / "out", "--seed", "secret", *trust)
    assert abs(ahead) <= half
    assert half < 5
