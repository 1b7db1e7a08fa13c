"""The rows of a table as arms of a submission, with the numbers that they print."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ....rules.language.reading import read
from ..draft import Origin, identifier, printed_text
from ..drafting import ArmDraft, Drafting
from .cells import Number
from .context import Context
from .devices import device_in, is_of_host
from .epochs import heading_split
from .grids import Cell
from .roles import VALUES, Role
from .series import Columns, Row

if TYPE_CHECKING:
    from ..fields import IntervalFields, MetricFields, PlusMinusFields, QualityFields

SUMMARY = frozenset({"mean", "median", "min", "max"})


class PlacedNumber(Struct, frozen=True):
    """A number of a row with its column."""

    column: int
    role: Role
    cell: Cell
    number: Number


class Arm(Struct, frozen=True):
    """The arm that a row became.

    Attributes:
        id: its id.
        row: the row.
        metrics: the metric that each column became.
        values: the number of each such column as it is printed, with its unit.
        quality: the quality that a performance number stands beside.
    """

    id: str
    row: Row
    metrics: dict[int, str]
    quality: str | None
    values: dict[int, tuple[str, str]]


class Series(Struct, frozen=True):
    """One variant of a table, as far as it was drafted."""

    table: str
    variant: str
    columns: Columns
    context: Context
    arms: dict[int, Arm]


def numbers_of(found: Columns, row: int, variant: str) -> Iterator[PlacedNumber]:
    """Yield the measured numbers of a row that are about a variant; a rate or time of 0 was not measured."""
    for index, (cell, role) in enumerate(zip(found.grid.rows[row], found.roles, strict=True)):
        value = found.number(row, index) if role.role in VALUES and role.variant == variant else None
        if value is not None and (float(value.printed) > 0 or role.role == "accuracy"):
            yield PlacedNumber(index, replace(role, unit=value.unit) if value.unit else role, cell, value)


def draft_row(draft: Drafting, file: str, table: str, found: Columns, row: Row, variant: str, context: Context) -> Arm:
    """Draft a row as an arm with its numbers; columns whose unit is not stated stay out and are named."""
    arm = draft.arm(identifier(f"{table}-r{row.index + 1}" + (f"-{variant}" if variant else ""), draft.arms))
    line = found.grid.rows[row.index][0]
    where = Origin(file, line.line, line.column)
    arm.put(where, label=f"{row.label}, {variant}" if variant else row.label)
    if row.options:
        arm.put(where, options=row.options)
    arm.put(None, devices=row.devices)
    _system(arm, row, context, where)
    arm.software(None, framework=context.framework, runtime=context.runtime)
    if row.libraries:
        arm.software(None, libraries=row.libraries)
    metrics: dict[int, str] = {}
    values: dict[int, tuple[str, str]] = {}
    quality: str | None = None
    for placed in sorted(numbers_of(found, row.index, variant), key=_summarised):
        if placed.role.role == "accuracy":
            name = _quality(arm, file, placed, found.grid.header[placed.column].text)
            quality = quality or name
        elif (unit := _unit(placed)) is None:
            draft.unused.append(
                f"{found.grid.header[placed.column].text} (line {found.grid.header[0].line}): no unit is stated"
            )
            continue
        else:
            name = _metric(arm, file, placed, unit)
            values[placed.column] = (placed.number.printed, unit)
        metrics[placed.column] = name
    _spreads(arm, found, row, variant)
    _interval(arm, found, row)
    return Arm(arm.key, row, metrics, quality, values)


def _summarised(placed: PlacedNumber) -> tuple[int, int]:
    """Means first: percentiles and extremes of the same quantity go into their summary."""
    return (0 if placed.role.statistic in {None, "mean"} else 1, placed.column)


def _system(arm: ArmDraft, row: Row, context: Context, where: Origin) -> None:
    name = row.system or context.machine or context.device
    if not name or (not row.system and is_of_host(arm.fields.get("label") or row.label)):
        return
    draft, systems = arm.draft, arm.draft.systems
    id_ = next((each for each, value in systems.items() if value["name"] == name), None)
    if id_ is None:
        id_ = identifier(name, systems)
        device = context.device if not row.system else device_in(row.system) or row.system
        draft.system(id_, where, name=name, device=device.removeprefix("DGX-"))
        if context.devices and not row.system:
            draft.system(id_, where, devices_per_node=context.devices)
    arm.put(where, system=id_)


def _unit(placed: PlacedNumber) -> str | None:
    """Return the unit of a number, or None where a time or size has none: then the number says nothing."""
    if placed.role.unit:
        return placed.role.unit
    return "per second" if placed.role.role == "rate" else "1" if placed.role.role == "mfu" else None


def _metric(arm: ArmDraft, file: str, placed: PlacedNumber, unit: str) -> str:
    role, where = placed.role, Origin(file, placed.cell.line, placed.cell.column)
    name = identifier(role.stem or role.role)
    same = arm.performance.get(name)
    alike = same is not None and (same["quantity"], same["unit"]) == (role.role, unit)
    if same is not None and alike and role.statistic and _summarise(arm, name, same, placed, where):
        return name
    name = identifier(role.stem or role.role, arm.performance)
    fields: MetricFields = {"quantity": role.role, "unit": unit[:4000], "scope": role.scope}
    number = arm.put_metric(name, {**fields, "statistic": role.statistic, "value": placed.number.printed}, where, where)
    if role.percentile is not None:
        number.percentile(role.percentile, placed.number.printed, where)
    if placed.number.spread is not None:
        number.put(where, plus_minus={"value": placed.number.spread, "label": "unlabelled"})
    return name


def _summarise(arm: ArmDraft, name: str, same: MetricFields, placed: PlacedNumber, where: Origin) -> bool:
    """Put a statistic into the summary of the number that it is of; return whether it has a place there."""
    role, printed, number = placed.role, placed.number.printed, arm.metric(name)
    if role.percentile:
        if role.percentile in same.get("summary", {}).get("percentiles", {}):
            return False
        number.percentile(role.percentile, printed, where)
        return True
    match role.statistic:
        case "mean":
            number.summary(where, mean=printed)
        case "median":
            number.summary(where, median=printed)
        case "min":
            number.summary(where, min=printed)
        case "max":
            number.summary(where, max=printed)
    return role.statistic in SUMMARY


def _quality(arm: ArmDraft, file: str, placed: PlacedNumber, heading: str) -> str:
    role, where = placed.role, Origin(file, placed.cell.line, placed.cell.column)
    name = identifier(role.stem or "quality", arm.quality)
    quality: QualityFields = {"metric": role.metric or role.stem or "accuracy", "unit": role.unit or None}
    arm.put_quality(name, {**quality, "split": heading_split(heading), "value": placed.number.printed}, where, where)
    if placed.number.spread is not None:
        arm.add_quality(name, where, plus_minus={"value": placed.number.spread, "label": "unlabelled"})
    return name


def _spreads(arm: ArmDraft, found: Columns, row: Row, variant: str) -> None:
    """Put a column of standard deviations beside the one quality or metric of its variant that it is about."""
    for index, role in enumerate(found.roles):
        value = found.number(row.index, index) if role.role == "spread" and role.variant == variant else None
        if value is None or value.printed.startswith("-"):
            continue
        qualities = [each for name, each in arm.quality.items() if "plus_minus" not in each and "min" not in name]
        numbers = [
            each
            for name, each in arm.performance.items()
            if "plus_minus" not in each and each.get("statistic") not in {"min", "max"} and "min" not in name
        ]
        spread: PlusMinusFields = {"value": value.printed, "label": "sd"}
        if qualities:
            qualities[0]["plus_minus"] = spread
        elif numbers:
            numbers[0]["plus_minus"] = spread


def _interval(arm: ArmDraft, found: Columns, row: Row) -> None:
    """Put the interval of a column of its own beside the only number of the row."""
    numbers = [*arm.performance.values(), *arm.quality.values()]
    cells = found.grid.rows[row.index]
    for head, cell in zip(found.grid.header, cells, strict=False):
        ends = [printed_text(each) for each in cell.text.strip("[]() ").replace(";", ", ").split(", ")]
        level = read(head.text, "header")
        if len(numbers) != 1 or len(ends) != 2 or None in ends or not level.has("interval_column"):
            continue
        low, high = (str(each) for each in ends)
        share = [number.low for number in level.numbers() if 50 <= number.low < 100]
        interval: IntervalFields = {"low": low, "high": high}
        if len(share) == 1:
            interval["level"] = float(share[0] / 100)
        if Decimal(low) <= Decimal(high):
            numbers[0]["interval"] = interval


def scope_of(role: Role) -> str:
    """Return what a claim of a column's number covers, as far as its heading says."""
    if role.scope is not None:
        return role.scope
    return "step" if read(role.stem, "header").has("claims.a_step", affirmed=False) else "not_stated"
