"""A workload that multiplies a matrix with itself `count` times a step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from dlaudit.runners.workloads.interface import Built, Evaluation, Request

SIZE = 192


class Products:
    """Products of one matrix, as many a step as asked for."""

    def __init__(self, count: int) -> None:
        self.count = count

    def build(self, request: Request) -> Built:
        """Draw the matrix."""
        self.matrix = torch.randn(SIZE, SIZE, device=request.device)
        effective: dict[str, Any] = {"model": "products", "global_batch": 1, **request.options}
        return Built(effective=effective, work_per_iteration=1, work_unit="samples", samples_per_iteration=1)

    def batches(self) -> Iterator[None]:
        """Yield nothing, without end."""
        while True:
            yield None

    def step(self, _batch: None) -> None:
        """Multiply."""
        for _ in range(self.count):
            torch.mm(self.matrix, self.matrix)

    def evaluate(self) -> Evaluation:
        """Refuse: there is nothing to learn."""
        raise NotImplementedError
