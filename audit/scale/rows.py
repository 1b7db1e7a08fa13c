"""What is kept of a judged document: a row per claim, small enough for thousands of documents."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct
from msgspec.structs import asdict, replace

from ...schemas.errors import UserError
from ..lint.lint import Linted
from ..lint.paths import lint_paths
from ..lint.read import read_documents
from ..lint.rest import own_of
from ..lint.settings import Settings
from ..report import ClaimReport, Finding, Report
from .bucket import fetched, is_bucket, shown

NO_DOCUMENT, UNREADABLE = "no document", "unreadable"
"""Words in place of a verdict, where nothing was judged."""
INVALID = "D01"
LISTS = ("rules", "missing", "contradictions")


class Row(Struct, frozen=True):
    """A claim with its verdict; of a document without claims, and of what cannot be read, one row without a claim.

    Attributes:
        entry: the file or folder that was judged, as it was named.
        document: name of the document in it.
        sha256: digest of its bytes.
        document_verdict: verdict of the document, in words.
        claim: id of the claim; empty where there is none.
        statement: the sentence as printed.
        value: number and unit as printed.
        verdict: of the claim, in words; else that of the document.
        why: the clause that decided it, or why nothing was judged.
        tier: tier of the evidence behind it.
        rules: codes of the rules that fired, on the claim or the document as a whole, each once.
        missing: codes of the rules whose missing evidence decided it.
        contradictions: findings that refute or undermine by arithmetic, physics or a declared contradiction (C3): the
            rule, a colon, the message.
        profile: that it was judged under.
        tool: version of dlaudit.
    """

    entry: str
    document: str = ""
    sha256: str = ""
    document_verdict: str = ""
    claim: str = ""
    statement: str = ""
    value: str = ""
    verdict: str = ""
    why: str = ""
    tier: str = ""
    rules: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    contradictions: tuple[str, ...] = ()
    profile: str = ""
    tool: str = ""


def rows_of_entry(entry: str, settings: Settings) -> tuple[Row, ...]:
    """Judge a file or folder as `dlaudit lint` does, and return its rows; what cannot be read is a row that says so.

    An entry of a bucket is judged as a copy; its rows name the bucket.
    """
    if not is_bucket(entry):
        return _judged(entry, settings)
    try:
        with fetched(entry) as copy:
            return tuple(_named(row, str(copy), shown(entry)) for row in _judged(str(copy), settings, is_copy=True))
    except UserError as error:
        return (unreadable(entry, str(error), settings),)


def unreadable(entry: str, why: str, settings: Settings) -> Row:
    """Return the row of what could not be judged."""
    name = shown(entry) if is_bucket(entry) else entry
    return Row(name, document_verdict=UNREADABLE, verdict=UNREADABLE, why=why, profile=settings.profile)


def _judged(entry: str, settings: Settings, *, is_copy: bool = False) -> tuple[Row, ...]:
    try:
        if is_copy and Path(entry).is_file():
            _check_alone(entry, settings)
        linted = lint_paths((entry,), settings)
    except UserError as error:
        return (unreadable(entry, str(error), settings),)
    rows = tuple(row for item in linted for row in _rows(entry, item))
    return rows or (Row(entry, document_verdict=NO_DOCUMENT, verdict=NO_DOCUMENT, profile=settings.profile),)


def _check_alone(copy: str, settings: Settings) -> None:
    """Refuse a single file of a bucket whose evidence lies beside it, for only the file was copied.

    Raises:
        UserError: it cannot be read, is the manifest of a study, or cites other files.
    """
    own = [own_of(document) for document in read_documents((copy,), settings.plugins)]
    if any(each.is_study or each.cites for each in own):
        what, hint = "its evidence lies in other files", "put it with them into a folder of its own in the bucket"
        raise UserError(what, hint, copy)


def _named(row: Row, copy: str, name: str) -> Row:
    """Return a row with the name of what was judged in place of its copy's."""
    texts = {key: value.replace(copy, name) for key, value in asdict(row).items() if isinstance(value, str)}
    lists = {key: tuple(text.replace(copy, name) for text in getattr(row, key)) for key in LISTS}
    return replace(row, **texts, **lists)


def _rows(entry: str, linted: Linted) -> Iterable[Row]:
    report = linted.report
    if report.claims:
        return (_of_claim(entry, linted.path, report, claim) for claim in report.claims)
    words = _words(report)
    why = next((finding.message for finding in report.findings), "")
    return (_row(entry, linted.path, report, report.findings, verdict=words, why=why),)


def _of_claim(entry: str, path: str, report: Report, claim: ClaimReport) -> Row:
    stated = {"claim": claim.id, "statement": claim.statement, "value": claim.value, "tier": claim.tier}
    findings = (*claim.findings, *report.findings)
    return _row(entry, path, report, findings, verdict=claim.verdict.words, why=claim.why, **stated)


def _row(entry: str, path: str, report: Report, findings: Iterable[Finding], **stated: str) -> Row:
    fired = [finding for finding in findings if finding.outcome == "violation" and finding.waived is None]
    missing = (finding.code for finding in findings if finding.outcome == "not-shown" and finding.decides)
    return Row(
        entry,
        document=path,
        sha256=report.sha256,
        document_verdict=_words(report),
        rules=tuple(dict.fromkeys(finding.code for finding in fired)),
        missing=tuple(dict.fromkeys(missing)),
        contradictions=tuple(f"{finding.code}: {finding.message}" for finding in fired if _contradicts(finding)),
        profile=report.profile,
        tool=report.tool,
        **stated,
    )


def _words(report: Report) -> str:
    if report.verdict is not None:
        return report.verdict.words
    return UNREADABLE if any(finding.code == INVALID for finding in report.findings) else NO_DOCUMENT


def _contradicts(finding: Finding) -> bool:
    return finding.confidence == "C3" and finding.effect in {"refutes", "undermines"}
