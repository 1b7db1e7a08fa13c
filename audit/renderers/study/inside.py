"""Inside a step: phases, the roofline, memory."""

from __future__ import annotations

from collections.abc import Sequence

from ....schemas.operations import Accounting
from .drawing import (
    LETTER,
    WIDTH,
    Point,
    Scale,
    arm_class,
    bottom_axis,
    box,
    cut,
    dot,
    left_axis,
    legend,
    line,
    path,
    plot,
    spanning,
    text,
)
from .figures import Shown, number, quantity, seconds, value_of
from .plots import Plot, Table, table

PHASES = ("data", "h2d", "forward", "backward", "communication", "optimizer", "checkpoint", "other")
WORDS = {"data": "wait for data", "h2d": "copy to device", "other": "rest"}
ROW = 34.0
MIB = 1 << 20
CLASSES = {"contractions": "products", "pointwise": "element-wise"}
STORED = ("weights", "gradients", "optimizer")
LONGEST = 18
MOST_OPERATORS, LONGEST_OPERATOR = 10, 30


def phases(arms: Sequence[Shown]) -> Plot | None:
    """Draw where the time of a step goes, a bar an arm."""
    drawn = [(arm, arm.side.arm.measurement.phases_s) for arm in arms if arm.side.arm.measurement is not None]
    drawn = [(arm, found) for arm, found in drawn if sum(found.values()) > 0]
    if not drawn:
        return None
    known = [name for name in PHASES if any(found.get(name) for _, found in drawn)]
    known += sorted({name for _, found in drawn for name in found} - set(known) - set(PHASES))
    colours = {name: f"phase{index % 8}" for index, name in enumerate(known)}
    largest = max(sum(found.values()) for _, found in drawn)
    unit, factor = ("s", 1.0) if largest >= 1 else ("ms", 1e3) if largest >= 1e-3 else ("µs", 1e6)
    bars = [(arm, [(colours[name], found.get(name, 0.0) * factor) for name in known]) for arm, found in drawn]
    svg = _stacked(bars, [(colours[name], WORDS.get(name, name)) for name in known], f"time of a step ({unit})")
    rows = [
        (arm.name, *(seconds(found[name]) if name in found else "" for name in known), seconds(sum(found.values())))
        for arm, found in drawn
    ]
    heads = ("Arm", *(WORDS.get(name, name) for name in known), "Whole")
    says = "Medians over the steps of a pass of its own, whose marks the timed trials do not carry."
    return Plot("Where the time of a step goes", svg, says, table(heads, rows))


def _stacked(
    bars: Sequence[tuple[Shown, Sequence[tuple[str, float]]]], entries: Sequence[tuple[str, str]], label: str
) -> str:
    parts, top = legend(entries, 14)
    left = 10 + LETTER * max(len(cut(arm.name, LONGEST)) for arm, _ in bars)
    across = spanning([sum(size for _, size in sizes) for _, sizes in bars], left, WIDTH - 10, zero=True)
    bottom = top + ROW * len(bars)
    parts += bottom_axis(across, bottom, label, top, 5)
    for index, (arm, sizes) in enumerate(bars):
        y, x = top + ROW * (index + 0.5), 0.0
        parts.append(text(2, y + 4, cut(arm.name, LONGEST)))
        for kind, size in sizes:
            if size > 0:
                parts.append(box(across.at(x), y - 11, across.at(x + size) - across.at(x), 22, kind))
            x += size
    return plot(bottom + 42, parts)


def roofline(arms: Sequence[Shown]) -> Plot | None:
    """Draw what each class of operators reaches beside the measured ceilings of the device."""
    counted = [(arm, one) for arm in arms if (one := arm.side.arm.accounting) is not None and _complete(one)]
    points = [(index, arm, *point) for index, (arm, one) in enumerate(counted) for point in _points(one)]
    if not points:
        return None
    ceilings = counted[0][1].ceilings
    assert ceilings is not None
    copy, peaks = (
        ceilings.copy_bytes_per_s,
        {name: value for name, value in ceilings.product_flops.items() if value > 0},
    )
    top = max([*peaks.values(), *(reached for *_, reached in points)])
    ridge = top / copy
    intensities = [place for *_, place, _ in points]
    left, bottom = 54.0, 250.0
    across = spanning([min([*intensities, 0.1]), max([*intensities, 2 * ridge])], left, WIDTH - 8, log=True)
    up = spanning([min(reached for *_, reached in points) / 2, top], bottom, 30, log=True)
    parts = [
        *left_axis(up, left, "operations per second", WIDTH - 8),
        *bottom_axis(across, bottom, "operations per byte, logarithmic", 24),
    ]
    parts += roof(across, up, copy, peaks)
    for index, _, name, place, reached in points:
        parts.append(dot(across.at(place), up.at(reached), arm_class(index), 5, 1.0, list(CLASSES).index(name)))
    shown = [(arm_class(index), cut(arm.name, LONGEST)) for index, (arm, _) in enumerate(counted[:6])]
    entries, below = legend(shown, bottom + 56)
    spread = max(ceilings.spread.values(), default=0.0)
    says = "Discs are products, convolutions and attention, squares element-wise operators, each in the time that a "
    says += f"trace gives it. The roof is measured: a copy of {quantity(copy, 'bytes/s')} and large products"
    says += f"; its rounds lay up to {100 * spread:.0f} % apart." if spread else "."
    return Plot("Roofline", plot(below, [*parts, *entries]), says, _roof_table(counted, points))


def _complete(one: Accounting) -> bool:
    return one.ceilings is not None and one.roofline is not None and one.ceilings.copy_bytes_per_s > 0


