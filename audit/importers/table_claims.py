"""The numbers of a table as arms and claims of a submission."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from .draft import Drafting, Origin, at, identifier
from .table_cells import Number, number
from .table_context import Context
from .table_grids import Cell
from .table_roles import VALUES, Role, precision_of
from .table_series import Columns, Row, base_of, size_of

MOST_CLAIMS = 1000
SUMMARY = {"mean": "mean", "median": "median", "min": "min", "max": "max"}
_WORK = {"samples", "images", "sequences", "sentences", "examples", "tokens", "requests"}


class Placed(Struct, frozen=True):
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
        quality: the quality that a performance number stands beside.
    """

    id: str
    row: Row
    metrics: dict[int, str]
    quality: str | None


class Series(Struct, frozen=True):
    """One variant of a table, as far as it was drafted."""

    table: str
    variant: str
    columns: Columns
    context: Context
    arms: dict[int, Arm]


def numbers_of(found: Columns, row: int, variant: str) -> Iterator[Placed]:
    """Yield the measured numbers of a row that are about a variant; a rate or time of 0 was not measured."""
    for index, (cell, role) in enumerate(zip(found.grid.rows[row], found.roles, strict=True)):
        value = number(cell.text) if role.role in VALUES and role.variant == variant else None
        if value is not None and (float(value.printed) > 0 or role.role == "accuracy"):
            yield Placed(index, role, cell, value)


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
    quality: str | None = None
    for placed in sorted(numbers_of(found, row.index, variant), key=_summarised):
        if placed.role.role == "accuracy":
            name = _quality(draft, file, key, placed)
            quality = quality or name
        elif (unit := _unit(placed)) is None:
            draft.unused.append(
                f"{found.grid.header[placed.column].text} (line {found.grid.header[0].line}): no unit is stated"
            )
            continue
        else:
            name = _metric(draft, file, key, placed, unit)
        metrics[placed.column] = name
    _spreads(draft, found, row, variant, key)
    return Arm(key, row, metrics, quality)


def _summarised(placed: Placed) -> tuple[int, int]:
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
        device = context.device if not row.system else row.system
        draft.put(at("systems", id_, "device"), device.removeprefix("DGX-"), where)
        if context.devices and not row.system:
            draft.put(at("systems", id_, "devices_per_node"), context.devices, where)
    draft.put(at("arms", key, "system"), id_, where)


def _unit(placed: Placed) -> str | None:
    """Return the unit of a number, or None where a time or size has none: then the number says nothing."""
    if placed.role.unit:
        return placed.role.unit
    return "per second" if placed.role.role == "rate" else "1" if placed.role.role == "mfu" else None


def _metric(draft: Drafting, file: str, key: str, placed: Placed, unit: str) -> str:
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
    metric = {"quantity": role.role, "unit": unit[:4000], "scope": _scope(role)}
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


def _quality(draft: Drafting, file: str, key: str, placed: Placed) -> str:
    role, where = placed.role, Origin(file, placed.cell.line, placed.cell.column)
    held = draft.value["arms"][key].get("quality", {})
    name = identifier(role.stem or "quality", held)
    quality: dict[str, Any] = {"metric": role.metric or role.stem or "accuracy"}
    if role.unit:
        quality["unit"] = role.unit
    draft.put(at("arms", key, "quality", name), quality, where)
    draft.put(at("arms", key, "quality", name, "value"), placed.number.printed, where)
    if placed.number.spread is not None:
        spread = {"value": placed.number.spread, "label": "unlabelled"}
        draft.put(at("arms", key, "quality", name, "plus_minus"), spread, where)
    return name


def _spreads(draft: Drafting, found: Columns, row: Row, variant: str, key: str) -> None:
    """Put a column of standard deviations beside the one quality or metric of its variant that it is about."""
    arm = draft.value["arms"][key]
    for cell, role in zip(found.grid.rows[row.index], found.roles, strict=True):
        value = number(cell.text) if role.role == "spread" and role.variant == variant else None
        for group in ("quality", "performance"):
            names = [
                name
                for name, held in arm.get(group, {}).items()
                if "plus_minus" not in held and held.get("statistic") not in {"min", "max"} and "min" not in name
            ]
            if value is not None and names and not value.printed.startswith("-"):
                arm[group][names[0]]["plus_minus"] = {"value": value.printed, "label": "sd"}
                break


