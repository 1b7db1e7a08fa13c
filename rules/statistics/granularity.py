"""Whether a printed mean or share can come from whole numbers: only some values can."""

from __future__ import annotations

import math
from decimal import Decimal


def attainable(printed: str, units: int, scale: int = 1) -> bool | None:
    """Return whether some whole number k gives scale x k / units, rounded to the printed digits; None where all do.

    Both ways to round a tie count.

    Source: Brown and Heathers, The GRIM test, Social Psychological and Personality Science 8 (2017).

    Args:
        printed: the mean, or the share, as printed.
        units: how many whole numbers it is the mean of; examples times seeds for a mean over seeds.
        scale: 100 where it is printed in percent.

    Raises:
        ValueError: no unit.
    """
    if units < 1:
        raise ValueError("a mean needs a unit")
    value = Decimal(printed)
    exponent = value.as_tuple().exponent
    assert isinstance(exponent, int)
    step = Decimal(1).scaleb(min(exponent, 0))
    if Decimal(scale) / units <= step:
        return None
    low, high = (value - step / 2) * units / scale, (value + step / 2) * units / scale
    return math.ceil(low) <= math.floor(high)
