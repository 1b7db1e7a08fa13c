"""The accounting of one arm: a pass of its own, apart from every timing.

One step is counted below autocast, one more is traced. The first gives operations by format and phase, the second says
how much of the time goes to operators that the count covers, and counts the matrix products once more from the traced
shapes. Where less than nine tenths of the bytes or of the time are covered, the shares are not given: unknown is an
answer, a number over a part would be a guess.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import msgspec
import torch

from ...rules.case import Case
from ...rules.facts.device.specification import named_device
from ...rules.statistics.intervals import median, rounded
from ...schemas.model import to_model
from ...schemas.submission import Submission
from ..workloads.precision import MANTISSA_FORMATS, format_name, product_mantissa_bits
from . import trace as tracing
from .ceilings import FORMATS, Ceilings, ceilings, wait
from .counter import OperationCounter, Tally
from .formulas import REGISTRY, VERSION
from .operators import MOVEMENTS, REDUCTIONS
from .roofline import Roofline, roofline

LEAST_COVERAGE = 0.9
STEPS = 10
NAMED = 5
OPERATORS, LONGEST_NAME = 30, 200
GENERATED = ("CompiledFxGraph", "Torch-Compiled Region", "_fused_", "triton_", "CompiledFunction")
NO_TIME = ("cudaLaunchKernel", "cudaDeviceSynchronize", "[memory]", "ProfilerStep")


class Operator(msgspec.Struct, frozen=True, kw_only=True):
    """One operator of the traced step."""

    calls: int
    self_time_s: float
    """Time inside it, without the operators that it calls."""
    share: float
    """Of the traced time."""


class Accounting(msgspec.Struct, frozen=True, kw_only=True):
    """What one step computes."""

    registry: int
    """Version of the formula registry."""
    hardware_operations: int
    """Operations of products, convolutions, attention and the like as executed, recomputation included."""
    model_operations: int
    """The same without recomputation, causal attention as customarily counted."""
    by_format: dict[str, int]
    """Executed operations per number format."""
    by_phase: dict[str, int]
    """Executed operations per phase: forward, backward, recomputation, optimizer."""
    pointwise: dict[str, int]
    """Elements that element-wise operators and reductions handled, per format: at least one operation each."""
    fp32_means: dict[str, str]
    """Format that fp32 products and convolutions are carried out in, by probe."""
    storage_bytes: dict[str, dict[str, int]]
    """Bytes per format of weights, gradients and optimizer state."""
    coverage_bytes: float
    """Share of the bytes moved by operators that the count covers."""
    coverage_time: float | None
    """Share of the traced time in operators that the count covers; None where nothing could be traced."""
    time_shares: dict[str, float]
    """Share of the traced time by kind: contractions, pointwise, movements, generated, calls, unattributed.

    Generated is a compiler's code, which holds no product unless its autotuning may put one there; calls are what
    operators spend on calling others.
    """
    unattributed: dict[str, float]
    """The largest operators without a count, with their share of the traced time, or of the bytes without a trace."""
    operators: dict[str, Operator]
    """The operators that most of the traced time goes to, largest first."""
    traced_products: dict[str, int]
    """Operations of matrix products per format, from the traced shapes."""
    counted_products: dict[str, int]
    """The same as counted."""
    failed: dict[str, str]
    """Operators whose formula could not be applied, with the reason."""
    ceilings: Ceilings
    """What the device can do at most, measured in the same process."""
    data_sheet_flops: dict[str, float]
    """Published dense peak of the device by format, where the accelerator table knows it."""
    roofline: Roofline
    """A step beside the measured ceilings."""

    @property
    def covered(self) -> bool:
        """Whether shares over all operations may be stated."""
        least = min(self.coverage_bytes, 1.0 if self.coverage_time is None else self.coverage_time)
        return least >= LEAST_COVERAGE and not self.failed

    def operations(self, work_per_step: float) -> dict[str, Any]:
        """Return this as `operations` of an arm.

        Args:
            work_per_step: samples or tokens of one step.
        """
        found: dict[str, Any] = {
            "counted": "model",
            "method": f"counted below autocast by formula registry {self.registry}; multiply-add = 2",
            "counter_coverage": rounded(min(self.coverage_bytes, self.coverage_time or self.coverage_bytes)),
        }
        if self.covered and self.hardware_operations:
            shares = {name: count / self.hardware_operations for name, count in sorted(self.by_format.items()) if count}
            found["flop_per_sample"] = rounded(self.model_operations / work_per_step)
            found["fractions"] = {name: rounded(share) for name, share in shares.items()}
            found["counters"] = found["fractions"]
        return found


def account(
    step: Callable[[], object],
    device: str,
    model: torch.nn.Module | None,
    optimizer: torch.optim.Optimizer | None,
    keep: Path | None = None,
) -> Accounting:
    """Count one step and trace another.

    Args:
        step: makes one whole step; was called before, so that nothing is built or compiled any more.
        device: where it runs.
        model: the module, for what its weights are stored in; None hides it.
        optimizer: the same for its state.
        keep: file that takes the trace; None keeps none.
    """
    means = _fp32_means(device)
    counter = OperationCounter(means)
    with counter.counting() as tally:
        step()
    traced = tracing.trace(step, device, keep) if tracing.available() else None
    shares, unattributed = _time(tally, traced)
    return Accounting(
        registry=VERSION,
        hardware_operations=tally.hardware_operations,
        model_operations=tally.model_operations,
        by_format=tally.by_format(),
        by_phase=tally.by_phase(),
        pointwise=_summed(tally.pointwise),
        fp32_means=means,
        storage_bytes=_storage(model, optimizer),
        coverage_bytes=rounded(tally.coverage_by_bytes),
        coverage_time=rounded(1 - shares["unattributed"]) if shares else None,
        time_shares={name: rounded(share) for name, share in shares.items()},
        unattributed=unattributed,
        operators=_operators(traced),
        traced_products=dict(traced.products) if traced is not None else {},
        counted_products=_counted_products(tally),
        failed=tally.failed,
        ceilings=(limits := ceilings(device, _formats(device, tally))),
        data_sheet_flops=data_sheet_flops(device),
        roofline=roofline(
            tally.by_format(), tally.moved_bytes, sum(tally.pointwise.values()), _step_s(step, device), limits
        ),
    )


def _formats(device: str, tally: Tally) -> tuple[str, ...]:
    """Return the formats whose products are measured: on a processor those in use."""
    return tuple(name for name in tally.by_format() if name in FORMATS) if torch.device(device).type == "cpu" else ()


def _step_s(step: Callable[[], object], device: str) -> float:
    """Return the median time of a step, each waited for."""
    times = []
    for _ in range(STEPS):
        wait(device)
        began = time.perf_counter()
        step()
        wait(device)
        times.append(time.perf_counter() - began)
    return median(times)


def data_sheet_flops(device: str) -> dict[str, float]:
    """Return the published dense peaks of a CUDA device by format; empty for others, and where no table knows it."""
    if not device.startswith("cuda"):
        return {}
    empty = to_model({"dlaudit": "submission/1", "title": "device", "claims": {}}, Submission)
    variant = named_device(Case(empty), torch.cuda.get_device_name(device))
    peaks = {name: variant.dense_peak(name) for name in ("fp64", "fp32", "tf32", "bf16", "fp16", "fp8", "int8")}
    return {name: float(peak) for name, peak in peaks.items() if peak is not None}


def _fp32_means(device: str) -> dict[str, str]:
    """Probe what an fp32 product keeps; a convolution follows torch's switch where products keep all."""
    name = MANTISSA_FORMATS.get(product_mantissa_bits(nullcontext(), device), "unknown")
    convolution = name
    if device.startswith("cuda") and name == "fp32":
        cudnn: Any = torch.backends.cudnn
        conv: Any = getattr(cudnn, "conv", None)
        tf32 = conv.fp32_precision == "tf32" if hasattr(conv, "fp32_precision") else cudnn.allow_tf32
        convolution = "tf32" if tf32 else name
    return {"product": name, "convolution": convolution}


