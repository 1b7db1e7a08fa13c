"""Lint one document: draft, evidence, case, judge, waive, report. `read.py` comes before, the renderers after."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ...rules.case import Case
from ...rules.facts.document.quotations import source_text
from ...rules.plugins import rules_in_force
from ...schemas.collector import collector_paused
from ...schemas.errors import UserError
from ..report import Report
from ..tables import table_notes
from .cases import NOTHING, case_of, cases_of, cosmetic_note
from .document import Document
from .draft import Drafted, draft
from .evidence import Evidence, gather
from .invalid import invalid_report, unreadable_report
from .judge import judge
from .locations import Locate, foreign_locator, locator, published_locator
from .report import report, unused_note
from .settings import Settings
from .waive import waive, waivers_on

if TYPE_CHECKING:
    from ..workers import Workers


class Linted(Struct, frozen=True):
    """A report together with the case that it is about, for renderers that draw the evidence.

    Attributes:
        report: what was found.
        case: what the rules read.
        times_ns: nanoseconds spent in each rule, by code.
        decisions: how many (rule, claim) pairs were decided.
        path: the document as it was named; the report holds its last part alone.
        imported: whether it is a report of another tool.
        places: where the sentences of claims stand in what was published, by claim, as far as that is known.
    """

    report: Report
    case: Case
    times_ns: Mapping[str, int] = {}
    decisions: int = 0
    path: str = ""
    imported: bool = False
    places: Mapping[str, str] = {}


@collector_paused()
def lint(document: Document, settings: Settings, workers: Workers | None = None) -> Linted:
    """Judge one document; an invalid one becomes a report without a verdict, with a finding for every place.

    Args:
        document: as it was read.
        settings: how to judge.
        workers: processes that judge results of one folder.

    Raises:
        UserError: a claim that was asked for is not there, or an importer's draft is not valid.
    """
    if document.broken is not None:
        unread = unreadable_report(document.source, document.broken, settings.profile)
        return Linted(_told(unread, document), NOTHING, path=document.source.name)
    drafted, foreign = draft(document), document.draft
    if not isinstance(drafted, Drafted):
        invalid = invalid_report(document.source, drafted, settings.profile)
        return Linted(_told(invalid, document), NOTHING, path=document.source.name)
    source, submission = drafted.source, drafted.submission
    evidence = gather(drafted, document, settings)
    case = case_of(submission, evidence, settings)
    cases = cases_of(case, _chosen(drafted, settings.claims), foreign.apart if foreign is not None else {})
    book = rules_in_force(settings.plugins)
    answers = judge(case, cases, book, workers, foreign.keepers if foreign is not None else None)
    waivers = waivers_on(source, settings)
    cosmetic = cosmetic_note(submission, evidence, settings.cosmetic)
    notes = (*table_notes(settings.tables, evidence.tables), *cosmetic, *unused_note(foreign))
    locate = _locator(drafted, document, evidence, settings)
    told = report(source, case, waive(answers, waivers), waivers, book, locate, notes)
    done = answers.times_ns, answers.decisions
    return Linted(_told(told, document), case, *done, source.name, foreign is not None, _places(case))


def _places(case: Case) -> dict[str, str]:
    """Return where the sentences of claims stand in the document that they were taken from."""
    text = source_text(case)
    if case.published is None or text is None:
        return {}
    name, marks = case.published.name, case.published.marks or {}
    found = {each: text.find(claim.statement, marks.get(each, 0)) for each, claim in case.submission.claims.items()}
    return {each: f"{name}:{text.line(place[0])}" for each, place in found.items() if place is not None}


def _told(report: Report, document: Document) -> Report:
    return replace(report, left_out=document.left_out) if document.left_out else report


def with_notes(linted: list[Linted], notes: Iterable[str]) -> list[Linted]:
    """Return what was judged with notes on all of it, which its first report tells."""
    if not linted or not notes:
        return linted
    first, *others = linted
    return [replace(first, report=replace(first.report, notes=(*notes, *first.report.notes))), *others]


def _chosen(drafted: Drafted, wanted: Iterable[str]) -> tuple[str, ...]:
    claims = drafted.submission.claims
    names = tuple(wanted) or tuple(claims)
    for name in names:
        if name not in claims:
            there = ", ".join(claims)
            raise UserError(f"there is no claim {name!r}", f"choose one of: {there}", drafted.source.name)
    return names


def _locator(drafted: Drafted, document: Document, evidence: Evidence, settings: Settings) -> Locate:
    texts = {name: cited.source for name, cited in evidence.studies.items()}
    if settings.waivers is not None:
        texts["waivers"] = settings.waivers.source
    own = published_locator(evidence.published, document, locator(drafted.source, texts))
    return foreign_locator(document.draft, document.folder, own)
