"""F60: what a log states of its own course, against its events."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.submission import Claim
from ..case import Case
from ..outcome import C2, C3, UNDERMINES, Branch, Inapplicable, Related, Violation
from ..registry import rule
from ._readings_of_runs import Odd, of_counts, of_epochs, of_quality, of_script, states_something


@rule(
    "F60",
    "reading-contradicts-events",
    effect=UNDERMINES,
    confidence=C3,
    applies="training and has(trace)",
    origin="MEAS",
)
def reading_contradicts_events(claim: Claim, case: Case) -> Iterator[Branch]:
    """A log whose own words and readings contradict its timed events.

    ## What it does
    Reads what the script around a suite's training run prints: when it began and how many seconds it took; and the
    average precision that an evaluation prints. The seconds hold the run from its start to its stop, the beginning is
    near the first timed event in whatever zone the clock is set to, and the printed quality is the logged one to its
    last digit. The throughput that is logged for an epoch is that of the other epochs of its length, and the samples
    that a log says it trained on are those that it counted, where they are in all other logs of the result.

    ## Why it misleads
    Both come from one program. Where they differ, one of them was edited, or is another run's.

    ## Branches
    - (a) undermines, C3: fewer seconds are printed than lie between start and stop, by more than 2; or a beginning more
      than 36 hours away; or a quality that differs from the logged one by more than its last digit.
    - (b) undermines, C2: of at least 4 epochs with a throughput, those of one length agree within 5 %, but for one that
      is off by more than 15 %; or one of at least 5 logs gives other samples at its end than it counted.
    - not applicable: nothing of the kind is printed or logged.
    - guard: text of several runs or processes in one log, evaluations that print nothing, epochs that were cut short.

    ## Flagged
    On `suite-training` for claim `retinanet`:
    ```json
    {"arms": {"retinanet": {"runs": {"result_1": {"events": {
      "900": {"key": "printed_seconds", "value": 197, "kind": "mark"}}}}}}}
    ```

    ## Accepted
    On `suite-training` for claim `retinanet`:
    ```json
    {"arms": {"retinanet": {"runs": {"result_1": {"events": {
      "900": {"key": "printed_seconds", "value": 100000, "kind": "mark"}}}}}}}
    ```

    ## How to fix
    Hand in the log as the run wrote it.

    ## References
    The scripts of the MLPerf Training reference implementations, which print "STARTING TIMING RUN AT" and "RESULT,".
    """
    runs = [run for run in case.runs(claim) if run.role == "training" and run.trace.events]
    sure = [odd for run in runs for odd in (*of_script(run), *of_quality(run))]
    likely = [*(odd for run in runs for odd in of_epochs(run)), *of_counts(runs)]
    if sure:
        yield _violation("a", sure)
    if likely:
        yield _violation("b", likely)
    if not any(map(states_something, runs)):
        yield Inapplicable("no log states anything of its course beside its events")


def _violation(branch: str, found: list[Odd]) -> Violation:
    first = found[0]
    more = f"; {len(found) - 1} more readings do not fit" if len(found) > 1 else ""
    related = (Related(first.run.trace.place(first.other), first.other.key),) if first.other is not None else ()
    where = first.run.trace.place(first.event)
    shown = (first.shown, first.stated)
    confidence = C3 if branch == "a" else C2
    return Violation(branch, UNDERMINES, confidence, f"{first.run.name} {first.words}{more}", where, *shown, related)
