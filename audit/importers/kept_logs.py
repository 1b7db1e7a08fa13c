"""Logs that stay in the process that read them, with the submission that they belong to.

The events of a round's logs are larger than all that is said of them. What goes from one process to another is the
submission, and what the rules answer. A process keeps the logs of one folder, the last that it was given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import msgpack
from msgspec.structs import replace

from ...rules.trace import Trace
from ...schemas.collector import collector_paused
from ...schemas.model import to_model
from ...schemas.submission import Submission
from .draft import at
from .tree import Tree

Key = tuple[str, str]
"""Arm and run."""
Read = Callable[[Tree, str], Trace]
"""Reads the log of a path."""

_kept: dict[Key, Trace] = {}
_folder: list[tuple[Submission, Mapping[Key, Trace]]] = []


class Logs(Mapping[Key, Trace]):
    """The logs of a folder by arm and run: those that are kept here, any other from its file when it is asked for."""

    def __init__(self, root: Path, value: Mapping[str, Any], kept: Mapping[Key, Trace], read: Read) -> None:
        """Begin with what is kept.

        Args:
            root: the folder.
            value: its submission, as its schema has it.
            kept: logs that were read.
            read: reads any other.
        """
        self._tree, self._found, self._read = Tree(root), dict(kept), read
        self._files = {
            (arm, name): run["file"]["name"]
            for arm, entry in value.get("arms", {}).items()
            for name, run in entry.get("runs", {}).items()
            if "format" in run.get("file", ())
        }

    def __getitem__(self, key: Key) -> Trace:
        """Return a log.

        Raises:
            KeyError: there is none of that run.
            UserError: its file cannot be read any more.
        """
        if key not in self._found:
            log = self._read(self._tree, self._files[key])
            self._found[key] = replace(log, at=at("arms", key[0], "runs", key[1]))
        return self._found[key]

    def __iter__(self) -> Iterator[Key]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)


def keep(traces: Mapping[Key, Trace]) -> None:
    """Keep logs in this process, instead of those of the folder before."""
    _kept.clear()
    _kept.update(traces)


@collector_paused()
def belong_to(root: Path, packed: bytes, read: Read) -> None:
    """Take over the submission, in MessagePack, that the logs kept here belong to; `read` reads the log of a path."""
    value = msgpack.decode(packed)
    _folder[:] = [(to_model(value, Submission), Logs(root, value, _kept, read))]


def folder() -> tuple[Submission, Mapping[Key, Trace]]:
    """Return the submission that the logs kept here belong to, with the logs of all its runs."""
    return _folder[-1]
