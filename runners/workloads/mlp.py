"""`mlp`: a perceptron with several layers on synthetic vectors.

Parameters: `inputs` (128), `width` (256), `layers` (hidden layers, 2), `classes` (10). Defaults of the options:
global_batch 32, sgd at a learning rate of 0.01.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from torch import nn

from . import parameters
from .interface import Workload
from .synthetic import SyntheticClassifier

NAME = "mlp"


def make(given: Mapping[str, Any]) -> Workload:
    """Make the workload.

    Raises:
        UserError: a parameter is unknown or unusable.
    """
    chosen = parameters.read(given, parameters.Mlp, NAME)
    return SyntheticClassifier(NAME, label(chosen), lambda: network(chosen), (chosen.inputs,), chosen.classes)


def label(sizes: parameters.Mlp) -> str:
    """Return the model's name in the option set."""
    return f"mlp-{sizes.inputs}-{sizes.width}x{sizes.layers}-{sizes.classes}"


def network(sizes: parameters.Mlp) -> nn.Module:
    """Return the network for [n, inputs]."""
    layers: list[nn.Module] = []
    before = sizes.inputs
    for _ in range(sizes.layers):
        layers += [nn.Linear(before, sizes.width), nn.ReLU()]
        before = sizes.width
    return nn.Sequential(*layers, nn.Linear(before, sizes.classes))
