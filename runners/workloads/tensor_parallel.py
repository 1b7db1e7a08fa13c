"""`tensor-parallel`: the perceptron of `mlp` with every second layer's product split over the ranks.

Parameters: those of `mlp`. Pairs of layers are split as Megatron-LM does (Shoeybi et al. 2019): the first by its
outputs, so that each rank has a part of the hidden vector, the second by its inputs, whose partial sums an all-reduce
puts together. Every rank sees the whole batch; the loss is the same on all. Options as of `mlp`; the number of ranks is
the launcher's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import torch
from torch import distributed, nn

from ...schemas.errors import UserError
from . import mlp, parameters, streams
from .interface import Built, Evaluation, Request, Workload
from .options import training
from .precision import training_precision
from .synthetic import Batch, built
from .training import Trainer

NAME = "tensor-parallel"


def make(given: Mapping[str, Any]) -> Workload:
    """Make the workload.

    Raises:
        UserError: a parameter is unknown or unusable.
    """
    return TensorParallel(parameters.read(given, parameters.TensorParallel, NAME))


class TensorParallel:
    """One of the ranks."""

    def __init__(self, chosen: parameters.Mlp) -> None:
        self._chosen = chosen

    def build(self, request: Request) -> Built:
        """Make this rank's part of the network.

        Raises:
            UserError: there is one rank, or the width does not divide over them.
        """
        chosen = self._chosen
        streams.need_real_data(NAME, request)
        if not distributed.is_available() or not distributed.is_initialized():
            raise UserError(f"{NAME} takes several ranks", "ask the launcher for them", "/launcher/ranks")
        ranks, rank = distributed.get_world_size(), distributed.get_rank()
        if chosen.width % ranks:
            raise UserError(f"a width of {chosen.width} does not divide over {ranks} ranks", "", "/workload/width")
        options = training(request.options, global_batch=32, optimizer="sgd", learning_rate=0.01)
        precision = training_precision(request.options, request.device)
        torch.manual_seed(request.seed)
        module = split(mlp.network(chosen), rank, ranks).to(request.device)
        self._device, self._seed = request.device, request.seed
        self._trainer = Trainer(module, options, precision)
        identity: dict[str, Any] = {
            "model": mlp.label(chosen),
            "dataset": "synthetic",
            "preprocessing": "none",
            "input_shape": [chosen.inputs],
            "dropout": False,
            "tensor_parallel": ranks,
            "devices": ranks,
            "extra": {"pipeline": "synthetic", "inputs": "normal(0, 1)", "backend": distributed.get_backend()},
        }
        return built(self._trainer, identity, options.global_batch)

    def batches(self) -> Iterator[Batch]:
        """Return the same random batch for ever, on every rank."""
        size = self._trainer.options.global_batch
        (inputs,) = streams.normal([(size, self._chosen.inputs)], self._seed)
        classes = streams.numbers((size,), self._chosen.classes, self._seed)
        return streams.repeated((inputs.to(self._device), classes.to(self._device)))

    def step(self, batch: Batch) -> torch.Tensor:
        """Make one optimizer step and return the mean loss."""
        return self._trainer.step(*batch)

    def evaluate(self) -> Evaluation:
        """Refuse: `build` does not let a convergence check come this far."""
        raise NotImplementedError


def split(network: Any, rank: int, ranks: int) -> nn.Sequential:
    """Return a rank's part of a perceptron: pairs of layers split by outputs, then by inputs; an odd last one whole."""
    layers = list(network)
    places = [number for number, layer in enumerate(layers) if isinstance(layer, nn.Linear)]
    for first, second in zip(places[::2], places[1::2], strict=False):
        layers[first] = nn.Sequential(_Copied(), _by_outputs(layers[first], rank, ranks))
        layers[second] = _ByInputs(layers[second], rank, ranks)
    return nn.Sequential(*layers)


def _by_outputs(whole: nn.Linear, rank: int, ranks: int) -> nn.Linear:
    part = nn.Linear(whole.in_features, whole.out_features // ranks)
    part.weight.data = whole.weight.data.chunk(ranks)[rank].clone()
    part.bias.data = whole.bias.data.chunk(ranks)[rank].clone()
    return part


class _ByInputs(nn.Module):
    """A layer of which each rank has a part of the inputs."""

    def __init__(self, whole: nn.Linear, rank: int, ranks: int) -> None:
        super().__init__()
        self.part = nn.Linear(whole.in_features // ranks, whole.out_features, bias=False)
        self.part.weight.data = whole.weight.data.chunk(ranks, dim=1)[rank].clone()
        self.bias = nn.Parameter(whole.bias.data.clone())

    def forward(self, values: torch.Tensor) -> torch.Tensor:
        summed: torch.Tensor = _Summed.apply(self.part(values))  # type: ignore[no-untyped-call]
        return summed + self.bias


class _Copied(nn.Module):
    """Hands its input on; its gradient is the sum of all ranks' (f of Megatron-LM)."""

    def forward(self, values: torch.Tensor) -> torch.Tensor:
        copied: torch.Tensor = _Copy.apply(values)  # type: ignore[no-untyped-call]
        return copied


class _Copy(torch.autograd.Function):
    @staticmethod
    def forward(_context: Any, values: torch.Tensor) -> torch.Tensor:
        return values.view_as(values)

    @staticmethod
    def backward(_context: Any, gradient: torch.Tensor) -> Any:
        whole = gradient.contiguous()
        distributed.all_reduce(whole)
        return whole


class _Summed(torch.autograd.Function):
    """Sums over the ranks; its gradient is handed on (g of Megatron-LM)."""

    @staticmethod
    def forward(_context: Any, values: torch.Tensor) -> torch.Tensor:
        whole = values.contiguous().clone()
        distributed.all_reduce(whole)
        return whole

    @staticmethod
    def backward(_context: Any, gradient: torch.Tensor) -> Any:
        return gradient
