"""The evidence of a case, arranged for reading: things side by side, knobs, raw samples and curves."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite

from ...rules.case import Case, Side
from ...rules.facts.comparison.options import CLASS_OF, Same, class_of, flat, printed, same_value
from ...rules.facts.training.convergence import HELD_OUT
from ...rules.statistics.intervals import median, quantile
from ...schemas.conditions import Control
from ...schemas.evidence import Evaluation
from ...schemas.model import Node, NotApplicable
from ..series_flags import in_words
from .charts import Curve, Strip

ARMS_LIMIT = 12
COLUMNS_LIMIT = 4
ROWS_LIMIT = 80
CHART_TRIALS_LIMIT = 40
DRAWABLE = 1e30
GROUPS = {
    "HARD": "What is computed",
    "STAT": "Statistics of training",
    "RECIPE": "Recipe",
    "LAYOUT": "Layout: how it is spread over devices",
    "COSMETIC": "Without influence",
    "": "Further options",
}


@dataclass(frozen=True, slots=True)
class Row:
    """One property of several things.

    Attributes:
        label: the property in words.
        cells: a text per thing; empty where it is not stated.
        differs: whether two things state different values.
        group: heading that the row stands under, or empty.
    """

    label: str
    cells: tuple[str, ...]
    differs: bool = False
    group: str = ""


@dataclass(frozen=True, slots=True)
class Grid:
    """Things side by side: one heading and a cell in every row for each."""

    caption: str
    heads: tuple[str, ...]
    rows: tuple[Row, ...]
    more: int = 0


@dataclass(frozen=True, slots=True)
class Knob:
    """What happened to one knob of the environment, where the same happened, and how it was seen."""

    name: str
    where: str
    control: Control
    evidence: str


@dataclass(frozen=True, slots=True)
class TrialLine:
    """One trial in figures; texts are empty where there is nothing."""

    arm: str
    trial: str
    kind: str
    seed: str
    outcome: str
    n: str = ""
    middle: str = ""
    quartiles: str = ""
    crossing: str = ""
    flags: str = ""


@dataclass(frozen=True, slots=True)
class Samples:
    """Raw values of one column over all trials."""

    column: str
    strips: tuple[Strip, ...]
    trials: int


@dataclass(frozen=True, slots=True)
class Progress:
    """Quality along training for one metric of one benchmark, and the target where all arms share one."""

    benchmark: str
    metric: str
    split: str
    against: str
    curves: tuple[Curve, ...]
    target: float | None
    trials: int


def arms(case: Case) -> tuple[tuple[Side, ...], int]:
    """Return the arms to show, those that claims name first, and how many are left out."""
    first = [side for claim in case.submission.claims.values() for side in (case.subject(claim), case.base(claim))]
    order = {side.id: side for side in (*filter(None, first), *case.sides())}
    sides = tuple(order.values())
    return sides[:ARMS_LIMIT], max(0, len(sides) - ARMS_LIMIT)


def option_grids(sides: Sequence[Side]) -> tuple[Grid, ...]:
    """Return the option sets side by side, a row per key that any arm states, at most four arms a table."""
    stated = [flat(side.arm.options) for side in sides]
    seen = [flat(side.arm.observed) for side in sides]
    extra = [dict(side.arm.options.extra) if side.arm.options is not None else {} for side in sides]
    rows = []
    for key in CLASS_OF:
        values = [options[key] for options in stated if key in options]
        if values or any(key in options for options in seen):
            cells = tuple(_declared(key, one, other) for one, other in zip(stated, seen, strict=True))
            differs = any(same_value(key, values[0], value) is Same.DIFFERENT for value in values[1:])
            rows.append(Row(words(key), cells, differs, GROUPS[class_of(key)]))
    rows += [Row(row.label, row.cells, row.differs, GROUPS[""]) for row in _rows(extra)]
    digests = tuple(side.arm.option_set or "" for side in sides)
    if any(digests):
        rows.append(Row("digest of the option set", digests, _differ(digests), GROUPS[""]))
    return _split("Options as stated; ≠ marks those that differ", tuple(_head(side) for side in sides), rows)


def _declared(key: str, stated: Mapping[str, object], seen: Mapping[str, object]) -> str:
    """Return a stated option, with what was observed where that is something else."""
    text = printed(stated[key]) if key in stated else ""
    if key not in seen or (key in stated and same_value(key, stated[key], seen[key]) is Same.EQUAL):
        return text
    return f"{text or 'not stated'}; observed {printed(seen[key])}"


def _head(side: Side) -> str:
    return f"{side.id}: {side.arm.label}" if side.arm.label else side.id


def grids(sides: Sequence[Side]) -> tuple[Grid, ...]:
    """Return systems, measurement, operations, software and environment, each with equal arms in one column."""
    systems = {
        (side.study.id if side.study else "", side.arm.system): (side.arm.system or "", leaves(side.system))
        for side in sides
        if side.system is not None
    }
    found = [
        *_merged("Systems", list(systems.values())),
        *_merged("Measurement", [(side.id, leaves(side.arm.measurement)) for side in sides]),
        *_merged("Operations", [(side.id, _operations(side)) for side in sides]),
        *_merged("Timed trials beside training runs", [(side.id, leaves(side.arm.splice)) for side in sides]),
        *_merged("Software", [(side.id, leaves(side.arm.software)) for side in sides]),
        *_merged("Environment", [(side.id, leaves(side.arm.environment)) for side in sides]),
    ]
    return tuple(grid for grid in found if grid.rows)


def _operations(side: Side) -> dict[str, str]:
    return leaves(side.arm.operations) | leaves(side.arm.accounting)


def _merged(caption: str, things: Sequence[tuple[str, dict[str, str]]]) -> tuple[Grid, ...]:
    groups: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for name, values in things:
        if values:
            groups.setdefault(tuple(values.items()), []).append(name)
    rows = _without_packages(_rows([dict(values) for values in groups]))
    return _split(caption, tuple(", ".join(names) for names in groups.values()), rows)


def _without_packages(rows: Sequence[Row]) -> list[Row]:
    """Count the packages that do not differ, where listing them would hide everything else."""
    equal = [row for row in rows if row.label.startswith("packages, ") and not row.differs]
    kept = [row for row in rows if row not in equal]
    if equal:
        counts = (sum(bool(row.cells[column]) for row in equal) for column in range(len(equal[0].cells)))
        label = "packages that do not differ" if len(equal[0].cells) > 1 else "packages"
        kept.append(Row(label, tuple(str(count) for count in counts)))
    return kept


def _rows(things: Sequence[Mapping[str, object]]) -> list[Row]:
    keys = dict.fromkeys(key for thing in things for key in thing)
    cells = {key: tuple(printed(thing[key]) if key in thing else "" for thing in things) for key in keys}
    return [Row(key, row, _differ(row)) for key, row in cells.items()]


def _differ(cells: Iterable[str]) -> bool:
    return len({cell for cell in cells if cell}) > 1


def _split(caption: str, heads: tuple[str, ...], rows: Sequence[Row]) -> tuple[Grid, ...]:
    """Cut a table that is too wide or too long for a page; rows that differ outlive those that do not."""
    kept = sorted(range(len(rows)), key=lambda index: (not rows[index].differs, index))[:ROWS_LIMIT]
    chosen = [rows[index] for index in sorted(kept)]
    starts = range(0, len(heads), COLUMNS_LIMIT) if chosen else ()
    return tuple(
        Grid(
            caption if at == 0 else f"{caption}, continued",
            heads[at : at + COLUMNS_LIMIT],
            tuple(Row(row.label, row.cells[at : at + COLUMNS_LIMIT], row.differs, row.group) for row in chosen),
            len(rows) - len(chosen),
        )
        for at in starts
    )


def leaves(node: Node | None) -> dict[str, str]:
    """Return everything a node states, as words and texts; knobs have a table of their own."""
    return dict(_leaves(node, "")) if node is not None else {}


def _leaves(node: Node, before: str) -> Iterator[tuple[str, str]]:
    for name in node.__struct_fields__:
        value = getattr(node, name)
        if name in {"at", "controls"} or value is None or value == () or value == {}:
            continue
        yield from _leaf(f"{before}{words(name)}", value)


def _leaf(label: str, value: object) -> Iterator[tuple[str, str]]:
    if isinstance(value, NotApplicable):
        yield label, f"not applicable: {value.not_applicable}"
    elif isinstance(value, Node):
        yield from _leaves(value, f"{label}, ")
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _leaf(f"{label}, {key}", item)
    elif isinstance(value, tuple):
        yield label, ", ".join(plain(item) for item in value)
    else:
        yield label, plain(value)


def plain(value: object) -> str:
    """Return a value as a reader writes it; empty where there is none."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


