"""A small DistributedDataParallel training under the meter, on as many ranks as torchrun starts."""

import os

import torch
from dlaudit.runners.meter.meter import study
from torch import distributed
from torch.nn.parallel import DistributedDataParallel

torch.set_num_threads(1)
os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
distributed.init_process_group("gloo")
torch.manual_seed(0)
model = DistributedDataParallel(torch.nn.Linear(16, 4))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
with study(model=model, optimizer=optimizer, options={"model": "linear-16-4", "dataset": "noise"}) as meter:
    for points in meter.steps(torch.randn(8, 16) for _ in range(10**6)):
        optimizer.zero_grad()
        model(points).square().mean().backward()
        optimizer.step()
distributed.destroy_process_group()
