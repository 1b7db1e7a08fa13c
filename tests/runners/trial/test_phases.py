"""Phases of a step: they add up to the whole, and each lands where it belongs. Their clock follows a script."""

import threading
import time

import pytest
import torch
from dlaudit.runners.trial import events, phases
from dlaudit.runners.trial.phases import measure
from dlaudit.runners.workloads.phase import phase
from torch import nn

pytestmark = pytest.mark.slow


@pytest.fixture
def clock(scripted_time):
    return scripted_time(phases)


class Slow(nn.Module):
    """A layer that sleeps going forward and going backward."""

    def __init__(self, clock, forward_s=0.0, backward_s=0.0):
        super().__init__()
        self.layer, self.clock, self.forward_s, self.backward_s = nn.Linear(4, 4), clock, forward_s, backward_s

    def forward(self, data):
        self.clock.sleep(self.forward_s)
        out = self.layer(data)
        out.register_hook(lambda _: self.clock.sleep(self.backward_s))
        return out


def run(model, fetch_s=0.0, optimizer=None, accumulation=1):
    def fetch():
        model.clock.sleep(fetch_s)
        return torch.randn(2, 4)

    def step(batch):
        for _ in range(accumulation):
            model(batch).sum().backward()
        if optimizer is not None:
            optimizer.step()

    return measure(fetch, step, model, optimizer, "cpu", 5)


def lasting(duration_s):
    """Return what a phase of this length is found to take, give or take the readings around it."""
    return pytest.approx(duration_s, abs=1e-5)


def test_each_phase_lands_where_it_belongs_and_they_add_up(clock):
    model = Slow(clock, 0.004, 0.008)
    found = run(model, 0.002, torch.optim.SGD(model.parameters()))
    assert found.seconds["data"] == lasting(0.002)
    assert found.seconds["forward"] == lasting(0.004)
    assert found.seconds["backward"] == lasting(0.008)
    assert found.seconds["optimizer"] > 0
    assert sum(found.seconds.values()) == pytest.approx(found.whole_s)


def test_micro_batches_are_summed(clock):
    found = run(Slow(clock, 0.003, 0.001), accumulation=3)
    assert found.seconds["forward"] == lasting(0.009)


def test_another_optimizer_is_not_ours(clock):
    found = run(Slow(clock, 0.001, 0.001), optimizer=None)
    assert "optimizer" not in found.seconds


def test_the_hooks_are_gone_afterwards(clock):
    model = Slow(clock)
    run(model)
    assert not model._forward_hooks
    assert not model._forward_pre_hooks


def step_of(model, **names):
    """A step with blocks that it names, each as long as asked for."""

    def step(batch):
        model(batch).sum().backward()
        for name, duration_s in names.items():
            with phase(name):
                model.clock.sleep(duration_s)

    return step


def test_named_blocks_are_phases_of_their_own(clock):
    model = Slow(clock)

    def fetch():
        clock.sleep(0.002)
        with phase("h2d"):
            clock.sleep(0.005)
        clock.sleep(0.001)
        return torch.randn(2, 4)

    found = measure(fetch, step_of(model, communication=0.004), model, None, "cpu", 5)
    assert found.seconds["h2d"] == lasting(0.005)
    assert found.seconds["data"] == lasting(0.003)  # what comes before and after the move
    assert found.seconds["communication"] == lasting(0.004)
    assert sum(found.seconds.values()) == pytest.approx(found.whole_s)
    assert found.saved is None


def test_a_checkpoint_counts_by_its_mean_and_tells_its_bytes(clock):
    model, steps = Slow(clock), iter(range(100))

    def step(batch):
        model(batch).sum().backward()
        if next(steps) % 5 == 4:
            with phase("checkpoint") as part:
                clock.sleep(0.010)
                part.wrote(1234)

    found = measure(lambda: torch.randn(2, 4), step, model, None, "cpu", 10)
    assert (found.saved.count, found.saved.bytes) == (2, 1234)
    assert found.saved.duration_s == lasting(0.010)
    assert found.seconds["checkpoint"] == pytest.approx(found.saved.duration_s * 2 / 10)


def test_outside_the_pass_a_named_block_costs_next_to_nothing():
    began = time.thread_time()
    for _ in range(10_000):
        with phase("h2d"):
            pass
    assert (time.thread_time() - began) / 10_000 < 5e-6


def test_another_thread_marks_nothing(clock):
    model = Slow(clock)

    def move():
        with phase("h2d"):
            clock.sleep(0.003)

    def step(batch):
        thread = threading.Thread(target=move)
        thread.start()
        thread.join()
        model(batch)

    assert "h2d" not in measure(lambda: torch.randn(2, 4), step, model, None, "cpu", 3).seconds


def test_there_are_three_names():
    with pytest.raises(ValueError, match="name one of checkpoint, communication, h2d"):
        phase("copy")


@pytest.mark.parametrize(
    ("name", "size"), [("digits-cnn", {"width": 2}), ("text-transformer", {"width": 8, "heads": 1})]
)
def test_a_workload_that_saves_shows_what_it_costs(run_trial, name, size):
    trial = run_trial({"name": name, "checkpoint_every": 10, **size}, kind="phases", throughput=None)
    found = trial.only(events.Phased)
    assert found.saved.count == 3
    assert found.saved.bytes > 1000
    # of three, two last no shorter than their median
    assert found.seconds["checkpoint"] * found.iterations > 1.9 * found.saved.duration_s
    assert 0 < found.seconds["h2d"] < found.whole_s
    assert trial.only(events.Options).effective["extra"]["checkpoint_every"] == 10
