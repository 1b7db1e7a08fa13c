"""Baselines: the findings of earlier verdicts, matched one for one, so that a gate reacts to news only."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from ..schemas.validation import load
from .report import Report

Known = Counter[tuple[str, str]]


def read_baseline(path: Path) -> Known:
    """Return the findings of a verdict document, counted by (file, fingerprint).

    Raises:
        UserError: it cannot be read, or is no verdict document.
    """
    verdict: Any = load(path, "verdict").value
    return Counter(
        (document["file"], finding["fingerprint"])
        for document in verdict["documents"]
        for part in (document, *document["claims"].values())
        for finding in part["findings"]
    )


def has_news(report: Report, known: Known) -> bool:
    """Whether a report holds a finding beyond those that are known, each known one used up once."""
    left = Counter({key: count for key, count in known.items() if key[0] == report.file})
    left.subtract((report.file, finding.fingerprint) for finding in report.all_findings)
    return any(count < 0 for count in left.values())
