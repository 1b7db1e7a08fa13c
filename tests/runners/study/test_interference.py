"""Competing load as an arm: a neighbour takes a stated share of the processors, and the record says so."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from dlaudit.runners.trial import neighbour
from support.forks import program

PROGRAMS = Path(__file__).parents[1] / "programs"
SHARE = 0.4
WAIT_S = 500

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs sched_setaffinity")


def used_s():
    """Return the processor time of the neighbours of this process that are running."""
    line = ["ps", "-e", "-ww", "-o", "pid=,ppid=,cputimes=,args="]
    found = subprocess.run(line, capture_output=True, text=True, check=True).stdout.splitlines()
    rows = [tuple(map(int, words[:3])) for words in map(str.split, found) if neighbour.__name__ in words]
    first = {pid for pid, parent, _ in rows if parent == os.getpid()}
    return sum(spent for pid, parent, spent in rows if {pid, parent} & first)


def test_a_neighbour_takes_processors_and_leaves_with_the_trial():
    with neighbour.taking(0.9):
        given_up = time.monotonic() + WAIT_S
        while used_s() < 1:
            assert time.monotonic() < given_up
            time.sleep(0.1)
    assert used_s() == 0
    with neighbour.taking(0.0):
        assert used_s() == 0


def test_the_share_is_an_option_of_the_arm_for_any_program(tmp_path):
    spec = {
        "dlaudit": "spec/1",
        "title": "t",
        "workload": {"command": [sys.executable, str(PROGRAMS / "tiny_program.py")]},
        "arms": {"alone": {}, "beside": {"interference": SHARE}},
        "throughput": {"warmup": 1, "iterations": 3, "trials": 1},
        "telemetry": False,
    }
    (tmp_path / "spec.json").write_text(json.dumps(spec))
    done = program([PROGRAMS / "measure.py", "run", "spec.json", "--unsigned", "--out", "out"], tmp_path)
    assert done.returncode == 0, done.stderr
    arms = json.loads((tmp_path / "out" / "manifest.json").read_text())["predicate"]["arms"]
    told = {name: arm["options"].get("extra", {}).get("interference") for name, arm in arms.items()}
    assert told == {"alone": None, "beside": SHARE}
    assert [one["outcome"] for arm in arms.values() for one in arm["trials"].values()] == ["completed"] * 2


@pytest.mark.parametrize("share", [0, 1.0, -0.1, "much"])
def test_a_share_that_is_none_is_refused(tmp_path, share):
    spec = {
        "dlaudit": "spec/1",
        "title": "t",
        "workload": {"name": "mlp"},
        "arms": {"a": {"interference": share}},
        "throughput": {"iterations": 3},
    }
    (tmp_path / "spec.json").write_text(json.dumps(spec))
    done = program([PROGRAMS / "measure.py", "run", "spec.json", "--dry-run"], tmp_path)
    assert done.returncode == 2
    assert "/arms/a/interference" in done.stderr
