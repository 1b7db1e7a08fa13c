"""Step times: in the order of the run with what happened meanwhile, and how they are distributed."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from ....rules.case import Columns, Side
from ....rules.statistics.intervals import median, quantile
from ....runners.record.felt import STALLED
from ....schemas.evidence import Trial
from .drawing import WIDTH, Scale, area, arm_class, bottom_axis, box, cut, dots, line, path, plot, spanning, text
from .figures import Shown, number, seconds
from .plots import Plot, Table, table

COLUMN = "step_time_s"
GAP = 26.0
STRIPS = {1: 130.0, 2: 84.0, 3: 66.0}
"""Height of a strip by their number; more are as high as the lowest."""
MOST_STRIPS = 8
MOST_POINTS = 600
"""Steps of a strip beyond which stretches are drawn from their fastest to their slowest step."""
HELD = 0.5
"""Share of a stretch of time that a processor was waited for, above which it is marked."""
BINS = 60


@dataclass(frozen=True, slots=True)
class Lane:
    """The steps of one trial, and what is known of the time that they took.

    Attributes:
        trial: its id.
        times: seconds of each step.
        evaluations: steps after which the model was evaluated.
        held: steps (first, last) during which something held the trial up, and what.
    """

    trial: str
    times: tuple[float, ...]
    evaluations: tuple[int, ...]
    held: tuple[tuple[int, int, str], ...]

    @property
    def stalls(self) -> list[int]:
        """The steps that took more than twice the median."""
        usual = median(self.times)
        return [step for step, value in enumerate(self.times) if value > STALLED * usual]


def lanes(side: Side, kind: str) -> tuple[Lane, ...]:
    """Return the trials of a kind that have step times, in the order in which they ran."""
    found = []
    for name, trial, columns in side.raw(kind):
        times = tuple(float(value) for value in columns.get(COLUMN, ()) if 0 < value < math.inf)
        if times:
            steps = tuple(one.step for one in trial.evaluations if one.step is not None and 0 < one.step <= len(times))
            found.append((trial.order or 0, Lane(name, times, steps, tuple(_held(side, trial, times)))))
    return tuple(lane for _, lane in sorted(found, key=lambda item: item[0]))


def _held(side: Side, trial: Trial, times: Sequence[float]) -> Iterator[tuple[int, int, str]]:
    """Yield stretches of steps while clocks were held down or the trial waited for a processor.

    The readings begin with the timed steps, so that a moment of theirs is a step by the sum of the times before it.
    """
    columns = side.readings(trial)
    at = columns.get("time_s", ())
    ends = list(accumulate(times))
    for first, last, why in _moments(columns, at):
        begins, stops = bisect_right(ends, first), bisect_right(ends, last)
        if begins < len(times):
            yield begins, min(stops, len(times) - 1), why


def _moments(columns: Columns, at: Sequence[float]) -> Iterator[tuple[float, float, str]]:
    for name, values in columns.items():
        if len(values) != len(at):
            continue
        if name.startswith(("throttle_thermal", "throttle_power_brake")):
            spans = ((a, b) for (a, b), value in zip(pairwise(at), values, strict=False) if value > 0)
            yield from ((a, b, "throttled") for a, b in spans)
        elif name in ("cpu_pressure_s", "quota_s"):
            why = "throttled" if name == "quota_s" else "waited for a processor"
            for (a, b), (before, after) in zip(pairwise(at), pairwise(values), strict=True):
                if b > a and (after - before) / (b - a) > HELD:
                    yield a, b, why


def in_order(arms: Sequence[Shown]) -> Plot | None:
    """Draw the timed steps of every arm in the order of its trials, stalls and throttling marked."""
    strips = [(arm, found) for arm in arms if (found := lanes(arm.side, "throughput"))]
    return _series("Step times in the order of the run", strips, evaluated=False)


def of_training(arms: Sequence[Shown]) -> Plot | None:
    """Draw the steps of each arm's first training run, with its evaluations."""
    strips = [(arm, found[:1]) for arm in arms if (found := lanes(arm.side, "convergence"))]
    return _series("Step times of a training run", strips, evaluated=True)


