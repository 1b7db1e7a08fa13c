"""When a run was evaluated: the distances between its evaluations, by the counter that stands with them."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise

from msgspec import Struct

from ...schemas.evidence import Evaluation, Trial
from ..facts.quantities.numbers import finite
from ..facts.runs.evaluation_events import COUNTERS, results
from ..facts.runs.logged_options import whole_option
from ..facts.runs.times import is_successful
from ..trace import Logged

LEAST = 3
MOST_GROUPS = 8
MANY = 8
"""Batches from one evaluation to the next, from which on one more or less is nothing."""
LEAST_SAMPLES = 1000
"""Counters that step by less than that, whatever their name, count no samples."""
EVEN = 0.05
"""Evaluations at equal times wait for the end of a step: their distances differ by at most this share."""
CLOSE = 0.01
"""Distances that differ by at most this share, or by one, are one: whole steps and printed fractions are rounded."""


class Evaluated(Struct, frozen=True):
    """A run with its evaluations, as its log or the document lists them.

    Attributes:
        name: of the run.
        successful: whether it ended by success, so that nothing but the schedule set its last evaluation.
        counters: samples, step and epoch of each evaluation, as far as they stand with it.
        places: place of each evaluation.
        listed: whether the document lists them, perhaps not all of them.
        seconds: when each was made, in seconds; empty where that is not known of all.
        batch: samples of a step; 0 where that is not known.
    """

    name: str
    successful: bool
    counters: tuple[Mapping[str, float], ...]
    places: tuple[str, ...]
    listed: bool = False
    seconds: tuple[float, ...] = ()
    batch: int = 0

    def counted(self, unit: str) -> list[tuple[float, str]]:
        """Return counter and place of every evaluation; empty where one does not carry the unit."""
        found = [(row[unit], at) for row, at in zip(self.counters, self.places, strict=True) if unit in row]
        return found if len(found) == len(self.counters) else []


def logged(run: Logged) -> Evaluated:
    """Return the evaluations of a run's log."""
    events = results(run)
    counters = tuple(
        _finite((("samples", event.samples), ("step", event.step), ("epoch", event.epoch))) for event in events
    )
    places = tuple(run.trace.place(event) for event in events)
    return Evaluated(run.name, is_successful(run), counters, places, batch=whole_option(run, "global_batch_size"))


def is_lost(run: Logged) -> bool:
    """Whether a log begins more evaluations of one key than it gives results of: a line is missing."""
    found = Counter(event.key for event in results(run))
    starts = len(run.trace.of("eval_start"))
    return bool(found) and starts > max(found.values())


def listed(name: str, trial: Trial, split: str) -> Evaluated:
    """Return the evaluations on one split that a document lists for a training run.

    A document may list those around the target and the last one only, which no schedule then sets.
    """
    kept = [item for item in trial.evaluations if item.split == split]
    counters = tuple(_finite((unit, getattr(item, unit)) for unit in COUNTERS) for item in kept)
    return Evaluated(name, False, counters, tuple(item.at for item in kept), True, _seconds(kept))


def _seconds(kept: Sequence[Evaluation]) -> tuple[float, ...]:
    known = [float(item.time_s) for item in kept if item.time_s is not None]
    return tuple(known) if len(known) == len(kept) else ()


def by_the_clock(runs: Sequence[Evaluated]) -> bool:
    """Whether all runs were evaluated after equal times: their schedule is one, though their samples differ.

    The last distance of a run was set by its end.
    """
    distances: list[float] = []
    for run in runs:
        times = sorted(run.seconds)
        if len(times) <= LEAST:
            return False
        distances += [right - left for left, right in pairwise(times[:-1])]
    return bool(distances) and 0 < max(distances) <= (1 + EVEN) * min(distances)


def _finite(counters: Iterable[tuple[str, float | None]]) -> dict[str, float]:
    return {unit: value for unit, value in counters if value is not None and finite(value)}


class Schedule(Struct, frozen=True, dict=True):
    """Counters of a run's evaluations, in their unit, without a last one that a step limit set."""

    name: str
    unit: str
    counters: tuple[float, ...]
    first: str
    batch: int = 0

    @cached_property
    def distances(self) -> tuple[float, ...]:
        """The distances between the evaluations, in their order."""
        return tuple(right - left for left, right in pairwise(self.counters))


