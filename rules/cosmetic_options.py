"""Free options that whoever judges calls cosmetic: they change nothing that is measured, and are taken for not there.

No document has a say in it. An option whose name stands for a field, such as `dtype` or `batch_size`, cannot be one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TypeVar

from msgspec.structs import replace

from ..schemas.evidence import Arm
from ..schemas.manifest import Predicate
from ..schemas.options import Options
from ..schemas.submission import Submission, Table
from .free_options import plain_name

D = TypeVar("D", Submission, Predicate)


def cosmetic(options: Options | None, names: Collection[str]) -> tuple[str, ...]:
    """Return the free options of a set that bear one of these plain names, as they are written."""
    return tuple(key for key in options.extra if plain_name(key) in names) if options is not None else ()


def found(document: Submission | Predicate, names: Collection[str]) -> tuple[str, ...]:
    """Return which of these plain names the option sets of a document bear, in alphabetical order."""
    return tuple(sorted({plain_name(key) for options in _sets(document) for key in cosmetic(options, names)}))


def without(document: D, names: Collection[str]) -> D:
    """Return a document without the free options of these plain names; itself where it has none."""
    if not found(document, names):
        return document
    arms = {key: _of_arm(arm, names) for key, arm in document.arms.items()}
    if isinstance(document, Submission):
        tables = {key: _of_table(table, names) for key, table in document.tables.items()}
        return replace(document, arms=arms, tables=tables)
    return replace(document, arms=arms)


def _sets(document: Submission | Predicate) -> Iterable[Options | None]:
    for arm in document.arms.values():
        yield from (arm.options, arm.observed)
    tables: Mapping[str, Table] = document.tables if isinstance(document, Submission) else {}
    for table in tables.values():
        yield from (row.options for row in table.rows.values())


def _of_arm(arm: Arm, names: Collection[str]) -> Arm:
    return replace(arm, options=_of_set(arm.options, names), observed=_of_set(arm.observed, names))


def _of_table(table: Table, names: Collection[str]) -> Table:
    rows = {key: replace(row, options=_of_set(row.options, names)) for key, row in table.rows.items()}
    return replace(table, rows=rows)


def _of_set(options: Options | None, names: Collection[str]) -> Options | None:
    left_out = cosmetic(options, names)
    if options is None or not left_out:
        return options
    return replace(options, extra={key: value for key, value in options.extra.items() if key not in left_out})
