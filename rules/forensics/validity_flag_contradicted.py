"""F48: a result out of a run that its harness does not call valid."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ...schemas.evidence import Target
from ...schemas.runs import HarnessVerdict
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.runs.evaluation_events import of_metric
from ..facts.runs.times import is_successful, single
from ..facts.runs.verdict_parts import PARTS
from ..facts.suite.conditions import recomputed
from ..outcome import C3, CAVEAT, REFUTES, Branch, Effect, Inapplicable, Related, Violation
from ..registry import rule
from ..trace import Logged
from ..words import target_of

SINGLE = 2.0**-23
"""Numbers that differ by less than this share may be one in single precision: 21.799999237 is 21.8."""
JUDGED = frozenset({"training", "performance"})


@rule(
    "F48",
    "validity-flag-contradicted",
    effect=REFUTES,
    confidence=C3,
    applies="has(harness_verdict) or (has(trace) and (tta or training_time))",
    origin="MEAS, ML",
)
def validity_flag_contradicted(claim: Claim, case: Case) -> Iterator[Branch]:
    """A run that its own harness calls invalid, or valid although one of its conditions failed.

    ## What it does
    Reads the verdict that the harness printed about every measured run, its parts (duration, queries, early stopping),
    the events that it flagged as errors and the errors that it counted. Warnings are none of these. Where the trial's
    requests are recorded one by one, the conditions are recomputed from them. The verdict of a
    training log is the status of its stop, which its own evaluations must bear out.

    ## Why it misleads
    The number of an invalid run is none. A verdict that its parts contradict was edited.

    ## Branches
    - (a) refutes, C3: the verdict is not valid; it is valid while a part of it, or what the log says of that part, is
      false; or events of the run are errors, or errors are counted while the claim gives none, and nothing calls the
      run valid.
    - (a) refutes, C3: the log of a training run says that it stopped with success, and none of its evaluations, which
      the log counts, meets the target.
    - (c) refutes, C3: a condition of the verdict is not what the requests of the same trial give, by the settings of
      the log: duration, queries, the bound of a server, early stopping.
    - (b, instead of a) caveat, C3: the harness met errors and calls the run valid all the same: it was built from a
      changed tree, planned too few queries, or could not write to its own log.
    - not applicable: no measured run has a verdict, or one has none; errors that the claim states are another rule's.
    - guard: runs that find the range of a meter, and compliance runs, by their role.

    ## Flagged
    On `suite-inference` for claim `offline`:
    ```json
    {"arms": {"offline": {"runs": {"performance": {"verdict": {"valid": false, "words": "INVALID"}}}}}}
    ```

    ## Accepted
    On `suite-inference` for claim `offline`, whose verdict and its three parts hold.

    ## How to fix
    Repeat the run; a verdict is never edited.

    ## References
    Published inference logs; the suite's own checker reads the verdict alone.
    """
    runs = [run for run in case.runs(claim) if run.role in JUDGED]
    metric = case.metric(claim.measured)
    stated = metric is not None and metric.n is not None and bool(metric.n.failed)
    for run in runs:
        errors = run.trace.kind("error")
        yield from _logged(run)
        yield from _unmet(run)
        yield from _verdict(run, stated)
        yield from _of_requests(run, case.subject(claim))
        if errors:
            first = errors[0]
            message = f"{run.name} holds {len(errors)} events flagged as errors: {first.key} {str(first.value)[:60]}"
            branch, effect = _weight(run.run.verdict)
            yield Violation(branch, effect, C3, message, run.trace.place(first))
    target = target_of(claim, case)
    if isinstance(target, Target):
        yield from _success([run for run in runs if run.role == "training"], target)
    if not runs or any(run.run.verdict is None or run.run.verdict.valid is None for run in runs):
        yield Inapplicable("a measured run has no verdict of its harness")


def _weight(verdict: HarnessVerdict | None) -> tuple[str, Effect]:
    """Return branch and effect of errors: the harness that met them knows best whether its run is valid."""
    called_valid = verdict is not None and verdict.valid is True and all(verdict.parts.values())
    return ("b", CAVEAT) if called_valid else ("a", REFUTES)


def _logged(run: Logged) -> Iterator[Branch]:
    """Yield what the log itself says of a run that is recorded as valid."""
    for event in run.trace.of("result_validity"):
        words = str(event.value).strip().casefold()
        if words.startswith("invalid") and run.run.verdict is not None and run.run.verdict.valid:
            message = f"{run.name} is called valid; its log says {event.value}"
            yield Violation("a", REFUTES, C3, message, run.trace.place(event), "valid", str(event.value))


def _unmet(run: Logged) -> Iterator[Branch]:
    """Yield a condition that the log says was not met, in a run that is recorded or logged as valid."""
    verdict = run.run.verdict
    called = [str(event.value).strip().casefold() for event in run.trace.of("result_validity")]
    if (verdict is None or verdict.valid is not True) and called != ["valid"]:
        return
    stated = {name for name, holds in verdict.parts.items() if not holds} if verdict is not None else set()
    unmet = [(name, event) for name, keys in PARTS.items() for event in run.trace.of(*keys) if event.value is False]
    # a part that the verdict itself gives as false is spoken of there
    told = [(name, event) for name, event in unmet if name not in stated]
    if told:
        name, event = told[0]
        more = f", and {len(told) - 1} more are not" if len(told) > 1 else ""
        message = f"{run.name} is called valid; its log says that {name.replace('_', ' ')} is not met{more}"
        yield Violation("a", REFUTES, C3, message, run.trace.place(event), "valid", f"{event.key}: false")


def _success(runs: list[Logged], target: Target) -> Iterator[Branch]:
    sign = 1 if target.direction == "higher" else -1
    for run in runs:
        reached = [event for event in of_metric(run, target.metric) if event.number is not None]
        if not is_successful(run) or not reached or run.trace.malformed:
            continue
        unread = (event for event in run.trace.of(reached[0].key) if isinstance(event.value, str))
        if any(math.isnan(event.number or 0.0) for event in reached) or any(unread):
            continue
        best = max(reached, key=lambda event: sign * (event.number or 0.0))
        reached_it = sign * ((best.number or 0.0) - float(target.value)) >= -SINGLE * abs(float(target.value))
        if reached_it or single(run, "run_stop") is None:
            continue
        message = f"{run.name} stops with success; its best {best.key} is {best.number:g}, the target {target.value}"
        yield Violation("a", REFUTES, C3, message, run.trace.place(best), str(target.value), f"{best.number:g}")


def _of_requests(run: Logged, side: Side | None) -> Iterator[Branch]:
    """Yield a condition that the requests of the run's trial do not give as the harness printed it."""
    verdict = run.run.verdict
    if side is None or verdict is None or run.role != "performance":
        return
    for name, held in recomputed(side, run).items():
        printed = verdict.parts.get(name)
        if printed is not None and held == {not printed}:
            words = {True: "met", False: "not met"}
            message = f"the harness says of {run.name} that {name.replace('_', ' ')} is {words[printed]}"
            message = f"{message}; its requests give the contrary"
            yield Violation("c", REFUTES, C3, message, verdict.place("parts"), words[printed], words[not printed])


def _verdict(run: Logged, stated: bool) -> Iterator[Branch]:
    verdict = run.run.verdict
    if verdict is None:
        return
    failed = [name for name, holds in verdict.parts.items() if not holds]
    if verdict.valid is False:
        why = f"; it fails {', '.join(failed)}" if failed else ""
        message = f"the harness calls {run.name} {verdict.words or 'not valid'}{why}"
        yield Violation("a", REFUTES, C3, message, verdict.place("valid"), recomputed=verdict.words)
    elif failed and verdict.valid:
        message = f"{run.name} is called valid while {', '.join(failed)} is false"
        related = (Related(verdict.place("valid"), "valid"),)
        yield Violation("a", REFUTES, C3, message, verdict.place("parts"), "valid", failed[0], related)
    if verdict.errors and not run.trace.kind("error") and not stated:
        many = f"{verdict.errors} error{'s' if verdict.errors > 1 else ''}"
        message = f"the harness counts {many} in {run.name}, and the claim gives none"
        branch, effect = _weight(verdict)
        yield Violation(branch, effect, C3, message, verdict.place("errors"), "0", str(verdict.errors))
