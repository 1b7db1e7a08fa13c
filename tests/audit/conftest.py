"""A study that several tests read."""

import json
import os

import pytest
from support.forks import dlaudit

TWO_BATCHES = {
    "dlaudit": "spec/1",
    "title": "batches",
    "workload": {"name": "mlp"},
    "arms": {"small": {"options": {"global_batch": 32}}, "large": {"options": {"global_batch": 128}}},
    "throughput": {"warmup": 5, "iterations": 30, "trials": 1},
    "controls": {"threads": 1},
    "claims": {"purpose": "method_speedup", "baseline": "small"},
}


@pytest.fixture(scope="session")
def two_batches(tmp_path_factory):
    """The folder of a study of two batch sizes, measured by `dlaudit run`; do not change it."""
    folder = tmp_path_factory.mktemp("two-batches")
    (folder / "spec.json").write_text(json.dumps(TWO_BATCHES))
    environment = {**os.environ, "HOME": str(folder), "XDG_STATE_HOME": str(folder / "state")}
    done = dlaudit(["run", "spec.json", "--unsigned", "--out", "study"], folder, environment)
    assert done.returncode == 0, done.stderr
    return folder / "study"
