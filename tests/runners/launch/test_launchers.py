"""Trials of several ranks by `local` and `torchrun`: every rank is recorded, and a step lasts as its slowest does."""

import importlib.util
import json
import sys

import pytest

from .conftest import PROGRAMS

NAPS = [sys.executable, str(PROGRAMS / "naps.py")]
needs_torch = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed")


def only_trial(found, arm="base"):
    (trial,) = found.arms[arm]["trials"].values()
    return trial


def columns(found, trial="base-t1"):
    return json.loads((found.out / f"trials/{trial}.samples.json").read_bytes())["columns"]


def test_a_step_takes_as_long_as_its_slowest_rank(study):
    found = study(launcher={"ranks": 3}, workload={"command": [*NAPS, "5,5,150"]})
    assert found.code == 0, found.printed
    assert min(columns(found)["step_time_s"]) >= 0.15
    measurement, ranks = found.arms["base"]["measurement"], only_trial(found)["ranks"]
    assert measurement["rank_aggregation"] == "maximum over ranks, per iteration"
    assert measurement["rank_spread"]["stragglers"] == [2]
    assert measurement["rank_spread"]["slowest_share"][2] == 1
    assert measurement["rank_spread"]["imbalance"] > 1.2
    assert [one["rank"] for one in ranks] == [0, 1, 2]
    assert float(ranks[0]["step_time_s"]) < 0.15 <= float(ranks[2]["step_time_s"])
    assert all(abs(one["clock"]["offset_s"]) < 1 for one in ranks)
    assert found.arms["base"]["devices"] == 3
    assert all((found.out / one["file"]).exists() for one in ranks)


def test_the_rank_that_fails_is_named(study):
    found = study(launcher={"ranks": 2}, workload={"command": [*NAPS, "5", "fail"]})
    trial = only_trial(found)
    assert (found.code, trial["outcome"], trial["attempts"]) == (3, "failed", 1)
    assert trial["reason"].startswith("UserError: rank 1 on ")
    assert "exit code 1" in trial["reason"]


def test_a_rank_that_vanishes_loses_the_trial_which_is_repeated_once(study):
    found = study(launcher={"ranks": 2}, workload={"command": [*NAPS, "5", "die"]})
    trial = only_trial(found)
    assert (found.code, trial["outcome"], trial["attempts"]) == (3, "lost", 2)


def test_ranks_that_do_not_share_their_work_are_refused(study):
    found = study(launcher={"ranks": 2}, workload={"command": [sys.executable, "-c", ALONE]})
    assert "started with 2 ranks, and its options say that 1" in only_trial(found)["reason"]


ALONE = (
    "import json; print(json.dumps({'event': 'options', 'effective': {'model': 'm'}, 'work_per_iteration': 1, "
    "'work_unit': 'samples'}))"
)


@pytest.mark.parametrize(
    ("launcher", "told"),
    [
        ({"ranks": 3, "nodes": 2}, "3 ranks do not spread evenly over 2 nodes"),
        ({"kind": "torchrun", "ranks": 2, "nodes": 2}, "the launcher torchrun reaches no second node"),
    ],
)
def test_sizes_that_cannot_be_are_one_clear_error(study, launcher, told):
    found = study(launcher=launcher, workload={"command": [*NAPS, "5"]})
    assert (found.code, told in found.printed) == (2, True)
    assert "Traceback" not in found.printed


@pytest.mark.slow
@needs_torch
@pytest.mark.parametrize("ranks", [2, pytest.param(4, marks=pytest.mark.alone)])
def test_torchrun_starts_an_entry_on_several_ranks(study, ranks):
    found = study(launcher={"kind": "torchrun", "ranks": ranks}, workload={"entry": "shared_entry:Shared"})
    assert found.code == 0, found.printed
    trial = only_trial(found)
    assert [one["rank"] for one in trial["ranks"]] == list(range(ranks))
    assert found.arms["base"]["options"]["data_parallel"] == ranks
    assert found.arms["base"]["observed"]["global_batch"] == 8 * ranks
    assert {one["variables"]["OMP_NUM_THREADS"] for one in trial["ranks"]} == {"1"}


@pytest.mark.slow
@needs_torch
def test_torchrun_starts_a_command_on_two_ranks(study):
    command = [sys.executable, str(PROGRAMS / "trained.py")]
    found = study(launcher={"kind": "torchrun", "ranks": 2}, workload={"command": command})
    assert found.code == 0, found.printed
    assert [one["outcome"] for one in only_trial(found)["ranks"]] == ["completed"] * 2
    assert found.arms["base"]["options"]["global_batch"] == 16


@pytest.mark.slow
@needs_torch
@pytest.mark.skipif(importlib.util.find_spec("accelerate") is None, reason="accelerate is not installed")
def test_ranks_that_a_command_starts_itself_are_all_recorded(study):
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2"]
    found = study(workload={"command": [*torchrun, str(PROGRAMS / "accelerated.py")]})
    assert found.code == 0, found.printed
    ranks = only_trial(found)["ranks"]
    assert [one["rank"] for one in ranks] == [0, 1]
    assert all("step_time_s" in one for one in ranks)
    assert found.arms["base"]["measurement"]["rank_aggregation"] == "maximum over ranks, per iteration"
    assert not (found.out / "trials/base-t1.events.jsonl.ranks").exists()
