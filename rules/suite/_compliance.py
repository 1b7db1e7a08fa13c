"""What a compliance test says of itself beside its verdict: outputs that differ, and the two scores it compares."""

from __future__ import annotations

import math

from msgspec import Struct

from ..facts.suite.inference import printed
from ..tables import mlperf
from ..tables.mlperf_common import common
from ..trace import Logged

MISMATCHES, REFERENCE, SCORE = "num_perf_log_data_mismatch", "reference_score", "test_score"
_SCORES = {
    "Offline": ("samples_per_second",),
    "Server": ("scheduled_samples_per_second", "completed_samples_per_second"),
    "Interactive": ("scheduled_samples_per_second", "completed_samples_per_second"),
    "SingleStream": ("early_stopping_estimate_ns", "90.0th_percentile_latency_ns", "90.00_percentile_latency_ns"),
    "MultiStream": ("early_stopping_estimate_ns", "99th_percentile_latency_ns", "99.00_percentile_latency_ns"),
}
_LEAST_NS = 1e4
"""Latencies below it are printed in another unit by early scripts."""


class Compared(Struct, frozen=True):
    """The two scores of a compliance test.

    Attributes:
        reference: score of the result, as the test prints it.
        score: that of the test's own run.
        allowed: greatest distance of the two as a share of the reference; streams of short latencies have more.
    """

    reference: float
    score: float
    allowed: float

    @property
    def apart(self) -> float:
        """How much the test's score is above the reference, as a share of it."""
        return self.score / self.reference - 1


def compared(test: Logged, scenario: str | None) -> Compared | None:
    """Return the scores that a test compares; None where it prints none."""
    reference, score = printed(test, REFERENCE), printed(test, SCORE)
    if reference is None or score is None or reference <= 0 or score <= 0:
        return None
    tolerance = mlperf.inference().compliance.tolerance
    return Compared(reference, score, tolerance.get(scenario or "", max(tolerance.values())))


def beyond(test: Logged, found: Compared) -> bool:
    """Whether two scores are further apart than a test that passes allows; rounding of the print aside."""
    apart = found.apart if test.id.startswith(mlperf.inference().compliance.one_way) else abs(found.apart)
    return apart > found.allowed * 1.001


def scores(run: Logged, scenario: str | None) -> tuple[float, ...]:
    """Return what a run's summary may give as its score in a scenario: rates, or percentiles in ns."""
    values = (printed(run, name) for name in _SCORES.get(scenario or "", ()))
    return tuple(value for value in values if value is not None and value > 0)


def foreign(score: float, known: tuple[float, ...], scenario: str | None, most: float) -> float | None:
    """Return the nearest of some scores where a printed one is none of them, not even nearly; else None.

    Args:
        score: as the test prints it.
        known: scores of the run that it should be.
        scenario: of the result.
        most: share by which a score of the same configuration, run again, may differ.
    """
    judged = common().scenarios.get(scenario or "")
    if not known or (judged is not None and judged.scored_by == "latency" and score < _LEAST_NS):
        return None
    nearest = min(known, key=lambda value: abs(math.log(value / score)))
    return nearest if abs(score / nearest - 1) > most else None
