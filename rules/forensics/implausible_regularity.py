"""F14: times that vary less than any clock shows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import pairwise

from msgspec import Struct

from ...schemas.evidence import Quality
from ...schemas.submission import Claim
from ..case import Case
from ..facts.quantities.performance import column_seconds
from ..facts.series.kept_series import Series, Timed, all_timed, timed, variations
from ..facts.training.proportions_of_examples import printed_share
from ..fields import field_of
from ..outcome import C1, CAVEAT, Branch, Inapplicable, Related, Violation
from ..registry import Threshold, rule
from ..words import timing

LEAST = 10
FEWEST, FINE = 3, 8
"""So few values that are all equal tell, too, where they have so many digits: no clock that coarse prints them."""

LONG, BLOCK, LONGEST, REPEATS, EVEN = 20, 3, 100, 3, 0.95
MOST_COPIES = 10
"""Judgement: each number of copies costs a pass over the series, and a series is filled up with a few."""
LEAST_SEEDS, CHANCE = 4, 1e-4
MOST = 2000
"""Values of a series that are looked at for a pattern."""
COARSE, COARSE_SHARE = 100, 0.005
"""Clocks print what they resolve: a grid a hundred times as coarse, and 0.5 % of the time, was made by hand."""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    cv: float = Threshold(1e-4, "standard deviation over mean", "judgement: locked clocks give 0.03 % and more")


@rule(
    "F14",
    "implausible-regularity",
    effect=CAVEAT,
    confidence=C1,
    applies="(timing and has(raw)) or has(n_examples)",
    origin="J",
    thresholds=Thresholds,
)
def implausible_regularity(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """Wall-clock times that hardly vary, or not at all.

    ## What it does
    Computes the coefficient of variation of every trial of at least 10 values, and compares it with 0.01 % and with the
    resolution of the clock over the mean. From 3 values on, equal ones of at least 8 digits do not vary either. Of a
    quality that is counted on examples, it looks for a unit above 1 by which the counts of all seeds differ.

    ## Why it misleads
    Times of a real machine scatter. A constant column is a filled-in average, a simulation, or a clock that was read
    once.

    ## Branches
    - (a) caveat, C1: a trial varies by less than 0.01 %, or by less than one tick of its clock; or at least 3 values
      agree in 8 digits or more; or at least 20 values repeat one block, rise by equal steps, or are multiples of 100
      ticks and of 0.5 % of their size.
    - (b) caveat, C1: the counts of at least 4 seeds, printed finely enough to tell single examples apart, differ by
      multiples of a number that chance gives once in 10,000 times.
    - not applicable: no trial has 10 values; simulated times; or the resolution of the clock is not stated.

    ## Flagged
    On `rate` for claim `rate`:
    ```json
    {"arms": {"a": {"trials": {"t1": {"samples": {"step_time_s": [0.1024, 0.1024, 0.1024, 0.1024, 0.1024, 0.1024,
      0.1024, 0.1024, 0.1024, 0.1024, 0.1024, 0.1024]}}}}}}
    ```

    ## Accepted
    On `rate` for claim `rate`, whose times vary by 0.6 %.

    ## How to fix
    Hand in the single times, or say why they are equal.

    ## References
    Judgement.
    """
    if field_of("basis", claim, case) == "simulated":
        yield Inapplicable("simulated times may be regular")
        return
    quality = case.quality(claim.quality)
    counts = _counts(quality) if quality is not None else ()
    if quality is not None and counts:
        yield from _of_seeds(quality, counts)
    if not timing(claim, case):
        if not counts:
            yield Inapplicable("neither times nor counts of examples of several seeds stand behind the number")
        return
    known = bool(arms := timed(claim, case))
    for arm in arms:
        rows = zip(arm.series, variations(case, arm.side, arm.column), strict=True)
        long = [(item, cv) for item, cv in rows if len(item.values) >= LEAST]
        known = known and bool(long) and all(_resolution(arm, item) is not None for item, _ in long)
        flawed = [(item, cv) for item, cv in long if _regular(arm, item, cv, thresholds.cv)]
        flawed = flawed or [(item, 0.0) for item in arm.series if _equal(item)]
        patterned = [(item, how) for item in arm.series if (how := _pattern(arm, item)) is not None]
        if patterned and not flawed:
            item, how = patterned[0]
            message = f"the {len(item.values)} times of {item.trial} of arm {arm.side.id} {how}"
            related = tuple(Related(other.at, f"trial {other.trial}") for other, _ in patterned[1:])
            yield Violation("a", CAVEAT, C1, message, item.at, related=related)
        if flawed:
            first, cv = flawed[0]
            how = "do not vary at all" if min(first.values) == max(first.values) else f"vary by {100 * cv:.2g} %"
            message = f"the {len(first.values)} times of {first.trial} of arm {arm.side.id} {how}"
            related = tuple(Related(item.at, f"trial {item.trial}") for item, _ in flawed[1:])
            yield Violation("a", CAVEAT, C1, message, first.at, recomputed=f"{cv:.2g}", related=related)
    if not known:
        yield Inapplicable("no trial has 10 values, or the resolution of its clock is not stated")
    elif not all_timed(claim, case):
        yield Inapplicable("a completed trial holds no raw numbers")


def _counts(quality: Quality) -> tuple[int, ...]:
    """Return the counts of examples behind the values of at least 4 seeds; empty where they are not known to one.

    Values that end earlier than one example needs are in steps of their rounding.
    """
    printed = [printed_share(text, quality.unit) for text in quality.seeds.values()]
    shares = [item.exact_share.normalize() for item in printed if item is not None]
    examples = quality.examples
    if not examples or quality.counted is not True or len(shares) < max(LEAST_SEEDS, len(printed)):
        return ()
    finest = min(int(share.as_tuple().exponent) for share in shares)
    return tuple(round(share * examples) for share in shares) if examples * 10.0**finest <= 1 else ()


def _of_seeds(quality: Quality, counts: tuple[int, ...]) -> Iterator[Violation]:
    """Yield counts of examples that differ by multiples of one number.

    Of m counts that have nothing to do with each other, all differ by multiples of g by chance g^-(m-1); of any number
    from g on, g^-(m-2) / (m-2).
    """
    unit = math.gcd(*(count - counts[0] for count in counts))
    freedom = len(counts) - 2
    if unit > 1 and len(set(counts)) > freedom and unit**-freedom / freedom < CHANCE:
        steps = f"multiples of {unit} of {quality.examples} examples"
        message = f"the right answers of {len(counts)} seeds differ only by {steps}"
        yield Violation("b", CAVEAT, C1, message, quality.place("seeds"), recomputed=str(unit))


def _pattern(arm: Timed, item: Series) -> str | None:
    """Return the pattern that a series of many fine values follows, in words; None where it follows none.

    A block of at least `BLOCK` values that comes again and again, even steps from value to value, or multiples of a
    unit a hundred times as coarse as the clock.
    """
    values = list(item.values[:MOST])
    n = len(values)
    if n < LONG or len(set(values)) == 1:
        return None
    for period in range(BLOCK, min(n // REPEATS, LONGEST) + 1):
        if len(set(values[:period])) > period // 2 and values[period:] == values[: n - period]:
            return f"repeat their first {period} values"
    copied = _copied(item.values)
    if copied is not None:
        return f"repeat their first {copied} values"
    steps = [b - a for a, b in pairwise(values)]
    scale = max(map(abs, values)) * 1e-9
    middle = sorted(steps)[len(steps) // 2]
    if abs(middle) > scale and sum(abs(step - middle) <= scale for step in steps) >= EVEN * len(steps):
        return "rise or fall by the same amount from one to the next"
    return _coarse(arm, item)


def _copied(values: Sequence[float]) -> int | None:
    """Return the length of the block of which a series is a few whole copies; None where it is not."""
    n = len(values)
    for copies in range(2, MOST_COPIES + 1):
        period = n // copies
        if period * copies == n and period >= LEAST and values[period:] == values[: n - period]:
            return period if len(set(values[:period])) > period // 2 else None
    return None


def _coarse(arm: Timed, item: Series) -> str | None:
    """Return in words that a series holds few values, all multiples of far more than the clock resolves."""
    resolution, unit = _resolution(arm, item), column_seconds(arm.column)
    if resolution is None or unit is None:
        return None
    distinct = sorted(set(item.values[:MOST]))
    if len(distinct) < 2:
        return None
    gap = min(b - a for a, b in pairwise(distinct))
    grid = all(abs(value / gap - round(value / gap)) < 1e-3 for value in distinct)
    if grid and gap * float(unit) >= COARSE * resolution and gap >= COARSE_SHARE * distinct[0]:
        return f"are multiples of {gap:g}, {gap * float(unit) / resolution:.0f} times what the clock resolves"
    return None


def _equal(item: Series) -> bool:
    """Whether a few values are all equal in more digits than a coarse clock prints."""
    first = item.values[0]
    fine = len(Decimal(repr(float(first))).normalize().as_tuple().digits) >= FINE
    return fine and len(item.values) >= FEWEST and all(value == first for value in item.values)


def _regular(arm: Timed, item: Series, cv: float, least: float) -> bool:
    if cv < least:
        return True
    resolution, unit = _resolution(arm, item), column_seconds(arm.column)
    mean = sum(item.values) / len(item.values) * float(unit or 1)
    return resolution is not None and cv < resolution / mean


def _resolution(arm: Timed, item: Series) -> float | None:
    """Return the resolution of a trial's clock, in seconds: of a mean over loops, of each; None where it is 0."""
    measurement = arm.side.arm.measurement
    timer = arm.side.arm.trials[item.trial].timer or (measurement.timer if measurement is not None else None)
    loops = arm.metric.averaged_over or 1 if arm.metric is not None else 1
    return timer.resolution_s / loops if timer is not None and timer.resolution_s else None
