"""The rows of a table as arms of a submission, with the numbers that they print."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ..draft import Drafting, Origin, at, identifier
from .cells import Number
from .context import Context
from .devices import device_in
from .epochs import heading_split
from .grids import Cell
from .roles import VALUES, Role
from .series import Columns, Row

SUMMARY = {"mean": "mean", "median": "median", "min": "min", "max": "max"}


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
    key = identifier(f"{table}-r{row.index + 1}" + (f"-{variant}" if variant else ""), draft.value.get("arms"))
    line = found.grid.rows[row.index][0]
    where = Origin(file, line.line, line.column)
    draft.put(at("arms", key, "label"), f"{row.label}, {variant}" if variant else row.label, where)
    draft.put(at("arms", key, "options"), row.options or None, where)
    draft.put(at("arms", key, "devices"), row.devices)
    _system(draft, key, row, context, where)
    for name, text in (("framework", context.framework), ("runtime", context.runtime)):
        draft.put(at("arms", key, "software", name), text)
    draft.put(at("arms", key, "software", "libraries"), row.libraries or None)
    metrics: dict[int, str] = {}
    values: dict[int, tuple[str, str]] = {}
    quality: str | None = None
    for placed in sorted(numbers_of(found, row.index, variant), key=_summarised):
        if placed.role.role == "accuracy":
            name = _quality(draft, file, key, placed, found.grid.header[placed.column].text)
            quality = quality or name
        elif (unit := _unit(placed)) is None:
            draft.unused.append(
                f"{found.grid.header[placed.column].text} (line {found.grid.header[0].line}): no unit is stated"
            )
            continue
        else:
            name = _metric(draft, file, key, placed, unit)
            values[placed.column] = (placed.number.printed, unit)
        metrics[placed.column] = name
    _spreads(draft, found, row, variant, key)
    return Arm(key, row, metrics, quality, values)


def _summarised(placed: PlacedNumber) -> tuple[int, int]:
    """Means first: percentiles and extremes of the same quantity go into their summary."""
    return (0 if placed.role.statistic in {None, "mean"} else 1, placed.column)


def _system(draft: Drafting, key: str, row: Row, context: Context, where: Origin) -> None:
    name = row.system or context.machine or context.device
    if not name:
        return
    systems = draft.value.get("systems", {})
    id_ = next((each for each, value in systems.items() if value["name"] == name), None)
    if id_ is None:
        id_ = identifier(name, systems)
        draft.put(at("systems", id_, "name"), name, where)
        device = context.device if not row.system else device_in(row.system) or row.system
        draft.put(at("systems", id_, "device"), device.removeprefix("DGX-"), where)
        if context.devices and not row.system:
            draft.put(at("systems", id_, "devices_per_node"), context.devices, where)
    draft.put(at("arms", key, "system"), id_, where)


def _unit(placed: PlacedNumber) -> str | None:
    """Return the unit of a number, or None where a time or size has none: then the number says nothing."""
    if placed.role.unit:
        return placed.role.unit
    return "per second" if placed.role.role == "rate" else "1" if placed.role.role == "mfu" else None


def _metric(draft: Drafting, file: str, key: str, placed: PlacedNumber, unit: str) -> str:
    role, where = placed.role, Origin(file, placed.cell.line, placed.cell.column)
    arms: dict[str, Any] = draft.value["arms"][key]
    held: dict[str, Any] = arms.get("performance", {})
    name = identifier(role.stem or role.role)
    same = held.get(name)
    if same is not None and (same["quantity"], same["unit"]) == (role.role, unit) and role.statistic:
        target = f"percentiles/{role.percentile}" if role.percentile else SUMMARY.get(role.statistic)
        if target is not None and target.partition("/")[2] not in same.get("summary", {}).get("percentiles", {}):
            draft.put(at("arms", key, "performance", name) + f"/summary/{target}", placed.number.printed, where)
            return name
    name = identifier(role.stem or role.role, held)
    metric = {"quantity": role.role, "unit": unit[:4000], "scope": scope_of(role)}
    if role.statistic is not None:
        metric["statistic"] = role.statistic
    draft.put(at("arms", key, "performance", name), metric, where)
    draft.put(at("arms", key, "performance", name, "value"), placed.number.printed, where)
    if role.percentile is not None:
        draft.put(
            at("arms", key, "performance", name, "summary", "percentiles", role.percentile),
            placed.number.printed,
            where,
        )
    if placed.number.spread is not None:
        spread = {"value": placed.number.spread, "label": "unlabelled"}
        draft.put(at("arms", key, "performance", name, "plus_minus"), spread, where)
    return name


def _quality(draft: Drafting, file: str, key: str, placed: PlacedNumber, heading: str) -> str:
    role, where = placed.role, Origin(file, placed.cell.line, placed.cell.column)
    held = draft.value["arms"][key].get("quality", {})
    name = identifier(role.stem or "quality", held)
    quality: dict[str, Any] = {"metric": role.metric or role.stem or "accuracy"}
    if role.unit:
        quality["unit"] = role.unit
    split = heading_split(heading)
    if split is not None:
        quality["split"] = split
    draft.put(at("arms", key, "quality", name), quality, where)
    draft.put(at("arms", key, "quality", name, "value"), placed.number.printed, where)
    if placed.number.spread is not None:
        spread = {"value": placed.number.spread, "label": "unlabelled"}
        draft.put(at("arms", key, "quality", name, "plus_minus"), spread, where)
    return name


def _spreads(draft: Drafting, found: Columns, row: Row, variant: str, key: str) -> None:
    """Put a column of standard deviations beside the one quality or metric of its variant that it is about."""
    arm = draft.value["arms"][key]
    for index, role in enumerate(found.roles):
        value = found.number(row.index, index) if role.role == "spread" and role.variant == variant else None
        for group in ("quality", "performance"):
            names = [
                name
                for name, held in arm.get(group, {}).items()
                if "plus_minus" not in held and held.get("statistic") not in {"min", "max"} and "min" not in name
            ]
            if value is not None and names and not value.printed.startswith("-"):
                arm[group][names[0]]["plus_minus"] = {"value": value.printed, "label": "sd"}
                break


def scope_of(role: Role) -> str:
    """Return what a number of a column covers; a step where its heading does not say."""
    return role.scope or "step"
