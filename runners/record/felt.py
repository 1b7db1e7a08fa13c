"""The numbers that users feel beside the median rate: what was sustained, slow steps, memory, use of the device."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from ...rules.statistics.intervals import median, quantile, rounded
from .events import Events
from .intervals import over_logs
from .summary import interval_record, printed

STALLED = 2.0
"""A step stalls where it takes more than so many medians."""
PERCENTILES = (50, 90, 99)
MIB = 1 << 20


def steps(trials: Sequence[Events]) -> list[list[float]]:
    """Return the step times of each trial; nothing where one is no duration, for what is left would be a choice."""
    columns = [events.columns.get("step_time_s", []) for events in trials]
    found = [[value for value in column if value is not None and 0 < value < math.inf] for column in columns]
    whole = all(kept and len(kept) == len(column) for kept, column in zip(found, columns, strict=True))
    return found if whole else []


def sustained(trials: Sequence[Events], rate: Mapping[str, Any]) -> dict[str, Any]:
    """Return the work of the timed windows over their time: the rate that includes every slow step.

    Args:
        trials: the completed throughput trials.
        rate: their median rate, as the manifest has it.
    """
    times = steps(trials)
    if not times:
        return {}
    works = [work_of(events, rate["work_per_iteration"]) for events in trials]
    work, wall_s = math.fsum(works), math.fsum(map(math.fsum, times))
    value = {
        **{key: rate[key] for key in ("quantity", "unit", "column", "work_per_iteration", "n", "trials")},
        "value": printed(work / wall_s),
        "statistic": "mean",
        "work": work,
        "wall_s": wall_s,
    }
    found = over_logs([done / math.fsum(one) for done, one in zip(works, times, strict=True)])
    if found is not None:
        value["interval"] = interval_record(found, "t on logs of the trials' rates")
    return {"sustained_rate": value}


def work_of(events: Events, usual: float) -> float:
    """Return the work of a trial's timed steps: what each of them had, or as many times the usual."""
    known = [value for value in events.columns.get("work", ()) if value is not None]
    return math.fsum(known) if known else usual * events.iterations


def step_time(trials: Sequence[Events], rate: Mapping[str, Any]) -> dict[str, Any]:
    """Return the step times of all trials together: median, 90th and 99th percentile, largest."""
    times = [value for one in steps(trials) for value in one]
    if not times or rate["column"] != "step_time_s":
        return {}
    percentiles = {str(percent): printed(quantile(times, percent / 100)) for percent in PERCENTILES}
    value = {
        "quantity": "time",
        "unit": "s",
        "column": "step_time_s",
        "statistic": "median",
        "value": percentiles["50"],
        "n": rate["n"],
        "trials": rate["trials"],
        "summary": {"percentiles": percentiles, "max": printed(max(times))},
    }
    return {"step_time": value}


def stall_share(trials: Sequence[Events]) -> float | None:
    """Return the share of the timed windows that steps took beyond the median, where they took more than twice it."""
    times = steps(trials)
    if not times:
        return None
    lost_s = 0.0
    for one in times:
        usual = median(one)
        lost_s += math.fsum(value - usual for value in one if value > STALLED * usual)
    return rounded(lost_s / math.fsum(map(math.fsum, times)))


def peak_memory(trials: Sequence[Events]) -> dict[str, Any]:
    """Return the largest peak of a trial: of the device's allocator, or of the process on a host."""
    peaks = [events.ended.peak_memory_bytes for events in trials if events.ended is not None]
    known = [peak for peak in peaks if peak]
    if not known or len(known) < len(trials):
        return {}
    return {
        "peak_memory": {
            "quantity": "memory",
            "value": printed(max(known) / MIB),
            "unit": "MiB",
            "statistic": "max",
            "trials": len(known),
        }
    }


def use_of_device(rate: Mapping[str, Any], operations: Mapping[str, Any], accounting: Any) -> dict[str, Any]:
    """Return model operations per second, and their share of the device's peak, from a step that was counted.

    The peak is the data sheet's, or where no table knows the device the measured product; of the format in which most
    of the operations are carried out.
    """
    per_work = operations.get("flop_per_sample")
    if per_work is None or accounting is None or rate["quantity"] != "rate":
        return {}
    flops = float(rate["value"]) * per_work
    shared = {"statistic": "median", "n": rate["n"], "trials": rate["trials"]}
    found = {"model_flops": {"quantity": "flops", "value": printed(flops), "unit": "FLOP/s", **shared}}
    most = max(accounting["by_format"], key=accounting["by_format"].get, default="")
    peak = accounting["data_sheet_flops"].get(most) or accounting["ceilings"]["product_flops"].get(most)
    if peak:
        found["mfu"] = {"quantity": "mfu", "value": printed(100 * flops / peak), "unit": "%", **shared}
    return found