def _scope(role: Role) -> str:
    return role.scope or "step"


def claim_values(draft: Drafting, file: str, series: Series, arm: Arm) -> None:
    """Draft a claim for each number of a row, but percentiles and extremes of a quantity that it claims anyway."""
    for placed in numbers_of(series.columns, arm.row.index, series.variant):
        name = arm.metrics.get(placed.column)
        claimed = placed.role.statistic in {None, "mean"} or _alone(draft, arm, placed)
        if name is None or not claimed or placed.role.role == "memory":
            continue
        accuracy = placed.role.role == "accuracy"
        claim: dict[str, Any] = _common(series, arm, placed.column, placed.cell.text)
        claim |= {
            "value": placed.number.printed,
            "quantity": placed.role.role,
            "form": "absolute",
            "scope": "training_run" if accuracy else _scope(placed.role),
            "mode": _mode(series, placed.role) if not accuracy else "training",
            "compares": "none",
            "measured": {"arm": arm.id} if accuracy else {"arm": arm.id, "metric": name},
        }
        if accuracy:
            claim |= {"metric": placed.role.metric or name, "quality": {"arm": arm.id, "quality": name}}
            if placed.role.unit:
                claim["unit"] = placed.role.unit
        else:
            claim |= _of_performance(draft, arm, placed, name)
        _put(draft, file, f"{arm.id}-{name}", claim, placed.cell, placed.number)


def _of_performance(draft: Drafting, arm: Arm, placed: Placed, name: str) -> dict[str, Any]:
    unit = draft.value["arms"][arm.id]["performance"][name]["unit"]
    found: dict[str, Any] = {"unit": unit}
    work = unit.partition("/")[0]
    if placed.role.role == "rate" and work in _WORK:
        found["work"] = work if work in {"tokens", "requests"} else "samples"
    if placed.role.role in {"rate", "flops", "mfu"}:
        found["purpose"] = "hardware_throughput"
    if placed.role.statistic is not None:
        found["statistic"] = placed.role.statistic
    if arm.quality is not None:
        found["quality"] = {"arm": arm.id, "quality": arm.quality}
    return found


def _alone(draft: Drafting, arm: Arm, placed: Placed) -> bool:
    held = draft.value["arms"][arm.id].get("performance", {}).get(arm.metrics.get(placed.column, ""), {})
    return placed.role.role == "accuracy" or (
        held.get("statistic") == placed.role.statistic and held.get("value") == placed.number.printed
    )


def claim_speedups(draft: Drafting, file: str, every: dict[str, Series], row: int) -> None:
    """Draft a claim for each speed-up that a row prints: of its variants, or of one with a base that is not there."""
    columns = next(iter(every.values())).columns
    for index, (cell, role) in enumerate(zip(columns.grid.rows[row], columns.roles, strict=True)):
        value = number(cell.text) if role.role == "speedup" else None
        if value is None or float(value.printed) <= 0:
            continue
        subject = _subject(columns, index, role)
        if subject is None or (series := every.get(columns.roles[subject].variant)) is None:
            head = columns.grid.header[index]
            words = f"{head.text} (line {head.line}): no column holds the numbers that it is a speed-up of"
            if words not in draft.unused:
                draft.unused.append(words)
            continue
        arm, told = series.arms.get(row), columns.roles[subject]
        if arm is None or told.role not in {"rate", "time", "latency", "flops"}:
            continue
        claim = _common(series, arm, index, cell.text) | {
            "value": value.printed,
            "unit": "%" if value.unit.startswith("%") else "x",
            "quantity": told.role,
            "form": "ratio",
            "scope": _scope(told),
            "mode": _mode(series, told),
            "compares": "own_variants",
            "measured": {"arm": arm.id},
        }
        if subject in arm.metrics and told.statistic in {None, "mean"}:
            claim["measured"] = {"arm": arm.id, "metric": arm.metrics[subject]}
        if told.role == "rate":
            claim["purpose"] = "hardware_throughput"
        _against(claim, every, row, index, subject)
        unit_row = _unit_row(columns, index) if "base" not in claim else None
        if unit_row == row:
            continue
        if unit_row in series.arms and subject in series.arms[unit_row].metrics:
            base = series.arms[unit_row]
            words = f"{base.row.label}, printed as {columns.grid.rows[unit_row][index].text}"
            claim["base"] = {"arm": base.id, "metric": base.metrics[subject], "definition": words[:400]}
        if arm.quality is not None:
            claim["quality"] = {"arm": arm.id, "quality": arm.quality}
        _put(draft, file, f"{arm.id}-{role.stem or 'speedup'}", claim, cell, value)


