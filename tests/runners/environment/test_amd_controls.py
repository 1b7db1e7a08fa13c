"""Knobs of AMD GPUs through `dlaudit run`. The library is a Python module of ours in the place of amdsmi."""

import json
import os
import sys
from pathlib import Path

import pytest
from dlaudit.schemas.validation import validate
from support.forks import dlaudit

FAKE = Path(__file__).resolve().parents[2] / "fakes" / "amdsmi"
PROGRAM = """
import json, os, time
plan = json.loads(os.environ["DLAUDIT_REQUEST"])["throughput"]
options = {"event": "options", "effective": {"model": "pause"}, "work_per_iteration": 1, "work_unit": "samples"}
print(json.dumps(options))
time.sleep(0.4)
print(json.dumps({"event": "iterations", "step_time_s": [0.01] * plan["iterations"]}))
"""


def run(folder, controls, **variables):
    spec = {
        "dlaudit": "spec/1",
        "title": "a pause",
        "workload": {"command": [sys.executable, "-S", "-E", "-c", PROGRAM]},
        "throughput": {"warmup": 0, "iterations": 2, "trials": 1},
        "controls": controls,
    }
    assert validate("spec", spec) == ()
    (folder / "spec.json").write_text(json.dumps(spec))
    environment = {
        **os.environ,
        "HOME": str(folder),
        "XDG_STATE_HOME": str(folder / "state"),
        "DLAUDIT_LOCKS": str(folder),
        "PYTHONPATH": str(FAKE),
        "FAKE_AMDSMI_STATE": str(folder / "gpus"),
        **variables,
    }
    done = dlaudit(["run", "spec.json", "--unsigned", "--out", "out"], folder, environment)
    return done.returncode, done.stderr


def controls_of(folder):
    return json.loads((folder / "out/manifest.json").read_text())["predicate"]["arms"]["base"]["environment"][
        "controls"
    ]


def test_clock_and_power_are_limited_seen_and_put_back(tmp_path):
    code, err = run(tmp_path, {"gpus": [1], "amd_clock_limit_mhz": 1500, "amd_power_limit_w": 500})
    assert (code, err) == (0, "")
    found = controls_of(tmp_path)
    power, clock = found["amd_power_limit_w"], found["amd_clock_limit_mhz"]
    assert (power["found"], power["verified"], power["restored"]) == (500, "verified", "restored")
    assert (clock["found"], clock["verified"], clock["restored"]) == (1500, "verified", "restored")
    fresh = {"cap": 750_000_000, "level": "AMDSMI_DEV_PERF_LEVEL_AUTO", "limit": 0, "busy": 1}
    assert json.loads((tmp_path / "gpus").read_text()) == [fresh, fresh]


@pytest.mark.parametrize(
    ("variables", "controls", "words"),
    [
        ({"FAKE_AMDSMI_DENY": "1"}, {"gpus": [0]}, "run as root"),
        ({"FAKE_AMDSMI_ABSENT": "1"}, {"gpus": [0]}, "no AMD driver answers"),
        ({}, {}, "name those meant in /controls/gpus"),
        ({}, {"gpus": [2]}, "the driver has 2 AMD GPUs"),
    ],
)
def test_what_cannot_be_had_is_said_in_one_line(tmp_path, variables, controls, words):
    code, err = run(tmp_path, {**controls, "amd_power_limit_w": 500}, **variables)
    assert code == 0, err
    assert len(err.splitlines()) == 1
    assert words in err
    assert controls_of(tmp_path)["amd_power_limit_w"]["verified"] in ("not_permitted", "unverifiable")
