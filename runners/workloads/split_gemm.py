"""`split-gemm`: an fp32 product emulated by int8 products, exact sums of which are put together again.

Parameters: `m`, `n`, `k` (256 each), `slices` (3). Each row of the left and each column of the right matrix is scaled
by a power of two and cut into `slices` pieces of 7 bits; the products of pieces i and j with i + j < slices are taken
in int8 with int32 sums, which are exact (Ozaki et al., Numerical Algorithms 59, 2012; Ootomo et al. 2024 for int8).

Operations: 2 m n k, those of the product that is emulated. The native ones, slices (slices + 1) / 2 times as many,
stand in the formula; the mantissa bits that the result keeps are measured against fp64 and stated with the format that
runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import log2
from typing import Any

import torch

from ...rules.statistics.intervals import rounded
from . import parameters
from .interface import Workload
from .kernel import Kernel, KernelWorkload, Operands

NAME = "split-gemm"
BITS = parameters.SPLIT_BITS


def make(given: Mapping[str, Any]) -> Workload:
    """Make the workload.

    Raises:
        UserError: a parameter is unknown or unusable.
    """
    size = parameters.read(given, parameters.SplitGemm, NAME)
    m, n, k, slices = size.m, size.n, size.k, size.slices
    products = slices * (slices + 1) // 2
    return KernelWorkload(
        Kernel(
            name=NAME,
            label=f"split-gemm-m{m}-n{n}-k{k}-s{slices}",
            shapes=((m, k), (k, n)),
            run=lambda left, right: product(left, right, slices),
            operations=2 * m * n * k,
            formula=f"2 m n k operations emulated by {products} int8 products of 2 m n k each",
            dimensions={"m": m, "n": n, "k": k, "slices": slices},
            values_moved=m * k + k * n + m * n,
            emulation=lambda operands: emulation(operands, slices),
        )
    )


def product(left: torch.Tensor, right: torch.Tensor, slices: int) -> torch.Tensor:
    """Return the emulated product of [m, k] and [k, n], in fp32."""
    left_pieces, left_scale = _pieces(left, slices, dim=1)
    right_pieces, right_scale = _pieces(right, slices, dim=0)
    total = torch.zeros(left.shape[0], right.shape[1], dtype=torch.float32, device=left.device)
    for order in reversed(range(slices)):  # the small ones first
        for i in range(order + 1):
            exact = torch._int_mm(left_pieces[i], right_pieces[order - i])
            total += exact.to(torch.float32) * 2.0 ** (-BITS * (order + 2))
    return total * left_scale * right_scale


def _pieces(values: torch.Tensor, slices: int, dim: int) -> tuple[list[torch.Tensor], torch.Tensor]:
    """Cut values into pieces of 7 bits, most telling first, below a power of two for each row or column."""
    largest = values.abs().amax(dim=dim, keepdim=True).clamp_min(torch.finfo(values.dtype).tiny)
    scale = torch.exp2(torch.floor(torch.log2(largest)) + 1)
    rest, pieces = values / scale, []
    for _ in range(slices):
        rest = rest * 2.0**BITS
        piece = torch.trunc(rest)
        pieces.append(piece.to(torch.int8).contiguous())
        rest = rest - piece
    return pieces, scale


def emulation(operands: Operands, slices: int) -> dict[str, Any]:
    """Return what is emulated by what, with the bits that the result keeps, against a product in fp64."""
    left, right = operands[0], operands[1]
    exact = left.double() @ right.double()
    size = left.double().abs() @ right.double().abs()
    error = float(((product(left, right, slices).double() - exact).abs() / size).max())
    return {
        "scheme": f"{slices} slices of {BITS} bits, int8 products with exact int32 sums",
        "native_format": "int8",
        "retained_bits": rounded(-log2(error)) if error > 0 else 53,
        "error": f"largest error {error:.2g} of the sum of magnitudes, against fp64",
    }
