"""The documents of ours in a folder: those that can be read, and what would be one and cannot be read."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from pathlib import Path

from msgspec import Struct

from ...schemas.errors import UserError
from ...schemas.files import open_regular
from ...schemas.source import Source, parse
from ...schemas.strict_json import LIMIT_BYTES
from ...schemas.validation import kinds
from ..importers.report_file import unpacked
from ..importers.tree import Tree
from .document import MANIFEST, SUFFIXES, Document, broken, kind_of

NAMES = frozenset({"submission.json", "submission.yaml", "submission.yml", MANIFEST})
SEARCHED_BYTES = 1 << 20
"""How much of a file is searched whose name is no document's."""
_SAYS_SO = re.compile(rb"""dlaudit["']?\s*:\s*["']?submission|urn:dlaudit:study""")
_BEGINS = re.compile(rb"""(?:\s|---|#[^\n]*\n|\{)*["']?dlaudit["']?\s*:""")
_KIND = re.compile(r"[a-z][a-z-]{0,30}/[0-9]{1,3}")
ALIKE = 0.75
_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
NO_KIND = 'begin it with "dlaudit": "submission/1"'


class Candidate(Struct, frozen=True):
    """A file of a folder that may be a document of ours.

    Attributes:
        root: the folder as it was named.
        path: of the file below it.
        bytes: its size.
    """

    root: Path
    path: str
    bytes: int


def candidates(tree: Tree) -> Iterator[Candidate]:
    """Yield the files that may be documents, whatever their names, in the order of their paths."""
    walk = tree.walk
    for entry in sorted((*walk.plain, *walk.aside)):
        if entry.bytes:
            yield Candidate(tree.root, entry.path, entry.bytes)


def own_document(candidate: Candidate) -> Document | None:
    """Return the document that a file of a folder is, also one that cannot be read; None where it is none."""
    path = f"{candidate.root}/{candidate.path}"
    name = path.rpartition("/")[2]
    is_named = os.path.splitext(name)[1].casefold() in SUFFIXES  # noqa: PTH122 - of all files of a folder: a Path costs
    limit = LIMIT_BYTES if is_named else SEARCHED_BYTES
    try:
        with open_regular(path) as opened:
            # a buffer as long as the file, not as long as it may be
            data = opened.read(min(limit, candidate.bytes) + 1)
        data = unpacked(path, data)
    except UserError as error:
        return broken(Path(path), b"", error) if is_named else None
    plain = _plain(data)
    if not _may_be(plain, is_named=is_named, name=name):
        return None
    file = Path(path)
    try:
        source = parse(data, str(file))
    except UserError as error:
        return broken(file, data, error) if _is_meant(plain, is_named=is_named, name=file.name) else None
    kind = kind_of(source)
    if kind is not None:
        return Document(source, kind, file.parent)
    problem = _misnamed(source, plain)
    return broken(file, data, problem) if problem is not None and is_named else None


def linked_documents(tree: Tree) -> tuple[Document, ...]:
    """Return what may be documents behind links that lead out of a folder; nothing outside it is opened."""
    root = tree.root.resolve()
    found = []
    for path in tree.walk.links:
        target = Path(os.path.realpath(root / path))
        if target.is_relative_to(root) and target.exists():
            continue
        if Path(path).suffix.casefold() in SUFFIXES or target.is_dir():
            what = "a symbolic link, or no regular file: what it leads to was not judged"
            found.append(broken(tree.root / path, b"", UserError(what, "hand in the file itself", tree.shown(path))))
    return tuple(found)


def _plain(data: bytes) -> bytes:
    """Return the bytes of a text as they would be in ASCII: without byte order mark and the zeros of UTF-16."""
    for mark in _MARKS:
        data = data.removeprefix(mark)
    return data.replace(b"\0", b"") if b"\0" in data[:64] else data


def _may_be(plain: bytes, *, is_named: bool, name: str) -> bool:
    """Whether a file is worth parsing; a key that is written with escapes does not show."""
    if is_named:
        return name in NAMES or any(word in plain for word in (b"dlaudit", b"claims", b"\\"))
    return b"dlaudit" in plain and _SAYS_SO.search(plain) is not None


def _is_meant(plain: bytes, *, is_named: bool, name: str) -> bool:
    """Whether what cannot be read was meant to be a document: a text may quote one."""
    if is_named:
        return name in NAMES or b"dlaudit" in plain
    return _BEGINS.match(plain) is not None


def _misnamed(source: Source, plain: bytes) -> UserError | None:
    """Return why something is no document that looks like one."""
    value = source.value
    if not isinstance(value, dict):
        what = "a list, or a text, where a document is an object"
        return UserError(what, "give each document a file", f"{source.name}:1:1") if _SAYS_SO.search(plain) else None
    said = value.get("dlaudit")
    if said is None:
        looks_so = isinstance(value.get("claims"), dict) and isinstance(value.get("title"), str)
        what = "it has claims, and does not say what it is"
        return UserError(what, NO_KIND, f"{source.name}:1:1") if looks_so else None
    if isinstance(said, str) and _KIND.fullmatch(said) and not _is_near(said):
        return None
    place = source.place("/dlaudit")
    what = f"there is no kind of document {str(said)[:40]!r}"
    return UserError(what, NO_KIND, f"{source.name}:{place.line}:{place.column}")


def _is_near(said: str) -> bool:
    """Whether a kind of document is one that is judged, misspelt."""
    kind = said.partition("/")[0]
    return kind not in kinds() and SequenceMatcher(None, kind, "submission").ratio() > ALIKE
