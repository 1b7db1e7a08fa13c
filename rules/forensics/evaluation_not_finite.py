"""F41: an evaluation whose value is no number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from ...schemas.evidence import Evaluation, Target, Trial
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.document.words import words_of
from ..facts.quantities.numbers import finite
from ..facts.runs.work_counters import runs
from ..facts.training.convergence import in_order
from ..language.reading import read
from ..outcome import C3, CAVEAT, REFUTES, UNDERMINES, Branch, Inapplicable, Related, Violation
from ..registry import rule
from ..trace import Event
from ..words import target_of


class Bad(Struct, frozen=True):
    """An evaluation without a finite value."""

    run: str
    evaluation: Evaluation
    deciding: bool


@rule(
    "F41",
    "evaluation-not-finite",
    effect=REFUTES,
    confidence=C3,
    applies="has(curve) or accuracy",
    origin="MEAS",
)
def evaluation_not_finite(claim: Claim, case: Case) -> Iterator[Branch]:
    """A completed run with an evaluation that gives no number.

    ## What it does
    Looks at the metric of the claim (its target's, its own, or its quality's) in every evaluation of the completed
    runs, after their first step: of the claim's arm, and of the one that it is set against unless the sentence says
    that it diverged. The last evaluation and the one at the recorded crossing decide what the run is said to have
    reached. A loss beside the claim's metric must stay a number, too, unless the claim or a disclosure says that it did
    not: every evaluation computes it, whereas other metrics may be left out of some.

    ## Why it misleads
    A model whose loss is not a number has no quality. A value stated for it is of another model, or of no model.

    ## Branches
    - (a) refutes, C3: the deciding or the last evaluation is not a finite number.
    - (b) undermines, C3: another evaluation of a completed run is not; or the loss beside it, a number at most
      evaluations of the run, is none at fewer than half.
    - (c) undermines, C3: the log of a successful run gives text for an evaluation whose others are numbers.
    - (d) caveat, C3: an evaluation in the log of a successful run is not a number, of another metric than the claim's,
      whose evaluations all are.
    - not applicable: the metric is not known, or some evaluations do not hold it.

    ## Flagged
    On `time-to-accuracy` for claim `time`:
    ```json
    {"arms": {"trained": {"trials": {"s1": {"evaluations": [
       {"split": "test", "samples": 1277952, "step": 1248, "time_s": 78.6, "metrics": {"accuracy": 0.938}},
       {"split": "test", "samples": 1376256, "step": 1344, "time_s": 84.4, "metrics": {"accuracy": null}}]}}}}}
    ```

    ## Accepted
    On `time-to-accuracy` for claim `time`, whose evaluations all are numbers.

    ## How to fix
    Explain it, or run again and count the run as failed.

    ## References
    IEEE 754: whatever is computed from NaN is NaN.
    """
    side, base, metrics = case.subject(claim) or case.side(claim.quality), case.base(claim), _metrics(claim, case)
    if side is not None:
        yield from _of_logs(case, side, metrics)
        yield from _of_text(case, side)
        yield from _of_trials(side, metrics)
        yield from _of_losses(claim, case, side, metrics)
    else:
        yield Inapplicable("no completed run is evaluated by the claim's metric")
    if base is not None and base is not side and not read(claim.statement).has("not_finite", affirmed=False):
        # The claim rests on its own runs; those of its base only speak where they hold the flaw.
        found = (*_of_logs(case, base, metrics), *_of_trials(base, metrics))
        yield from (branch for branch in found if isinstance(branch, Violation))


def _of_trials(side: Side, metrics: tuple[str, ...]) -> Iterator[Branch]:
    """Yield what the evaluations of an arm's completed runs hold."""
    completed = {name: trial for name, trial in runs(side).items() if trial.outcome == "completed"}
    logs = {name: _log(trial, metrics) for name, trial in completed.items() if trial.evaluations}
    if not metrics or not any(logs.values()):
        yield Inapplicable("no completed run is evaluated by the claim's metric")
        return
    judging = {name: sum(item.split != "train" for item in completed[name].evaluations) for name in logs}
    whole = all(len(log) == judging[name] for name, log in logs.items())
    if not whole or len(logs) < len(completed):
        yield Inapplicable("some evaluations do not hold the claim's metric")
    bad = [item for name, log in logs.items() for item in _bad(name, completed[name], log, metrics)]
    for deciding, branch, effect in ((True, "a", REFUTES), (False, "b", UNDERMINES)):
        found = [item for item in bad if item.deciding is deciding]
        if found:
            what = "the evaluation that decides" if deciding else "an evaluation"
            message = f"{what} in run {found[0].run} of {side.id} has no finite {metrics[0]} ({len(found)} in all)"
            related = tuple(Related(item.evaluation.at, f"run {item.run}") for item in found[1:6])
            yield Violation(branch, effect, C3, message, found[0].evaluation.at, related=related)


