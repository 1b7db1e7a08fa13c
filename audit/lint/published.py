"""The document that claims were taken from: named by a submission, or itself naming claims by marks.

A mark is a comment of HTML that stands before a sentence: `<!-- dlaudit: evidence/claims.yaml#speedup -->`.
"""

from __future__ import annotations

import os
import re
from functools import lru_cache
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ...rules.case import Published
from ...schemas.digest import sha256_hex
from ...schemas.errors import UserError
from ...schemas.files import open_beneath
from ...schemas.submission import SourceRef
from ..importers.documents.forms import is_document, packed_form
from ..report import LeftOut
from .document import Document
from .own import Candidate, own_document

LIMIT_BYTES = 2 << 20
LIMIT_PACKED_BYTES = 64 << 20
"""Of a PDF or a file of an office program, which holds pictures, too."""
MOST_MARKS = 1000
_MARK = re.compile(r"[ \t]{0,20}([^#\s<>]{1,300})#([A-Za-z0-9._-]{1,200})[ \t]{0,20}-->")
_BEGIN = re.compile(r"<!--\s{0,20}dlaudit:")
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


def published_of(named: SourceRef | None, document: Document) -> Published | None:
    """Return the document that the claims of a submission were taken from, as it reads now.

    It is the one that was read for its marks, else the one that the submission names, with its marks of the submission.

    Args:
        named: the source that the submission names.
        document: the submission.

    Raises:
        UserError: a mark names a claim that is not there.
    """
    marked = document.published
    if marked is None:
        return _beside(named, document) if named is not None else None
    is_named = named is not None and _same(document.folder / named.file, marked.name)
    return replace(marked, is_named=is_named)


def _same(one: Path, other: str) -> bool:
    """Whether two paths name one file by their words: links in what is handed in are not followed."""
    return os.path.normpath(one) == os.path.normpath(other)


def _beside(named: SourceRef, document: Document) -> Published:
    """Return the document that a submission names beneath its folder; without text where it cannot be read."""
    try:
        with open_beneath(document.folder, named.file) as file:
            data = file.read(LIMIT_PACKED_BYTES + 1)
    except UserError:
        return Published(named.file, is_named=True)
    shown, path = published(named.file, data), document.folder / named.file
    marks = [mark for mark in marks_of(str(path), data) if _same(path.parent / mark.file, document.source.name)]
    for mark in marks:
        _check(mark, document)
    return replace(shown, marks={mark.claim: mark.end for mark in marks} or None, is_named=True)


@lru_cache(maxsize=1)  # a draft is judged again for each of its open decisions, and a PDF is read in a second process
def published(name: str, data: bytes) -> Published:
    """Return a document from its bytes, as it is written and as a reader sees it; without text where it has none."""
    from ..importers.documents.places import shown_text
    from ..importers.report_file import open_report

    plain = _published(name, data)
    if len(data) > LIMIT_PACKED_BYTES or (plain.text is None and len(data) > LIMIT_BYTES and not packed_form(data)):
        return plain
    try:
        file = open_report(name, data)
        shown = shown_text(file.written) if is_document(file) else None
    except UserError:
        return plain
    return replace(plain, shown=shown) if plain.text is not None else replace(plain, text=shown)


def _published(name: str, data: bytes) -> Published:
    try:
        text = data.decode() if len(data) <= LIMIT_BYTES and not packed_form(data) else None
    except UnicodeDecodeError:
        text = None
    return Published(name, text, sha256_hex(data))


def marks_of(name: str, data: bytes) -> tuple[Mark, ...]:
    """Return the marks of a document; none where it is no text.

    Raises:
        UserError: it has too many, two of one claim, or one that names no file and claim.
    """
    if b"dlaudit:" not in data or len(data) > LIMIT_BYTES:
        return ()
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return ()
    found: dict[tuple[str, str], Mark] = {}
    for begin in _BEGIN.finditer(text):
        where = f"{name}:{text.count(chr(10), 0, begin.start()) + 1}"
        match = _MARK.match(text, begin.end())
        if match is None:
            todo = "write <!-- dlaudit: FILE#CLAIM -->, with the submission and the id of one of its claims"
            raise UserError("the mark names no file and claim", todo, where)
        mark = Mark(match[1], match[2], match.end(), where)
        if (mark.file, mark.claim) in found:
            raise UserError(f"claim {mark.claim!r} of {mark.file} is marked already", "mark one sentence", mark.where)
        found[mark.file, mark.claim] = mark
        if len(found) > MOST_MARKS:
            raise UserError(f"it has more than {MOST_MARKS:,} marks", "use fewer", name)
    return tuple(found.values())


def marked_documents(name: str, data: bytes, marks: tuple[Mark, ...]) -> tuple[Document, ...]:
    """Return the submissions that the marks of a document name.

    Raises:
        UserError: a mark names a file or a claim that is not there.
    """
    here, by_file, shown = Path(name), dict[str, list[Mark]](), published(name, data)
    for mark in marks:
        by_file.setdefault(mark.file, []).append(mark)
    documents = []
    for found in by_file.values():
        document = _submission(here.parent, found[0])
        for mark in found:
            _check(mark, document)
        places = {mark.claim: mark.end for mark in found}
        documents.append(replace(document, published=replace(shown, marks=places)))
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
        what = f"the mark names {mark.file}, which is not a submission"
        raise UserError(what, "name a submission; `dlaudit draft FILE` writes one from a table of results", mark.where)
    return document


def _check(mark: Mark, document: Document) -> None:
    """Refuse a mark of a claim that is not there; what is wrong with the document itself, lint says."""
    value = document.source.value
    claims = value.get("claims") if isinstance(value, dict) else None
    if isinstance(claims, dict) and mark.claim not in claims:
        todo = f"write one of: {', '.join(claims)}" if claims else "add it"
        raise UserError(f"there is no claim {mark.claim!r} in {mark.file}", todo, mark.where)
