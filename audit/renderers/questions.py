"""The report as questions for authors: what holds, then what to clear up, as a page of text or of Markdown."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Iterator

from ..lint.lint import Linted
from ..report import SENTENCE, ClaimReport, Report
from ..terminal import inert, safe, width
from .asked import Asked, Holds, Question, asked
from .counts import counted
from .markdown import code
from .places import relative
from .raised import tally
from .severity import INVALID

WIDTH = 108
MOST_QUESTIONS = 8
MOST_LINES = 40
MOST_HOLDING = 5
MOST_LINES_NAMED = 6
MOST_NAMED = 3
MOST_QUOTED = 240
MOST_UNREAD = 12
ALONE = (
    "None of their numbers could be checked: the document gives nothing to hold them against, such as the two numbers "
    "behind a ratio or the results of each run."
)
DISAGREE = "None of their numbers could be confirmed: what could be checked does not agree, as the questions say."
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
    found = asked(item)
    return lines_of(item, found, asked_in_full(item, found))


def asked_in_full(item: Linted, found: Asked) -> int:
    """Return how many questions are asked in full, the same in every format; what decides or contradicts always is.

    The others give way where a page of text would be too long.
    """
    most = min(MOST_QUESTIONS, len(found.questions))
    needed = sum(question.decides or question.kind != "open" for question in found.questions)
    while most > max(needed, 1) and len(_text(item, found, most, WIDTH)) > MOST_LINES:
        most -= 1
    return most


def _text(item: Linted, found: Asked, most: int, columns: int = 0) -> list[str]:
    report, columns = item.report, columns or width(WIDTH)
    lines = [*_wrapped(columns, f"Questions about “{report.title}” ({relative(item.path or report.file)})")]
    if _is_invalid(report):
        return [*lines, "This is not a valid document yet: `dlaudit lint` lists what to correct."]
    lines += [*_wrapped(columns, _counts(report, found, most)), ""]
    if found.holds:
        lines.append("What holds")
        for words in _held(found.holds, safe):
            lines += _wrapped(columns, words, "- ", "  ")
    else:
        lines += _wrapped(columns, _nothing_held(report, found))
    lines.append("")
    said: tuple[ClaimReport, ...] = ()
    lines.append("Questions" if found.questions else "No question is open.")
    for number, question in enumerate(found.questions[:most], 1):
        lines += _wrapped(columns, question.cause.ask, f"{number}. ", "   ")
        if question.claims and question.claims != said:
            lines += _wrapped(columns, _quoted(question, item, safe), "   ")
        said = question.claims or said
        lines += _wrapped(columns, f"{because(question, safe)} Would settle it: {question.cause.settle}", "   ")
    for said_last in (_rest(found, most), _unread(item, safe)):
        lines += ["", *_wrapped(columns, said_last)] if said_last else []
    return lines


def _markdown(item: Linted, found: Asked, most: int) -> list[str]:
    report = item.report
    lines = [f"## Questions about {code(report.title)}", ""]
    if _is_invalid(report):
        return [*lines, "This is not a valid document yet: `dlaudit lint` lists what to correct."]
    lines += [f"{code(relative(item.path or report.file))}: {_counts(report, found, most)}.", ""]
    if found.holds:
        lines += ["What holds:", "", *(f"- {words}" for words in _held(found.holds, code)), ""]
    else:
        lines += [_nothing_held(report, found), ""]
    said: tuple[ClaimReport, ...] = ()
    lines += ["Questions:", ""] if found.questions else ["No question is open."]
    for number, question in enumerate(found.questions[:most], 1):
        lines.append(f"{number}. **{_prose(question.cause.ask)}**")
        if question.claims and question.claims != said:
            lines.append(f"   {_quoted(question, item, code)}  ")
        said = question.claims or said
        lines.append(f"   {because(question, _prose)} *Would settle it:* {question.cause.settle}")
    for said_last in (_rest(found, most), _unread(item, code)):
        lines += ["", said_last] if said_last else []
    return lines


def _is_invalid(report: Report) -> bool:
    return any(finding.code == INVALID for finding in report.findings)


def _counts(report: Report, found: Asked, most: int) -> str:
    """Return what was found in counts, and how many of it the questions below ask about."""
    counts = ", ".join((counted(len(report.claims), "claim"), *tally(report)))
    return f"{counts}; the {most} that weigh most are asked below" if most < len(found.questions) else counts


def _nothing_held(report: Report, found: Asked) -> str:
    """Return what opens the page where no number could be confirmed: what was read, and why it could not be."""
    were = "claim was" if len(report.claims) == 1 else "claims were"
    why = DISAGREE if any(question.kind == "violation" for question in found.questions) else ALONE
    return f"{len(report.claims):,} {were} read. {why if len(report.claims) > 1 else why.replace('their', 'its')}"


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
    first, words = claims[0], _shortened(claims[0].statement)
    place = f" ({code(question.place) if shown is code else question.place})" if question.place else ""
    if first.cell:
        return f"{first.cell}: {shown(words)}{place}{others(question)}"
    marked = shown is safe and (not item.imported or first.id.startswith(SENTENCE))
    return f"{f'“{safe(words)}”' if marked else shown(words)}{place}{others(question)}"


def others(question: Question) -> str:
    """Return how many claims a question concerns beside its first, with their lines where these are known."""
    count = len(question.claims) - 1
    if count < 1:
        return ""
    lines = question.lines[:MOST_LINES_NAMED]
    left = len(question.lines) - len(lines)
    more = f" and {left} more" if left > 0 else ""
    named = f" (line{'s' if len(question.lines) > 1 else ''} {', '.join(map(str, lines))}{more})" if lines else ""
    return f", and {counted(count, 'further claim')}{named}"


def _shortened(text: str) -> str:
    return text if len(text) <= MOST_QUOTED else text[: MOST_QUOTED - 1] + "…"


def because(question: Question, shown: Quoted) -> str:
    """Return what was seen and why it matters; of many things seen the first, and how many more there are.

    What is merely not stated is told only where it decides: there a part of it may be stated.
    """
    first, *others = question.seen
    more = f" (and {counted(len(others), 'similar finding')})" if others else ""
    tell = question.cause.why and (question.decides or question.kind != "open")
    return " ".join(part for part in (_sentence(shown(first), more) if tell else "", question.cause.why) if part)


def _sentence(text: str, more: str) -> str:
    word = re.match(r"[a-z]+(?=[ ,:;])", text)
    begun = text[0].upper() + text[1:] if word else text
    return f"{begun.rstrip('.')}{more}{'' if begun.endswith('?') and not more else '.'}"


def _rest(found: Asked, most: int) -> str:
    """Return the topics of the questions that are not asked in full."""
    named = ", ".join(safe(question.cause.topic) for question in found.questions[most:])
    return f"Also not found, or not clear; each would help a reader: {named}." if named else ""


def _unread(item: Linted, shown: Quoted) -> str:
    """Return what was seen in a document and is behind no question, since it was not read."""
    named = "; ".join(map(shown, item.unread[:MOST_UNREAD]))
    more = f"; and {len(item.unread) - MOST_UNREAD:,} more" if len(item.unread) > MOST_UNREAD else ""
    return f"Seen and not judged: {named}{more}." if named else ""


def _prose(text: str) -> str:
    """Return words as they are where Markdown sees nothing in them, else as code."""
    shown = safe(text)
    return shown if _PLAIN.fullmatch(shown) and not _EMPHASIS.search(shown) else code(text)


def _wrapped(columns: int, text: str, indent: str = "", later: str | None = None) -> list[str]:
    later = indent if later is None else later
    return textwrap.wrap(
        safe(text), columns, initial_indent=indent, subsequent_indent=later, break_on_hyphens=False
    ) or [indent]
