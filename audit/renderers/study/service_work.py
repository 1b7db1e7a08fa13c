"""What a service reaches in prefill and in decode, beside what its processors reach at all."""

from __future__ import annotations

from collections.abc import Sequence

from ....schemas.evidence import ServedPhase
from .drawing import WIDTH, arm_class, bottom_axis, cut, dot, left_axis, legend, plot, spanning
from .figures import Shown, number, quantity
from .inside import roof
from .plots import Plot, table

LEFT, BOTTOM = 54.0, 250.0
MARKS = {"prefill": 0, "decode": 1}
Point = tuple[int, Shown, str, ServedPhase, float, float]


def roofline(arms: Sequence[Shown]) -> Plot | None:
    """Draw prefill and decode of every arm whose service told what it did; the roof is the first one's."""
    points = [point for index, arm in enumerate(arms) for point in _points(index, arm)]
    told = [arm.side.arm.measurement for _, arm, *_ in points]
    first = told[0].served_work if told and told[0] is not None else None
    if first is None or first.ceilings.copy_bytes_per_s <= 0:
        return None
    copy = first.ceilings.copy_bytes_per_s
    peaks = {name: value for name, value in first.ceilings.product_flops.items() if value > 0}
    top = max([*peaks.values(), *(reached for *_, reached in points)])
    intensities = [place for *_, place, _ in points]
    across = spanning([min([*intensities, 0.1]), max([*intensities, 2 * top / copy])], LEFT, WIDTH - 8, log=True)
    up = spanning([min(reached for *_, reached in points) / 2, top], BOTTOM, 30, log=True)
    parts = [
        *left_axis(up, LEFT, "operations per second", WIDTH - 8),
        *bottom_axis(across, BOTTOM, "operations per byte, logarithmic", 24),
        *roof(across, up, copy, peaks),
    ]
    for index, _, name, _, place, reached in points:
        parts.append(dot(across.at(place), up.at(reached), arm_class(index), 5, 1.0, MARKS[name]))
    shown = dict.fromkeys((arm_class(index), cut(arm.name, 50)) for index, arm, *_ in points)
    entries, below = legend(list(shown), BOTTOM + 56)
    says = (
        "Discs are prefill, squares decode, each in the time inside its steps; operations and bytes are counted from "
    )
    says += f"the model's sizes. The roof is measured: a copy of {quantity(copy, 'bytes/s')} and large products."
    rows = [
        (arm.name, name, number(one.tokens / one.calls), f"{number(place)} per byte", quantity(reached, "FLOP/s"))
        for _, arm, name, one, place, reached in points
    ]
    heads = ("arm", "phase", "tokens a step", "intensity", "reached")
    return Plot("Prefill and decode", plot(below, [*parts, *entries]), says, table(heads, rows))


def _points(index: int, arm: Shown) -> list[Point]:
    """Return (number of the arm, arm, phase, what it did, operations per byte, operations per second)."""
    measurement = arm.side.arm.measurement
    work = measurement.served_work if measurement is not None else None
    if work is None:
        return []
    phases = {"prefill": work.prefill, "decode": work.decode}
    return [
        (index, arm, name, one, one.operations / one.bytes, one.operations / one.seconds)
        for name, one in phases.items()
        if min(one.calls, one.operations, one.bytes, one.seconds) > 0
    ]
