"""A step in fp16: its loss is scaled, what takes effect is told, and it trains."""

import pytest
import torch
from dlaudit.runners.workloads.options import training
from dlaudit.runners.workloads.precision import training_precision
from dlaudit.runners.workloads.training import Trainer

FP16 = {"precision": {"compute": "fp16"}}


def options(requested):
    return training(requested, global_batch=16, optimizer="sgd", learning_rate=0.1)


@pytest.mark.parametrize(
    ("requested", "scaling"),
    [
        ({}, "none"),
        (FP16, "dynamic"),
        ({**FP16, "loss_scaling": "none"}, "none"),
        ({"loss_scaling": "dynamic"}, "dynamic"),
    ],
)
def test_the_loss_is_scaled_in_fp16_unless_asked_otherwise(requested, scaling):
    assert options(requested).loss_scaling == scaling


def test_a_step_in_fp16_trains_and_tells_its_formats():
    torch.manual_seed(0)
    module = torch.nn.Linear(4, 2)
    trainer = Trainer(module, options(FP16), training_precision(FP16, "cpu"))
    points = torch.randn(16, 4)
    classes = (points[:, 0] > 0).long()
    losses = [float(trainer.step(points, classes)) for _ in range(30)]
    assert losses[-1] < 0.7 * losses[0]
    told = trainer.effective()
    assert (told["precision"]["compute"], told["loss_scaling"]) == ("fp16", "dynamic")
    assert module.weight.dtype == torch.float32
    assert trainer.scores(points).dtype == torch.float32
