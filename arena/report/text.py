"""How numbers and strangers' words are put into a report: nothing breaks a table, nothing hides."""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from arena.analysis.differences import P_FLOOR
from arena.analysis.intervals import Interval
from arena.wording import plural as plural

_HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}  # controls, bidi overrides, half characters, line ends
_MARKDOWN = re.compile(r"[\\`*\[\]<>|&~$#:@]|(?<=www)\.|(?<![^\W_])_|_(?![^\W_])")
_ALT = re.compile(
    r"[\\`*\[\]<&]|(?<![^\W_])_|_(?![^\W_])"
)  # an image's description is no text: no links, no mentions
_FORMULA = ("=", "+", "-", "@")
_MOST_TIMES = 10_000  # beyond that a ratio of variances is mostly rounding

RANKS_BY = {
    "adjusted": "luck-adjusted chips a game",
    "chips": "chips a game",
    "wins": "percentage points of games won",
}  # in words, the unit of what ranks
UNCORRECTED = "not corrected for stopping"


def visible(text: str) -> str:
    r"""``text`` on one line, with every character that is not seen written as its escape.

    >>> visible("a\nb\u202ec")
    'a\\nb\\u202ec'
    """
    return "".join(_escape(c) if unicodedata.category(c) in _HIDDEN else c for c in text)


def visible_lines(text: str) -> str:
    """``text`` as :func:`visible`, but with its line ends kept and tabs as four spaces."""
    lines = text.replace("\r\n", "\n").replace("\t", "    ").split("\n")
    return "\n".join(visible(line) for line in lines).strip("\n")


