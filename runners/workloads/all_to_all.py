"""`all-to-all`: a part of each rank's message for every other rank; see `collective`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import parameters
from .collective import Collective
from .interface import Workload

NAME = "all-to-all"


def make(given: Mapping[str, Any]) -> Workload:
    """Make the workload.

    Raises:
        UserError: a parameter is unknown or unusable.
    """
    return Collective("all_to_all", parameters.read(given, parameters.AllToAll, NAME))
