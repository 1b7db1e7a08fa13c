"""The same training by Accelerate, which shares the work as it finds torchrun's variables."""

import os

import torch
from accelerate import Accelerator
from dlaudit.runners.meter.meter import study

torch.set_num_threads(1)
os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
accelerator = Accelerator(cpu=True)
model = torch.nn.Linear(16, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model, optimizer = accelerator.prepare(model, optimizer)
with study(model=model, optimizer=optimizer, options={"model": "linear-16-4", "dataset": "noise"}) as meter:
    for points in meter.steps((torch.randn(8, 16) for _ in range(10**6)), accelerator=accelerator):
        with accelerator.accumulate(model):
            optimizer.zero_grad()
            accelerator.backward(model(points).square().mean())
            optimizer.step()
