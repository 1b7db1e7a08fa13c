"""Why a metric that both arms name cannot be compared trial by trial."""

from __future__ import annotations

from collections.abc import Iterator

from ...rules.case import Case, Side
from ...rules.facts.comparison.arms import timed, trial_values
from ...rules.facts.quantities.performance import more_is_better, transform
from ...rules.facts.series.raw_numbers import LARGEST, SMALLEST, raw
from ...schemas.evidence import Metric


def reasons(old_case: Case, old: Side, new_case: Case, new: Side) -> Iterator[tuple[str, str]]:
    """Yield the name of each metric of both arms without a number for every trial, and what is missing or wrong."""
    for name, metric in old.arm.performance.items():
        other = new.arm.performance.get(name)
        if other is None or metric.column is None:
            continue
        for case, side, which, found in ((old_case, old, metric, "old"), (new_case, new, other, "new")):
            if trial_values(case, side, which, False) is None:
                yield name, _reason(case, side, which, found)
                break


def _reason(case: Case, side: Side, metric: Metric, which: str) -> str:
    if more_is_better(metric.quantity, metric.unit) is None:
        return f"whether more is better is not known of {metric.quantity} in {metric.unit}"
    if transform(metric) is None:
        return f"how {metric.unit} follows from column {metric.column} is not stated in {which}"
    names, column = timed(side), metric.column or ""
    if not names:
        return f"{which} has no completed throughput trial"
    columns = dict(raw(case, side))
    for name in names:
        numbers = list(columns.get(name, {}).get(column, ()))
        printed = side.arm.trials[name].medians.get(column)
        numbers = numbers or ([float(printed)] if printed is not None else [])
        if not numbers:
            return f"trial {name} of {which} has no {column}"
        wrong = next((number for number in numbers if not SMALLEST < number < LARGEST), None)
        if wrong is not None:
            return f"trial {name} of {which} has a {column} of {wrong:g}, which is no measurement"
    return f"{which} has no usable number for every trial"
