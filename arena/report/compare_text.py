"""A comparison of runs for the terminal and as Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from tabulate import tabulate

from arena.report import compare_words as words
from arena.report.compare import Comparison, Versus
from arena.report.text import markdown, shorten_all, table, visible, wrap

_NAME = 18  # columns of a name on the terminal


def compare_text(comparison: Comparison, columns: int = 80) -> str:
    """The comparison in so many columns, a part for each run but the first."""
    lines = []
    for run, (label, facts) in enumerate(zip(comparison.labels, comparison.facts, strict=True)):
        first, *rest = wrap(f"{visible(label)}: {facts}", columns - 4)
        lines += [f"{words.letter(run)}   {first}", *("    " + line for line in rest)]
    lines += wrap(words.headline(comparison).replace("*", ""), columns)
    for versus in comparison.versus:
        lines += ["", *_versus_text(comparison, versus, columns)]
    return "\n".join(lines)


def _versus_text(comparison: Comparison, versus: Versus, columns: int) -> list[str]:
    a, b, by = "A", words.letter(versus.run), comparison.by
    sentences = [f"{b} beside A. {words.basis(versus)}", *versus.notes]
    lines = [line for sentence in sentences for line in wrap(visible(sentence), columns)]
    names = shorten_all([visible(bot.name) for bot in versus.bots], _NAME)
    body = [
        [
            name + ("" if bot.is_same_code else " *"),
            *(
                text
                for i in (0, 1)
                for text in (words.mean(bot.means[i], by), words.ranges(bot.ranks and bot.ranks[i]))
            ),
            words.change(bot.change, by),
            words.verdict(bot.change),
        ]
        for name, bot in zip(names, versus.bots, strict=True)
    ]
    head = ["bot", a, "rank", b, "rank", f"change, {b} − {a}", ""]
    lines += [
        "",
        tabulate(body, headers=head, disable_numparse=True, colalign=("left", *["right"] * 5, "left")),
    ]
    if not all(bot.is_same_code for bot in versus.bots):
        lines.append("* other code or parameters")
    lines += ["", *wrap(words.order_sentence(versus), columns)]
    pairs = words.telling_pairs(versus)
    for pair in pairs[: words.MOST_PAIRS]:
        one, other = (names[i] for i in pair.bots)
        text = (
            f"{one} − {other}: {words.lead(pair.leads[0], by)} in {a}, {words.lead(pair.leads[1], by)} in {b}"
        )
        first, *rest = wrap(
            f"{text}; change {words.change(pair.change, by)}: {words.pair_verdict(pair)}", columns - 4
        )
        lines += ["  " + first, *("    " + line for line in rest)]
    if left := words.not_listed(pairs):
        lines.append("  " + left)
    return lines


def compare_markdown(comparison: Comparison) -> str:
    """The comparison as Markdown (GitHub's), one trailing line end."""
    rows = [
        [words.letter(run), markdown(label), facts]
        for run, (label, facts) in enumerate(zip(comparison.labels, comparison.facts, strict=True))
    ]
    parts = ["# Runs compared", table(["", "Run", "Played"], "lll", rows), words.headline(comparison)]
    for versus in comparison.versus:
        parts += _versus_markdown(comparison, versus)
    return "\n\n".join(parts) + "\n"


def _versus_markdown(comparison: Comparison, versus: Versus) -> list[str]:
    b, by = words.letter(versus.run), comparison.by
    rows: list[Sequence[str]] = [
        [
            markdown(bot.name) + ("" if bot.is_same_code else " \\*"),
            *(
                text
                for i in (0, 1)
                for text in (words.mean(bot.means[i], by), words.ranges(bot.ranks and bot.ranks[i]))
            ),
            words.change(bot.change, by),
            words.verdict(bot.change),
        ]
        for bot in versus.bots
    ]
    header = ["Bot", "A", "Rank", b, "Rank", f"Change, {b} − A", ""]
    parts = [
        f"## {b} beside A",
        words.basis(versus),
        "\n".join(f"- {markdown(note)}" for note in versus.notes),
        table(header, "lrrrrrl", rows),
    ]
    if not all(bot.is_same_code for bot in versus.bots):
        parts.append("\\* other code or parameters")
    parts.append(words.order_sentence(versus))
    pairs = words.telling_pairs(versus)
    if pairs:
        names = [markdown(bot.name) for bot in versus.bots]
        lines = [
            [
                f"{names[pair.bots[0]]} − {names[pair.bots[1]]}",
                *(words.lead(at, by) for at in pair.leads),
                words.change(pair.change, by),
                words.pair_verdict(pair),
            ]
            for pair in pairs[: words.MOST_PAIRS]
        ]
        parts.append(table(["Pair", "Lead in A", f"Lead in {b}", "Change", ""], "lrrrl", lines))
    return [*parts, *filter(None, [words.not_listed(pairs)])]
