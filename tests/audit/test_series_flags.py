"""Flags of raw times, from a manifest to the closing lines of `dlaudit run` and to the page of `dlaudit report`."""

import json
import os
import sys

import pytest
from dlaudit.schemas.validation import validate
from support.forks import dlaudit

PROGRAM = """
import json, os, random, sys

request = json.loads(os.environ["DLAUDIT_REQUEST"])
source, slope = random.Random(request["seed"]), float(sys.argv[1])


def tell(event, **fields):
    print(json.dumps({"event": event, **fields}), flush=True)


def times(count):
    return [1e-4 * (1 + slope * index / count) * (1 + 0.004 * source.gauss(0, 1)) for index in range(count)]


tell("options", effective={"model": "stated", "global_batch": 8, **request["options"]}, work_per_iteration=8,
     work_unit="samples", samples_per_iteration=8)
plan = request["throughput"]
tell("warmup", step_time_s=times(plan["warmup"]))
tell("iterations", step_time_s=times(plan["iterations"]))
"""


def call(folder, *arguments):
    environment = {**os.environ, "HOME": str(folder), "XDG_CONFIG_HOME": f"{folder}/c", "XDG_STATE_HOME": f"{folder}/s"}
    return dlaudit(arguments, folder, environment)


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    folder = tmp_path_factory.mktemp("study")
    (folder / "program.py").write_text(PROGRAM)
    command = [sys.executable, "-S", "-E", str(folder / "program.py")]
    arms = {
        "level": {"workload": {"command": [*command, "0"]}, "options": {"compile": False}},
        "bent": {"workload": {"command": [*command, "0.08"]}, "options": {"compile": True}},
    }
    throughput = {"warmup": 2, "iterations": 100, "trials": 5}
    spec = {"dlaudit": "spec/1", "title": "stated times", "workload": arms["level"]["workload"], "arms": arms}
    (folder / "spec.json").write_text(json.dumps({**spec, "throughput": throughput}))
    return folder, call(folder, "run", "spec.json", "--out", "out", "--unsigned")


def test_the_manifest_holds_what_each_trial_and_each_arm_show(study):
    folder, answer = study
    assert answer.returncode == 0, answer.stderr
    manifest = json.loads((folder / "out/manifest.json").read_bytes())
    assert validate("manifest", manifest) == ()
    arms = manifest["predicate"]["arms"]
    assert arms["level"]["analysis"]["flags"] == []
    assert "drift" in arms["bent"]["analysis"]["flags"]
    assert arms["bent"]["analysis"]["flagged"]["drift"] == 5
    for trial in arms["bent"]["trials"].values():
        assert trial["analysis"]["drift"] == pytest.approx(0.08 * 0.9 / 1.04, rel=0.1)
        assert trial["analysis"]["values"] == 100  # nothing was discarded
        assert trial["samples_file"]["rows"] == 100


def test_a_run_closes_with_the_flags_that_were_raised_and_with_no_others(study):
    lines = [line for line in study[1].stdout.splitlines() if "flagged" in line]
    assert len(lines) == 1
    assert lines[0].startswith("bent: flagged, nothing discarded: ")
    assert "5 of 5 trials drift, by up to +" in lines[0]


def test_a_report_shows_the_flags_and_the_trials_that_have_them(study):
    folder, _ = study
    answer = call(folder, "report", "out", "--out", "page.html")
    assert answer.returncode == 0, answer.stderr
    page = (folder / "page.html").read_text()
    assert "5 of 5 trials drift" in page
    assert "<td>autocorrelated, drift</td>" in page or "<td>drift</td>" in page
    assert "level: " not in page.split("Flags that the study itself records")[1].split("</ul>")[0]
