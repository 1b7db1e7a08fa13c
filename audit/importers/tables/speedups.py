"""The speed-ups that a table prints, as claims with their bases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ..drafting import Drafting
from .arms import Arm, Series, scope_of
from .claims import common, mode_of, put_claim
from .precisions import precision_of
from .ratio_bases import Meaning, is_summary, meaning_of
from .ratio_view import Place, Ratios, ratios
from .series import Columns
from .suite_results import quoted_result
from .units import shifted

if TYPE_CHECKING:
    from ..fields import ClaimFields

_WITHOUT_END = {"∞", "inf", "infinite", "infinity", "∞x", "∞×"}


def claim_speedups(draft: Drafting, file: str, every: dict[str, Series]) -> None:
    """Draft a claim for each speed-up that a table prints, with its base where the table says which it is."""
    series = next(iter(every.values()))
    columns = series.columns
    found = {}
    for index, role in enumerate(columns.roles):
        if role.role != "speedup":
            continue
        view = ratios(columns, every, index, series.context.caption)
        meaning = meaning_of(view) if view.told else None
        if meaning is None:
            _name(draft, columns, index, "no column holds the numbers that it is a speed-up of")
        else:
            found[index] = (view, meaning)
    for row in range(len(columns.grid.rows)):
        for index, (view, meaning) in found.items():
            number = view.told.get(row)
            if number is None and columns.grid.rows[row][index].text.casefold().strip() in _WITHOUT_END:
                line = columns.grid.rows[row][index].line
                draft.unused.append(f"{columns.grid.rows[row][index].text!r} (line {line}): no number")
            elif row not in meaning.are_bases and number is not None and float(number.printed) > 0:
                if is_summary(view, row) and row not in meaning.bases:
                    _name(draft, columns, index, "the ratios of its averages are not those of one pair of numbers")
                else:
                    _claim(draft, file, view, meaning, (row, index))
            elif row not in meaning.are_bases and number is not None:
                _name(draft, columns, index, "a change below zero, or none, is not claimed")


def _name(draft: Drafting, columns: Columns, index: int, why: str) -> None:
    head = columns.grid.header[index]
    words = f"{head.text} (line {head.line}): {why}"
    if words not in draft.unused:
        draft.unused.append(words)


def _claim(draft: Drafting, file: str, view: Ratios, meaning: Meaning, at: Place) -> None:
    (row, index), every = at, view.every
    columns = next(iter(every.values())).columns
    role, told = columns.roles[index], columns.roles[meaning.subject]
    cell, value = columns.grid.rows[row][index], view.told.get(row)
    series = every[told.variant]
    arm = series.arms.get(row)
    if arm is None or value is None:
        return
    percent = value.unit.startswith("%") and row not in meaning.levels
    if value.unit.startswith("%") and not percent:
        value = replace(value, printed=shifted(value.printed, -2))
    claim = common(series, arm, index, cell.text)
    claim |= {
        "value": value.printed,
        "unit": "%" if percent else "x",
        "quantity": told.role,
        "form": "ratio",
        "scope": scope_of(told),
        "mode": mode_of(series, told),
        "compares": "own_variants",
        "measured": {"arm": arm.id},
    }
    # the metric of another percentile holds the number of its mean
    if meaning.is_sure and meaning.subject in arm.metrics and told.statistic in {None, "mean"}:
        claim["measured"]["metric"] = arm.metrics[meaning.subject]
    if told.role == "rate":
        claim["purpose"] = "hardware_throughput"
    if row in meaning.bases:
        _against(claim, every, at, meaning)
    if arm.quality is not None:
        claim["quality"] = {"arm": arm.id, "quality": arm.quality}
    base = _base(every, meaning.bases[row]) if row in meaning.bases else None
    claim |= quoted_result(series, arm, meaning.subject, claim, base)
    put_claim(draft, file, f"{arm.id}-{role.stem or 'speedup'}", claim, cell, value)


def _against(claim: ClaimFields, every: Mapping[str, Series], at: Place, meaning: Meaning) -> None:
    """Name the base of a speed-up: the other column of its row, or another row of its column."""
    row, index = at
    columns = next(iter(every.values())).columns
    base_row, base_column = meaning.bases[row]
    told, other = columns.roles[meaning.subject], columns.roles[base_column]
    arm = every[other.variant].arms.get(base_row)
    shown = columns.grid.rows[base_row]
    head = columns.grid.header[base_column].text
    words = head if base_row == row else f"{_label(arm, base_row)}, printed as {shown[index].text or 'nothing'}"
    if arm is None or base_column not in arm.metrics:
        claim["base"] = {"definition": f"{head[:380]}, printed as {shown[base_column].text}"[:400]}
        return
    claim["base"] = {"arm": arm.id, "metric": arm.metrics[base_column], "definition": words[:400]}
    if "metric" not in claim["measured"]:
        del claim["base"]["metric"]
    if base_row == row and precision_of(told.variant) and precision_of(other.variant):
        claim |= {"attribution": "precision", "treatment": ["precision"]}


def _base(every: Mapping[str, Series], at: Place) -> tuple[Series, Arm, int] | None:
    row, column = at
    columns = next(iter(every.values())).columns
    series = every[columns.roles[column].variant]
    arm = series.arms.get(row)
    return (series, arm, column) if arm is not None else None


def _label(arm: Arm | None, row: int) -> str:
    return arm.row.label if arm is not None else f"row {row + 1}"
