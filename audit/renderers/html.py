"""The report as one HTML file: no script, nothing loaded from anywhere, readable on paper, on a phone and by ear.

Whatever comes from a document is text: each expression of the templates passes `safe` and then HTML escaping, and none
stands in an address, a style or an attribute.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import replace as replaced
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ...rules.registry import FAMILIES
from ...rules.statistics.intervals import median
from ..lint.lint import Linted
from ..lint.report import WAYS
from ..report import ClaimReport, Finding, Location, Report, Verdict
from ..terminal import safe
from . import charts, checks, evidence, reasons, scaling_curve, spots
from .alike import MANY, Cause, cause_of, causes, worst_first
from .asked import Question, asked, holds
from .counts import counted, is_caveat
from .leading import Leading, leading
from .news import has_news, headline, known_words, standing
from .places import as_said
from .questions import asked_in_full, because, others
from .raised import tally
from .reasons import sentence
from .study.picture import Picture, picture
from .templating import environment

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

FOLDER = Path(__file__).parent / "templates"
STYLES = ("report.css", "study.css")
OUTCOMES = {
    "violation": ("✗", "violation", "fail"),
    "caveat": ("!", "caveat", "caveats"),
    "not-shown": ("?", "not shown", "insufficient"),
    "error": ("!", "not decided", "caveats"),
    "pass": ("✓", "nothing found", "pass"),
    "not-applicable": ("–", "not checked: no claim of this kind", "none"),
    "": ("", "not checked", "none"),
}
SIGNATURES = {
    "trusted": ("✓", "valid, by a key that the trust file lists", "pass"),
    "unlisted": ("!", "valid, but by a key that no trust file given here lists", "caveats"),
    "absent": ("?", "not signed", "insufficient"),
    "invalid": ("✗", "invalid", "fail"),
    "unread": ("✗", "could not be read", "fail"),
}
VERIFIED = {
    "verified": ("✓", "verified", "pass"),
    "contradicted": ("✗", "contradicted", "fail"),
    "unverifiable": ("?", "cannot be verified", "insufficient"),
    "not_permitted": ("!", "not permitted", "caveats"),
    "not_requested": ("–", "not requested", "none"),
}


@dataclass(frozen=True, slots=True)
class Quoted:
    """A line of a document with the part that a finding is about."""

    number: int
    before: str
    marked: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawing with the words that replace it."""

    key: str
    svg: Markup
    title: str
    description: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the page shows of the evidence; each part is empty where the document says nothing of it."""

    arms_left_out: int
    numbers: tuple[tuple[str, str, str, str, str], ...]
    options: tuple[evidence.Grid, ...]
    grids: tuple[evidence.Grid, ...]
    knobs: tuple[evidence.Knob, ...]
    samples: tuple[tuple[str, tuple[Chart, ...]], ...]
    progress: tuple[tuple[str, tuple[Chart, ...]], ...]
    flags: tuple[str, ...]
    trials: tuple[evidence.TrialLine, ...]

    @property
    def is_there(self) -> bool:
        """Whether there is anything to show."""
        return bool(self.numbers or self.options or self.grids or self.knobs or self.trials)


@dataclass(frozen=True, slots=True)
class Document:
    """One judged document, ready to be written; `key` is the prefix of its identifiers in the page.

    Attributes:
        leading: by claim, the value claimed beside what follows from the evidence.
        first: by what a finding says, the identifier of where it is told in full and the claim that it is told of.
    """

    key: str
    report: Report
    linted: Linted
    evidence: Evidence
    picture: Picture | None
    leading: Mapping[str, Leading]
    first: Mapping[object, tuple[str, str | None]]

    def anchor(self, finding: Finding) -> str:
        """Return the identifier of where a finding is told in full."""
        return self.first[_said(finding, self.report)][0]

    def is_told_before(self, finding: Finding) -> bool:
        """Whether it is told in full elsewhere: of an earlier claim, or by cause."""
        return self.first[_said(finding, self.report)][1] != finding.claim or bool(causes(self.report.claims))


def render(linted: tuple[Linted, ...], notes: Sequence[str] = ()) -> str:
    """Return the reports of one or several documents as one page; the same input gives the same bytes.

    Args:
        linted: the documents.
        notes: what a reader is to know before all of them, a clause each.
    """
    documents = [_document(item, f"d{number}") for number, item in enumerate(linted, start=1)]
    style = "".join((FOLDER / name).read_text(encoding="utf-8") for name in STYLES)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    from markupsafe import Markup

    page = _environment().get_template("report.html.j2")
    rules = checks.explained(item.report for item in linted)
    return page.render(documents=documents, rules=rules, notes=notes, style=Markup(style), style_digest=Markup(digest))  # noqa: S704


def _document(item: Linted, key: str) -> Document:
    ordered = sorted(worst_first(item.report.claims), key=lambda claim: not has_news(claim))
    report = replace(item.report, claims=tuple(ordered))
    opening = {claim.id: found for claim in report.claims if (found := leading(claim, item.case)) is not None}
    first: dict[object, tuple[str, str | None]] = {}
    told = [cause.first for cause in causes(report.claims)] or [f for claim in report.claims for f in claim.findings]
    for finding in (item for item in (*told, *report.findings) if not item.known):
        first.setdefault(_said(finding, report), (f"{key}-f{len(first) + 1}", finding.claim))
    drawn = picture(item.case)
    return Document(key, report, item, _evidence(item, key, pictured=drawn is not None), drawn, opening, first)


def _said(finding: Finding, report: Report) -> object:
    """Return what a finding says: of many claims its cause, of few the finding in full."""
    if finding.claim is not None and len(report.claims) > MANY:
        return cause_of(finding)
    waived = finding.waived is not None
    place = str(finding.location) if finding.outcome == "violation" else ""
    said = finding.code, finding.message, finding.provide, waived, place, finding.members
    return finding.claim is None, *said, bool(finding.known)


@cache
def _environment() -> Environment:
    from markupsafe import Markup

    names = {
        "ways": {way: FAMILIES[way].partition(": ")[2] for way in WAYS},
        "outcomes": OUTCOMES,
        "signatures": SIGNATURES,
        "verified": VERIFIED,
        "quoted": quoted,
        "located": located,
        "grade": grade,
        "counted": counted,
        "summary": summary,
        "opening": reasons.opening,
        "reason": reasons.reason,
        "by_reason": reasons.by_reason,
        "number": reasons.number,
        "means": reasons.MEANS,
        "questions": questions,
        "topics_left": topics_left,
        "told_of": told_of,
        "because": lambda question: because(question, safe),
        "by_meaning": reasons.by_meaning,
        "title": reasons.title,
        "weight": reasons.weight,
        "symbol": symbol,
        "tiers": reasons.TIERS,
        "figures": reasons.figures,
        "spot": spots.spot,
        "says_something": spots.says_something,
        "holds": holds,
        "passed": checks.passed,
        "lacking": checks.lacking,
        "not_applicable": checks.not_applicable,
        "differing": differing,
        "causes": new_causes,
        "headline": headline,
        "known_words": known_words,
        "standing": standing,
        "sentence": sentence,
        "plain": evidence.plain,
    }
    found = environment(FOLDER, names)
    found.filters["markup"] = Markup  # of drawings of our own, whose words are escaped
    return found


def new_causes(claims: tuple[ClaimReport, ...]) -> tuple[Cause, ...]:
    """Return the findings of many claims by cause, but for those that are known."""
    return tuple(cause for cause in causes(claims) if not cause.first.known)


def questions(item: Linted) -> tuple[Question, ...]:
    """Return the questions that every format asks in full."""
    found = asked(item)
    return found.questions[: asked_in_full(item, found)]


def told_of(question: Question, report: Report) -> str:
    """Return the first sentence that a question is about, with its place, and how many others there are."""
    claims, where = question.claims, f" ({question.place})" if question.place else ""
    if len(claims) == len(report.claims) > 1:
        return f"All {len(claims)} claims."
    first = claims[0].statement if not claims[0].cell else as_said(claims[0], claims[0].statement)
    return f"{first}{where}{others(question)}"


def topics_left(item: Linted) -> str:
    """Return the topics of the others."""
    return ", ".join(each.cause.topic for each in asked(item).questions[len(questions(item)) :])


def quoted(location: Location) -> Quoted | None:
    """Return the line of a place without its indentation, or None where it is not quoted."""
    start = location.index
    if not location.text.strip() or start >= len(location.text):
        return None
    return Quoted(location.line, location.text[:start].lstrip(" "), location.text[start:])


def located(location: Location, report: Report) -> str:
    """Return file, line and column of a place; the document itself goes by its name, wherever it lay."""
    name = Path(location.file).name
    return location.within(name if name == report.file else location.file)


def symbol(finding: Finding) -> str:
    """Return the sign of a finding."""
    return "!" if is_caveat(finding) else OUTCOMES[finding.outcome][0]


def grade(finding: Finding) -> str:
    """Return a class for the weight of a finding."""
    if finding.waived is not None:
        return "none"
    if finding.outcome == "violation":
        return "caveats" if is_caveat(finding) else "fail"
    if finding.is_minor or finding.members:
        return "none"
    return OUTCOMES[finding.outcome][2]


def summary(report: Report) -> str:
    """Return the sentence that follows the verdict: how many claims came out how, and on what findings."""
    verdicts = [claim.verdict for claim in report.claims]
    counts = ((verdict, verdicts.count(verdict)) for verdict in sorted(Verdict, reverse=True))
    claims = f"{counted(len(verdicts), 'claim')}: " + ", ".join(f"{n} {verdict.words}" for verdict, n in counts if n)
    if not verdicts:
        return f"not a valid document: {counted(len(report.all_findings), 'problem')}."
    return "; ".join((claims, *tally(report))) + "."


def differing(found: Evidence) -> tuple[evidence.Grid, ...]:
    """Return the rows of the options that differ, side by side."""
    grids = (replaced(grid, rows=tuple(row for row in grid.rows if row.differs), more=0) for grid in found.options)
    return tuple(grid for grid in grids if grid.rows)


def _evidence(item: Linted, key: str, *, pictured: bool) -> Evidence:
    sides, left_out = evidence.arms(item.case)
    curves = evidence.progress(item.case, sides)
    if pictured and len({(one.benchmark, one.metric) for one in curves}) == 1:
        curves = ()  # the picture of the study draws them
    return Evidence(
        arms_left_out=left_out,
        numbers=evidence.numbers(sides),
        options=evidence.option_grids(sides),
        grids=evidence.grids(sides),
        knobs=evidence.knobs(sides),
        samples=tuple(_samples(found, f"{key}-s{n}") for n, found in enumerate(evidence.samples(sides), start=1)),
        progress=(*_scaling(item, key), *_progress(curves, key)),
        flags=evidence.flags(sides),
        trials=evidence.trials(sides),
    )


def _scaling(item: Linted, key: str) -> Iterator[tuple[str, tuple[Chart, ...]]]:
    from markupsafe import Markup

    for number, study in enumerate(item.case.studies.values(), start=1):
        scaling = study.record.scaling if study.record is not None else None
        if scaling is not None:
            name = f"{key}-c{number}"
            svg = Markup(scaling_curve.scaling_chart(scaling, name))  # noqa: S704
            words = scaling_curve.in_words(scaling)
            yield f"{scaling.mode.replace('_', ' ')} scaling", (Chart(name, svg, "speed-up by ranks", words),)


def _samples(found: evidence.Samples, key: str) -> tuple[str, tuple[Chart, ...]]:
    from markupsafe import Markup

    label = evidence.words(found.column)
    trials = f"{counted(len(found.strips), 'trial')}" + (
        f" of {found.trials}" if found.trials > len(found.strips) else ""
    )
    per_arm: dict[str, list[float]] = {}
    for strip in found.strips:
        per_arm.setdefault(strip.arm, []).extend(strip.values)
    medians = ", ".join(f"{arm} {median(values):.4g}" for arm, values in per_arm.items())
    words = f"Median of each arm: {medians}."
    drawn = [
        Chart(f"{key}a", Markup(charts.samples_chart(found.strips, label, f"{key}a")), label, words)  # noqa: S704
    ]
    if not charts.is_wide(found.strips) and all(median(values) > 0 for values in per_arm.values()):
        title = "distance from the arm’s median (%)"
        svg = Markup(charts.samples_chart(found.strips, title, f"{key}b", relative=True))  # noqa: S704
        drawn.append(Chart(f"{key}b", svg, title, "The same values, each arm about its own median."))
    return f"{label} of {trials}", tuple(drawn)


def _progress(found: tuple[evidence.Progress, ...], key: str) -> list[tuple[str, tuple[Chart, ...]]]:
    from markupsafe import Markup

    drawn: dict[str, list[Chart]] = {}
    for number, item in enumerate(found, start=1):
        name = f"{key}-p{number}"
        metric = (
            item.metric if item.metric.isascii() and item.metric.isprintable() and len(item.metric) <= 40 else "metric"
        )
        svg = charts.curves_chart(item.curves, item.against, f"{metric} ({item.split})", item.target, name)
        ends: dict[str, list[float]] = {}
        for curve in item.curves:
            ends.setdefault(curve.arm, []).append(curve.points[-1][1])
        last = "; ".join(f"{arm} {min(v):.4g} to {max(v):.4g}" for arm, v in ends.items())
        target = f" Target {item.target:g}." if item.target is not None else ""
        of = f" of {item.benchmark}" if item.benchmark else ""
        drawn.setdefault(f"quality{of} along training: {item.metric} on {item.split}", []).append(
            Chart(name, Markup(svg), f"value of {metric} against {item.against}", f"Last values: {last}.{target}")  # noqa: S704
        )
    return [(title, tuple(group)) for title, group in drawn.items()]
