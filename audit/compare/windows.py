"""A rate over whole windows, trial by trial: the work of a trial over the time of all its steps."""

from __future__ import annotations

from statistics import fmean

from ...rules.case import Case, Side
from ...rules.facts.comparison.arms import PerTrial, timed
from ...rules.facts.quantities.performance import more_is_better, transform
from ...rules.facts.series.raw_numbers import samples_of
from ...schemas.evidence import Metric


def window_values(case: Case, side: Side, metric: Metric, _whole_runs: bool) -> PerTrial | None:
    """Return the metric's value of the mean step of every completed trial; None where raw numbers are missing."""
    how, found, higher = transform(metric), samples_of(case, side, metric), more_is_better(metric.quantity, metric.unit)
    if how is None or found is None or higher is None or found.trials != timed(side):
        return None
    values = tuple(how.value(fmean(values)) for values in found.values)
    return PerTrial(values, higher, side.arm.place("trials"), found.trials)
