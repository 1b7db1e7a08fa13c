"""Printed numbers as intervals, beside what claims make of them: ratios, and numbers that were recomputed."""

from __future__ import annotations

import math
from decimal import Decimal

from ...language.printed import Span

PERCENT = frozenset({"%", "percent"})


def exact(value: float) -> Span:
    """Return a recomputed number as an interval of width 0."""
    number = Decimal(repr(float(value)))
    return Span(number, number)


def finite(value: float | None) -> bool:
    """Whether a value is there and is a finite number."""
    return value is not None and -math.inf < value < math.inf
