"""Sample files: every raw number of one trial, in columns."""

from __future__ import annotations

import math
from array import array
from collections.abc import Mapping
from typing import Any

import msgspec

from .extremes import NUMBER, in_bounds
from .place import join_pointer
from .requests import Requests, columns, problems
from .source import Source
from .strict_json import LIMIT_BYTES, loads
from .validation import InvalidDocument, Problem, validate

_NUMBERS = frozenset({int, float})
_UNDEFINED = frozenset({"loss"})
"""Columns in which null stands for what was not finite: a diverged trial keeps its losses."""
_SHOWN_PER_COLUMN = 3
_GROUPS = ("columns", "warmup", "telemetry")
_IN_COLUMNS = (*_GROUPS, "requests", "warmup_requests")


class SampleEvaluation(msgspec.Struct, frozen=True, kw_only=True):
    """The model on held-out data, at one moment of a trial."""

    split: str
    samples: int
    """Training samples seen so far."""
    step: int
    """Optimizer steps so far."""
    time_s: float
    """Training time so far; evaluations not included."""
    evaluation_s: float | None = None
    """Duration of this evaluation."""
    examples: int
    """Held-out examples that were evaluated."""
    metrics: dict[str, float | None]
    """By name; None where one was not finite."""
    correct: int | None = None


class SampleFile(msgspec.Struct, frozen=True, kw_only=True):
    """The raw numbers of one trial."""

    trial: str
    columns: Mapping[str, array[float]]
    """Of one length, one number for each timed iteration; NaN, in `loss` alone, for what was not finite."""
    warmup: Mapping[str, array[float]]
    """The same for the iterations before the timed ones."""
    evaluations: tuple[SampleEvaluation, ...]
    telemetry: Mapping[str, array[float]] = {}
    """Readings of the devices' sensors, of one length."""
    requests: Requests | None = None
    """Requests to a service; the columns are computed from those that were answered."""
    warmup_requests: Requests | None = None

    @property
    def rows(self) -> int:
        """Number of timed iterations, or of requests."""
        if self.requests is not None:
            return len(self.requests.outcome)
        return max(map(len, self.columns.values()), default=0)


def read_samples(data: bytes, name: str, *, limit_bytes: int = LIMIT_BYTES) -> SampleFile:
    """Read a sample file.

    Args:
        data: the file, as JSON.
        name: what errors call it.
        limit_bytes: larger files are refused.

    Raises:
        UserError: it is not readable.
        InvalidDocument: its form is wrong, an item of a column is no finite number, or columns differ in length.
    """
    value = loads(data, name, limit_bytes=limit_bytes)
    wrong = validate("samples", _envelope(value))
    if wrong:
        raise InvalidDocument(Source(name, data, value, "json"), "samples", wrong)
    assert isinstance(value, dict)
    wrong = tuple(problem for group in _GROUPS for problem in _column_problems(value, group))
    served, wrong_requests = _requests(value, "requests")
    warmed, wrong_warmup = _requests(value, "warmup_requests")
    wrong = (*wrong, *wrong_requests, *wrong_warmup)
    if wrong:
        raise InvalidDocument(Source(name, data, value, "json"), "samples", wrong)
    return SampleFile(
        trial=str(value["trial"]),
        columns=_arrays(value.get("columns")) if served is None else columns(served),
        requests=served,
        warmup_requests=warmed,
        warmup=_arrays(value.get("warmup")),
        evaluations=msgspec.convert(value.get("evaluations", []), tuple[SampleEvaluation, ...]),
        telemetry=_arrays(value.get("telemetry")),
    )


def _requests(value: dict[str, Any], group: str) -> tuple[Requests | None, tuple[Problem, ...]]:
    """Return requests of a sample file, if it has any, and what is wrong with them."""
    if group not in value:
        return None, ()
    todo = "write what was measured of each request, in columns of one length"
    try:
        served = msgspec.convert(value[group], Requests)
    except msgspec.ValidationError as error:
        return None, (Problem(f"/{group}", f"{error}", todo),)
    if any(value.get("columns", {}).values()):
        return None, (Problem("/columns", "requests have no columns beside them", "leave the columns empty"),)
    return served, tuple(Problem(f"/{group}/{name}", what, todo) for name, what in problems(served))


def _envelope(value: Any) -> Any:
    """Return the document with empty columns: a million numbers need no schema."""
    if not isinstance(value, dict):
        return value
    return {key: _emptied(item) if key in _IN_COLUMNS else item for key, item in value.items()}


def _emptied(columns: Any) -> Any:
    if not isinstance(columns, dict):
        return columns
    return {name: [] if isinstance(column, list) else column for name, column in columns.items()}


def _column_problems(value: dict[str, Any], group: str) -> tuple[Problem, ...]:
    columns: dict[str, list[Any]] = value.get(group, {})
    problems: list[Problem] = []
    for name, column in columns.items():
        allowed = _NUMBERS | {type(None)} if name in _UNDEFINED else _NUMBERS
        if not set(map(type, column)) <= allowed:
            wrong = [index for index, item in enumerate(column) if type(item) not in allowed]
            problems += [
                Problem(join_pointer([group, name, index]), "expected a number", "write the number that was measured")
                for index in wrong[:_SHOWN_PER_COLUMN]
            ]
        elif name.endswith("_s") and column and min(column) < 0:
            at = join_pointer([group, name, column.index(min(column))])
            problems.append(Problem(at, "a duration below zero", "write the number that was measured"))
        elif not all(item is None or in_bounds(item) for item in column):
            index = next(index for index, item in enumerate(column) if item is not None and not in_bounds(item))
            what = f"{float(column[index]):g} is too large, or too small"
            problems.append(Problem(join_pointer([group, name, index]), what, f"write {NUMBER}"))
    if len(set(map(len, columns.values()))) > 1:
        lengths = ", ".join(f"{name} {len(column):,}" for name, column in columns.items())
        todo = "give each column one number for each iteration, or leave it out"
        problems.append(Problem(f"/{group}", f"the columns differ in length: {lengths}", todo))
    return tuple(problems)


def _arrays(columns: Any) -> dict[str, array[float]]:
    """Return checked columns as arrays of 64-bit floats."""
    result = {}
    for name, column in (columns or {}).items():
        if name in _UNDEFINED and None in column:
            column = [math.nan if item is None else item for item in column]
        result[name] = array("d", column)
    return result
