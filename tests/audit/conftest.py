"""A study that several tests read."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

TWO_BATCHES = {
    "dlaudit": "spec/1",
    "title": "batches",
    "workload": {"name": "mlp"},
    "arms": {"small": {"options": {"global_batch": 32}}, "large": {"options": {"global_batch": 128}}},
    "throughput": {"warmup": 5, "iterations": 30, "trials": 2},
    "controls": {"threads": 1},
    "claims": {"purpose": "method_speedup", "baseline": "small"},
}


@pytest.fixture(scope="session")
def two_batches(tmp_path_factory):
    """The folder of a study of two batch sizes, measured by `dlaudit run`; do not change it."""
    folder = tmp_path_factory.mktemp("two-batches")
    (folder / "spec.json").write_text(json.dumps(TWO_BATCHES))
    environment = {**os.environ, "HOME": str(folder), "XDG_STATE_HOME": str(folder / "state")}
    command = [Path(sys.executable).with_name("dlaudit"), "run", "spec.json", "--unsigned", "--out", "study"]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stderr
    return folder / "study"
