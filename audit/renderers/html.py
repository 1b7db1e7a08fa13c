"""The report as one HTML file: no script, nothing loaded from anywhere, readable on paper, on a phone and by ear.

Whatever comes from a document is text: each expression of the templates passes `safe` and then HTML escaping, and none
stands in an address, a style or an attribute.
"""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ...rules.registry import FAMILIES
from ...rules.statistics.intervals import median
from ..lint.lint import Linted
from ..lint.report import WAYS
from ..report import Finding, Location, Report, Verdict
from ..terminal import safe
from . import charts, evidence
from .alike import causes, worst_first
from .counts import counted, found, is_caveat

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

FOLDER = Path(__file__).parent / "templates"
SYMBOLS = {
    Verdict.PASS: ("✓", "pass"),
    Verdict.PASS_WITH_CAVEATS: ("!", "caveats"),
    Verdict.INSUFFICIENT_EVIDENCE: ("?", "insufficient"),
    Verdict.FAIL: ("✗", "fail"),
    None: ("–", "none"),
}
OUTCOMES = {
    "violation": ("✗", "violation", "fail"),
    "caveat": ("!", "caveat", "caveats"),
    "not-shown": ("?", "not shown", "insufficient"),
    "error": ("!", "not decided", "caveats"),
    "pass": ("✓", "pass", "pass"),
    "not-applicable": ("–", "not applicable", "none"),
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
    """One judged document, ready to be written; `key` is the prefix of its identifiers in the page."""

    key: str
    report: Report
    linted: Linted
    evidence: Evidence


def render(linted: tuple[Linted, ...]) -> str:
    """Return the reports of one or several documents as one page; the same input gives the same bytes."""
    documents = [
        Document(
            f"d{number}",
            replace(item.report, claims=worst_first(item.report.claims)),
            item,
            _evidence(item, f"d{number}"),
        )
        for number, item in enumerate(linted, start=1)
    ]
    style = (FOLDER / "report.css").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    from markupsafe import Markup

    page = _environment().get_template("report.html.j2")
    return page.render(documents=documents, style=Markup(style), style_digest=Markup(digest))  # noqa: S704


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.globals |= {
        "ways": {way: FAMILIES[way].partition(": ")[2] for way in WAYS},
        "verdict_of": lambda verdict: (*SYMBOLS[verdict], "NO VERDICT" if verdict is None else verdict.words),
        "outcomes": OUTCOMES,
        "signatures": SIGNATURES,
        "verified": VERIFIED,
        "quoted": quoted,
        "located": located,
        "grade": grade,
        "counted": counted,
        "summary": summary,
        "causes": causes,
        "sentence": sentence,
        "plain": evidence.plain,
    }
    return environment


def _shown(value: object) -> object:
    """Show every character of a text and let none of them steer; only markup of our own passes as it is."""
    if hasattr(value, "__html__"):
        return value
    return "" if value is None else safe(value)


def sentence(text: str) -> str:
    """Return a text that begins with a capital letter, as long as a word begins it: a path or a name stays as it is."""
    first = text.partition(" ")[0].rstrip(",.:;")
    return text[:1].upper() + text[1:] if first.islower() and first.replace("-", "").isalpha() else text


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


def grade(finding: Finding) -> str:
    """Return a class for the weight of a finding."""
    if finding.waived is not None:
        return "none"
    if finding.outcome == "violation":
        return "caveats" if is_caveat(finding) else "fail"
    return OUTCOMES[finding.outcome][2]


def summary(report: Report) -> str:
    """Return the sentence that follows the verdict: how many claims came out how, and on what findings."""
    verdicts = [claim.verdict for claim in report.claims]
    tally = [f"{verdicts.count(verdict)} {verdict.words}" for verdict in sorted(Verdict, reverse=True)]
    claims = counted(len(verdicts), "claim") + ": " + ", ".join(item for item in tally if not item.startswith("0 "))
    if not verdicts:
        return f"not a valid document: {counted(len(report.all_findings), 'problem')}."
    return "; ".join((claims, *found(report))) + "."


def _evidence(item: Linted, key: str) -> Evidence:
    sides, left_out = evidence.arms(item.case)
    return Evidence(
        arms_left_out=left_out,
        numbers=evidence.numbers(sides),
        options=evidence.option_grids(sides),
        grids=evidence.grids(sides),
        knobs=evidence.knobs(sides),
        samples=tuple(_samples(found, f"{key}-s{n}") for n, found in enumerate(evidence.samples(sides), start=1)),
        progress=tuple(_progress(evidence.progress(item.case, sides), key)),
        flags=evidence.flags(sides),
        trials=evidence.trials(sides),
    )


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
