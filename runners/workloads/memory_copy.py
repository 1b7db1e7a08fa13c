"""`copy`: one vector copied onto another on the device. Parameter: `values` (4,194,304).

Values moved: 2 per copied value, one read and one written.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import parameters
from .interface import Workload
from .kernel import Kernel, KernelWorkload

NAME = "copy"


def make(given: Mapping[str, Any]) -> Workload:
    """Make the workload.

    Raises:
        UserError: a parameter is unknown or unusable.
    """
    values = parameters.read(given, parameters.Copy, NAME).values
    return KernelWorkload(
        Kernel(
            name=NAME,
            label=f"copy-{values}",
            shapes=((values,), (values,)),
            run=lambda origin, goal: goal.copy_(origin),
            operations=0,
            formula="2 values moved per copied value: one read, one written",
            dimensions={"values": values},
            values_moved=2 * values,
        )
    )
