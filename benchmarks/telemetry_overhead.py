"""What harness and telemetry cost a trial: the share of a core, and the same loop with both and without.

Run it as `python -P benchmarks/telemetry_overhead.py [PAIRS]`. Blocks of a small product run in turns: a bare loop
while nothing reads the sensors, and the harness's loop while the telemetry does. The ratio of the times per iteration
comes with its 95 % interval (t on the logarithms of the pairs' ratios). The budget of the telemetry is 0.1 % of one
core.
"""

import gc
import math
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import torch
from dlaudit.rules.statistics.intervals import log_t_interval, median
from dlaudit.runners.telemetry import readings, session
from dlaudit.runners.trial.timing import HostLoop, Row
from dlaudit.schemas.spec import Spec, Workload

BUDGET_SHARE = 0.001
SIZE, BLOCK_ITERATIONS = 144, 8_000
READING_S = 20.0


def bare(step: Callable[[object], object]) -> float:
    """Return the time of a plain loop, in seconds per iteration."""
    began = time.perf_counter()
    for _ in range(BLOCK_ITERATIONS):
        step(None)
    return (time.perf_counter() - began) / BLOCK_ITERATIONS


def harness(step: Callable[[object], object]) -> float:
    """Return the time of the harness's loop, from outside, in seconds per iteration."""
    rows: list[Row] = []
    loop = HostLoop()
    loop.chunk_ns = 10**12
    began = time.perf_counter()
    loop.run(lambda: None, step, BLOCK_ITERATIONS, rows)
    return (time.perf_counter() - began) / BLOCK_ITERATIONS


def pairs(count: int, folder: Path, sensors: session.Session) -> list[tuple[float, float]]:
    """Return seconds per iteration of each pair of blocks: bare, and with harness and telemetry."""
    left, right, out = (torch.randn(SIZE, SIZE) for _ in range(3))

    def step(_batch: object) -> object:
        return torch.mm(left, right, out=out)

    def bare_block() -> float:
        return bare(step)

    def full_block() -> float:
        sensors.begin(folder / "block.jsonl")
        try:
            return harness(step)
        finally:
            sensors.end()

    bare_block(), full_block()
    found = []
    for number in range(count):
        first, second = (bare_block, full_block) if number % 2 else (full_block, bare_block)
        one, two = first(), second()
        found.append((one, two) if number % 2 else (two, one))
    return found


def core_share(folder: Path, sensors: session.Session) -> readings.Readings:
    """Return the readings of some seconds in which nothing else is asked of this process."""
    path = folder / "rest.jsonl"
    sensors.begin(path)
    time.sleep(READING_S)
    sensors.end()
    taken = readings.load(path)
    if taken is None or taken.cpu_s is None or not taken.wall_s:
        raise SystemExit("there are no readings")
    return taken


def main() -> int:
    """Print the figures; return 1 where the budget is broken."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    torch.set_num_threads(1)
    gc.disable()
    spec = Spec(dlaudit="spec/1", title="overhead", workload=Workload(name="gemm"))
    with tempfile.TemporaryDirectory() as name, session.reading(spec) as sensors:
        taken = core_share(Path(name), sensors)
        found = pairs(count, Path(name), sensors)
    assert taken.cpu_s is not None
    assert taken.wall_s
    share = taken.cpu_s / taken.wall_s
    each_us = taken.cpu_s / len(taken.rows) * 1e6
    print(f"telemetry: {len(taken.rows)} readings in {taken.wall_s:.3g} s, {each_us:.3g} us of processor time each")
    print(f"  share of one core: {share:.3%} (budget {BUDGET_SHARE:.1%})")
    ratios = [full / alone for alone, full in found]
    interval = log_t_interval(ratios)
    centre = math.exp(median([math.log(ratio) for ratio in ratios]))
    alone_us = median([alone for alone, _ in found]) * 1e6
    print(f"mm {SIZE}x{SIZE}, {count} pairs of {BLOCK_ITERATIONS} iterations: bare loop {alone_us:.3g} us/iteration")
    print(f"  with harness and telemetry: x{centre:.4f}", end="")
    print(f", 95 % interval {interval.lower:.4f} to {interval.upper:.4f}" if interval is not None else "")
    return 0 if share <= BUDGET_SHARE else 1


if __name__ == "__main__":
    sys.exit(main())
