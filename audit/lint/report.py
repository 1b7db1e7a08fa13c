"""Report: from the rules' answers on a document to what is told of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from ... import __version__
from ...rules.case import Case, Study
from ...rules.facts.quantities.qualifiers import qualifier_words
from ...rules.outcome import Effect, NotShown, Outcome, Violation
from ...rules.registry import Listed, family_of
from ...schemas.digest import sha256_hex
from ...schemas.printed_forms import NOT_STATED
from ...schemas.source import Source
from ...schemas.submission import Claim
from ..report import ClaimReport, Coverage, Report, StudyReport
from ..verdict import THROUGHPUT, Assessment, decide, judged_as
from ..waivers import Waiving
from .findings import completeness, finding
from .judge import Answer, Answers
from .locations import Locate
from .waive import outdated_notes, waiver_findings

if TYPE_CHECKING:
    from ..importers.draft import Draft

MOST_NAMED = 12
WAYS = tuple(f"W{number:02}" for number in range(1, 13))
OF_ANY_CLAIM = frozenset({"W0105"})
"""Rules that ask something of every number: that one has nothing to say tells nothing of its way."""
_RANK = ("", "not-applicable", "pass", "error", "not-shown", "caveat", "violation")


def report(
    source: Source,
    case: Case,
    answers: Answers,
    waivers: Waiving,
    book: Iterable[Listed],
    locate: Locate,
    notes: Iterable[str] = (),
) -> Report:
    """Return the report of a document.

    Args:
        source: the submission.
        case: the whole document's.
        answers: of the rules, as waivers leave them.
        waivers: those that concern the document.
        book: the rules.
        locate: from a place of a rule to its location.
        notes: what else is told once.
    """
    rules = {rule.code: rule for rule in book}
    unscoped = _unscoped(source)
    claims = tuple(
        _claim(name, case, answer, rules, locate, has_scope=name not in unscoped)
        for name, answer in answers.claims.items()
    )
    alone, everything = answers.document.assessments, answers.assessments
    findings = [found for item in alone if (found := finding(item, rules[item.result.code], locate)) is not None]
    findings += waiver_findings(waivers, everything, rules, locate)
    missing = completeness([item for item in everything if item.folded], rules["R00"], locate)
    worst = max([claim.verdict for claim in claims] + [item.verdict for item in alone], default=None)
    told = Report(
        file=Path(source.name).name,
        sha256=sha256_hex(source.data),
        title=case.submission.title,
        coverage=case.submission.coverage or "full",
        profile=case.profile,
        tool=__version__,
        verdict=worst if claims else None,
        claims=claims,
        findings=(*findings, missing) if missing is not None else tuple(findings),
        studies=tuple(_study(study) for study in case.studies.values()),
        notes=(*_notes(case, any(item.noted for item in everything)), *notes),
    )
    return replace(told, notes=(*told.notes, *outdated_notes(waivers, told, case)))


def _notes(case: Case, noted: bool) -> tuple[str, ...]:
    """Return what is printed once: the throughput note, and every threshold that a configuration sets."""
    changed = [
        f"{code}.{name} = {value:g}" for code, options in case.thresholds.items() for name, value in options.items()
    ]
    settings = (f"thresholds set by a configuration: {', '.join(changed)}",) if changed else ()
    return ((THROUGHPUT,) if noted else ()) + settings


def _study(study: Study) -> StudyReport:
    return StudyReport(study.id, study.signature, study.problems, study.plans, study.witnessed)


def _unscoped(source: Source) -> frozenset[str]:
    """Return the claims of which a submission says that their scope is not stated."""
    written: Any = source.value
    return frozenset(name for name, claim in written["claims"].items() if claim.get("scope") == NOT_STATED)


def _claim(
    name: str, case: Case, answer: Answer, rules: Mapping[str, Listed], locate: Locate, *, has_scope: bool
) -> ClaimReport:
    claim, assessments = case.submission.claims[name], answer.assessments
    verdict, why = decide(assessments)
    found = [item for entry in assessments if (item := finding(entry, rules[entry.result.code], locate)) is not None]
    effects = {"refutes": 3, "undermines": 2, "caveat": 1}
    found.sort(key=lambda item: (-item.decides, -effects.get(item.effect, 0)))
    return ClaimReport(
        id=name,
        statement=claim.statement,
        value=_value(claim),
        verdict=verdict,
        why=why,
        judged_as=judged_as(claim, case, has_scope=has_scope),
        tier=case.tier(claim).name,
        findings=tuple(found),
        coverage=_coverage(assessments, answer.asked - len(assessments)),
        ways=_ways(answer),
        notes=answer.notes,
        location=locate(f"/claims/{name}"),
    )


def _value(claim: Claim) -> str:
    if claim.value is None:
        return ""
    return f"{qualifier_words(claim)} {claim.value} {claim.unit or ''}".strip()


def _coverage(assessments: Iterable[Assessment], not_applicable: int) -> Coverage:
    by_outcome: dict[Outcome, list[str]] = {outcome: [] for outcome in Outcome}
    for entry in assessments:
        by_outcome[entry.result.outcome].append(entry.result.code)
    settle = [_lacking(entry) for entry in assessments if entry.item]
    return Coverage(
        decided=tuple(by_outcome[Outcome.PASS] + by_outcome[Outcome.VIOLATION]),
        not_shown=tuple(by_outcome[Outcome.NOT_SHOWN] + by_outcome[Outcome.ERROR]),
        not_applicable=not_applicable,
        settle=tuple(dict.fromkeys(settle)),
    )


def _lacking(entry: Assessment) -> str:
    """Return what would settle a result: the required item, or what is missing of it."""
    branch = entry.result.branch
    return (branch.lacking if isinstance(branch, NotShown) else "") or entry.item


def _ways(answer: Answer) -> dict[str, str]:
    """Return the worst answer by way; a violation that is no more than a caveat is called one."""
    worst = {way: Outcome.NOT_APPLICABLE.value if way in answer.families else "" for way in WAYS}
    for entry in answer.assessments:
        if entry.result.code in OF_ANY_CLAIM and entry.result.outcome is Outcome.PASS:
            continue
        family, branch = family_of(entry.result.code), entry.result.branch
        minor = isinstance(branch, Violation) and (branch.effect is Effect.CAVEAT or entry.waived is not None)
        outcome = "caveat" if minor else entry.result.outcome.value
        if family in worst and _RANK.index(outcome) > _RANK.index(worst[family]):
            worst[family] = outcome
    return worst


def unused_note(draft: Draft | None) -> tuple[str, ...]:
    """Return the note that names what was seen in a foreign report, and not judged."""
    if draft is None or not draft.unused:
        return ()
    named = "; ".join(draft.unused[:MOST_NAMED])
    more = f"; and {len(draft.unused) - MOST_NAMED:,} more" if len(draft.unused) > MOST_NAMED else ""
    return (f"seen and not judged: {named}{more}",)
