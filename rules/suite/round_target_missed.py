"""Q02: a run that its log calls successful and that never met the round's target, or an easier target in the log."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ...schemas.submission import Claim
from ..case import Case
from ..facts.quantities.numbers import short
from ..facts.runs.times import is_successful
from ..facts.suite.result import quoted, round_entry
from ..facts.suite.runs import training_runs
from ..outcome import C3, REFUTES, UNDERMINES, Branch, Inapplicable, Related, Violation
from ..registry import rule
from ..tables.suites import SuiteTarget
from ..trace import Event, Logged
from ._suite_targets import best, contested, met

LOGGED_TARGETS = ("eval_target", "target_accuracy")


@rule(
    "Q02",
    "round-target-missed",
    effect=REFUTES,
    confidence=C3,
    applies="suite_training and closed",
    origin="POL, MEAS",
    also=("W0103", "F48"),
)
def round_target_missed(claim: Claim, case: Case) -> Iterator[Branch]:
    """A closed result with a successful run whose evaluations never meet the target of the round.

    ## What it does
    Looks in the log of every run that calls itself successful for an evaluation that meets the target which the suite
    set for this benchmark and round; where there are several metrics, all at one counter. A target that the log states
    itself must not be easier than that.

    ## Why it misleads
    The score is the time to this quality. A run that stops short of it is faster by exactly that.

    ## Branches
    - (a) refutes, C3: a successful run never meets the target of the round, or the logged target is easier.
    - (b, instead of a) undermines, C3: the log of a successful run gives two values for one evaluation, of which one
      meets the target and the other does not, and no other evaluation meets it.
    - not applicable: no figure for the round, no run that succeeded, or one whose evaluations cannot be read.

    ## Flagged
    On `suite-training` for claim `retinanet`:
    ```json
    {"arms": {"retinanet": {"runs": {"result_2": {"events": {"88": {"value": 0.33901}}}}}}}
    ```

    ## Accepted
    On `suite-training` for claim `retinanet`, where each of five runs ends above 0.34.

    ## How to fix
    Train until the target is met, or report the run as one that failed.

    ## References
    MLPerf Training rules, table of quality targets.
    """
    result = quoted(claim)
    entry = round_entry(result)
    targets = entry.targets.get(result.benchmark or "", ()) if entry is not None else ()
    if not targets:
        yield result.no_figure("the target")
        return
    silent: list[Logged] = []
    runs = training_runs(claim, case)
    successful = {run.id for run in runs if is_successful(run)}
    for run in runs:
        answer = met(run, targets) if run.id in successful else None
        both = contested(run, targets) if answer is not None else None
        if both is not None:
            yield _contested(run, *both, targets[0])
        elif answer is False:
            yield _missed(run, targets)
        elif answer is None and run.id in successful:
            silent.append(run)
        if len(targets) == 1:
            yield from _easier(run, targets[0])
    if silent or not successful:
        who = silent[0].name if silent else "no successful run"
        yield Inapplicable(f"{who}: its evaluations do not tell whether the target was met")


def _missed(run: Logged, targets: tuple[SuiteTarget, ...]) -> Violation:
    target = targets[0]
    found = best(run, target) if len(targets) == 1 else None
    sign = "at least" if target.direction == "higher" else "at most"
    wanted = " and ".join(f"{each.metric} {short(each.value)}" for each in targets)
    got = f"is {short(found)} at best; the round asks for {sign} {short(target.value)}" if found is not None else ""
    message = f"{run.name} calls itself successful and " + (
        f"{target.metric} {got}" if got else f"never meets {wanted} at one evaluation"
    )
    ends = run.trace.of("run_stop")
    at = run.trace.place(ends[-1]) if ends else run.place("file")
    return Violation("a", REFUTES, C3, message, at, short(target.value), short(found) if found is not None else None)


def _contested(run: Logged, meets: Event, misses: Event, target: SuiteTarget) -> Violation:
    unit, counter = meets.counter or ("line", meets.line)
    one, other = short(meets.number or 0.0), short(misses.number or 0.0)
    message = (
        f"{run.name} gives {meets.key} at {unit} {counter:g} as {one} and as {other}; only {one} meets the target "
    )
    related = (Related(run.trace.place(meets), one),)
    at = run.trace.place(misses)
    return Violation("b", UNDERMINES, C3, f"{message}the target {short(target.value)}", at, one, other, related)


def _easier(run: Logged, target: SuiteTarget) -> Iterator[Violation]:
    """Compare a logged target of the same scale."""
    for event in run.trace.of(*LOGGED_TARGETS):
        number = event.number
        if number is None or not math.isfinite(number) or not 0.5 < number / target.value < 2:
            continue
        easier = number < target.value if target.direction == "higher" else number > target.value
        if easier and abs(number - target.value) > 1e-9:
            message = f"{run.name} trains to {short(number)}; the round asks for {short(target.value)}"
            yield Violation("a", REFUTES, C3, message, run.trace.place(event), short(target.value), short(number))
