"""Speed against what it costs: quality, time to the target or memory; and the arms that no other beats in both."""

from __future__ import annotations

from collections.abc import Sequence

from .drawing import (
    LETTER,
    LINE_HEIGHT,
    WIDTH,
    arm_class,
    bottom_axis,
    cut,
    dot,
    left_axis,
    path,
    plot,
    spanning,
    text,
)
from .figures import Shown, number, quantity, value_of
from .plots import Plot, table
from .speed import LONGEST, WIDE


def trade_off(arms: Sequence[Shown]) -> Plot | None:
    """Draw speed against what it costs: quality where the arms state one, else time to the target, else memory."""
    for title, found, higher in (_quality(arms), _time(arms), _memory(arms)):
        points = [(arm, x, y) for arm in arms if (x := value_of(arm.speed)) and (y := found.get(arm.name)) is not None]
        if len(points) >= 3 and len({y for _, _, y in points}) > 1:
            return _pareto(title, points, higher=higher)
    return None


Found = tuple[str, dict[str, float], bool]


def _quality(arms: Sequence[Shown]) -> Found:
    found, title = {}, "quality"
    for arm in arms:
        for quality in arm.side.arm.quality.values():
            if quality.value is not None and quality.direction is not None:
                found[arm.name] = float(quality.value)
                title, higher = quality.metric, quality.direction == "higher"
                break
    return title[:40], found, bool(found) and higher


def _time(arms: Sequence[Shown]) -> Found:
    known = {arm.name: value_of(arm.side.arm.performance.get("time_to_target")) for arm in arms}
    return "time to target (s)", {name: value for name, value in known.items() if value is not None}, False


def _memory(arms: Sequence[Shown]) -> Found:
    known = {arm.name: value_of(arm.side.arm.performance.get("peak_memory")) for arm in arms}
    return "peak memory (MiB)", {name: value for name, value in known.items() if value is not None}, False


def _pareto(title: str, points: list[tuple[Shown, float, float]], *, higher: bool) -> Plot:
    speeds, costs = [x for _, x, _ in points], [y for _, _, y in points]
    left, bottom = 54.0, 240.0
    across = spanning(speeds, left, WIDTH - 24, log=max(speeds) > WIDE * min(speeds), margin=0.1)
    up = spanning(costs, bottom, 30, log=min(costs) > 0 and max(costs) > WIDE * min(costs), margin=0.12)
    unit = points[0][0].speed.unit if points[0][0].speed is not None else ""
    parts = [*left_axis(up, left, title, WIDTH), *bottom_axis(across, bottom, unit, 24)]
    best = frontier([(x, y) for _, x, y in points], higher=higher)
    if len(best) > 1:
        parts.append(path([(across.at(x), up.at(y)) for x, y in best], "soft", 1.5, "4 3"))
    places = [(across.at(x), up.at(y)) for _, x, y in points]
    parts += [dot(x, y, arm_class(index), 5, 1.0, index // 6) for index, (x, y) in enumerate(places)]
    first = [index for index, (_, x, y) in enumerate(points) if (x, y) in best]
    order = dict.fromkeys((*first, *range(len(points))))
    parts += _names([(cut(points[index][0].name, LONGEST), *places[index]) for index in order])
    better = "higher" if higher else "lower"
    says = f"To the right is faster, {better} is better; the dashed line joins the arms that no other beats in both."
    rows = [(arm.name, quantity(x, unit), number(y), "yes" if (x, y) in best else "no") for arm, x, y in points]
    heads = ("Arm", "Speed", title, "Beaten by none")
    return Plot(f"Speed against {title}", plot(bottom + 42, parts), says, table(heads, rows))


def _names(points: Sequence[tuple[str, float, float]]) -> list[str]:
    """Write the names of points, the first ones first, as far as none covers another."""
    taken: list[tuple[float, float, float]] = []
    parts = []
    for name, x, y in points:
        length = LETTER * len(name)
        fits = x + 9 + length <= WIDTH
        left = x + 9 if fits else x - 9 - length
        if all(abs(y - other) > LINE_HEIGHT or left > end or left + length < start for start, end, other in taken):
            taken.append((left, left + length, y))
            parts.append(text(x + 9 if fits else x - 9, y - 7, name, anchor="start" if fits else "end", size=11))
    return parts


def frontier(points: Sequence[tuple[float, float]], *, higher: bool) -> list[tuple[float, float]]:
    """Return the points that no other beats in both, from slow to fast.

    Args:
        points: (speed, the other number).
        higher: whether more of the other number is better.
    """
    sign = 1 if higher else -1
    best: list[tuple[float, float]] = []
    for x, y in sorted(set(points), key=lambda point: (-point[0], -sign * point[1])):
        if not best or sign * y > sign * best[-1][1]:
            best.append((x, y))
    return best[::-1]
