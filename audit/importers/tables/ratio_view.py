"""A column of ratios in its table: whether one is what two numbers give, as a factor, a change, a level."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from ....rules.facts.quantities.per_second import times_over
from ....rules.facts.quantities.performance import more_is_better
from ....rules.facts.quantities.ratios import SHARES_FROM, gain, read_ratio
from ....rules.language.printed import Span, span
from .arms import Series
from .cells import Number
from .compared_columns import SLACK
from .estimated import aggregated, allows, interval_of
from .ratio_columns import in_percent, is_vague
from .ratio_words import Identity, Relation, identity, relation
from .roles import Role
from .series import Columns

LEAST_PERCENT = 5.0
"""A column of per cent without 0 reaches it: smaller numbers alone are factors."""
Place = tuple[int, int]
"""A cell: its row and its column."""


class Ratios(Struct, frozen=True):
    """A column of ratios in its table.

    Attributes:
        index: the column.
        columns: the columns of the table.
        every: its series, by variant.
        told: the ratio of each row that prints one.
        identity: what each row is.
        relation: what its heading and the caption say of it.
        changes: whether its percentages are changes: signed, or 0 % at a base.
        aggregated: whether each is an average or an extreme of several ratios.
        vague: whether they may be of something else than a speed.
        levels: whether its percentages are levels: 100 % is the base.
    """

    index: int
    columns: Columns
    every: Mapping[str, Series]
    told: Mapping[int, Number]
    identity: Identity
    relation: Relation
    changes: bool
    aggregated: bool
    vague: bool
    levels: bool

    @property
    def role(self) -> Role:
        """What the column holds."""
        return self.columns.roles[self.index]

    def unit_rows(self) -> list[int]:
        """Return the rows whose ratio says that they are what others are relative to."""
        return [row for row, value in self.told.items() if self._is_one(value)]

    def _is_one(self, value: Number) -> bool:
        if value.qualifier is not None:
            return False
        percent = value.unit.startswith("%")
        return float(value.printed) == (0 if percent and self.changes else 100 if percent else 1)

    def measured(self, at: Place) -> tuple[str, str] | None:
        """Return the number of a cell with its unit, as its arm has it."""
        series = self.every.get(self.columns.roles[at[1]].variant)
        arm = series.arms.get(at[0]) if series is not None else None
        return arm.values.get(at[1]) if arm is not None else None


class Reading(Struct, frozen=True):
    """One way to read a column of ratios.

    Attributes:
        subject: the column whose numbers it is of.
        bases: the cell that each row is relative to.
        stated: the rows for which the table says so.
        kind: how it was found.
    """

    subject: int
    bases: Mapping[int, Place]
    stated: frozenset[int]
    kind: str


def _printed(columns: Columns, index: int) -> dict[int, Number]:
    """Return the ratio of each row that prints one; where all are small, "Speedup (%)" over them is a slip."""
    told = {n: found for n in range(len(columns.grid.rows)) if (found := columns.number(n, index)) is not None}
    if not any(float(found.printed) >= LEAST_PERCENT or float(found.printed) == 0 for found in told.values()):
        return told
    heading = columns.grid.header[index].text
    return {n: in_percent(found, heading) or found for n, found in told.items()}


def ratios(columns: Columns, every: Mapping[str, Series], index: int, caption: str) -> Ratios:
    """Return a column of ratios as its table shows it."""
    cells = [row[index].text for row in columns.grid.rows]
    told = _printed(columns, index)
    percents = [n for n, value in told.items() if value.unit.startswith("%")]
    changes = any(cells[n].lstrip().startswith("+") or float(told[n].printed) == 0 for n in percents)
    known = relation(columns.grid.header[index].text, caption)
    paired = any("paired" in cell.text.casefold() for cell in columns.grid.header)
    whole = paired or aggregated(columns.grid.header[index].text, f"{caption}. {columns.grid.below}")
    vague = is_vague(columns.roles, columns.grid, index)
    levels = not changes and any(float(told[n].printed) == 100 for n in percents)
    own = identity(columns.grid, columns.roles)
    return Ratios(index, columns, every, told, own, known, changes, whole, vague, levels)


def fit(view: Ratios, row: int, subject: int, base: Place) -> bool | None:
    """Whether the ratio that a row prints is what its number gives over that of a base; None where they give none."""
    found = _gain_of(view, row, subject, base)
    return None if found is None else _told(view, row, *found)


def _gain_of(view: Ratios, row: int, subject: int, base: Place) -> tuple[Span, bool] | None:
    """Return the gain of a row over a base, and whether less is better; None where they are in units of two kinds."""
    new, old = view.measured((row, subject)), view.measured(base)
    scale = times_over(old[1], new[1]) if new is not None and old is not None else None
    if new is None or old is None or scale is None:
        return None
    more = more_is_better(view.columns.roles[subject].role, new[1]) is not False
    found = gain(span(new[0]), span(old[0]) * Span(scale, scale), more)
    return (found, not more) if found is not None else None


def gives(view: Ratios, row: int, new: str, old: str, more: bool) -> bool | None:
    """Whether the ratio that a row prints is what two numbers give, where more is better, or less."""
    found = gain(span(new), span(old), more)
    return None if found is None else _told(view, row, found, not more)


def _told(view: Ratios, row: int, gained: Span, down: bool) -> bool:
    """Whether the ratio that a row prints is a gain."""
    told = view.told[row]
    printed = span(told.printed, told.qualifier)
    if told.unit.startswith("%") and not view.changes and printed.high > 0:
        level = read_ratio(Span(printed.low / 100, printed.high / 100), False, down)
        read = level if view.levels else (*read_ratio(printed, True, down), *level)
    else:
        read = read_ratio(printed, told.unit.startswith("%"), down, view.changes)
    # an average of ratios that is that of the two numbers shows all their digits
    return any(reading.widened(0 if view.aggregated else SLACK).meets(gained) for reading in read)


def levels_of(view: Ratios, subject: int, bases: Mapping[int, Place]) -> Iterator[int]:
    """Yield the rows whose percentage is a level: 100 % is the base, or no change gives what its numbers do."""
    for row, told in view.told.items():
        if not told.unit.startswith("%") or view.changes:
            continue
        found = _gain_of(view, row, subject, bases[row]) if row in bases else None
        printed = span(told.printed, told.qualifier)
        small = printed.high < SHARES_FROM  # others are read as levels as they are printed
        as_change = found is not None and any(
            each.widened(SLACK).meets(found[0]) for each in read_ratio(printed, True, found[1], change=True)
        )
        if view.levels or (small and found is not None and not as_change and _told(view, row, *found)):
            yield row


def estimated(view: Ratios, reading: Reading, row: int) -> bool:
    """Whether the interval that a row prints for its ratio allows what its two numbers give, and the ratio does not."""
    interval = interval_of(view.columns.grid, row, view.told[row])
    found = _gain_of(view, row, reading.subject, reading.bases[row])
    if interval is None or found is None:
        return False
    gained, down = found
    told = view.told[row]
    percent = told.unit.startswith("%")
    own = allows(span(told.printed, told.qualifier), gained, percent, down, view.changes)
    return not own and allows(interval, gained, percent, down, view.changes)
