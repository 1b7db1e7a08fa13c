"""What a launcher is: it starts the ranks of one attempt at a trial, each of them a trial worker, and waits for them.

Every rank finds its place in the variables that torchrun sets (RANK, WORLD_SIZE, LOCAL_RANK, MASTER_ADDR, ...), and
writes files of its own below the study's folder, which all nodes share: `ranks.events_of` names them. A launcher never
reads what they say; how an attempt ended is judged from its events.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

import msgspec

from ..trial.attempt import Exit

Tick = Callable[[], None] | None


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """One attempt at a trial, as a launcher is told of it."""

    name: str
    """For people: study and trial."""
    order: Path
    """Its order file; relative to the working directory."""
    log: Path
    """File that takes what its processes print."""
    ranks: int = 1
    nodes: int = 1
    timeout_s: float
    environment: Mapping[str, str]
    worker: tuple[str, ...] = ()
    """Program of a rank, which takes the order file as its last argument; the launcher's own where empty."""

    @property
    def ranks_per_node(self) -> int:
        """Return the ranks of a node; every node has as many."""
        return self.ranks // self.nodes


class Launched(Protocol):
    """The ranks of one attempt, started."""

    def wait(self, timeout_s: float, tick: Tick, tick_s: float) -> Exit:
        """Wait until all have ended, or cancel them where their time is up.

        Args:
            timeout_s: time that they may run.
            tick: called every `tick_s` seconds or so, or None.
            tick_s: in seconds.
        """

    def cancel(self) -> None:
        """End all of them."""


class Launcher(Protocol):
    """A way of starting ranks."""

    here: bool
    """Whether the ranks run on this machine, whose knobs and sensors are then the trial's."""

    def start(self, job: Job) -> Launched:
        """Start the ranks of an attempt.

        Raises:
            UserError: they cannot be started at all.
        """

    def found(self, job: Job) -> Launched | None:
        """Return what an earlier process of the runner started for this attempt and what may still run, or None."""
