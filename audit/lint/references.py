"""References inside a submission that lead nowhere: no schema sees them, and no rule should have to guess."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.submission import Claim, Submission
from ...schemas.validation import Problem


def dangling(submission: Submission) -> tuple[Problem, ...]:
    """Return a problem for every name that a valid submission uses and does not define.

    What a cited manifest holds is not looked at: it may be missing, and verification says so.
    """
    return tuple(_problems(submission))


def _problems(submission: Submission) -> Iterator[Problem]:
    for claim in submission.claims.values():
        yield from _claim(claim, submission)
    for arm in submission.arms.values():
        yield from _known("system", arm.system, submission.systems, arm.place("system"))
    for table in submission.tables.values():
        yield from _known("row", table.base_row, table.rows, table.place("base_row"))
        for row in table.rows.values():
            yield from _known("arm", row.arm, submission.arms, row.place("arm"))
            yield from _known("system", row.system, submission.systems, row.place("system"))


def _claim(claim: Claim, submission: Submission) -> Iterator[Problem]:
    for ref in (claim.measured, claim.base, claim.quality):
        if ref is None or ref.arm is None:
            continue
        if ref.manifest is not None:
            yield from _known("manifest", ref.manifest, submission.manifests, ref.place("manifest"))
        else:
            yield from _known("arm", ref.arm, submission.arms, ref.place("arm"))
    if claim.row is not None:
        yield from _known("table", claim.row.table, submission.tables, claim.row.place("table"))
        table = submission.tables.get(claim.row.table)
        for name in ("row", "base_row") if table is not None else ():
            yield from _known("row", getattr(claim.row, name), table.rows if table else {}, claim.row.place(name))


def _known(what: str, name: str | None, names: object, at: str) -> Iterator[Problem]:
    assert isinstance(names, dict)
    if name is not None and name not in names:
        there = f"write one of: {', '.join(list(names)[:8])}" if names else f"there is no {what} at all: add it"
        yield Problem(at, f"there is no {what} {name!r}", there)
