"""The model of the small server: `text-transformer`, trained for some steps from a fixed seed, and rounded if asked."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Sequence

import torch
from torch.nn import functional

from ..workloads import grammar, parameters
from ..workloads.grammar import GRAMMAR, TRAIN_SEED
from ..workloads.parameters import Serving
from ..workloads.text_transformer import Decoder

SEED, BATCH, WORDS, RATE = 20, 16, 65_536, 3e-3
BETAS, EPSILON = (0.9, 0.999), 1e-8
LEVELS = {"int8": 127, "int4": 7}
END = 0
"""The word at which an answer ends by itself, where its length is not fixed."""


def trained(asked: Serving) -> Decoder:
    """Return the reference: the decoder after its training, the same in every process of a machine."""
    torch.manual_seed(SEED)
    source = grammar.seeded(**GRAMMAR)
    sizes = parameters.TextTransformer(
        width=asked.width, layers=asked.layers, heads=asked.heads, length=max(asked.length, 32)
    )
    model = Decoder(source.words, sizes, dropout=False)
    text = torch.tensor(source.sample(TRAIN_SEED, WORDS))
    weights = list(model.parameters())
    moments = [torch.zeros_like(weight) for weight in weights], [torch.zeros_like(weight) for weight in weights]
    size = sizes.length + 1
    for step in range(1, asked.train_steps + 1):
        starts = torch.randint(0, len(text) - size, (BATCH,)).tolist()
        rows = torch.stack([text[start : start + size] for start in starts])
        loss = functional.cross_entropy(model(rows[:, :-1]).flatten(0, 1), rows[:, 1:].flatten())
        _adam(weights, torch.autograd.grad(loss, weights), moments, step)
    return model.eval()


@torch.no_grad()
def _adam(
    weights: Sequence[torch.Tensor],
    gradients: Sequence[torch.Tensor],
    moments: tuple[list[torch.Tensor], list[torch.Tensor]],
    step: int,
) -> None:
    """Make a step of Adam (Kingma and Ba, 2015, algorithm 1); that of torch loads its compiler first, for a second."""
    for weight, gradient, first, second in zip(weights, gradients, *moments, strict=True):
        first.lerp_(gradient, 1 - BETAS[0])
        second.lerp_(gradient.square(), 1 - BETAS[1])
        spread = (second / (1 - BETAS[1] ** step)).sqrt_() + EPSILON
        weight.sub_(RATE / (1 - BETAS[0] ** step) * first / spread)


def rounded(model: Decoder, quantisation: str) -> Decoder:
    """Return the model with the weights of its matrices rounded to so many levels a row, computed in fp32."""
    if quantisation == "none":
        return model
    made, levels = copy.deepcopy(model), LEVELS[quantisation]
    with torch.no_grad():
        for module in made.modules():
            if isinstance(module, torch.nn.Linear):
                step = module.weight.abs().amax(1, keepdim=True).clamp(min=1e-12) / levels
                module.weight.copy_((module.weight / step).round() * step)
    return made


def digest(model: Decoder) -> str:
    """Return the SHA-256 of all weights."""
    found = hashlib.sha256()
    for name, value in sorted(model.state_dict().items()):
        found.update(name.encode() + value.contiguous().numpy().tobytes())
    return found.hexdigest()
