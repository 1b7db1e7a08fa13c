"""Trials of one arm whose raw numbers agree position by position, found by hashing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from ..caching import fact
from ..case import Case, Side
from ..facts.quantities.performance import column_seconds
from ..facts.runs.copies import fine
from ..facts.series.raw_numbers import raw
from ..language.reading import read

MOST_READ = 2_000

Place = tuple[str, int]
"""Column and index."""


class CopiedTrial(Struct, frozen=True):
    """Two trials that share numbers at the same place of the same column.

    Attributes:
        left, right: ids of the trials, the earlier one first.
        values, equal_values: losses and other results that both hold, and those of them that agree to the last digit.
        times, equal_times: the same of the times.
    """

    left: str
    right: str
    values: int
    equal_values: int
    times: int
    equal_times: int


@fact
def copied_trials(case: Case, side: Side) -> tuple[CopiedTrial, ...]:
    """Return the pairs of an arm's trials that share numbers of 6 digits and more, each with the first that held them.

    Times of any two trials are compared, results only of trials under different seeds: one seed gives one result.
    """
    held = {name: _numbers(columns) for name, columns in raw(case, side)}
    first: dict[tuple[Place, float], str] = {}
    shared: dict[tuple[str, str], list[tuple[Place, float]]] = {}
    for name, numbers in held.items():
        for item in numbers.items():
            other = first.setdefault(item, name)
            if other != name:
                shared.setdefault((other, name), []).append(item)
    return tuple(_compared(side, pair, held, items) for pair, items in shared.items())


def _compared(
    side: Side,
    pair: tuple[str, str],
    held: dict[str, dict[Place, float]],
    equal: list[tuple[Place, float]],
) -> CopiedTrial:
    left, right = pair
    seeds = {side.arm.trials[name].seed for name in pair}
    both = Counter(_is_time(place[0]) for place in held[left].keys() & held[right].keys())
    # A number that comes again and again is a resolution or a limit, not a measurement.
    distinct = {(place[0], number) for place, number in equal}
    alike = Counter(_is_time(column) for column, _ in distinct)
    of_results = len(seeds) == 2 and None not in seeds
    values = (both[False], alike[False]) if of_results else (0, 0)
    return CopiedTrial(left, right, *values, both[True], alike[True])


def _is_time(column: str) -> bool:
    return column_seconds(column) is not None


def _numbers(columns: Mapping[str, Sequence[float]]) -> dict[Place, float]:
    return {
        (column, index): number
        for column, values in columns.items()
        if _is_time(column) or read(column).has("training_result")
        for index, number in _first(values)
        if fine(number)
    }


def _first(values: Sequence[float]) -> Iterator[tuple[int, float]]:
    for index, number in enumerate(values[:MOST_READ]):
        if isinstance(number, float):
            yield index, number
