"""Two arms of a claim side by side: what the trials of each gave, and the gain between them."""

from __future__ import annotations

import math

from msgspec import Struct

from ....schemas.evidence import Metric, Trial
from ....schemas.submission import Claim
from ...caching import fact
from ...case import Case, Side
from ...statistics.intervals import median, quantile
from ..quantities.performance import more_is_better, transform
from ..quantities.recomputed import percent_of
from ..series.raw_numbers import samples_of


class PerTrial(Struct, frozen=True):
    """One value per trial of an arm.

    Attributes:
        values: positive and finite, one for each completed trial.
        more_is_better: which way is better.
        at: place of the trials.
        trials: ids of the trials behind the values; empty for whole runs.
    """

    values: tuple[float, ...]
    more_is_better: bool
    at: str
    trials: tuple[str, ...] = ()


class ArmPair(Struct, frozen=True):
    """The trials of a claim's arm and of its base, in one unit."""

    subject: PerTrial
    base: PerTrial

    @property
    def better(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """The values whose ratio is the gain: new and base where more is better, else base and new."""
        pair = (self.subject.values, self.base.values)
        return pair if self.subject.more_is_better else pair[::-1]


@fact
def trial_values(case: Case, side: Side, metric: Metric, whole_runs: bool) -> PerTrial | None:
    """Return the median of every trial, or the percentile that the metric is; of training runs, the time at the target.

    None where a completed trial holds no number: a part of the trials would be a choice.
    """
    times = _crossing_times(side) if whole_runs and metric.column is None else None
    values = times if times is not None else _centres(case, side, metric)
    higher = more_is_better(metric.quantity, metric.unit)
    if values is None or not values or higher is None:
        return None
    if any(not 0 < value < math.inf for value in values):
        return None
    names = timed(side) if times is None else ()
    return PerTrial(values, higher, side.arm.place("trials"), names)


def timed(side: Side) -> tuple[str, ...]:
    """Return the ids of an arm's completed throughput trials, in their order."""
    trials = side.arm.trials.items()
    return tuple(name for name, trial in trials if trial.kind == "throughput" and trial.outcome == "completed")


def _centres(case: Case, side: Side, metric: Metric) -> tuple[float, ...] | None:
    how, found = transform(metric), samples_of(case, side, metric)
    percent = percent_of(metric) if metric.statistic == "percentile" else None
    if how is None or (metric.statistic == "percentile" and percent is None):
        return None
    by_trial = dict(zip(found.trials, found.values, strict=True)) if found is not None else {}
    values = []
    for name in timed(side):
        if percent is not None:
            share = (100 - percent if how.inverse else percent) / 100
            middle = quantile(by_trial[name], share) if name in by_trial else None
        else:
            middle = (
                median(by_trial[name]) if name in by_trial else _printed(side.arm.trials[name], metric.column or "")
            )
        if middle is None:
            return None
        values.append(how.value(middle))
    return tuple(values)


def _printed(trial: Trial, column: str) -> float | None:
    return float(trial.medians[column]) if column in trial.medians else None


def _crossing_times(side: Side) -> tuple[float, ...] | None:
    runs = [trial for trial in side.arm.trials.values() if trial.kind == "convergence" and trial.outcome == "completed"]
    times = [trial.crossing.time_s for trial in runs if trial.crossing is not None and trial.crossing.reached]
    known = tuple(time for time in times if time is not None)
    return known if runs and len(known) == len(runs) else None


def arm_pair(claim: Claim, case: Case) -> ArmPair | None:
    """Return the trials of both arms of a claim, or None where one side gives no number for each, or in other units."""
    sides = case.subject(claim), case.base(claim)
    metrics = case.metric(claim.measured), case.metric(claim.base)
    if sides[0] is None or sides[1] is None or metrics[0] is None or metrics[1] is None:
        return None
    if (metrics[0].quantity, metrics[0].unit) != (metrics[1].quantity, metrics[1].unit):
        return None
    whole = claim.scope == "training_run"
    subject = trial_values(case, sides[0], metrics[0], whole)
    base = trial_values(case, sides[1], metrics[1], whole)
    return ArmPair(subject, base) if subject is not None and base is not None else None
