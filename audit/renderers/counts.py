"""How many: numbers with their nouns, and which findings count as caveats."""

from __future__ import annotations

from ..report import Finding


def counted(number: int, singular: str, plural: str = "") -> str:
    """Return a number with its noun."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def is_caveat(finding: Finding) -> bool:
    """Whether a violation is a caveat only: by its effect, or because the rule is not sure enough to accuse."""
    return finding.outcome == "violation" and (finding.effect == "caveat" or finding.confidence == "C1")
