"""F39: training before the clock started."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case
from ..facts.document.declared_words import said
from ..facts.runs.clock_slack import slack_ms
from ..facts.runs.evaluation_events import counter_in
from ..facts.runs.times import started_ms, stopped_ms
from ..outcome import C3, REFUTES, Branch, Inapplicable, Note, Related, Violation
from ..registry import Threshold, rule
from ..trace import Event, Logged

MOST_NAMED = 5


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    slack: float = Threshold(1, "s, log of one process", "measured on published logs")
    slack_ranks: float = Threshold(5, "s, log of several processes or of unknown many", "measured on published logs")


@rule(
    "F39",
    "clock-started-late",
    effect=REFUTES,
    confidence=C3,
    applies="(tta or training_time) and has(trace)",
    origin="MEAS, ML",
    thresholds=Thresholds,
)
def clock_started_late(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A log that trains or evaluates before its run starts, or whose first block has samples behind it.

    ## What it does
    Looks in every training log for a train or evaluation event that is earlier than the start by more than one second,
    five where several processes write. Where blocks count samples or steps from the beginning, the first one must begin
    at zero, unless a checkpoint is declared.

    ## Why it misleads
    Training that came before the clock is in the result and not in its time.

    ## Branches
    - (a) refutes, C3: such an event is earlier than the start; or the counter of the first block begins above zero
      without a declared checkpoint.
    - pass with note: a warm-up on synthetic data before the clock is declared.
    - not applicable: a training log without a start, or without train and evaluation events.

    ## Flagged
    On `suite-training` for claim `retinanet`:
    ```json
    {"arms": {"retinanet": {"runs": {"result_1": {"events": {"23": {"time_ms": 1744015864092}}}}}}}
    ```

    ## Accepted
    On `suite-training` for claim `retinanet`, where every run starts before its first epoch.

    ## How to fix
    Start the clock before the first sample is touched; the message says by how much.

    ## References
    Rules of training suites; measured on published logs.
    """
    late: list[tuple[Logged, Event, float]] = []
    unjudged, runs = 0, [run for run in case.runs(claim) if run.role == "training" and run.trace]
    for run in runs:
        start = started_ms(run)
        worked = run.trace.kind("train", "eval")
        if start is None or not worked:
            unjudged += 1
            continue
        earliest = min((event for event in worked if event.time_ms is not None), key=_time, default=None)
        if earliest is not None and start - _time(earliest) > slack_ms(run, thresholds.slack, thresholds.slack_ranks):
            late.append((run, earliest, start))
        behind = _behind(run, case, claim)
        if behind is not None:
            yield behind
    if unjudged or not runs:
        yield Inapplicable("a training log has no start, or no train or evaluation event")
    if late and _warm_up(claim, case) and not any(event.kind == "eval" for _, event, _ in late):
        yield Note(f"{len(late)} runs hold events before their start; a warm-up is declared")
    elif late:
        yield _violation(late)


def _warm_up(claim: Claim, case: Case) -> bool:
    """Whether a warm-up on synthetic data is declared, beside the number or as the arm's own policy."""
    side = case.subject(claim)
    measurement = side.arm.measurement if side is not None else None
    policy = measurement.warmup.policy if measurement is not None and measurement.warmup is not None else None
    return "synthetic" in (policy or "").casefold() or said(claim, "warm-up", "warmup")


def _time(event: Event) -> float:
    assert event.time_ms is not None
    return event.time_ms


def _violation(late: list[tuple[Logged, Event, float]]) -> Violation:
    run, event, start = max(late, key=lambda item: item[2] - _time(item[1]))
    before = (start - _time(event)) / 1000
    more = f"; {len(late) - 1} more runs do so" if len(late) > 1 else ""
    message = f"{run.name} logs {event.key} {before:.1f} s before its start{more}"
    stop = stopped_ms(run)
    claimed = f"{(stop - start) / 1000:.3f} s" if stop is not None else None
    corrected = f"{(stop - _time(event)) / 1000:.3f} s" if stop is not None else None
    starts = run.trace.of("run_start")
    related = [Related(run.trace.place(starts[0]), "start")] if starts else []
    related += [Related(other.trace.place(item), other.name) for other, item, _ in late if other is not run]
    return Violation("a", REFUTES, C3, message, run.trace.place(event), claimed, corrected, tuple(related[:MOST_NAMED]))


def _behind(run: Logged, case: Case, claim: Claim) -> Violation | None:
    """Judge the counter of the first block: cumulative where the next block begins where the first one ended."""
    blocks = [event for event in run.trace.kind("train") if event.key.endswith(("_start", "_stop"))]
    if len(blocks) < 3 or not blocks[0].key.endswith("_start"):
        return None
    first = blocks[0]
    stem = first.key.removesuffix("_start")
    stops = [event for event in blocks if event.key == f"{stem}_stop"]
    starts = [event for event in blocks if event.key == first.key]
    for unit in ("samples", "step"):
        begin = counter_in(first, unit)
        if begin is None or begin <= 0 or not stops or len(starts) < 2:
            continue
        end, following = counter_in(stops[0], unit), counter_in(starts[1], unit)
        if end is not None and end > begin and following == end and not _resumed(run, case, claim):
            message = f"the first block of {run.name} begins at {unit} {begin:g}, and no checkpoint is declared"
            return Violation("a", REFUTES, C3, message, run.trace.place(first), f"{begin:g}", "0")
    return None


def _resumed(run: Logged, case: Case, claim: Claim) -> bool:
    """Whether a log, the options or the words beside the number say that training began from something."""
    side = case.subject(claim)
    stated = side is not None and side.arm.options is not None and side.arm.options.weights is not None
    logged = any(word in key for key in run.trace.by_key for word in ("checkpoint", "pretrain", "resume"))
    return stated or logged or said(claim, "checkpoint", "pretrained", "pre-trained", "resumed")
