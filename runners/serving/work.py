"""What the small server computes and moves in prefill and in decode, counted from its sizes: for a roofline.

Operations are those of its matrix products, two for a multiplication with its addition, and of attention over what lies
before each token. Bytes are the weights, once for a step, and the keys and values that are written and read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from torch import nn

from ..workloads.text_transformer import Decoder


@dataclass(slots=True)
class Phase:
    """What was done in one of the two phases."""

    calls: int = 0
    tokens: int = 0
    seconds: float = 0.0
    operations: float = 0.0
    bytes: float = 0.0


def add_prefill(phase: Phase, model: Decoder, length: int, seconds: float) -> None:
    """Add the prefill of one prompt: every token meets those up to it, and the last one alone gives scores."""
    _add(phase, model, length, 1, length * (length + 1) // 2, 0, seconds)


def add_decode(phase: Phase, model: Decoder, contexts: Sequence[int], seconds: float) -> None:
    """Add a step that decodes one token for each sequence, which meets so many positions of its cache."""
    _add(phase, model, len(contexts), len(contexts), sum(contexts), sum(contexts), seconds)


def _add(phase: Phase, model: Decoder, tokens: int, scored: int, met: int, read: int, seconds: float) -> None:
    inner = sum(part.weight.numel() for part in model.blocks.modules() if isinstance(part, nn.Linear))
    head, size = model.head.weight.numel(), model.head.weight.element_size()
    width, layers = model.head.in_features, len(model.blocks)
    phase.calls += 1
    phase.tokens += tokens
    phase.seconds += seconds
    phase.operations += 2 * (inner * tokens + head * scored) + 4 * width * layers * met
    phase.bytes += size * (inner + head + 2 * layers * width * (tokens + read))
