"""The numbers of a table as claims of a submission."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....rules.language.reading import read
from ..draft import Origin, identifier
from ..drafting import Drafting
from ..records import MOST_CLAIMS, is_full
from .arms import Arm, PlacedNumber, Series, numbers_of, scope_of
from .basis import basis
from .cells import Number
from .grids import Cell
from .precisions import precision_of, variants_of
from .roles import VALUES, Role
from .suite_results import quoted_result, runs_of

if TYPE_CHECKING:
    from ..fields import ClaimFields

_WORK = {"samples", "images", "sequences", "sentences", "examples", "tokens", "requests"}


def claim_values(draft: Drafting, file: str, series: Series, arm: Arm) -> None:
    """Draft a claim for each number of a row.

    Percentiles and extremes of a quantity that it claims anyway are none, nor is memory beside another quantity.
    """
    for placed in numbers_of(series.columns, arm.row.index, series.variant):
        name = arm.metrics.get(placed.column)
        claimed = placed.role.statistic in {None, "mean"} or _alone(draft, arm, placed)
        if name is None or not claimed or (placed.role.role == "memory" and not _only_memory(series)):
            continue
        accuracy = placed.role.role == "accuracy"
        claim = common(series, arm, placed.column, placed.cell.text)
        claim |= {
            "value": placed.number.printed,
            "quantity": placed.role.role,
            "form": "absolute",
            "scope": _scope_of_quality(series) if accuracy else scope_of(placed.role),
            "mode": mode_of(series, placed.role) if not accuracy else _mode_of_quality(series),
            "compares": "none",
            "measured": {"arm": arm.id},
        }
        if accuracy:
            claim |= {"metric": placed.role.metric or name, "quality": {"arm": arm.id, "quality": name}}
            if placed.role.unit:
                claim["unit"] = placed.role.unit
        else:
            claim["measured"]["metric"] = name
            claim |= _of_performance(draft, arm, placed, name)
        claim |= quoted_result(series, arm, placed.column, claim)
        runs = runs_of(series, arm, placed.column) if placed.role.scope == "training_run" and not accuracy else None
        if runs is not None:
            draft.arms[arm.id]["performance"][name]["n"] = {"unit": "training_run", "completed": runs}
        put_claim(draft, file, f"{arm.id}-{name}", claim, placed.cell, placed.number)


def _mode_of_quality(series: Series) -> str:
    return "none" if _is_of_given_models(series) else "training"


def _scope_of_quality(series: Series) -> str:
    return "not_stated" if _is_of_given_models(series) else "training_run"


def _is_of_given_models(series: Series) -> bool:
    """Whether a table, its headings or the words around it say that models ran or were quantised, and none trained."""
    if series.context.mode == "inference":
        return True
    texts = [series.context.caption, *(cell.text for cell in series.columns.grid.header)]
    return series.context.mode != "training" and any(read(text, "caption").has("caption.quantised") for text in texts)


def _only_memory(series: Series) -> bool:
    """Whether a table measures memory and nothing else: beside a speed it is what that needs."""
    return {role.role for role in series.columns.roles if role.role in VALUES} == {"memory"}


def _of_performance(draft: Drafting, arm: Arm, placed: PlacedNumber, name: str) -> ClaimFields:
    unit = draft.arms[arm.id]["performance"][name]["unit"]
    found: ClaimFields = {"unit": unit}
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


def _alone(draft: Drafting, arm: Arm, placed: PlacedNumber) -> bool:
    held = draft.arm(arm.id).performance.get(arm.metrics.get(placed.column, ""), {})
    return placed.role.role == "accuracy" or (
        held.get("statistic") == placed.role.statistic and held.get("value") == placed.number.printed
    )


def common(series: Series, arm: Arm, column: int, text: str) -> ClaimFields:
    """Return what every claim of a row has: its sentence, and how the number came about."""
    grid = series.columns.grid
    head = grid.header[column].text
    basis_ = basis(head, [cell.text for cell in grid.rows[arm.row.index]], series.context.basis)
    return {"statement": f"{_title(series)}: {arm.row.label}: {head}: {text}"[:4000], "basis": basis_}


def _title(series: Series) -> str:
    """Return the heading of a table; where the sentence below it names another precision, that sentence."""
    grid, precision = series.columns.grid, series.context.precision
    named = {precision_of(text) for text in variants_of(grid.title)}
    return grid.sentence if precision and named - {precision} and grid.sentence else grid.title


def mode_of(series: Series, role: Role) -> str:
    """Return whether a number is of training or inference, as its heading says, else the table's surroundings."""
    if role.mode is not None:
        return role.mode
    names = {each.role for each in series.columns.roles}
    trains = names & {"accumulation", "micro_batch"} or role.scope == "training_run"
    return "training" if series.context.mode == "none" and trains else series.context.mode


def put_claim(draft: Drafting, file: str, name: str, claim: ClaimFields, cell: Cell, value: Number) -> None:
    """Put a claim with the place of its cell into a draft, as long as a submission holds more."""
    if is_full(draft):
        if not any(text.startswith("numbers from") for text in draft.unused):
            draft.unused.append(f"numbers from line {cell.line} on: a submission holds {MOST_CLAIMS:,} claims")
        return
    if value.qualifier is not None:
        claim["qualifier"] = value.qualifier
    where = Origin(file, cell.line, cell.column)
    draft.put_claim(identifier(name, draft.claims), {**claim, "value": value.printed}, where, where)
