"""Cells of a table that print the outcome of one training for several, and how probable it is that they agree."""

from __future__ import annotations

import math
from statistics import stdev

from msgspec import Struct

from ...schemas.evidence import Quality
from ...schemas.submission import Column, Row, Table
from ..caching import fact
from ..case import Case
from ..facts.comparison.options import flat
from ..language.printed import span
from ..language.reading import read

FEWEST_DIGITS = 4
FEWEST_SEEDS = 3
LARGEST_P = 0.1


class Agreeing(Struct, frozen=True):
    """Rows whose trainings ended at the same digits.

    Attributes:
        rows: names of the rows.
        chance: that so many agree, by the scatter over seeds of the training that has these digits.
    """

    rows: tuple[str, ...]
    chance: float


def of_trainings(column: Column) -> bool:
    """Whether a column prints the quality that trainings ended with."""
    return column.quantity == "accuracy" and column.mode == "training" and column.scope == "training_run"


@fact
def agreeing(case: Case, table: Table, name: str) -> tuple[Agreeing, ...]:
    """Return rows of different trainings that print the digits of one stated quality whose seeds scatter."""
    cells = {key: row.values[name] for key, row in table.rows.items() if name in row.values}
    if read(table.caption or "").has("one_training"):
        return ()
    by_text: dict[str, list[str]] = {}
    for key, text in cells.items():
        if len(text.replace(".", "").lstrip("0")) >= FEWEST_DIGITS:
            by_text.setdefault(text, []).append(key)
    found = []
    for text, rows in ((text, rows) for text, rows in by_text.items() if len(rows) > 1):
        stated = [item for side in case.sides() for item in side.arm.quality.values() if item.value == text]
        deviations = [_chance(quality, text) for quality in stated]
        if not deviations or None in deviations or not _apart(table, rows):
            continue
        each, hits, pairs = max(value or 1.0 for value in deviations), len(rows) - 1, math.comb(len(cells), 2)
        if each <= LARGEST_P:
            found.append(Agreeing(tuple(rows), min(1.0, math.comb(pairs, hits) * each**hits)))
    return tuple(found)


def _apart(table: Table, rows: list[str]) -> bool:
    """Whether every row is a training of its own: another arm or none, and other devices or options."""
    arms = [table.rows[name].arm for name in rows]
    named = [arm for arm in arms if arm is not None]
    return len(set(named)) == len(named) and len({_configuration(table.rows[name]) for name in rows}) == len(rows)


def _configuration(row: Row) -> str:
    return str((row.devices, row.parameters, row.arm, sorted(flat(row.options).items(), key=str)))


def _chance(quality: Quality, text: str) -> float | None:
    """Return the chance that another training ends at these digits; None where the scatter over seeds is not stated."""
    values = [float(seed) for seed in quality.seeds.values()]
    deviation = stdev(values) / math.sqrt(len(values)) if len(values) >= FEWEST_SEEDS else 0.0
    if not deviation > 0:
        return None
    unit = float(span(text).high - span(text).low)
    if quality.counted and quality.examples:
        unit = max(unit, (100.0 if float(text) > 1 else 1.0) / quality.examples)
    return min(1.0, unit / (2 * deviation * math.sqrt(math.pi)))
