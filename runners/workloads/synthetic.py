"""Classifiers on synthetic inputs: one random batch on the device, repeated. It times steps and teaches nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import nn

from . import streams
from .interface import Built, Evaluation, Request
from .options import training
from .precision import training_precision
from .sharing import sharing_of
from .training import Trainer, parameter_count

Batch = tuple[torch.Tensor, torch.Tensor]


class SyntheticClassifier:
    """A network that is trained on random inputs.

    Args:
        name: the workload's name.
        model: the model's name in the option set.
        make_module: makes the network, [n, *shape] -> [n, classes], which has no dropout.
        shape: of one input.
        classes: their number.
    """

    def __init__(
        self, name: str, model: str, make_module: Callable[[], nn.Module], shape: tuple[int, ...], classes: int
    ) -> None:
        self._name, self._model, self._make_module = name, model, make_module
        self._shape, self._classes = shape, classes

    def build(self, request: Request) -> Built:
        """Make the network."""
        streams.need_real_data(self._name, request)
        self._sharing = sharing_of(request)
        options = training(
            request.options, global_batch=32, optimizer="sgd", learning_rate=0.01, ranks=self._sharing.ranks
        )
        precision = training_precision(request.options, request.device)
        module = self._make_module().to(request.device)
        self._device, self._seed = request.device, request.seed
        self._trainer = Trainer(module, options, precision, self._sharing)
        identity = {
            "model": self._model,
            "dataset": "synthetic",
            "preprocessing": "none",
            "input_shape": list(self._shape),
            "dropout": False,
            "extra": {"parameters": parameter_count(module), "pipeline": "synthetic", "inputs": "normal(0, 1)"},
        }
        return built(self._trainer, identity, options.global_batch)

    def batches(self) -> Iterator[Batch]:
        """Return the same random batch for ever."""
        size = self._trainer.options.global_batch
        (inputs,) = streams.normal([(size, *self._shape)], self._seed)
        classes = streams.numbers((size,), self._classes, self._seed)
        part = self._sharing.part
        return streams.repeated((part(inputs).to(self._device), part(classes).to(self._device)))

    def step(self, batch: Batch) -> torch.Tensor:
        """Make one optimizer step and return the mean loss."""
        return self._trainer.step(*batch)

    def evaluate(self) -> Evaluation:
        """Refuse: `build` does not let a convergence check come this far."""
        raise NotImplementedError


def built(trainer: Trainer, identity: dict[str, Any], samples: int) -> Built:
    """Return what a run on synthetic inputs reports of itself.

    Args:
        trainer: what was built.
        identity: the options that tell the model and its inputs.
        samples: samples of one step, over all ranks.
    """
    return Built(
        effective=trainer.effective() | identity,
        work_per_iteration=samples,
        work_unit="samples",
        samples_per_iteration=samples,
        model=trainer.model,
        optimizer=trainer.optimizer,
        pipeline={"kind": "synthetic"},
    )
