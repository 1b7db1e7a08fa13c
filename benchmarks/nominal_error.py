"""Nominal error: how often honest studies are accused, and how often intervals cover, by seeded simulation.

A study has two arms on equal machines, each a number of trials of independent or autocorrelated times with its own
level. It prints what its raw numbers give: medians, their ratio, and log-t and log-Welch intervals over trials.
"""

from __future__ import annotations

import math
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dlaudit.rules.bases import base
from dlaudit.rules.book import book
from dlaudit.rules.case import Case
from dlaudit.rules.documentation import merge_patch
from dlaudit.rules.engine import judge
from dlaudit.rules.outcome import UNDERMINES, Effect, Outcome, Violation
from dlaudit.rules.registry import Rule
from dlaudit.rules.statistics.autocorrelation import geyer_tau
from dlaudit.rules.statistics.blocks import independent_blocks
from dlaudit.rules.statistics.intervals import (
    Interval,
    geometric_mean,
    log_t_interval,
    log_welch_ratio,
    median,
    median_interval,
)
from dlaudit.schemas.model import to_model
from dlaudit.schemas.submission import Submission

LEVELS = {"fused": 0.8, "plain": 1.13}
WORK = 32768
READS_RAW = ("has(raw)", "has(trials)", "has(interval)", "has(runs)")
ALWAYS = ("M01", "M04", "M05", "M10", "S01", "S05", "W0302")
NOISES = (0.005, 0.02, 0.1)
CORRELATIONS = (0.0, 0.3, 0.6)
TRIALS = (5, 10, 20)


def raw_rules() -> tuple[Rule, ...]:
    """Return the rules that read raw numbers, by what they apply to."""
    return tuple(
        rule
        for rule in book()
        if rule.check is not None and (rule.code in ALWAYS or any(word in rule.applies for word in READS_RAW))
    )


def series(source: random.Random, n: int, level: float, noise: float, correlation: float) -> list[float]:
    """Draw lognormal times around a level, the logarithms autocorrelated (AR(1)) and stationary."""
    state, values = source.gauss(0, 1), []
    for _ in range(n):
        values.append(level * math.exp(noise * state))
        state = correlation * state + math.sqrt(1 - correlation**2) * source.gauss(0, 1)
    return values


def arm(
    source: random.Random, level: float, trials: int, n: int, noise: float, correlation: float, between: float
) -> list[list[float]]:
    """Draw the trials of an arm as they are recorded, with 6 significant digits."""
    levels = [level * math.exp(between * source.gauss(0, 1)) for _ in range(trials)]
    return [[float(f"{x:.6g}") for x in series(source, n, own, noise, correlation)] for own in levels]


def study(
    source: random.Random, trials: int, n: int, noise: float, correlation: float, between: float = 0.003
) -> Submission:
    """Draw an honest study and print it as a submission."""
    raw = {name: arm(source, level, trials, n, noise, correlation, between) for name, level in LEVELS.items()}
    medians = {name: [median(values) for values in rows] for name, rows in raw.items()}
    ratio = geometric_mean(medians["plain"]) / geometric_mean(medians["fused"])
    interval = log_welch_ratio(medians["plain"], medians["fused"])
    assert interval is not None
    claims = {
        "speedup": {"value": f"{ratio:.3f}", "interval": _printed(interval, 1, 4)},
        "rate": {"value": f"{WORK / geometric_mean(medians['fused']):.0f}", "digits": None},
    }
    arms = {name: _arm(raw[name], medians[name], n) for name in LEVELS}
    return to_model(merge_patch(base("training-pair"), {"claims": claims, "arms": arms}), Submission)


def _arm(raw: Sequence[Sequence[float]], medians: Sequence[float], n: int) -> dict[str, Any]:
    interval = log_t_interval(medians)
    assert interval is not None
    trials = {f"t{index}": None for index in range(1, 6)} | {
        f"t{index}": {
            "kind": "throughput",
            "seed": index,
            "outcome": "completed",
            "iterations_planned": n,
            "warmup": 5,
            "samples": {"step_time_s": list(values)},
        }
        for index, values in enumerate(raw, start=1)
    }
    rate = {
        "value": f"{WORK / geometric_mean(medians):.0f}",
        "digits": None,
        "trials": len(raw),
        "n": {"planned": n, "completed": n},
        "interval": _printed(interval, WORK, 0),
    }
    return {
        "performance": {"rate": rate},
        "measurement": {"raw_count": n + 5, "used_count": n, "stop_rule": f"{n} iterations, fixed before"},
        "plan": {"trials": len(raw) + 5, "started": len(raw) + 5, "seeds": [*range(1, len(raw) + 1), *range(11, 16)]},
        "trials": trials,
    }


def _printed(interval: Interval, work: float, decimals: int) -> dict[str, str]:
    ends = (interval.lower, interval.upper) if work == 1 else (work / interval.upper, work / interval.lower)
    return {"low": f"{ends[0]:.{decimals}f}", "high": f"{ends[1]:.{decimals}f}"}


