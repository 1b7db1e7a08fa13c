"""What a device can do at most, measured: products by number format, and copies through memory.

The products are of random normal numbers: one H200 was 13 % faster on zeros than on random data, so the entropy of the
operands is recorded with the ceiling. The best of several rounds counts, since a ceiling is what can be reached; how
far the rounds lie apart is kept, since what rests on a ceiling rests on that, too.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgspec
import torch

from ...rules.statistics.intervals import rounded

SIZE = {"cpu": 1024, "cuda": 8192}
COPY_BYTES = {"cpu": 256 << 20, "cuda": 2 << 30}
FORMATS = {"fp64": torch.float64, "fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}
ON_CPU = ("fp32",)
"""Another format may lack products in hardware, and takes seconds for one."""
LEAST_S, RUNS = 0.1, 5
ROUNDS = 3
"""Each takes every ceiling once: what a neighbour does to one of them does not last for all."""
COPY = "copy"
ENTROPY_BYTES = 1 << 20


class Ceilings(msgspec.Struct, frozen=True, kw_only=True):
    """Measured ceilings of one device under the settings of the process."""

    product_flops: dict[str, float]
    """Best operations per second of a large product, by number format of its operands."""
    size: int
    """Rows and columns of the matrices."""
    copy_bytes_per_s: float
    """Best bytes per second of a copy, read and written bytes together, through buffers larger than caches."""
    spread: dict[str, float]
    """(Highest - lowest) / highest over the rounds, by format and for the `copy`."""
    operand_entropy_bits: float
    """Shannon entropy of the operands, in bits per byte: 8 for bytes that nothing is known of."""


def ceilings(device: str, formats: tuple[str, ...] = ()) -> Ceilings:
    """Measure the ceilings of a device.

    Args:
        device: the device.
        formats: number formats of products; where empty fp32 on a processor, and all of `FORMATS` elsewhere.
    """
    kind = torch.device(device).type
    size = SIZE.get(kind, SIZE["cpu"])
    wanted = formats or (ON_CPU if kind == "cpu" else tuple(FORMATS))
    rounds: dict[str, list[float]] = {}
    for _ in range(ROUNDS):
        for name in wanted:
            with suppress(RuntimeError, NotImplementedError):
                rounds.setdefault(name, []).append(_product(FORMATS[name], size, device))
        rounds.setdefault(COPY, []).append(_copy(COPY_BYTES.get(kind, COPY_BYTES["cpu"]), device))
    best = {name: rounded(max(values)) for name, values in rounds.items()}
    return Ceilings(
        product_flops={name: value for name, value in best.items() if name != COPY},
        size=size,
        copy_bytes_per_s=best[COPY],
        spread={name: rounded(1 - min(values) / max(values)) for name, values in rounds.items()},
        operand_entropy_bits=rounded(entropy_bits(torch.randn(512, 512))),
    )


def _product(dtype: torch.dtype, size: int, device: str) -> float:
    left, right = (torch.randn(size, size, device=device).to(dtype) for _ in range(2))
    out = torch.empty(size, size, dtype=dtype, device=device)
    return 2 * size**3 / _best_s(lambda: torch.mm(left, right, out=out), device)


def _copy(size: int, device: str) -> float:
    source = torch.ones(size // 4, device=device)
    target = torch.empty_like(source)
    return 2 * size / _best_s(lambda: target.copy_(source), device)


def _best_s(run: Callable[[], Any], device: str) -> float:
    """Return the least time of one call, over runs of a tenth of a second together; a longer one is made once."""

    def timed(calls: int) -> float:
        wait(device)
        began = time.perf_counter()
        for _ in range(calls):
            run()
        wait(device)
        return (time.perf_counter() - began) / calls

    run()
    once = timed(1)
    if once > LEAST_S:
        return once
    calls = max(1, math.ceil(LEAST_S / RUNS / max(once, 1e-9)))
    return min(timed(calls) for _ in range(RUNS))


def wait(device: str) -> None:
    """Wait until the device has nothing left to do."""
    if device.startswith("cuda"):
        torch.cuda.synchronize(device)


def entropy_bits(values: torch.Tensor) -> float:
    """Return the Shannon entropy of a tensor's bytes in bits per byte, from the first mebibyte; 0 where it is empty."""
    data = values.detach().contiguous().flatten().view(torch.uint8)[:ENTROPY_BYTES].cpu()
    if not len(data):
        return 0.0
    shares = torch.bincount(data.to(torch.int64), minlength=256).to(torch.float64) / len(data)
    kept = shares[shares > 0]
    return float(-(kept * kept.log2()).sum())
