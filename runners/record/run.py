"""One planned trial with what became of it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ..study.plan import PlannedTrial
from ..telemetry.readings import Readings
from ..trial.events import ControlRecord
from .consumption import Timed
from .events import Events
from .outcomes import Record


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """One planned trial with what became of it."""

    planned: PlannedTrial
    order: int
    attempts: tuple[Record, ...]
    events: Events
    """What the events of its last attempt say; empty without a result."""
    machine: tuple[ControlRecord, ...] = ()
    """What became of the knobs of the machine in its last attempt."""
    readings: Readings | None = None
    """What the sensors told during its last attempt."""
    why_not: str
    """Why it has no attempt, where it has none."""

    @property
    def outcome(self) -> str:
        """Return completed, diverged, failed, lost or not_run."""
        return self.attempts[-1].outcome if self.attempts else "not_run"

    @property
    def has_result(self) -> bool:
        """Whether it has a sample file."""
        return self.outcome in ("completed", "diverged", "failed")

    @property
    def timed(self) -> Timed:
        """Its events, with what the sensors told meanwhile."""
        return Timed(events=self.events, readings=self.readings)


def completed(runs: Sequence[Run]) -> list[Timed]:
    """Return the throughput trials that ended well."""
    return [run.timed for run in runs if run.planned.kind == "throughput" and run.outcome == "completed"]
