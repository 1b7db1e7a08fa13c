"""The report of a document that does not fit its schema: every place at once, and no verdict."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from ... import __version__
from ...schemas.digest import sha256_hex
from ...schemas.errors import UserError
from ...schemas.source import Source, read_bytes
from ...schemas.strict_json import LIMIT_BYTES
from ...schemas.validation import Problem
from ..report import Finding, Location, Report
from .findings import fingerprint
from .locations import LINE_LIMIT, locator

_PLACE = re.compile(r"(?P<file>.*?)(:(?P<line>[0-9]{1,9}))?(:(?P<column>[0-9]{1,9}))?( \(.*\))?", re.DOTALL)


def invalid_report(source: Source, problems: Iterable[Problem], profile: str) -> Report:
    """Return a report whose findings are the schema's problems, each with its place and what to do."""
    locate = locator(source, {})
    ordered = sorted(problems, key=lambda problem: source.place(problem.pointer))
    return _report(source, [_finding(problem, locate(problem.pointer)) for problem in ordered], profile)


def unreadable_report(source: Source, error: UserError, profile: str) -> Report:
    """Return the report of a file that was to be a document and cannot be read."""
    problem = Problem("", f"it cannot be read: {error.what}", error.todo)
    return _report(source, [_finding(problem, _location(source, error.where))], profile)


def refused_report(error: UserError, paths: Sequence[str], profile: str) -> tuple[str, Report]:
    """Return the file that an error is about, and a report that says nothing else: nothing was judged.

    Args:
        error: why.
        paths: what was to be judged. The first stands for an error that names no file, and of these alone a line is
            quoted: another file may be one that a document only points to.
        profile: what was asked for.
    """
    named = _placed(error.where)["file"] or ""
    name = paths[0] if not named or named.startswith("--") else named
    try:
        data = read_bytes(name, LIMIT_BYTES) if name in paths and Path(name).is_file() else b""
    except UserError:
        data = b""
    source, problem = Source(name, data, None, "json"), Problem("", error.what, error.todo)
    return name, _report(source, [_finding(problem, _location(source, error.where))], profile)


def _placed(where: str) -> re.Match[str]:
    found = _PLACE.fullmatch(where)
    assert found is not None
    return found


def _location(source: Source, where: str) -> Location:
    found = _placed(where)
    line, column = int(found["line"] or 1), int(found["column"] or 1)
    text = source.data.split(b"\n", line)[line - 1 : line]
    quoted = text[0].decode(errors="replace")[:LINE_LIMIT] if text else ""
    return Location(source.name, line, column, "", quoted)


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
