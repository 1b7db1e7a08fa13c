"""`launch`: the latency of one call: an addition to a single value, which leaves nothing but the way to the device.

Operations: 1. Values moved: 2. It has no parameters. On an accelerator the time is that between two such calls in a
full queue; a step of fewer than a few hundred of them is bound by it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import parameters
from .interface import Workload
from .kernel import Kernel, KernelWorkload

NAME = "launch"


def make(given: Mapping[str, Any]) -> Workload:
    """Make the workload.

    Raises:
        UserError: a parameter is given.
    """
    parameters.read(given, parameters.Launch, NAME)
    return KernelWorkload(
        Kernel(
            name=NAME,
            label=NAME,
            shapes=((1,),),
            run=lambda value: value.add_(1),
            operations=1,
            formula="1 operation, 2 values moved",
            dimensions={"values": 1},
            values_moved=2,
        )
    )
