"""When the releases of a framework came out, for stacks whose day a document does not state."""

from __future__ import annotations

import re
from datetime import date, timedelta
from itertools import pairwise

from ...schemas.conditions import Software
from ...schemas.pattern import Pattern

_TORCH = Pattern(r"\b(?:py)?torch[\s=v-]{0,4}([0-9]+)\.([0-9]+)(?:\.([0-9]+))?", re.IGNORECASE)
FIRST_CORRECTION = timedelta(days=92)
_RELEASES = (
    ((1, 0), date(2018, 12, 7)),
    ((1, 1), date(2019, 4, 30)),
    ((1, 2), date(2019, 8, 8)),
    ((1, 3), date(2019, 10, 10)),
    ((1, 4), date(2020, 1, 15)),
    ((1, 5), date(2020, 4, 21)),
    ((1, 6), date(2020, 7, 28)),
    ((1, 7), date(2020, 10, 27)),
    ((1, 8), date(2021, 3, 4)),
    ((1, 9), date(2021, 6, 15)),
    ((1, 10), date(2021, 10, 21)),
    ((1, 11), date(2022, 3, 10)),
    ((1, 12), date(2022, 6, 28)),
    ((1, 13), date(2022, 10, 28)),
    ((2, 0), date(2023, 3, 15)),
    ((2, 1), date(2023, 10, 4)),
    ((2, 2), date(2024, 1, 30)),
    ((2, 3), date(2024, 4, 24)),
    ((2, 4), date(2024, 7, 24)),
    ((2, 5), date(2024, 10, 17)),
    ((2, 6), date(2025, 1, 29)),
    ((2, 7), date(2025, 4, 23)),
    ((2, 8), date(2025, 8, 6)),
    ((2, 9), date(2025, 10, 15)),
    ((2, 10), date(2026, 1, 21)),
    ((2, 11), date(2026, 3, 23)),
    ((2, 12), date(2026, 5, 13)),
    ((2, 13), date(2026, 7, 8)),
    ((2, 14), date(2026, 9, 2)),
    ((2, 15), date(2026, 10, 28)),
)
"""Minor releases of PyTorch with the day on which their files were put on the package index (pypi.org)."""


def framework_days(software: Software | None) -> tuple[date, date] | None:
    """Return between which days the version of a stack's framework came out: from its minor release on.

    The first correction follows within three months, a later one before the next minor release at the latest. None
    where the framework is none whose releases are known here, or its newest, whose successor is not.
    """
    if software is None or not isinstance(software.framework, str):
        return None
    match = _TORCH.search(software.framework)
    if match is None:
        return None
    version = (int(match[1]), int(match[2]))
    following = pairwise(_RELEASES)
    soon = match[3] in {None, "0", "1"}
    return next(
        (
            (day, min(end, day + FIRST_CORRECTION) if soon else end)
            for (name, day), (_, end) in following
            if name == version
        ),
        None,
    )