_UNITS = (("_bytes_per_s", "bytes/s"), ("_gib", "GiB"), ("_mhz", "MHz"), ("_bytes", "bytes"), ("_s", "s"), ("_w", "W"))


def words(name: str) -> str:
    """Return the words of a field's name, its unit in brackets: `power_limit_w` is "power limit (W)"."""
    for suffix, unit in _UNITS:
        if name.endswith(suffix):
            return f"{words(name.removesuffix(suffix))} ({unit})"
    return re.sub(r"[_.]", " ", name)


def knobs(sides: Sequence[Side]) -> tuple[Knob, ...]:
    """Return every knob of the arms and their trials; what happened alike stands once, with where it did."""
    found: dict[tuple[str, ...], tuple[str, Control, dict[str, int], dict[str, None]]] = {}
    for side in sides:
        environment = side.arm.environment
        records = list(environment.controls.items()) if environment is not None else []
        records += [item for trial in side.arm.trials.values() for item in trial.controls.items()]
        for name, control in records:
            alike = (control.requested, control.applied, control.found, control.verified, control.restored)
            entry = found.setdefault((name, *map(plain, alike)), (name, control, {}, {}))
            entry[2][side.id] = entry[2].get(side.id, 0) + 1
            entry[3].setdefault(control.evidence or "")
    return tuple(
        Knob(
            words(name),
            ", ".join(f"{arm} ({n} times)" if n > 1 else arm for arm, n in where.items()),
            control,
            next(iter(seen)) + (f" (and {len(seen) - 1} more)" if len(seen) > 1 else ""),
        )
        for name, control, where, seen in found.values()
    )


