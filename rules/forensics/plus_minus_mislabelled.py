"""F08: a plus-minus that is something else than its label says."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from decimal import Decimal
from statistics import fmean
from types import SimpleNamespace

from ...schemas.evidence import Metric, PlusMinus
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.numbers import exact, span
from ..facts.performance import Transform, transform
from ..facts.samples import Samples, samples_of
from ..outcome import C3, UNDERMINES, Branch, Inapplicable, Related, Violation
from ..registry import Threshold, rule
from ..statistics.intervals import quantile
from ..statistics.means import deviation
from ..statistics.student import t_quantile

NAMES = {
    "sd": "the standard deviation",
    "sem": "the standard error",
    "ci95": "the half-width of a 95 % interval",
    "iqr": "the interquartile range, or half of it",
    "range": "the range, or half of it",
}
Z95 = 1.959963984540054
FEWEST_SEEDS = 3
FAR = 1.9
"""A value this far from all that its label may mean is told from it by fewer digits, too.

The standard error of five values is half of their population deviation; rounding to 5 % leaves 1.9.
"""


@rule(
    "F08",
    "plus-minus-mislabelled",
    effect=UNDERMINES,
    confidence=C3,
    applies="has(plusminus)",
    origin="NEURIPS",
    thresholds={"precision": Threshold(0.025, "half a printed unit over the value", "judgement: 2 digits from 20 on")},
)
def plus_minus_mislabelled(claim: Claim, case: Case, settings: SimpleNamespace) -> Iterator[Branch]:
    """A plus-minus whose label is one thing and whose value another.

    ## What it does
    Computes standard deviation, standard error, 95 % half-widths (normal and t), interquartile range and range from the
    raw values: over all iterations, within each trial, and over the trials' means and medians. Only where the printed
    value fits none of the ways to form what its label says, and fits another, the label is wrong.

    ## Why it misleads
    A standard error is a fifth of the deviation of 25 values. Under the wrong label a reader sees a fifth of the
    scatter.

    ## Branches
    - (a) undermines, C3: the value fits another quantity than its label, and not its own.
    - not applicable: unlabelled, too few digits, raw values that are incomplete, or a value that fits nothing.

    ## Flagged
    On `rate` for claim `rate`:
    ```json
    {"arms": {"a": {"performance": {"rate": {"plus_minus": {"value": "0.784", "label": "sd"}}}}}}
    ```

    ## Accepted
    On `rate` for claim `rate`, with the deviation of its iterations:
    ```json
    {"arms": {"a": {"performance": {"rate": {"plus_minus": {"value": "13.6", "label": "sd"}}}}}}
    ```

    ## How to fix
    Say what the plus-minus is, and over which values.

    ## References
    NeurIPS paper checklist, item on error bars.
    """
    yield from _of_seeds(claim, case, settings)
    sides = [(case.subject(claim), case.metric(claim.measured)), (case.base(claim), case.metric(claim.base))]
    for side, metric in sides:
        half = metric.plus_minus if metric is not None else None
        if side is None or metric is None or half is None:
            continue
        found, how = samples_of(case, side, metric), transform(metric)
        precise = _precise(half, 2 * settings.precision)
        if (
            half.label not in NAMES
            or not precise
            or how is None
            or not how.unit_known
            or not _whole(found, side, metric)
        ):
            yield Inapplicable("the plus-minus has no label or too few digits, or its raw numbers are not complete")
            continue
        assert found is not None
        yield from _judged(half, found, how, _precise(half, settings.precision))


def _of_seeds(claim: Claim, case: Case, settings: SimpleNamespace) -> Iterator[Branch]:
    """Yield the plus-minus of the claim's quality, beside the values of its seeds."""
    quality = case.quality(claim.quality)
    half = quality.plus_minus if quality is not None else None
    if quality is None or half is None:
        return
    known = half.label in NAMES and len(quality.seeds) >= FEWEST_SEEDS
    if not known or not _precise(half, 2 * settings.precision):
        yield Inapplicable("the plus-minus of the quality has no label or too few digits, or names no seeds")
        return
    values = [float(text) for text in quality.seeds.values()]
    given = {name: [x for x in _of(values, name) if math.isfinite(x)] for name in NAMES}
    related = Related(quality.place("seeds"), f"{len(values)} seeds")
    yield from _compared(half, given, related, _precise(half, settings.precision))


def _precise(half: PlusMinus, least: float) -> bool:
    printed = span(half.value)
    return printed.low > 0 and (printed.high - printed.low) / 2 <= Decimal(str(least)) * abs(Decimal(half.value))


def _whole(found: Samples | None, side: Side, metric: Metric) -> bool:
    n = metric.n
    return found is not None and found.complete and not (n is not None and n.excluded)


def _judged(half: PlusMinus, found: Samples, how: Transform, precise: bool) -> Iterator[Branch]:
    series = [found] if found.cut is None else [found, found.cut]
    sets = [values for item in series for values in _sets(item, how) if len(values) > 1]
    given = {name: [x for values in sets for x in _of(values, name) if math.isfinite(x)] for name in NAMES}
    related = Related(found.at, f"{len(found.pooled)} raw numbers of {found.column}")
    yield from _compared(half, given, related, precise)


def _compared(half: PlusMinus, given: dict[str, list[float]], related: Related, precise: bool) -> Iterator[Branch]:
    printed, label = span(half.value), half.label or ""
    fits = [name for name in NAMES if any(printed.meets(exact(x)) for x in given[name])]
    if label in fits:
        return
    if not fits:
        yield Inapplicable("the plus-minus fits nothing that the raw numbers give")
        return
    other = fits[0]
    own = min(given[label], key=lambda x: abs(x - float(half.value)))
    ratios = [x / float(half.value) for x in given[label]]
    if not precise and not all(ratio > FAR or ratio < 1 / FAR for ratio in ratios):
        yield Inapplicable("the plus-minus has too few digits to tell one way from another")
        return
    message = f"+- {half.value} is labelled {NAMES[label]}, which is {own:.3g}; it is {NAMES[other]}"
    yield Violation("a", UNDERMINES, C3, message, half.place("value"), half.value, f"{own:.3g}", (related,))


def _sets(found: Samples, how: Transform) -> list[list[float]]:
    """Return the sets of values that a plus-minus may be of: all, each trial's, and the trials' means and medians."""
    by_trial = [[how.value(x) for x in values] for values in found.values]
    pooled = [x for values in by_trial for x in values]
    centres = [[how.value(x) for x in values] for values in (found.means, found.medians)]
    return [pooled, *by_trial, *centres, [fmean(values) for values in by_trial]]


def _of(values: Sequence[float], name: str) -> tuple[float, ...]:
    n = len(values)
    sd = deviation(values)
    population = sd * math.sqrt((n - 1) / n)
    if name == "sd":
        return sd, population
    if name == "sem":
        return sd / math.sqrt(n), population / math.sqrt(n)
    if name == "ci95":
        quantiles = (Z95, 2.0, t_quantile(0.975, n - 1))
        return tuple(q * s / math.sqrt(n) for q in quantiles for s in (sd, population))
    if name == "iqr":
        width = quantile(values, 0.75) - quantile(values, 0.25)
        return width, width / 2
    width = max(values) - min(values)
    return width, width / 2
