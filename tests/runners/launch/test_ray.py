"""Studies on a real Ray cluster of two nodes: what becomes of actors is recorded, and nothing is left out."""

import json
import signal
import subprocess
import sys

import pytest

from .conftest import (
    DLAUDIT,
    PROGRAMS,
    WAIT_S,
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
    "launcher": {"kind": "ray", "ranks": 2, "nodes": 2},
    "workload": {"command": [*NAPS, "20"]},
    "telemetry": True,
}
LONG = {"throughput": {"warmup": 2, "iterations": 600, "trials": 1}}


@pytest.fixture
def study(ray_cluster, tmp_path):
    """Start `dlaudit run`; `spec` is laid over the usual one."""
    with launching(tmp_path, SPEC, RAY_ADDRESS=ray_cluster.address) as start:
        yield start


def test_a_trial_over_two_nodes_is_recorded_rank_by_rank_and_node_by_node(study, tmp_path):
    found = ended(study(), tmp_path)
    assert found.code == 0, found.printed
    trial = trial_of(found)
    assert {one["host"] for one in trial["ranks"]} == {"n1", "n2"}
    assert {one["host"] for one in trial["nodes"]} == {"n1", "n2"}
    assert [(one["scheduler"], one["state"]) for one in trial["jobs"]] == [("ray", "SUCCEEDED")]
    assert all((found.out / one[key]).exists() for one in trial["nodes"] for key in ("environment", "record"))
    assert found.predicate["systems"]["nodes-2"]["nodes"] == 2
    assert trial["controls"]["other_load"]["verified"] == "not_requested"
    subjects = {one["name"] for one in json.loads((found.out / "manifest.json").read_bytes())["subject"]}
    assert {"trials/base-t1.node-1.json", "trials/base-t1.rank-1.events.jsonl", "environment/node-n2.json"} <= subjects


def test_a_failing_rank_fails_the_trial_and_is_named_with_its_node(study, tmp_path):
    found = ended(study(workload={"command": [*NAPS, "5", "fail"]}), tmp_path)
    trial = trial_of(found)
    assert (found.code, trial["outcome"], trial["attempts"]) == (3, "failed", 1), found.printed
    (host,) = [one["host"] for one in trial["ranks"] if one["rank"] == 1]
    assert trial["reason"].startswith(f"UserError: rank 1 on {host}: ")
    assert [one["state"] for one in trial["jobs"]] == ["FAILED"]


def test_a_node_that_dies_loses_the_attempt_and_the_trial_is_repeated(study, ray_cluster, tmp_path):
    process = study(**LONG)
    steps_begun(tmp_path)
    ray_cluster.kill_node("n2")
    wait_for((tmp_path / "out/trials/base-t1.record.json").exists, tmp_path)
    ray_cluster.start_node("n2")
    found = ended(process, tmp_path)
    trial = trial_of(found)
    assert (found.code, trial["outcome"], trial["attempts"]) == (0, "completed", 2), found.printed
    assert [one["state"] for one in trial["jobs"]] == ["LOST", "SUCCEEDED"]
    assert "a node or an actor of its Ray job died" in (tmp_path / "out/trials/base-t1.record.json").read_text()


def test_a_controller_that_is_killed_finds_its_actors_again(study, tmp_path):
    process = study(**LONG)
    steps_begun(tmp_path)
    process.send_signal(signal.SIGKILL)
    process.wait()
    found = ended(study("--resume", **LONG), tmp_path)
    trial = trial_of(found)
    assert (found.code, trial["outcome"], trial["attempts"]) == (0, "completed", 1), found.printed
    assert len(trial["jobs"]) == 1


def test_an_interrupted_controller_ends_its_ranks_and_gives_the_nodes_back(study, tmp_path):
    process = study(**LONG)
    steps_begun(tmp_path)
    process.send_signal(signal.SIGTERM)
    found = ended(process, tmp_path)
    assert (found.code, trial_of(found)["outcome"]) == (130, "lost"), found.printed
    again = ended(study("--resume", **LONG), tmp_path)  # on both nodes, which were full
    assert (again.code, trial_of(again)["outcome"]) == (0, "completed"), again.printed


def test_what_no_node_can_hold_is_one_clear_error(study, tmp_path):
    found = ended(study(launcher={**SPEC["launcher"], "ray": {"cpus_per_rank": 64}}), tmp_path)
    assert (found.code, "the Ray cluster has not 2 nodes with 64 CPU each" in found.printed) == (2, True), found.printed
    assert "Traceback" not in found.printed


def test_without_a_cluster_it_is_said_where_to_start(tmp_path):
    pytest.importorskip("ray")
    done = subprocess.run(
        [DLAUDIT, *written(tmp_path, **SPEC)],
        cwd=tmp_path,
        env=environment_of(tmp_path, RAY_ADDRESS="127.0.0.1:1"),
        capture_output=True,
        text=True,
        timeout=WAIT_S,
        check=False,
    )
    assert (done.returncode, "no Ray cluster answers" in done.stderr) == (2, True), done.stderr
    assert "Traceback" not in done.stderr