def _escape(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")


def markdown(text: str) -> str:
    r"""``text`` as it stands in Markdown, in a table too: no code, emphasis, link, HTML or mention comes
    of it.

    >>> markdown("a|b <i> half_pot _x_")
    'a\\|b \\<i\\> half_pot \\_x\\_'
    """
    return _MARKDOWN.sub(lambda match: "\\" + match.group(), visible(text))


def markdown_alt(text: str) -> str:
    r"""``text`` as it stands between ``![`` and ``]``, escaped no more than that needs: it is read out as it is written
    wherever Markdown is not rendered.

    >>> markdown_alt("standings: 2 of [3] pairs")
    'standings: 2 of \\[3\\] pairs'
    """
    return _ALT.sub(lambda match: "\\" + match.group(), visible(text))


def code_block(text: str) -> str:
    """``text`` between fences longer than any run of backticks in it."""
    text = visible_lines(text)
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return f"{fence}text\n{text}\n{fence}"


def csv_name(name: str) -> str:
    """A name as a spreadsheet may read it: one that begins like a formula gets an apostrophe before it.

    >>> csv_name("=1+1")
    "'=1+1"
    """
    name = visible(name)
    return "'" + name if name.lstrip().startswith(_FORMULA) else name


def width(text: str) -> int:
    """How many columns ``text`` takes on a terminal: wide characters two, combining marks none."""
    marks = {"Mn", "Me"}
    return sum(
        0 if unicodedata.category(c) in marks else 1 + (unicodedata.east_asian_width(c) in "WF") for c in text
    )


def shorten(text: str, columns: int) -> str:
    """``text`` in at most so many columns, its end replaced by ``…`` if need be.

    >>> shorten("threshold", 6)
    'thres…'
    """
    if width(text) <= columns:
        return text
    while text and width(text) >= columns:
        text = text[:-1]
    return text + "…"


def wrap(text: str, columns: int, first: str = "", further: str = "", whole: Sequence[str] = ()) -> list[str]:
    """``text`` in lines of at most so many columns, broken at spaces; a longer word has a line of its own.

    ``first`` and ``further`` stand before the first line and the others, ``whole`` behind the text, never broken.

    >>> wrap("posts 3S QD, gap 8", 11)
    ['posts 3S', 'QD, gap 8']
    >>> wrap("next:", 11, "- ", "  ", ["arena check"])
    ['- next:', '  arena check']
    """
    lines: list[str] = []
    for word in [*text.split(), *whole]:
        if lines and width(lines[-1]) + 1 + width(word) <= columns:
            lines[-1] += " " + word
        else:
            lines.append((further if lines else first) + word)
    return lines


def shorten_all(names: list[str], columns: int) -> list[str]:
    """All of ``names`` in at most so many columns; where two would be alike, the middle is left out."""
    short = [shorten(name, columns) for name in names]
    tail = columns // 2
    return [
        shorten(name, columns - tail) + _last(name, tail) if short.count(s) > 1 and s != name else s
        for name, s in zip(names, short, strict=True)
    ]


def _last(text: str, columns: int) -> str:
    while width(text) > columns:
        text = text[1:]
    return text


def decimals(half_width: float) -> int:
    """How many decimals show two significant digits of ``half_width``, none beyond the point.

    >>> [decimals(h) for h in (345.6, 34.5, 9.96, 3.4, 0.012)]
    [0, 0, 0, 1, 3]
    """
    if half_width == 0:
        return 0
    return min(12, max(0, 1 - int(f"{half_width:.1e}".split("e")[1])))


def decimals_apart(mean: float, half_width: float) -> int:
    """As :func:`decimals`, and more where so rounded an interval that excludes 0 would seem to touch it.

    >>> decimals_apart(2.74, 2.66), decimals_apart(2.74, 1.0), decimals_apart(2.66, 2.74)
    (2, 1, 1)
    """
    places = decimals(half_width)
    while abs(mean) > half_width and places < 12 and number(abs(mean), places) == number(half_width, places):
        places += 1
    return places


def number(value: float, places: int, sign: bool = False) -> str:
    """``value`` with thousands separators, and never ``-0.0`` or ``+0.0``.

    >>> number(-0.04, 1), number(1234.5, 1, sign=True), number(-3.0, 0)
    ('0.0', '+1,234.5', '-3')
    """
    text = f"{value:{'+' if sign else ''},.{places}f}"
    return text.lstrip("+-") if float(text.replace(",", "")) == 0 else text


def chips(interval: Interval) -> str:
    """Net chips a game with the interval: ``+12.3 ± 4.5``; one number on every deal: ``+12 identical``.

    >>> chips(Interval(12.345, 4.56)), chips(Interval(0.0, None, is_identical=True))
    ('+12.3 ± 4.6', '0 identical')
    """
    return _with_half(interval, 1.0, sign=True)


def percent(interval: Interval) -> str:
    """A share with its interval in hundredths, the sign left to the header: ``50.1 ± 1.2``.

    >>> percent(Interval(0.501, 0.0123)), percent(Interval(0.5, None)), percent(Interval(0.5, None, True))
    ('50.1 ± 1.2', '50.0', '50 identical')
    """
    return _with_half(interval, 100.0, sign=False)


def _with_half(interval: Interval, unit: float, sign: bool) -> str:
    mean = interval.mean * unit
    if interval.is_identical:
        return f"{number(mean, 0 if math.isclose(mean, round(mean), abs_tol=1e-9) else 2, sign)} identical"
    if interval.half_width is None:
        return number(mean, 1, sign)
    return plus_minus(mean, interval.half_width * unit, sign)


def rank_range(low: int, high: int) -> str:
    """``2–5``, or ``3`` where the rank is sure."""
    return str(low) if low == high else f"{low}–{high}"


def p_value(p: float) -> str:
    """``p`` with two digits, or that it is below what can be told.

    >>> p_value(0.0312), p_value(1e-9), p_value(1.0)
    ('0.031', '< 1e-9', '1')
    """
    return "< 1e-9" if p <= P_FLOOR else f"{p:.2g}"


def share(value: float) -> str:
    """A plain share in hundredths: ``12.3``."""
    return number(100 * value, 1)


def scale_of(rank_by: str) -> float:
    """What a number in the unit that ranks is multiplied by for a person: shares become hundredths."""
    return 100.0 if rank_by == "wins" else 1.0


def plus_minus(mean: float, half: float, sign: bool = True) -> str:
    """``+12.3 ± 4.5``, with two digits of the half width, or as many as show that the interval excludes 0.

    >>> plus_minus(12.345, 4.56), plus_minus(-0.01, 30.2), plus_minus(2.74, 2.66), plus_minus(-2.66, 2.66)
    ('+12.3 ± 4.6', '0 ± 30', '+2.74 ± 2.66', '-2.7 ± 2.7')
    """
    places = decimals_apart(mean, half)
    return f"{number(mean, places, sign)} ± {number(half, places)}"


def times(value: float) -> str:
    """How many times, with two digits: nobody needs more of a ratio of variances.

    >>> [times(v) for v in (0.87, 5.678, 36.8, 456.7, 3e9)]
    ['0.87', '5.7', '37', '460', '> 10,000']
    """
    if value > _MOST_TIMES:
        return f"> {_MOST_TIMES:,}"
    text = f"{value:.1e}"
    return number(float(text), max(0, 1 - int(text.split("e")[1])))


def column(values: Sequence[float | None], digits: int = 4) -> list[str]:
    """Numbers of one column with the same decimals, so many digits of the greatest; exact zeros as ``0``, None as ``–``.

    >>> column([6.54321, 0.05432, 0.0, None])
    ['6.543', '0.054', '0', '–']
    """
    most = max((abs(v) for v in values if v is not None), default=0.0)
    places = min(6, max(0, digits - 1 - int(f"{most:.3e}".split("e")[1])))
    return ["–" if v is None else number(v, places) if v else "0" for v in values]


def table(header: Sequence[str], align: str, lines: Sequence[Sequence[str]]) -> str:
    """A Markdown table; ``align`` has a letter, l or r, for each column."""
    rule = ["---" if a == "l" else "--:" for a in align]
    return "\n".join("| " + " | ".join(line) + " |" for line in (header, rule, *lines))


def listed(words: Sequence[str], most: int = 10, between: str = ", ") -> str:
    """The first of ``words``, and how many more there are.

    >>> listed(["a", "b", "c"]), listed(["a", "b", "c"], most=2)
    ('a, b, c', 'a, b and 1 more')
    """
    return between.join(words[:most]) + (f" and {len(words) - most:,} more" if len(words) > most else "")


def flat_keys(table: Mapping[str, Any], before: str = "") -> list[tuple[str, str]]:
    """Dotted keys of a table's rules and their values, as ``--set`` takes them."""
    out: list[tuple[str, str]] = []
    for key, value in table.items():
        if isinstance(value, dict):
            out += flat_keys(value, f"{before}{key}.")
        else:
            out.append((before + key, json.dumps(value).strip('"')))
    return out
