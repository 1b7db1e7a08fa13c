"""The end of ranks: a DistributedDataParallel model alive at a normal exit aborts a process now and then; not ours."""

import importlib.util
import subprocess
import sys

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.alone,
    pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed"),
]
LAUNCHES, WAYS = 40, ("meter first", "worker", "group first")
# torch is loaded once; every launch forks two ranks, which make a step and leave as a program under the meter does. The
# parent holds the store, as torchrun does, so that no rank has to try until it is there.
PROGRAM = f"""
import os, sys
from datetime import timedelta
import torch
import torch._dynamo  # which DistributedDataParallel loads when it is first made
from torch import distributed
from torch.nn.parallel import DistributedDataParallel
from dlaudit.runners.meter import leaving
from dlaudit.runners.trial import worker

torch.set_num_threads(1)
os.environ |= {{"GLOO_SOCKET_IFNAME": "lo", "TORCHELASTIC_USE_AGENT_STORE": "True"}}
os.environ |= {{"WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1"}}


def rank(number, port, way):
    os.environ |= {{"RANK": str(number), "MASTER_PORT": str(port)}}
    distributed.init_process_group("gloo")
    model = DistributedDataParallel(torch.nn.Linear(4, 4))
    leaving.hold_process_groups()
    model(torch.randn(2, 4)).sum().backward()
    distributed.barrier()
    if way == "worker":
        worker.leave(0)
    if way == "meter first":
        leaving.leave_without_destructors()
    if number == 1:
        distributed.destroy_process_group()
    leaving.leave_without_destructors()
    sys.exit(7)  # the model goes with this function, before the interpreter


codes = []
for launch in range({LAUNCHES}):
    store = distributed.TCPStore("127.0.0.1", 0, is_master=True, wait_for_workers=False, timeout=timedelta(minutes=2))
    children = []
    for number in range(2):
        child = os.fork()
        if child == 0:
            rank(number, store.port, {WAYS}[launch % 3])
        children.append(child)
    codes.append([os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children])
print(codes)
"""


def test_forty_launches_of_two_ranks_end_as_they_ask_to():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=500, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.strip() == str([[0, 0] if launch % 3 == 1 else [7, 7] for launch in range(LAUNCHES)])
