"""Whether a printed quality can be a share k/N of the examples it was counted on (GRIM, Brown & Heathers 2017)."""

from __future__ import annotations

import math
from decimal import Decimal

from msgspec import Struct

from ....schemas.evidence import Quality
from ...language.printed import Span, span
from ...language.reading import read
from ..document.none_said import is_none
from .final_quality import is_percent
from .quality_names import is_change


class Printed(Struct, frozen=True):
    """A printed share with its rounding.

    Attributes:
        share: the interval of fractions that its digits allow.
        exact_share: the fraction as printed.
        ulp: one unit of its last digit, as a fraction.
    """

    share: Span
    exact_share: Decimal
    ulp: Decimal


def printed_share(value: str, unit: str | None) -> Printed | None:
    """Return a printed quality as a share, or None where its unit does not say whether it is percent or fraction."""
    if unit is not None and not is_percent(unit) and unit.strip().casefold() not in {"fraction", "share", "1"}:
        return None
    number, scale = Decimal(value), Decimal(100) if is_percent(unit) else Decimal(1)
    if unit is None:
        scale = Decimal(100) if 1 < number <= 100 else Decimal(1)
    interval = span(value)
    return Printed(
        Span(interval.low / scale, interval.high / scale), number / scale, (interval.high - interval.low) / scale
    )


def counted(quality: Quality) -> bool | None:
    """Return whether a quality is a share of examples; None where neither a flag nor its name tells."""
    if quality.counted is not None:
        return quality.counted
    name = read(quality.metric)
    share = name.has("metric.share", affirmed=False) and not name.has("metric.no_share", affirmed=False)
    return True if share and not is_change(quality.metric) else None


def bounded(metric: str) -> bool:
    """Whether a metric of this name lies between 0 and 100 %: no change of one does."""
    return read(metric).has("metric.bounded", affirmed=False) and not is_change(metric)


def averaged(quality: Quality) -> bool:
    """Whether classes or views were averaged, so that no count of examples stands behind the number."""
    views = quality.test_time_augmentation
    several = views is not None and not is_none(views) and not read(views).has("one_view")
    return several or (quality.averaging is not None and read(quality.averaging).has("several_parts", affirmed=False))


def attainable(printed: Printed, examples: int) -> bool:
    """Whether some whole number of examples out of so many rounds to a printed share, ties either way."""
    return math.floor(printed.share.high * examples) >= math.ceil(printed.share.low * examples)


def testable(printed: Printed, examples: int) -> bool:
    """Whether the digits are fine enough: where one unit spans an example or more, any number is attainable."""
    return printed.ulp * examples < 1


def nearest_shares(printed: Printed, examples: int) -> tuple[Decimal, Decimal]:
    """Return the two shares of so many examples on either side of a printed one."""
    below = math.floor(printed.exact_share * examples)
    return Decimal(below) / examples, Decimal(below + 1) / examples
