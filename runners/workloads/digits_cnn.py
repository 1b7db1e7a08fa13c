"""`digits-cnn`: a small convolutional network on real handwritten digits, with a held-out test split.

Parameters: `width` (channels of the first layer, 16), `pipeline` (real, cached_device or synthetic; real),
`checkpoint_every` (steps between two checkpoints; 0, none). Defaults of the options: global_batch 64, adamw at a
learning rate of 0.003. About 95 % of the test split is right after some ten thousand samples.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import torch
from torch import nn

from . import digits, parameters, streams
from .checkpoints import Checkpoints
from .interface import Built, Evaluation, Request, Workload
from .options import training
from .phase import phase
from .precision import training_precision
from .sharing import sharing_of
from .training import Trainer, mean_loss, parameter_count

NAME = "digits-cnn"
CLASSES = 10
DROPOUT = 0.1
Batch = tuple[torch.Tensor, torch.Tensor]


def make(given: Mapping[str, Any]) -> Workload:
    """Make the workload.

    Raises:
        UserError: a parameter is unknown or unusable.
    """
    chosen = parameters.read(given, parameters.DigitsCnn, NAME)
    return DigitsCnn(chosen)


class DigitsCnn:
    """Three convolutions and a linear layer; no batch statistics."""

    def __init__(self, chosen: parameters.DigitsCnn) -> None:
        self._chosen = chosen

    def build(self, request: Request) -> Built:
        """Load the digits and make the network."""
        streams.check_pipeline(NAME, self._chosen.pipeline, request)
        self._sharing = sharing_of(request)
        options = training(
            request.options, global_batch=64, optimizer="adamw", learning_rate=0.003, ranks=self._sharing.ranks
        )
        precision = training_precision(request.options, request.device)
        self._device, self._seed = request.device, request.seed
        self._train, self._test = digits.load()
        module = network(self._chosen.width, options.dropout).to(request.device)
        self._trainer, self._checkpoints = (
            Trainer(module, options, precision, self._sharing),
            Checkpoints(self._chosen.checkpoint_every),
        )
        splits = digits.split_records(self._train, self._test)
        return Built(
            effective=self._trainer.effective() | self._identity(module, splits),
            work_per_iteration=options.global_batch,
            work_unit="samples",
            samples_per_iteration=options.global_batch,
            model=self._trainer.model,
            optimizer=self._trainer.optimizer,
            pipeline={
                "kind": self._chosen.pipeline,
                "dataset_bytes": self._train.images.numel(),
                "bytes_per_sample": 64,
            },
            splits=splits,
        )

    def _identity(self, module: nn.Module, splits: dict[str, Any]) -> dict[str, Any]:
        identity: dict[str, Any] = {
            "model": f"{NAME}-w{self._chosen.width}",
            "dataset": streams.dataset_id("sklearn-digits", splits),
            "preprocessing": "pixels / 8 - 1",
            "input_shape": [1, 8, 8],
            "extra": {"parameters": parameter_count(module), "pipeline": self._chosen.pipeline},
        }
        if self._chosen.checkpoint_every:
            identity["extra"]["checkpoint_every"] = self._chosen.checkpoint_every
        if self._chosen.pipeline == "synthetic":  # no data set is read: which one it would be is not for us to state
            del identity["dataset"], identity["preprocessing"]
        return identity

    def batches(self) -> Iterator[Batch]:
        """Return batches of images, fp32 [n, 1, 8, 8], and classes, int64 [n], on the device."""
        size, device = self._trainer.options.global_batch, self._device
        if self._chosen.pipeline == "synthetic":
            (images,) = streams.normal([(size, 1, 8, 8)], self._seed)
            classes = streams.numbers((size,), CLASSES, self._seed)
            part = self._sharing.part
            return streams.repeated((part(images).to(device), part(classes).to(device)))
        order = map(self._sharing.part, streams.shuffled(len(self._train.classes), size, self._seed))
        if self._chosen.pipeline == "cached_device":
            return self._cached(order)
        return self._prepared(order)

    def _prepared(self, order: Iterator[torch.Tensor]) -> Iterator[Batch]:
        for rows in order:
            chosen = self._train.images[rows], self._train.classes[rows]
            with phase("h2d"):
                images, classes = (part.to(self._device) for part in chosen)
            yield digits.prepare(images, self._device), classes

    def _cached(self, order: Iterator[torch.Tensor]) -> Iterator[Batch]:
        images, classes = digits.prepare(self._train.images, self._device), self._train.classes.to(self._device)
        for rows in order:
            with phase("h2d"):
                there = rows.to(self._device)
            yield images[there], classes[there]

    def step(self, batch: Batch) -> torch.Tensor:
        """Make one optimizer step and return the mean loss."""
        loss = self._trainer.step(*batch)
        self._checkpoints.after_step(self._trainer)
        return loss

    def evaluate(self) -> Evaluation:
        """Classify the test split: accuracy, and mean loss in nats."""
        scores = self._trainer.scores(digits.prepare(self._test.images, self._device)).cpu()
        correct = int((scores.argmax(dim=1) == self._test.classes).sum())
        examples = len(self._test.classes)
        loss = float(mean_loss(scores, self._test.classes))
        return Evaluation(
            split="test", examples=examples, metrics={"accuracy": correct / examples, "loss": loss}, correct=correct
        )

    def examples(self) -> int:
        """Return the number of images of the test split."""
        return len(self._test.classes)

    def answer(self, numbers: Sequence[int]) -> list[bytes]:
        """Return the class of some images of the test split, one byte each."""
        images = digits.prepare(self._test.images[list(numbers)], self._device)
        classes: list[int] = self._trainer.scores(images).argmax(dim=1).tolist()
        return [bytes([number]) for number in classes]

    def score(self, answers: Mapping[int, bytes]) -> Evaluation:
        """Count the answers that are right: accuracy over the test split."""
        wanted: list[int] = self._test.classes.tolist()
        correct = sum(answers.get(number) == bytes([right]) for number, right in enumerate(wanted))
        return Evaluation(
            split="test", examples=len(wanted), metrics={"accuracy": correct / len(wanted)}, correct=correct
        )


def network(width: int, dropout: bool) -> nn.Module:
    """Return the network for [n, 1, 8, 8] images."""
    return nn.Sequential(
        nn.Conv2d(1, width, 3, padding=1),
        nn.ReLU(),
        nn.Conv2d(width, 2 * width, 3, stride=2, padding=1),
        nn.ReLU(),
        nn.Conv2d(2 * width, 2 * width, 3, stride=2, padding=1),
        nn.ReLU(),
        nn.Flatten(),
        nn.Dropout(DROPOUT if dropout else 0.0),
        nn.Linear(8 * width, CLASSES),
    )
