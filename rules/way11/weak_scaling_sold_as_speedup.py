"""W1103: more work per second sold as less time to train."""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import SimpleNamespace

from ...schemas.submission import Claim
from ..case import Case
from ..facts.convergence import runs_of
from ..facts.numbers import Span, exact, short, span
from ..facts.points import Point, ends
from ..facts.ratios import least
from ..facts.scaling_mode import fits, label_of, sized
from ..outcome import C3, CAVEAT, REFUTES, Branch, Related, Violation
from ..registry import Threshold, rule

SPEEDUP = re.compile(r"\bspeed(?:s|ed)?[\s-]?ups?\b|\bfaster\b|\bquicker\b|\btimes as fast\b|\bsooner\b", re.IGNORECASE)
THROUGHPUT = re.compile(
    r"\bthroughput\b|\bweak(?:ly)?\b|\bper[\s-](?:second|minute|hour|day)\b|\w/s\b|\brates?\b", re.IGNORECASE
)


@rule(
    "W1103",
    "weak-scaling-sold-as-speedup",
    effect=REFUTES,
    confidence=C3,
    applies="speedup and training and points>=2",
    origin="S1.11",
    thresholds={
        "tolerance": Threshold(0.01, "share", "judgement: a difference of at most 1 % changes no decision"),
    },
)
def weak_scaling_sold_as_speedup(claim: Claim, case: Case, settings: SimpleNamespace) -> Iterator[Branch]:
    """A higher rate with a larger batch, presented as training that ends sooner.

    ## What it does
    A training speed-up is the ratio of the rates times the ratio of the samples that each side needs to its target.
    The lower edge of the claimed one is compared with the upper edge of that product. Every reading of "30 %" or
    "0.2 times the time" is allowed, and times to the target that were measured on both sides decide instead.

    ## Why it misleads
    With a larger batch a model usually needs more samples. Twice the rate and 1.5 times the samples are a speed-up of
    1.33, not of 2.

    ## Branches
    - (a) refutes, C3: the claimed training speed-up is above the ratio of rates times the ratio of samples to target.
    - (b) caveat, C3: a ratio of rates at a constant batch per device is called a speed-up, and the samples to the
      target are not given; unless it is called throughput or weak scaling.

    ## Flagged
    On `strong-scaling` for claim `speedup`:
    ```json
    {"claims": {"speedup": {"scope": "training_run", "quantity": "time", "measured": null}},
     "arms": {"n8": {"trials": {"s1": null, "s2": null, "s3": null, "s4": null, "s5": null}}},
     "tables": {"nodes": {"rows": {"r1": {"samples_to_target": 76000000}, "r8": {"samples_to_target": 115000000}}}}}
    ```

    ## Accepted
    On `strong-scaling` for claim `speedup`, whose points share one global batch.

    ## How to fix
    Give the speed-up in time to the target.

    ## References
    Hoefler, Twelve ways to fool the masses, way 11.
    """
    points = ends(claim, case)
    if len(points) != 2 or any(point.devices is None for point in points):
        return
    base, subject = points
    if claim.scope == "training_run":
        yield from _training(claim, case, base, subject, settings.tolerance)
    if claim.scope != "training_run" or _samples(base) is None or _samples(subject) is None:
        yield from _rates(claim, case, base, subject)


def _training(claim: Claim, case: Case, base: Point, subject: Point, tolerance: float) -> Iterator[Branch]:
    rates = _rate(base, claim, case), _rate(subject, claim, case)
    samples = _samples(base), _samples(subject)
    claimed = least(claim, more_is_better=claim.quantity == "rate")
    if claimed is None or rates[0] is None or rates[1] is None or samples[0] is None or samples[1] is None:
        return
    if _timed(base) and _timed(subject):
        return
    throughput, work = rates[1] / rates[0], samples[0] / samples[1]
    if throughput is None or work is None:
        return
    most = (throughput * work).widened(tolerance).high
    if claimed > most:
        message = (
            f"training is said to be at least {short(claimed)} times faster; the rates give {throughput} "
            f"and the samples to the target {work}: {throughput * work}"
        )
        related = (Related(base.at, "the base"), Related(subject.at, "the subject"))
        yield Violation("a", REFUTES, C3, message, claim.place("value"), claim.value, str(throughput * work), related)


def _rates(claim: Claim, case: Case, base: Point, subject: Point) -> Iterator[Branch]:
    pair = sized((base, subject))
    said = THROUGHPUT.search(claim.statement) or label_of(claim, case)[0] == "weak"
    if len(pair) < 2 or said or not SPEEDUP.search(claim.statement):
        return
    if fits(pair, "weak", 0.01) and not fits(pair, "strong", 0.01) and claim.quantity == "rate":
        message = (
            f"the batch grows from {pair[0].batch} to {pair[1].batch} with the devices: "
            "a ratio of rates is no speed-up of training, whose samples to the target are not given"
        )
        yield Violation("b", CAVEAT, C3, message, claim.place("statement"), claim.value)


def _rate(point: Point, claim: Claim, case: Case) -> Span | None:
    """Return the rate of a point as printed in its row, else of its arm."""
    table = case.table(claim)
    columns = table.columns if table is not None else {}
    if point.row is not None:
        printed = [
            value for name, value in point.row.values.items() if name in columns and columns[name].quantity == "rate"
        ]
        if len(printed) == 1:
            return span(printed[0])
    metrics = (
        [metric for metric in point.side.arm.performance.values() if metric.quantity == "rate"] if point.side else []
    )
    if len(metrics) == 1 and point.is_arm and metrics[0].value is not None:
        return span(metrics[0].value, None, metrics[0].digits)
    return None


def _samples(point: Point) -> Span | None:
    """Return the samples to the target of a point: as its row states them, else over its own runs."""
    if point.row is not None and point.row.samples_to_target is not None:
        return exact(point.row.samples_to_target)
    if point.side is None or not point.is_arm:
        return None
    found = [exact(run.samples) for run in runs_of(point.side, point.side.arm.target) if run.samples]
    return Span(min(item.low for item in found), max(item.high for item in found)) if found else None


def _timed(point: Point) -> bool:
    """Whether the times to the target of a point were measured: then they decide, not a product of rates."""
    if point.side is None or not point.is_arm:
        return False
    return any(run.time_s is not None for run in runs_of(point.side, point.side.arm.target))
