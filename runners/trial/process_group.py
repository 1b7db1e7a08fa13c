"""The group of the ranks of a trial, formed by its worker from torchrun's variables before the workload is built."""

from __future__ import annotations

import os
from datetime import timedelta
from typing import Any

from ...schemas.errors import UserError

TIMEOUT_S = 300.0
"""How long a collective may take."""
LOOPBACK = ("127.0.0.1", "::1", "localhost")


def join(device: str) -> str:
    """Form the group, and make sure that all ranks are in it; return its back end.

    Tensors on the processor are exchanged by Gloo, those on CUDA devices by NCCL.

    Raises:
        UserError: this torch cannot exchange.
    """
    import torch
    from torch import distributed

    backend = "nccl" if device.startswith("cuda") else "gloo"
    there = distributed.is_available() and getattr(distributed, f"is_{backend}_available")()
    if not there:
        raise UserError(f"this torch was built without {backend}", "install one with it", "/workload")
    if os.environ.get("MASTER_ADDR") in LOOPBACK:
        os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
    if backend == "nccl":
        torch.cuda.set_device(device)
    name = "cpu:gloo,cuda:nccl" if backend == "nccl" else backend
    distributed.init_process_group(name, timeout=timedelta(seconds=TIMEOUT_S))
    numbers = torch.ones(1, device=device)
    distributed.all_reduce(numbers)
    if int(numbers) != distributed.get_world_size():
        raise UserError(f"an all-reduce over ones summed up to {int(numbers)}", "", "/launcher")
    return backend


def agreed(value: bool) -> bool:
    """Return what rank 0 says."""
    import torch
    from torch import distributed

    told: Any = torch.tensor([float(value)])
    distributed.broadcast(told, src=0)
    return bool(told.item())
