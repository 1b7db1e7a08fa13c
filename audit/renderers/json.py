"""The report as JSON: kind `verdict/1`, described by verdict.schema.json. It holds no clock, path or host."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from msgspec.structs import asdict

from ..report import ClaimReport, Finding, Location, Report, Verdict

MOST_ROWS = 1_000
"""Files that are named of those that were not judged; their count is told always."""


def render(reports: tuple[Report, ...]) -> str:
    """Return the verdicts of one or more documents as JSON, indented, keys in a fixed order."""
    value = document(reports)
    try:
        text = json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)
        text.encode()
    except UnicodeEncodeError:  # the name of a file need not be UTF-8
        text = json.dumps(_encodable(value), indent=2, ensure_ascii=False, allow_nan=False)
    return text + "\n"


def _encodable(value: Any) -> Any:
    """Return a value whose texts show as escapes what no encoder takes."""
    if isinstance(value, dict):
        return {_encodable(key): _encodable(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_encodable(item) for item in value]
    return (
        value.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
        if isinstance(value, str)
        else value
    )


def document(reports: tuple[Report, ...]) -> dict[str, Any]:
    """Return the JSON value of the verdict document."""
    left_out = [each for report in reports for each in report.left_out]
    rows = [{"file": each.path, "reason": each.reason} for each in left_out[:MOST_ROWS]]
    return {
        "dlaudit": "verdict/1",
        "tool": reports[0].tool if reports else "",
        "documents": [_report(r) for r in reports],
        **({"not_judged": {"count": len(left_out), "files": rows}} if left_out else {}),
    }


def _report(report: Report) -> dict[str, Any]:
    return {
        "file": report.file,
        "sha256": report.sha256,
        "title": report.title,
        "coverage": report.coverage,
        "profile": report.profile,
        "verdict": _verdict(report.verdict),
        "notes": list(report.notes),
        "studies": [asdict(study) for study in report.studies],
        "claims": {claim.id: _claim(claim) for claim in report.claims},
        "findings": [_finding(finding) for finding in report.findings],
    }


def _verdict(verdict: Verdict | None) -> str | None:
    return None if verdict is None else verdict.words


def _claim(claim: ClaimReport) -> dict[str, Any]:
    coverage = claim.coverage
    return {
        "statement": claim.statement,
        "value": claim.value,
        "verdict": claim.verdict.words,
        "why": claim.why,
        "judged_as": claim.judged_as,
        "tier": claim.tier,
        "coverage": {
            "decided": list(coverage.decided),
            "not_shown": list(coverage.not_shown),
            "not_applicable": coverage.not_applicable,
            "settle": list(coverage.settle),
        },
        "ways": claim.ways,
        "notes": list(claim.notes),
        "findings": [_finding(finding) for finding in claim.findings],
    }


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "fingerprint": finding.fingerprint,
        "code": finding.code,
        "name": finding.name,
        "outcome": finding.outcome,
        "effect": finding.effect or None,
        "confidence": finding.confidence or None,
        "tier": finding.tier,
        "branch": finding.branch or None,
        "message": finding.message,
        "claimed": finding.claimed,
        "recomputed": finding.recomputed,
        "place": _place(finding.location),
        "related": [{**_place(location), "note": note} for location, note in finding.related],
        "also": list(finding.also),
        "decides": finding.decides,
        "item": finding.item or None,
        "next_step": finding.next_step,
        "provide": finding.provide or None,
        "members": [{"code": code, "message": message} for code, message in finding.members],
        "waived": asdict(finding.waived) if finding.waived is not None else None,
    }


def _place(location: Location) -> dict[str, Any]:
    return {
        "file": Path(location.file).name,
        "line": location.line,
        "column": location.column,
        "pointer": location.pointer,
    }
