"""The timed series behind a claim: per arm and trial, in the order of the run, without warm-up."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from msgspec import Struct

from ....schemas.evidence import Metric
from ....schemas.submission import Claim
from ...caching import fact
from ...case import Case, Side
from ...outcome import Inapplicable
from ...statistics.variation import coefficient_of_variation
from ..quantities.performance import column_seconds
from .raw_numbers import LARGEST, SMALLEST, raw, samples, warmup_inside

USUAL = ("step_time_s", "latency_s")
RELATED = frozenset({"ratio", "rank", "efficiency"})


class Series(Struct, frozen=True):
    """The kept values of one trial.

    Attributes:
        trial: id of the trial.
        values: positive and finite, in the order of the run, in the unit of the column.
        at: place of the trial's raw numbers.
    """

    trial: str
    values: Sequence[float]
    at: str


class Timed(Struct, frozen=True):
    """An arm of a claim with the column of times that the claim's number comes from.

    Attributes:
        side: the arm.
        metric: the claim's metric there, where it is known.
        column: the column.
        series: the completed trials that hold it.
        complete: whether that is every completed trial.
    """

    side: Side
    metric: Metric | None
    column: str
    series: tuple[Series, ...]
    complete: bool


def related_sides(claim: Claim, case: Case) -> tuple[tuple[Side | None, Metric | None], ...]:
    """Return the arm of a claim, and its base where the claim relates the two, each with its number."""
    own = case.subject(claim), case.metric(claim.measured)
    return (own, (case.base(claim), case.metric(claim.base))) if claim.form in RELATED else (own,)


def timed(claim: Claim, case: Case) -> tuple[Timed, ...]:
    """Return the arm of a claim, and its base where the claim relates the two, with their series of times.

    Arms without any are left out. A time of a whole training is no series of steps.
    """
    found: list[Timed] = []
    for side, metric in related_sides(claim, case):
        column = _column(claim, case, side, metric) if side is not None else None
        series = kept_series(case, side, column) if side is not None and column is not None else ()
        if side is not None and column is not None and series and side.id not in {item.side.id for item in found}:
            ended = [trial.kind for trial in side.arm.trials.values() if trial.outcome == "completed"]
            found.append(Timed(side, metric, column, series, len(series) == ended.count(side.timed_kind)))
    return tuple(found)


def all_timed(claim: Claim, case: Case) -> bool:
    """Whether every arm that a claim relates holds the series of all its completed trials: nothing else could tell."""
    arms = timed(claim, case)
    return len(arms) == len({side.id for side, _ in related_sides(claim, case) if side is not None}) and all(
        arm.complete for arm in arms
    )


def untold(claim: Claim, case: Case, told: bool, why_not: str) -> Iterator[Inapplicable]:
    """Say what keeps the series behind a claim from telling all: why none of them told, else that some are missing."""
    if not told:
        yield Inapplicable(why_not)
    elif not all_timed(claim, case):
        yield Inapplicable("a completed trial holds no raw numbers")


@fact
def ascending_series(case: Case, side: Side, column: str) -> tuple[tuple[float, ...], ...]:
    """Return the kept series of an arm, in their order, each in ascending order."""
    kept, found = kept_series(case, side, column), samples(case, side, column)
    shared = found.cut or found if found is not None else None
    lengths = [(item.trial, len(item.values)) for item in kept]
    if shared is not None and lengths == list(zip(shared.trials, map(len, shared.values), strict=True)):
        return shared.values
    return tuple(tuple(sorted(item.values)) for item in kept)


@fact
def variations(case: Case, side: Side, column: str) -> tuple[float, ...]:
    """Return the coefficient of variation of every kept series of an arm, in their order; 0 for one of one value."""
    return tuple(
        coefficient_of_variation(item.values) if len(item.values) > 1 else 0.0
        for item in kept_series(case, side, column)
    )


def _column(claim: Claim, case: Case, side: Side, metric: Metric | None) -> str | None:
    if metric is not None and metric.column is not None:
        return metric.column if column_seconds(metric.column) is not None else None
    if claim.scope == "training_run":
        return None
    held = {column for _, columns in raw(case, side) for column in columns}
    return next((column for column in USUAL if column in held), None)


@fact
def kept_series(case: Case, side: Side, column: str) -> tuple[Series, ...]:
    """Return the series of every completed trial of an arm that holds a column.

    None of them where one holds a number that is no duration: what is left would be a choice.
    """
    found = []
    for name, columns in raw(case, side):
        trial, row = side.arm.trials[name], columns.get(column, ())
        if trial.outcome != "completed" or not len(row):
            continue
        values = row[warmup_inside(trial, len(row)) :]
        if None in values or not math.isfinite(sum(values)) or not SMALLEST < min(values) <= max(values) < LARGEST:
            return ()
        found.append(Series(name, values, trial.place("samples" if trial.samples else "samples_file")))
    return tuple(found)
