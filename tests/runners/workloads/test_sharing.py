"""Ranks that share a step make the step of one process, however they share it: the losses are the same."""

import importlib.util
import json
import subprocess
import sys

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed"),
]
# torch is loaded once; every way of sharing forks two ranks, which build the workload and make three steps.
PROGRAM = """
import json, os, socket, sys
import torch
import torch._dynamo
import torch.distributed.fsdp
from torch import distributed
from dlaudit.runners import workloads
from dlaudit.runners.study.orders import Named
from dlaudit.runners.trial import process_group, worker
from dlaudit.runners.workloads.interface import Request

torch.set_num_threads(1)
WAYS = {
    "alone": ("mlp", {}, 1),
    "data parallel": ("mlp", {}, 2),
    "accumulated": ("mlp", {"accumulation": 2}, 2),
    "fully sharded": ("mlp", {"sharding": "fsdp"}, 2),
    "tensor parallel": ("tensor-parallel", {}, 2),
}


def losses(name, options):
    torch.manual_seed(1)
    workload = workloads.load(Named(name=name, parameters={"inputs": 16, "width": 32}))
    options = {"global_batch": 32, "learning_rate": 0.5} | options
    built = workload.build(Request(options=options, seed=1, device="cpu", kind="throughput"))
    batches = iter(workload.batches())
    steps = [float(workload.step(next(batches))) for _ in range(3)]
    keys = ("data_parallel", "tensor_parallel", "sharding", "accumulation", "micro_batch")
    return steps, {key: built.effective[key] for key in keys}


found = {}
for way, (name, options, ranks) in WAYS.items():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    children = []
    for rank in range(ranks):
        path = f"{sys.argv[1]}/{way}-{rank}"
        child = os.fork()
        if child == 0:
            place = {"RANK": rank, "WORLD_SIZE": ranks, "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port}
            os.environ.update({key: str(value) for key, value in place.items()})
            try:
                if ranks > 1:
                    process_group.join("cpu")
                open(path, "w").write(json.dumps(losses(name, options)))
            except BaseException:
                import traceback

                traceback.print_exc()
                worker.leave(1)
            worker.leave(0)
        children.append(child)
    for child in children:
        assert os.waitpid(child, 0)[1] == 0, way
    found[way] = [json.load(open(f"{sys.argv[1]}/{way}-{rank}")) for rank in range(ranks)]
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def ways(tmp_path_factory):
    command = [sys.executable, "-c", PROGRAM, str(tmp_path_factory.mktemp("ways"))]
    done = subprocess.run(command, capture_output=True, text=True, timeout=500, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("way", ["data parallel", "accumulated", "fully sharded", "tensor parallel"])
def test_the_losses_are_those_of_one_process(ways, way):
    alone = ways["alone"][0][0]
    together = [sum(losses) / 2 for losses in zip(*(steps for steps, _ in ways[way]), strict=True)]
    assert together == pytest.approx(alone, rel=1e-4)
    assert alone[0] > alone[2]


def test_the_options_say_how_the_work_is_shared(ways):
    said = {way: ranks[0][1] for way, ranks in ways.items()}
    assert {way: one["data_parallel"] for way, one in said.items()} == {
        "alone": 1,
        "data parallel": 2,
        "accumulated": 2,
        "fully sharded": 2,
        "tensor parallel": 1,
    }
    assert said["fully sharded"]["sharding"] == "fsdp"
    assert said["tensor parallel"]["tensor_parallel"] == 2
    assert (said["accumulated"]["micro_batch"], said["accumulated"]["accumulation"]) == (8, 2)
