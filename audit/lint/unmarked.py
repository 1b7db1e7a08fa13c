"""Sentences of a marked document that state a performance and that no claim holds to evidence."""

from __future__ import annotations

from collections.abc import Container, Iterator
from pathlib import Path

from ...rules.case import Case
from ...rules.facts.document.quotations import squeezed
from ...schemas.errors import UserError
from .published import marks_of

MOST_NAMED = 12


def unmarked_note(case: Case, near: Container[int]) -> tuple[str, ...]:
    """Return the note that counts the sentences which state a performance and are not marked, with their lines.

    Nothing of a document without marks: there a claim names no place.

    Args:
        case: the whole document's.
        near: lines of sentences that were changed since a claim was written of them.
    """
    if case.published is None or not case.published.marks or case.published.text is None:
        return ()
    lines = [line for line in _unmarked(case, case.published.name, case.published.text) if line not in near]
    if not lines:
        return ()
    where = "line" if len(lines) == 1 else "lines"
    named = ", ".join(map(str, lines[:MOST_NAMED]))
    more = f" and {len(lines) - MOST_NAMED:,} more" if len(lines) > MOST_NAMED else ""
    state = "sentence states a performance and is" if len(lines) == 1 else "sentences state a performance and are"
    return (f"{len(lines):,} {state} not marked in {Path(case.published.name).name}: {where} {named}{more}",)


def _unmarked(case: Case, name: str, text: str) -> Iterator[int]:
    """Yield the lines of the sentences with a performance that are no claim's, nor marked as one of another file."""
    from ..importers.claims.prose import stated_in
    from ..importers.claims.sentences import prose_of
    from ..importers.report_file import open_report

    try:
        written = prose_of(open_report(name, text.encode()))
    except UserError:
        return
    held = [squeezed(claim.statement).solid for claim in case.submission.claims.values()]
    elsewhere = _marked_elsewhere(case, name, text)
    for stated in stated_in(written) if written is not None else ():
        sentence = stated.sentence
        words = squeezed(sentence.text).solid
        is_held = any(words in claim or claim in words for claim in held)
        if stated.claims and not is_held and not any(sentence.place.line in lines for lines in elsewhere):
            yield sentence.place.line


def _marked_elsewhere(case: Case, name: str, text: str) -> tuple[range, ...]:
    """Return the lines of the paragraphs behind marks that name claims of other submissions."""
    own = set((case.published.marks or {}).values()) if case.published is not None else set()
    return tuple(_paragraph(text, mark.end) for mark in marks_of(name, text.encode()) if mark.end not in own)


def _paragraph(text: str, at: int) -> range:
    """Return the lines from a place on, up to the next empty line behind some words."""
    begin = at + len(text[at:]) - len(text[at:].lstrip())
    end = text.find("\n\n", begin)
    first = text.count("\n", 0, at) + 1
    return range(first, first + text.count("\n", at, end if end >= 0 else len(text)) + 1)
