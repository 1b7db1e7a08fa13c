"""`mlp`: a perceptron with several layers on synthetic vectors.

Parameters: `inputs` (128), `width` (256), `layers` (hidden layers, 2), `classes` (10). Defaults of the options:
global_batch 32, sgd at a learning rate of 0.01.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from torch import nn

from ...schemas.errors import UserError
from . import parameters
from .interface import Workload
from .synthetic import SyntheticClassifier

NAME = "mlp"


class Parameters(msgspec.Struct, frozen=True, kw_only=True):
    """Parameters of the workload."""

    inputs: int = 128
    width: int = 256
    layers: int = 2
    classes: int = 10


def make(given: Mapping[str, Any]) -> Workload:
    """Make the workload.

    Raises:
        UserError: a parameter is unknown or unusable.
    """
    chosen = parameters.read(given, Parameters, NAME)
    check(chosen)
    return SyntheticClassifier(NAME, label(chosen), lambda: network(chosen), (chosen.inputs,), chosen.classes)


def check(sizes: Parameters) -> None:
    """Refuse sizes that make no network.

    Raises:
        UserError: one is below 1.
    """
    if min(sizes.inputs, sizes.width, sizes.layers, sizes.classes) < 1:
        raise UserError("sizes must be at least 1", "correct it", "/workload")


def label(sizes: Parameters) -> str:
    """Return the model's name in the option set."""
    return f"mlp-{sizes.inputs}-{sizes.width}x{sizes.layers}-{sizes.classes}"


def network(sizes: Parameters) -> nn.Module:
    """Return the network for [n, inputs]."""
    layers: list[nn.Module] = []
    before = sizes.inputs
    for _ in range(sizes.layers):
        layers += [nn.Linear(before, sizes.width), nn.ReLU()]
        before = sizes.width
    return nn.Sequential(*layers, nn.Linear(before, sizes.classes))