def _subject(columns: Columns, index: int, role: Role) -> int | None:
    """Return the column whose numbers a speed-up is of."""
    held = [
        i for i, other in enumerate(columns.roles) if other.role in VALUES and other.role not in {"accuracy", "mfu"}
    ]
    if role.of:
        own = " ".join(columns.grid.header[index].text.casefold().replace("-", " ").replace("*", "").split())
        for i in held:
            words = columns.grid.header[i].text.casefold().split(" - ")[0].partition("(")[0].replace("-", " ").split()
            if words and own.startswith(" ".join(words)) and role.variant in {"", columns.roles[i].variant}:
                fitting = [j for j in held if columns.roles[j].stem == columns.roles[i].stem]
                reduced = [j for j in fitting if role.variant == "" and _bits(columns.roles[j].variant) == 1]
                return (reduced or [i])[0]
        fitting = [
            i for i in held if columns.roles[i].stem == role.of and role.variant in {"", columns.roles[i].variant}
        ]
        return next((i for i in fitting if _bits(columns.roles[i].variant) == 1), fitting[0] if fitting else None)
    fitting = [
        i for i in held if role.variant in {"", columns.roles[i].variant} and columns.roles[i].variant != role.base
    ]
    before = [i for i in fitting if i < index]
    return before[-1] if before else None


def _unit_row(columns: Columns, index: int) -> int | None:
    """Return the one row of 1 that a column of speed-ups is relative to, in a table with one measured quantity."""
    held = [role for role in columns.roles if role.role in VALUES and role.role not in {"accuracy", "mfu", "memory"}]
    told = [number(row[index].text) for row in columns.grid.rows]
    rows = [n for n, value in enumerate(told) if value is not None and float(value.printed) == 1 and value.unit != "%"]
    return rows[0] if len(held) == 1 and len(rows) == 1 else None


def _bits(variant: str) -> int:
    """0 for full precision, 1 for reduced."""
    return 0 if variant in {"fp32", "fp64", "tf32", ""} else 1


def _against(claim: dict[str, Any], every: dict[str, Series], row: int, index: int, subject: int) -> None:
    """Name the base of a speed-up: the column of the same quantity that its heading names, or the only other one."""
    columns = next(iter(every.values())).columns
    role, told = columns.roles[index], columns.roles[subject]
    same = [
        i
        for i, other in enumerate(columns.roles)
        if i != subject and (other.role, other.stem, other.unit) == (told.role, told.stem, told.unit)
    ]
    bases = [i for i in same if role.base is None or columns.roles[i].variant == role.base]
    if len(bases) != 1 or columns.roles[bases[0]].variant == told.variant:
        return
    base = every.get(columns.roles[bases[0]].variant)
    arm = base.arms.get(row) if base is not None else None
    if arm is None or bases[0] not in arm.metrics:
        return
    claim["base"] = {
        "arm": arm.id,
        "metric": arm.metrics[bases[0]],
        "definition": columns.grid.header[bases[0]].text[:400],
    }
    if precision_of(told.variant) and precision_of(columns.roles[bases[0]].variant):
        claim |= {"attribution": "precision", "treatment": ["precision"]}


