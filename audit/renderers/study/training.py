"""Training: quality against samples and time, and what it takes to get to the target."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import isfinite

from ....rules.facts.training.convergence import HELD_OUT
from ....schemas.evidence import Evaluation
from .drawing import (
    LETTER,
    WIDTH,
    arm_class,
    bottom_axis,
    box,
    cut,
    dot,
    dots,
    left_axis,
    legend,
    line,
    path,
    plot,
    spanning,
    text,
)
from .figures import Shown, bounds_of, number, quantity, value_of
from .plots import Plot, table

ROW = 30.0
LONGEST = 18
DASHES = ("", "6 3", "2 2", "8 3 2 3")


@dataclass(frozen=True, slots=True)
class Run:
    """One training run: (x, value) at each evaluation."""

    index: int
    arm: Shown
    trial: str
    points: tuple[tuple[float, float], ...]


def quality(arms: Sequence[Shown]) -> Iterator[Plot]:
    """Yield quality against training samples, and against training time where the runs state it."""
    metric = next(filter(None, (_metric(arm) for arm in arms)), None)
    if metric is None:
        return
    axes: tuple[tuple[str, Callable[[Evaluation], float | None]], ...] = (
        ("training samples", lambda one: one.samples),
        ("training time (s)", lambda one: one.time_s),
    )
    for against, x in axes:
        runs = [run for index, arm in enumerate(arms) for run in _runs(index, arm, metric, x)]
        if any(len(run.points) > 1 for run in runs):
            yield _curves(metric, against, runs, _target(arms, metric))


def _metric(arm: Shown) -> str | None:
    if arm.side.arm.target is not None:
        return arm.side.arm.target.metric
    found = (name for trial in arm.side.arm.trials.values() for one in trial.evaluations for name in one.metrics)
    return next(found, None)


def _target(arms: Sequence[Shown], metric: str) -> float | None:
    bounds = {float(target.value) for arm in arms if (target := arm.side.arm.target) and target.metric == metric}
    return bounds.pop() if len(bounds) == 1 else None


def _runs(index: int, arm: Shown, metric: str, x: Callable[[Evaluation], float | None]) -> Iterator[Run]:
    for name, trial in arm.side.arm.trials.items():
        held_out = [one for one in trial.evaluations if one.split in HELD_OUT]
        pairs = [(x(one), one.metrics.get(metric)) for one in held_out]
        points = tuple((a, b) for a, b in pairs if a is not None and b is not None and isfinite(a) and isfinite(b))
        if points:
            yield Run(index, arm, name, points)


def _curves(metric: str, against: str, runs: Sequence[Run], target: float | None) -> Plot:
    left, bottom = 48.0, 236.0
    values = [y for run in runs for _, y in run.points] + ([target] if target is not None else [])
    across = spanning([x for run in runs for x, _ in run.points], left, WIDTH - 10, zero=True, margin=0.03)
    up = spanning(values, bottom, 30)
    name = cut(metric, 40)
    parts = [*left_axis(up, left, name, WIDTH - 10), *bottom_axis(across, bottom, against, 24)]
    if target is not None:
        parts.append(line((left, up.at(target)), (WIDTH - 10, up.at(target)), "soft", 1.2, "5 4"))
        parts.append(text(left + 4, up.at(target) - 5, f"target {target:g}", kind="soft", size=11))
    for run in runs:
        places = [(across.at(x), up.at(y)) for x, y in run.points]
        parts.append(path(places, arm_class(run.index), 1.4, DASHES[run.index // 6 % 4], 0.85))
        parts.append(dots(places, arm_class(run.index), 4.5, 0.9))
    shown = {run.index: cut(run.arm.name, LONGEST) for run in runs}
    entries, below = legend([(arm_class(index), words) for index, words in list(shown.items())[:12]], bottom + 56)
    rows = [(run.arm.name, run.trial, number(x, 6), number(y)) for run in runs for x, y in run.points]
    says = "A line is one training run, a dot an evaluation on held-out data."
    found = table(("Arm", "Run", against.capitalize(), name), rows)
    return Plot(
        f"{name[:1].upper()}{name[1:]} against {against.partition(' (')[0]}",
        plot(below, [*parts, *entries]),
        says,
        found,
    )


def to_target(arms: Sequence[Shown]) -> Iterator[Plot]:
    """Yield time and energy to the target, and work per joule, where arms state them."""
    for metric, title, per_run in (
        ("time_to_target", "Time to target, in steps", "time_s"),
        ("wall_time_to_target", "Wall time to target", "wall_time_s"),
        ("energy_to_target", "Energy to target", ""),
        ("training_energy_to_target", "Energy to target, in steps", ""),
        ("wall_cost_to_target", "Cost of the wall time to target", ""),
        ("work_per_joule", "Work per joule", ""),
    ):
        found = _bars(arms, metric, title, per_run)
        if found is not None:
            yield found


def _bars(arms: Sequence[Shown], metric: str, title: str, per_run: str) -> Plot | None:
    stated = [(index, arm, arm.side.arm.performance.get(metric)) for index, arm in enumerate(arms)]
    drawn = [(index, arm, one, value) for index, arm, one in stated if one is not None and (value := value_of(one))]
    units = {one.unit for _, _, one, _ in drawn}
    if len(units) != 1:
        return None
    unit = units.pop()
    runs = {arm.name: _crossings(arm, per_run) for _, arm, _, _ in drawn}
    bounds = {arm.name: bounds_of(one) for _, arm, one, _ in drawn}
    every = [value for *_, value in drawn] + [value for found in runs.values() for value in found]
    every += [value for pair in bounds.values() if pair is not None for value in pair if value < 4 * max(every)]
    left = 10 + LETTER * max(len(cut(arm.name, LONGEST)) for _, arm, _, _ in drawn)
    across, bottom = spanning(every, left, WIDTH - 12, zero=True), 12 + ROW * len(drawn)
    parts = bottom_axis(across, bottom, unit, 6)
    for row, (index, arm, _, value) in enumerate(drawn):
        y, kind, pair = 12 + ROW * (row + 0.5), arm_class(index), bounds[arm.name]
        parts.append(text(2, y + 4, cut(arm.name, LONGEST)))
        if pair is not None:
            parts.append(box(across.at(pair[0]), y - 3, across.at(pair[1]) - across.at(pair[0]), 6, kind, 0.35))
        parts.append(dots([(across.at(one), y) for one in runs[arm.name]], kind, 6, 0.65))
        parts.append(
            line((across.at(value), y - 9), (across.at(value), y + 9), kind, 2.5)
            if pair or runs[arm.name]
            else dot(across.at(value), y, kind, 5)
        )
    says = (
        "Each dot is a run, the tick the median, the band its interval."
        if per_run
        else "The tick is the median over trials, the band its interval."
    )
    missed = [f"{len(found)} of {total} of {name}" for name, found, total in _missed(arms, runs) if per_run]
    says += f" Runs that reached it: {', '.join(missed)}." if missed else ""
    rows = [
        (
            arm.name,
            quantity(value, unit),
            f"{number(pair[0])} to {number(pair[1])}" if (pair := bounds[arm.name]) else "",
            ", ".join(map(number, runs[arm.name])),
        )
        for _, arm, _, value in drawn
    ]
    return Plot(title, plot(bottom + 42, parts), says, table(("Arm", "Median", "Interval", "Runs"), rows))


def _crossings(arm: Shown, field: str) -> list[float]:
    if not field:
        return []
    found = (getattr(trial.crossing, field) for trial in arm.side.arm.trials.values() if trial.crossing is not None)
    return [float(value) for value in found if value is not None]


def _missed(arms: Sequence[Shown], runs: dict[str, list[float]]) -> Iterator[tuple[str, list[float], int]]:
    for arm in arms:
        total = sum(trial.kind == "convergence" for trial in arm.side.arm.trials.values())
        if arm.name in runs and len(runs[arm.name]) < total:
            yield arm.name, runs[arm.name], total
