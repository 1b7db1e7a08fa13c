"""Read: from the paths on the command line to the documents to judge."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ...schemas.errors import UserError
from ...schemas.source import Source, parse, read_bytes
from ...schemas.validation import kinds
from ..importers.tree import Tree
from .document import SUFFIXES, Document, kind_of
from .own import candidates, linked_documents, own_document
from .published import marked_documents, marks_of
from .rest import apart, drafts_left_out, is_cited, own_of, rest

if TYPE_CHECKING:
    from ..importers.report_file import ColumnRoles
    from ..workers import Workers

MOST_BYTES = 256 << 20


def read_documents(
    paths: Iterable[str],
    plugins: bool = False,
    workers: Workers | None = None,
    roles: ColumnRoles | None = None,
    chosen: str | None = None,
    *,
    drafts: bool = True,
) -> tuple[Document, ...]:
    """Return the documents of files and folders, in the order given; those of a folder sorted by path.

    A file that is no document of dlaudit goes to the importer whose format it has, and so does a folder without one.

    Args:
        paths: as the user named them; - is standard input.
        plugins: whether importers of installed packages are asked, too.
        workers: processes that read a folder of logs.
        roles: what the user says of the columns of tables.
        chosen: name of the importer that reads reports; the one whose format each has where None.
        drafts: whether drafts of studies are judged that lie in a folder beside documents of claims.

    Raises:
        UserError: a file cannot be read, or is nothing that dlaudit judges.
    """
    return tuple(document for path in paths for document in _documents(path, plugins, workers, roles, chosen, drafts))


def _documents(
    path: str, plugins: bool, workers: Workers | None, roles: ColumnRoles | None, chosen: str | None, drafts: bool
) -> Iterable[Document]:
    if not path:
        raise UserError("a path is empty", "name a file or a folder; the current one is .")
    if not Path(path).is_dir():
        return _of_file(path, plugins, roles, chosen)
    return _of_folder(Tree(Path(path)), plugins, workers, chosen, drafts)


def _of_folder(
    tree: Tree, plugins: bool, workers: Workers | None, chosen: str | None, drafts: bool
) -> tuple[Document, ...]:
    """Return the documents of ours in a folder, with the logs beside them; without any, what importers read."""
    found = tuple(document for each in candidates(tree) if (document := own_document(each)) is not None)
    if not found:
        from .reports import of_tree

        return of_tree(tree, plugins, workers, chosen)
    own = [own_of(document) for document in found]
    reports, left_out = rest(tree, own, plugins, workers)
    unjudged = () if drafts else apart(own, tree.root)
    kept = [
        document for document, each in zip(found, own, strict=True) if each not in unjudged and not is_cited(each, own)
    ]
    first, *others = (*kept, *linked_documents(tree), *reports)
    return (replace(first, left_out=(*drafts_left_out(tree, unjudged), *left_out)), *others)


def _of_file(path: str, plugins: bool, roles: ColumnRoles | None, chosen: str | None) -> Iterable[Document]:
    """Return a document of ours, or those that a document marks; anything else is an importer's."""
    data = read_bytes(path, MOST_BYTES)
    name = "<stdin>" if path == "-" else path
    folder = Path(path).parent if path != "-" else Path()
    if not data.strip():
        raise UserError("it is empty", "name a submission, a study or a report", name)
    if b'"dlaudit"' in data or b"dlaudit:" in data or b"urn:dlaudit:study:v1" in data:
        try:
            source = parse(data, name)
        except UserError:
            if Path(name).suffix.lower() in (*SUFFIXES, "") or data.lstrip()[:1] == b"{":
                raise
        else:
            kind = kind_of(source)
            if kind is not None:
                return [Document(source, kind, folder)]
            _refuse_other_kinds(source, name)
        marks = marks_of(name, data) if chosen is None and path != "-" else ()
        if marks:
            return marked_documents(name, data, marks)
    from .reports import of_file

    return [of_file(name, data, folder, plugins, chosen, roles)]


def _refuse_other_kinds(source: Source, name: str) -> None:
    """Refuse another document of ours by its name.

    Raises:
        UserError: it is one.
    """
    said = source.value.get("dlaudit") if isinstance(source.value, dict) else None
    kind = said.partition("/")[0] if isinstance(said, str) else ""
    if kind == "spec":
        what = "this is a spec, which says what to measure and makes no claim"
        raise UserError(what, f"`dlaudit run {name}` runs it; lint the study that it makes", name)
    if kind in kinds():
        raise UserError(f"this is a {kind} document, which makes no claim", "lint a submission or a study", name)
