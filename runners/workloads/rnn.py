"""`rnn`: one LSTM layer over sequences. Parameters: `length` (32), `batch` (8), `inputs` (128), `hidden` (128).

Operations: 2 length batch 4 hidden (inputs + hidden), the gates' element-wise arithmetic not counted. Values moved:
the inputs, the outputs, and the weights once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import torch

from . import parameters
from .interface import Workload
from .kernel import Kernel, KernelWorkload

NAME = "rnn"
GATES = 4


def make(given: Mapping[str, Any]) -> Workload:
    """Make the workload.

    Raises:
        UserError: a parameter is unknown or unusable.
    """
    size = parameters.read(given, parameters.Rnn, NAME)
    wide = GATES * size.hidden
    sequence = (size.length, size.batch, size.inputs)
    weights = wide * (size.inputs + size.hidden)
    return KernelWorkload(
        Kernel(
            name=NAME,
            label=f"lstm-t{size.length}-b{size.batch}-i{size.inputs}-h{size.hidden}",
            shapes=(sequence, (wide, size.inputs), (wide, size.hidden), (1, size.batch, size.hidden)),
            run=_layer,
            operations=2 * size.length * size.batch * weights,
            formula="2 length batch 4 hidden (inputs + hidden) operations; inputs + outputs + weights values moved",
            dimensions=msgspec.structs.asdict(size),
            values_moved=size.length * size.batch * (size.inputs + size.hidden) + weights,
        )
    )


def _layer(
    sequence: torch.Tensor, from_input: torch.Tensor, from_hidden: torch.Tensor, state: torch.Tensor
) -> torch.Tensor:
    """Return the outputs, [length, batch, hidden], of a layer without biases that begins at `state`."""
    weights = [from_input, from_hidden]
    return torch.lstm(sequence, [state, state], weights, False, 1, 0.0, False, False, False)[0]