def _of_losses(claim: Claim, case: Case, side: Side, metrics: tuple[str, ...]) -> Iterator[Violation]:
    """Yield a loss beside the claim's metric that is no number at fewer than half of a completed run's evaluations.

    One that is computed at some evaluations only stands as null at many.
    """
    if _told(claim, case):
        return
    for name, trial in runs(side).items():
        log = in_order([item for item in trial.evaluations if item.split != "train" and not _before_first_step(item)])
        if trial.outcome != "completed":
            continue
        for metric in dict.fromkeys(key for item in log for key in item.metrics if key not in metrics):
            if not read(metric).has("loss_metric"):
                continue
            held = [item for item in log if metric in item.metrics]
            bad = [item for item in held if not finite(item.metrics[metric])]
            if bad and 2 * len(bad) < len(held) == len(log):
                message = (
                    f"an evaluation in run {name} of {side.id} has no finite {metric}; {len(held) - len(bad)} others do"
                )
                related = tuple(Related(item.at, f"run {name}") for item in bad[1:6])
                yield Violation("b", UNDERMINES, C3, message, bad[0].at, related=related)
                return


def _told(claim: Claim, case: Case) -> bool:
    """Whether the claim or a disclosure says that something was no number."""
    told = words_of(claim).and_(*((item.at, item.quote) for item in case.submission.disclosures))
    return told.has("not_finite", "not_evaluated", affirmed=False)


def _of_logs(case: Case, side: Side, metrics: tuple[str, ...]) -> Iterator[Branch]:
    """Yield what the logs of successful runs hold: an evaluation of a key that is a number elsewhere in the log."""
    for run in case.runs_of(side):
        if run.run.status != "success" or run.role != "training":
            continue
        by_key: dict[str, list[Event]] = {}
        for event in run.trace.evaluations:
            if 0 not in (event.samples, event.step):
                by_key.setdefault(event.key, []).append(event)
        for key, events in by_key.items():
            bad = [event for event in events if not finite(event.number)]
            if not bad or len(bad) == len(events):
                continue
            last = bad[-1] is events[-1]
            branch, effect = ("a", REFUTES) if last else ("b", UNDERMINES)
            if key not in metrics and any(_all_finite(by_key.get(metric, ())) for metric in metrics):
                branch, effect = "d", CAVEAT
            message = f"{'the last' if last else 'an'} evaluation `{key}` in the log of run {run.id} is not finite"
            yield Violation(branch, effect, C3, message, run.trace.place(bad[-1]))


def _all_finite(events: Sequence[Event]) -> bool:
    return bool(events) and all(finite(event.number) for event in events)


def _of_text(case: Case, side: Side) -> Iterator[Violation]:
    """Yield an evaluation that the log of a successful run gives as text, where others of its key are numbers."""
    for run in case.runs_of(side):
        if run.run.status != "success" or run.role != "training":
            continue
        for event in run.trace.kind("eval"):
            if not isinstance(event.value, str) or event.key.endswith(("_start", "_stop")):
                continue
            same = run.trace.of(event.key)
            if any(other.number is not None for other in same):
                last = ", its last one," if event is same[-1] else ""
                message = f"an evaluation `{event.key}`{last} in the log of run {run.id} is text and no number: "
                message += f"{event.value[:60]!r}"
                yield Violation("c", UNDERMINES, C3, message, run.trace.place(event))
                break


def _metrics(claim: Claim, case: Case) -> tuple[str, ...]:
    """Return the names under which the claim's quality may be logged."""
    target, quality = target_of(claim, case), case.quality(claim.quality)
    names = [target.metric if isinstance(target, Target) else None, claim.metric]
    names.append(quality.metric if quality is not None else None)
    # "PIQA accuracy" is logged as "accuracy".
    names += [name.rpartition(" ")[2] for name in names if name is not None]
    return tuple(dict.fromkeys(name for name in names if name is not None))


def _log(trial: Trial, metrics: tuple[str, ...]) -> tuple[Evaluation, ...]:
    """Return the evaluations on data that was not trained on that hold the metric, in order."""
    held = [
        item for item in trial.evaluations if item.split != "train" and any(name in item.metrics for name in metrics)
    ]
    return in_order(held)


def _bad(name: str, trial: Trial, log: tuple[Evaluation, ...], metrics: tuple[str, ...]) -> Iterator[Bad]:
    for index, item in enumerate(log):
        value = next(item.metrics[metric] for metric in metrics if metric in item.metrics)
        if not finite(value) and not _before_first_step(item):
            deciding = index == len(log) - 1 or _at_crossing(trial, item)
            yield Bad(name, item, deciding)


def _before_first_step(item: Evaluation) -> bool:
    return 0 in (item.samples, item.step)


def _at_crossing(trial: Trial, item: Evaluation) -> bool:
    crossing = trial.crossing
    if crossing is None or not crossing.reached:
        return False
    known = [(crossing.samples, item.samples), (crossing.step, item.step), (crossing.time_s, item.time_s)]
    return any(left is not None and left == right for left, right in known)
