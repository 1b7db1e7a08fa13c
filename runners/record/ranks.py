"""The ranks of a trial as one: a step takes as long as its slowest rank; what each rank told is kept beside it.

The time of an iteration is the maximum over ranks (Hoefler & Belli 2015, rule 10), so is the wait for data; a loss is
the mean of the ranks' losses, each over a part of the batch of one size. Times to an evaluation are summed up from
these. Options, evaluations and the work are told by the first rank.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from ...rules.statistics.intervals import median, quantile, rounded
from ..trial.events import DISCONNECTED, INTERRUPTED, Ended, Placed, TrialError
from ..trial.ranks import ENDING, events_of
from .events import Column, Events, gather
from .summary import printed

AGGREGATION = "maximum over ranks, per iteration"
STRAGGLES = 1.1
"""A rank straggles where its work between exchanges takes more than so many times the median rank's."""


def gather_all(path: Path, ranks: int) -> Events:
    """Read the events of an attempt: of one rank its own, of several all ranks' as one.

    Args:
        path: the events file of the first rank.
        ranks: how many ranks were asked for; a program may have started more itself.
    """
    found = sorted(path.parent.glob(path.name.removesuffix(ENDING) + ".rank-*" + ENDING))
    count = max(ranks, len(found) + 1)
    if count == 1:
        return gather(path)
    return together([gather(events_of(path, rank)) for rank in range(count)])


def together(ranks: Sequence[Events]) -> Events:
    """Return the events of a trial from those of its ranks."""
    first = ranks[0]
    whole = all(one.ended is not None and one.ended.outcome == "completed" for one in ranks)
    problem = next((f"rank {n}: {one.problem}" for n, one in enumerate(ranks) if one.problem is not None), None)
    columns, warmup = _columns([one.columns for one in ranks]), _columns([one.warmup for one in ranks])
    if whole and problem is None and len({one.iterations for one in ranks}) > 1:
        problem = f"its ranks made {', '.join(str(one.iterations) for one in ranks)} iterations"
    evaluations = _timed(first, columns)
    ended = _ended(ranks)
    if ended is not None and ended.crossing is not None and ended.crossing.reached:
        step = ended.crossing.step
        time_s = next((one.time_s for one in evaluations if one.step == step), ended.crossing.time_s)
        ended = msgspec.structs.replace(ended, crossing=msgspec.structs.replace(ended.crossing, time_s=time_s))
    return msgspec.structs.replace(
        first,
        warmup=warmup,
        columns=columns,
        evaluations=evaluations,
        ended=ended,
        problem=problem,
        ranks=tuple(ranks),
    )


def _columns(ranks: Sequence[dict[str, Column]]) -> dict[str, Column]:
    """Return the columns of the iterations that all ranks finished."""
    names = set.intersection(*(set(one) for one in ranks)) if ranks else set()
    count = min((len(one.get("step_time_s", ())) for one in ranks), default=0)
    if not count:
        return {}
    rows = {name: [[one[name][row] for one in ranks] for row in range(count)] for name in names}
    return {name: [_as_one(name, values) for values in rows[name]] for name in ranks[0] if name in names}


