"""Made series of times, and patches that put them into trials."""

import math
import random


def at(day, hour, minute=0):
    return f"2026-03-{day:02d}T{hour:02d}:{minute:02d}:00Z"


NONE = {f"t{k}": None for k in range(1, 6)}


def noisy(seed, n=60, level=0.1024, noise=0.005):
    source = random.Random(seed)
    return [float(f"{level * math.exp(noise * source.gauss(0, 1)):.6g}") for _ in range(n)]


def trials(rows, **fields):
    """A patch of the trials of an arm: these series and no others."""
    listed = {
        f"t{k}": {"kind": "throughput", "outcome": "completed", "samples": {"step_time_s": row}, **fields}
        for k, row in enumerate(rows, start=1)
    }
    return {"trials": NONE | listed}


def rate(rows, metric=None, **arm):
    performance = {"performance": {"rate": metric}} if metric is not None else {}
    return {"arms": {"a": {**trials(rows), **performance, **arm}}}


def honest(count=5, **how):
    return [noisy(seed, **how) for seed in range(count)]


def slow(row, head=6, factor=1.3):
    return [factor * x for x in row[:head]] + row[head:]


def series(level, trials=5, spread=0.01):
    """Trials of six steps around a level, each with its own offset."""
    return {
        f"t{i + 1}": {
            "samples": {"step_time_s": [level * (1 + spread * (i - 2) / 2 + d) for d in (0, 0.001, -0.001) * 2]}
        }
        for i in range(trials)
    }


def two(fused, plain, claim=None):
    return {
        "claims": {"speedup": {"interval": None, **(claim or {})}},
        "arms": {"fused": {"trials": fused}, "plain": {"trials": plain}},
    }
