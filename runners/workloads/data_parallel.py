"""`data-parallel`: a perceptron on synthetic vectors, trained by several ranks that exchange their gradients.

Parameters: `ranks` (2), and those of `mlp`: `inputs` (128), `width` (256), `layers` (hidden layers, 2), `classes` (10).
Defaults of the options: global_batch 32, sgd at a learning rate of 0.01. Every rank is a process on this machine with
its own part of the global batch; DistributedDataParallel exchanges the gradients while the backward pass runs. The loss
is that of rank 0's part.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
import torch
from torch.nn.parallel import DistributedDataParallel

from ...schemas.errors import UserError
from . import mlp, parameters, ranks, streams
from .interface import Built, Evaluation, Request, Workload
from .options import training
from .precision import training_precision
from .synthetic import Batch, built
from .training import Trainer, parameter_count

NAME = "data-parallel"


def make(given: Mapping[str, Any]) -> Workload:
    """Make the workload.

    Raises:
        UserError: a parameter is unknown or unusable.
    """
    chosen = parameters.read(given, parameters.DataParallel, NAME)
    return DataParallel(chosen)


class DataParallel:
    """One of the ranks."""

    def __init__(self, chosen: parameters.DataParallel) -> None:
        self._chosen = chosen

    def build(self, request: Request) -> Built:
        """Start the other ranks and make the network, equal on all of them."""
        chosen = self._chosen
        streams.need_real_data(NAME, request)
        options = training(request.options, global_batch=32, optimizer="sgd", learning_rate=0.01)
        if options.global_batch % chosen.ranks or options.accumulation > 1:
            raise UserError(
                f"a global batch of {options.global_batch} does not divide over {chosen.ranks} ranks, each taking its "
                "part at once",
                "make it a multiple of ranks, and leave micro_batch and accumulation out",
                "/options/global_batch",
            )
        precision = training_precision(request.options, request.device)
        place = ranks.together(NAME, msgspec.to_builtins(chosen), chosen.ranks, request)
        own = options.global_batch // chosen.ranks
        self._device, self._rank, self._batch, self._seed = request.device, place.rank, own, request.seed
        on = [request.device] if request.device.startswith("cuda") else None
        with ranks.exchanging():
            module = DistributedDataParallel(mlp.network(chosen).to(request.device), device_ids=on)
            self._trainer = Trainer(
                module, msgspec.structs.replace(options, global_batch=own, micro_batch=own), precision
            )
        identity: dict[str, Any] = {
            "model": mlp.label(chosen),
            "dataset": "synthetic",
            "preprocessing": "none",
            "input_shape": [chosen.inputs],
            "dropout": False,
            "global_batch": options.global_batch,
            "data_parallel": chosen.ranks,
            "devices": chosen.ranks,
            "bucketing": "25 MiB",
            "overlap": True,
            "extra": {
                "parameters": parameter_count(module),
                "pipeline": "synthetic",
                "inputs": "normal(0, 1)",
                "backend": place.backend,
                "ranks": chosen.ranks,
            },
        }
        return built(self._trainer, identity, options.global_batch)

    def batches(self) -> Iterator[Batch]:
        """Return this rank's part of the same random batch for ever."""
        count, part = self._batch * self._chosen.ranks, slice(self._rank * self._batch, (self._rank + 1) * self._batch)
        (inputs,) = streams.normal([(count, self._chosen.inputs)], self._seed)
        classes = streams.numbers((count,), self._chosen.classes, self._seed)
        return streams.repeated((inputs[part].to(self._device), classes[part].to(self._device)))

    def step(self, batch: Batch) -> torch.Tensor:
        """Make one optimizer step and return the mean loss over this rank's part.

        Raises:
            UserError: another rank has ended.
        """
        with ranks.exchanging():
            return self._trainer.step(*batch)

    def evaluate(self) -> Evaluation:
        """Refuse: `build` does not let a convergence check come this far."""
        raise NotImplementedError
