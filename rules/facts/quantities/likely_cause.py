"""What most likely went wrong where two numbers contradict each other: a unit, a count, an inverse, another cell."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal

from ...case import Side
from ...language.printed import INFINITY, Span, short
from ..comparison.options import flat

CLOSE = Decimal("0.02")
"""How near a ratio must come to a known factor to be taken for it."""

CAUSES: Mapping[str, Decimal] = {
    "a factor 1000": Decimal(1000),
    "a factor 1024 (binary against decimal units)": Decimal(1024),
    "a factor 8 (bits against bytes)": Decimal(8),
    "a factor 60 (minutes against seconds)": Decimal(60),
    "a factor 100 (percent against fractions)": Decimal(100),
    "a factor 2 (multiply-adds counted once or twice)": Decimal(2),
}
FEWEST = 3
"""A factor that so many cells share, and all that contradict, is one slip."""


def likely_cause(
    claimed: Span,
    recomputed: Span,
    counts: Mapping[str, int | None] | None = None,
    others: Mapping[str, Span] | None = None,
) -> str:
    """Return a clause that names the slip that would explain a contradiction, or nothing.

    Args:
        claimed: what is stated.
        recomputed: what follows from the evidence.
        counts: further factors by name: devices, batch, accumulation.
        others: what follows for other places, by name: the neighbouring row, the other column.
    """
    if not (_positive(claimed) and _positive(recomputed)):
        return ""
    for name, value in (others or {}).items():
        if _positive(value) and claimed.meets(value):
            return f"; it is that of {name}"
    ratio = (claimed.low + claimed.high) / (recomputed.low + recomputed.high)
    factors = {f"the number of {name}": Decimal(n) for name, n in (counts or {}).items() if n and n > 1}
    # A count of the document's own explains more than a factor that happens to have its size.
    for name, factor in (factors | dict(CAUSES)).items():
        if any(_close(ratio, wanted) for wanted in (factor, 1 / factor)):
            return f"; {name} would explain it"
    inverse = Span(1 / claimed.high, 1 / claimed.low)
    # Near 1 a number and its inverse are one.
    fits = abs(ratio - 1) > 2 * CLOSE and inverse.widened(CLOSE).meets(recomputed)
    return "; the inverse would fit" if fits else ""


def _positive(interval: Span) -> bool:
    return interval.low > 0 and interval.high < INFINITY


def _close(ratio: Decimal, wanted: Decimal) -> bool:
    return abs(ratio / wanted - 1) <= CLOSE


def counts_of(side: Side | None) -> dict[str, int | None]:
    """Return the counts of an arm that may have been taken in by mistake, or left out."""
    options = flat(side.arm.options) if side is not None else {}
    named = {"samples in a batch": "global_batch", "accumulation steps": "accumulation"}
    found = {name: value for name, key in named.items() if isinstance(value := options.get(key), int)}
    return {"devices": side.devices if side is not None else None, **found}


def common_factor(pairs: Iterable[tuple[Span, Span]]) -> str:
    """Return a clause on the one factor by which all stated numbers are off, where at least three share it.

    Args:
        pairs: what is stated and what follows, for every cell of a table that contradicts.
    """
    given = [(claimed, recomputed) for claimed, recomputed in pairs if _positive(claimed) and _positive(recomputed)]
    ratios = [(one.low + one.high) / (other.low + other.high) for one, other in given]
    if len(ratios) < FEWEST or not all(_close(ratio, ratios[0]) for ratio in ratios):
        return ""
    return f"; one factor of {short(sum(ratios) / len(ratios))} runs through all {len(ratios)} of them"


def swapped(cells: Sequence[Span], recomputed: Sequence[Span]) -> bool:
    """Whether two cells hold each what follows for the other, and neither what follows for itself."""
    (one, two), (first, second) = cells, recomputed
    crossed = one.meets(second) and two.meets(first)
    return crossed and not one.meets(first) and not two.meets(second)


def repair(values: Mapping[str, Span], holds: Callable[[Mapping[str, Span]], bool]) -> str:
    """Return a clause on the one slip whose repair makes several values consistent: two swapped, or one off by a unit.

    Args:
        values: the values by name, inconsistent as they stand.
        holds: whether values are consistent.
    """
    names = list(values)
    swaps = [(one, two) for index, one in enumerate(names) for two in names[index + 1 :]]
    found = [pair for pair in swaps if holds({**values, pair[0]: values[pair[1]], pair[1]: values[pair[0]]})]
    if len(found) == 1:
        return f"; {found[0][0]} and {found[0][1]} look swapped"
    slips = [(name, cause) for name in names for cause in CAUSES if _repairs(values, name, CAUSES[cause], holds)]
    # Several repairs are no cause: any large factor moves an extreme far enough. 1000 and 1024 are one slip.
    slips = [(name, cause) for name, cause in slips if "1024" not in cause or (name, "a factor 1000") not in slips]
    return f"; {slips[0][1]} in {slips[0][0]} would explain it" if len(slips) == 1 else ""


def _repairs(
    values: Mapping[str, Span], name: str, factor: Decimal, holds: Callable[[Mapping[str, Span]], bool]
) -> bool:
    return any(holds({**values, name: values[name].times(scale)}) for scale in (factor, 1 / factor))
