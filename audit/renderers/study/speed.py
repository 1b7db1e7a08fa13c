"""The rates of the arms with their intervals, against the baseline."""

from __future__ import annotations

from collections.abc import Sequence

from ....rules.statistics.intervals import median
from .drawing import (
    LETTER,
    WIDTH,
    Scale,
    arm_class,
    bottom_axis,
    box,
    cut,
    dots,
    line,
    plot,
    spanning,
    text,
)
from .figures import Shown, bounds_of, number, quantity
from .plots import Plot, Table, table

ROW = 30.0
WIDE = 20.0
"""Arms further apart than this need a logarithmic axis."""
LONGEST = 22


def against_baseline(arms: Sequence[Shown]) -> Plot | None:
    """Draw the rate of every arm: each trial as a dot, the median as a bar, its interval as a line."""
    drawn = [arm for arm in arms if arm.values and arm.speed is not None]
    units = {arm.speed.unit for arm in drawn if arm.speed is not None}
    if not drawn or len(units) != 1:
        return None
    unit = units.pop()
    left = 10 + LETTER * max(len(cut(arm.name, LONGEST)) for arm in drawn)
    right = WIDTH - (64 if any(arm.ratio for arm in drawn) else 14)
    every = [value for arm in drawn for value in (*arm.values, *(bounds_of(arm.speed) or ()))]
    scale = _rate_scale(every, left, right)
    bottom = 14 + ROW * len(drawn)
    parts = bottom_axis(scale, bottom, unit + (", logarithmic" if scale.log else ""), 8, 5)
    related = any(arm.ratio for arm in drawn)
    if related:
        x = scale.at(median(drawn[0].values))
        parts.append(line((x, 8), (x, bottom), "soft", 1, "4 3"))
    for index, arm in enumerate(drawn):
        parts += _row(arm, index, 14 + ROW * (index + 0.5), scale, baseline=index == 0 and related)
    says = f"Each dot is a trial, the tick the median over trials, the band its {_level(drawn)} interval."
    if related:
        says += f" The dashed line is {drawn[0].name}, which the factors on the right are relative to."
    return Plot("Speed of the arms", plot(bottom + 42, parts), says, _table(drawn))


def _rate_scale(values: Sequence[float], left: float, right: float) -> Scale:
    wide = max(values) > WIDE * min(values) > 0
    from_zero = not wide and min(values) < 0.5 * max(values)
    return spanning(values, left, right, log=wide, zero=from_zero)


def _row(arm: Shown, index: int, y: float, scale: Scale, *, baseline: bool) -> list[str]:
    kind, middle, bounds = arm_class(index), median(arm.values), bounds_of(arm.speed)
    parts = [text(2, y + 4, cut(arm.name, LONGEST))]
    if bounds is not None:
        parts.append(box(scale.at(bounds[0]), y - 3, scale.at(bounds[1]) - scale.at(bounds[0]), 6, kind, 0.35))
    parts.append(dots([(scale.at(value), y) for value in arm.values], kind, 6, 0.65))
    parts.append(line((scale.at(middle), y - 9), (scale.at(middle), y + 9), kind, 2.5))
    if arm.ratio is not None:
        parts.append(text(WIDTH - 2, y + 4, f"{arm.ratio[0]:.3g}×", anchor="end"))
    elif baseline:
        parts.append(text(WIDTH - 2, y + 4, "1×", anchor="end", kind="soft"))
    return parts


def _level(arms: Sequence[Shown]) -> str:
    levels = {arm.speed.interval.level for arm in arms if arm.speed is not None and arm.speed.interval is not None}
    level = next((one for one in levels if one), 0.95)
    return f"{100 * level:g} %"


def _table(arms: Sequence[Shown]) -> Table:
    rows = []
    for arm in arms:
        bounds, unit = bounds_of(arm.speed), arm.speed.unit if arm.speed is not None else ""
        interval = f"{number(bounds[0])} to {number(bounds[1])}" if bounds is not None else ""
        rows.append((arm.name, quantity(median(arm.values), unit), interval, ", ".join(map(number, arm.values))))
    return table(("Arm", "Median", "Interval", "Trials"), rows)
