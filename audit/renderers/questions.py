"""The report as questions for authors: what holds, then what to clear up, as a page of text or of Markdown."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Iterator

from ..lint.lint import Linted
from ..report import ClaimReport, Report
from ..terminal import inert, safe, width
from .asked import Asked, Holds, Question, asked
from .counts import counted
from .markdown import code
from .places import relative
from .severity import INVALID

WIDTH = 108
MOST_QUESTIONS = 8
MOST_LINES = 40
MOST_HOLDING = 5
MOST_NAMED = 3
MOST_QUOTED = 240
_PLAIN = re.compile(r"(?!.*(?:://|www\.))[\w .,:;?%()'\"=/+-]*", re.ASCII)
"""Words of a document that mean nothing in Markdown."""
_EMPHASIS = re.compile(r"[_-]{2}|_\b|\b_|^[-+\s]|\b[A-Z]+-\d")

Quoted = Callable[[str], str]


def render(linted: Iterable[Linted]) -> str:
    """Return the questions about one or several documents as text for a terminal."""
    return inert("\n".join("\n".join(_page(item, _text)) + "\n" for item in linted))


def render_markdown(linted: Iterable[Linted]) -> str:
    """Return the questions about one or several documents as Markdown."""
    return "\n".join("\n".join(_page(item, _markdown)) + "\n" for item in linted)


def _page(item: Linted, lines_of: Callable[[Linted, Asked, int], list[str]]) -> list[str]:
    """Return a page; questions that decide nothing give way where it would be too long."""
    found = asked(item)
    most = MOST_QUESTIONS
    needed = sum(question.decides or question.kind != "open" for question in found.questions)
    lines = lines_of(item, found, most)
    while len(lines) > MOST_LINES and most > max(needed, 1):
        most -= 1
        lines = lines_of(item, found, most)
    return lines


def _text(item: Linted, found: Asked, most: int) -> list[str]:
    report = item.report
    lines = [*_wrapped(f"Questions about “{report.title}” ({relative(item.path or report.file)})", "")]
    if _is_invalid(report):
        return [*lines, "This is not a valid document yet: `dlaudit lint` lists what to correct."]
    lines += [_counts(found, report), ""]
    if found.holds:
        lines.append("What holds")
        for words in _held(found.holds, safe):
            lines += _wrapped(words, "- ", "  ")
        lines.append("")
    said: tuple[ClaimReport, ...] = ()
    lines.append("Questions" if found.questions else "No question is open.")
    for number, question in enumerate(found.questions[:most], 1):
        lines += _wrapped(question.cause.ask, f"{number}. ", "   ")
        if question.claims and question.claims != said:
            lines += _wrapped(_quoted(question, item, _in_marks(item)), "   ")
        said = question.claims or said
        lines += _wrapped(f"{_reason(question, safe)} Would settle it: {question.cause.settle}", "   ")
    if rest := _rest(found, most):
        lines += ["", *_wrapped(rest, "")]
    return lines


def _markdown(item: Linted, found: Asked, most: int) -> list[str]:
    report = item.report
    lines = [f"## Questions about {code(report.title)}", ""]
    if _is_invalid(report):
        return [*lines, "This is not a valid document yet: `dlaudit lint` lists what to correct."]
    lines += [f"{code(relative(item.path or report.file))}: {_counts(found, report)}.", ""]
    if found.holds:
        lines += ["What holds:", "", *(f"- {words}" for words in _held(found.holds, code)), ""]
    said: tuple[ClaimReport, ...] = ()
    lines += ["Questions:", ""] if found.questions else ["No question is open."]
    for number, question in enumerate(found.questions[:most], 1):
        lines.append(f"{number}. **{_prose(question.cause.ask)}**")
        if question.claims and question.claims != said:
            lines.append(f"   {_quoted(question, item, code)}  ")
        said = question.claims or said
        lines.append(f"   {_reason(question, _prose)} *Would settle it:* {question.cause.settle}")
    if rest := _rest(found, most):
        lines += ["", rest]
    return lines


def _is_invalid(report: Report) -> bool:
    return any(finding.code == INVALID for finding in report.findings)


def _counts(found: Asked, report: Report) -> str:
    """Return how many questions there are, by what they rest on."""
    kinds = [question.kind for question in found.questions]
    stopped = sum(finding.outcome == "error" for finding in report.all_findings)
    return ", ".join(
        (
            counted(len(report.claims), "claim"),
            counted(kinds.count("violation"), "violation"),
            counted(kinds.count("caveat"), "caveat"),
            counted(kinds.count("open"), "open question"),
            *([f"{counted(stopped, 'check')} could not be made"] if stopped else []),
        )
    )


def _held(holds: tuple[Holds, ...], shown: Quoted) -> Iterator[str]:
    """Yield what holds by the numbers of which it does."""
    by_values: dict[tuple[str, ...], list[str]] = {}
    for each in holds[:MOST_HOLDING]:
        values = tuple(dict.fromkeys(claim.value for claim in each.claims if claim.value))
        by_values.setdefault(values, []).append(each.words)
    for values, words in by_values.items():
        more = f" and {len(values) - MOST_NAMED} more" if len(values) > MOST_NAMED else ""
        named = ", ".join(map(shown, values[:MOST_NAMED])) + more
        yield f"{named}: {'; '.join(words)}" if named else "; ".join(words)
    if len(holds) > MOST_HOLDING:
        yield f"and {counted(len(holds) - MOST_HOLDING, 'further check')} that agreed"


def _quoted(question: Question, item: Linted, shown: Quoted) -> str:
    """Return the sentence that a question is about, with its place; of many the first."""
    claims = question.claims
    if len(claims) == len(item.report.claims) > 1:
        return f"all {len(claims)} claims"
    place = f" ({code(question.place) if shown is code else question.place})" if question.place else ""
    more = f", and {counted(len(claims) - 1, 'further claim')}" if len(claims) > 1 else ""
    return f"{shown(_shortened(claims[0].statement))}{place}{more}"


def _in_marks(item: Linted) -> Quoted:
    """Return how a sentence is shown: in quotation marks, but not where an importer put it together from a table."""
    return safe if item.imported else lambda text: f"“{safe(text)}”"


def _shortened(text: str) -> str:
    return text if len(text) <= MOST_QUOTED else text[: MOST_QUOTED - 1] + "…"


def _reason(question: Question, shown: Quoted) -> str:
    """Return what was seen and why it matters; of many things seen the first, and how many more there are.

    What is merely not stated is told only where it decides: there a part of it may be stated.
    """
    first, *others = question.seen
    more = f" (and {len(others)} more like it)" if others else ""
    tell = question.cause.why and (question.decides or question.kind != "open")
    return " ".join(part for part in (_sentence(shown(first), more) if tell else "", question.cause.why) if part)


def _sentence(text: str, more: str) -> str:
    word = re.match(r"[a-z]+(?=[ ,:;])", text)
    begun = text[0].upper() + text[1:] if word else text
    return f"{begun.rstrip('.')}{more}{'' if begun.endswith('?') and not more else '.'}"


def _rest(found: Asked, most: int) -> str:
    """Return the topics of the questions that are not asked in full."""
    named = ", ".join(safe(question.cause.topic) for question in found.questions[most:])
    return f"Would help a reader, too, and is not stated or not clear: {named}." if named else ""


def _prose(text: str) -> str:
    """Return words as they are where Markdown sees nothing in them, else as code."""
    shown = safe(text)
    return shown if _PLAIN.fullmatch(shown) and not _EMPHASIS.search(shown) else code(text)


def _wrapped(text: str, indent: str, later: str | None = None) -> list[str]:
    later = indent if later is None else later
    return textwrap.wrap(
        safe(text), width(WIDTH), initial_indent=indent, subsequent_indent=later, break_on_hyphens=False
    ) or [indent]
