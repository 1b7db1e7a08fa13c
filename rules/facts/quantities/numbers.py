"""Printed numbers as intervals, beside what claims make of them: ratios, and numbers that were recomputed."""

from __future__ import annotations

import math
from decimal import Decimal

from ...language.printed import Span, span

PERCENT = frozenset({"%", "percent"})


def ratio_span(printed: str, unit: str | None, qualifier: str | None = None, digits: int | None = None) -> Span:
    """Return a claimed ratio as an interval of the factor itself: "30 %" more is 1.3, "1.42 x" is 1.42."""
    interval = span(printed, qualifier, digits)
    if unit not in PERCENT:
        return interval
    return Span(1 + interval.low / 100, 1 + interval.high / 100)


def exact(value: float) -> Span:
    """Return a recomputed number as an interval of width 0."""
    number = Decimal(repr(float(value)))
    return Span(number, number)


def finite(value: float | None) -> bool:
    """Whether a value is there and is a finite number."""
    return value is not None and -math.inf < value < math.inf
