"""Another rank of a workload: `python -P -m dlaudit.runners.workloads.peer SEAT`, started by rank 0.

It builds the workload that rank 0 builds and makes its steps until rank 0 is gone. It measures nothing and writes
nothing.
"""

from __future__ import annotations

import os
import sys
from typing import cast, get_args

import msgspec

from ..study.orders import Named
from ..trial.attempt import die_with
from . import load, ranks
from .interface import Kind, Request


def main(arguments: list[str]) -> int:
    """Take the seat and work."""
    seat = msgspec.json.decode(arguments[0], type=ranks.Seat)
    assert seat.kind in get_args(Kind)
    ask = die_with(seat.parent)
    if ask is not None:
        ask()
    import torch

    torch.set_num_threads(seat.threads)
    torch.manual_seed(seat.seed)
    store = ranks.meeting_point(seat.port, first=False)
    store.set(f"ready/{seat.rank}", "1")
    backend = "nccl" if seat.device.startswith("cuda") else "gloo"
    ranks._joined.append(ranks.Joined(rank=seat.rank, ranks=seat.ranks, backend=backend))
    ranks.join(store, ranks._joined[0], seat.device)
    workload = load(Named(name=seat.name, parameters=seat.parameters))
    workload.build(Request(options=seat.options, seed=seat.seed, device=seat.device, kind=cast("Kind", seat.kind)))
    batches = iter(workload.batches())
    while True:
        batch = next(batches)
        try:
            workload.step(batch)
        except RuntimeError:
            return 0  # rank 0 is gone, and with it what there was to do


if __name__ == "__main__":
    code = main(sys.argv[1:])
    sys.stderr.flush()
    os._exit(code)  # the destructors of a group whose other side is gone may abort
