"""Loops of real libraries on a small real model, measured through each adapter beside a stopwatch of its own."""

import importlib.util
import json
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

PROGRAMS = Path(__file__).parent / "programs"
DLAUDIT = str(Path(sys.executable).parent / "dlaudit")
WARMUP, ITERATIONS, MICRO = 3, 32, 4
NAP_S = 0.02
NEEDS = {"plain": "torch", "accelerated": "accelerate", "trainer": "transformers", "lit": "lightning"}
LIBRARIES = [
    pytest.param(
        name,
        marks=[
            pytest.mark.skipif(importlib.util.find_spec(library) is None, reason=f"{library} is not installed"),
            *([pytest.mark.slow] if name != "plain" else []),
        ],
    )
    for name, library in NEEDS.items()
]


def measured(folder, name, accumulate, **plan):
    """Run a program as a trial does; return what it told, and when its optimizer's steps ended."""
    request = {"kind": next(iter(plan)), "options": {}, "seed": 1, "device": "cpu", **plan}
    environment = os.environ | {
        "DLAUDIT_REQUEST": json.dumps(request),
        "STOPWATCH": str(folder / "stopwatch.json"),
        "PYTHONPATH": str(PROGRAMS),
    }
    done = subprocess.run(
        [sys.executable, str(PROGRAMS / f"{name}.py"), str(accumulate), str(folder / "out")],
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    told = [json.loads(line) for line in done.stdout.splitlines() if line.startswith('{"event"')]
    return told, json.loads((folder / "stopwatch.json").read_bytes())


def only(told, event):
    (found,) = [one for one in told if one["event"] == event]
    return found


@pytest.mark.parametrize("name", LIBRARIES)
def test_an_adapter_agrees_with_the_stopwatch_within_one_percent(tmp_path, name):
    plan = {"throughput": {"warmup": WARMUP, "iterations": ITERATIONS}}
    told, ends = measured(tmp_path, name, 2, **plan)
    steps = only(told, "iterations")["step_time_s"]
    assert len(ends) == WARMUP + ITERATIONS  # the program makes as many steps as are planned, and no micro-batch is one
    watched = [later - sooner for sooner, later in pairwise(ends)][WARMUP - 1 :]
    assert sum(steps) == pytest.approx(sum(watched), rel=0.01)
    assert min(steps) >= NAP_S
    options = only(told, "options")
    assert options["work_per_iteration"] == 2 * MICRO
    if name != "plain":  # the libraries end an epoch of five micro-batches with a step of one
        assert set(only(told, "iterations")["work"]) == {MICRO, 2 * MICRO}
    assert options["effective"]["optimizer"] == "sgd"
    assert options["observed"]["precision"]["compute"] == "fp32"


@pytest.mark.parametrize("name", LIBRARIES)
def test_evaluations_of_a_library_are_timed_apart(tmp_path, name):
    plan = {
        "convergence": {
            "evaluate_every_samples": 16,
            "max_samples": 60,
            "target": {"metric": "loss", "value": 0.0, "direction": "lower"},
            "stop_at_target": True,
        }
    }
    told, _ = measured(tmp_path, name, 1, **plan)
    evaluations = [one for one in told if one["event"] == "evaluation"]
    times = [step for one in told if one["event"] == "iterations" for step in one["step_time_s"]]
    assert len(evaluations) >= 3
    assert all(one["evaluation_s"] >= 2 * NAP_S and one["examples"] == 8 for one in evaluations)
    assert [one["samples"] for one in evaluations] == [4 * one["step"] for one in evaluations]
    assert evaluations[-1]["samples"] >= 60
    assert sum(times[: evaluations[-1]["step"]]) == pytest.approx(evaluations[-1]["time_s"])
    assert sorted(times)[len(times) // 2] < 2 * NAP_S  # no evaluation is in it


def test_a_program_is_measured_without_a_spec(tmp_path):
    pytest.importorskip("torch")
    for name in ("plain.py", "small.py"):
        (tmp_path / name).write_text((PROGRAMS / name).read_text())
    environment = os.environ | {"HOME": str(tmp_path), "XDG_STATE_HOME": f"{tmp_path}/s", "STOPWATCH": "/dev/null"}
    options = ("--unsigned", "--trials", "2", "--warmup", "1", "--iterations", "6")
    command = [DLAUDIT, "run", *options, "--", sys.executable, "plain.py", "2"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stderr
    assert "2 of 2 throughput trials completed" in done.stdout
    spec = (tmp_path / "plain-study/spec.yaml").read_text()
    assert f'workload: {{command: ["{sys.executable}", "plain.py", "2"]}}' in spec
    arm = json.loads((tmp_path / "plain-study/manifest.json").read_bytes())["predicate"]["arms"]["base"]
    assert arm["workload"]["files"].keys() == {"plain.py", "small.py"}
    assert arm["options"]["global_batch"] == 8
    again = subprocess.run(
        [DLAUDIT, "run", "plain-study/spec.yaml", "--dry-run"], cwd=tmp_path, env=environment, capture_output=True
    )
    assert again.returncode == 0
