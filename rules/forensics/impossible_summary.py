"""F09: summary statistics that no numbers have."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct
from msgspec.structs import replace

from ...schemas.evidence import Metric
from ...schemas.submission import Claim
from ..case import Case
from ..facts.quantities.discrepancy import SMALL, told_apart
from ..facts.quantities.likely_cause import repair
from ..facts.serving.latency_parts import of_gaps
from ..language.printed import INFINITY, Span, span
from ..outcome import C3, CAVEAT, REFUTES, Branch, Inapplicable, Related, Violation
from ..registry import rule

RATES = frozenset({"rate", "flops"})
FIELDS = ("mean", "median", "sd", "min", "max")
SLIPS = (Decimal(100), Decimal("0.01"))


class Stated(Struct, frozen=True):
    """Summary statistics as intervals, with the fewest and most values that they may rest on.

    A mean of rates may be the harmonic one, for which the inequalities between mean and deviation do not hold.
    """

    values: dict[str, Span]
    fewest: int | None
    most: int | None
    rates: bool


@rule("F09", "impossible-summary", effect=REFUTES, confidence=C3, applies="has(summary)", origin="math")
def impossible_summary(claim: Claim, case: Case) -> Iterator[Branch]:
    """Mean, median, standard deviation and extremes that no set of numbers can have together.

    ## What it does
    Checks the printed statistics of one metric against inequalities that hold for any numbers: min <= median <= max,
    min <= mean <= max, |mean - median| <= sd, (max - min) / sqrt(2 n) <= sd <= (max - min) / 2 sqrt(n / (n - 1)),
    |extreme - mean| <= sd sqrt(n - 1), and sd <= mean sqrt(n) for positive numbers. Each statistic is the interval
    that its digits allow; the looser of population and sample deviation counts, and so does the looser count of
    values.

    ## Why it misleads
    At least one of the statistics was computed from something else.

    ## Branches
    - (a) refutes, C3: an inequality is violated; a caveat where 1 % of room in every number would repair it.
    - (b, instead of a) caveat, C3: the deviation times 100 or 1/100 repairs it, with both extremes: a fraction beside a
      percentage.
    - not applicable: no inequality is violated, and not all five statistics with their count are given.

    ## Flagged
    On `serving` for claim `latency`:
    ```json
    {"arms": {"server": {"performance": {"latency": {"summary": {"sd": "0.771"}}}}}}
    ```

    ## Accepted
    On `serving` for claim `latency`, whose statistics come from its 1000 requests.

    ## How to fix
    Compute all statistics of one set of numbers again.

    ## References
    Samuelson's inequality (1968); Popoviciu's inequality on variances (1935); Hotelling and Solomons (1932).
    """
    side, metric = case.subject(claim), case.metric(claim.measured)
    if metric is None or metric.summary is None:
        yield Inapplicable("the claim's metric carries no summary statistics")
        return
    counts = _counts(metric) if side is None or not of_gaps(side, metric) else (None, None)
    values = {name: span(text) for name in FIELDS if (text := getattr(metric.summary, name)) is not None}
    stated = Stated(values, *counts, metric.quantity in RATES)
    flaw = _flaw(stated)
    if flaw:
        # Without the extremes any larger deviation would do, and nothing speaks for this one.
        slips = SLIPS if {"sd", "min", "max"} <= stated.values.keys() else ()
        repaired = any(not _flaw(_slipped(stated, factor)) for factor in slips)
        # what holds with 1 % of room each is off by that at most, and decides nothing
        roomy = {name: value.widened(SMALL) for name, value in stated.values.items()}
        small = not _flaw(replace(stated, values=roomy))
        branch, effect = ("b", CAVEAT) if repaired else ("a", CAVEAT if small else REFUTES)
        hint = ": a fraction beside a percentage" if repaired else _cause(stated)
        related = tuple(Related(metric.summary.place(name), name) for name in values)
        message = f"no numbers have these statistics: {flaw}{hint}"
        yield Violation(branch, effect, C3, message, metric.summary.at, related=related)
    elif len(stated.values) < len(FIELDS) or stated.most is None:
        yield Inapplicable("not all of mean, median, sd, min, max and their count are given")


def _counts(metric: Metric) -> tuple[int | None, int | None]:
    """Return the fewest and most values behind the statistics: a count may be that of one trial, or of all."""
    n, trials = metric.n.completed if metric.n is not None else None, metric.trials or 1
    if n is None or n < 1:
        return None, None
    return (min(n, trials) if trials > 1 else n), n * trials


def _slipped(stated: Stated, factor: Decimal) -> Stated:
    return replace(stated, values=stated.values | {"sd": stated.values["sd"].times(factor)})


def _flaw(stated: Stated) -> str:
    """Return the first violated inequality in words, or nothing."""
    return next((text for text, holds in _inequalities(stated) if not holds), "")


def _inequalities(stated: Stated) -> Iterator[tuple[str, bool]]:
    get = stated.values.get
    mean, median, sd, least, most = (get(name) for name in FIELDS)
    for name, middle in (("median", median), ("mean", mean)):
        if middle is not None and least is not None:
            yield _words("{} {} below min {}", name, middle, least), middle.high >= least.low
        if middle is not None and most is not None:
            yield _words("{} {} above max {}", name, middle, most), middle.low <= most.high
    if least is not None and most is not None:
        yield _words("{} {} above max {}", "min", least, most), least.low <= most.high
    if sd is None:
        return
    yield f"sd {sd} below 0", sd.high >= 0
    if mean is not None and median is not None and not stated.rates:
        yield f"mean {mean} and median {median} further apart than sd {sd}", _apart(mean, median) <= sd.high
    if least is not None and most is not None:
        yield from _by_range(sd, least, most, stated)
    if mean is not None and stated.most is not None and not stated.rates:
        yield from _by_count(mean, sd, (least, most), stated.most)


def _words(pattern: str, name: str, left: Span, right: Span) -> str:
    return pattern.format(name, *told_apart(left, right))


def _by_range(sd: Span, least: Span, most: Span, stated: Stated) -> Iterator[tuple[str, bool]]:
    widest, narrowest = most.high - least.low, max(most.low - least.high, Decimal(0))
    fewest = max(stated.fewest or 2, 2)
    limit = widest / 2 * (Decimal(fewest) / (fewest - 1)).sqrt()
    yield f"sd {sd} above what the range {least} to {most} allows", sd.low <= limit
    if stated.most is not None:
        floor = narrowest / (2 * Decimal(stated.most)).sqrt()
        yield f"sd {sd} below what the range {least} to {most} of {stated.most} values needs", sd.high >= floor


def _by_count(mean: Span, sd: Span, ends: tuple[Span | None, Span | None], n: int) -> Iterator[tuple[str, bool]]:
    reach = sd.high * Decimal(max(n - 1, 1)).sqrt()
    for name, end in zip(("min", "max"), ends, strict=True):
        if end is not None:
            yield f"{name} {end} further from mean {mean} than sd {sd} of {n} values allows", _apart(mean, end) <= reach
    least = ends[0]
    if least is not None and least.low >= 0 and mean.high < INFINITY:
        yield f"sd {sd} above mean {mean} x sqrt({n})", sd.low <= mean.high * Decimal(n).sqrt()


def _apart(left: Span, right: Span) -> Decimal:
    """Return the least distance of two intervals."""
    return max(left.low - right.high, right.low - left.high, Decimal(0))


def _cause(stated: Stated) -> str:
    return repair(stated.values, lambda values: not _flaw(replace(stated, values=dict(values))))
