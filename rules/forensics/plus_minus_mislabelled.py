"""F08: a plus-minus that is something else than its label says."""

from __future__ import annotations

import math
from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from ...schemas.evidence import PlusMinus, Quality
from ...schemas.submission import Claim
from ..case import Case
from ..facts.quantities.half_widths import sets, widths
from ..facts.quantities.numbers import exact
from ..facts.quantities.performance import Transform, transform
from ..facts.series.raw_numbers import Samples, samples_of
from ..facts.training.proportions_of_examples import attainable, printed_share
from ..language.printed import span
from ..language.reading import read
from ..outcome import C3, UNDERMINES, Branch, Inapplicable, Related, Violation
from ..registry import Threshold, rule

NAMES = {
    "sd": "the standard deviation",
    "sem": "the standard error",
    "ci95": "the half-width of a 95 % interval",
    "iqr": "the interquartile range, or half of it",
    "range": "the range, or half of it",
}
FEWEST_SEEDS = 3
FAR = 1.9
"""A value this far from all that its label may mean is told from it by fewer digits, too.

The standard error of five values is half of their population deviation; rounding to 5 % leaves 1.9.
"""
SMALLER = 1.5
"""How much smaller than that of independent answers a standard error is no more taken for one.

Counting by strata makes it smaller by a few percent.
"""
TWO_DIGITS = 0.05
COARSE = 0.15
"""Half a printed unit over the value beyond which even that is not tried: one digit below 4."""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    precision: float = Threshold(0.025, "half a printed unit over the value", "judgement: 2 digits from 20 on")


@rule(
    "F08",
    "plus-minus-mislabelled",
    effect=UNDERMINES,
    confidence=C3,
    applies="has(plusminus)",
    origin="NEURIPS",
    thresholds=Thresholds,
)
def plus_minus_mislabelled(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A plus-minus whose label is one thing and whose value another.

    ## What it does
    Computes standard deviation, standard error, 95 % half-widths (normal and t), interquartile range and range from the
    raw values: over all iterations, within each trial, and over the trials' means and medians. Only where the printed
    value fits none of the ways to form what its label says, and fits another, the label is wrong. The standard error
    over the examples, of which each is right or wrong, follows from their share and their number; dependent examples
    make it larger, never much smaller. The mean of several answers to each example scatters less.

    ## Why it misleads
    A standard error is a fifth of the deviation of 25 values. Under the wrong label a reader sees a fifth of the
    scatter.

    ## Branches
    - (a) undermines, C3: the value fits another quantity than its label, and not its own.
    - (b) undermines, C3: the standard error over the examples of a share of them is smaller, by more than a third, than
      the share allows.
    - not applicable: unlabelled, too few digits, raw values that are incomplete, or a value that fits nothing; for (b),
      several answers to each example, or a share that no whole number of them gives.

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
    yield from _of_seeds(claim, case, thresholds)
    yield from _of_examples(claim, case)
    sides = [(case.subject(claim), case.metric(claim.measured)), (case.base(claim), case.metric(claim.base))]
    for side, metric in sides:
        half = metric.plus_minus if metric is not None else None
        if side is None or metric is None or half is None:
            continue
        found, how = samples_of(case, side, metric), transform(metric)
        whole = found is not None and found.complete and not (metric.n is not None and metric.n.excluded)
        named = half.label in NAMES and _precise(half, COARSE)
        if found is None or how is None or not how.unit_known or not whole or not named:
            yield Inapplicable("the plus-minus has no label or too few digits, or its raw numbers are not complete")
            continue
        yield from _judged(half, found, how, _precise(half, thresholds.precision))


def _of_seeds(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """Yield the plus-minus of the claim's quality, beside the values of its seeds."""
    quality = case.quality(claim.quality)
    half = quality.plus_minus if quality is not None else None
    if quality is None or half is None:
        return
    known = half.label in NAMES and len(quality.seeds) >= FEWEST_SEEDS
    if not known or not _precise(half, COARSE):
        yield Inapplicable("the plus-minus of the quality has no label or too few digits, or names no seeds")
        return
    values = [float(text) for text in quality.seeds.values()]
    given = {name: [x for x in widths(values, name) if math.isfinite(x)] for name in NAMES}
    related = Related(quality.place("seeds"), f"{len(values)} seeds")
    yield from _compared(half, given, related, _precise(half, thresholds.precision))


def _of_examples(claim: Claim, case: Case) -> Iterator[Branch]:
    """Yield the standard error over the examples of a quality that is a share of them, beside that of such a share."""
    quality = case.quality(claim.quality)
    half = quality.plus_minus if quality is not None else None
    if quality is None or half is None or (half.label, half.varies) != ("sem", "examples"):
        return
    share = printed_share(quality.value, quality.unit) if quality.value is not None else None
    if quality.counted is not True or quality.examples is None or share is None or not 0 < share.exact_share < 1:
        return
    if _several_answers(claim, quality) or not attainable(share, quality.examples):
        yield Inapplicable("the quality is no share of examples that each were right or wrong once")
        return
    own = math.sqrt(share.exact_share * (1 - share.exact_share) / quality.examples)
    printed = printed_share(half.value, quality.unit)
    if printed is not None and SMALLER * float(printed.share.high) < own:
        shown = own * float(Decimal(half.value) / printed.exact_share) if printed.exact_share else own
        message = (
            f"+- {half.value} is labelled the standard error over the examples; {quality.value} of "
            f"{quality.examples} right or wrong answers has one of {shown:.3g}"
        )
        related = (Related(quality.place("examples"), f"{quality.examples} examples"),)
        yield Violation("b", UNDERMINES, C3, message, half.place("value"), half.value, f"{shown:.3g}", related)


def _several_answers(claim: Claim, quality: Quality) -> bool:
    """Whether each example was answered several times: the mean scatters less than what is right or wrong once."""
    if quality.averaging is not None and read(quality.averaging).has("answers"):
        return True
    words = (quality.metric, quality.averaging, claim.statement)
    return any(read(text).has("several_answers") for text in words if text is not None)


def _precise(half: PlusMinus, least: float) -> bool:
    printed = span(half.value)
    return printed.low > 0 and (printed.high - printed.low) / 2 <= Decimal(str(least)) * abs(Decimal(half.value))


def _judged(half: PlusMinus, found: Samples, how: Transform, precise: bool) -> Iterator[Branch]:
    series = [found] if found.cut is None else [found, found.cut]
    groups = [values for item in series for values in sets(item, how) if len(values) > 1]
    given = {name: [x for values in groups for x in widths(values, name) if math.isfinite(x)] for name in NAMES}
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
    # of two digits the value itself is set against the label, of one what the digit may hide
    low, high = (Decimal(half.value),) * 2 if _precise(half, TWO_DIGITS) else (printed.low, printed.high)
    if not precise and not all(x > FAR * float(high) or x < float(low) / FAR for x in given[label]):
        yield Inapplicable("the plus-minus has too few digits to tell one way from another")
        return
    message = f"+- {half.value} is labelled {NAMES[label]}, which is {own:.3g}; it is {NAMES[other]}"
    yield Violation("a", UNDERMINES, C3, message, half.place("value"), half.value, f"{own:.3g}", (related,))
