"""How much work a step is: counted from the batches themselves, so that a short last batch counts as what it is.

Tokens are those that a mask leaves in; padded ones are counted beside them and never as work.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct

WorkUnit = Literal["samples", "tokens"]
MASK, TOKENS = "attention_mask", "input_ids"


class Work(Struct, frozen=True):
    """What one micro-batch holds; a count may be a tensor that is not yet read, so that nothing waits for a device."""

    samples: int
    tokens: Any = None
    """Tokens that count; None where the batch has none."""
    all_tokens: int | None = None
    """Tokens with the padded ones."""


def of_batch(batch: Any) -> Work:
    """Return the work of a batch: a tensor, a mapping or a sequence of such; one of none is one sample."""
    if isinstance(batch, Mapping):
        ids, mask = batch.get(TOKENS), batch.get(MASK)
        if ids is not None and hasattr(ids, "numel"):
            return Work(_rows(ids), ids.numel() if mask is None else mask.sum(), ids.numel())
    first = _first(batch)
    return Work(_rows(first) if first is not None else 1)


def _rows(tensor: Any) -> int:
    shape: Any = getattr(tensor, "shape", ())
    return int(shape[0]) if len(shape) else 1


def _first(value: Any) -> Any:
    if hasattr(value, "shape"):
        return value
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else ()
    return next((found for item in inner if (found := _first(item)) is not None), None)
