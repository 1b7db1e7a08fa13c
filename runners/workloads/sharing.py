"""How the ranks of a trial share the steps of a bundled model: each its part of the batch, gradients exchanged.

The group of the ranks was formed by the worker. `sharding: none` keeps the whole model on each rank and averages the
gradients while the backward pass runs (DistributedDataParallel); `sharding: fsdp` spreads parameters, gradients and the
optimizer's state over the ranks (fully_shard, FSDP2). In both, with equal parts and mean losses, the step is that of
one process on the whole batch, rounding apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import torch
from torch import distributed, nn

from ...schemas.errors import UserError
from .interface import Request

SHARDINGS = ("none", "fsdp")
BUCKET_MIB = 25


class Sharing:
    """The ranks that train a model together, seen from one of them."""

    def __init__(self, rank: int = 0, ranks: int = 1, sharding: str = "none", backend: str = "none") -> None:
        self.rank, self.ranks, self.sharding, self.backend = rank, ranks, sharding, backend

    def part(self, values: torch.Tensor) -> torch.Tensor:
        """Return this rank's rows of a global batch."""
        return values.chunk(self.ranks)[self.rank] if self.ranks > 1 else values

    def shared(self, module: nn.Module, device: str) -> Any:
        """Return the module as the ranks share it."""
        if self.ranks == 1:
            return module
        if self.sharding == "fsdp":
            from torch.distributed.fsdp import fully_shard

            return fully_shard(module)
        on = [device] if device.startswith("cuda") else None
        return nn.parallel.DistributedDataParallel(module, device_ids=on, bucket_cap_mb=BUCKET_MIB)

    def exchanging(self, model: Any, last: bool) -> AbstractContextManager[Any]:
        """Exchange gradients in the last micro-batch of a step only."""
        if self.ranks == 1:
            return nullcontext()
        if self.sharding == "fsdp":
            model.set_requires_gradient_sync(last)
            return nullcontext()
        waiting: AbstractContextManager[Any] = nullcontext() if last else model.no_sync()
        return waiting

    def effective(self) -> dict[str, Any]:
        """Return the options that say how the work is shared."""
        if self.ranks == 1:
            return {}
        buckets = f"{BUCKET_MIB} MiB" if self.sharding == "none" else "one unit"
        return {
            "data_parallel": self.ranks,
            "devices": self.ranks,
            "bucketing": buckets,
            "overlap": True,
            "sharding": self.sharding,
        }


def sharing_of(request: Request) -> Sharing:
    """Return how the ranks of this trial share a model; alone where the worker formed no group.

    Raises:
        UserError: the requested sharding does not exist.
    """
    sharding = _requested(request.options)
    if not distributed.is_available() or not distributed.is_initialized():
        if sharding != "none":
            raise UserError("a single rank cannot share a model", "ask for ranks", "/options/sharding")
        return Sharing()
    return Sharing(distributed.get_rank(), distributed.get_world_size(), sharding, distributed.get_backend())


def _requested(options: Mapping[str, Any]) -> str:
    found = options.get("sharding", "none")
    if found not in SHARDINGS:
        raise UserError(f"there is no sharding {found}", f"ask for {' or '.join(SHARDINGS)}", "/options/sharding")
    return str(found)


def alone(name: str) -> None:
    """Refuse to run a workload of one process several times beside itself.

    Raises:
        UserError: the worker formed a group.
    """
    if distributed.is_available() and distributed.is_initialized():
        todo = "leave the launcher's ranks out, or take a workload that trains"
        raise UserError(f"{name} runs in one process", todo, "/launcher/ranks")
