"""`text-transformer`: a small decoder on text from a seeded grammar whose entropy rate is the floor of its loss.

Parameters: `width` (64), `layers` (2), `heads` (4), `length` (words per sequence, 32), `pipeline` (real, cached_device
or synthetic; real), `checkpoint_every` (steps between two checkpoints; 0, none). Defaults of the options: global_batch
32, adamw at a learning rate of 0.003. The loss is in nats per word; `extra.entropy_rate_nats` has the floor, 0.679, and
some ten thousand samples bring the loss below 0.8. Training and test text come from the same grammar with different
seeds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import torch
from torch import nn
from torch.nn import functional

from . import grammar, parameters, streams
from .checkpoints import Checkpoints
from .grammar import GRAMMAR, TEST_SEED, TRAIN_SEED
from .interface import Built, Evaluation, Request, Workload
from .options import training
from .phase import phase
from .precision import training_precision
from .sharing import sharing_of
from .training import Trainer, mean_loss, parameter_count

NAME = "text-transformer"
TRAIN_WORDS = 131_072
DROPOUT = 0.1
EVALUATED_AT_ONCE = 64


def make(given: Mapping[str, Any]) -> Workload:
    """Make the workload.

    Raises:
        UserError: a parameter is unknown or unusable.
    """
    chosen = parameters.read(given, parameters.TextTransformer, NAME)
    return TextTransformer(chosen)


class TextTransformer:
    """A pre-norm decoder with learned positions."""

    def __init__(self, chosen: parameters.TextTransformer) -> None:
        self._chosen = chosen

    def build(self, request: Request) -> Built:
        """Write the text and make the decoder."""
        streams.check_pipeline(NAME, self._chosen.pipeline, request)
        self._sharing = sharing_of(request)
        options = training(
            request.options, global_batch=32, optimizer="adamw", learning_rate=0.003, ranks=self._sharing.ranks
        )
        precision = training_precision(request.options, request.device)
        self._device, self._seed = request.device, request.seed
        source = grammar.seeded(**GRAMMAR)
        self._train = torch.tensor(source.sample(TRAIN_SEED, TRAIN_WORDS), dtype=torch.uint8)
        self._test = torch.tensor(source.sample(TEST_SEED, parameters.TEST_WORDS), dtype=torch.uint8)
        module = Decoder(source.words, self._chosen, options.dropout).to(request.device)
        self._trainer, self._checkpoints = (
            Trainer(module, options, precision, self._sharing),
            Checkpoints(self._chosen.checkpoint_every),
        )
        splits = self._splits()
        identity = self._identity(splits)
        identity["extra"] |= {"parameters": parameter_count(module), "entropy_rate_nats": source.entropy_rate()}
        return Built(
            effective=self._trainer.effective() | identity,
            work_per_iteration=options.global_batch * self._chosen.length,
            work_unit="tokens",
            samples_per_iteration=options.global_batch,
            model=self._trainer.model,
            optimizer=self._trainer.optimizer,
            pipeline={
                "kind": self._chosen.pipeline,
                "dataset_bytes": TRAIN_WORDS,
                "bytes_per_sample": self._chosen.length + 1,
            },
            splits=splits,
        )

    def _splits(self) -> dict[str, Any]:
        train, test = ([bytes(row) for row in self._rows(words).tolist()] for words in (self._train, self._test))
        return {"train": streams.split_record(train), "test": streams.split_record(test, set(train))}

    def _identity(self, splits: dict[str, Any]) -> dict[str, Any]:
        chosen = self._chosen
        identity: dict[str, Any] = {
            "model": f"decoder-d{chosen.width}-l{chosen.layers}-h{chosen.heads}",
            "dataset": streams.dataset_id("grammar-text", splits),
            "preprocessing": "one number per word",
            "input_shape": [chosen.length],
            "input_length": chosen.length,
            "extra": {"pipeline": chosen.pipeline},
        }
        if chosen.checkpoint_every:
            identity["extra"]["checkpoint_every"] = chosen.checkpoint_every
        if chosen.pipeline == "synthetic":  # no data set is read: which one it would be is not for us to state
            del identity["dataset"], identity["preprocessing"]
        return identity

    def _rows(self, words: torch.Tensor) -> torch.Tensor:
        """Return text as non-overlapping sequences, [n, length + 1]; the last word of each is only predicted."""
        size = self._chosen.length + 1
        return words[: len(words) // size * size].view(-1, size)

    def batches(self) -> Iterator[torch.Tensor]:
        """Return batches of sequences, int64 [n, length + 1], on the device."""
        size, device = self._trainer.options.global_batch, self._device
        if self._chosen.pipeline == "synthetic":
            shape = (size, self._chosen.length + 1)
            numbers = streams.numbers(shape, GRAMMAR["words"], self._seed)
            return streams.repeated(self._sharing.part(numbers).to(device))
        rows = self._rows(self._train)
        order = map(self._sharing.part, streams.shuffled(len(rows), size, self._seed))
        if self._chosen.pipeline == "cached_device":
            there = rows.to(device=device, dtype=torch.int64)
            return (there[self._moved(numbers)] for numbers in order)
        return (self._moved(rows[numbers]).to(torch.int64) for numbers in order)

    def _moved(self, values: torch.Tensor) -> torch.Tensor:
        with phase("h2d"):
            return values.to(self._device)

    def step(self, batch: torch.Tensor) -> torch.Tensor:
        """Make one optimizer step and return the mean loss in nats per word."""
        loss = self._trainer.step(batch[:, :-1], batch[:, 1:])
        self._checkpoints.after_step(self._trainer)
        return loss

    def evaluate(self) -> Evaluation:
        """Predict the test text: mean loss in nats per word."""
        rows = self._rows(self._test).to(device=self._device, dtype=torch.int64)
        total = 0.0
        for first in range(0, len(rows), EVALUATED_AT_ONCE):
            part = rows[first : first + EVALUATED_AT_ONCE]
            total += float(mean_loss(self._trainer.scores(part[:, :-1]), part[:, 1:])) * len(part)
        loss = total / len(rows)
        return Evaluation(split="test", examples=len(rows), metrics={"loss": loss})


class Decoder(nn.Module):
    """Scores of the next word at every position: [n, length] -> [n, length, words]."""

    def __init__(self, words: int, sizes: parameters.TextTransformer, dropout: bool) -> None:
        super().__init__()
        self.words = nn.Embedding(words, sizes.width)
        self.positions = nn.Parameter(torch.randn(sizes.length, sizes.width) * 0.02)
        rate = DROPOUT if dropout else 0.0
        self.blocks = nn.Sequential(*(Block(sizes.width, sizes.heads, rate) for _ in range(sizes.layers)))
        self.norm = nn.LayerNorm(sizes.width)
        self.head = nn.Linear(sizes.width, words)

    def forward(self, numbers: torch.Tensor) -> torch.Tensor:
        """Return the scores."""
        hidden = self.words(numbers) + self.positions[: numbers.shape[1]]
        scores: torch.Tensor = self.head(self.norm(self.blocks(hidden)))
        return scores


class Block(nn.Module):
    """Causal attention, then a two-layer perceptron, each added to its input: [n, length, width] -> the same."""

    def __init__(self, width: int, heads: int, dropout: float) -> None:
        super().__init__()
        self.heads = heads
        self.before_attention, self.before_perceptron = nn.LayerNorm(width), nn.LayerNorm(width)
        self.mix, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.perceptron = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))
        self.dropout = nn.Dropout(dropout)

    def forward(self, hidden: torch.Tensor) -> torch.Tensor:
        """Return the hidden states after the block."""
        count, length, width = hidden.shape
        mixed = self.mix(self.before_attention(hidden)).view(count, length, 3, self.heads, width // self.heads)
        query, key, value = mixed.permute(2, 0, 3, 1, 4)
        attended = functional.scaled_dot_product_attention(query, key, value, is_causal=True)
        attended = attended.transpose(1, 2).reshape(count, length, width)
        hidden = hidden + self.dropout(self.out(attended))
        result: torch.Tensor = hidden + self.dropout(self.perceptron(self.before_perceptron(hidden)))
        return result
