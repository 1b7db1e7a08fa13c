"""A quantity: an exact value of the closed units, with its place, and what it is counted per."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal

from .names import Name
from .numbers import Number
from .printed import Span
from .tokens import Place, Token, over
from .units import Unit

Owner = Callable[[int], Name | None]
"""Which name a token belongs to."""


class Quantity(Place, frozen=True):
    """A quantity.

    Attributes:
        value: its value in its unit; the lower end of a range; None where a unit stands alone.
        high: the upper end of a range, else equal to `value`.
        half: half a unit of the last printed place, in its unit.
        unit: a unit of the closed list; None for a quality without a sign.
        dimension: time, data, data_rate, work, work_rate, power, energy, money, frequency, ratio, percent, points,
            quality, rate or other.
        per: device, node, core, user or a singular noun; None.
        qualifier: at_most, at_least, about or None.
        spread: what stands behind ±, in its unit.
        worded: whether its number is spelt.
        metric: the quality metric that it belongs to.
        number: the number that it was made of.
        also: what it may mean as well; a rule refutes only what every meaning contradicts.
    """

    value: Decimal | None
    high: Decimal | None
    half: Decimal
    unit: str | None
    dimension: str
    per: str | None = None
    qualifier: str | None = None
    spread: Decimal | None = None
    worded: bool = False
    metric: str | None = None
    number: Number | None = None
    also: tuple[Quantity, ...] = ()

    @property
    def is_range(self) -> bool:
        """Whether it has two ends."""
        return self.value is not None and self.value != self.high

    @property
    def interval(self) -> Span | None:
        """What its printed digits allow: half a unit of the last place either way; None without a value."""
        if self.value is None or self.high is None:
            return None
        return Span(self.value - self.half, self.high + self.half)


def made(
    tokens: Sequence[Token],
    first: int,
    last: int,
    number: Number | None,
    unit: Unit | None,
    dimension: str | None = None,
) -> Quantity:
    """Return the quantity of a number and a unit over some tokens."""
    scale = unit.scale if unit is not None else Decimal(1)
    name = unit.name if unit is not None else None
    low = number.low * scale if number is not None else None
    high = number.high * scale if number is not None else None
    half = number.half * scale if number is not None else Decimal(0)
    spread = number.spread * scale if number is not None and number.spread is not None else None
    return Quantity(
        *over(tokens, first, last), low, high, half, name,
        dimension or (unit.dimension if unit is not None else "other"),
        per=unit.per if unit is not None else None,
        qualifier=number.qualifier if number is not None else None,
        spread=spread,
        worded=number is not None and number.worded,
        number=number,
    )  # fmt: skip
