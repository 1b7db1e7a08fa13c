"""Studies through sbatch on a real Slurm of two nodes: what becomes of jobs is recorded, and nothing is left out."""

import json
import signal
import subprocess
import sys
import time

import pytest

from .conftest import (
    DLAUDIT,
    PROGRAMS,
    ended,
    environment_of,
    launching,
    steps_begun,
    trial_of,
    wait_for,
    written,
)

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
NAPS = [sys.executable, str(PROGRAMS / "naps.py")]
SPEC = {
    "launcher": {"kind": "slurm", "ranks": 2, "nodes": 2},
    "workload": {"command": [*NAPS, "20"]},
    "telemetry": True,
}
LONG = {"throughput": {"warmup": 2, "iterations": 600, "trials": 1}}


@pytest.fixture
def study(slurm, tmp_path):
    """Start `dlaudit run`; `spec` is laid over the usual one."""
    with launching(tmp_path, SPEC, SLURM_CONF=str(slurm.conf)) as start:
        yield start
    slurm.run("scancel", "--user=root")
    slurm.wait_idle()


def test_a_trial_over_two_nodes_is_recorded_rank_by_rank_and_node_by_node(study, tmp_path):
    found = ended(study(), tmp_path)
    assert found.code == 0, found.printed
    trial = trial_of(found)
    assert {one["host"] for one in trial["ranks"]} == {"n1", "n2"}
    assert [one["host"] for one in trial["nodes"]] == ["n1", "n2"]
    assert [(one["scheduler"], one["state"]) for one in trial["jobs"]] == [("slurm", "COMPLETED")]
    assert all((found.out / one[key]).exists() for one in trial["nodes"] for key in ("environment", "record"))
    assert found.predicate["systems"]["nodes-2"]["nodes"] == 2
    assert trial["controls"]["other_load"]["verified"] == "not_requested"
    subjects = {one["name"] for one in json.loads((found.out / "manifest.json").read_bytes())["subject"]}
    assert {"trials/base-t1.node-1.json", "trials/base-t1.rank-1.events.jsonl", "environment/node-n2.json"} <= subjects


def test_a_failing_rank_fails_the_trial_and_is_named_with_its_node(study, tmp_path):
    found = ended(study(workload={"command": [*NAPS, "5", "fail"]}), tmp_path)
    trial = trial_of(found)
    assert (found.code, trial["outcome"], trial["attempts"]) == (3, "failed", 1)
    (host,) = [one["host"] for one in trial["ranks"] if one["rank"] == 1]
    assert trial["reason"].startswith(f"UserError: rank 1 on {host}: ")


def test_a_cancelled_job_is_a_lost_attempt_that_is_repeated(study, slurm, tmp_path):
    process = study(**LONG)
    steps_begun(tmp_path)
    slurm.run("scancel", *slurm.jobs())
    found = ended(process, tmp_path)
    trial = trial_of(found)
    assert (found.code, trial["outcome"], trial["attempts"]) == (0, "completed", 2), found.printed
    assert [one["state"] for one in trial["jobs"]] == ["CANCELLED", "COMPLETED"]
    assert "its job was cancelled" in (tmp_path / "out/trials/base-t1.record.json").read_text()


def test_a_node_that_dies_loses_the_attempt_and_the_trial_is_repeated(study, slurm, tmp_path):
    process = study(**LONG)
    steps_begun(tmp_path)
    slurm.kill_node("n2")
    wait_for((tmp_path / "out/trials/base-t1.record.json").exists, tmp_path)
    slurm.start_node("n2")
    found = ended(process, tmp_path)
    trial = trial_of(found)
    assert (found.code, trial["outcome"], trial["attempts"]) == (0, "completed", 2), found.printed
    assert [one["state"] for one in trial["jobs"]] == ["NODE_FAIL", "COMPLETED"]


def test_a_controller_that_is_killed_finds_its_job_again(study, slurm, tmp_path):
    process = study(**LONG)
    steps_begun(tmp_path)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert slurm.jobs()
    found = ended(study("--resume", **LONG), tmp_path)
    trial = trial_of(found)
    assert (found.code, trial["outcome"], trial["attempts"]) == (0, "completed", 1), found.printed
    assert len(trial["jobs"]) == 1


def test_an_interrupted_controller_cancels_its_job(study, slurm, tmp_path):
    process = study(**LONG)
    steps_begun(tmp_path)
    process.send_signal(signal.SIGTERM)
    found = ended(process, tmp_path)
    assert (found.code, trial_of(found)["outcome"], slurm.jobs()) == (130, "lost", [])


def test_a_job_that_slurm_starts_again_is_a_further_attempt(study, slurm, tmp_path):
    launcher = {**SPEC["launcher"], "slurm": {"requeue": True}}
    process = study(launcher=launcher, **LONG)
    steps_begun(tmp_path)
    (job,) = slurm.jobs()
    slurm.run("scontrol", "requeue", job)
    time.sleep(1)
    slurm.run("scontrol", "update", f"jobid={job}", "starttime=now")  # else it waits for two minutes
    found = ended(process, tmp_path)
    trial = trial_of(found)
    assert (found.code, trial["outcome"], trial["attempts"]) == (0, "completed", 2), found.printed
    records = [json.loads((tmp_path / f"out/trials/base-t1{n}.record.json").read_text()) for n in ("", ".again-2")]
    assert [(one["outcome"], one.get("taken", False)) for one in records] == [("lost", True), ("completed", False)]


def test_independent_trials_run_at_the_same_time_as_an_array(study, tmp_path):
    launcher = {"kind": "slurm", "ranks": 1, "slurm": {"array": 2}}
    found = ended(study(launcher=launcher, throughput={"warmup": 2, "iterations": 20, "trials": 2}), tmp_path)
    assert found.code == 0, found.printed
    trials = found.arms["base"]["trials"].values()
    assert [one["outcome"] for one in trials] == ["completed"] * 2
    assert {one["jobs"][0]["id"].partition("_")[2] for one in trials} == {"0", "1"}


@pytest.mark.parametrize(
    ("asked", "told"),
    [({"partition": "none"}, "invalid partition"), ({"time_limit_min": 100_000}, "PartitionTimeLimit")],
)
def test_what_slurm_never_starts_is_one_clear_error(study, tmp_path, asked, told):
    found = ended(study(launcher={**SPEC["launcher"], "slurm": asked}), tmp_path)
    assert (found.code, told in found.printed) == (2, True), found.printed
    assert "Traceback" not in found.printed


def test_without_slurm_it_is_said_where_to_start(tmp_path):
    arguments = written(tmp_path, **SPEC)
    folder = tmp_path / "bin"
    folder.mkdir()
    done = subprocess.run(
        [DLAUDIT, *arguments],
        cwd=tmp_path,
        env=environment_of(tmp_path, PATH=str(folder)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, "login node" in done.stderr) == (2, True)
