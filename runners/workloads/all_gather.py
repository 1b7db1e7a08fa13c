"""`all-gather`: the parts of several ranks put together, and left with all of them; see `collective`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import parameters
from .collective import Collective
from .interface import Workload

NAME = "all-gather"


def make(given: Mapping[str, Any]) -> Workload:
    """Make the workload.

    Raises:
        UserError: a parameter is unknown or unusable.
    """
    return Collective("all_gather", parameters.read(given, parameters.AllGather, NAME))
