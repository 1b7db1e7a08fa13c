"""Qualities of which less is better: what a claim of one is a number of, by the name of its metric."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from ...rules.language.governors import lower_is_better
from ...rules.language.headers import plain

NAMED = ("loss", "perplexity")
"""Quantities that a metric's name says as they are."""


def named_quantity(claim: Mapping[str, Any]) -> str:
    """Return the quantity of a claim: of a quality a loss, a perplexity or an error, where its metric is one."""
    quantity = str(claim["quantity"])
    return _of_metric(str(claim.get("metric") or "")) if quantity == "accuracy" else quantity


@lru_cache(maxsize=1024)
def _of_metric(metric: str) -> str:
    words = metric.casefold().replace("_", " ").replace("/", " ").split()
    named = next((name for name in NAMED if name in words), None)
    if named is not None:
        return named
    less = lower_is_better()
    is_error = plain(metric) in less or "error" in words or any(plain(word) in less for word in words)
    return "error" if is_error else "accuracy"
