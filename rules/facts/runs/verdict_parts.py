"""The conditions that make up a harness's verdict, with the keys under which its log gives them."""

from __future__ import annotations

PARTS = {
    "min_duration": ("result_min_duration_met",),
    "min_queries": ("result_min_queries_met",),
    "early_stopping": ("early_stopping_met", "result_early_stopping_met"),
    "performance_constraints": ("result_perf_constraints_met",),
}
