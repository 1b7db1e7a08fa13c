"""Curves that end before the work that was planned for them."""

from __future__ import annotations

from msgspec import Struct

from ....schemas.evidence import Crossing, Evaluation, Target, Trial
from ...caching import remembered_of_parts
from ...case import Side
from ...language.reading import read
from .convergence import first_crossing, implies, in_order


class Curve(Struct, frozen=True):
    """The evaluations of one training run, and how far they go.

    Attributes:
        trial: id of the run.
        at: its place.
        last: the last evaluation.
        done: share of the planned work at the last evaluation; None where the plan or the counter is not stated.
        reached: whether the run met its target.
        ends_there: whether the last evaluation is the first one that met it.
        excused: why ending early hides nothing: a stop rule declared before, or a logged end; empty where neither is.
    """

    trial: str
    at: str
    last: Evaluation
    done: float | None
    reached: bool
    excused: str = ""
    ends_there: bool = False

    def truncated(self, work: float) -> bool:
        """Whether the curve ends before `work` (a share) of its plan, short of its target and without a reason."""
        return self.done is not None and self.done < work and not self.reached and not self.excused

    def cut_at_target(self, work: float) -> bool:
        """Whether the curve ends where it first meets its target, before `work` (a share) of its plan."""
        return self.done is not None and self.done < work and self.ends_there and not self.excused


@remembered_of_parts(2000)
def curves(side: Side, target: Target | None) -> tuple[Curve, ...]:
    """Return the curve of every run of an arm that holds evaluations, beside a target or the arm's own."""
    target = target or side.arm.target
    return tuple(_curve(side, name, trial, target) for name, trial in side.arm.trials.items() if trial.evaluations)


def _curve(side: Side, name: str, trial: Trial, target: Target | None) -> Curve:
    last = in_order(trial.evaluations)[-1]
    recorded = trial.crossing is not None and trial.crossing.reached and not _beyond(trial.crossing, last)
    crossing = first_crossing(trial, target) if target is not None else None
    reached = crossing is not None or (target is not None and recorded and implies(side.arm.target, target))
    return Curve(name, trial.at, last, _done(side, trial, last), reached, _excuse(side, trial), crossing is last)


def _beyond(crossing: Crossing, last: Evaluation) -> bool:
    """Whether a recorded crossing lies after the last evaluation: the curve does not show it."""
    pairs = ((crossing.samples, last.samples), (crossing.step, last.step))
    known = [(at, end) for at, end in pairs if at is not None and end is not None]
    return bool(known) and all(at > end for at, end in known)


def _done(side: Side, trial: Trial, last: Evaluation) -> float | None:
    """Share of the planned work at an evaluation, in samples or else in epochs."""
    if trial.planned_samples and last.samples is not None:
        return last.samples / trial.planned_samples
    epochs = side.arm.options.epochs if side.arm.options is not None else None
    return last.epoch / epochs if epochs and last.epoch is not None else None


def _excuse(side: Side, trial: Trial) -> str:
    rule = side.arm.measurement.stop_rule if side.arm.measurement is not None else None
    if rule is not None and read(rule).has("stops_training", affirmed=False):
        return f"stop rule: {rule}"
    return f"the run is reported as {trial.outcome}" if trial.outcome != "completed" else ""
