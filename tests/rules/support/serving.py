"""Patches of a service, its loads and its latencies."""

import json
import os
from pathlib import Path

import pytest

NEEDS_CORPUS = pytest.mark.skipif("DLAUDIT_CORPUS" not in os.environ, reason="DLAUDIT_CORPUS is not set")


def labelled(name):
    labels = json.loads((Path(os.environ["DLAUDIT_CORPUS"]) / "labels.json").read_text())
    return next(label for label in labels if label["id"] == name)


def hosted(facts, metric):
    """A hosted service's latencies as its table prints them, over five requests in flight."""
    times = facts[metric]
    summary = {
        "mean": str(times["mean"]),
        "median": str(times["median"]),
        "max": str(times["max"]),
        "sd": None,
        "min": None,
    }
    latency = {
        "value": str(times["mean"]),
        "column": None,
        "interval": None,
        "summary": {**summary, "percentiles": None},
    }
    latency["n"] = {"planned": facts["n"], "completed": facts["n"] - facts["errors"], "failed": facts["errors"]}
    latency["load"] = {"concurrency": facts["concurrency"], "batching": None}
    claim = {"value": str(times["mean"]), "statement": f"The mean time to the first token is {times['mean']} s."}
    arm = {"performance": {"latency": latency}, "trials": {f"t{i}": None for i in range(1, 6)}}
    return {"claims": {"latency": {**claim, "site": "hosted"}}, "arms": {"server": arm}}


def server(rate=None, latency=None, claims=None, **arm):
    performance = {"rate": rate or {}, "latency": latency or {}}
    return {"claims": claims or {}, "arms": {"server": {"performance": performance, **arm}}}


TIMES = {
    "unit": "ms",
    "first_token": "180",
    "per_output_token": "18.2",
    "end_to_end": "2510",
    "output_tokens": "129",
    "constant_length": True,
    "definition": "after_first",
    "statistic": "mean",
}


def served(claims=None, **performance):
    return {"claims": claims or {}, "arms": {"server": {"performance": performance}}}
