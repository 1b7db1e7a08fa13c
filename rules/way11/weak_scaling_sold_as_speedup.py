"""W1103: more work per second sold as less time to train."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case
from ..facts.comparison.points import Point, ends
from ..facts.comparison.scaling_mode import fits, label_of, sized
from ..facts.quantities.numbers import exact
from ..facts.quantities.ratios import least
from ..facts.training.convergence import runs_of
from ..language.printed import Span, short, span
from ..language.reading import Reading, read
from ..outcome import C3, CAVEAT, REFUTES, Branch, Inapplicable, Related, Violation
from ..registry import Threshold, rule

RATES = {"rate", "work_rate", "data_rate"}
TOLERANCE = 0.01


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    tolerance: float = Threshold(0.01, "share", "judgement: a difference of at most 1 % changes no decision")


@rule(
    "W1103",
    "weak-scaling-sold-as-speedup",
    effect=REFUTES,
    confidence=C3,
    applies="speedup and training and points>=2",
    origin="S1.11",
    thresholds=Thresholds,
)
def weak_scaling_sold_as_speedup(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A higher rate with a larger batch, presented as training that ends sooner.

    ## What it does
    A training speed-up is the ratio of the rates times the ratio of the samples that each side needs to its target.
    The lower edge of the claimed one is compared with the upper edge of that product. Every reading of "30 %" or
    "0.2 times the time" is allowed, and times to the target that were measured on both sides decide instead.

    ## Why it misleads
    With a larger batch a model usually needs more samples. Twice the rate and 1.5 times the samples are a speed-up of
    1.33, not of 2.

    ## Branches
    - not applicable: rates, batches or samples of the two sides are not given, or their times to the target were
      measured.
    - (a) refutes, C3: the claimed training speed-up is above the ratio of rates times the ratio of samples to target.
    - (b) caveat, C3: a ratio of rates at a constant batch per device is called a speed-up, and the samples to the
      target are not given; unless it is called throughput or scaled. A unit in brackets does not call it so where
      training is said to be faster and ends with a worse model. "Weak scaling" excuses it, too, unless the document
      shows a worse quality at the larger batch beside the word speed-up or beside training that is faster. Also where
      the samples to the target are given, less work was done for less gain, and the sentence speaks of a speed-up.

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
    if len(points) != 2:
        yield Inapplicable("the two sides of the ratio are not given")
    elif claim.scope == "training_run":
        yield from _training(claim, case, points, thresholds.tolerance)
    else:
        yield from _rates(claim, case, points)


def _training(claim: Claim, case: Case, points: tuple[Point, ...], tolerance: float) -> Iterator[Branch]:
    base, subject = points
    claimed = least(claim, more_is_better=claim.quantity == "rate")
    rates = _quotient(_rate(subject, claim, case), _rate(base, claim, case))
    work = _quotient(_samples(base), _samples(subject))
    unknown = rates is not None and work is None and not (_timed(base) and _timed(subject))
    if unknown and claim.quantity == "rate" and _is_weak(points):
        yield _no_speedup(claim, points)
        return
    if rates is None or work is None or (_timed(base) and _timed(subject)):
        yield Inapplicable("rates and samples to the target of both sides are not given, or their times were measured")
        return
    product = rates * work
    if claimed is not None and claimed > product.widened(tolerance).high:
        message = (
            f"training is said to be at least {short(claimed)} times faster; "
            f"the rates give {rates} and the samples to the target {work}, together {product}"
        )
        related = (Related(base.at, "the base"), Related(subject.at, "the subject"))
        yield Violation("a", REFUTES, C3, message, claim.place("value"), claim.value, str(product), related)


def _quotient(above: Span | None, below: Span | None) -> Span | None:
    return above / below if above is not None and below is not None else None


def _rates(claim: Claim, case: Case, points: tuple[Point, ...]) -> Iterator[Branch]:
    pair = sized(points)
    if claim.quantity != "rate" or len(pair) < 2:
        yield Inapplicable("no ratio of rates at two known global batches")
        return
    text, known = read(claim.statement), all(_samples(point) is not None for point in points)
    if not text.has("speedup") or not _is_weak(points):
        return
    noun, training = text.has("called_speedup"), text.has("trained_faster")
    said = _says_throughput(text, training and _ends_worse(points))
    if not said and (label_of(claim, case)[0] == "weak" or text.has("weakly")):
        # A "weak-scaling speed-up" is a term of the field; it does not hide that the training itself gains less.
        said = not ((noun or training) and _ends_worse(points))
    if not said and not known:
        yield _no_speedup(claim, points)
    elif known and (noun or (training and not said)):
        yield from _beside_work(claim, points)


def _says_throughput(text: Reading, worse: bool) -> bool:
    """Whether a sentence says that its ratio is one of throughput.

    The unit of rates in brackets does not say so of a training that is called faster and ends with a worse model.
    """
    told = [item.start for item in text.quantities() if item.dimension in RATES]
    told += [item.start for concept in ("throughput", "scaled") for item in text.mentions(concept)]
    return any(not worse or text.source.count("(", 0, at) <= text.source.count(")", 0, at) for at in told)


def _is_weak(points: tuple[Point, ...]) -> bool:
    pair = sized(points)
    return len(pair) == 2 and fits(pair, "weak", TOLERANCE) and not fits(pair, "strong", TOLERANCE)


def _ends_worse(points: tuple[Point, ...]) -> bool:
    """Whether the document shows a worse quality at the larger batch than at the smaller, by all printed digits."""
    base, subject = points
    if base.side is None or subject.side is None or not (base.is_arm and subject.is_arm):
        return False
    for one in base.side.arm.quality.values():
        for other in subject.side.arm.quality.values():
            same = one.metric == other.metric and one.unit == other.unit and one.split == other.split
            if not same or one.value is None or other.value is None or one.direction != other.direction:
                continue
            left, right = span(one.value), span(other.value)
            worse = {"lower": right.low > left.high, "higher": right.high < left.low}
            if worse.get(one.direction or ""):
                return True
    return False


def _no_speedup(claim: Claim, points: tuple[Point, ...]) -> Violation:
    pair = sized(points)
    message = (
        f"the batch grows from {pair[0].batch} to {pair[1].batch} with the devices: "
        "a ratio of rates is no speed-up of training, whose samples to the target are not given"
    )
    return Violation("b", CAVEAT, C3, message, claim.place("statement"), claim.value)


def _beside_work(claim: Claim, points: tuple[Point, ...]) -> Iterator[Branch]:
    """Judge a ratio of rates that is called a speed-up, where the document itself shows that a target gains less."""
    claimed, work = least(claim, more_is_better=True), _quotient(_samples(points[0]), _samples(points[1]))
    if claimed is None or work is None or work.high >= 1 - TOLERANCE:
        return
    message = (
        f"a ratio of rates is called a speed-up of {claim.value}; with the samples that each side needs to its target "
        f"the training gains {short(claimed * work.low)} to {short(claimed * work.high)}"
    )
    yield Violation("b", CAVEAT, C3, message, claim.place("statement"), claim.value)


def _rate(point: Point, claim: Claim, case: Case) -> Span | None:
    """Return the rate of a point as printed in its row, else of its arm."""
    table = case.table(claim)
    columns = table.columns.items() if table is not None else ()
    rates = [name for name, column in columns if column.quantity == "rate"]
    printed = [point.row.values[name] for name in rates if name in point.row.values] if point.row is not None else []
    if len(printed) == 1:
        return span(printed[0])
    given = point.side.arm.performance.values() if point.side is not None else ()
    metrics = [metric for metric in given if metric.quantity == "rate"]
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
