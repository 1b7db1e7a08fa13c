"""The picture of a study: its numbers first, then what differs between the arms, then the plots."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from ....rules.case import Case
from .. import evidence
from . import inside, service, service_work, speed, steps, sweep, trade_off, training
from .figures import Shown, bounds_of, has_baseline, number, quantity, seconds, shown, value_of
from .plots import Plot, Table

Told = tuple[str, str]
"""A number, and in small type what stands below it; both empty where there is none."""
TURNED = 4
"""Arms up to which they stand side by side, which fits a phone; more are rows."""
MOST_OPTIONS = 12
"""Options that stand side by side where the arms are rows."""


@dataclass(frozen=True, slots=True)
class Head:
    """One arm in the table that the page opens with."""

    name: str
    label: str
    note: str
    cells: tuple[Told, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """What the page shows of a study.

    Attributes:
        heads: headings of the numbers.
        arms: the arms with their numbers, the baseline first.
        left_out: how many further arms there are.
        differing: the options in which the arms differ, turned as the numbers are.
        alike: how many options are the same in all arms.
        groups: plots under their headings.
        turned: whether the arms are the columns of the numbers.
        busy: how many trials lost more than a twentieth of their time to others; empty where none did.
    """

    heads: tuple[str, ...]
    arms: tuple[Head, ...]
    left_out: int
    differing: Table | None
    alike: int
    groups: tuple[tuple[str, tuple[Plot, ...]], ...]
    turned: bool
    busy: str


def picture(case: Case) -> Picture | None:
    """Return the picture of the studies that a case cites; None where no trial of theirs completed."""
    arms, left_out = shown(case)
    if not any(trial.outcome == "completed" for arm in arms for trial in arm.side.arm.trials.values()):
        return None
    base = has_baseline(case)
    against = f"Against {'the baseline' if base else arms[0].name}"
    told = [(head or against, [cell(arm) for arm in arms]) for head, cell in COLUMNS]
    columns = [(head, cells) for head, cells in told if any(cell != NOTHING for cell in cells)]
    heads = tuple(
        Head(
            arm.name,
            arm.side.arm.label if arm.side.arm.label not in (None, arm.name) else "",
            "baseline" if base and index == 0 else "",
            tuple(cells[index] for _, cells in columns),
        )
        for index, arm in enumerate(arms)
    )
    differing, alike = _options(arms)
    groups = tuple((title, plots) for title, plots in _groups(arms) if plots)
    return Picture(
        tuple(head for head, _ in columns), heads, left_out, differing, alike, groups, len(heads) <= TURNED, _busy(arms)
    )


def _busy(arms: Sequence[Shown]) -> str:
    disturbed, told = sum(arm.disturbed[0] for arm in arms), sum(arm.disturbed[1] for arm in arms)
    if not disturbed:
        return ""
    each = ", ".join(f"{arm.disturbed[0]} of {arm.name}" for arm in arms if arm.disturbed[0])
    return f"{disturbed} of {told} trials" + (f" ({each})" if len(arms) <= TURNED and disturbed < told else "")


def _options(arms: Sequence[Shown]) -> tuple[Table | None, int]:
    """Return the options that differ, as rows for few arms and as columns for many, and how many do not."""
    grids = evidence.option_grids([arm.side for arm in arms])
    if not grids:
        return None, 0
    differing = [row.label for row in grids[0].rows if row.differs and not row.label.startswith("digest")]
    alike = sum(not row.differs for row in grids[0].rows)
    if not differing:
        return None, alike
    rows = {label: tuple(_cells(grids, label)) for label in differing}
    names = tuple(arm.name for arm in arms)
    if len(arms) <= TURNED:
        return Table(("Option", *names), tuple((label, *found) for label, found in rows.items())), alike
    side_by_side = differing[:MOST_OPTIONS]
    lines = tuple((name, *(rows[label][index] for label in side_by_side)) for index, name in enumerate(names))
    return Table(("Arm", *side_by_side), lines, len(differing) - len(side_by_side)), alike


def _cells(grids: Sequence[evidence.Grid], label: str) -> Iterator[str]:
    for grid in grids:
        yield from next(row.cells for row in grid.rows if row.label == label)


def _groups(arms: Sequence[Shown]) -> Iterator[tuple[str, tuple[Plot, ...]]]:
    yield "", _there(speed.against_baseline(arms), sweep.along(arms), trade_off.trade_off(arms))
    yield "Requests", (*service.plots(arms), *_there(service_work.roofline(arms)))
    yield "Steps", _there(steps.in_order(arms), steps.distribution(arms), steps.of_training(arms))
    yield (
        "Inside a step",
        _there(inside.phases(arms), inside.roofline(arms), inside.operators(arms), inside.memory(arms)),
    )
    yield "Training", (*training.quality(arms), *training.to_target(arms))


def _there(*plots: Plot | None) -> tuple[Plot, ...]:
    return tuple(plot for plot in plots if plot is not None)


NOTHING: Told = ("", "")
Cell = Callable[[Shown], Told]


def _rate(arm: Shown) -> Told:
    value, bounds = value_of(arm.speed), bounds_of(arm.speed)
    if value is None or arm.speed is None:
        return NOTHING
    return quantity(value, arm.speed.unit), f"{number(bounds[0])} to {number(bounds[1])}" if bounds is not None else ""


def _ratio(arm: Shown) -> Told:
    if arm.ratio is None:
        return NOTHING
    value, interval = arm.ratio
    return f"{value:.3g}×", f"{interval.lower:.3g} to {interval.upper:.3g}" if interval is not None else ""


def _stated(name: str, arm: Shown) -> Told:
    metric = arm.side.arm.performance.get(name)
    value = value_of(metric)
    return (quantity(value, metric.unit), "") if metric is not None and value is not None else NOTHING


def _lasting(name: str, arm: Shown) -> Told:
    value = value_of(arm.side.arm.performance.get(name))
    return (seconds(value), "") if value else NOTHING


def _percentiles(arm: Shown) -> Told:
    metric = arm.side.arm.performance.get("step_time")
    found = metric.summary.percentiles if metric is not None and metric.summary is not None else {}
    known = [(name, seconds(float(found[name]))) for name in ("50", "90", "99") if name in found]
    if not known:
        return NOTHING
    return known[0][1], ", ".join(f"p{name} {value}" for name, value in known[1:])


def _latency(name: str, arm: Shown) -> Told:
    metric = arm.side.arm.performance.get(name)
    value = value_of(metric)
    if metric is None or metric.summary is None or value is None or metric.scope != "request":
        return NOTHING
    told = metric.summary.percentiles
    return seconds(value), ", ".join(f"p{one} {seconds(float(told[one]))}" for one in ("90", "99") if one in told)


def _requests(arm: Shown) -> Told:
    metric = arm.side.arm.performance.get("rate")
    if metric is None or metric.n is None or metric.n.unit != "request":
        return NOTHING
    return f"{metric.n.completed} of {metric.n.planned}", f"{metric.n.failed} failed" if metric.n.failed else ""


def _stalled(arm: Shown) -> Told:
    share = arm.side.arm.measurement.stall_share if arm.side.arm.measurement is not None else None
    return (f"{100 * share:.1f} %", "") if share is not None else NOTHING


def _to_target(name: str, arm: Shown) -> Told:
    metric = arm.side.arm.performance.get(name)
    value, bounds = value_of(metric), bounds_of(metric)
    if metric is None or metric.n is None:
        return NOTHING
    reached = f"{metric.n.completed} of {metric.n.planned} runs"
    if value is None:
        return "missed", reached
    return f"{number(value)} s", f"{number(bounds[0])} to {number(bounds[1])}; {reached}" if bounds else reached


def _quality(arm: Shown) -> Told:
    found = [one for one in arm.side.arm.quality.values() if one.value is not None]
    return (f"{number(float(found[0].value or 0))}", found[0].metric[:40]) if found else NOTHING


def _trials(arm: Shown) -> Told:
    timed = [one for one in arm.side.arm.trials.values() if one.kind in ("throughput", "convergence")]
    return f"{sum(one.outcome == 'completed' for one in timed)} of {len(timed)}", ""


COLUMNS: tuple[tuple[str, Cell], ...] = (
    ("Rate", _rate),
    ("", _ratio),
    ("Sustained rate", partial(_stated, "sustained_rate")),
    ("Step", _percentiles),
    ("First token", partial(_latency, "ttft")),
    ("Per output token", partial(_latency, "tpot")),
    ("Request", partial(_latency, "latency")),
    ("Goodput", partial(_stated, "goodput")),
    ("Requests answered", _requests),
    ("Time in stalls", _stalled),
    ("Time to target, in steps", partial(_to_target, "time_to_target")),
    ("Without communication", partial(_to_target, "compute_time_to_target")),
    ("Wall time to target", partial(_to_target, "wall_time_to_target")),
    ("Quality", _quality),
    ("First epoch", partial(_lasting, "first_epoch_time")),
    ("Later epochs", partial(_lasting, "steady_epoch_time")),
    ("Model FLOP/s", partial(_stated, "model_flops")),
    ("MFU", partial(_stated, "mfu")),
    ("Peak memory", partial(_stated, "peak_memory")),
    ("Work per joule", partial(_stated, "work_per_joule")),
    ("Energy per request", partial(_stated, "energy_per_request")),
    ("Energy per token", partial(_stated, "energy_per_token")),
    ("Energy to target", partial(_stated, "energy_to_target")),
    ("Energy to target, in steps", partial(_stated, "training_energy_to_target")),
    ("Cost to target, in steps", partial(_stated, "cost_to_target")),
    ("Cost of the wall time to target", partial(_stated, "wall_cost_to_target")),
    ("Trials completed", _trials),
)