def numbers(sides: Sequence[Side]) -> tuple[tuple[str, str, str, str, str], ...]:
    """Return what the arms state of themselves: (arm, quantity, value, statistic or split, interval)."""
    found = []
    for side in sides:
        for name, metric in side.arm.performance.items():
            value = f"{metric.value or ''} {metric.unit}".strip()
            found.append((side.id, name, value, words(metric.statistic or ""), metric.interval))
        for name, quality in side.arm.quality.items():
            value = f"{quality.value or ''} {quality.unit or ''}".strip()
            found.append((side.id, name, value, f"on {quality.split}" if quality.split else "", quality.interval))
    return tuple(
        (arm, name, value, how, f"{interval.low} to {interval.high}" if interval is not None else "")
        for arm, name, value, how, interval in found
    )


def flags(sides: Sequence[Side]) -> tuple[str, ...]:
    """Return, for every arm whose manifest flags its raw times, what they show."""
    found = []
    for side in sides:
        trials = [trial.analysis for trial in side.arm.trials.values() if trial.analysis is not None]
        clauses = in_words(side.arm.analysis, trials) if side.arm.analysis is not None else ()
        found += [f"{side.id}: {'; '.join(clauses)}"] if clauses else []
    return tuple(found)


def column_of(side: Side) -> str:
    """Return the column of raw numbers that an arm's performance rests on."""
    named = [metric.column for metric in side.arm.performance.values() if metric.column is not None]
    return named[0] if named else "step_time_s"


def samples(sides: Sequence[Side]) -> tuple[Samples, ...]:
    """Return the raw values of the arms by column, at most forty trials each."""
    found: dict[str, list[Strip]] = {}
    for side in sides:
        column = column_of(side)
        for name, _, columns in side.raw():
            values = tuple(float(value) for value in columns.get(column, ()) if _is_drawable(value))
            if values:
                found.setdefault(column, []).append(Strip(side.id, name, values))
    return tuple(Samples(column, tuple(strips[:CHART_TRIALS_LIMIT]), len(strips)) for column, strips in found.items())


