"""When a curve first meets a target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Direction = Literal["higher", "lower"]


@dataclass(frozen=True, slots=True)
class Crossing:
    """The first evaluation that meets the target."""

    index: int
    """Its index in the curve."""
    position: float
    """Its position: samples, steps or seconds, as the curve has them."""
    value: float
    """The metric there."""
    previous: float | None
    """The position of the evaluation before it: the resolution of the evaluation grid; None for the first one."""


def meets(value: float, target: float, direction: Direction) -> bool:
    """Return whether a metric meets its target; NaN never does."""
    return value >= target if direction == "higher" else value <= target


def first_crossing(
    positions: Sequence[float], values: Sequence[float], target: float, direction: Direction
) -> Crossing | None:
    """Return the first evaluation at which the metric meets the target, or None: it was never reached.

    No interpolation: between two evaluations nothing was observed.

    Args:
        positions: where each evaluation stands, in order.
        values: the metric at each, same length.
        target: the value to reach.
        direction: `higher` where more is better, `lower` where less is.

    Raises:
        ValueError: the two differ in length.
    """
    for index, (position, value) in enumerate(zip(positions, values, strict=True)):
        if meets(value, target, direction):
            return Crossing(index, position, value, positions[index - 1] if index else None)
    return None
