"""How many: numbers with their nouns, and what a report found, counted apart by weight."""

from __future__ import annotations

from ..report import Finding, Report


def counted(number: int, singular: str, plural: str = "") -> str:
    """Return a number with its noun."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def is_caveat(finding: Finding) -> bool:
    """Whether a violation is a caveat only: by its effect, or because the rule is not sure enough to accuse."""
    return finding.outcome == "violation" and (finding.effect == "caveat" or finding.confidence == "C1")


def found(report: Report) -> list[str]:
    """Return what was found in the words of a summary: violations, caveats, what is not shown, errors, waivers."""
    findings = report.all_findings
    caveats = sum(map(is_caveat, findings))
    outcomes = [finding.outcome for finding in findings]
    waived = sum(finding.waived is not None for finding in findings)
    return [
        counted(outcomes.count("violation") - caveats, "violation"),
        counted(caveats, "caveat"),
        f"{outcomes.count('not-shown'):,} not shown",
        *([counted(outcomes.count("error"), "error")] if "error" in outcomes else []),
        *([f"{waived:,} waived"] if waived else []),
    ]
