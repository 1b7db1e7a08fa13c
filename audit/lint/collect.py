"""From the paths on the command line to the documents to judge."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from ...schemas.errors import UserError
from ...schemas.source import Source, parse, read, read_bytes
from ...schemas.validation import kinds

if TYPE_CHECKING:
    from ..importers.draft import Draft
    from ..importers.report_file import ColumnRoles

SUFFIXES = (".json", ".yaml", ".yml")
MOST_BYTES = 256 << 20
Kind = Literal["submission", "manifest"]


class Found(Struct, frozen=True):
    """A document to judge.

    Attributes:
        source: its bytes and value.
        kind: what it is.
        folder: folder beneath which its citations are read.
        draft: what an importer made of it, where it is a report of another tool: `source` then holds the draft's value.
        unread: files of the folder that was handed in which no importer took; on the folder's first document alone.
    """

    source: Source
    kind: Kind
    folder: Path
    draft: Draft | None = None
    unread: tuple[str, ...] = ()


def collect(
    paths: Iterable[str],
    plugins: bool = False,
    jobs: int = 1,
    roles: ColumnRoles | None = None,
    chosen: str | None = None,
) -> tuple[Found, ...]:
    """Return the documents of files and folders, in the order given; those of a folder sorted by path.

    A file that is no document of dlaudit goes to the importer whose format it has, and so does a folder without one.

    Args:
        paths: as the user named them; - is standard input.
        plugins: whether importers of installed packages are asked, too.
        jobs: processes that read a folder of logs.
        roles: what the user says of the columns of tables.
        chosen: name of the importer that reads reports; the one whose format each has where None.

    Raises:
        UserError: a file cannot be read, or is nothing that dlaudit judges.
    """
    return tuple(found for path in paths for found in _found(path, plugins, jobs, roles, chosen))


def _found(path: str, plugins: bool, jobs: int, roles: ColumnRoles | None, chosen: str | None) -> Iterable[Found]:
    if not path:
        raise UserError("a path is empty", "name a file or a folder; the current one is .")
    if not Path(path).is_dir():
        return [_file(path, plugins, roles, chosen)]
    own = tuple(found for file in beneath(Path(path)) if (found := opened(file)) is not None)
    if own:
        return own
    from .foreign import of_folder

    return of_folder(Path(path), plugins, jobs, chosen)


def _file(path: str, plugins: bool, roles: ColumnRoles | None, chosen: str | None) -> Found:
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
                return Found(source, kind, folder)
            _other_kind(source, name)
    from .foreign import of_file

    return of_file(name, data, folder, plugins, chosen, roles)


def _other_kind(source: Source, name: str) -> None:
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


def kind_of(source: Source) -> Kind | None:
    """Return what a readable document is, or None where it is nothing that is judged."""
    if not isinstance(source.value, dict):
        return None
    if str(source.value.get("dlaudit", "")).startswith("submission/"):
        return "submission"
    return "manifest" if source.value.get("predicateType") == "urn:dlaudit:study:v1" else None


def beneath(folder: Path) -> tuple[Path, ...]:
    """Return the files beneath a folder that may be documents, by path; no manifest that a submission comes with."""
    files = (path for path in sorted(folder.rglob("*")) if path.suffix in SUFFIXES)
    kept = (path for path in files if path.is_file() and not path.is_symlink())
    return tuple(
        path for path in kept if path.name != "manifest.json" or not (path.parent / "submission.json").exists()
    )


def opened(path: Path) -> Found | None:
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
    return Found(source, kind, path.parent) if kind is not None else None
