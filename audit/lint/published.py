"""The document that claims were taken from: named by a submission, or itself naming claims by marks.

A mark is a comment of HTML that stands before a sentence: `<!-- dlaudit: evidence/claims.yaml#speedup -->`.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ...rules.case import Published
from ...schemas.digest import sha256_hex
from ...schemas.errors import UserError
from ...schemas.files import open_beneath
from ...schemas.submission import SourceRef
from ..report import LeftOut
from .document import Document
from .own import Candidate, own_document

LIMIT_BYTES = 2 << 20
MOST_MARKS = 1000
_MARK = re.compile(r"<!--[ \t]{0,20}dlaudit:[ \t]{0,20}([^#\s<>]{1,300})#([A-Za-z0-9._-]{1,200})[ \t]{0,20}-->")
UNMARKED = "what it says without a mark was not judged; `--from table` judges its tables"


class Mark(Struct, frozen=True):
    """A mark in a document.

    Attributes:
        file: the submission that it names, from the document's folder.
        claim: the claim.
        end: place in the text after it.
        where: its file and line, for messages.
    """

    file: str
    claim: str
    end: int
    where: str


def published_beside(named: SourceRef | None, folder: Path) -> Published | None:
    """Return the document that a submission names beneath its folder, as it reads now; without text where it cannot."""
    if named is None:
        return None
    try:
        with open_beneath(folder, named.file) as file:
            data = file.read(LIMIT_BYTES + 1)
    except UserError:
        return Published(named.file)
    return _published(named.file, data)


def _published(name: str, data: bytes, marks: dict[str, int] | None = None) -> Published:
    try:
        text = data.decode() if len(data) <= LIMIT_BYTES else None
    except UnicodeDecodeError:
        text = None
    return Published(name, text, sha256_hex(data), marks)


def marks_of(name: str, data: bytes) -> tuple[Mark, ...]:
    """Return the marks of a document; none where it is no text.

    Raises:
        UserError: it has too many, or two of one claim.
    """
    if b"dlaudit:" not in data or len(data) > LIMIT_BYTES:
        return ()
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return ()
    found: dict[tuple[str, str], Mark] = {}
    for match in _MARK.finditer(text):
        mark = Mark(match[1], match[2], match.end(), f"{name}:{text.count(chr(10), 0, match.start()) + 1}")
        if (mark.file, mark.claim) in found:
            raise UserError(f"claim {mark.claim!r} of {mark.file} is marked before", "mark one sentence", mark.where)
        found[mark.file, mark.claim] = mark
        if len(found) > MOST_MARKS:
            raise UserError(f"it has more than {MOST_MARKS:,} marks", "use fewer", name)
    return tuple(found.values())


def marked_documents(name: str, data: bytes, marks: tuple[Mark, ...]) -> tuple[Document, ...]:
    """Return the submissions that the marks of a document name.

    Raises:
        UserError: a mark names a file or a claim that is not there.
    """
    here, by_file = Path(name), dict[str, list[Mark]]()
    for mark in marks:
        by_file.setdefault(mark.file, []).append(mark)
    documents = []
    for found in by_file.values():
        document = _submission(here.parent, found[0])
        for mark in found:
            _check(mark, document)
        places = {mark.claim: mark.end for mark in found}
        documents.append(replace(document, published=_published(name, data, places)))
    left_out = LeftOut(str(here.parent), here.name, UNMARKED)
    return (replace(documents[0], left_out=(left_out,)), *documents[1:])


def _submission(folder: Path, mark: Mark) -> Document:
    try:
        with open_beneath(folder, mark.file) as opened:
            size = os.fstat(opened.fileno()).st_size
    except UserError as error:
        raise UserError(
            f"the mark names {mark.file}: {error.what}", "correct the path in the mark", mark.where
        ) from None
    document = own_document(Candidate(folder, mark.file, size))
    if document is None or document.kind != "submission":
        raise UserError(f"the mark names {mark.file}, which is no submission", "name a submission", mark.where)
    return document


def _check(mark: Mark, document: Document) -> None:
    """Refuse a mark of a claim that is not there; what is wrong with the document itself, lint says."""
    value = document.source.value
    claims = value.get("claims") if isinstance(value, dict) else None
    if isinstance(claims, dict) and mark.claim not in claims:
        todo = f"write one of: {', '.join(claims)}" if claims else "add it"
        raise UserError(f"there is no claim {mark.claim!r} in {mark.file}", todo, mark.where)
