"""Who is told of a study's course while it runs.

The runner knows no keys and no ledger: it tells a recorder, before and after each trial, and the application implements
the recorder with its ledger. Every call has returned, and what it wrote is on disk, before the runner goes on.

Calls come at least once: where the runner was killed between a call and its own note of it, the call is repeated with
equal arguments when the study is resumed. `lost` may also come for a trial whose `started` did not arrive, because the
runner was killed in between.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol


class Recorder(Protocol):
    """What the runner tells."""

    def planned(self, plan: Mapping[str, Any]) -> None:
        """All trials are fixed and none has run.

        Args:
            plan: the content of `plan.json`; `study` is the id of this execution of the spec.
        """

    def started(self, trial: str) -> None:
        """The process of a trial is about to be made."""

    def ended(self, trial: str, outcome: str, artifact_digest: str) -> None:
        """A trial is over.

        Args:
            trial: its id.
            outcome: `completed`, `diverged` or `failed`.
            artifact_digest: SHA-256 of its sample file, in hexadecimal.
        """

    def lost(self, trial: str, reason: str) -> None:
        """The process of a trial is gone and left no result."""


class NullRecorder:
    """A recorder that keeps nothing, for runs that are not to be signed."""

    def planned(self, plan: Mapping[str, Any]) -> None:
        """Keep nothing."""

    def started(self, trial: str) -> None:
        """Keep nothing."""

    def ended(self, trial: str, outcome: str, artifact_digest: str) -> None:
        """Keep nothing."""

    def lost(self, trial: str, reason: str) -> None:
        """Keep nothing."""
