"""What the timing harness costs per iteration: around an empty step, and around a small product.

Run it as `python -P benchmarks/harness_overhead.py [REPETITIONS]`. Everything is measured in one process, in turns, so
that a slow moment of the machine meets all of them; the least of the repetitions is printed. The budget is 5
microseconds of direct cost an iteration.
"""

import gc
import sys
import time
from collections.abc import Callable

import torch
from dlaudit.runners.trial.timing import HostLoop, Row
from torch.utils.benchmark import Timer

BUDGET_US = 5.0
EMPTY_ITERATIONS, PRODUCT_ITERATIONS = 20_000, 500
SIZE = 144


def bare(step: Callable[[object], object], iterations: int) -> float:
    """Return the time of a plain loop around `step`, in microseconds per iteration."""
    began = time.perf_counter()
    for _ in range(iterations):
        step(None)
    return (time.perf_counter() - began) / iterations * 1e6


def harness(step: Callable[[object], object], iterations: int) -> float:
    """Return the time of the harness's loop around `step`, in microseconds per iteration, from outside."""
    rows: list[Row] = []
    loop = HostLoop()
    loop.chunk_ns = 10**12
    began = time.perf_counter()
    loop.run(nothing, step, iterations, rows)
    return (time.perf_counter() - began) / iterations * 1e6


def torch_timer(step: Callable[[object], object], iterations: int) -> float:
    """Return what torch.utils.benchmark reports for the same call, in microseconds per iteration."""
    return float(Timer("step(None)", globals={"step": step}).timeit(iterations).mean * 1e6)


def nothing() -> None:
    """Be the batch of an iteration that needs none."""


def no_step(_batch: object) -> None:
    """Be a step that does nothing."""


def main() -> int:
    """Print the table; return 1 where the budget is broken."""
    repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    torch.set_num_threads(1)
    left, right, out = (torch.randn(SIZE, SIZE) for _ in range(3))
    ways = {"bare loop": bare, "torch.utils.benchmark": torch_timer, "dlaudit harness": harness}
    steps = {
        "empty step": (no_step, EMPTY_ITERATIONS),
        f"mm {SIZE}x{SIZE}": (lambda _batch: torch.mm(left, right, out=out), PRODUCT_ITERATIONS),
    }
    gc.disable()
    direct_us = []
    for name, (step, iterations) in steps.items():
        best = dict.fromkeys(ways, float("inf"))
        for _ in range(repetitions):
            for way, measure in ways.items():
                best[way] = min(best[way], measure(step, iterations))
        print(f"{name}: least of {repetitions} x {iterations} iterations")
        for way, cost_us in best.items():
            print(f"  {way:<24}{cost_us:9.3f} us/iteration   x{cost_us / best['bare loop']:.3f} of the bare loop")
        direct_us.append(best["dlaudit harness"] - best["bare loop"])
        print(f"  direct cost of the harness: {direct_us[-1]:.3f} us/iteration (budget {BUDGET_US} us)")
    return 0 if direct_us[0] <= BUDGET_US else 1


if __name__ == "__main__":
    sys.exit(main())