def _operators(traced: tracing.Trace | None) -> dict[str, Operator]:
    """Return the operators that take most of the time; what only waits or starts others is none."""
    if traced is None:
        return {}
    times = {name: spent for name, spent in traced.self_time_us.items() if not name.startswith(NO_TIME)}
    total = sum(times.values()) or 1.0
    largest = sorted(times, key=lambda name: -times[name])[:OPERATORS]
    return {
        name[:LONGEST_NAME]: Operator(
            calls=traced.calls[name], self_time_s=rounded(times[name] / 1e6), share=rounded(times[name] / total)
        )
        for name in largest
    }


def _time(tally: Tally, traced: tracing.Trace | None) -> tuple[dict[str, float], dict[str, float]]:
    """Return the share of the traced time by kind, and the largest operators without a count."""
    if traced is None or not traced.self_time_us:
        every = sum(tally.moved_bytes.values()) + sum(tally.unattributed_bytes.values())
        largest = tally.unattributed_bytes.most_common(NAMED)
        return {}, {name: rounded(count / every) for name, count in largest if every}
    shares = dict.fromkeys(("contractions", "pointwise", "movements", "generated", "calls", "unattributed"), 0.0)
    unknown: dict[str, float] = {}
    times = {name: spent for name, spent in traced.self_time_us.items() if not name.startswith(NO_TIME)}
    total = sum(times.values()) or 1.0
    for name, spent in times.items():
        kind = _kind(name, tally)
        shares[kind] += spent / total
        if kind == "unattributed":
            unknown[name] = rounded(spent / total)
    largest_first = sorted(unknown.items(), key=lambda item: -item[1])[:NAMED]
    return shares, dict(largest_first)


