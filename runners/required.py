"""Controls that a spec requires: without them nothing runs, or nothing runs on."""

from __future__ import annotations

import os
from collections.abc import Sequence

from ..schemas.errors import EnvironmentRefused
from ..schemas.spec import Spec
from .events import ControlRecord
from .samples import Told

OF_THE_PROCESS = ("affinity", "threads", "numa_nodes", "aslr")
"""Knobs that a trial's process turns for itself."""


def check_processors(spec: Spec) -> None:
    """Refuse at once what every trial would be refused.

    Raises:
        EnvironmentRefused: a required processor is not for this process.
    """
    if not spec.controls.requires("affinity") or not hasattr(os, "sched_getaffinity"):
        return
    missing = sorted(set(spec.controls.affinity) - os.sched_getaffinity(0))
    if missing:
        raise EnvironmentRefused(f"the spec requires processors that this process may not use: {missing}")


def check(spec: Spec, told: Told, controls: Sequence[ControlRecord]) -> None:
    """Hold a trial's records against what the spec requires.

    Args:
        spec: the spec.
        told: what the trial's process told, its own knobs among it.
        controls: what became of the machine's knobs.

    Raises:
        EnvironmentRefused: a required knob was not verified.
    """
    wanted = spec.controls
    if told.controls is None and told.ended is not None and any(map(wanted.requires, OF_THE_PROCESS)):
        raise EnvironmentRefused("the spec requires controls, and the trial did not say what became of them")
    own = told.controls.records if told.controls is not None else ()
    for record in (*own, *controls):
        if wanted.requires(record.knob) and record.verified != "verified":
            raise EnvironmentRefused(
                f"the spec requires {record.knob} = {record.requested}, which is {record.verified}: {record.evidence}"
            )
