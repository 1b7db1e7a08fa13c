"""Q05: evaluations at another distance than the round prescribes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

from ...schemas.submission import Claim
from ..case import Case
from ..facts.suite.result import quoted
from ..facts.suite.runs import training_runs
from ..outcome import C3, CAVEAT, Branch, Inapplicable, Note, Violation
from ..registry import rule
from ..tables import mlperf
from ..trace import Event, Logged


@rule(
    "Q05",
    "evaluation-schedule-off-policy",
    effect=CAVEAT,
    confidence=C3,
    applies="suite_training and closed and has(trace)",
    origin="POL, MEAS",
    also=("M30",),
)
def evaluation_schedule_off_policy(claim: Claim, case: Case) -> Iterator[Branch]:
    """A closed result that evaluates more rarely than its round prescribes, or begins to evaluate too early.

    ## What it does
    Takes the counters of samples that stand with the evaluations of a run and compares their distances with the
    prescribed one: k samples, rounded up to whole batches; for BERT 0.05 x (230.23 x batch + 3,000,000), which the text
    also rounds down to multiples of 25,000 and this rule does not. Where the rules leave out first evaluations, none
    may stand before them.

    ## Why it misleads
    The clock stops at an evaluation. Who places them freely places the end of the training.

    ## Branches
    - (a) caveat, C3: a distance is larger than prescribed, or the first evaluation comes too early.
    - pass with note: runs have distances smaller than prescribed by more than a batch, under either rounding, which
      only costs time.
    - not applicable: no text for the round, or samples and global batch are not logged.

    ## Flagged
    On `suite-training` for claim `retinanet`:
    ```json
    {"claims": {"retinanet": {"suite_result": {"benchmark": "llama31_8b", "round": "v6.0"}}},
     "arms": {"retinanet": {"runs": {"result_1": null, "result_2": null, "result_3": null, "result_4": null,
       "result_0": {"events": {"33": {"samples": 12288}, "44": {"samples": 36864}, "55": {"samples": 49152},
         "66": {"samples": 61440}, "77": {"samples": 73728}, "88": {"samples": 86016}}}}}}}
    ```

    ## Accepted
    On `suite-training` for claim `retinanet`:
    ```json
    {"claims": {"retinanet": {"suite_result": {"benchmark": "llama31_8b", "round": "v6.0"}}},
     "arms": {"retinanet": {"runs": {"result_1": null, "result_2": null, "result_3": null, "result_4": null,
       "result_0": {"events": {"33": {"samples": 12288}, "44": {"samples": 24576}, "55": {"samples": 36864},
         "66": {"samples": 49152}, "77": {"samples": 61440}, "88": {"samples": 73728}}}}}}}
    ```

    ## How to fix
    Evaluate at the prescribed distance.

    ## References
    MLPerf Training rules, section on the evaluation frequency.
    """
    result = quoted(claim)
    table = mlperf.training().evaluation_interval
    interval = table.benchmarks.get(result.benchmark or "")
    rounds = interval.rounds or table.rounds if interval is not None else table.rounds
    if result.round is None or not mlperf.within(result.round, rounds):
        interval = None
    if interval is None:
        yield result.no_figure("the distance of evaluations")
        return
    judged = [found for run in training_runs(claim, case) if (found := _run(run, interval)) is not None]
    if not judged:
        yield Inapplicable("samples at the evaluations, or the global batch, are not logged")
    yield from (branch for branch in judged if not isinstance(branch, Note))
    finer = [branch for branch in judged if isinstance(branch, Note) and branch.message]
    if finer:
        yield Note(f"{finer[0].message}; so do {len(finer) - 1} more runs") if len(finer) > 1 else finer[0]


def _run(run: Logged, interval: mlperf.Interval) -> Violation | Note | None:
    """Return what one run shows: a violation, a note (an empty one where all is as prescribed), or nothing."""
    batch = run.trace.options.get("global_batch_size", ())
    size = batch[0] if len(batch) == 1 and isinstance(batch[0], float) and batch[0] >= 1 else None
    events = _by_samples(run)
    if size is None or len(events) < 2:
        return None
    wanted = math.ceil((interval.samples + interval.per_batch * size) / size) * size
    counts = sorted(events)
    if interval.skipped is not None:
        first = math.floor(interval.skipped.per_batch * size + interval.skipped.plus) * wanted
        if counts[0] < first:
            message = (
                f"{run.name} evaluates after {counts[0]:.0f} samples; the first evaluation is due after {first:.0f}"
            )
            return _violation(run, events[counts[0]], message, first, counts[0])
    gaps = [(after - before, after) for before, after in pairwise(counts)]
    gap, after = max(gaps)
    if gap > wanted:
        message = f"{run.name} evaluates {gap:.0f} samples after the evaluation before; {wanted:.0f} are prescribed"
        return _violation(run, events[after], message, wanted, gap)
    least, after = min(gaps)
    if least < wanted and sum(gap == wanted for gap, _ in gaps) > len(gaps) / 2:
        message = f"{run.name} evaluates {least:.0f} samples after the evaluation before; {wanted:.0f} are prescribed"
        return _violation(run, events[after], f"{message}, and kept by the others", wanted, least)
    exact = interval.samples + interval.per_batch * size
    finer = least < exact // interval.rounded_to * interval.rounded_to - size
    return Note(f"{run.name} evaluates every {least:.0f} samples, more often than prescribed" if finer else "")


def _violation(run: Logged, event: Event, message: str, wanted: float, found: float) -> Violation:
    return Violation("a", CAVEAT, C3, message, run.trace.place(event), f"{wanted:.0f}", f"{found:.0f}")


def _by_samples(run: Logged) -> dict[float, Event]:
    """Return the evaluations by their counter of samples."""
    return {
        event.samples: event
        for event in run.trace.evaluations
        if event.samples is not None and math.isfinite(event.samples) and event.samples > 0
    }
