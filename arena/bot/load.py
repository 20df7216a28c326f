"""A bot's source made into its class: only ever done where bots may run, in a child or (trusted) in a worker."""

from __future__ import annotations

import linecache
import re
import sys
import traceback
from types import ModuleType
from typing import Any

from arena.bot.api import Bot, VectorBot

_TEXT_CHARS = 1500
_MESSAGE_CHARS = 300
_FRAMES = 5


def load_class(
    source: bytes, file_name: str, class_name: str, module_name: str
) -> type[Bot] | type[VectorBot]:
    """Run a bot's source as a fresh module and give back the class. Raises whatever the source raises."""
    module = ModuleType(module_name)
    module.__file__ = file_name
    sys.modules[module_name] = module  # dataclasses and pickling look a class's module up there
    text = source.decode("utf-8")
    linecache.cache[file_name] = (len(text), None, text.splitlines(keepends=True), file_name)
    exec(compile(source, file_name, "exec", dont_inherit=True), module.__dict__)
    found: Any = getattr(module, class_name)
    if not (isinstance(found, type) and issubclass(found, Bot | VectorBot)):
        raise TypeError(f"{class_name} is no Bot or VectorBot once the file has run")
    return found


def what_happened(error: BaseException, file_name: str) -> str:
    """What the bot's code said, as text: its own last lines and the message, without addresses, capped."""
    lines = []
    for frame in traceback.extract_tb(error.__traceback__):
        if frame.filename == file_name:
            lines.append(f'File "{file_name}", line {frame.lineno}, in {frame.name}')
            if frame.line:
                lines.append(f"    {frame.line}")
    if isinstance(error, SyntaxError):
        lines.append(f'File "{file_name}", line {error.lineno}')
    try:
        message = str(error)
    except BaseException:
        message = "(its message cannot be printed)"
    message = message if len(message) <= _MESSAGE_CHARS else message[:_MESSAGE_CHARS] + " …"
    name = type(error).__name__
    text = "\n".join([*lines[-2 * _FRAMES :], f"{name}: {message}" if message else name])
    return re.sub(r"\b0x[0-9a-fA-F]+", "0x…", text)[:_TEXT_CHARS]
