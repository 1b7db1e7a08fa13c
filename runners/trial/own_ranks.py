"""Ranks that a program starts itself, as `command: [torchrun, ...]` does: those after the first tell theirs in files.

The meter of each such rank appends what it has to tell to a file of its own, for what several processes print to one
pipe may mix within a line. After the program's end each file becomes the events of its rank.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import msgspec

from ...schemas.errors import UserError
from ..study.orders import MOST_RANKS, Order
from . import events, ranks
from .events import Clock, Ended, EventWriter, Placed
from .execute import Progress

Write = Callable[[events.AnyEvent], None]
LARGEST_BYTES = 1 << 30


class Tally(Protocol):
    """Checks the lines of one rank, and passes them on as events."""

    def take_value(self, value: Any) -> None:
        """Take one line."""

    def close(self, lived_s: float) -> None:
        """Hold what was told against what was asked for."""


class _Told(msgspec.Struct, frozen=True, kw_only=True):
    """The first line of a rank's file."""

    rank: int
    ranks: int
    local_rank: int
    host: str


def folder_of(path: str) -> str:
    """Return where ranks tell theirs, from the events file of the trial; absolute, for a program may change folder."""
    return str(Path(f"{path}.ranks").absolute())


def gather(order: Order, write: Write, make: Callable[[Write, Progress], Tally], lived_s: float) -> None:
    """Make the events of each rank after the first from what it told, and remove its file.

    Args:
        order: of the trial.
        write: takes the events of the first rank.
        make: makes what checks the lines of a rank.
        lived_s: how long the program lived.

    Raises:
        UserError: a rank told what does not fit, or another number of ranks told something than there were.
    """
    folder = Path(folder_of(order.events))
    if not folder.is_dir():
        return
    try:
        paths = sorted(folder.glob("*.jsonl"), key=lambda path: int(path.stem) if path.stem.isdecimal() else MOST_RANKS)
        told = [_of_rank(order, path, make, lived_s) for path in paths]
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    count = len(told) + 1
    if [one.rank for one in told] != list(range(1, count)) or any(one.ranks != count for one in told):
        raise UserError(
            f"besides the first, only ranks {', '.join(str(one.rank) for one in told)} reported something",
            "let every rank make its steps under the meter",
            "/workload/command",
        )
    write(_placed(order, _Told(rank=0, ranks=count, local_rank=0, host=ranks.host())))


def _of_rank(order: Order, path: Path, make: Callable[[Write, Progress], Tally], lived_s: float) -> _Told:
    if path.stat().st_size > LARGEST_BYTES:
        raise UserError(f"rank {path.stem} reported too much", "time fewer steps", "/workload/command")
    lines = path.read_bytes().splitlines()
    try:
        told = msgspec.json.decode(lines[0], type=_Told)
        values = [json.loads(line) for line in lines[1:]]
    except (IndexError, ValueError, RecursionError) as error:
        raise UserError(
            f"rank {path.stem} reported what cannot be read: {error}", "use the meter", "/workload"
        ) from None
    if not 1 <= told.rank < MOST_RANKS:
        raise UserError(f"there is no rank {told.rank} after the first", "use the meter", "/workload")
    writer = EventWriter(ranks.events_of(Path(order.events), told.rank))
    try:
        writer.write(_placed(order, told))
        progress = Progress()
        tally = make(writer.write, progress)
        for value in values:
            tally.take_value(value)
        tally.close(lived_s)
        writer.write(Ended(outcome="completed", timer=progress.timer, wall_s=lived_s))
    finally:
        writer.close()
    return told


def _placed(order: Order, told: _Told) -> Placed:
    return Placed(
        rank=told.rank,
        ranks=told.ranks,
        local_rank=told.local_rank,
        host=told.host[:200],
        device=ranks.device_of(order.device, told.local_rank),
        clock=Clock(evidence="the program's own launcher started this rank"),
    )
