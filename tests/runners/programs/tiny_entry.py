"""A workload of one's own: logistic regression on two real blobs of numbers, written against the contract."""

import torch
from dlaudit.runners.workloads.interface import Built, Evaluation
from torch.nn import functional
from torch.utils.data import DataLoader, TensorDataset


class Blobs:
    def __init__(self, width=4, batches=None, explode_at=None, effective=None, split="test", work_unit="samples"):
        self.width, self.limit, self.explode_at, self.split = width, batches, explode_at, split
        self.override = effective or {}
        self.steps, self.work_unit = 0, work_unit

    def build(self, request):
        generator = torch.Generator().manual_seed(1)
        self.y = torch.arange(512) % 2
        self.x = torch.randn(512, self.width, generator=generator) + 2.0 * self.y.unsqueeze(1)
        self.model = torch.nn.Linear(self.width, 2)
        self.rate = request.options.get("learning_rate", 0.1)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=self.rate)
        effective = {"model": "blobs", "optimizer": "sgd", "learning_rate": self.rate, "global_batch": 16}
        return Built(
            effective=effective | self.override,
            work_per_iteration=16,
            work_unit=self.work_unit,
            samples_per_iteration=16,
            model=self.model,
            optimizer=self.optimizer,
        )

    def batches(self):
        made = 0
        while True:
            for batch in DataLoader(TensorDataset(self.x[:400], self.y[:400]), batch_size=16, shuffle=True):
                if made == self.limit:
                    return
                made += 1
                yield batch

    def step(self, batch):
        self.steps += 1
        x, y = batch
        self.optimizer.zero_grad()
        loss = functional.cross_entropy(self.model(x), y)
        if self.steps == self.explode_at:
            loss = loss * float("nan")
        loss.backward()
        self.optimizer.step()
        return loss.detach()

    def evaluate(self):
        loader = DataLoader(TensorDataset(self.x[400:], self.y[400:]), batch_size=112, shuffle=True)
        with torch.no_grad():
            correct = sum(int((self.model(x).argmax(1) == y).sum()) for x, y in loader)
        return Evaluation(split=self.split, examples=112, metrics={"accuracy": correct / 112}, correct=correct)


def make(**arguments):
    return Blobs(**arguments)


PI = 3


def make_nothing():
    return object()


def crash():
    raise RuntimeError("out of luck\nin two lines")
