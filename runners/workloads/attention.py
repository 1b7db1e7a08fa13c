"""`attention`: exact scaled dot-product attention, forward.

Parameters: `batch` (4), `heads` (4), `length` (128), `head_width` (32), `causal` (true). Operations: 4 head_width for
every pair of a query with a key that it may see (2 for the score, 2 for the weighted sum), the softmax not counted; a
causal head has length (length + 1) / 2 pairs, another length^2. Values moved: 4 batch heads length head_width.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from torch.nn import functional

from . import parameters
from .interface import Workload
from .kernel import Kernel, KernelWorkload

NAME = "attention"


def make(given: Mapping[str, Any]) -> Workload:
    """Make the workload.

    Raises:
        UserError: a parameter is unknown or unusable.
    """
    size = parameters.read(given, parameters.Attention, NAME)
    shape = (size.batch, size.heads, size.length, size.head_width)
    pairs = size.length * (size.length + 1) // 2 if size.causal else size.length**2
    kind = "causal" if size.causal else "full"
    values = size.batch * size.heads * size.length * size.head_width
    return KernelWorkload(
        Kernel(
            name=NAME,
            label=f"attention-{kind}-b{size.batch}-h{size.heads}-l{size.length}-w{size.head_width}",
            shapes=(shape, shape, shape),
            run=lambda query, key, value: functional.scaled_dot_product_attention(
                query, key, value, is_causal=size.causal
            ),
            operations=4 * size.head_width * pairs * size.batch * size.heads,
            formula="4 head_width operations per visible pair and head, softmax not counted; 4 tensors moved",
            dimensions={"batch": size.batch, "heads": size.heads, "length": size.length, "head_width": size.head_width},
            values_moved=4 * values,
            attention="exact",
        )
    )
