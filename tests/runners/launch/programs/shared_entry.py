"""An entry of the user's own whose ranks share a step: the worker has formed their group."""

import torch
from dlaudit.runners.workloads.interface import Built
from torch import distributed
from torch.nn.parallel import DistributedDataParallel


class Shared:
    def __init__(self, says=None):
        self._says = says

    def build(self, request):
        world = distributed.get_world_size()
        torch.set_num_threads(1)
        self.model = DistributedDataParallel(torch.nn.Linear(16, 4))
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
        effective = {"model": "linear-16-4", "optimizer": "sgd", "learning_rate": 0.1, "global_batch": 8 * world}
        return Built(
            effective=effective | {"data_parallel": self._says or world},
            work_per_iteration=8 * world,
            work_unit="samples",
            samples_per_iteration=8 * world,
            model=self.model,
            optimizer=self.optimizer,
        )

    def batches(self):
        while True:
            yield torch.randn(8, 16)

    def step(self, batch):
        self.optimizer.zero_grad()
        loss = self.model(batch).square().mean()
        loss.backward()
        self.optimizer.step()
        return loss.detach()

    def evaluate(self):
        raise NotImplementedError
