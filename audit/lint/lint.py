"""Lint one document: draft, evidence, case, judge, waive, report. `read.py` comes before, the renderers after."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ...rules.caching import parts_forgotten
from ...rules.case import Case
from ...rules.facts.document.quotations import nearest_line, quoted, source_texts
from ...rules.plugins import rules_in_force
from ...schemas.collector import collector_paused
from ...schemas.errors import UserError
from ..report import SENTENCE, ClaimReport, Report
from ..tables import table_notes
from .cases import NOTHING, case_of, cases_of, cosmetic_note
from .document import Document
from .draft import Drafted, draft
from .evidence import Evidence, gather
from .invalid import invalid_report, refused_report, unreadable_report
from .judge import judge
from .locations import Locate, foreign_locator, locator, published_locator
from .published import published_of
from .report import report, unused_note
from .settings import Settings
from .unmarked import unmarked_note
from .waive import waive, waivers_on

if TYPE_CHECKING:
    from ..importers.draft import Draft
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
        unread: what an importer saw in a report and did not take into a claim, with its place and the reason.
        marked_in: the document that was read for its marks of the claims; empty where none was.
    """

    report: Report
    case: Case
    times_ns: Mapping[str, int] = {}
    decisions: int = 0
    path: str = ""
    imported: bool = False
    places: Mapping[str, str] = {}
    unread: tuple[str, ...] = ()
    marked_in: str = ""


@collector_paused()
@parts_forgotten()
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
    try:
        published = published_of(submission.source, document)
    except UserError as error:
        name, unread = refused_report(error, (source.name,), settings.profile)
        return Linted(_told(unread, document), NOTHING, path=name)
    evidence = gather(drafted, document, settings, published)
    case = case_of(submission, evidence, settings)
    if drafted.otherwise is not None:
        case = replace(case, otherwise=case_of(drafted.otherwise, evidence, settings))
    cases = cases_of(case, _chosen(drafted, settings.claims), foreign.apart if foreign is not None else {})
    book = rules_in_force(settings.plugins)
    answers = judge(case, cases, book, workers, foreign.keepers if foreign is not None else None)
    waivers = waivers_on(source, case, settings)
    cosmetic = cosmetic_note(submission, evidence, settings.cosmetic)
    lines, near = _lines(case)
    unmarked = unmarked_note(case, frozenset(near.values()))
    notes = (*table_notes(settings.tables, evidence.tables), *cosmetic, *unused_note(foreign), *unmarked)
    locate = _locator(drafted, document, evidence, settings)
    told = report(source, case, waive(answers, waivers), waivers, book, locate, notes)
    placed = (_placed(claim, lines | near, locate) for claim in told.claims)
    told = replace(told, claims=tuple(replace(claim, cell=_cell(claim, case, foreign)) for claim in placed))
    done = answers.times_ns, answers.decisions
    name = case.published.name if case.published is not None else ""
    places = {claim: f"{name}:{line}" for claim, line in lines.items()}
    unused = foreign.unused if foreign is not None else ()
    marked_in = document.published.name if document.published is not None else ""
    is_drafted = foreign is not None
    return Linted(_told(told, document), case, *done, source.name, is_drafted, places, unused, marked_in)


def _placed(claim: ClaimReport, lines: Mapping[str, int], locate: Locate) -> ClaimReport:
    return replace(claim, location=locate(f"published:{lines[claim.id]}")) if claim.id in lines else claim


def _cell(claim: ClaimReport, case: Case, foreign: Draft | None) -> str:
    """Return where the cell stands from which a claim was put together; empty of a sentence that somebody wrote."""
    made, at = case.submission.claims[claim.id], claim.location
    if foreign is not None:
        together = "tables" in foreign.value and not claim.id.startswith(SENTENCE)
        line = at.line if at is not None and at.lines else None
    else:
        together, line = bool(made.put_together), made.printed_at.line if made.printed_at is not None else None
    return (f"Table, line {line}" if line is not None else "Table") if together else ""


def _lines(case: Case) -> tuple[dict[str, int], dict[str, int]]:
    """Return the lines of the sentences of claims in the document that they were taken from.

    Those that stand there; and for claims whose sentence does not, the line of the nearest.
    """
    texts = source_texts(case)
    if case.published is None or not texts:
        return {}, {}
    marks, found, near = case.published.marks or {}, dict[str, int](), dict[str, int]()
    for name, claim in case.submission.claims.items():
        mark = marks.get(name)
        at = quoted(texts, claim.statement, mark or 0)
        if at is not None:
            found[name] = at[0].line(at[1][0])
        elif not claim.put_together and (line := nearest_line(texts[0], claim.statement, mark)) is not None:
            near[name] = line
    return found, near


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
