"""optimum-benchmark: which of the listed GPUs a run was on."""

import json
from pathlib import Path

import pytest
from dlaudit.audit.lint.reports import of_file
from dlaudit.schemas.validation import validate

A, B = "NVIDIA A100-SXM4-80GB", "NVIDIA L4"
DISPLAY = "NVIDIA DGX Display"


@pytest.mark.parametrize(
    ("gpus", "ids", "name", "devices"),
    [
        ([A, A, A, DISPLAY, A], "1", f"1 x {A}", 1),
        ([A, A, A, A], "0,1", f"2 x {A}", 2),
        ([A, A], None, A, None),
        ([A], None, f"1 x {A}", 1),
        ([A, B], "0", f"{A}, {B}", 1),
        ([A, A], "GPU-0123,GPU-4567", A, None),
        ([A], "0,1", f"1 x {A}", 1),
    ],
)
def test_the_devices_that_a_run_names_are_counted(gpus, ids, name, devices):
    backend = {"name": "pytorch", "version": "2.4.1", "device": "cuda", "device_ids": ids}
    latency = {"unit": "s", "count": 2, "mean": 0.2, "values": [0.1, 0.3]}
    report = {
        "config": {"backend": backend, "scenario": {"name": "inference"}, "environment": {"gpu": gpus, "cpu": "x"}},
        "report": {"forward": {"latency": latency}},
    }
    value = of_file("a.json", json.dumps(report).encode(), Path()).draft.value
    assert not validate("submission", value)
    assert value["systems"]["machine"]["name"] == name
    assert value["arms"]["forward"].get("devices") == devices
    assert value["arms"]["forward"]["software"]["framework"] == "pytorch 2.4.1"
