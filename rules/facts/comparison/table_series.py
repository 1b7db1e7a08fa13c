"""Series of a table: which column a claim is about, and which rows differ from one in a single numeric setting."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal, InvalidOperation

from msgspec import Struct

from ....schemas.submission import Claim, Row, Table
from ..quantities.performance import more_is_better
from .base_row import base_rows, option_columns

SPEED = frozenset({"rate", "time", "latency"})


def speed_columns(claim: Claim, table: Table) -> tuple[str, ...]:
    """Return the columns that a claim about speed may stand on: those of its quantity, else all of one other."""
    own = [name for name, column in table.columns.items() if column.quantity == claim.quantity]
    other = [name for name, column in table.columns.items() if column.quantity in SPEED]
    found = own or other
    named = claim.measured.metric if claim.measured is not None else None
    if named in found:
        found = [named, *(name for name in found if name != named)]
    return tuple(found)


def speed_column(claim: Claim, table: Table) -> str | None:
    """Return the one column of a claim's quantity, or that of the metric it names; None where several may be meant."""
    found = speed_columns(claim, table)
    named = claim.measured.metric if claim.measured is not None else None
    return found[0] if len(found) == 1 or (found and found[0] == named) else None


def base_names(claim: Claim, table: Table) -> tuple[str, ...]:
    """Return the rows that a ratio may be relative to: as the table or the claim says, else those of the base's arm."""
    name = claim.row.row if claim.row is not None else None
    if name is not None and name in table.rows:
        found = base_rows(table, name, claim)
    else:
        given = (claim.row.base_row if claim.row is not None else None) or table.base_row
        found = (given,) if given in table.rows and given is not None else ()
    if found or claim.base is None or claim.base.arm is None or claim.base.manifest is not None:
        return found
    return tuple(key for key, row in table.rows.items() if row.arm == claim.base.arm and key != name)


def settings_of(table: Table, row: Row) -> dict[str, object]:
    """Return what a row states about itself: its options, its sizes, and its columns that hold plain counts."""
    counts = {
        key: row.values[key]
        for key, column in table.columns.items()
        if column.quantity == "count" and key in row.values
    }
    return (
        option_columns(row)
        | {f"column {key}": value for key, value in counts.items()}
        | ({"parameters": row.parameters} if row.parameters is not None else {})
    )


class Step(Struct, frozen=True):
    """A neighbouring row that differs from another one in a single numeric setting.

    Attributes:
        row: id of the neighbour.
        setting: the setting.
        value: its value there.
    """

    row: str
    setting: str
    value: Decimal


def neighbours(table: Table, name: str) -> tuple[Step, ...]:
    """Return the next rows on either side of one, along every numeric setting in which alone they differ from it."""
    here = settings_of(table, table.rows[name])
    along: dict[str, list[Step]] = {}
    for step in _steps(table, name, here):
        along.setdefault(step.setting, []).append(step)
    found: list[Step] = []
    for setting, steps in along.items():
        own = _number(setting, here)
        assert own is not None
        below, above = [s for s in steps if s.value < own], [s for s in steps if s.value > own]
        found += [max(below, key=lambda step: step.value)] if below else []
        found += [min(above, key=lambda step: step.value)] if above else []
    return tuple(found)


def _steps(table: Table, name: str, here: Mapping[str, object]) -> Iterator[Step]:
    for other, row in table.rows.items():
        there = settings_of(table, row)
        differing = [key for key in here.keys() | there.keys() if here.get(key) != there.get(key)]
        if other == name or len(differing) != 1:
            continue
        value, own = _number(differing[0], there), _number(differing[0], here)
        if value is not None and own is not None:
            yield Step(other, differing[0], value)


def _number(setting: str, settings: Mapping[str, object]) -> Decimal | None:
    """Return a setting as a number; of what scales with the devices, their count."""
    value = settings.get(setting)
    if setting == "scale" and isinstance(value, tuple):
        known = {key: item for key, item in value if isinstance(item, int)}
        value = known.get("devices", known.get("nodes", known.get("global_batch")))
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def counterpart(table: Table, base: str, step: Step) -> str | None:
    """Return the row that differs from a base in the same setting, where it has the same value; None without one."""
    here = settings_of(table, table.rows[base])
    found = [other for other in _steps(table, base, here) if (other.setting, other.value) == (step.setting, step.value)]
    return found[0].row if len(found) == 1 else None


def higher_is_better(table: Table, column: str) -> bool | None:
    """Return whether more is better in a column, or None where it does not tell."""
    return more_is_better(table.columns[column].quantity, table.columns[column].unit)
