"""The speed-ups that a table prints, as claims with their bases."""

from __future__ import annotations

from typing import Any

from .draft import Drafting
from .table_arms import Series, scope_of
from .table_claims import common, mode_of, put_claim
from .table_roles import VALUES, Role, precision_of
from .table_series import Columns


def claim_speedups(draft: Drafting, file: str, every: dict[str, Series], row: int) -> None:
    """Draft a claim for each speed-up that a row prints: of its variants, or of one with a base that is not there."""
    columns = next(iter(every.values())).columns
    for index, (cell, role) in enumerate(zip(columns.grid.rows[row], columns.roles, strict=True)):
        value = columns.number(row, index) if role.role == "speedup" else None
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
        claim = common(series, arm, index, cell.text) | {
            "value": value.printed,
            "unit": "%" if value.unit.startswith("%") else "x",
            "quantity": told.role,
            "form": "ratio",
            "scope": scope_of(told),
            "mode": mode_of(series, told),
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
        put_claim(draft, file, f"{arm.id}-{role.stem or 'speedup'}", claim, cell, value)


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
    told = [columns.number(row, index) for row in range(len(columns.grid.rows))]
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
