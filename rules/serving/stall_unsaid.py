"""L15: a service that stood still for a while."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case
from ..facts.serving.records import records
from ..facts.serving.tails import tail_given
from ..language.printed import short
from ..outcome import C3, CAVEAT, UNDERMINES, Branch, Inapplicable, Violation
from ..registry import Threshold, rule


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    times: float = Threshold(5, "times the usual wait", "judgement")
    least: float = Threshold(0.1, "seconds", "judgement: what somebody who waits notices")


@rule(
    "L15",
    "stall-unsaid",
    effect=UNDERMINES,
    confidence=C3,
    applies="serving",
    origin="MEAS",
    thresholds=Thresholds,
)
def stall_unsaid(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A number of a service that stood still while requests waited.

    ## What it does
    Looks through the recorded requests for the longest time in which at least three of them waited and nothing came: no
    chunk, no answer, no failure. It is held against the median time to the first token, or of a whole request
    where the times of the chunks are not recorded.

    ## Why it misleads
    A median does not move when the server stops for two seconds in each minute. Whoever is connected then waits those
    two seconds.

    ## Branches
    - (a) undermines, C3: nothing came for more than five times as long as is usual, and for more than 0.1 s, and a
      latency is told without its tail.
    - (b, instead of a) caveat, C3: the same beside a number that is no latency, or a latency with its tail.
    - not applicable: no three requests waited at once, or none are recorded one by one.

    ## Flagged
    On `serving` for claim `latency`:
    ```json
    {"claims": {"latency": {"statement": "The mean latency of a request is 2.503 s."}},
     "arms": {"server": {
      "performance": {"latency": {"summary": null}},
      "trials": {"t2": null, "t3": null, "t4": null, "t5": null, "t1": {"samples": null, "requests": {
      "scheduled_s": [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9],
      "sent_s": [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9],
      "ended_s": [0.1, 0.2, 0.3, 0.4, 0.5, 3.0, 3.1, 3.2, 1.0, 1.0],
      "outcome": ["completed", "completed", "completed", "completed", "completed", "completed", "completed",
        "completed", "completed", "completed"]}}}}}}
    ```

    ## Accepted
    On `serving` for claim `rate`:
    ```json
    {"arms": {"server": {
      "trials": {"t2": null, "t3": null, "t4": null, "t5": null, "t1": {"samples": null, "requests": {
      "scheduled_s": [0, 0, 0, 0.1, 0.2, 0.3],
      "sent_s": [0, 0, 0, 0.1, 0.2, 0.3],
      "ended_s": [0.2, 0.3, 0.4, 0.5, 0.6, 0.7],
      "outcome": ["completed", "completed", "completed", "completed", "completed", "completed"]}}}}}}
    ```

    ## How to fix
    Give the 99th percentile and the longest latency, and say what the server did in that time.

    ## References
    Dean and Barroso, The tail at scale (2013).
    """
    side = case.subject(claim)
    found = [record for record in records(case, side) if record.stall is not None] if side is not None else []
    if side is None or not found:
        yield Inapplicable("no three requests that waited at once are recorded")
        return
    worst = max(found, key=lambda record: record.stall.length_s if record.stall is not None else 0.0)
    stall = worst.stall
    assert stall is not None
    if stall.usual_s <= 0 or stall.length_s <= max(thresholds.times * stall.usual_s, thresholds.least):
        return
    bare = claim.quantity in {"latency", "time"} and not tail_given(claim, case)
    branch, effect = ("a", UNDERMINES) if bare else ("b", CAVEAT)
    message = (
        f"in {worst.trial} nothing came for {short(stall.length_s)} s while {stall.waiting} requests waited; "
        f"the usual wait is {short(stall.usual_s)} s"
    )
    yield Violation(branch, effect, C3, message, side.arm.place("trials"), recomputed=f"{short(stall.length_s)} s")
