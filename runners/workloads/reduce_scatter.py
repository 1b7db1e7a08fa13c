"""`reduce-scatter`: one message reduced over several ranks, a part of it left with each; see `collective`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import parameters
from .collective import Collective
from .interface import Workload

NAME = "reduce-scatter"


def make(given: Mapping[str, Any]) -> Workload:
    """Make the workload.

    Raises:
        UserError: a parameter is unknown or unusable.
    """
    return Collective("reduce_scatter", parameters.read(given, parameters.ReduceScatter, NAME))
