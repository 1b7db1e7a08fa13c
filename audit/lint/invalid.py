"""The report of a document that does not fit its schema: every place at once, and no verdict."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ... import __version__
from ...schemas.digest import sha256_hex
from ...schemas.source import Source
from ...schemas.validation import Problem
from ..report import Finding, Report
from .findings import fingerprint
from .locations import locator


def invalid_report(source: Source, problems: Iterable[Problem], profile: str) -> Report:
    """Return a report whose findings are the schema's problems, each with its place and what to do."""
    locate = locator(source, {})
    findings = tuple(
        Finding(
            fingerprint=fingerprint("D01", None, problem.what, problem.pointer),
            code="D01",
            name="document-invalid",
            claim=None,
            outcome="error",
            effect="",
            confidence="",
            tier="T0",
            branch="",
            message=problem.what,
            claimed=None,
            recomputed=None,
            location=locate(problem.pointer),
            next_step=problem.todo,
        )
        for problem in sorted(problems, key=lambda problem: source.place(problem.pointer))
    )
    return Report(
        file=Path(source.name).name,
        sha256=sha256_hex(source.data),
        title="not valid",
        coverage="full",
        profile=profile,
        tool=__version__,
        verdict=None,
        claims=(),
        findings=findings,
    )
