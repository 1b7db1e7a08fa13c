"""How serious a finding is, in the words of other tools: derived from its effect, and from nothing else."""

from __future__ import annotations

from typing import Literal

from ..report import Finding

Level = Literal["error", "warning", "note", "none"]
LEVELS: dict[str, Level] = {"refutes": "error", "undermines": "warning", "caveat": "note"}
INVALID = "D01"


def level(finding: Finding) -> Level:
    """Return the level of a finding; "none" where nothing is shown, or where a rule could not decide."""
    if finding.code == INVALID:
        return "error"
    return LEVELS.get(finding.effect, "none")


def grade(finding: Finding) -> str:
    """Return outcome or effect, confidence and tier, as far as there are any."""
    shown = finding.effect or finding.outcome.replace("-", " ")
    return ", ".join(part for part in (shown, finding.confidence, finding.tier) if part)
