"""Q01: fewer runs than the round asks for, or more failures than it allows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case
from ..facts.runs.overlaps import Timed, window
from ..facts.suite.result import quoted, required_runs
from ..facts.suite.runs import Made, allowance, is_weak, made, training_runs
from ..outcome import C2, C3, CAVEAT, UNDERMINES, Branch, Inapplicable, NotShown, Related, Violation
from ..registry import Threshold, rule
from ..trace import Event, Logged

KEYS = ("instance_id", "instance")
MOST = 100_000
LEAST_AT_ONCE = 3


def numbers(runs: Iterable[Logged]) -> dict[int, list[tuple[Logged, Event]]]:
    """Return the logs by the number of their instance; those that give none, or several, are left out."""
    found: dict[int, list[tuple[Logged, Event]]] = {}
    for run in runs:
        events = [event for event in run.trace.of(*KEYS) if isinstance(event.value, int | float)]
        if len({event.value for event in events}) == 1 and float(events[0].value).is_integer():
            found.setdefault(int(events[0].value), []).append((run, events[0]))
    return found


def missing(given: Iterable[int]) -> list[int]:
    """Return the numbers between the lowest and the highest that no instance has."""
    known = sorted(given)
    if not known or known[-1] - known[0] > MOST:
        return []
    return [number for left, right in pairwise(known) for number in range(left + 1, right)]


def apart(runs: Iterable[Timed], slack_s: float) -> tuple[list[Timed], list[Timed]] | None:
    """Return the few instances that ran while no other did, and the many that all ran at one time; else None.

    Runs that merely follow each other are no such instances.
    """
    ordered = sorted(runs, key=lambda run: run.start_ms)
    stop = float("-inf")
    for index, run in enumerate(ordered):
        if index and run.start_ms - stop > slack_s * 1000:
            few, many = sorted((ordered[:index], ordered[index:]), key=len)
            at_once = max(other.start_ms for other in many) < min(other.stop_ms for other in many)
            return (few, many) if len(many) >= LEAST_AT_ONCE and at_once and len(few) < len(many) else None
        stop = max(stop, run.stop_ms)
    return None


PROVIDE = """\
arms:
  trained:
    performance:
      score: {n: {unit: training_run, planned: 10, completed: 10, failed: 0}}
"""
PROVIDE_INSTANCE = """\
arms:
  weak:
    runs:
      result_11: {file: {name: weak/deepcam/result_11.txt}, status: success}
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    skew: float = Threshold(60, "seconds that clocks of separate nodes may be apart", "judgement")


