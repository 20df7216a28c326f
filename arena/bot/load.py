"""A bot's source made into its class: only ever done where bots may run, in a child or (trusted) in a worker."""

from __future__ import annotations

import linecache
import re
import sys
import traceback
from types import ModuleType
from typing import Any

from arena.bot.api import Bot, VectorBot

TEXT_BYTES = 1500
_MESSAGE_CHARS = 500
_FRAMES = 5


def load_class(source: bytes, file_name: str, class_name: str, content: str) -> type[Bot] | type[VectorBot]:
    """Run a bot's source as a fresh module and give back the class. Raises whatever the source raises."""
    place = _place(file_name, content)
    module = ModuleType(f"bot_{content[:16]}")
    module.__file__ = file_name
    sys.modules[module.__name__] = module  # dataclasses and pickling look a class's module up there
    text = source.decode("utf-8")
    linecache.cache[place] = (len(text), None, text.splitlines(keepends=True), place)
    exec(compile(source, place, "exec", dont_inherit=True), module.__dict__)
    found: Any = getattr(module, class_name)
    if not (isinstance(found, type) and issubclass(found, Bot | VectorBot)):
        raise TypeError(f"{class_name} is no Bot or VectorBot once the file has run")
    return found


def _place(file_name: str, content: str) -> str:
    """What code is compiled as: two bots' files may have one name."""
    return f"{content[:16]}/{file_name}"


def what_happened(error: BaseException, file_name: str, content: str) -> str:
    """What the bot's code said, as text: its own last lines and the message, without addresses, capped.

    An exception is a stranger's object too: if reading it goes wrong, that is what is said.
    """
    try:
        return clean(re.sub(r"\b0x[0-9a-fA-F]+", "0x…", _told(error, file_name, _place(file_name, content))))
    except BaseException:
        return "an exception that cannot be read"


def _told(error: BaseException, file_name: str, place: str) -> str:
    lines = []
    for frame in traceback.extract_tb(error.__traceback__):
        if frame.filename == place:
            lines.append(f'File "{file_name}", line {frame.lineno}, in {frame.name}')
            if frame.line:
                lines.append(f"    {frame.line}")
    if isinstance(error, SyntaxError):
        lines.append(f'File "{file_name}", line {error.lineno}')
    try:
        message = str.__str__(str(error))
    except BaseException:
        message = "(its message cannot be printed)"
    message = message if len(message) <= _MESSAGE_CHARS else message[:_MESSAGE_CHARS] + " …"
    name = type(error).__name__
    return "\n".join([*lines[-2 * _FRAMES :], f"{name}: {message}" if message else name])


def clean(text: str) -> str:
    """Text that survives the way to a report: no lone surrogates, and no longer than is worth reading."""
    raw = text.encode("utf-8", "backslashreplace")[:TEXT_BYTES]
    return raw.decode("utf-8", "ignore")
