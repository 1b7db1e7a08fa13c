"""The place of a worker among the ranks of its trial: told by torchrun's variables, recorded from inside.

A rendezvous follows nobody's order: which rank runs on which node and device is known only in the rank itself.
"""

from __future__ import annotations

import os
import re
import socket
import sys
from collections.abc import Mapping
from pathlib import Path

import msgspec

from ...schemas.errors import UserError
from .clock_offset import Offset
from .events import Clock, Placed

ENDING = ".events.jsonl"
EXCHANGE = ("NCCL_", "GLOO_", "TORCH_NCCL_", "TORCH_DISTRIBUTED_")
ALSO = ("OMP_NUM_THREADS", "CUDA_VISIBLE_DEVICES", "MASTER_ADDR")
NODE_NAME = "DLAUDIT_NODE_NAME"
"""Variable that says what the scheduler calls this node, where it does not say so itself."""
MOST_VARIABLES = 100
DISCONNECTED = re.compile(r"gloo|nccl|connection (?:closed|reset|refused)|peer|broken pipe|timed out|store", re.I)


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """Where a worker stands."""

    rank: int = 0
    ranks: int = 1
    local_rank: int = 0
    local_ranks: int = 1


def place_of(ranks: int, variables: Mapping[str, str] = os.environ) -> Place:
    """Return the place of this process in a trial of so many ranks.

    Raises:
        UserError: its launcher started another number of them, or does not say which this is.
    """
    if ranks == 1:
        return Place()
    try:
        rank, world = int(variables["RANK"]), int(variables["WORLD_SIZE"])
        local, on_node = int(variables["LOCAL_RANK"]), int(variables.get("LOCAL_WORLD_SIZE", "1"))
    except (KeyError, ValueError):
        raise UserError("the launcher gives no rank", "start it by `dlaudit run`", "/launcher") from None
    if world != ranks or not 0 <= rank < world:
        raise UserError(f"the launcher started {world} ranks of {ranks}", "correct the launcher", "/launcher/ranks")
    return Place(rank=rank, ranks=world, local_rank=local, local_ranks=on_node)


def events_of(path: Path, rank: int) -> Path:
    """Return the events file of a rank; that of rank 0 is the trial's."""
    return path if rank == 0 else path.with_name(f"{path.name.removesuffix(ENDING)}.rank-{rank}{ENDING}")


def device_of(first: str, local_rank: int) -> str:
    """Return the device of a rank on its node: the processor for all, or the CUDA devices from the first one on."""
    found = re.fullmatch(r"cuda:([0-9]+)", first)
    return first if found is None else f"cuda:{int(found[1]) + local_rank}"


def placed(place: Place, device: str, offset: Offset) -> Placed:
    """Return what a rank tells of where it runs."""
    variables = {
        name: value[:500] for name, value in sorted(os.environ.items()) if name.startswith(EXCHANGE) or name in ALSO
    }
    clock = Clock(offset_s=offset.offset_s, uncertainty_s=offset.uncertainty_s, evidence=offset.evidence)
    return Placed(
        rank=place.rank,
        ranks=place.ranks,
        local_rank=place.local_rank,
        host=host(),
        device=device,
        processors=len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None,
        variables=dict(list(variables.items())[:MOST_VARIABLES]),
        clock=clock,
    )


def host() -> str:
    """Return the name of this node: as its scheduler calls it, else its own."""
    return os.environ.get(NODE_NAME) or os.environ.get("SLURMD_NODENAME") or socket.gethostname()


def is_disconnection(error: BaseException) -> bool:
    """Whether an error only says that another rank is gone."""
    return isinstance(error, RuntimeError) and DISCONNECTED.search(str(error)) is not None


def share_threads(place: Place) -> None:
    """Give each rank of a node its part of the processors, where nobody says how many threads it has."""
    if place.ranks == 1 or "OMP_NUM_THREADS" in os.environ or sys.platform != "linux":
        return
    os.environ["OMP_NUM_THREADS"] = str(max(1, len(os.sched_getaffinity(0)) // place.local_ranks))
