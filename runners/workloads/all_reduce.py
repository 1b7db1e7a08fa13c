"""`all-reduce`: one message reduced over several ranks, each a process on this machine, and left with all of them.

Parameters: `ranks` (2), `message_bytes` (1,048,576), `sweep_bytes` (4 KiB, 64 KiB, 1 MiB, 16 MiB). The work of an
iteration is the message: its rate is the algorithm bandwidth S / t. The bus bandwidth is 2 (p - 1) / p times that, the
bytes that each of p ranks must send and receive whatever the algorithm, so that it can be held against the speed of the
links (NCCL tests, PERFORMANCE.md). The sizes of `sweep_bytes` are timed once before, in blocks.

The reduction is the maximum: a sum that is repeated in place would leave the range of its format.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
import torch
from torch import distributed

from ...rules.statistics.intervals import median, rounded
from ...schemas.errors import UserError
from . import parameters, ranks, streams
from .interface import Built, Evaluation, Request, Workload
from .precision import kernel_format

NAME = "all-reduce"
BLOCKS, PER_BLOCK, WARMUP = 5, 4, 2


def make(given: Mapping[str, Any]) -> Workload:
    """Make the workload.

    Raises:
        UserError: a parameter is unknown or unusable.
    """
    chosen = parameters.read(given, parameters.AllReduce, NAME)
    return AllReduce(chosen)


def bus_factor(count: int) -> float:
    """Return bus bandwidth over algorithm bandwidth of an all-reduce over so many ranks."""
    return 2 * (count - 1) / count


class AllReduce:
    """An all-reduce in place."""

    def __init__(self, chosen: parameters.AllReduce) -> None:
        self._chosen = chosen

    def build(self, request: Request) -> Built:
        """Start the other ranks, draw the message, and time the sizes of the sweep."""
        chosen = self._chosen
        if request.kind == "convergence":
            raise UserError(f"{NAME} is a kernel: it does not converge", "use a training workload", "/workload")
        compute, dtype = kernel_format(request.options, request.device)
        place = ranks.together(NAME, msgspec.to_builtins(chosen), chosen.ranks, request)
        self._device, self._seed = ranks.device_of(request.device, 0), request.seed + place.rank
        with ranks.exchanging():
            sweep = [self._timed(size, dtype) for size in chosen.sweep_bytes] if request.kind == "throughput" else []
        self._message = self._drawn(chosen.message_bytes, dtype)
        effective: dict[str, Any] = {
            "model": f"{NAME}-b{chosen.message_bytes}-r{chosen.ranks}",
            "dataset": "synthetic",
            "input_shape": [len(self._message)],
            "precision": {"compute": compute, "tf32": compute == "tf32"},
            "devices": chosen.ranks,
            "compile": False,
            "extra": {"pipeline": "none", "inputs": "normal(0, 1)", "backend": place.backend, "ranks": chosen.ranks},
        }
        return Built(
            effective=effective,
            work_per_iteration=chosen.message_bytes,
            work_unit="bytes",
            samples_per_iteration=0,
            pipeline={"kind": "none"},
            operations={
                "method": "the message once; the bus carries 2 (ranks - 1) / ranks of it",
                "dimensions": {"values": len(self._message), "ranks": chosen.ranks},
                "collective": {
                    "kind": "all_reduce",
                    "reduction": "max",
                    "backend": place.backend,
                    "ranks": chosen.ranks,
                    "message_bytes": chosen.message_bytes,
                    "bus_factor": rounded(bus_factor(chosen.ranks)),
                    "sweep": sweep,
                },
            },
        )

    def batches(self) -> Iterator[tuple[torch.Tensor, ...]]:
        """Return the message for ever."""
        return streams.repeated((self._message,))

    def step(self, batch: tuple[torch.Tensor, ...]) -> None:
        """Reduce the message once.

        Raises:
            UserError: another rank has ended.
        """
        with ranks.exchanging():
            distributed.all_reduce(batch[0], op=distributed.ReduceOp.MAX)

    def evaluate(self) -> Evaluation:
        """Refuse: `build` does not let a convergence check come this far."""
        raise NotImplementedError

    def _drawn(self, size: int, dtype: torch.dtype) -> torch.Tensor:
        (values,) = streams.normal([(size // dtype.itemsize,)], self._seed)
        return values.to(self._device, dtype)

    def _timed(self, size: int, dtype: torch.dtype) -> dict[str, Any]:
        """Return what a message of one size takes: the median of blocks, the device waited for around each."""
        message = self._drawn(size, dtype)
        times = []
        for repeated in (WARMUP, *[PER_BLOCK] * BLOCKS):
            self._settle()
            began = time.perf_counter()
            for _ in range(repeated):
                distributed.all_reduce(message, op=distributed.ReduceOp.MAX)
            self._settle()
            times.append((time.perf_counter() - began) / repeated)
        time_s = median(times[1:])
        return {
            "message_bytes": size,
            "repetitions": BLOCKS * PER_BLOCK,
            "time_s": rounded(time_s),
            "algorithm_bytes_per_s": rounded(size / time_s),
            "bus_bytes_per_s": rounded(size / time_s * bus_factor(self._chosen.ranks)),
        }

    def _settle(self) -> None:
        if self._device.startswith("cuda"):
            torch.cuda.synchronize(self._device)
