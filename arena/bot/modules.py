"""What a bot may import: a fixed list, imported before its process is locked; nothing can be read from files after that."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType

MODULES = (
    "abc", "array", "bisect", "cmath", "collections", "contextlib", "copy", "dataclasses", "datetime", "decimal", "enum",
    "fractions", "functools", "hashlib", "heapq", "io", "itertools", "json", "math", "numbers", "numpy", "operator", "os",
    "random", "re", "statistics", "string", "struct", "sys", "textwrap", "time", "traceback", "types", "typing", "warnings",
    "weakref",
)  # fmt: skip
# Parts that these import only as they are first used.
_LATER = (
    "_strptime", "calendar", "collections.abc", "numpy.fft", "numpy.linalg", "numpy.ma", "numpy.polynomial", "numpy.random",
    "unicodedata",
)  # fmt: skip
_CODECS = ("ascii", "latin-1", "cp1252", "utf-16", "utf-32", "utf-8-sig")


def import_all() -> None:
    """Import all that bots may need."""
    for name in (*MODULES, *_LATER):
        importlib.import_module(name)
    for codec in _CODECS:
        "".encode(codec)


class Only:
    """In place of all finders of modules: what is not there yet cannot be had, and the error says what can."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """See ``importlib.abc.MetaPathFinder``. Raises ``ModuleNotFoundError``."""
        listed = ", ".join(MODULES)
        raise ModuleNotFoundError(
            f"a bot cannot import {name}; it may import arena and {listed}, and parts of these", name=name
        )
