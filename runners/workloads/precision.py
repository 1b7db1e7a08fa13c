"""Number formats: choosing them, naming them, and probing what a product really keeps.

fp32 products are made exact on every backend: torch lets cuDNN convolutions run in TF32 unless told otherwise, and a
run so labelled would not be fp32.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any

import torch

from ...schemas.errors import UserError

FORMATS = {
    torch.float64: "fp64",
    torch.float32: "fp32",
    torch.bfloat16: "bf16",
    torch.float16: "fp16",
    torch.int64: "int64",
    torch.int32: "int32",
    torch.uint8: "uint8",
    torch.int8: "int8",
    torch.bool: "bool",
    torch.float8_e4m3fn: "e4m3",
    torch.float8_e5m2: "e5m2",
}
HALVES = {"bf16": torch.bfloat16, "fp16": torch.float16}
NO_SCALING, DYNAMIC = "none", "dynamic"
MANTISSA_FORMATS = {23: "fp32", 10: "tf32", 7: "bf16"}
"""Format by explicit mantissa bits that an fp32 product under the current settings keeps."""


def format_name(dtype: torch.dtype) -> str:
    """Return our name of a torch format."""
    return FORMATS.get(dtype, str(dtype).removeprefix("torch."))


@dataclass(frozen=True, slots=True)
class Precision:
    """The formats of a training step."""

    compute: str
    """fp32, tf32, bf16 or fp16 (both autocast); weights, sums and optimizer state are fp32."""
    device: str

    def autocast(self) -> AbstractContextManager[Any]:
        """Return the context in which a forward pass runs."""
        if self.compute not in HALVES:
            return nullcontext()
        return torch.autocast(torch.device(self.device).type, dtype=HALVES[self.compute])

    def scaler(self, loss_scaling: str) -> torch.amp.GradScaler:
        """Return what scales the loss of a step; it does nothing where the loss is not scaled.

        Args:
            loss_scaling: none, or dynamic: gradients of fp16 vanish without.
        """
        return torch.amp.GradScaler(torch.device(self.device).type, enabled=loss_scaling == DYNAMIC)

    def effective(self) -> dict[str, Any]:
        """Return this as the `precision` of an option set."""
        cuda = torch.backends.cuda.matmul
        return {
            "compute": self.compute,
            "accumulate": "fp32",
            "weights": "fp32",
            "tf32": self.compute == "tf32",
            "reduced_reduction": self.device.startswith("cuda")
            and (
                (self.compute == "bf16" and bool(cuda.allow_bf16_reduced_precision_reduction))
                or (self.compute == "fp16" and bool(cuda.allow_fp16_reduced_precision_reduction))
            ),
            "fast_math": False,
        }


def training_precision(requested: Mapping[str, Any], device: str) -> Precision:
    """Choose the formats of a training step and set the switches of torch accordingly.

    Raises:
        UserError: the formats cannot be had here, or contradict each other.
    """
    asked = requested.get("precision") or {}
    return Precision(_compute(asked, device, ("fp32", "tf32", *HALVES)), device)


def kernel_format(requested: Mapping[str, Any], device: str) -> tuple[str, torch.dtype]:
    """Choose the format of a kernel's operands and set the switches of torch accordingly.

    Raises:
        UserError: the format cannot be had here.
    """
    dtypes = {"fp32": torch.float32, "tf32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}
    dtypes["fp64"] = torch.float64
    compute = _compute(requested.get("precision") or {}, device, tuple(dtypes))
    return compute, dtypes[compute]


def _compute(asked: Mapping[str, Any], device: str, permitted: tuple[str, ...]) -> str:
    tf32 = bool(asked.get("tf32", False))
    compute = str(asked.get("compute", "tf32" if tf32 else "fp32"))
    where = "/options/precision"
    if compute not in permitted:
        raise UserError(f"precision.compute cannot be {compute}", f"ask for one of {', '.join(permitted)}", where)
    if "tf32" in asked and tf32 != (compute == "tf32"):
        raise UserError(f"tf32: {asked['tf32']} contradicts compute: {compute}", "leave one of them out", where)
    if compute == "tf32" and not device.startswith("cuda"):
        raise UserError("tf32 exists on CUDA devices only", "ask for fp32", where)
    _switch_tf32(compute == "tf32")
    return compute


def _switch_tf32(on: bool) -> None:
    matmul, cudnn = torch.backends.cuda.matmul, torch.backends.cudnn
    if hasattr(matmul, "fp32_precision"):  # reading the older switches is an error once these are set
        value = "tf32" if on else "ieee"
        matmul.fp32_precision = value
        cudnn.conv.fp32_precision = value  # type: ignore[attr-defined]
        cudnn.rnn.fp32_precision = value  # type: ignore[attr-defined]
    else:
        matmul.allow_tf32 = on
        cudnn.allow_tf32 = on


def product_mantissa_bits(precision_context: AbstractContextManager[Any], device: str) -> int:
    """Return how many explicit mantissa bits an fp32 product keeps: the largest k with (1 + 2^-k) x 1 exact.

    Each row of a matrix holds one 1 + 2^-k; it is multiplied with the identity under the given context.

    Args:
        precision_context: the context in which the workload's forward pass runs.
        device: the device.
    """
    rows = _nearly_one().unsqueeze(1).expand(64, 64).contiguous().to(device)
    with torch.no_grad(), precision_context:
        product = rows @ torch.eye(64, device=device)
    return _kept_bits(product[:, 0])


def convolution_mantissa_bits(precision_context: AbstractContextManager[Any], device: str) -> int:
    """Return the same of a convolution: 64 images, each of one 1 + 2^-k, and 3 x 3 kernels that hand channels on.

    Args:
        precision_context: the context in which the workload's forward pass runs.
        device: the device.
    """
    images = _nearly_one().view(64, 1, 1, 1).expand(64, 64, 8, 8).contiguous().to(device)
    kernels = torch.zeros(64, 64, 3, 3, device=device)
    kernels[range(64), range(64), 1, 1] = 1
    with torch.no_grad(), precision_context:
        handed_on = torch.nn.functional.conv2d(images, kernels, padding=1)
    return _kept_bits(handed_on[:, 0, 4, 4])


PROBES = {"matmul": product_mantissa_bits, "conv": convolution_mantissa_bits}
"""Probes of what an operation keeps, by operation."""


def _nearly_one() -> torch.Tensor:
    """Return 1 + 2^-k for k from 1 to 64, in fp32."""
    return (1 + torch.exp2(-torch.arange(1, 65, dtype=torch.float64))).to(torch.float32)


def _kept_bits(values: torch.Tensor) -> int:
    """Return the largest k of which 1 + 2^-k came through unchanged."""
    exponents = torch.arange(1, 65, dtype=torch.float64)
    kept = (values.to(torch.float64).cpu() == 1 + torch.exp2(-exponents)) & (exponents < 53)
    return int(exponents[kept].max()) if bool(kept.any()) else 0
