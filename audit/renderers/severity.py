"""How serious a finding is, in the words of other tools: by what it does to the gate."""

from __future__ import annotations

from typing import Literal

from ..report import Finding, Verdict

Level = Literal["error", "warning", "note", "none"]
LEVELS: dict[str, Level] = {"refutes": "error", "undermines": "warning", "caveat": "note"}
INVALID = "D01"


def level(finding: Finding, fail_at: int = Verdict.INSUFFICIENT_EVIDENCE) -> Level:
    """Return the level of a finding: what fails the gate is an error, what asks or warns is a warning, the rest a note.

    What the baseline holds is a note.

    Args:
        finding: what was found.
        fail_at: the verdict to fail on; above the worst one nothing fails.
    """
    if finding.code == INVALID:
        return "error"
    if finding.outcome == "error":
        return "none"
    if finding.waived is not None or finding.members or finding.known:
        return "note"
    if not finding.decides:
        leaves = Verdict.PASS_WITH_CAVEATS
    else:
        leaves = Verdict.FAIL if finding.outcome == "violation" else Verdict.INSUFFICIENT_EVIDENCE
    if leaves >= fail_at:
        return "error"
    return "note" if finding.is_minor else "warning"


def grade(finding: Finding) -> str:
    """Return outcome or effect, confidence and tier, as far as there are any."""
    shown = finding.effect or finding.outcome.replace("-", " ")
    return ", ".join(part for part in (shown, finding.confidence, finding.tier) if part)
