"""Qualities that are shares of examples: what the examples are, and what so many of them can show."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...rules.statistics.proportions import normal_quantile, wilson_bounds
from ...schemas.errors import UserError
from ...schemas.evidence import Interval, Quality
from ...schemas.files import open_beneath, sha256_file
from .width import LEVEL

OWN = "made by dlaudit, the same for everybody"


@dataclass(frozen=True, slots=True)
class Examples:
    """The examples that an arm that serves is asked."""

    count: int
    words: str
    """What they are, in a clause."""


def of_arm(workload: Mapping[str, Any], folder: Path) -> Examples | None:
    """Return the examples of an arm; None where it asks none, or where the file does not lie beside its spec.

    Args:
        workload: of the arm, as its trials get it.
        folder: where its spec lies.
    """
    wanted, name = int(workload.get("test_examples") or 0), workload.get("test_set")
    if name is None:
        return Examples(wanted, f"{wanted:,} examples {OWN}") if wanted else None
    try:
        with open_beneath(folder, str(name)) as file:
            lines = sum(1 for line in file if line.strip())
        with open_beneath(folder, str(name)) as file:
            digest = sha256_file(file)
    except UserError:
        return None
    count = min(wanted or lines, lines)
    part = "" if count == lines else f"the first of {lines:,} "
    return Examples(count, f"{count:,} examples, {part}in {name} (SHA-256 {digest})")


def interval_of(quality: Quality) -> Interval | None:
    """Return Wilson's interval of a share of examples that were counted; None where nobody counted them."""
    share, count = float(quality.value or "nan"), quality.examples
    if quality.metric != "accuracy" or not quality.counted or not count or count < 0 or not 0 <= share <= 1:
        return None
    low, high = wilson_bounds(share, count)
    return Interval(low=f"{low:.6g}", high=f"{high:.6g}", level=0.95, method="Wilson's", varies="examples")


def counted(quality: Quality) -> str:
    """Return a share of examples as a count: 55 of 100."""
    return f"{round(float(quality.value or 0) * (quality.examples or 0), 1):g} of {quality.examples:,}"


def shown_at_best(count: int) -> float:
    """Return the lower end of the interval of a server that answers every example correctly."""
    return wilson_bounds(1.0, count)[0]


def needed_for(limit: float) -> int | None:
    """Return how many examples that server needs to be shown to keep a limit; None where no number of them does."""
    z = normal_quantile(LEVEL)
    return math.ceil(z * z * limit / (1 - limit)) if limit < 1 else None
