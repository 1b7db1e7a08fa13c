"""Collectives: one message exchanged over several ranks, timed as a kernel.

Parameters: `ranks` (2), `message_bytes` (1,048,576), `sweep_bytes` (4 KiB, 64 KiB, 1 MiB, 16 MiB). The message is what
a rank holds in the end of an all-gather, in the beginning of the others. The work of an iteration is the message: its
rate is the algorithm bandwidth S / t. The bus bandwidth is that times a factor, the bytes that each of p ranks must
send and receive whatever the algorithm, so that it can be held against the speed of the links (NCCL tests,
PERFORMANCE.md): 2 (p - 1) / p for an all-reduce, (p - 1) / p for the others. The sizes of `sweep_bytes` are timed once
before, in blocks; through them goes t = latency + S / bandwidth, by least squares of the relative residuals.

A reduction is the maximum: a sum that is repeated in place would leave the range of its format.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any, Literal

import msgspec
import torch
from torch import distributed

from ...rules.statistics.intervals import median, rounded
from ...schemas.errors import UserError
from . import latency, parameters, ranks, streams
from .interface import Built, Evaluation, Request
from .precision import kernel_format

BLOCKS, PER_BLOCK, WARMUP = 5, 4, 2
Kind = Literal["all_reduce", "all_gather", "reduce_scatter", "all_to_all"]
REDUCTIONS = ("all_reduce", "reduce_scatter")
FACTORS: dict[str, str] = dict.fromkeys(("all_gather", "reduce_scatter", "all_to_all"), "(ranks - 1) / ranks")
FACTORS["all_reduce"] = "2 (ranks - 1) / ranks"


def bus_factor(kind: Kind, count: int) -> float:
    """Return bus bandwidth over algorithm bandwidth of a collective over so many ranks."""
    return (2 if kind == "all_reduce" else 1) * (count - 1) / count


class Collective:
    """A collective.

    Args:
        kind: which one.
        chosen: its sizes.
    """

    def __init__(self, kind: Kind, chosen: parameters.AllReduce) -> None:
        self._kind, self._chosen = kind, chosen
        self._name = kind.replace("_", "-")

    def build(self, request: Request) -> Built:
        """Start the other ranks, draw the message, and time the sizes of the sweep."""
        chosen = self._chosen
        if request.kind == "convergence":
            raise UserError(f"{self._name} is a kernel: it does not converge", "use a training workload", "/workload")
        compute, dtype = kernel_format(request.options, request.device)
        place = ranks.together(self._name, msgspec.to_builtins(chosen), chosen.ranks, request)
        self._device, self._seed = ranks.device_of(request.device, 0), request.seed + place.rank
        with ranks.exchanging():
            sweep = [self._timed(size, dtype) for size in chosen.sweep_bytes] if request.kind == "throughput" else []
        self._message = self._drawn(chosen.message_bytes, dtype)
        effective: dict[str, Any] = {
            "model": f"{self._name}-b{chosen.message_bytes}-r{chosen.ranks}",
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
                "method": f"the message once; the bus carries {FACTORS[self._kind]} of it",
                "dimensions": {"values": len(self._message), "ranks": chosen.ranks},
                "collective": {
                    "kind": self._kind,
                    **({"reduction": "max"} if self._kind in REDUCTIONS else {}),
                    "backend": place.backend,
                    "ranks": chosen.ranks,
                    "message_bytes": chosen.message_bytes,
                    "bus_factor": rounded(bus_factor(self._kind, chosen.ranks)),
                    "sweep": sweep,
                    **latency.fitted([(one["message_bytes"], one["time_s"]) for one in sweep]),
                },
            },
        )

    def batches(self) -> Iterator[tuple[torch.Tensor, ...]]:
        """Return the message for ever."""
        return streams.repeated((self._message,))

    def step(self, batch: tuple[torch.Tensor, ...]) -> None:
        """Exchange the message once.

        Raises:
            UserError: another rank has ended.
        """
        with ranks.exchanging():
            self._exchange(batch[0])

    def evaluate(self) -> Evaluation:
        """Refuse: `build` does not let a convergence check come this far."""
        raise NotImplementedError

    def _exchange(self, message: torch.Tensor) -> None:
        """Exchange a message; what is only a part of it lies at its head."""
        part = message[: len(message) // self._chosen.ranks]
        if self._kind == "all_reduce":
            distributed.all_reduce(message, op=distributed.ReduceOp.MAX)
        elif self._kind == "all_gather":
            distributed.all_gather_into_tensor(message, part.clone())
        elif self._kind == "reduce_scatter":
            distributed.reduce_scatter_tensor(torch.empty_like(part), message, op=distributed.ReduceOp.MAX)
        else:
            distributed.all_to_all_single(torch.empty_like(message), message)

    def _drawn(self, size: int, dtype: torch.dtype) -> torch.Tensor:
        (values,) = streams.normal([(size // dtype.itemsize,)], self._seed)
        return values[: len(values) // self._chosen.ranks * self._chosen.ranks].to(self._device, dtype)

    def _timed(self, size: int, dtype: torch.dtype) -> dict[str, Any]:
        """Return what a message of one size takes: the median of blocks, the device waited for around each."""
        message = self._drawn(size, dtype)
        times = []
        for repeated in (WARMUP, *[PER_BLOCK] * BLOCKS):
            self._settle()
            began = time.perf_counter()
            for _ in range(repeated):
                self._exchange(message)
            self._settle()
            times.append((time.perf_counter() - began) / repeated)
        time_s = median(times[1:])
        return {
            "message_bytes": size,
            "repetitions": BLOCKS * PER_BLOCK,
            "time_s": rounded(time_s),
            "algorithm_bytes_per_s": rounded(size / time_s),
            "bus_bytes_per_s": rounded(size / time_s * bus_factor(self._kind, self._chosen.ranks)),
        }

    def _settle(self) -> None:
        if self._device.startswith("cuda"):
            torch.cuda.synchronize(self._device)