def schedule_of(run: Evaluated) -> Schedule | None:
    """Return the schedule of a run, or None where fewer than 3 evaluations carry one unit of counter."""
    for unit in COUNTERS:
        counted = run.counted(unit)
        counters = sorted({value for value, _ in counted})
        kept = counters if run.successful else counters[:-1]
        if len(kept) >= LEAST:
            return Schedule(run.name, unit, tuple(kept), counted[0][1], run.batch)
    return None


class Late(Struct, frozen=True):
    """Runs whose first evaluation comes later than that of the others, by at least half a usual distance."""

    names: tuple[str, ...]
    unit: str
    first: float
    usual: float
    at: str


def late_start(runs: Sequence[Evaluated], schedules: Sequence[Schedule]) -> Late | None:
    """Return the runs that were not evaluated at the start of the schedule that the others keep, or None.

    Where a document lists the evaluations, the others must be seen to start with it, one distance after the start.
    """
    if not schedules:
        return None
    unit = schedules[0].unit
    firsts: list[tuple[float, str, str]] = []
    for run in runs:
        counted = run.counted(unit)
        if not counted:
            return None
        value, at = min(counted, key=lambda item: item[0])
        firsts.append((value, at, run.name))
    usual = Counter(distance for schedule in schedules for distance in schedule.distances).most_common(1)[0][0]
    least = min(value for value, _, _ in firsts)
    late = [item for item in firsts if item[0] - least >= usual / 2]
    if not late or usual <= 0 or (any(run.listed for run in runs) and least > usual):
        return None
    return Late(tuple(name for _, _, name in late), unit, late[0][0], least, late[0][1])


def differ(left: Schedule, right: Schedule) -> tuple[float, float] | None:
    """Return two distances at one place that differ, or None where two runs were evaluated alike as far as both go.

    Distances that alternate by rounding alternate in every run alike. An evaluation waits for the end of a step, and
    samples that are packed fill one unevenly: distances in samples may differ by a batch and as much as those of one
    run do among each other.
    """
    if left.unit != right.unit:
        return None
    both = min(len(left.counters), len(right.counters)) - 1
    ours, theirs = left.distances[:both], right.distances[:both]
    slack = max(_slack(left), _slack(right))
    for one, another, turned in ((ours, theirs, False), (theirs, ours, True)):
        known = sorted(set(another))
        odd = next((value for value in dict.fromkeys(one) if not _known(value, known, left.unit, slack)), None)
        if odd is not None:
            usual = Counter(another).most_common(1)[0][0]
            return (usual, odd) if turned else (odd, usual)
    return None


def _slack(schedule: Schedule) -> float:
    """Return by how much distances in samples may differ; 0 where the unit is a larger one."""
    usual = Counter(schedule.distances).most_common(1)[0][0]
    if schedule.unit == "step" or usual < max(LEAST_SAMPLES, MANY * schedule.batch):
        return 0.0
    spread = max(schedule.distances) - min(schedule.distances)
    return schedule.batch + (spread if spread <= EVEN * usual else 0.0)


def _known(value: float, known: list[float], unit: str, slack: float) -> bool:
    """Whether a distance is one of some others, in order: the next larger or the next smaller one."""
    at = bisect_left(known, value)
    return any(_same(value, other, unit) or abs(value - other) <= slack for other in known[max(at - 1, 0) : at + 1])


def _same(left: float, right: float, unit: str) -> bool:
    whole = 1.0 if unit != "epoch" and min(left, right) > 1 / CLOSE else 0.0
    return abs(left - right) <= max(CLOSE * max(abs(left), abs(right)), whole)


def groups(schedules: Sequence[Schedule]) -> list[list[Schedule]]:
    """Return runs of one schedule together, compared with the longest of each group; of many, the last ones too."""
    found: list[list[Schedule]] = []
    for schedule in sorted(schedules, key=lambda item: -len(item.counters)):
        same = next((group for group in found if differ(group[0], schedule) is None), None)
        if same is None and len(found) == MOST_GROUPS:
            same = found[-1]
        if same is None:
            found.append([schedule])
        else:
            same.append(schedule)
    return sorted(found, key=lambda group: -len(group))
