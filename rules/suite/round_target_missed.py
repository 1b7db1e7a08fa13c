"""Q02: a run that its log calls successful and that never met the round's target, or an easier target in the log."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import pairwise

from ...schemas.submission import Claim
from ..case import Case
from ..facts.runs.times import is_successful
from ..facts.suite.result import quoted, targets_of
from ..facts.suite.runs import training_runs
from ..language.printed import short
from ..outcome import C3, REFUTES, UNDERMINES, Branch, Inapplicable, Related, Violation
from ..registry import rule
from ..tables.suites import SuiteTarget
from ..trace import Event, Logged

Values = dict[str, float]


def met(run: Logged, targets: tuple[SuiteTarget, ...]) -> bool | None:
    """Return whether any evaluation of a run meets all targets; None where its log does not tell."""
    points = list(evaluated(run, targets))
    if not points:
        return None
    if any(all(_meets(values.get(target.metric), target) for target in targets) for values in points):
        return True
    whole = any(all(target.metric in values for target in targets) for values in points)
    unreadable = any(not list(_named(event, targets)) for event in _events(run, targets))
    return False if whole and not unreadable else None


def best(run: Logged, target: SuiteTarget) -> float | None:
    """Return the best logged value of a target's metric."""
    found = [values[target.metric] for values in evaluated(run, (target,)) if target.metric in values]
    return (max(found) if target.direction == "higher" else min(found)) if found else None


def contested(run: Logged, targets: tuple[SuiteTarget, ...]) -> tuple[Event, Event] | None:
    """Return two values of one evaluation, of which the first meets the target and the second does not.

    None where another evaluation meets it, or half of all evaluations hold two values: these are of two things.
    """
    events = _events(run, targets)
    if len(targets) != 1 or len({event.counter for event in events}) == len(events):
        return None
    by_counter: dict[object, dict[bool, Event]] = {}
    values: dict[object, set[float]] = {}
    for event in events:
        for _, value in _named(event, targets) if event.counter is not None else ():
            values.setdefault(event.counter, set()).add(value)
            by_counter.setdefault(event.counter, {}).setdefault(_meets(value, targets[0]), event)
    double = sum(len(found) > 1 for found in values.values())
    split = [found for found in by_counter.values() if len(found) > 1]
    if len(split) != 1 or 2 * double >= len(values) or any(list(found) == [True] for found in by_counter.values()):
        return None
    return split[0][True], split[0][False]


def evaluated(run: Logged, targets: tuple[SuiteTarget, ...]) -> Iterable[Values]:
    """Yield the values of the targets' metrics, by counter; what is not finite is left out.

    A log may write several metrics under one key: a value is then that of the target nearest to it in size, where the
    targets lie far apart.
    """
    named: dict[object, Values] = {}
    for event in _events(run, targets):
        at = event.counter or ("line", event.line if len(targets) == 1 else 0)
        for name, value in _named(event, targets):
            if math.isfinite(value):
                named.setdefault(at, {})[name] = value
    return named.values()


def _events(run: Logged, targets: tuple[SuiteTarget, ...]) -> tuple[Event, ...]:
    return run.trace.of(*{target.metric for target in targets}) or run.trace.of("eval_accuracy", "eval_error")


def _named(event: Event, targets: tuple[SuiteTarget, ...]) -> Iterable[tuple[str, float]]:
    if isinstance(event.value, dict):
        for target in targets:
            value = event.value.get(target.metric)
            if isinstance(value, int | float) and not isinstance(value, bool):
                yield target.metric, float(value)
        return
    number = event.number
    if number is None:
        return
    if event.key in {target.metric for target in targets} or len(targets) == 1:
        name = event.key if len(targets) > 1 else targets[0].metric
        yield name, number
    elif number > 0 and _far_apart(targets):
        yield min(targets, key=lambda target: abs(math.log(number / target.value))).metric, number


def _far_apart(targets: tuple[SuiteTarget, ...]) -> bool:
    sizes = sorted(abs(target.value) for target in targets)
    return all(low > 0 and high / low > 20 for low, high in pairwise(sizes))


def _meets(value: float | None, target: SuiteTarget) -> bool:
    """Whether a value meets a target; a share written in percent counts as the share."""
    if value is None:
        return False
    if target.value <= 1 < value and target.direction == "lower" and value / 100 <= target.value:
        return True
    return value >= target.value if target.direction == "higher" else value <= target.value


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
    set for this benchmark and round, or in all of its rounds where none is stated; where there are several metrics, all
    at one counter. A target that the log states itself must not be easier than that.

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
    targets = targets_of(result)
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
    what = f"never meets {wanted} at one evaluation"
    if found is not None:
        what = f"{target.metric} is {short(found)} at best; the round asks for {sign} {short(target.value)}"
    message = f"{run.name} calls itself successful and {what}"
    ends = run.trace.of("run_stop")
    at = run.trace.place(ends[-1]) if ends else run.place("file")
    return Violation("a", REFUTES, C3, message, at, short(target.value), short(found) if found is not None else None)


def _contested(run: Logged, meets: Event, misses: Event, target: SuiteTarget) -> Violation:
    unit, counter = meets.counter or ("line", meets.line)
    one, other = short(meets.number or 0.0), short(misses.number or 0.0)
    message = (
        f"{run.name} gives {meets.key} at {unit} {counter:g} as {one} and as {other}; only {one} meets the target "
        f"the target {short(target.value)}"
    )
    related = (Related(run.trace.place(meets), one),)
    return Violation("b", UNDERMINES, C3, message, run.trace.place(misses), one, other, related)


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
