"""The report of a document that does not fit its schema: every place at once, and no verdict."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from ... import __version__
from ...schemas.digest import sha256_hex
from ...schemas.errors import UserError
from ...schemas.source import Source
from ...schemas.validation import Problem
from ..report import Finding, Location, Report
from .findings import fingerprint
from .locations import LINE_LIMIT, locator

_PLACE = re.compile(r":([0-9]{1,9}):([0-9]{1,9})\Z")


def invalid_report(source: Source, problems: Iterable[Problem], profile: str) -> Report:
    """Return a report whose findings are the schema's problems, each with its place and what to do."""
    locate = locator(source, {})
    ordered = sorted(problems, key=lambda problem: source.place(problem.pointer))
    return _report(source, [_finding(problem, locate(problem.pointer)) for problem in ordered], profile)


def unreadable_report(source: Source, error: UserError, profile: str) -> Report:
    """Return the report of a file that was to be a document and cannot be read."""
    match = _PLACE.search(error.where)
    line, column = (int(match[1]), int(match[2])) if match is not None else (1, 1)
    text = source.data.split(b"\n", line)[line - 1 : line]
    quoted = text[0].decode(errors="replace")[:LINE_LIMIT] if text else ""
    problem = Problem("", f"it cannot be read: {error.what}", error.todo)
    return _report(source, [_finding(problem, Location(source.name, line, column, "", quoted))], profile)


def _finding(problem: Problem, location: Location) -> Finding:
    return Finding(
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
        location=location,
        next_step=problem.todo,
    )


def _report(source: Source, findings: Iterable[Finding], profile: str) -> Report:
    return Report(
        file=Path(source.name).name,
        sha256=sha256_hex(source.data),
        title="not valid",
        coverage="full",
        profile=profile,
        tool=__version__,
        verdict=None,
        claims=(),
        findings=tuple(findings),
    )
