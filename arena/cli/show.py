"""Commands that print and play nothing: ``bots``, ``rules``, ``scenario``, ``schema``."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from arena.cli.say import say, tell
from arena.errors import ArenaError
from arena.game.rules import DEFAULT_PRESET, preset_file, preset_names

_BOTS = Path("bots")
_set = click.option(
    "--set", "overrides", multiple=True, metavar="KEY=VALUE", help="A rule laid over it, dotted."
)


@click.command(epilog="\b\nExample:\n  arena bots configs/default.yaml\n  arena bots bots/")
@click.argument("where", type=click.Path(path_type=Path), default=_BOTS)
@click.option("--json", "as_json", is_flag=True, help="One JSON array.")
def bots(where: Path, as_json: bool) -> None:
    """List the bots of a tournament file, a folder or a bot file (default: the folder bots).

    They are read, never run. Files that cannot take part are named on standard error, and the exit code is then 1,
    or 2 where no bot is left.
    """
    from tabulate import tabulate

    from arena.bot.entrant import BotSource, find_entrants
    from arena.tournament.spec import load_spec

    if where == _BOTS and not where.exists():
        way_out = "run it where bots/ is, or name a folder, a bot file or a tournament file"
        raise ArenaError(f"there is no folder {where} here; {way_out}")
    sources = load_spec(where).bots if where.suffix in (".yaml", ".yml") else (BotSource(where),)
    entrants, problems = find_entrants(sources)
    if not entrants:
        raise ArenaError(problems or f"no bot in {where}")
    found = sorted(entrants, key=lambda e: e.name)
    if as_json:
        keys = [
            {"name": e.name, "file": str(e.file), "line": e.line, "class": e.class_name, "params": dict(e.params),
             "vector": e.is_vector, "content": e.content}
            for e in found
        ]  # fmt: skip
        click.echo(json.dumps(keys, indent=2, ensure_ascii=False))
    else:
        from arena.report.text import visible

        lines = [
            [
                visible(e.name),
                f"{e.file.name}:{e.line}",
                "vector" if e.is_vector else "scalar",
                e.content[:10],
            ]
            for e in found
        ]
        click.echo(tabulate(lines, headers=["bot", "where", "asked", "content"], disable_numparse=True))
    for problem in problems:
        tell(f"left out: {problem}")
    if problems:
        sys.exit(1)


@click.command(
    epilog="\b\nExamples:\n  arena rules\n  arena rules bicycle\n  arena rules nepali --set post.multiplier=1"
)
@click.argument("preset", required=False)
@_set
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="The rules' keys and values as JSON; without a PRESET, the presets.",
)
def rules(preset: str | None, overrides: tuple[str, ...], as_json: bool) -> None:
    """Say how a table plays, in plain sentences, with our rulings; without a PRESET, name the presets."""
    from arena.game.describe import describe, ruling_notes
    from arena.tournament.spec import load_table

    if preset is None and not overrides:
        titles = {name: preset_file(name)["title"] for name in preset_names()}
        lines = [f"{name:14} {title}" for name, title in titles.items()]
        click.echo(json.dumps(titles, indent=2) if as_json else "\n".join(lines))
        return
    made, table = load_table(preset or DEFAULT_PRESET, overrides)
    if as_json:
        click.echo(json.dumps(made.model_dump(), indent=2))
        return
    name = table.get("preset", DEFAULT_PRESET)
    about = preset_file(name)
    changed = f", with {', '.join(overrides)}" if overrides else ""
    say(f"{about['title']}{changed} (from {about['source']})\n")
    for sentence in describe(made):
        say(f"- {sentence}")
    notes = ruling_notes(name, table)
    if notes:
        click.echo("\nRulings, where the source is silent:")
        for note in notes:
            say(f"- {note}")


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--check", is_flag=True, help="Compare with what each scenario expects; exit 1 if one differs.")
def scenario(file: Path, check: bool) -> None:
    """Play the hands of a scenario file (one JSON object a line; see docs/scenarios.md) and print what happens."""
    from arena.game.scenario import first_difference, play_scenario, read_scenarios

    played = differ = 0
    for scenario in read_scenarios(file):
        played += 1
        try:
            got = play_scenario(scenario)
        except ArenaError as error:
            if not check:
                raise
            differ += 1
            click.echo(str(error))
            continue
        if not check:
            click.echo(json.dumps(got))
            continue
        difference = (
            "nothing is expected" if scenario.expect is None else first_difference(scenario.expect, got)
        )
        if difference is not None:
            differ += 1
            say(f"{scenario.id}: {difference}")
    if check:
        tell(f"{played} scenarios, {differ} differ")
        if differ:
            sys.exit(1)


@click.command()
def schema() -> None:
    """Print the JSON Schema of tournament files, for editors (configs/schema.json is a copy)."""
    from arena.tournament.schema import json_schema

    click.echo(json.dumps(json_schema(), indent=2))
