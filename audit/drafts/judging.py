"""How a draft would be judged, claim by claim, as it is written so far."""

from __future__ import annotations

import json
from pathlib import Path

from ...schemas.errors import UserError
from ...schemas.source import parse
from ..lint.document import Document
from ..lint.lint import lint
from ..lint.settings import Settings
from .decisions import Judge, Judged
from .submission import Value

FEW = 40
"""Claims that are judged twice without much waiting."""


def judge_in(folder: Path) -> Judge:
    """Return how a claim of a submission in a folder is judged by the reviewer profile, by rules that speak of it."""

    def judged(value: Value, claim: str) -> Judged | None:
        found = _judged(value, folder, (claim,))
        return found.get(claim)

    return judged


def shortened(value: Value, folder: Path) -> Value:
    """Return a submission without its tables where they change nothing that is judged."""
    without = {name: part for name, part in value.items() if name != "tables"}
    if "tables" not in value or len(value["claims"]) > FEW or any("row" in claim for claim in value["claims"].values()):
        return value
    return without if _judged(without, folder, ()) == _judged(value, folder, ()) else value


def _judged(value: Value, folder: Path, claims: tuple[str, ...]) -> dict[str, Judged]:
    """Return the verdict and the findings of claims; nothing where the submission is not valid."""
    source = parse(json.dumps(value).encode(), "draft")
    try:
        report = lint(Document(source, "submission", folder), Settings(claims=claims)).report
    except UserError:
        return {}
    return {
        claim.id: (
            int(claim.verdict),
            frozenset((finding.code, finding.outcome, finding.effect) for finding in claim.findings),
        )
        for claim in report.claims
        if claim.verdict is not None
    }
