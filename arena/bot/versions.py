"""Versions of submitted bots, told by file name alone: ``wide@2.py`` is the second file submitted as ``wide.py``.

Of several versions in a folder the latest plays. An earlier one does too where a file ``wide@1.kept`` stands beside it. So
one new file puts a version in play and the one before out of it, at one instant.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

_FILE = re.compile(r"(?P<stem>[^@]+)@(?P<number>[1-9][0-9]{0,5})\.py", re.ASCII)
_VERSION = re.compile(r"@[1-9][0-9]{0,5}$", re.ASCII)


class Version(NamedTuple):
    """A submitted file's name taken apart."""

    stem: str
    number: int

    @property
    def file_name(self) -> str:
        """``wide@2.py``."""
        return f"{self.stem}@{self.number}.py"

    @property
    def kept_name(self) -> str:
        """The name of the empty file that keeps it in play beside later ones: ``wide@2.kept``."""
        return f"{self.stem}@{self.number}.kept"


def version_of(file_name: str) -> Version | None:
    """The version that a file name tells, None where it tells none.

    >>> version_of("wide@2.py"), version_of("wide.py")
    (Version(stem='wide', number=2), None)
    """
    match = _FILE.fullmatch(file_name)
    return Version(match["stem"], int(match["number"])) if match else None


def unversioned(name: str) -> str:
    """What a bot is called in its file, of the name it plays under.

    >>> unversioned("Wide@2"), unversioned("Wide")
    ('Wide', 'Wide')
    """
    return _VERSION.sub("", name)


def superseded(file_names: Iterable[str]) -> set[str]:
    """Which files of a folder are out of play, a later version being there.

    >>> sorted(superseded(["a@1.py", "a@2.py", "a@2.kept", "a@3.py", "b.py", "b@1.py"]))
    ['a@1.py']
    """
    names = set(file_names)
    versions = [version for name in names if (version := version_of(name))]
    latest: dict[str, int] = {}
    for version in versions:
        latest[version.stem] = max(version.number, latest.get(version.stem, 0))
    return {v.file_name for v in versions if v.number < latest[v.stem] and v.kept_name not in names}
