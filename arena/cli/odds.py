"""``arena odds``: exact counts and values of two posts, and of a wager before them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from arena.cli.say import say
from arena.errors import ArenaError
from arena.game.rules import DEFAULT_PRESET

if TYPE_CHECKING:
    from arena.game.odds import Odds
    from arena.game.wagers import WagerOdds

_MOST_PACKS = 8


@click.command(
    epilog="\b\nExamples:\n  arena odds 3S QD\n  arena odds 7C 7D --table article --seen 7H,JD,JC\n"
    "  arena odds AS 9H --pot 60 --chips 400\n  arena odds --table red_dog --packs 1..8\n"
    "  arena odds 5S 9D --table red_dog --wager 10"
)
@click.argument("first", required=False)
@click.argument("second", required=False)
@click.option("--table", "preset", metavar="PRESET", help="The table's preset (default: nepali).")
@click.option("--set", "overrides", multiple=True, metavar="KEY=VALUE", help="A rule laid over it, dotted.")
@click.option("--packs", metavar="N or N..N", help="Packs of cards, without posts also several: 1..8.")
@click.option(
    "--seen", default="", metavar="CARDS", help="Other cards seen since the last shuffle: 8C,8D,KH."
)
@click.option("--pot", type=click.IntRange(0), help="Chips in the pot (default: two antes), or the dealer's.")
@click.option("--chips", type=click.IntRange(0), help="The player's chips (default: those of the start).")
@click.option(
    "--wager", type=click.IntRange(1), help="What was wagered before the posts (default: the least)."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON array, a reading or a number of packs each.")
def odds(
    first: str | None,
    second: str | None,
    preset: str | None,
    overrides: tuple[str, ...],
    packs: str | None,
    seen: str,
    pot: int | None,
    chips: int | None,
    wager: int | None,
    as_json: bool,
) -> None:
    """Exact counts, edge and best bet of two posts (cards such as 3S, 10H or QD), the first post first.

    Where an ace or a pair may be called, every call has its line. Without posts, of a table that wagers before them: what
    a wager loses on fresh packs, and where a raise pays.
    """
    from arena.game.cards import parse_card
    from arena.game.odds import hand_odds
    from arena.game.wagers import wager_odds
    from arena.tournament.spec import load_table

    numbers = _packs(packs)
    if first is None:
        if seen or pot is not None or chips is not None or wager is not None:
            raise ArenaError(
                "--seen, --pot, --chips and --wager are for two posts; name these, such as 3S QD"
            )
        made, _ = load_table(preset or DEFAULT_PRESET, overrides)
        _show_wagers([wager_odds(made, n) for n in numbers or [made.deck.packs]], as_json)
        return
    if second is None:
        raise ArenaError(f"expected two posts such as 3S QD, got {first} alone")
    if len(numbers) > 1:
        raise ArenaError(
            "--packs: two posts have one number of packs; several are for a table without posts named"
        )
    overrides = (*overrides, *(f"deck.packs={n}" for n in numbers))
    made, _ = load_table(preset or DEFAULT_PRESET, overrides)
    try:
        posts = parse_card(first), parse_card(second)
        others = [parse_card(text) for text in seen.replace(",", " ").split()]
    except ValueError as error:
        raise ArenaError(str(error)) from None
    _show_readings(hand_odds(made, posts, seen=others, pot=pot, chips=chips, wager=wager), as_json)


def _packs(text: str | None) -> list[int]:
    """``6`` or ``1..8`` as numbers of packs, none where nothing is said. Raises ``ArenaError``."""
    if text is None:
        return []
    ends = text.split("..")
    if len(ends) <= 2 and all(end in map(str, range(1, _MOST_PACKS + 1)) for end in ends):
        least, most = int(ends[0]), int(ends[-1])
        if least <= most:
            return list(range(least, most + 1))
    raise ArenaError(
        f"--packs: expected a number from 1 to {_MOST_PACKS}, or a range such as 1..8, got {text!r}"
    )


def _show_wagers(found: Sequence[WagerOdds], as_json: bool) -> None:
    from tabulate import tabulate

    if as_json:
        click.echo(json.dumps([_wager_json(o) for o in found], indent=2))
        return
    percent = [
        [
            o.packs,
            f"{float(o.house_edge):.3%}",
            str(o.house_edge),
            f"{float(o.risk):.3%}",
            f"{float(o.staked):.4f}",
        ]
        for o in found
    ]
    head = ["packs", "house edge", "exact", "of all staked", "staked a chip"]
    click.echo("A chip wagered, raised by as much wherever that pays, on fresh packs:\n")
    click.echo(tabulate(percent, headers=head, disable_numparse=True, colalign=["right"] * 5))
    for o in found:
        rows = [
            [
                g.gap,
                f"{float(g.chance):.4f}",
                str(g.win),
                f"{g.odds} to 1",
                f"{float(g.edge):+.6f}",
                "raise" * g.is_raised,
            ]
            for g in o.gaps
        ]
        click.echo(f"\nBy gap, {o.packs} {'pack' if o.packs == 1 else 'packs'}:\n")
        head = ["gap", "chance", "wins", "pays", "edge a chip", ""]
        click.echo(tabulate(rows, headers=head, disable_numparse=True, colalign=["right"] * 5 + ["left"]))
        ways = [f"{'three of a kind' if at == 'trips' else f'gap {at}'} {n:,}" for at, n in o.ways.items()]
        rest = o.orders - sum(o.ways.values())
        text = f"Of {o.orders:,} orders of three cards: {', '.join(ways)}, none of these {rest:,}."
        say("\n" + text)


def _wager_json(o: WagerOdds) -> dict[str, Any]:
    gaps = [
        {"gap": g.gap, "chance": str(g.chance), "win": str(g.win), "odds": g.odds, "edge": float(g.edge),
         "edge_exact": str(g.edge), "raise": g.is_raised}
        for g in o.gaps
    ]  # fmt: skip
    return {
        "packs": o.packs, "house_edge": float(o.house_edge), "house_edge_exact": str(o.house_edge),
        "risk": float(o.risk), "staked": float(o.staked), "gaps": gaps, "orders": o.orders, "ways": o.ways,
        "other_ways": o.orders - sum(o.ways.values()),
    }  # fmt: skip


def _show_readings(readings: Sequence[Odds], as_json: bool) -> None:
    from tabulate import tabulate

    if as_json:
        keys = ("kind", "low", "high", "gap", "call", "wins", "hits", "losses", "odds", "multiplier", "min_bet", "max_bet",
                "may_pass", "payment", "paid", "wager", "best_bet", "kelly")  # fmt: skip
        made = [
            {key: getattr(o, key) for key in keys}
            | {
                "edge": float(o.edge),
                "edge_exact": str(o.edge),
                "value_of_best_bet": float(o.value(o.best_bet)),
            }
            for o in readings
        ]
        click.echo(json.dumps(made, indent=2))
        return
    head = ["posts", "win", "hit", "lose", "edge", "Kelly", "best bet", "worth"]
    if readings[0].wager:
        head[-2] = "best raise"
    lines = [_line(o) for o in readings]
    click.echo(tabulate(lines, headers=head, disable_numparse=True, colalign=["left"] + ["right"] * 7))


def _line(o: Odds) -> list[object]:
    """A reading's line of the table."""
    kind = f"gap {o.gap}" if o.kind == "gap" else o.call or o.kind
    what = f"{_rank(o.low)}-{_rank(o.high)}, {kind}"
    if o.paid is not None:
        return [what, "nothing is bet", "", "", "", "", "", f"{o.paid:+d}"]
    best, value = o.best_bet, float(o.value(o.best_bet))
    edge = f"{float(o.edge):+.4f}"
    return [what, o.wins, o.hits, o.losses, edge, f"{o.kelly:.4f}", best, f"{value:+.2f}"]


def _rank(rank: int) -> str:
    from arena.game.cards import RANK_TEXT

    return RANK_TEXT[rank] if rank > 1 else "low A"
