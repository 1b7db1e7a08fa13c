"""How many times faster than real time something works, where the cells of a column say so: "8.3x real-time"."""

from __future__ import annotations

from ....rules.language.reading import read
from ..drafting import Drafting
from .arms import Arm, Series
from .cells import number
from .claims import common, put_claim
from .series import NONE, Columns


def of_real_time(found: Columns, index: int) -> bool:
    """Whether every number of a column is a multiple of real time."""
    texts = [row[index].text for row in found.grid.rows if row[index].text.casefold() not in NONE]
    return bool(texts) and all(map(_is_multiple, texts))


def _is_multiple(text: str) -> bool:
    value = number(text)
    sign = value.unit.casefold()[:1] if value is not None else ""
    return sign in {"x", "×"} and read(text, "cell").has("claims.real_time", affirmed=False)


def claim_real_time(draft: Drafting, file: str, every: dict[str, Series]) -> None:
    """Draft a claim for each multiple of real time, relative to nothing that the table holds."""
    series = next(iter(every.values()))
    for index in range(len(series.columns.grid.header)):
        if of_real_time(series.columns, index):
            for arm in series.arms.values():
                _claim(draft, file, series, arm, index)


def _claim(draft: Drafting, file: str, series: Series, arm: Arm, index: int) -> None:
    cell = series.columns.grid.rows[arm.row.index][index]
    value = number(cell.text)
    if value is None:
        return
    claim = common(series, arm, index, cell.text) | {
        "value": value.printed,
        "unit": "x",
        "quantity": "time",
        "form": "ratio",
        "scope": "not_stated",
        "mode": series.context.mode,
        "compares": "none",
        "measured": {"arm": arm.id},
        "base": {"definition": "real time"},
    }
    put_claim(draft, file, f"{arm.id}-real-time", claim, cell, value)
