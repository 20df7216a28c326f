"""How numbers and strangers' words are put into a report: nothing breaks a table, nothing hides."""

from __future__ import annotations

import math
import re
import unicodedata

from arena.analysis.differences import P_FLOOR
from arena.analysis.intervals import Interval

_HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}  # controls, bidi overrides, half characters, line ends
_MARKDOWN = re.compile(r"[\\`*\[\]<>|&~$#:@]|(?<=www)\.|(?<![^\W_])_|_(?![^\W_])")
_FORMULA = ("=", "+", "-", "@")


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
    half = interval.half_width * unit
    places = decimals(half)
    return f"{number(mean, places, sign)} ± {number(half, places)}"


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


def plural(count: int, one: str, many: str | None = None) -> str:
    """``1 game``, ``1,234 games``."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"
