"""Training times that were computed from the speed of a few steps."""

from __future__ import annotations

from decimal import Decimal

from msgspec import Struct

from ....schemas.evidence import Metric
from ....schemas.submission import Claim
from ...case import Case, Side
from ...fields import field_of
from ...language.printed import Span, span
from ..comparison.points import side_point
from ..quantities.numbers import exact
from ..quantities.per_second import seconds, work_per_second
from ..quantities.performance import column_seconds
from ..series.raw_numbers import samples_of
from .convergence import TargetRun, batch_of, cover, runs_of, target_runs

BEYOND = 1.02
"""A start-up or a last checkpoint may lie outside the log of a run that did reach its target."""
PART_OF_A_RUN = frozenset({"kernel", "collective", "layer", "phase", "step", "epoch"})


class StepsToTarget(Struct, frozen=True):
    """What the target takes: training samples and optimizer steps, as far as they are known, and where it stands."""

    samples: float | None
    steps: float | None
    at: str


class Window(Struct, frozen=True):
    """A timed window.

    Attributes:
        steps: timed steps of one trial, or None where the count is not known.
        step_s: seconds per step, or None.
        rate: samples per second, or None.
    """

    steps: float | None
    step_s: Span | None
    rate: Span | None

    def time_s(self, needed: StepsToTarget) -> Span | None:
        """Return the seconds that the target takes at this speed, or None where it cannot be computed."""
        if self.step_s is not None and needed.steps is not None:
            return self.step_s * exact(needed.steps)
        if self.rate is not None and needed.samples is not None:
            return exact(needed.samples) / self.rate
        return None


def whole_training(claim: Claim, case: Case) -> bool | None:
    """Return whether a training time or cost was taken over a whole training; None where nothing tells."""
    side, metric = case.subject(claim), case.metric(claim.measured)
    basis = field_of("basis", claim, case)
    if basis in {"projected", "simulated"}:
        return False
    if side is not None and runs_of(side, claim.target or side.arm.target):
        return True
    if side is not None and _beyond_the_runs(side, claim):
        return False
    quotient = claim.suite is not None and claim.form != "absolute"  # of results, each with a time of its own
    if basis == "derived" and not quotient:
        return False if claim.quantity == "time" else None
    if side is not None and ran_whole(side):
        return True
    if metric is None:
        return True if _reached(claim, side, case) else None
    measurement = side.arm.measurement if side is not None else None
    scope = metric.scope or (measurement.scope if measurement is not None else None)
    if metric.quantity == "rate" or scope in PART_OF_A_RUN:
        return False
    if side is not None and side.arm.trials and not any(t.kind == "convergence" for t in side.arm.trials.values()):
        return None  # what is shown are timed steps
    return True if metric.quantity == "time" or scope == "training_run" else None


def _reached(claim: Claim, side: Side | None, case: Case) -> bool:
    """Whether a quality is stated that the claim's training reached: one that did not take place has none."""
    quality = case.quality(claim.quality)
    return claim.form == "parity" and side is not None and quality is not None and quality.value is not None


def _beyond_the_runs(side: Side, claim: Claim) -> bool:
    """Whether a claimed time to a target lies beyond the end of every run of the arm, none of which reached it."""
    unit = seconds(claim.unit)
    if unit is None or claim.value is None or claim.form != "absolute" or (claim.target or side.arm.target) is None:
        return False
    runs = [trial for trial in side.arm.trials.values() if trial.kind == "convergence" and trial.outcome == "completed"]
    ends = [max((item.time_s or 0 for item in trial.evaluations), default=0) for trial in runs]
    longest = max((max(end, trial.wall_s or 0) for end, trial in zip(ends, runs, strict=True)), default=0)
    complete = bool(ends) and all(end > 0 for end in ends)
    return complete and float(Decimal(claim.value) * unit) > BEYOND * longest


def ran_whole(side: Side) -> bool:
    """Whether an arm holds a completed training run, whatever its target."""
    return any(
        trial.kind == "convergence" and trial.outcome == "completed" and (trial.wall_s or trial.evaluations)
        for trial in side.arm.trials.values()
    )


def steps_to_target(claim: Claim, case: Case) -> StepsToTarget | None:
    """Return what the target takes: of a run of equal options that reached it, else as a cited reference gives it."""
    side, row = case.subject(claim), case.row(claim)
    if side is not None:
        point = side_point(side)
        found = [_steps(run) for run in target_runs(case, claim) if cover(case, point, (run,)).covered]
        known = [item for item in found if item.samples or item.steps]
        known.sort(key=lambda item: (item.samples or 0.0, item.steps or 0.0, item.at))
        if known:
            return known[len(known) // 2]
    if row is not None and row.samples_to_target is not None:
        return StepsToTarget(row.samples_to_target, None, row.place("samples_to_target"))
    cited = claim.reference is not None and claim.reference.citation is not None
    if cited and claim.crossing_samples is not None:
        return StepsToTarget(claim.crossing_samples, None, claim.place("crossing_samples"))
    return None


def _steps(run: TargetRun) -> StepsToTarget:
    batch = batch_of(run)
    if run.step is not None or run.samples is None or not batch:
        return StepsToTarget(run.samples, run.step, run.at)
    return StepsToTarget(run.samples, run.samples / batch, run.at)


def window(claim: Claim, case: Case) -> Window | None:
    """Return the timed window behind a claim, or None where no speed is given."""
    side, metric = case.subject(claim), case.metric(claim.measured)
    if side is None or metric is None:
        return None
    raw = samples_of(case, side, metric)
    column = column_seconds(metric.column) if metric.column is not None else None
    steps = float(max(len(values) for values in raw.values)) if raw is not None else None
    if steps is None and metric.n is not None and metric.n.unit == "iteration" and metric.n.completed is not None:
        steps = float(metric.n.completed)
    step_s = None
    if raw is not None and column is not None:
        medians = [Decimal(repr(values[len(values) // 2])) * column for values in raw.values]
        step_s = Span(min(medians), max(medians))
    return Window(steps, step_s, _rate(metric))


def _rate(metric: Metric) -> Span | None:
    unit = work_per_second(metric.unit)
    of_samples = unit is not None and not unit.per_device and not unit.word.startswith("tok")
    if metric.quantity != "rate" or metric.value is None or unit is None or not of_samples:
        return None
    return span(metric.value, None, metric.digits).times(unit.factor)
