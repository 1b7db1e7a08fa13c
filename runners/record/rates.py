"""The rate of each timed trial from its raw numbers, unrounded: ratios are drafted from these."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..study import folder as files
from .summary import column_median


def per_trial(out: Path, arms: Mapping[str, Any]) -> dict[str, list[float]]:
    """Return work / median step time of every completed throughput trial, by arm.

    Args:
        out: the study's folder.
        arms: the arms of its manifest.
    """
    found: dict[str, list[float]] = {}
    for name, arm in arms.items():
        metric = arm.get("performance", {}).get("rate")
        timed = [one for one in arm["trials"].values() if one["kind"] == "throughput" and one["outcome"] == "completed"]
        if metric is None:
            continue
        columns = [files.read_json(out / one["samples_file"]["path"])["columns"] for one in timed]
        medians = [column_median(one.get("step_time_s", [])) for one in columns]
        found[name] = [metric["work_per_iteration"] / step for step in medians if step]
    return found