def _is_drawable(value: float) -> bool:
    """Whether a value fits on an axis; what does not is no measurement, and the rules have judged it."""
    return isfinite(value) and abs(value) <= DRAWABLE


def progress(case: Case, sides: Sequence[Side]) -> tuple[Progress, ...]:
    """Return quality against training samples, and against time where the runs state it, by benchmark and metric."""
    benchmarks = _benchmarks(case)
    groups: dict[tuple[str, str], list[Side]] = {}
    for side in sides:
        name = _metric(side)
        if name is not None:
            groups.setdefault((benchmarks.get(side.id, ""), name), []).append(side)
    found = []
    for (benchmark, metric), having in groups.items():
        split = _split_of(having)
        bounds = {float(t.value) for side in having if (t := side.arm.target) is not None and t.metric == metric}
        axes: tuple[tuple[str, Callable[[Evaluation], float | None]], ...] = (
            ("training samples seen", lambda evaluation: evaluation.samples),
            ("training time (s)", lambda evaluation: evaluation.time_s),
        )
        for against, x in axes:
            curves = list(_curves(having, metric, split, x))
            if curves:
                target = min(bounds) if len(bounds) == 1 else None
                kept = tuple(curves[:CHART_TRIALS_LIMIT])
                found.append(Progress(benchmark, metric, split, against, kept, target, len(curves)))
    return tuple(found)


def _benchmarks(case: Case) -> dict[str, str]:
    """Return the benchmark of a suite that an arm was measured on, as its claim names it."""
    results = ((case.subject(claim), claim.suite_result) for claim in case.submission.claims.values())
    return {
        side.id: result.benchmark
        for side, result in results
        if side is not None and result is not None and result.benchmark is not None
    }


def _metric(side: Side) -> str | None:
    if side.arm.target is not None:
        return side.arm.target.metric
    evaluations = [evaluation for trial in side.arm.trials.values() for evaluation in trial.evaluations]
    return next((name for evaluation in evaluations for name in evaluation.metrics), None)


def _split_of(sides: Sequence[Side]) -> str:
    splits = [e.split for side in sides for trial in side.arm.trials.values() for e in trial.evaluations]
    return next((split for split in splits if split in HELD_OUT), splits[0] if splits else "")


def _curves(sides: Sequence[Side], metric: str, split: str, x: Callable[[Evaluation], float | None]) -> Iterator[Curve]:
    for side in sides:
        for name, trial in side.arm.trials.items():
            pairs = [(x(e), e.metrics.get(metric)) for e in trial.evaluations if e.split == split]
            points = [
                (a, b) for a, b in pairs if a is not None and b is not None and _is_drawable(a) and _is_drawable(b)
            ]
            if points:
                yield Curve(side.id, name, tuple(points))


def trials(sides: Sequence[Side]) -> tuple[TrialLine, ...]:
    """Return every trial in figures: what the charts draw, for readers who do not see them."""
    found = []
    for side in sides:
        column = column_of(side)
        raw = {name: [v for v in columns.get(column, ()) if isfinite(v)] for name, _, columns in side.raw()}
        for name, trial in side.arm.trials.items():
            values = raw.get(name) or []
            crossing = trial.crossing
            reached = crossing.samples if crossing is not None and crossing.reached else None
            outcome = f"{trial.outcome}: {trial.reason}" if trial.reason else trial.outcome
            line = TrialLine(
                side.id,
                name,
                trial.kind,
                plain(trial.seed),
                words(outcome) if not trial.reason else outcome,
                str(len(values)) if values else "",
                f"{median(values):.6g}" if values else "",
                f"{quantile(values, 0.25):.6g} to {quantile(values, 0.75):.6g}" if values else "",
                f"{reached:.6g} samples" if reached is not None else ("not reached" if crossing is not None else ""),
                ", ".join(words(flag) for flag in trial.analysis.flags) if trial.analysis is not None else "",
            )
            found.append(line)
    return tuple(found)