def _series(title: str, strips: Sequence[tuple[Shown, Sequence[Lane]]], *, evaluated: bool) -> Plot | None:
    if not strips:
        return None
    kept = strips[:MOST_STRIPS]
    longest = max(sum(len(lane.times) for lane in found) for _, found in kept)
    across = Scale(0.0, float(max(longest, 2)), 44, WIDTH - 6)
    parts: list[str] = []
    high = _height(len(kept))
    for index, (arm, found) in enumerate(kept):
        parts += _strip(arm, found, index, 8 + index * (high + GAP), across, high)
    bottom = 8 + len(kept) * (high + GAP) - 6
    parts += bottom_axis(across, bottom, "step", bottom, 6)
    words = ["Triangles mark stalls, steps of more than twice the median"]
    words += ["dashed lines evaluations"] if evaluated else []
    held = {why for _, found in kept for lane in found for *_, why in lane.held}
    words += (
        [f"the bar below a strip time in which the trial {' or was '.join(sorted(held, reverse=True))}"] if held else []
    )
    says = "; ".join(words) + "." + (" Thin lines part the trials." if not evaluated else "")
    if len(strips) > len(kept):
        says += f" {len(strips) - len(kept)} more arms are in the table."
    return Plot(title, plot(bottom + 42, parts), says, _series_table(strips, evaluated=evaluated))


def _height(strips: int) -> float:
    return STRIPS.get(strips, 58.0)


def _strip(arm: Shown, found: Sequence[Lane], index: int, top: float, across: Scale, high: float) -> list[str]:
    every = [value for lane in found for value in lane.times]
    usual, kind = median(every), arm_class(index)
    up = Scale(0.0, max(min(max(every), 3 * max(usual, quantile(every, 0.9))), usual * 1.5), top + high, top + 20)
    parts = [
        text(44, top + 10, cut(arm.name, 40), size=11.5),
        text(WIDTH - 6, top + 10, f"median {seconds(usual)}", anchor="end", kind="soft", size=11),
        line((44, up.start), (WIDTH - 6, up.start), "grid", 0.75),
        line((44, up.at(usual)), (WIDTH - 6, up.at(usual)), "grid", 0.75),
        text(40, up.at(usual) + 4, seconds(usual), anchor="end", kind="soft", size=9.5),
    ]
    first = 0
    for lane in found:
        if first:
            parts.append(line((across.at(first), top + 14), (across.at(first), up.start), "grid", 1))
        parts += _lane(lane, first, kind, across, up)
        first += len(lane.times)
    return parts


def _lane(lane: Lane, first: int, kind: str, across: Scale, up: Scale) -> list[str]:
    parts = []
    for begins, stops, why in lane.held:
        x = across.at(first + begins)
        colour = "fail" if why == "throttled" else "caveats"
        parts.append(box(x, up.start + 1, max(1.0, across.at(first + stops + 1) - x), 4, colour, 0.8))
    evaluated = [across.at(first + step) for step in lane.evaluations]
    parts += [line((x, up.end - 2), (x, up.start), "soft", 1, "2 2") for x in evaluated]
    if len(lane.times) <= MOST_POINTS:
        points = [(across.at(first + step), up.at(value)) for step, value in enumerate(lane.times)]
        parts.append(path(points, kind, 1.2) if len(points) > 1 else dots(points, kind))
    else:
        parts += _stretches(lane, first, kind, across, up)
    marks = {round(across.at(first + step)): None for step in lane.stalls}
    parts += [area([(x - 3, up.end - 6), (x + 3, up.end - 6), (x, up.end)], "fail") for x in marks]
    return parts