def _kind(name: str, tally: Tally) -> str:
    """Return what a traced operator does; one that the count never saw only called others."""
    operator = name.replace("::", ".")
    bare = operator.rpartition(".")[2]
    if operator in REGISTRY:
        return "contractions"
    if operator in tally.unattributed_bytes:
        return "unattributed"
    if bare in MOVEMENTS:
        return "movements"
    if bare in REDUCTIONS or bare.startswith(("_foreach_", "_fused_")) or _is_pointwise(bare):
        return "pointwise"
    if any(mark in name for mark in GENERATED):
        return "unattributed" if "triton_tem" in name or _products_generated() else "generated"
    return "calls"


def _products_generated() -> bool:
    """Whether the compiler may have put products into its own code, where nobody counts them."""
    config: Any = getattr(torch._inductor, "config", None) if hasattr(torch, "_inductor") else None
    return config is not None and bool(config.max_autotune or config.max_autotune_gemm)


def _is_pointwise(name: str) -> bool:
    packet = getattr(torch.ops.aten, name, None)
    if packet is None or not hasattr(packet, "overloads"):
        return False
    return any(torch.Tag.pointwise in getattr(packet, overload).tags for overload in packet.overloads())


def _summed(counts: Mapping[tuple[str, str], int]) -> dict[str, int]:
    found: dict[str, int] = {}
    for (_, name), count in counts.items():
        found[name] = found.get(name, 0) + count
    return found


def _counted_products(tally: Tally) -> dict[str, int]:
    found: dict[str, int] = {}
    checked = {name.replace("::", ".") for name in tracing.CHECKED}
    for (_, operator, name), operations in tally.contractions.items():
        if operator in checked:
            found[name] = found.get(name, 0) + operations
    return found


def _storage(model: torch.nn.Module | None, optimizer: torch.optim.Optimizer | None) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    weights = list(model.parameters()) if model is not None else []
    states: list[Any] = list(optimizer.state.values()) if optimizer is not None else []
    groups: dict[str, list[Any]] = {
        "weights": weights,
        "gradients": [weight.grad for weight in weights if weight.grad is not None],
        "optimizer": [item for state in states for item in state.values() if torch.is_tensor(item)],
    }
    for group, tensors in groups.items():
        for tensor in tensors:
            sizes = found.setdefault(group, {})
            name = format_name(tensor.dtype)
            sizes[name] = sizes.get(name, 0) + tensor.numel() * tensor.element_size()
    return found
