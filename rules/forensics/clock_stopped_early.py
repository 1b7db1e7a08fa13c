"""F40: training after the clock stopped."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.evidence import Target
from ...schemas.submission import Claim
from ..case import Case
from ..facts.runs.evaluation_events import counter_in, deciding, results
from ..facts.runs.times import status, stopped_ms
from ..outcome import C3, CAVEAT, REFUTES, Branch, Inapplicable, Note, Related, Violation
from ..registry import Threshold, rule
from ..trace import Event, Logged
from ..words import target_of

FAILED = frozenset({"aborted", "abort", "failed", "failure", "diverged"})


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    slack: float = Threshold(1, "s", "measured on published logs")


@rule(
    "F40",
    "clock-stopped-early",
    effect=REFUTES,
    confidence=C3,
    applies="(tta or training_time) and has(trace)",
    origin="MEAS, ML",
    also=("F24",),
    thresholds=Thresholds,
)
def clock_stopped_early(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A run whose clock stops before the training that its target was reached with.

    ## What it does
    Finds in every log the first evaluation that meets the target, by its counter of samples, steps or epochs. Where it
    comes after the stop, the training up to that counter is looked at: the last train event before the log first
    mentions the counter, or the end of training that mentions it first. Checkpoints may be evaluated after the clock;
    training may not go on after it. A run whose earlier evaluations the clock holds, and whose deciding one it does
    not, was not evaluated offline: it stopped its clock early.

    ## Why it misleads
    The quality is that of a longer training than the one that was timed.

    ## Branches
    - (a) refutes, C3: the deciding evaluation is more than a second after the stop, and so is the training up to it.
    - (b, instead of a) caveat, C3: the training was over in time, the earlier evaluations lie before the stop, and the
      deciding one has most of its own time after it.
    - pass with note: the training was over in time and evaluated afterwards, as were all evaluations.
    - not applicable: no target, or a log without a stop, train events or a counted evaluation that meets it; runs that
      were aborted are not asked.

    ## Flagged
    On `suite-training` for claim `retinanet`:
    ```json
    {"arms": {"retinanet": {"runs": {"result_1": {"events": {"90": {"time_ms": 1744017380000}}}}}}}
    ```

    ## Accepted
    On `suite-training` for claim `retinanet`, where every run stops after its last evaluation.

    ## How to fix
    Stop the clock after the training that is judged.

    ## References
    Measured on 538 published results: several evaluate checkpoints after the clock, none trains on.
    """
    target = target_of(claim, case)
    if not isinstance(target, Target):
        yield Inapplicable("no target says which evaluation decides")
        return
    runs = [run for run in case.runs(claim) if run.role == "training" and run.trace and status(run) not in FAILED]
    unjudged = offline = 0
    cut: list[tuple[Logged, Event, float]] = []
    for run in runs:
        stop, decided = stopped_ms(run), deciding(run, target)
        before = _trained(run, decided) if decided is not None else None
        if stop is None or decided is None or decided.time_ms is None or before is None:
            unjudged += 1
            continue
        late = decided.time_ms - stop > 1000 * thresholds.slack
        if late and before.time_ms is not None and before.time_ms - stop > 1000 * thresholds.slack:
            yield _violation(run, decided, before, stop)
        elif _cut(run, decided, stop, 1000 * thresholds.slack):
            cut.append((run, decided, stop))
        elif late:
            offline += 1
    if cut:
        yield _left_out(cut)
    if unjudged or not runs:
        yield Inapplicable("a log has no stop, no train event or no counted evaluation that meets the target")
    elif offline:
        yield Note(f"{offline} runs were evaluated after the clock, on checkpoints of training that it covers")


def _trained(run: Logged, decided: Event) -> Event | None:
    """Return the latest train event before the log first mentions the deciding counter; None where there is none."""
    if decided.counter is None:
        return None
    unit, counter = decided.counter
    latest: Event | None = None
    for event in run.trace.kind("train", "eval"):
        value = counter_in(event, unit)
        first = value is not None and value >= counter
        if first and not (value == counter and event.kind == "train" and event.key.endswith("_stop")):
            break
        if event.kind == "train" and event.time_ms is not None:
            latest = event if latest is None or event.time_ms > (latest.time_ms or 0.0) else latest
        if first:
            break
    return latest


def _cut(run: Logged, decided: Event, stop: float, slack: float) -> bool:
    """Whether the clock holds the evaluations before the deciding one and leaves most of that one out.

    A stop that is written after the evaluation, with an earlier time, names the checkpoint that was evaluated later.
    """
    assert decided.time_ms is not None
    if not any(event.line < decided.line for event in run.trace.of("run_stop")):
        return False
    others = [event.time_ms for event in results(run) if event.counter != decided.counter]
    earlier = [time for time in others if time is not None and time < decided.time_ms]
    if not earlier or max(earlier) > stop:
        return False
    marks = [event.time_ms for event in run.trace.of("eval_start") if event.counter == decided.counter]
    begun = [time for time in marks if time is not None and time <= decided.time_ms]
    took = decided.time_ms - max(begun) if begun else 2 * slack
    return decided.time_ms - stop > min(slack, took / 2)


def _left_out(cut: list[tuple[Logged, Event, float]]) -> Violation:
    run, decided, stop = cut[0]
    more = f", and so do {len(cut) - 1} more runs" if len(cut) > 1 else ""
    message = (
        f"{run.name} stops {((decided.time_ms or 0.0) - stop) / 1000:.2f} s before the evaluation that meets the "
        f"target has given its value{more}; the evaluations before it count"
    )
    related = tuple(Related(run.trace.place(event), "stop") for event in run.trace.of("run_stop")[:1])
    return Violation("b", CAVEAT, C3, message, run.trace.place(decided), related=related)


def _violation(run: Logged, decided: Event, before: Event, stop: float) -> Violation:
    assert decided.counter is not None
    assert decided.time_ms is not None
    assert before.time_ms is not None
    unit, counter = decided.counter
    message = (
        f"{run.name} stops {(decided.time_ms - stop) / 1000:.1f} s before the evaluation at {unit} {counter:g} that "
        f"meets the target, and trains towards it {(before.time_ms - stop) / 1000:.1f} s after the stop"
    )
    related = [Related(run.trace.place(before), before.key)]
    related += [Related(run.trace.place(event), "stop") for event in run.trace.of("run_stop")[:1]]
    return Violation("a", REFUTES, C3, message, run.trace.place(decided), related=tuple(related))