def _stretches(lane: Lane, first: int, kind: str, across: Scale, up: Scale) -> list[str]:
    """Draw a long trial: of each stretch of steps the range as a band and the median as a line."""
    size = math.ceil(len(lane.times) / (MOST_POINTS // 3))
    cuts = [lane.times[at : at + size] for at in range(0, len(lane.times), size)]
    places = [across.at(first + (at + 0.5) * size) for at in range(len(cuts))]
    band = [(x, up.at(max(one))) for x, one in zip(places, cuts, strict=True)]
    band += [(x, up.at(min(one))) for x, one in zip(reversed(places), reversed(cuts), strict=True)]
    middle = [(x, up.at(median(one))) for x, one in zip(places, cuts, strict=True)]
    return [area(band, kind, 0.3), path(middle, kind, 1.4)]


def _series_table(strips: Sequence[tuple[Shown, Sequence[Lane]]], *, evaluated: bool) -> Table:
    rows = []
    for arm, found in strips:
        for lane in found:
            tenth = max(1, len(lane.times) // 10)
            ends = median(lane.times[:tenth]), median(lane.times[-tenth:])
            held = sum(stops - begins + 1 for begins, stops, _ in lane.held)
            of_run = (arm.name, lane.trial, str(len(lane.times)), seconds(median(lane.times)), seconds(max(lane.times)))
            extra = (str(len(lane.evaluations)),) if evaluated else ()
            rows.append((*of_run, *map(seconds, ends), str(len(lane.stalls)), str(min(held, len(lane.times))), *extra))
    heads = ("Arm", "Trial", "Steps", "Median", "Slowest", "First tenth", "Last tenth", "Stalls", "Held up, steps")
    return table((*heads, "Evaluations") if evaluated else heads, rows)


def distribution(arms: Sequence[Shown]) -> Plot | None:
    """Draw how the step times of every arm are distributed, with percentiles."""
    pooled = [(arm, [v for lane in lanes(arm.side, "throughput") for v in lane.times]) for arm in arms]
    pooled = [(arm, values) for arm, values in pooled if len(values) >= 2]
    if not pooled:
        return None
    kept = pooled[:MOST_STRIPS]
    high = max(quantile(values, 0.995) for _, values in kept)
    low = min(min(values) for _, values in kept)
    wide = high > 8 * low
    unit, factor = _unit(median(kept[0][1]))
    across = spanning([low * factor, high * factor], 8, WIDTH - 8, log=wide)
    parts: list[str] = []
    tall = _height(len(kept))
    bottom = 6 + len(kept) * (tall + GAP)
    parts += bottom_axis(across, bottom, f"step time ({unit}{', logarithmic' if wide else ''})", 8)
    for index, (arm, values) in enumerate(kept):
        parts += _ridge(arm, [value * factor for value in values], index, 6 + index * (tall + GAP), across, tall)
    says = "The height is how many steps took so long; ticks below are the median, the 90th and the 99th percentile."
    beyond = sum(value > high for _, values in kept for value in values)
    says += f" {beyond} slower steps lie beyond the right edge." if beyond else ""
    return Plot("Distribution of step times", plot(bottom + 42, parts), says, _percentiles(pooled))


def _ridge(arm: Shown, values: Sequence[float], index: int, top: float, across: Scale, tall: float) -> list[str]:
    floor, kind = top + tall + 6, arm_class(index)
    width = (across.end - across.start) / BINS
    counts = [0] * BINS
    inside = [value for value in values if value <= across.high]
    for value in inside:
        counts[min(BINS - 1, int((across.at(value) - across.start) / width))] += 1
    tallest = max(counts) or 1
    heights = [(tall - 18) * count / tallest for count in counts]
    outline = [(across.start, floor)]
    for place, height in enumerate(heights):
        x = across.start + place * width
        outline += [(x, floor - height), (x + width, floor - height)]
    outline.append((across.end, floor))
    parts = [area(outline, kind, 0.45), path(outline, kind, 1.2)]
    for share, words in ((0.5, "p50"), (0.9, "p90"), (0.99, "p99")):
        x = across.at(quantile(values, share))
        parts.append(line((x, floor), (x, floor + 6), "ink", 1.5 if share == 0.5 else 1))
        if share != 0.9:
            parts.append(text(x, floor + 16, words, anchor="middle", kind="soft", size=9.5))
    tail = f"p99 / p50 = {number(quantile(values, 0.99) / median(values), 3)}"
    parts += [
        text(8, top + 10, cut(arm.name, 40), size=11.5),
        text(WIDTH - 6, top + 10, tail, anchor="end", kind="soft", size=11),
    ]
    return parts


def _unit(value: float) -> tuple[str, float]:
    return ("s", 1.0) if value >= 1 else ("ms", 1e3) if value >= 1e-3 else ("µs", 1e6)


def _percentiles(pooled: Sequence[tuple[Shown, Sequence[float]]]) -> Table:
    rows = []
    for arm, values in pooled:
        found = [seconds(quantile(values, share)) for share in (0.5, 0.9, 0.99)]
        rows.append((arm.name, str(len(values)), seconds(min(values)), *found, seconds(max(values))))
    return table(("Arm", "Steps", "Fastest", "p50", "p90", "p99", "Slowest"), rows)
