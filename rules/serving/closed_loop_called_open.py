"""L14: requests that waited for one another, under a load that is said to be open."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

from msgspec import Struct

from ...schemas.evidence import Load
from ...schemas.submission import Claim
from ..case import Case
from ..facts.serving.records import Record, records
from ..language.printed import short
from ..outcome import C3, CAVEAT, UNDERMINES, Branch, Inapplicable, Violation
from ..registry import Threshold, rule

ENOUGH = 20
"""Requests from which on their order shows anything."""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    at_most: float = Threshold(0.9, "share of the requests", "judgement: an open loop's requests in flight vary")
    following: float = Threshold(0.8, "share of the requests", "judgement: by chance a tenth of them")
    late: float = Threshold(0.05, "share of the requests", "judgement")
    rate: float = Threshold(0.02, "share of the rate, beside 4 standard errors", "judgement")


@rule(
    "L14",
    "closed-loop-called-open",
    effect=UNDERMINES,
    confidence=C3,
    applies="serving",
    origin="MEAS",
    thresholds=Thresholds,
)
def closed_loop_called_open(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A service whose clients waited for their answers, sold as one that met requests as they come.

    ## What it does
    Reads when each recorded request was due, sent and answered. Where the load is said to be an open loop, it asks
    whether requests were sent only as others were answered, whether they were sent when they were due, and whether they
    were due at the rate that the load states.

    ## Why it misleads
    A client that waits sends nothing while the server stalls: the requests that would have waited longest are never
    made, and their latencies are missing from every percentile (coordinated omission). Users do not wait for
    each other.

    ## Branches
    - (a) undermines, C3: at least 90 % of the requests were sent into the same number in flight, and at least 80 % as
      another was answered.
    - (b) undermines, C3: they were due at another rate than the load states, by more than 2 % and four standard errors
      of that many arrivals.
    - (c) caveat, C3: more than 5 % of the requests were sent later than they were due by over a tenth of the median
      latency and 1 ms: the client did not keep up. Latencies from when they were due still count the wait.
    - not applicable: the load is not said to be open, or fewer than 20 requests are recorded.

    ## Flagged
    On `serving` for claim `rate`, where one client sends as soon as it is answered:
    ```json
    {"arms": {"server": {
      "performance": {"rate": {"load": {"loop": "open", "concurrency": null, "request_rate": 10}}},
      "trials": {"t2": null, "t3": null, "t4": null, "t5": null, "t1": {"samples": null, "requests": {
        "scheduled_s": [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9],
        "sent_s": [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9],
        "ended_s": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9, 2],
        "outcome": ["completed", "completed", "completed", "completed", "completed", "completed", "completed",
          "completed", "completed", "completed", "completed", "completed", "completed", "completed", "completed",
          "completed", "completed", "completed", "completed", "completed"]}}}}}}
    ```

    ## Accepted
    On `serving` for claim `rate`, where requests come as they come:
    ```json
    {"arms": {"server": {
      "performance": {"rate": {"load": {"loop": "open", "concurrency": null, "request_rate": 9.79}}},
      "trials": {"t2": null, "t3": null, "t4": null, "t5": null, "t1": {"samples": null, "requests": {
        "scheduled_s": [0, 0.03, 0.11, 0.15, 0.24, 0.34, 0.35, 0.35, 0.53, 0.56, 0.59, 1.13, 1.2, 1.38, 1.44, 1.54,
          1.56, 1.66, 1.86, 1.94],
        "sent_s": [0, 0.03, 0.11, 0.15, 0.24, 0.34, 0.35, 0.35, 0.53, 0.56, 0.59, 1.13, 1.2, 1.38, 1.44, 1.54,
          1.56, 1.66, 1.86, 1.94],
        "ended_s": [0.25, 0.28, 0.36, 0.4, 0.49, 0.59, 0.6, 0.6, 0.78, 0.81, 0.84, 1.38, 1.45, 1.63, 1.69, 1.79, 1.81,
          1.91, 2.11, 2.19],
        "outcome": ["completed", "completed", "completed", "completed", "completed", "completed",
          "completed", "completed", "completed", "completed", "completed", "completed", "completed",
          "completed", "completed", "completed", "completed", "completed", "completed", "completed"]}}}}}}
    ```

    ## How to fix
    Send by a schedule that was drawn before, and take latencies from when a request was due.

    ## References
    Schroeder, Wierman and Harchol-Balter, Open versus closed: a cautionary tale (2006); Tene, How not to measure
    latency.
    """
    side, metric = case.subject(claim), case.metric(claim.measured)
    load = metric.load if metric is not None else None
    if side is None or load is None or not _open(load):
        yield Inapplicable("the load is not said to be an open loop")
        return
    found = [record for record in records(case, side) if record.planned >= ENOUGH]
    if not found:
        yield Inapplicable(f"fewer than {ENOUGH} requests of a trial are recorded one by one")
    at = side.arm.place("trials")
    for record in found:
        if record.at_most >= thresholds.at_most and record.following >= thresholds.following:
            message = (
                f"in {record.trial} {record.following:.0%} of the requests were sent as another was answered, "
                f"{record.most} at once: a closed loop"
            )
            yield Violation("a", UNDERMINES, C3, message, at, "open loop", "closed loop")
        elif _other_rate(record, load, thresholds.rate):
            rate = short(record.arrivals_per_s or 0.0)
            message = f"the requests of {record.trial} were due at {rate}/s; the load states {load.request_rate:g}/s"
            yield Violation("b", UNDERMINES, C3, message, load.place("request_rate"), f"{load.request_rate:g}/s", rate)
        elif record.late > thresholds.late:
            message = f"{record.late:.0%} of the requests of {record.trial} were sent late: the client did not keep up"
            yield Violation("c", CAVEAT, C3, message, at, recomputed=f"{record.late:.0%}")


def _open(load: Load) -> bool:
    return load.loop == "open" or (load.loop is None and load.request_rate is not None)


def _other_rate(record: Record, load: Load, tolerance: float) -> bool:
    rate = record.arrivals_per_s
    if rate is None or load.request_rate is None:
        return False
    return abs(rate / load.request_rate - 1) > tolerance + 4 / sqrt(record.planned)