def claim_scaling(draft: Drafting, file: str, series: Series) -> None:
    """Draft a claim for each scaling value of a variant, but those of the rows that the others are relative to."""
    grid = series.columns.grid
    for index, role in enumerate(series.columns.roles):
        if role.role != "scaling" or role.variant not in {series.variant, ""}:
            continue
        scaled = {n: found for n in series.arms if (found := number(grid.rows[n][index].text)) is not None}
        whole = max((float(value.printed) for value in scaled.values()), default=0.0)
        rows = [arm.row for arm in series.arms.values()]
        bases = {
            n: base_of(rows, series.arms[n].row, {i: value.printed for i, value in scaled.items()}, role.label)
            for n in scaled
        }
        points = len({size_of(series.arms[n].row) for n in scaled})
        shown = {base.index for base in bases.values() if base is not None}
        for n, value in scaled.items():
            if n not in shown and float(value.printed) > 0 and points > 1:
                percent = value.unit.startswith("%")
                form = "efficiency" if (whole <= 130 if percent else whole <= 1.5) else "ratio"
                arm, base = series.arms[n], bases[n]
                _scaling(draft, file, series, arm, base, (index, value, form, points))


def _scaling(
    draft: Drafting, file: str, series: Series, arm: Arm, base: Row | None, told: tuple[int, Number, str, int]
) -> None:
    index, value, form, points = told
    role, cell = series.columns.roles[index], series.columns.grid.rows[arm.row.index][index]
    metrics = [i for i in arm.metrics if series.columns.roles[i].role in {"rate", "time", "flops"}]
    if not metrics:
        return
    quantity = series.columns.roles[metrics[0]].role
    claim = _common(series, arm, index, cell.text) | {
        "value": value.printed,
        "unit": "%" if value.unit.startswith("%") else ("1" if form == "efficiency" else "x"),
        "quantity": quantity,
        "form": form,
        "scope": _scope(series.columns.roles[metrics[0]]),
        "mode": _mode(series, role) if _mode(series, role) != "none" else "training",
        "compares": "own_variants",
        "points": points,
        "purpose": "hardware_throughput",
        "treatment": ["devices"],
        "measured": {"arm": arm.id, "metric": arm.metrics[metrics[0]]},
    }
    claim["row"] = {"table": series.table, "row": f"r{arm.row.index + 1}"}
    other = series.arms.get(base.index) if base is not None else None
    if other is not None and metrics[0] in other.metrics:
        size = size_of(other.row)
        words = f"{size} {'device' if other.row.devices else 'node'}{'' if size == 1 else 's'}, the other columns equal"
        claim["base"] = {"arm": other.id, "metric": other.metrics[metrics[0]], "definition": words}
        if other.row.devices:
            claim["base"]["devices"] = size
        claim["row"]["base_row"] = f"r{other.row.index + 1}"
    _put(draft, file, f"{arm.id}-{role.stem or 'scaling'}", claim, cell, value)


def _common(series: Series, arm: Arm, column: int, text: str) -> dict[str, Any]:
    head = series.columns.grid.header[column].text
    return {"statement": f"{series.columns.grid.title}: {arm.row.label}: {head}: {text}"[:4000], "basis": "measured"}


def _mode(series: Series, role: Role) -> str:
    if role.mode is not None:
        return role.mode
    names = {each.role for each in series.columns.roles}
    trains = names & {"accumulation", "micro_batch"} or role.scope == "training_run"
    return "training" if series.context.mode == "none" and trains else series.context.mode


def _put(draft: Drafting, file: str, name: str, claim: dict[str, Any], cell: Cell, value: Number) -> None:
    if len(draft.value["claims"]) >= MOST_CLAIMS:
        if not any(text.startswith("numbers from") for text in draft.unused):
            draft.unused.append(f"numbers from line {cell.line} on: a submission holds {MOST_CLAIMS:,} claims")
        return
    if value.qualifier is not None:
        claim["qualifier"] = value.qualifier
    key = identifier(name, draft.value["claims"])
    where = Origin(file, cell.line, cell.column)
    draft.put(at("claims", key), claim, where)
    draft.put(at("claims", key, "value"), value.printed, where)