@rule(
    "Q01",
    "round-run-count-short",
    effect=UNDERMINES,
    confidence=C3,
    applies="suite_training",
    origin="POL, MEAS",
    also=("F26", "R07"),
    thresholds=Thresholds,
)
def round_run_count_short(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A result of fewer runs than its round asks for, or of which more runs failed than may be left out.

    ## What it does
    Counts the logs, or the records of runs, behind a result and compares them with the number that the suite asks for
    this benchmark. Where the document is an excerpt, or no score is claimed, only a declared number can be too small:
    the other logs may exist. One run may miss the target (four of forty, or half where the first runs that converge
    count): it is left out as the slowest. Of a result
    that is scored by the throughput of many instances, there may be any number, each under its own number, and all at
    work at once.

    ## Why it misleads
    The number of runs is what makes the score repeatable. Whoever may choose among more, or hands in fewer, reports
    luck.

    ## Branches
    - (a) undermines, C3: fewer runs than asked for; or more runs without success than the round allows; or more logs
      than asked for, without a rule that says which of them count.
    - (b) undermines, C2: a few instances of such a throughput ran while none of the others, which all met, was running.
    - (c) caveat, C3: two of its instances bear one number.
    - not shown: a number between those of its instances is missing.
    - not shown: neither runs nor their number are given; or fewer logs than asked for, and no score is claimed.
    - not applicable: benchmark or round is not known, or the result is scored by throughput.

    ## Flagged
    On `suite-training` for claim `retinanet`:
    ```json
    {"arms": {"retinanet": {"runs": {"result_1": null, "result_2": null}, "trials": {"result_1": null,
       "result_2": null}, "performance": {"score": {"n": {"planned": 3, "completed": 3}}}}}}
    ```

    ## Accepted
    On `suite-training` for claim `retinanet`, with the five runs that the round asks for.

    ## How to fix
    Make the missing runs, all with one option set.

    ## References
    MLPerf Training rules, section on run results.
    """
    if is_weak(claim, case):
        yield from _instances(claim, case, thresholds.skew)
        yield Inapplicable("the result is scored by throughput of many instances")
        return
    result = quoted(claim)
    required = required_runs(result)
    if required is None:
        yield result.no_figure("the number of runs")
        return
    found = made(claim, case)
    if found is None:
        yield NotShown(f"the runs are not shown; the round asks for {required}", claim.at, provide=PROVIDE)
    else:
        yield from _count(claim, case, found, required, allowance(required, result.benchmark or ""))


def _count(claim: Claim, case: Case, found: Made, required: int, allowed: int) -> Iterator[Branch]:
    side = case.subject(claim)
    at = side.arm.at if side is not None else claim.at
    whole = case.submission.coverage != "excerpt" and claim.value is not None
    if found.counted < required and (whole or found.counted > found.shown):
        message = f"the result has {found.counted} runs; its round asks for {required}"
        yield Violation("a", UNDERMINES, C3, message, at, str(required), str(found.counted))
    elif found.counted < required:
        yield NotShown(f"{found.shown} of the {required} runs that the round asks for are shown", at, provide=PROVIDE)
    elif found.shown > required and not _designated(claim, case):
        message = f"{found.shown} runs were handed in, {required} count, and nothing says which"
        yield Violation("a", UNDERMINES, C3, message, at, str(required), str(found.shown))
    if len(found.failed) > allowed:
        message = f"{len(found.failed)} runs did not succeed; {allowed} may be left out"
        related = tuple(Related(place, "a run without success") for place in found.failed[1:5])
        yield Violation("a", UNDERMINES, C3, message, found.failed[0], str(allowed), str(len(found.failed)), related)


def _instances(claim: Claim, case: Case, skew: float) -> Iterator[Branch]:
    """Yield what the logs of instances, which train side by side, show of their numbers and times."""
    side, runs = case.subject(claim), training_runs(claim, case)
    given = numbers(runs)
    for number, found in given.items():
        if len(found) > 1:
            (left, first), (right, other) = found[:2]
            message = f"{left.name} and {right.name} both are instance {number}"
            related = (Related(left.trace.place(first), "the other one"),)
            yield Violation("c", CAVEAT, C3, message, right.trace.place(other), related=related)
    gaps = missing(given)
    if gaps and sum(map(len, given.values())) == len(runs):
        which = f"{gaps[0]} of {min(given)} to {max(given)}"
        message = f"there is no log of instance {which}" + (f", nor of {len(gaps) - 1} more" if len(gaps) > 1 else "")
        yield NotShown(message, side.arm.at if side is not None else claim.at, provide=PROVIDE_INSTANCE)
    timed = [ran for run in runs if side is not None and (ran := window(side, run)) is not None]
    waves = apart(timed, skew)
    if waves is not None:
        few, many = waves
        late = few[0].start_ms > many[0].start_ms
        when = "began after the others had ended" if late else "had ended before the others began"
        message = f"{len(few)} of {len(timed)} instances {when}, and all must run at once"
        related = (Related(many[0].run.place(), "one of the others"),)
        yield Violation("b", UNDERMINES, C2, message, few[0].run.place(), related=related)


def _designated(claim: Claim, case: Case) -> bool:
    """Whether a rule says which runs count."""
    side = case.subject(claim)
    measurement = side.arm.measurement if side is not None else None
    return measurement is not None and measurement.discard_rule is not None
