"""Lint one document: its bytes, the studies it cites, the rules' results, the verdict."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from ... import __version__
from ...rules.case import Case, Study
from ...rules.engine import judge
from ...rules.outcome import Effect, NotShown, Outcome, Result, Violation
from ...rules.plugins import rules_in_force
from ...rules.registry import Listed, family_of
from ...rules.tables.own import OwnTable
from ...schemas.digest import sha256_hex
from ...schemas.errors import UserError
from ...schemas.model import to_model
from ...schemas.source import Source
from ...schemas.submission import Claim, Submission
from ..report import ClaimReport, Coverage, Report, Spot, StudyReport
from ..tables import in_force, table_notes
from ..verdict import THROUGHPUT, Weighed, decide, judged_as, weigh_all, weigh_document
from ..waivers import NONE, WaiverFile, Waiving, waiving
from .apart import cases_apart, judge_apart
from .findings import Locate, completeness, finding, outdated_notes, waiver_findings
from .handed_in import waivers_inside
from .logs import foreign_locator, logs, unused_note
from .studies import read_studies

if TYPE_CHECKING:
    from ..importers.draft import Draft
    from ..trust.trustfile import Trust

LINE_LIMIT = 160
WAYS = tuple(f"W{number:02}" for number in range(1, 13))
_RANK = ("", "not-applicable", "pass", "error", "not-shown", "caveat", "violation")


class Settings(Struct, frozen=True):
    """How to judge.

    Attributes:
        profile: reviewer, gate, publication, procurement or mlperf.
        thresholds: by rule code and option name.
        trust: whose signatures count.
        claims: ids of the claims to judge; all where empty.
        waivers: findings that the gate's owner accepts.
        mandatory: codes of rules that no waiver silences.
        today: ISO 8601 day on which waivers must hold.
        nonce: what the reader gave out before the runs; none where empty.
        plugins: whether rules of installed packages judge too.
        jobs: processes that judge the results of one folder.
        tables: tables of devices and data sets whose entries replace ours.
    """

    profile: str = "reviewer"
    thresholds: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    trust: Trust | None = None
    claims: tuple[str, ...] = ()
    waivers: WaiverFile | None = None
    mandatory: tuple[str, ...] = ()
    today: str = ""
    nonce: str = ""
    plugins: bool = False
    jobs: int = 1
    tables: tuple[OwnTable, ...] = ()


class Linted(Struct, frozen=True):
    """A report together with the case that it is about, for renderers that draw the evidence.

    Attributes:
        report: what was found.
        case: what the rules read.
        times_ns: nanoseconds spent in each rule, by code.
        decisions: how many (rule, claim) pairs were decided.
        path: the document as it was named; the report holds its last part alone.
        imported: whether it is a report of another tool.
        unread: files of the folder that was handed in which no importer took; on its first document alone.
    """

    report: Report
    case: Case
    times_ns: Mapping[str, int] = {}
    decisions: int = 0
    path: str = ""
    imported: bool = False
    unread: tuple[str, ...] = ()


def lint(
    source: Source,
    folder: Path,
    settings: Settings,
    draft: Draft | None = None,
    submission: Submission | None = None,
) -> Linted:
    """Judge a valid submission.

    Args:
        source: the submission, already found valid against its schema.
        folder: folder beneath which the paths of its citations are read.
        settings: how to judge.
        draft: what an importer made of foreign files, where the submission is that.
        submission: the same as a model, where the caller has made it.

    Raises:
        UserError: a claim that was asked for is not there.
    """
    submission = submission or to_model(source.value, Submission)
    cited = read_studies(submission.manifests, folder, settings.trust)
    tables = in_force(settings.tables, folder, settings.profile)
    case = Case(
        submission,
        {name: item.study for name, item in cited.items()},
        settings.profile,
        settings.thresholds,
        submission.publication.date if submission.publication is not None else None,
        settings.nonce or None,
        waivers_inside(folder, settings.waivers.source.name if settings.waivers is not None else None),
        traces=draft.traces if draft is not None else logs(submission, folder, settings.plugins),
        tables=tables,
    )
    names = _chosen(submission, settings.claims, source)
    book = rules_in_force(settings.plugins)
    cases = cases_apart(case, draft.apart) if draft is not None else {}
    team = draft.team if draft is not None else None
    if cases:
        results, weighed = judge_apart(case, cases, book, names, settings.jobs, team)
    else:
        results, weighed = judge(case, book, names), {}
    if team is not None:
        team.close()
    texts = {name: item.source for name, item in cited.items()}
    if settings.waivers is not None:
        texts["waivers"] = settings.waivers.source
    locate = foreign_locator(draft, folder, locator(source, texts))
    waivers = _waiving(settings, source)
    report = _report(source, case, results, weighed, locate, names, waivers, book)
    unused = unused_note(draft) if draft is not None else ()
    outdated = outdated_notes(waivers, report)
    report = replace(report, notes=(*report.notes, *table_notes(settings.tables, tables), *unused, *outdated))
    times: dict[str, int] = {}
    for result in results:
        times[result.code] = times.get(result.code, 0) + result.duration_ns
    return Linted(report, case, times, len(results), source.name, draft is not None)


def _waiving(settings: Settings, source: Source) -> Waiving:
    if settings.waivers is None:
        return NONE
    return waiving(settings.waivers.waivers, sha256_hex(source.data), settings.today, settings.mandatory, source.name)


def _chosen(submission: Submission, wanted: Iterable[str], source: Source) -> tuple[str, ...]:
    names = tuple(wanted) or tuple(submission.claims)
    for name in names:
        if name not in submission.claims:
            there = ", ".join(submission.claims)
            raise UserError(f"there is no claim {name!r}", f"choose one of: {there}", source.name)
    return names


def locator(source: Source, others: Mapping[str, Source | None]) -> Locate:
    """Return a function from a place of a rule to the place in the right file.

    Args:
        source: the submission.
        others: further documents by the prefix of their places; None where one could not be read.
    """

    def locate(at: str) -> Spot:
        prefix, colon, pointer = at.partition(":")
        found, shown = source, at
        if colon and not at.startswith("/") and prefix in others:
            other = others[prefix]
            found, shown = (other, pointer) if other is not None else (source, f"/manifests/{prefix}")
        place = found.place(shown)
        return Spot(found.name, place.line, place.column, shown, found.line(place.line)[:LINE_LIMIT])

    return locate


def _report(
    source: Source,
    case: Case,
    results: tuple[Result, ...],
    weighed: Mapping[str, list[Weighed]],
    locate: Locate,
    names: tuple[str, ...],
    waivers: Waiving,
    book: tuple[Listed, ...],
) -> Report:
    rules = {rule.code: rule for rule in book}
    answers: dict[str | None, list[Result]] = {name: [] for name in (None, *names)}
    for result in results:
        answers[result.claim].append(result)
    by_claim = {
        name: [
            waivers.applied(item, name)
            for item in weighed.get(name) or weigh_all(answers[name], case.submission.claims[name], case)
        ]
        for name in names
    }
    alone = [waivers.applied(weigh_document(result), None) for result in answers[None]]
    claims = [_claim(name, case, answers[name], by_claim[name], rules, locate) for name in names]
    everything = [*alone, *(item for weighed in by_claim.values() for item in weighed)]
    findings = [found for item in alone if (found := finding(item, rules[item.result.code], locate)) is not None]
    findings += waiver_findings(waivers, everything, rules, locate)
    missing = completeness([item for item in everything if item.folded], rules["R00"], locate)
    worst = max([claim.verdict for claim in claims] + [item.verdict for item in alone], default=None)
    return Report(
        file=Path(source.name).name,
        sha256=sha256_hex(source.data),
        title=case.submission.title,
        coverage=case.submission.coverage or "full",
        profile=case.profile,
        tool=__version__,
        verdict=worst if claims else None,
        claims=tuple(claims),
        findings=(*findings, missing) if missing is not None else tuple(findings),
        studies=tuple(_study(study) for study in case.studies.values()),
        notes=_notes(case, any(item.noted for item in everything)),
    )


def _notes(case: Case, noted: bool) -> tuple[str, ...]:
    """Return what is printed once: the throughput note, and every threshold that a configuration sets."""
    changed = [
        f"{code}.{name} = {value:g}" for code, options in case.thresholds.items() for name, value in options.items()
    ]
    settings = (f"thresholds set by a configuration: {', '.join(changed)}",) if changed else ()
    return ((THROUGHPUT,) if noted else ()) + settings


def _study(study: Study) -> StudyReport:
    return StudyReport(study.id, study.signature, study.problems, study.plans, study.witnessed)


def _claim(
    name: str,
    case: Case,
    results: list[Result],
    weighed: list[Weighed],
    rules: Mapping[str, Listed],
    locate: Locate,
) -> ClaimReport:
    claim = case.submission.claims[name]
    verdict, why = decide(weighed)
    found = [item for entry in weighed if (item := finding(entry, rules[entry.result.code], locate)) is not None]
    effects = {"refutes": 3, "undermines": 2, "caveat": 1}
    found.sort(key=lambda item: (-item.decides, -effects.get(item.effect, 0)))
    return ClaimReport(
        id=name,
        statement=claim.statement,
        value=_value(claim),
        verdict=verdict,
        why=why,
        judged_as=judged_as(claim, case),
        tier=case.tier(claim).name,
        findings=tuple(found),
        coverage=_coverage(weighed, len(results) - len(weighed)),
        ways=_ways(results, weighed),
        notes=tuple(note for result in results for note in result.notes),
    )


def _value(claim: Claim) -> str:
    if claim.value is None:
        return ""
    qualifier = f"{claim.qualifier.replace('_', ' ')} " if claim.qualifier is not None else ""
    return f"{qualifier}{claim.value} {claim.unit or ''}".strip()


def _coverage(weighed: list[Weighed], not_applicable: int) -> Coverage:
    by_outcome: dict[Outcome, list[str]] = {outcome: [] for outcome in Outcome}
    for entry in weighed:
        by_outcome[entry.result.outcome].append(entry.result.code)
    settle = [_lacking(entry) for entry in weighed if entry.item]
    return Coverage(
        decided=tuple(by_outcome[Outcome.PASS] + by_outcome[Outcome.VIOLATION]),
        not_shown=tuple(by_outcome[Outcome.NOT_SHOWN] + by_outcome[Outcome.ERROR]),
        not_applicable=not_applicable,
        settle=tuple(dict.fromkeys(settle)),
    )


def _lacking(entry: Weighed) -> str:
    """Return what would settle a result: the required item, or what is missing of it."""
    branch = entry.result.branch
    return (branch.lacking if isinstance(branch, NotShown) else "") or entry.item


def _ways(results: list[Result], weighed: list[Weighed]) -> dict[str, str]:
    """Return the worst answer by way; a violation that is no more than a caveat is called one."""
    asked = {result.code[:3] for result in results}
    worst = {way: Outcome.NOT_APPLICABLE.value if way in asked else "" for way in WAYS}
    for entry in weighed:
        family, branch = family_of(entry.result.code), entry.result.branch
        minor = isinstance(branch, Violation) and (branch.effect is Effect.CAVEAT or entry.waived is not None)
        answer = "caveat" if minor else entry.result.outcome.value
        if family in worst and _RANK.index(answer) > _RANK.index(worst[family]):
            worst[family] = answer
    return worst
