"""The bandwidth of a collective: the message over its time, and what every link must carry of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...rules.statistics.intervals import rounded


def measured(operations: Mapping[str, Any], performance: Mapping[str, Any]) -> dict[str, Any]:
    """Return the operations of an arm, those of a collective with its algorithm and bus bandwidth over the trials.

    Args:
        operations: as the workload told them.
        performance: the arm's numbers; without a rate nothing is added.
    """
    collective, rate = operations.get("collective"), performance.get("rate")
    if collective is None or rate is None:
        return dict(operations)
    value = float(rate["value"])
    found = {"algorithm_bytes_per_s": value, "bus_bytes_per_s": rounded(value * collective["bus_factor"])}
    return {**operations, "collective": {**collective, **found}}
