"""Workloads of several ranks, with real processes: their bandwidth, their gradients, and how they end."""

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
import torch
from dlaudit.runners import workloads
from dlaudit.runners.record import bandwidth
from dlaudit.runners.study.orders import Named
from dlaudit.runners.trial import events
from dlaudit.runners.workloads import mlp, parameters, streams
from dlaudit.runners.workloads.collective import bus_factor
from dlaudit.runners.workloads.interface import Request
from dlaudit.schemas.errors import UserError

pytestmark = pytest.mark.slow

SIZES = {"inputs": 8, "width": 8, "layers": 1}


def peers_of(pid):
    """Processes that a worker started as further ranks."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError, IndexError):
            continue
        if parent == pid and b"dlaudit.runners.workloads.peer" in words:
            found.append(int(entry.name))
    return found


def gone(pid):
    """Whether a process is over, waiting for it a while."""
    for _ in range(6000):
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except OSError:
            return True
        time.sleep(0.05)
    return False


def test_an_all_reduce_over_two_ranks_records_what_it_was(run_trial):
    sizes = {"message_bytes": 65536, "sweep_bytes": [4096, 262144]}
    trial = run_trial({"name": "all-reduce", **sizes}, throughput={"warmup": 2, "iterations": 20})
    assert (trial.code, trial.only(events.Ended).outcome) == (0, "completed"), trial.log
    options = trial.only(events.Options)
    found = options.operations["collective"]
    assert (found["kind"], found["backend"], found["ranks"], found["message_bytes"]) == ("all_reduce", "gloo", 2, 65536)
    assert found["bus_factor"] == 1.0
    assert [one["message_bytes"] for one in found["sweep"]] == [4096, 262144]
    for one in found["sweep"]:
        assert one["algorithm_bytes_per_s"] == pytest.approx(one["message_bytes"] / one["time_s"], rel=1e-4)
        assert one["bus_bytes_per_s"] == pytest.approx(one["algorithm_bytes_per_s"], rel=1e-4)
    assert (options.work_per_iteration, options.work_unit) == (65536, "bytes")
    assert options.effective["devices"] == 2
    assert min(trial.column("step_time_s")) > 1e-6  # two processes cannot meet in less


def test_the_bus_carries_two_times_all_but_one_share():
    assert [bus_factor("all_reduce", ranks) for ranks in (2, 4, 8)] == [1.0, 1.5, 1.75]
    collective = {"kind": "all_reduce", "bus_factor": bus_factor("all_reduce", 4), "ranks": 4}
    found = bandwidth.measured({"collective": collective}, {"rate": {"value": "1000"}})["collective"]
    assert (found["algorithm_bytes_per_s"], found["bus_bytes_per_s"]) == (1000.0, 1500.0)
    assert bandwidth.measured({"collective": collective}, {}) == {"collective": collective}
    assert bandwidth.measured({}, {"rate": {"value": "1000"}}) == {}


def test_ranks_that_share_a_batch_train_as_one_that_has_it_all(run_trial):
    trial = run_trial(
        {"name": "data-parallel", **SIZES}, options={"learning_rate": 0.5}, throughput={"warmup": 1, "iterations": 8}
    )
    assert (trial.code, trial.only(events.Ended).outcome) == (0, "completed"), trial.log
    torch.manual_seed(7)
    network = mlp.network(parameters.Mlp(**SIZES))
    optimizer = torch.optim.SGD(network.parameters(), lr=0.5)
    (inputs,) = streams.normal([(32, 8)], 7)
    classes, expected = streams.numbers((32,), 10, 7), []
    for _ in range(9):
        losses = torch.nn.functional.cross_entropy(network(inputs), classes, reduction="none")
        expected.append(float(losses[:16].mean().detach()))  # rank 0 tells of its half
        optimizer.zero_grad()
        losses.mean().backward()
        optimizer.step()
    told = [*trial.only(events.Warmup).loss, *trial.column("loss")]
    assert told == pytest.approx(expected, rel=1e-4)
    options = trial.only(events.Options)
    for key in ("data_parallel", "global_batch", "micro_batch"):
        assert options.observed[key] == options.effective[key], key


def test_the_wait_for_gradients_is_a_phase(run_trial):
    trial = run_trial({"name": "data-parallel", "width": 512}, kind="phases", throughput=None)
    assert trial.code == 0, trial.log
    found = trial.only(events.Phased)
    assert 0 < found.seconds["communication"] < found.whole_s
    assert found.seconds["backward"] > 0
    assert max(found.seconds.values()) <= found.whole_s


def test_a_rank_that_dies_ends_the_trial_with_a_clear_word(worker, tmp_path):
    order = worker.order(tmp_path, {"name": "all-reduce"}, throughput={"warmup": 0, "iterations": 10**7})
    process = subprocess.Popen(worker.command_line(order), env=worker.environment(), stderr=subprocess.DEVNULL)
    stream, (peer, *_) = tmp_path / "events.jsonl", begun(process, tmp_path / "events.jsonl")
    os.kill(peer, signal.SIGKILL)
    assert process.wait(500) == 1
    ended = events.read(stream)[-1]
    assert ended.outcome == "failed"
    assert "rank 1 ended with exit code -9" in ended.error.message


def test_no_rank_outlives_a_worker_that_is_killed(worker, tmp_path):
    order = worker.order(tmp_path, {"name": "all-reduce", "ranks": 3}, throughput={"warmup": 0, "iterations": 10**7})
    process = subprocess.Popen(worker.command_line(order), env=worker.environment(), stderr=subprocess.DEVNULL)
    peers = begun(process, tmp_path / "events.jsonl")
    assert len(peers) == 2
    process.kill()
    process.wait(500)
    assert all(gone(peer) for peer in peers)


def begun(process, stream):
    """Wait until a worker has begun its iterations, and return its further ranks."""
    for _ in range(6000):
        if stream.exists() and b'"event":"iterations"' in stream.read_bytes():
            return peers_of(process.pid)
        assert process.poll() is None
        time.sleep(0.05)
    raise AssertionError("it did not begin")


@pytest.mark.parametrize(
    ("name", "parameters", "device", "words"),
    [
        ("all-reduce", {"ranks": 1}, "cpu", "ranks of all-reduce must be at least 2"),
        ("all-reduce", {"ranks": 65}, "cpu", "must be at most 64"),
        ("all-reduce", {"message_bytes": 12}, "cpu", "multiple of 8"),
        ("all-reduce", {"sweep_bytes": [0]}, "cpu", "at least 8"),
        ("all-reduce", {"bytes": 8}, "cpu", "no parameter bytes"),
        ("data-parallel", {"ranks": 3}, "cpu", "does not divide over 3 ranks"),
        ("data-parallel", {"width": 0}, "cpu", "at least 1"),
    ],
)
def test_what_cannot_be_had_is_one_clear_error(name, parameters, device, words):
    with pytest.raises(UserError, match=words):
        workloads.load(Named(name=name, parameters=parameters)).build(
            Request(options={}, seed=1, device=device, kind="throughput")
        )


@pytest.mark.skipif(torch.cuda.device_count() > 1, reason="there are enough devices")
def test_ranks_on_cuda_need_a_device_each():
    workload = workloads.load(Named(name="all-reduce", parameters={}))
    with pytest.raises(UserError, match=r"built without nccl|need cuda:1, and torch sees"):
        workload.build(Request(options={}, seed=1, device="cuda:0", kind="throughput"))


def test_no_collective_converges():
    workload = workloads.load(Named(name="all-reduce", parameters={}))
    with pytest.raises(UserError, match="does not converge"):
        workload.build(Request(options={}, seed=1, device="cpu", kind="convergence"))
