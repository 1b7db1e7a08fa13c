"""Read: from the paths on the command line to the documents to judge."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from ...schemas.errors import UserError
from ...schemas.source import Source, parse, read, read_bytes
from ...schemas.validation import kinds
from .document import SUFFIXES, Document, kind_of

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
) -> tuple[Document, ...]:
    """Return the documents of files and folders, in the order given; those of a folder sorted by path.

    A file that is no document of dlaudit goes to the importer whose format it has, and so does a folder without one.

    Args:
        paths: as the user named them; - is standard input.
        plugins: whether importers of installed packages are asked, too.
        workers: processes that read a folder of logs.
        roles: what the user says of the columns of tables.
        chosen: name of the importer that reads reports; the one whose format each has where None.

    Raises:
        UserError: a file cannot be read, or is nothing that dlaudit judges.
    """
    return tuple(document for path in paths for document in _documents(path, plugins, workers, roles, chosen))


def _documents(
    path: str, plugins: bool, workers: Workers | None, roles: ColumnRoles | None, chosen: str | None
) -> Iterable[Document]:
    if not path:
        raise UserError("a path is empty", "name a file or a folder; the current one is .")
    if not Path(path).is_dir():
        return [_of_file(path, plugins, roles, chosen)]
    own = tuple(document for file in beneath(Path(path)) if (document := read_document(file)) is not None)
    if own:
        return own
    from .reports import of_folder

    return of_folder(Path(path), plugins, workers, chosen)


def _of_file(path: str, plugins: bool, roles: ColumnRoles | None, chosen: str | None) -> Document:
    """Return a document of ours; anything else is an importer's."""
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
                return Document(source, kind, folder)
            _refuse_other_kinds(source, name)
    from .reports import of_file

    return of_file(name, data, folder, plugins, chosen, roles)


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


def beneath(folder: Path) -> tuple[Path, ...]:
    """Return the files beneath a folder that may be documents, by path; no manifest that a submission comes with."""
    files = (path for path in sorted(folder.rglob("*")) if path.suffix in SUFFIXES)
    kept = (path for path in files if path.is_file() and not path.is_symlink())
    return tuple(
        path for path in kept if path.name != "manifest.json" or not (path.parent / "submission.json").exists()
    )


def read_document(path: Path) -> Document | None:
    """Return the document in a file of a folder, or None where it holds none.

    Raises:
        UserError: it cannot be read, and has the name of one.
    """
    try:
        source = read(path)
    except UserError:
        if path.name in {"submission.json", "submission.yaml", "manifest.json"}:
            raise
        return None
    kind = kind_of(source)
    return Document(source, kind, path.parent) if kind is not None else None
