"""The rate of each timed trial from its raw numbers, unrounded: ratios are drafted from these."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from ...schemas.requests import Requests, output_tokens, window_s
from ..study import folder as files
from .summary import column_median


def per_trial(out: Path, arms: Mapping[str, Any]) -> dict[str, list[float]]:
    """Return work / median step time of every completed throughput trial, by arm; of a service work over the window.

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
        samples = [files.read_json(out / one["samples_file"]["path"]) for one in timed]
        if metric.get("scope") == "serving_window":
            requests = [msgspec.convert(one["requests"], Requests) for one in samples if "requests" in one]
            found[name] = _over_windows(requests, metric)
            continue
        medians = [column_median(one["columns"].get("step_time_s", [])) for one in samples]
        found[name] = [metric["work_per_iteration"] / step for step in medians if step]
    return found


def _over_windows(trials: list[Requests], metric: Mapping[str, Any]) -> list[float]:
    each = metric["work"] / max(1, sum(len(one.completed) for one in trials))
    found = []
    for one in trials:
        span, tokens = window_s(one), output_tokens(one)
        counted = metric["unit"] == "tokens/s" and tokens
        work = math.fsum(tokens[row] or 0.0 for row in one.completed) if counted else each * len(one.completed)
        if span is not None and work > 0:
            found.append(work / (span[1] - span[0]))
    return found
