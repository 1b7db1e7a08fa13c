"""Kernels: one operation on fixed operands, with its operation and byte counts. None has a loss or can be trained."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch

from ...schemas.errors import UserError
from . import streams
from .interface import Built, Evaluation, Request
from .precision import kernel_format
from .sharing import alone

Operands = tuple[torch.Tensor, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kernel:
    """What one kernel is."""

    name: str
    label: str
    """Its name with its sizes."""
    shapes: tuple[tuple[int, ...], ...]
    """Shapes of the operands, which are drawn from a normal distribution; a preallocated output may be among them."""
    run: Callable[..., object]
    """Does the work on the operands."""
    operations: int
    """Operations of one iteration (FMA = 2); 0 for a kernel whose work is the bytes that it moves."""
    formula: str
    """How operations and moved values were counted."""
    dimensions: dict[str, int]
    values_moved: int
    """Values that are read or written, each counted once."""
    attention: str | None = None
    emulation: Callable[[Operands], dict[str, Any]] | None = None
    """Measures what the kernel emulates, as `emulation` in common.schema.json; None where it emulates nothing."""


class KernelWorkload:
    """A kernel as a workload.

    Args:
        kernel: what it is.
    """

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel

    def build(self, request: Request) -> Built:
        """Draw the operands."""
        kernel = self._kernel
        if request.kind == "convergence":
            raise UserError(f"{kernel.name} is a kernel: it does not converge", "use a training workload", "/workload")
        alone(kernel.name)
        compute, dtype = kernel_format(request.options, request.device)
        drawn = streams.normal(kernel.shapes, request.seed)
        self._operands: Operands = tuple(operand.to(request.device, dtype) for operand in drawn)
        effective: dict[str, Any] = {
            "model": kernel.label,
            "dataset": "synthetic",
            "input_shape": list(kernel.shapes[0]),
            "precision": {"compute": compute, "tf32": compute == "tf32"},
            "devices": 1,
            "compile": False,
            "extra": {"pipeline": "none", "inputs": "normal(0, 1)"},
        }
        if kernel.attention is not None:
            effective["attention"] = kernel.attention
        bytes_moved = kernel.values_moved * dtype.itemsize
        operations: dict[str, Any] = {
            "counted": "model",
            "method": kernel.formula,
            "dimensions": kernel.dimensions,
            "bytes_moved": bytes_moved,
        }
        if kernel.emulation is not None:
            operations["emulation"] = kernel.emulation(self._operands)
        if kernel.operations:
            operations["flop_per_sample"] = kernel.operations
        return Built(
            effective=effective,
            work_per_iteration=kernel.operations or bytes_moved,
            work_unit="operations" if kernel.operations else "bytes",
            samples_per_iteration=0,
            pipeline={"kind": "none"},
            operations=operations,
        )

    def batches(self) -> Iterator[Operands]:
        """Return the operands for ever."""
        return streams.repeated(self._operands)

    @torch.no_grad()
    def step(self, batch: Operands) -> None:
        """Run the kernel once."""
        self._kernel.run(*batch)

    def evaluate(self) -> Evaluation:
        """Refuse: `build` does not let a convergence check come this far."""
        raise NotImplementedError