def _points(one: Accounting) -> list[tuple[str, float, float]]:
    """Return (class of operators, operations per byte, operations per second) for the classes that have all of it."""
    if one.roofline is None:
        return []
    counts = {"contractions": float(one.hardware_operations), "pointwise": float(sum(one.pointwise.values()))}
    found = []
    for name, count in counts.items():
        time_s = one.time_shares.get(name, 0.0) * one.roofline.step_s
        place = one.roofline.intensity.get(name, 0.0)
        if count > 0 and time_s > 0 and place > 0:
            found.append((name, place, count / time_s))
    return found


def roof(across: Scale, up: Scale, copy: float, peaks: dict[str, float]) -> list[str]:
    """Return the lines of measured ceilings: a copy, and products by number format."""
    parts, best = [], max(peaks.values(), default=up.high)
    slope: list[Point] = [(max(across.low, up.low / copy), max(up.low, across.low * copy)), (best / copy, best)]
    parts.append(path([(across.at(x), up.at(y)) for x, y in slope], "soft", 2))
    parts.append(text(across.at(slope[0][0]) + 6, up.at(slope[0][1]) - 14, "copy", kind="soft", size=11))
    last = None
    for name, peak in sorted(peaks.items(), key=lambda item: -item[1]):
        if peak < up.low:
            continue
        y = up.at(peak)
        parts.append(line((across.at(peak / copy), y), (across.end, y), "soft", 2))
        if last is None or y - last > 13:
            parts.append(text(across.end - 2, y - 5, name, anchor="end", kind="soft", size=11))
            last = y
    return parts


def _roof_table(
    counted: Sequence[tuple[Shown, Accounting]], points: Sequence[tuple[int, Shown, str, float, float]]
) -> Table:
    rows = [
        (arm.name, CLASSES[name], f"{number(place)} per byte", f"{reached:.4g} /s")
        for _, arm, name, place, reached in points
    ]
    for arm, one in counted:
        assert one.ceilings is not None
        assert one.roofline is not None
        for name, value in one.ceilings.product_flops.items():
            rows.append((arm.name, f"ceiling: {name} products", "", f"{value:.4g} /s"))
        rows.append((arm.name, "ceiling: copy", "", quantity(one.ceilings.copy_bytes_per_s, "bytes/s")))
        rows.append((arm.name, f"regime: {one.roofline.regime}", "", one.roofline.evidence))
    return table(("Arm", "Class", "Intensity", "Reached"), rows)


def operators(arms: Sequence[Shown]) -> Plot | None:
    """Draw the operators that most of a traced step goes to, of the first arm that was traced; the table has all."""
    traced = [
        (index, arm, one.operators)
        for index, arm in enumerate(arms)
        if (one := arm.side.arm.accounting) and one.operators
    ]
    if not traced:
        return None
    index, first, found = traced[0]
    largest = sorted(found.items(), key=lambda item: -item[1].share)[:MOST_OPERATORS]
    left = 10 + LETTER * max(len(cut(name, LONGEST_OPERATOR)) for name, _ in largest)
    across, bottom = (
        spanning([100 * each.share for _, each in largest], left, WIDTH - 40, zero=True),
        8 + 22.0 * len(largest),
    )
    parts = bottom_axis(across, bottom, "share of the traced time (%)", 4, 5)
    for row, (name, each) in enumerate(largest):
        y, end = 8 + 22 * (row + 0.5), across.at(100 * each.share)
        parts.append(text(2, y + 4, cut(name, LONGEST_OPERATOR), size=11.5))
        parts.append(box(left, y - 7, end - left, 14, arm_class(index)))
        parts.append(text(end + 5, y + 4, f"{100 * each.share:.1f} %", kind="soft", size=10.5))
    rows = [
        (arm.name, name, str(each.calls), seconds(each.self_time_s), f"{100 * each.share:.1f} %")
        for _, arm, known in traced
        for name, each in sorted(known.items(), key=lambda item: -item[1].share)
    ]
    says = f"One step of {first.name} under the profiler, in a pass of its own; the time is that inside each operator."
    heads = ("Arm", "Operator", "Calls", "Time inside", "Share")
    return Plot("Operators", plot(bottom + 42, parts), says, table(heads, rows))


def memory(arms: Sequence[Shown]) -> Plot | None:
    """Draw the peak of memory of every arm, with what weights, gradients and the optimizer's state take of it."""
    drawn = []
    for arm in arms:
        peak = value_of(arm.side.arm.performance.get("peak_memory"))
        if peak:
            stored = arm.side.arm.accounting.storage_bytes if arm.side.arm.accounting is not None else {}
            parts = {name: sum(stored.get(name, {}).values()) / MIB for name in STORED}
            drawn.append((arm, peak, parts))
    if not drawn:
        return None
    split = any(sum(parts.values()) for *_, parts in drawn)
    bars = [
        (
            arm,
            [
                *((f"phase{i + 2}", parts[name]) for i, name in enumerate(STORED)),
                ("phase7", max(0.0, peak - sum(parts.values()))),
            ],
        )
        for arm, peak, parts in drawn
    ]
    rest = "activations, libraries and caches" if split else "peak"
    entries = [(f"phase{i + 2}", name) for i, name in enumerate(STORED) if split] + [("phase7", rest)]
    heads = ("Arm", "Peak", *STORED) if split else ("Arm", "Peak")
    rows = [
        (arm.name, f"{number(peak)} MiB", *((f"{number(parts[name])} MiB" for name in STORED) if split else ()))
        for arm, peak, parts in drawn
    ]
    on_host = all(arm.side.system is not None and arm.side.system.device_kind == "processor" for arm, *_ in drawn)
    says = "The largest peak of a trial" + (
        ": of the whole process, interpreter and libraries included."
        if on_host
        else ", as the device's allocator tells it."
    )
    return Plot("Peak memory", _stacked(bars, entries, "MiB"), says, table(heads, rows))
