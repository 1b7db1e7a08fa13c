"""The scaling values that a table prints, as claims with the rows that they are relative to."""

from __future__ import annotations

from .draft import Drafting
from .table_arms import Arm, Series, scope_of
from .table_cells import Number
from .table_claims import common, mode_of, put_claim
from .table_series import Row, base_of, size_of


def claim_scaling(draft: Drafting, file: str, series: Series) -> None:
    """Draft a claim for each scaling value of a variant, but those of the rows that the others are relative to."""
    for index, role in enumerate(series.columns.roles):
        if role.role != "scaling" or role.variant not in {series.variant, ""}:
            continue
        scaled = {n: found for n in series.arms if (found := series.columns.number(n, index)) is not None}
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
    claim = common(series, arm, index, cell.text) | {
        "value": value.printed,
        "unit": "%" if value.unit.startswith("%") else ("1" if form == "efficiency" else "x"),
        "quantity": quantity,
        "form": form,
        "scope": scope_of(series.columns.roles[metrics[0]]),
        "mode": mode_of(series, role) if mode_of(series, role) != "none" else "training",
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
    put_claim(draft, file, f"{arm.id}-{role.stem or 'scaling'}", claim, cell, value)