def accused(submission: Submission, rules: Sequence[Rule]) -> Counter[tuple[str, int]]:
    """Return (code, effect) of every violation of a study, each once."""
    found: set[tuple[str, int]] = set()
    for result in judge(Case(submission), rules):
        assert result.outcome is not Outcome.ERROR, result
        if isinstance(result.branch, Violation):
            found.add((result.code, int(result.branch.effect)))
    return Counter(found)


def studies(seed: int, each: int, lengths: Sequence[int]) -> Iterator[tuple[tuple[float, float, int], Submission]]:
    """Yield studies of every noise, correlation and number of trials, with their cell."""
    source = random.Random(seed)
    for noise in NOISES:
        for correlation in CORRELATIONS:
            for trials in TRIALS:
                for _ in range(each):
                    yield (
                        (noise, correlation, trials),
                        study(source, trials, source.choice(lengths), noise, correlation),
                    )


def coverage(seed: int, each: int, n: int, correlation: float, noise: float = 0.1) -> Mapping[str, float]:
    """Return how often intervals of one process cover its median: ranks, and t on logarithms of independent blocks."""
    source, covered, answered = random.Random(seed), Counter[str](), 0
    for _ in range(each):
        values = series(source, n, 1.0, noise, correlation)
        ranks = median_interval(values)
        assert ranks is not None
        covered["ranks"] += ranks.lower <= 1 <= ranks.upper
        blocks = independent_blocks(values, geyer_tau(values))
        answered += blocks is not None
        within = log_t_interval(blocks) if blocks is not None else None
        covered["blocks"] += within is not None and within.lower <= 1 <= within.upper
    return {
        "ranks": covered["ranks"] / each,
        "blocks": covered["blocks"] / max(1, answered),
        "refused": 1 - answered / each,
    }


def trial_coverage(seed: int, each: int, trials: int) -> tuple[float, float]:
    """Return how often the log-t interval covers, and how often log-Welch finds a difference between equal arms."""
    source, covered, found = random.Random(seed), 0, 0
    for _ in range(each):
        arms = [[math.exp(0.02 * source.gauss(0, 1)) for _ in range(trials)] for _ in range(2)]
        own, ratio = log_t_interval(arms[0]), log_welch_ratio(arms[0], arms[1])
        assert own is not None
        assert ratio is not None
        covered += own.lower <= 1 <= own.upper
        found += not ratio.lower <= 1 <= ratio.upper
    return covered / each, found / each


def main() -> None:
    """Print the tables; the argument is the number of studies in each cell."""
    each = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    rules, start = raw_rules(), time.process_time()
    by_cell: dict[tuple[float, float], Counter[str]] = {}
    by_rule: Counter[tuple[str, int]] = Counter()
    for (noise, correlation, _), submission in studies(1, each, (30, 60, 200)):
        found = accused(submission, rules)
        by_rule += found
        cell = by_cell.setdefault((noise, correlation), Counter())
        cell["studies"] += 1
        cell["accused"] += any(effect >= UNDERMINES for _, effect in found)
        cell["caveat"] += bool(found)
    print(f"{sum(cell['studies'] for cell in by_cell.values())} honest studies, {len(rules)} rules; accused: a finding")
    print("that refutes or undermines; caveat: any finding")
    print("noise  AR(1)  studies  accused  caveat")
    for (noise, correlation), cell in by_cell.items():
        shares = [cell[name] / cell["studies"] for name in ("accused", "caveat")]
        print(f"{noise:5.3f}  {correlation:5.1f}  {cell['studies']:7d}  {shares[0]:7.1%}  {shares[1]:6.1%}")
    total = sum(cell["studies"] for cell in by_cell.values())
    print(f"all                  {sum(cell['accused'] for cell in by_cell.values()) / total:.2%} accused")
    for (code, effect), count in by_rule.most_common():
        print(f"{code} {Effect(effect).word}: {count / total:.2%} of the studies")
    print("coverage of 95 % intervals within one process (ranks; t on independent blocks, where they are not refused)")
    for n in (30, 60, 200):
        for correlation in CORRELATIONS:
            found = coverage(2, 50 * each, n, correlation)
            shares = f"ranks {found['ranks']:.1%}  blocks {found['blocks']:.1%}  refused {found['refused']:.1%}"
            print(f"n {n:4d}  AR(1) {correlation:.1f}  {shares}")
    print("intervals over trials: coverage, and differences found between equal arms")
    for trials in (3, 5, 10, 20):
        covered, wrong = trial_coverage(3, 100 * each, trials)
        print(f"trials {trials:3d}  covered {covered:.1%}  found {wrong:.1%}")
    print(f"{time.process_time() - start:.0f} s CPU")


if __name__ == "__main__":
    main()