def _as_one(name: str, values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return None
    if name == "work":
        return known[0]
    return math.fsum(known) / len(known) if name == "loss" else max(known)


def _timed(first: Events, columns: dict[str, Column]) -> tuple[Any, ...]:
    """Return the first rank's evaluations, each with the time that the slowest ranks' steps before it took."""
    times = [value or 0.0 for value in columns.get("step_time_s", ())]
    return tuple(
        msgspec.structs.replace(one, time_s=math.fsum(times[: one.step])) if one.step <= len(times) else one
        for one in first.evaluations
    )


def _ended(ranks: Sequence[Events]) -> Ended | None:
    """Return how the ranks ended as one: None where one vanished and no other failed of itself."""
    ends = [(number, one.ended) for number, one in enumerate(ranks) if one.ended is not None]
    failed = sorted(
        ((number, end) for number, end in ends if end.outcome == "failed" and _of_itself(end)),
        key=lambda item: int(item[1].unix_ns or 0) + _offset_ns(ranks[item[0]]),
    )
    if not failed and len(ends) < len(ranks):
        return None
    worse = failed or [item for item in ends if item[1].outcome != "completed"]
    first = ends[0][1] if ends and ends[0][0] == 0 else worse[0][1]
    peaks = [end.peak_memory_bytes for _, end in ends]
    found = msgspec.structs.replace(
        first,
        wall_s=max(end.wall_s for _, end in ends),
        peak_memory_bytes=max((peak for peak in peaks if peak is not None), default=None),
    )
    if not worse:
        return found
    number, end = worse[0]
    error = end.error or TrialError(type="Unknown", message="it does not say why")
    error = TrialError(type=error.type, message=f"rank {number}{_at(ranks[number])}: {error.message}")
    return msgspec.structs.replace(found, outcome=end.outcome, error=error)


def _of_itself(end: Ended) -> bool:
    return end.error is None or end.error.type not in (DISCONNECTED, INTERRUPTED)


def _offset_ns(rank: Events) -> int:
    """Return what has to be added to a rank's wall clock to have the first one's."""
    return round(1e9 * (rank.placed.clock.offset_s or 0.0)) if rank.placed is not None else 0


def _at(rank: Events) -> str:
    return f" on {rank.placed.host}" if rank.placed is not None else ""


def table(events: Events, path: Path) -> list[dict[str, Any]]:
    """Return what the manifest keeps of each rank of a trial: where it ran and what its steps took.

    Args:
        events: of the trial.
        path: events file of its first rank, relative to the study's folder.
    """
    return [{**_row(number, one), "file": str(events_of(path, number))} for number, one in enumerate(events.ranks)]


def _row(number: int, events: Events) -> dict[str, Any]:
    value: dict[str, Any] = {"rank": number}
    placed: Placed | None = events.placed
    if placed is not None:
        value |= {
            "host": placed.host,
            "local_rank": placed.local_rank,
            "device": placed.device,
            "processors": placed.processors,
            "variables": placed.variables,
            "clock": msgspec.to_builtins(placed.clock),
        }
    times = _known(events.columns.get("step_time_s", ()))
    if times:
        value |= {"step_time_s": printed(median(times)), "step_time_p99_s": printed(quantile(times, 0.99))}
    waits = _known(events.columns.get("data_wait_s", ()))
    if waits:
        value["data_wait_s"] = printed(median(waits))
    if events.ended is not None:
        value |= {"outcome": events.ended.outcome, "peak_memory_bytes": events.ended.peak_memory_bytes}
    return {key: item for key, item in value.items() if item not in (None, {})}


def spread(trials: Sequence[Events]) -> dict[str, Any]:
    """Return how evenly the ranks of an arm's timed trials worked; nothing where they are one.

    Every rank waits for the others within a step, so that step times tell little of who is late; the imbalance is that
    of the steps as each rank saw them, and the share of the slowest tells whether it is one and the same rank.
    """
    several = [one for one in trials if len(one.ranks) > 1]
    if not several:
        return {}
    count = len(several[0].ranks)
    slowest = [0] * count
    ratios: list[float] = []
    for trial in several:
        columns = [_known(one.columns.get("step_time_s", ())) for one in trial.ranks]
        for values in zip(*columns, strict=False):
            slowest[values.index(max(values))] += 1
            mean = math.fsum(values) / len(values)
            if mean > 0:
                ratios.append(max(values) / mean)
    if not ratios:
        return {}
    medians = [
        median([value for trial in several for value in _known(trial.ranks[rank].columns.get("step_time_s", ()))])
        for rank in range(count)
    ]
    usual = median(medians)
    return {
        "ranks": count,
        "imbalance": rounded(median(ratios)),
        "slowest_share": [rounded(number / sum(slowest)) for number in slowest],
        "stragglers": [rank for rank, value in enumerate(medians) if value > STRAGGLES * usual],
    }


def _known(column: Sequence[float | None]) -> list[float]:
    return [value for value in column if value is not None and math.isfinite(value)]
