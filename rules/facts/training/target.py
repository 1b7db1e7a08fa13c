"""Whether the runs of an arm met a target, run by run, read in their favour."""

from __future__ import annotations

from decimal import Decimal

from msgspec import Struct

from ....schemas.evidence import Crossing, Evaluation, Target, Trial
from ...caching import remembered_of_parts
from ...case import Side
from ...language.printed import span
from ..quantities.numbers import exact
from ..series.per_trial import same_options
from .convergence import implies, judged, judged_values, meets, metric_value, scale_differs

NOT_RUN = frozenset({"failed", "lost", "not_run"})


class JudgedRun(Struct, frozen=True):
    """One training run beside its target.

    Attributes:
        trial: its id.
        at: its place.
        met: whether an evaluation meets the target; None where the log does not tell.
        best: the best value in its log, at the favourable edge of its interval; None without a log.
        recorded: whether the run is recorded as having reached the target.
    """

    trial: str
    at: str
    met: bool | None
    best: Decimal | None
    recorded: bool


@remembered_of_parts(2000)
def judged_runs(side: Side, target: Target) -> tuple[JudgedRun, ...]:
    """Return every training run of an arm that ended by itself, beside a target."""
    slack, own = stated_slack(side, target), side.arm.target
    # A recorded crossing speaks of the arm's target: reached tells of any weaker one, missed of any stricter one.
    telling = (implies(own, target), own is None or implies(target, own))
    return tuple(
        _judge(name, trial, target, slack, telling)
        for name, trial in side.arm.trials.items()
        if trial.kind == "convergence" and trial.outcome not in NOT_RUN and same_options(side, trial)
    )


def _judge(name: str, trial: Trial, target: Target, slack: Decimal, telling: tuple[bool, bool]) -> JudgedRun:
    recorded = telling[0] and trial.crossing is not None and trial.crossing.reached
    recorded_miss = telling[1] and trial.crossing is not None and not trial.crossing.reached
    log, values = judged(trial, target), judged_values(trial, target)
    if not values or scale_differs(values, target):
        return JudgedRun(name, trial.at, False if recorded_miss and not values else None, None, recorded)
    edges = [favourable_edge(item, target, slack) for item in log]
    best = max(edges) if target.direction == "higher" else min(edges)
    met: bool | None = meets(best, target)
    if not met and trial.crossing is not None and recorded and not _logged(trial.crossing, log):
        met = None
    return JudgedRun(name, trial.at, met, best, recorded)


def favourable_edge(item: Evaluation, target: Target, slack: Decimal) -> Decimal:
    """Return the favourable edge of an evaluation: of its printed digits, or the exact share where examples count."""
    value = metric_value(item, target)
    assert value is not None
    interval = span(repr(float(value)))
    if item.correct is not None and item.examples and abs(item.correct / item.examples - value) < 1e-3:
        interval = exact(item.correct / item.examples)
    return interval.high + slack if target.direction == "higher" else interval.low - slack


def stated_slack(side: Side, target: Target) -> Decimal:
    """Return half the width of the interval that the document states for the metric of one run.

    An interval over several runs says where their centre lies, and excuses no single one of them.
    """
    for quality in side.arm.quality.values():
        n = quality.n
        many = len(quality.seeds) > 1 or (n is not None and n.unit == "training_run" and (n.completed or 0) > 1)
        if quality.metric == target.metric and quality.interval is not None and not many:
            return abs(Decimal(quality.interval.high) - Decimal(quality.interval.low)) / 2
    return Decimal(0)


def _logged(crossing: Crossing, log: tuple[Evaluation, ...]) -> bool:
    """Whether the log holds the evaluation at a recorded crossing; one without a counter may be any of them."""
    for name in ("samples", "step", "time_s"):
        at = getattr(crossing, name)
        known = [getattr(item, name) for item in log]
        if at is not None and all(value is not None for value in known):
            return any(abs(value - at) <= 1e-3 * max(abs(at), 1) for value in known)
    return crossing.samples is None and crossing.step is None and crossing.time_s is None
