"""Loops of real libraries on a small real model, measured through each adapter beside a stopwatch of its own."""

import importlib.util
import json
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from statistics import median

import pytest
from support.forks import Forks

PROGRAMS = Path(__file__).parent / "programs"
DLAUDIT = str(Path(sys.executable).parent / "dlaudit")
WARMUP, ITERATIONS, MICRO = 3, 16, 4
NAP_S, EVALUATION_S = 0.02, 0.2
NEEDS = {
    "plain": ("torch", "torch._dynamo"),
    "accelerated": ("accelerate", "torch._dynamo"),
    "trainer": ("transformers.trainer", "torch._dynamo"),
    "lit": ("lightning", "torch._dynamo"),
}
LIBRARIES = [
    pytest.param(
        name,
        marks=[
            pytest.mark.skipif(
                importlib.util.find_spec(needs[0].partition(".")[0]) is None, reason=f"{needs[0]} is not installed"
            ),
            *([pytest.mark.slow] if name != "plain" else []),
        ],
    )
    for name, needs in NEEDS.items()
]


@pytest.fixture(scope="module", params=LIBRARIES)
def library(request):
    """The name of a program, and a process that has loaded what it imports."""
    forks = Forks(*NEEDS[request.param], environment=os.environ | {"PYTHONPATH": str(PROGRAMS)})
    yield request.param, forks
    forks.end()


def measured(folder, library, accumulate, variables=(), **plan):
    """Run a program as a trial does; return what it told, and when its optimizer's steps ended."""
    name, forks = library
    request = {"kind": next(iter(plan)), "options": {}, "seed": 1, "device": "cpu", **plan}
    environment = os.environ | {
        "DLAUDIT_REQUEST": json.dumps(request),
        "STOPWATCH": str(folder / "stopwatch.json"),
        "PYTHONPATH": str(PROGRAMS),
        **dict(variables),
    }
    arguments = [str(PROGRAMS / f"{name}.py"), str(accumulate), str(folder / "out")]
    done = forks.run(arguments, folder, environment)
    assert done.returncode == 0, done.stderr[-2000:]
    lines = done.stdout.splitlines()
    told = [json.loads(line) for line in lines if line.startswith('{"event"')]
    return told, json.loads((folder / "stopwatch.json").read_bytes())


def only(told, event):
    (found,) = [one for one in told if one["event"] == event]
    return found


def watched(ends):
    """Return the times of the planned steps by the stopwatch."""
    return [later - sooner for sooner, later in pairwise(ends)][WARMUP - 1 :]


@pytest.mark.alone
def test_an_adapter_agrees_with_the_stopwatch_within_one_percent(tmp_path, library):
    told, ends = measured(tmp_path, library, 2, throughput={"warmup": WARMUP, "iterations": 32})
    assert sum(only(told, "iterations")["step_time_s"]) == pytest.approx(sum(watched(ends)), rel=0.01)


def test_an_adapter_sees_the_steps_that_the_stopwatch_sees(tmp_path, library):
    told, ends = measured(tmp_path, library, 2, throughput={"warmup": WARMUP, "iterations": ITERATIONS})
    steps = only(told, "iterations")["step_time_s"]
    assert len(ends) == WARMUP + ITERATIONS  # the program makes as many steps as are planned, and no micro-batch is one
    off = [step - seen for step, seen in zip(steps, watched(ends), strict=True)]
    assert abs(median(off)) < NAP_S / 4
    assert min(steps) >= NAP_S
    options = only(told, "options")
    assert options["work_per_iteration"] == 2 * MICRO
    if library[0] != "plain":  # the libraries end an epoch of five micro-batches with a step of one
        assert set(only(told, "iterations")["work"]) == {MICRO, 2 * MICRO}
    assert options["effective"]["optimizer"] == "sgd"
    assert options["observed"]["precision"]["compute"] == "fp32"


def test_loader_and_checkpointing_are_options(tmp_path, library):
    loader = {"num_workers": 1, "prefetch_factor": 3, "persistent_workers": True}
    variables = {"LOADER": json.dumps(loader), "CHECKPOINTS": "1"}
    told, _ = measured(tmp_path, library, 1, variables, throughput={"warmup": 0, "iterations": 6})
    found = only(told, "options")
    options = found["effective"]
    assert (options["loader_workers"], options["loader_prefetch"], options["loader_pinned"]) == (1, 3, False)
    assert options["extra"] == {"persistent_workers": True}
    assert options["activation_checkpointing"] is True
    assert found["observed"]["activation_checkpointing"] is True
    assert options["data_parallel"] == 1
    if library[0] != "plain":  # a loop of one's own keeps its scaler to itself
        assert options["loss_scaling"] == "none"


def test_evaluations_of_a_library_are_timed_apart(tmp_path, library):
    plan = {
        "convergence": {
            "evaluate_every_samples": 16,
            "max_samples": 60,
            "target": {"metric": "loss", "value": 0.0, "direction": "lower"},
            "stop_at_target": True,
        }
    }
    told, _ = measured(tmp_path, library, 1, **plan)
    evaluations = [one for one in told if one["event"] == "evaluation"]
    times = [step for one in told if one["event"] == "iterations" for step in one["step_time_s"]]
    assert len(evaluations) >= 3
    assert all(one["evaluation_s"] >= EVALUATION_S and one["examples"] == 8 for one in evaluations)
    assert [one["samples"] for one in evaluations] == [4 * one["step"] for one in evaluations]
    assert evaluations[-1]["samples"] >= 60
    assert sum(times[: evaluations[-1]["step"]]) == pytest.approx(evaluations[-1]["time_s"])
    assert min(times[one["step"]] for one in evaluations[:-1]) < EVALUATION_S  # none is in the step after it


BATCHES = """
class Batch:
    shape = (4, 8)
"""
LOOP = """
import sys
import time

import dlaudit
from batches import Batch

with dlaudit.study(options={"model": "naps"}, accumulate=int(sys.argv[1])) as m:
    for _ in m.steps(Batch() for _ in range(1000)):
        time.sleep(0.01)
"""


def test_a_program_is_measured_without_a_spec(tmp_path):
    (tmp_path / "loop.py").write_text(LOOP)
    (tmp_path / "batches.py").write_text(BATCHES)
    environment = os.environ | {"HOME": str(tmp_path), "XDG_STATE_HOME": f"{tmp_path}/s"}
    options = ("--unsigned", "--trials", "2", "--warmup", "1", "--iterations", "6")
    command = [DLAUDIT, "run", *options, "--", sys.executable, "loop.py", "2"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=500)
    assert done.returncode == 0, done.stderr
    assert "2 of 2 throughput trials completed" in done.stdout
    spec = (tmp_path / "loop-study/spec.yaml").read_text()
    assert f'workload: {{command: ["{sys.executable}", "loop.py", "2"]}}' in spec
    arm = json.loads((tmp_path / "loop-study/manifest.json").read_bytes())["predicate"]["arms"]["base"]
    assert arm["workload"]["files"].keys() == {"loop.py", "batches.py"}
    assert arm["options"]["global_batch"] == 8
    again = subprocess.run(
        [DLAUDIT, "run", "loop-study/spec.yaml", "--dry-run"], cwd=tmp_path, env=environment, capture_output=True
    )
    assert again.returncode == 0
