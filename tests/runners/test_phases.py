"""Phases of a step: they add up to the whole, and each lands where it belongs."""

import time

import pytest
import torch
from dlaudit.runners.phases import measure
from torch import nn


class Slow(nn.Module):
    """A layer that sleeps going forward and going backward."""

    def __init__(self, forward_s, backward_s):
        super().__init__()
        self.layer, self.forward_s, self.backward_s = nn.Linear(4, 4), forward_s, backward_s

    def forward(self, data):
        time.sleep(self.forward_s)
        out = self.layer(data)
        out.register_hook(lambda _: time.sleep(self.backward_s))
        return out


def run(model, fetch_s=0.0, optimizer=None, accumulation=1):
    def fetch():
        time.sleep(fetch_s)
        return torch.randn(2, 4)

    def step(batch):
        for _ in range(accumulation):
            model(batch).sum().backward()
        if optimizer is not None:
            optimizer.step()

    return measure(fetch, step, model, optimizer, "cpu", 5)


def test_each_phase_lands_where_it_belongs_and_they_add_up():
    model = Slow(0.004, 0.008)
    found = run(model, 0.002, torch.optim.SGD(model.parameters()))
    assert found.seconds["data"] >= 0.002  # a sleep is never shorter, whatever else runs
    assert found.seconds["forward"] >= 0.004
    assert found.seconds["backward"] >= 0.008
    assert found.seconds["optimizer"] > 0
    assert sum(found.seconds.values()) == pytest.approx(found.whole_s, rel=0.3)


def test_micro_batches_are_summed():
    found = run(Slow(0.003, 0.001), accumulation=3)
    assert found.seconds["forward"] >= 0.009


def test_another_optimizer_is_not_ours():
    model = Slow(0.001, 0.001)
    found = run(model, optimizer=None)
    assert "optimizer" not in found.seconds


def test_the_hooks_are_gone_afterwards():
    model = Slow(0.0, 0.0)
    run(model)
    assert not model._forward_hooks
    assert not model._forward_pre_hooks
