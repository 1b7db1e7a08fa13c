"""`all-reduce`: one message reduced over several ranks, and left with all of them; see `collective`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import parameters
from .collective import Collective
from .interface import Workload

NAME = "all-reduce"


def make(given: Mapping[str, Any]) -> Workload:
    """Make the workload.

    Raises:
        UserError: a parameter is unknown or unusable.
    """
    return Collective("all_reduce", parameters.read(given, parameters.AllReduce, NAME))
