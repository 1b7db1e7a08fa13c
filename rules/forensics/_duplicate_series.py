"""Runs of equal values in the series of two runs, longer than chance gives at the resolution of the numbers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from ..caching import fact
from ..case import Case
from ..facts.runs.groups import Run, one_run, run_groups

LEAST = 6
LONGEST = 2000
MOST_LIKELY = 0.5
ERROR = 1e-6
RULE_OF_THREE = 3
LEAST_TIES = 10
MOST_FOUND = 100


class Duplicate(Struct, frozen=True):
    """Two runs that share consecutive values.

    Attributes:
        left: one run.
        right: the other, later in the document.
        length: number of consecutive values that are equal.
        chance: expected number of such runs of values between the two, were they measured apart.
    """

    left: Run
    right: Run
    length: int
    chance: float


class Compared(Struct, frozen=True):
    """What became of comparing the runs of a column.

    Attributes:
        duplicates: pairs that share values, at most one entry for a pair.
        judged: ids of the arms whose runs were compared.
    """

    duplicates: tuple[Duplicate, ...]
    judged: frozenset[str]


@fact
def duplicate_series(case: Case, column: str, error: float = ERROR) -> Compared:
    """Compare the first 2,000 values of every run with every other of its document, in time linear in the values."""
    duplicates: list[Duplicate] = []
    judged: set[str] = set()
    for group in run_groups(case, column):
        runs = [run for run in group if len(run.series.values) >= LEAST]
        p = collision_probability([run.series.values[:LONGEST] for run in runs])
        if len(runs) > 1 and p <= MOST_LIKELY:
            duplicates += _duplicates(runs, p, error)
            judged |= {run.side.id for run in runs}
    return Compared(tuple(duplicates), frozenset(judged))


def collision_probability(series: Iterable[Sequence[float]]) -> float:
    """Return an upper bound of the probability that two values measured apart are equal.

    Pairs within each series are counted, so that copies between series do not hide themselves: (ties + 3) / pairs, the
    3 for a share that was never seen. Where there are ties, the share of them that are followed by another tie counts
    if it is larger: values that come in patterns repeat together. 1 where nothing can be counted.
    """
    ties = pairs = repeated = 0
    for values in series:
        pairs += math.comb(len(values), 2)
        ties += sum(math.comb(count, 2) for count in Counter(values).values())
        repeated += sum(math.comb(count, 2) for count in Counter(pairwise(values)).values())
    if not pairs:
        return 1.0
    marginal = (ties + RULE_OF_THREE) / pairs
    following = (repeated + 1) / ties if ties >= LEAST_TIES else 0.0
    return min(1.0, max(marginal, following))


def _duplicates(runs: Sequence[Run], p: float, error: float) -> Iterator[Duplicate]:
    lengths = [min(LONGEST, len(run.series.values)) for run in runs]
    window = _least_length(min(lengths), min(lengths), p, error)
    seen: dict[int, list[tuple[int, int]]] = {}
    found: dict[tuple[int, int], Duplicate] = {}
    for index, run in enumerate(runs):
        if len(found) >= MOST_FOUND:
            break
        values = tuple(run.series.values[:LONGEST])
        own: list[tuple[int, int]] = []
        for start in range(len(values) - window + 1):
            key = hash(values[start : start + window])
            own.append((key, start))
            for other, place in seen.get(key, ()):
                if (other, index) not in found:
                    duplicate = _compared(runs[other], run, place, start, p)
                    if duplicate is not None and duplicate.chance < error:
                        found[other, index] = duplicate
        for key, start in own:
            places = seen.setdefault(key, [])
            if not places or places[-1][0] != index:
                places.append((index, start))
    yield from (item for _, item in sorted(found.items()) if not one_run(item.left, item.right))


def _least_length(n: int, m: int, p: float, error: float) -> int:
    """Return the least L with n m p^L below an error."""
    return max(1, math.floor(math.log(error / (n * m)) / math.log(p)) + 1)


def _compared(left: Run, right: Run, place: int, start: int, p: float) -> Duplicate | None:
    """Return the run of equal values that begins at two places, extended to both sides; None where the hash erred."""
    a, b = left.series.values[:LONGEST], right.series.values[:LONGEST]
    length = 0
    while place + length < len(a) and start + length < len(b) and a[place + length] == b[start + length]:
        length += 1
    back = 0
    while place > back and start > back and a[place - back - 1] == b[start - back - 1]:
        back += 1
    if not length:
        return None
    return Duplicate(left, right, length + back, len(a) * len(b) * p ** (length + back))
