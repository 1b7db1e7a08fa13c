"""Printed percentiles in their order."""

from __future__ import annotations

from ....schemas.evidence import Summary


def percentiles(summary: Summary) -> list[tuple[float, str]]:
    """Return (percentage, printed value) of a summary in ascending order, with a stated median as the 50th.

    Keys such as "99", "p99.9" and "99%" are read; others are left out.
    """
    found = {50.0: summary.median} if summary.median is not None else {}
    for key, text in summary.percentiles.items():
        rank = percentage(key)
        if rank is not None:
            found[rank] = text
    return sorted(found.items())


def percentage(key: str) -> float | None:
    """Return the percentage that the key of a percentile names, or None."""
    try:
        rank = float(key.strip().casefold().removeprefix("p").removesuffix("%"))
    except ValueError:
        return None
    return rank if 0 < rank < 100 else None
