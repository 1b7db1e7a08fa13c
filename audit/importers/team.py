"""Processes that each read a part of a folder's logs and keep them: a log is judged where it was read.

The events of a round's logs are larger than all that is said of them. What goes from one process to another is the
submission, and what the rules answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from msgspec import msgpack

from ...rules.trace import Trace
from ...schemas.collector import collector_paused
from ...schemas.model import to_model
from ...schemas.submission import Submission
from .draft import at
from .mlperf.run_logs import read_log
from .tree import Tree

T = TypeVar("T")
Key = tuple[str, str]
"""Arm and run."""

_kept: dict[Key, Trace] = {}
"""What this process has read for a team that it belongs to."""
_known: list[tuple[Submission, Mapping[Key, Trace]]] = []
"""The last submission that it was told, with the logs of all its runs."""


class Logs(Mapping[Key, Trace]):
    """The logs of a folder by arm and run: those that are kept here, any other from its file when it is asked for."""

    def __init__(self, root: Path, value: Mapping[str, Any], kept: Mapping[Key, Trace]) -> None:
        """Begin with what is kept.

        Args:
            root: the folder.
            value: its submission, as its schema has it.
            kept: logs that were read.
        """
        self._tree, self._found = Tree(root), dict(kept)
        self._files = {
            (arm, name): run["file"]["name"]
            for arm, entry in value.get("arms", {}).items()
            for name, run in entry.get("runs", {}).items()
        }

    def __getitem__(self, key: Key) -> Trace:
        """Return a log.

        Raises:
            KeyError: there is none of that run.
            UserError: its file cannot be read any more.
        """
        if key not in self._found:
            log = read_log(self._tree, self._files[key])
            self._found[key] = Trace(log.events, log.malformed, log.path, at("arms", key[0], "runs", key[1]))
        return self._found[key]

    def __iter__(self) -> Iterator[Key]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)


class Team:
    """Some processes; each keeps what it has read."""

    def __init__(self, size: int) -> None:
        """Set up as many processes as `size`; they start with their first task."""
        self._members = [ProcessPoolExecutor(1) for _ in range(size)]
        self._told: list[Future[None]] = []
        self._keeper: dict[str, int] = {}

    def shares(self, sizes: Mapping[str, int]) -> list[list[str]]:
        """Divide what has these sizes evenly: the largest first, each to the process that has least so far."""
        loads = [0] * len(self._members)
        shares: list[list[str]] = [[] for _ in self._members]
        for name in sorted(sizes, key=lambda name: (-sizes[name], name)):
            least = loads.index(min(loads))
            loads[least] += sizes[name]
            shares[least].append(name)
        return shares

    def begin(self, task: Callable[..., T], shares: Iterable[object], *rest: object) -> Callable[[], list[T]]:
        """Begin a task in every process, each with its share; what is returned waits for what each gives back.

        It raises what the first task that fails raises.
        """
        pairs = zip(self._members, shares, strict=True)
        begun = [member.submit(task, share, *rest) for member, share in pairs]

        def wait() -> list[T]:
            for told in self._told:
                told.result()
            return [future.result() for future in begun]

        return wait

    def tell(self, root: Path, value: Mapping[str, Any], arms: Iterable[Iterable[str]]) -> None:
        """Tell every process the whole submission; none is waited for.

        Args:
            root: the folder.
            value: its submission, as its schema has it.
            arms: by process, those whose logs it keeps.
        """
        self._keeper = {arm: index for index, kept in enumerate(arms) for arm in kept}
        packed = msgpack.encode(value)
        self._told = [member.submit(_know, root, packed) for member in self._members]

    def by_keeper(self, arms: Mapping[str, str]) -> list[list[str]]:
        """Return names by the process that keeps the logs of their arm.

        Args:
            arms: the arm of each name.
        """
        found: list[list[str]] = [[] for _ in self._members]
        for name, arm in arms.items():
            found[self._keeper.get(arm, 0)].append(name)
        return found

    def close(self) -> None:
        """Let the processes end."""
        for member in self._members:
            member.shutdown(wait=False)


def keep(traces: Mapping[Key, Trace]) -> None:
    """Keep logs in this process, for what its team asks later."""
    _kept.update(traces)


def known() -> tuple[Submission, Mapping[Key, Trace]]:
    """Return the submission that the team was told, with its logs."""
    return _known[-1]


@collector_paused()
def _know(root: Path, packed: bytes) -> None:
    value = msgpack.decode(packed)
    _known[:] = [(to_model(value, Submission), Logs(root, value, _kept))]
