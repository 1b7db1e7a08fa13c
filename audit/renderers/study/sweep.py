"""How speed varies with what was varied: a line along one factor for every combination of the others."""

from __future__ import annotations

from collections.abc import Sequence

from ....rules.facts.comparison.options import flat
from ....rules.statistics.intervals import median
from .drawing import (
    WIDTH,
    Scale,
    arm_class,
    bottom_axis,
    cut,
    dot,
    left_axis,
    legend,
    line,
    path,
    plot,
    short,
    spanning,
    text,
)
from .figures import Shown, bounds_of, number, quantity
from .plots import Plot, table

MOST_LINES = 12
LEAST_ARMS = 3
Level = str | float
Factors = dict[str, tuple[Level, ...]]


def varied(arms: Sequence[Shown]) -> Factors:
    """Return what varies between arms, as one level an arm; what varies as something before it does stands once."""
    stated = [_levels(arm) for arm in arms]
    found: Factors = {}
    seen: set[tuple[int, ...]] = set()
    for key in dict.fromkeys(key for levels in stated for key in levels):
        if not all(key in levels for levels in stated):
            continue
        levels = tuple(one[key] for one in stated)
        order = list(dict.fromkeys(levels))
        pattern = tuple(order.index(level) for level in levels)
        if len(order) > 1 and pattern not in seen:
            seen.add(pattern)
            found[key] = levels
    return found


def _levels(arm: Shown) -> dict[str, Level]:
    own, options = arm.side.arm, arm.side.arm.options
    found: dict[str, Level] = dict(own.workload.parameters) if own.workload is not None else {}
    free = dict(options.extra) if options is not None else {}
    found |= {name: value for name, value in (flat(options) | free).items() if isinstance(value, str | int | float)}
    return {name.removeprefix("workload."): value for name, value in found.items()}


def along(arms: Sequence[Shown]) -> Plot | None:
    """Draw the rate along the number with the most levels; None where nothing was swept."""
    drawn = [arm for arm in arms if arm.values and arm.speed is not None]
    factors = varied(drawn) if len(drawn) >= LEAST_ARMS else {}
    numbers = {key: levels for key, levels in factors.items() if all(_is_number(level) for level in levels)}
    if not numbers or len({arm.speed.unit for arm in drawn if arm.speed is not None}) != 1:
        return None
    key = max(numbers, key=lambda name: len(set(numbers[name])))
    others = [name for name in factors if name != key]
    lines: dict[tuple[Level, ...], list[tuple[float, Shown]]] = {}
    for index, arm in enumerate(drawn):
        group = tuple(factors[name][index] for name in others)
        lines.setdefault(group, []).append((float(factors[key][index]), arm))
    if len(set(numbers[key])) < 2 or max(len(points) for points in lines.values()) < LEAST_ARMS:
        return None
    return _drawn(key, others, dict(list(lines.items())[:MOST_LINES]), len(lines))


def _is_number(level: Level) -> bool:
    return isinstance(level, int | float) and not isinstance(level, bool)


def _drawn(
    key: str, others: Sequence[str], lines: dict[tuple[Level, ...], list[tuple[float, Shown]]], total: int
) -> Plot:
    every = [point for points in lines.values() for point in points]
    xs, ys = (
        [x for x, _ in every],
        [value for _, arm in every for value in (median(arm.values), *(bounds_of(arm.speed) or ()))],
    )
    left, bottom = 54.0, 236.0
    across = spanning(xs, left, WIDTH - 14, log=min(xs) > 0 and max(xs) >= 4 * min(xs))
    up = spanning(ys, bottom, 30, log=min(ys) > 0 and max(ys) > 20 * min(ys), zero=max(ys) <= 20 * min(ys))
    unit = every[0][1].speed.unit if every[0][1].speed is not None else ""
    name = cut(key.replace("_", " "), 30)
    parts = [*left_axis(up, left, unit, WIDTH - 14), *_levels_axis(sorted(set(xs)), across, bottom, name)]
    for index, points in enumerate(lines.values()):
        kind = arm_class(index)
        places = [(across.at(x), up.at(median(arm.values))) for x, arm in sorted(points, key=lambda point: point[0])]
        parts.append(path(places, kind, 1.6, "" if index < 6 else "5 3"))
        for x, arm in points:
            bounds = bounds_of(arm.speed)
            if bounds is not None:
                parts.append(
                    line((across.at(x), up.at(bounds[0])), (across.at(x), up.at(bounds[1])), kind, 1.4, "", 0.6)
                )
            parts.append(dot(across.at(x), up.at(median(arm.values)), kind, 4, 1.0, index // 6))
    words = [
        ", ".join(f"{other.replace('_', ' ')} {level}" for other, level in zip(others, group, strict=True))
        for group in lines
    ]
    entries, below = legend([(arm_class(i), cut(one, 50)) for i, one in enumerate(words) if one], bottom + 56)
    rows = [
        (*map(str, group), f"{x:g}", arm.name, quantity(median(arm.values), unit), _between(arm))
        for group, points in lines.items()
        for x, arm in sorted(points, key=lambda point: point[0])
    ]
    says = "A dot is the median over the trials of an arm, the upright line its interval."
    says += f" {total - len(lines)} further lines are left out." if total > len(lines) else ""
    heads = (*(other.replace("_", " ") for other in others), name, "Arm", "Median", "Interval")
    return Plot(f"Speed along {name}", plot(below, [*parts, *entries]), says, table(heads, rows))


def _levels_axis(levels: Sequence[float], across: Scale, bottom: float, name: str) -> list[str]:
    if len(levels) > 8:
        return bottom_axis(across, bottom, name, 24)
    parts, last = [], -100.0
    for level in levels:
        x = across.at(level)
        parts.append(line((x, 24), (x, bottom), "grid", 0.75))
        if x - last > 30:
            parts.append(text(x, bottom + 16, short(level), anchor="middle", kind="soft", size=11))
            last = x
    return [*parts, text((across.start + across.end) / 2, bottom + 34, name, anchor="middle", kind="soft", size=11.5)]


def _between(arm: Shown) -> str:
    bounds = bounds_of(arm.speed)
    return f"{number(bounds[0])} to {number(bounds[1])}" if bounds is not None else ""
