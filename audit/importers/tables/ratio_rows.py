"""Rows of ratios: "Speedup | 3.0x | 4.7x" below the two rows of rates that they relate, in the columns of those.

Such a row is told by the signs of its cells, or by its name. What it is of are the two rows that agree with it in every
option that it repeats; which of them is the base is told by the ratios that they give, most of which must fit. Of three
rows and more, those two are meant that give all of its ratios, and no other two do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ....rules.facts.quantities.per_second import times_over
from ....rules.facts.quantities.performance import more_is_better
from ....rules.facts.quantities.ratios import gain
from ....rules.language.printed import Span, span
from ..drafting import Drafting
from .arms import Arm, Series, scope_of
from .cells import Number, number
from .claims import common, mode_of, put_claim
from .compared_columns import SLACK, TIMED
from .grids import Cell
from .roles import VALUES, Role
from .series import NONE, Columns, row_of

if TYPE_CHECKING:
    from ..fields import ClaimFields

MOST_ROWS = 12
"""Rows among which those that a ratio relates are looked for."""
PAIR = 2
UNSAID = "a row of ratios; not compared"


class Ratio(Struct, frozen=True):
    """A ratio of a row: its column, its cell, its number."""

    column: int
    cell: Cell
    value: Number


def claim_ratio_rows(draft: Drafting, file: str, every: Mapping[str, Series]) -> None:
    """Draft a claim for each ratio of the rows that relate others, between the two rows that it is of."""
    columns = next(iter(every.values())).columns
    for row in sorted(columns.ratio_rows):
        told = tuple(_told(columns, row))
        pair = _pair(every, row, told) if told else None
        if pair is None:
            line = columns.grid.rows[row][0].line
            draft.unused.append(f"the row in line {line}: {UNSAID}")
            continue
        for ratio in told:
            _claim(draft, file, every, row, ratio, pair)


def _told(columns: Columns, row: int) -> Iterator[Ratio]:
    """Yield the ratios of a row: those with a sign of times, or without any."""
    for index, (cell, role) in enumerate(zip(columns.grid.rows[row], columns.roles, strict=True)):
        value = number(cell.text) if role.role in TIMED else None
        if value is not None and float(value.printed) > 0 and not value.unit.startswith("%"):
            yield Ratio(index, cell, value)


def _pair(every: Mapping[str, Series], row: int, told: Sequence[Ratio]) -> tuple[int, int] | None:
    """Return the row that ratios are of and that of their base; None where it is not clear which two are related."""
    columns = next(iter(every.values())).columns
    among = [n for n in _alike(columns, row) if any(_values(every, n, ratio) for ratio in told)]
    if not PAIR <= len(among) <= MOST_ROWS:
        return None
    fits = {pair: [_fits(every, *pair, ratio) for ratio in told] for pair in _pairs(among)}
    if len(among) > PAIR:
        whole = [pair for pair, each in fits.items() if each and all(each)]
        return whole[0] if len(whole) == 1 and len(told) >= PAIR else None
    one, other = fits
    if sum(fits[one]) != sum(fits[other]):
        return max(one, other, key=lambda pair: sum(fits[pair]))
    gaining = [pair for pair in (one, other) if all(_gains(every, *pair, ratio) for ratio in told)]
    return gaining[0] if len(gaining) == 1 else None


def _pairs(rows: Sequence[int]) -> list[tuple[int, int]]:
    return [(one, other) for one in rows for other in rows if one != other]


def _alike(columns: Columns, row: int) -> list[int]:
    """Return the rows of numbers that agree with a row of ratios in all that it says of what others say, too."""
    rows = [n for n in range(len(columns.grid.rows)) if n not in columns.ratio_rows]
    own: dict[int, str] = {}
    for index, role in enumerate(columns.roles):
        text = columns.grid.rows[row][index].text.casefold()
        others = {columns.grid.rows[n][index].text.casefold() for n in rows}
        if role.role not in VALUES and text not in NONE and text in others:
            own[index] = text
    return [n for n in rows if all(columns.grid.rows[n][i].text.casefold() == text for i, text in own.items())]


def _values(every: Mapping[str, Series], row: int, ratio: Ratio) -> tuple[str, str] | None:
    """Return the number of a row in the column of a ratio, with its unit."""
    arm = _arm(every, row, ratio.column)
    return arm.values.get(ratio.column) if arm is not None else None


def _arm(every: Mapping[str, Series], row: int, column: int) -> Arm | None:
    series = _series(every, column)
    return series.arms.get(row) if series is not None else None


def _series(every: Mapping[str, Series], column: int) -> Series | None:
    return every.get(next(iter(every.values())).columns.roles[column].variant)


def _gain(every: Mapping[str, Series], subject: int, base: int, ratio: Ratio) -> Span | None:
    """Return how much better one row is than another in the column of a ratio."""
    new, old = _values(every, subject, ratio), _values(every, base, ratio)
    scale = times_over(old[1], new[1]) if new is not None and old is not None else None
    if new is None or old is None or scale is None:
        return None
    role = next(iter(every.values())).columns.roles[ratio.column]
    more = more_is_better(role.role, new[1]) is not False
    return gain(span(new[0]), span(old[0]) * Span(scale, scale), more)


def _fits(every: Mapping[str, Series], subject: int, base: int, ratio: Ratio) -> bool:
    found = _gain(every, subject, base, ratio)
    return found is not None and span(ratio.value.printed, ratio.value.qualifier).widened(SLACK).meets(found)


def _gains(every: Mapping[str, Series], subject: int, base: int, ratio: Ratio) -> bool:
    """Whether one row is better than another where a ratio says that it is, and worse where it says so."""
    found = _gain(every, subject, base, ratio)
    return found is not None and (found.low > 1 if float(ratio.value.printed) > 1 else found.high < 1)


def _claim(
    draft: Drafting, file: str, every: Mapping[str, Series], row: int, ratio: Ratio, pair: tuple[int, int]
) -> None:
    series, arm, base = _series(every, ratio.column), *(_arm(every, each, ratio.column) for each in pair)
    if series is None or arm is None or base is None or not all(_values(every, each, ratio) for each in pair):
        return
    role: Role = series.columns.roles[ratio.column]
    named = replace(arm, row=row_of(series.columns, row, series.variant, series.context))
    claim: ClaimFields = common(series, named, ratio.column, ratio.cell.text) | {
        "value": ratio.value.printed,
        "unit": "x",
        "quantity": role.role,
        "form": "ratio",
        "scope": scope_of(role),
        "mode": mode_of(series, role),
        "compares": "own_variants",
        "measured": {"arm": arm.id, "metric": arm.metrics[ratio.column]},
        "base": {"arm": base.id, "metric": base.metrics[ratio.column], "definition": base.row.label},
    }
    if role.role == "rate":
        claim["purpose"] = "hardware_throughput"
    put_claim(draft, file, f"{arm.id}-{arm.metrics[ratio.column]}-ratio", claim, ratio.cell, ratio.value)
