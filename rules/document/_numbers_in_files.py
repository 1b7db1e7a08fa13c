"""The numbers behind a claim that are said to stand in files of results."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.errors import UserError
from ...schemas.evidence import Metric, Quality
from ...schemas.submission import Claim
from ..case import Case
from ..facts.document.results import Stands, agrees, found_for, numbers_in_files
from ..outcome import C3, UNDERMINES, Note, NotShown, Related, Violation

ITEM = "the source that is named"


def in_files(claim: Claim, case: Case) -> Iterator[Violation | NotShown | Note]:
    """Look up each number behind a claim where it is said to stand in a file of results."""
    for number in numbers_in_files(claim, case):
        yield _looked_up(number, case)


def _looked_up(number: Metric | Quality, case: Case) -> Violation | NotShown | Note:
    value, place = number.value, number.printed_at
    assert place is not None
    found = found_for(case, number)
    if isinstance(found, UserError):
        return NotShown(f"{found.where}: {found.what}", place.place("file"), ITEM)
    digits = number.digits if isinstance(number, Metric) else None
    if value is not None and any(agrees(value, other, digits) for other in found.numbers):
        stands = f"is {found.taken_from}" if found.taken_from else "stands"
        return Note(f"{value} {stands} in {place.file}, line {found.line}")
    where = f"{place.pointer if place.pointer is not None else f'line {place.line}'} of {place.file}"
    at = place.place("at" if place.pointer is not None else "line")
    if value is not None and found.is_there:
        at = number.place("value")
    note = "the place that is cited" if found.is_there else "the nearest place that is there"
    related = (Related(f"file:{place.file}#{found.line}:{found.column}", note),)
    return Violation("e", UNDERMINES, C3, _message(value, where, found), at, related=related)


def _message(value: str | None, where: str, found: Stands) -> str:
    if value is None:
        there = f"no single number to read there, but {found.words}" if found.is_there else found.words
        return f"the value is to be read at {where}: {there}"
    if not found.is_there:
        return f"`{value}` is cited to {where}: {found.words}"
    if found.numbers:
        return f"the number differs: `{value}` is cited to {where}, which holds {found.words} there"
    return f"no such number: `{value}` is cited to {where}, which holds {found.words} there"
