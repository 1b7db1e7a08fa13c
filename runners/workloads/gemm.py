"""`gemm`: the product of an m x k and a k x n matrix into a matrix made before. Parameters: `m`, `n`, `k` (512 each).

Operations: 2 m n k. Values moved: m k + k n + m n.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch

from . import parameters
from .interface import Workload
from .kernel import Kernel, KernelWorkload

NAME = "gemm"


def make(given: Mapping[str, Any]) -> Workload:
    """Make the workload.

    Raises:
        UserError: a parameter is unknown or unusable.
    """
    size = parameters.read(given, parameters.Gemm, NAME)
    m, n, k = size.m, size.n, size.k
    return KernelWorkload(
        Kernel(
            name=NAME,
            label=f"gemm-m{m}-n{n}-k{k}",
            shapes=((m, k), (k, n), (m, n)),
            run=lambda left, right, product: torch.mm(left, right, out=product),
            operations=2 * m * n * k,
            formula="2 m n k operations; m k + k n + m n values moved",
            dimensions={"m": m, "n": n, "k": k},
            values_moved=m * k + k * n + m * n,
        )
    )
