"""One optimizer step of a classifier over tokens or classes, in the requested formats and micro-batches."""

from __future__ import annotations

from typing import Any

import torch
from torch.nn import functional

from .options import Training, dense_defaults
from .precision import Precision
from .sharing import Sharing

ALONE = Sharing()


class Trainer:
    """A model with its optimizer.

    A step splits the global batch into equal micro-batches, divides each mean loss by their number and
    sums the gradients: without batch statistics in the model the result is the step on the whole batch, rounding
    apart. The loss is taken in fp32. Where it is scaled, a step whose gradients overflow changes no weight.

    Args:
        module: the model, on its device.
        options: how to train.
        precision: the formats.
        sharing: the ranks that train the model together; each calls `step` with its own part of the batch.
    """

    def __init__(
        self, module: torch.nn.Module, options: Training, precision: Precision, sharing: Sharing = ALONE
    ) -> None:
        self.module = module
        self.options = options
        self.precision = precision
        self._sharing = sharing
        self._shared = sharing.shared(module, str(next(module.parameters()).device))
        self.model: Any = torch.compile(self._shared, dynamic=False) if options.compile else self._shared
        self.optimizer = _optimizer(module, options)
        self._scaler = precision.scaler(options.loss_scaling)

    def step(self, inputs: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        """Make one step.

        Args:
            inputs: [batch, ...], the part of the global batch that this rank has.
            targets: class numbers, [batch] or [batch, positions].

        Returns:
            The mean loss over that batch, a detached tensor without dimensions.
        """
        self.optimizer.zero_grad(set_to_none=True)
        parts = self.options.accumulation
        total: torch.Tensor | None = None
        for number, (part, wanted) in enumerate(zip(inputs.chunk(parts), targets.chunk(parts), strict=True), 1):
            with self._sharing.exchanging(self._shared, last=number == parts):
                with self.precision.autocast():
                    scores = self.model(part)
                loss = mean_loss(scores, wanted) / parts
                self._scaler.scale(loss).backward()  # type: ignore[no-untyped-call]
            total = loss.detach() if total is None else total + loss.detach()
        self._scaler.step(self.optimizer)
        self._scaler.update()
        assert total is not None
        return total

    @torch.no_grad()
    def scores(self, inputs: torch.Tensor) -> torch.Tensor:
        """Return the model's scores in evaluation mode, uncompiled: a compiled model would be compiled again."""
        self.module.eval()
        try:
            with self.precision.autocast():
                scores: torch.Tensor = self.module(inputs)
        finally:
            self.module.train()
        return scores.float()

    def effective(self) -> dict[str, Any]:
        """Return the options that the step decides."""
        options = self.options
        return (
            dense_defaults()
            | {
                "precision": self.precision.effective(),
                "optimizer": options.optimizer,
                "dropout": options.dropout,
                "global_batch": options.global_batch,
                "normalisation_group": "none",
                "learning_rate": options.learning_rate,
                "weight_decay": options.weight_decay,
                "momentum": options.momentum,
                "loss_scaling": options.loss_scaling,
                "micro_batch": options.micro_batch,
                "per_device_batch": options.micro_batch,
                "accumulation": options.accumulation,
                "compile": options.compile,
            }
            | self._sharing.effective()
        )


def mean_loss(scores: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """Return the mean cross entropy in nats, in fp32; classes are the last dimension of the scores."""
    return functional.cross_entropy(scores.float().flatten(0, -2), targets.flatten())


def parameter_count(module: torch.nn.Module) -> int:
    """Return the number of parameters."""
    return sum(parameter.numel() for parameter in module.parameters())


def _optimizer(module: torch.nn.Module, options: Training) -> torch.optim.Optimizer:
    rate, decay = options.learning_rate, options.weight_decay
    if options.optimizer == "sgd":
        return torch.optim.SGD(module.parameters(), lr=rate, momentum=options.momentum, weight_decay=decay)
    kind = torch.optim.Adam if options.optimizer == "adam" else torch.optim.AdamW
    return kind(module.parameters(), lr=rate, weight_decay=decay)
