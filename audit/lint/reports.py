"""Reports of other tools: from a file or a folder to what an importer drafts of it."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ...schemas.collector import collector_paused
from ...schemas.errors import UserError
from ...schemas.source import Source, read
from ..importers.detection import Detection, detect, known
from ..importers.documents.forms import is_document
from ..importers.draft import Draft
from ..importers.interface import Importer, Together
from ..importers.records import MOST_RECORDS
from ..importers.registry import by_name, importers
from ..importers.report_file import NO_ROLES, ColumnRoles, ReportFile, open_report
from ..importers.tree import Entry, Tree
from ..report import LeftOut
from .document import SUFFIXES, Document
from .rest import MOST_BYTES, passed_over
from .unread import NOT_READ, beside_results, in_layout, is_loadgens, not_taken

if TYPE_CHECKING:
    from ..workers import Workers

MARKS_OF_TOOLS = ("CACHEDIR.TAG", "pyvenv.cfg")
MOST_HIDDEN = 2_000
MOST_REPORTS = 30_000
"""Files of a folder that are looked at one by one."""
OURS = 'begin it with "dlaudit": "submission/1"; `dlaudit draft` makes one of a sentence or a table'
TOOLS = (
    "give the report of a tool that is read (`dlaudit draft --list` names them), or write its numbers as a table "
    'whose headings name quantity and unit, or as a submission that begins with "dlaudit": "submission/1"'
)
OTHERS = "leave out --from; `dlaudit draft --list` names the importers"
WRITE = (
    "write the claimed numbers as a table (Markdown, HTML, LaTeX, XLSX, CSV, TSV) whose headings name quantity and "
    'unit, or begin a submission with "dlaudit": "submission/1"'
)
MOST_UNREAD = 3
MAP = "say what its columns hold with --map roles.yaml, for example `ms: {role: latency, unit: ms}`"


def of_file(
    name: str,
    data: bytes,
    folder: Path,
    plugins: bool = False,
    chosen: str | None = None,
    roles: ColumnRoles | None = None,
) -> Document:
    """Return the draft of one foreign file.

    Args:
        name: as the user named it.
        data: its bytes.
        folder: its folder.
        plugins: whether importers of installed packages are asked, too.
        chosen: name of the importer to use; the one whose format it has where None.
        roles: what the user says of the columns of its tables.

    Raises:
        UserError: no importer reads it, with what the nearest one misses; or its content cannot be read.
    """
    file = replace(open_report(name, data), roles=roles or NO_ROLES, folder=folder)
    detection = detect(file, (by_name(chosen, plugins),) if chosen is not None else importers(plugins))
    if detection.importer is None:
        # a line of JSON after another is no broken document
        raise (None if file.json_lines or is_document(file) else file.broken) or _nobodys(file, detection, chosen)
    return _document(name, folder, detection.importer.read(file), file)


def _nobodys(file: ReportFile, detection: Detection, chosen: str | None) -> UserError:
    what = "this is neither a submission nor a study's manifest, and no report that an importer reads"
    if chosen is not None:
        what = f"this is not a report that the importer {chosen} reads"
    if detection.nearest is None:
        if is_document(file) and chosen in {None, "table"}:
            from ..importers.tables.commented import commented_tables
            from ..importers.tables.in_documents import grids

            commented = commented_tables(file)
            if commented:
                return UserError(f"{what}: {'; '.join(commented)}", "take the table out of the comment", file.name)
            tables = grids(file)
            rest = "".join(f"; not read: {why}" for why in file.written.unread[:MOST_UNREAD]) if file.packed else ""
            if tables:
                return UserError(f"{what}: no heading of its tables names a measured number{rest}", MAP, file.name)
            if rest or file.packed:
                return UserError(f"{what}: no table with numbers is found in it{rest}", WRITE, file.name)
            if Path(file.name).suffix.lower() not in SUFFIXES:
                return UserError(f"{what}: it holds no claim or table of a kind that dlaudit reads", WRITE, file.name)
        of_a_tool = file.json is not None or bool(file.json_lines)
        ours = TOOLS if of_a_tool else OURS
        return UserError(what, ours if chosen is None else OTHERS, file.name)
    lacks = ", ".join(need.replace("|", " or ") for need in detection.missing[:8])
    return UserError(f"{what}: it looks like {detection.nearest.title}, but lacks {lacks}", OURS, file.name)


def read_roles(path: str | None) -> ColumnRoles | None:
    """Return what a file says of the columns of tables; None without a file.

    Raises:
        UserError: it cannot be read, or is no map.
    """
    if path is None:
        return None
    value = read(Path(path)).value
    if not isinstance(value, dict):
        raise UserError("this gives no column a role", "write a line for each: `heading: role`", path)
    return ColumnRoles(value, path)


def of_folder(
    root: Path, plugins: bool = False, workers: Workers | None = None, chosen: str | None = None
) -> tuple[Document, ...]:
    """Return the drafts of a folder, as `of_tree` does."""
    return of_tree(Tree(root), plugins, workers, chosen)


def of_tree(
    tree: Tree, plugins: bool = False, workers: Workers | None = None, chosen: str | None = None
) -> tuple[Document, ...]:
    """Return the drafts of a folder: one of the whole where it is a folder of results, else one a report.

    Returns:
        nothing where no importer reads any file of the folder; the first draft names the files that none took.
    """
    in_force = (by_name(chosen, plugins),) if chosen is not None else importers(plugins)
    drafts = drafts_in(tree, in_force, workers)
    hidden = hidden_drafts(tree, tree.walk.aside, in_force)
    if not hidden:
        return drafts
    left_out = drafts[0].left_out if drafts else _rows(tree, not_taken(tree, (), ()))
    judged = {document.source.name for document in hidden}
    first, *others = (*drafts, *hidden)
    return (replace(first, left_out=tuple(row for row in left_out if tree.shown(row.path) not in judged)), *others)


def hidden_drafts(tree: Tree, files: Iterable[Entry], in_force: Iterable[Importer]) -> tuple[Document, ...]:
    """Return the drafts of the reports among files with hidden names; a cache or an environment of a tool has none.

    What is hidden is no part of a folder of results, so that each is a report of its own.
    """
    in_force, aside = tuple(in_force), {entry.path for entry in tree.walk.aside}
    found: list[Document] = []
    for entry in [entry for entry in files if not _is_of_a_tool(entry.path, aside)][:MOST_HIDDEN]:
        file = _whole(tree, entry.path) if 0 < entry.bytes <= MOST_BYTES else None
        reader = known(file, in_force) if file is not None else None
        if file is not None and reader is not None:
            found.append(_document(file.name, Path(file.name).parent, reader.read(file), file))
    return tuple(found)


def _is_of_a_tool(path: str, files: Container[str]) -> bool:
    """Whether a file lies in a folder that a tool marks as its cache, or as an environment of Python."""
    return any(f"{folder}/{mark}" in files for folder in PurePosixPath(path).parents for mark in MARKS_OF_TOOLS)


def drafts_in(tree: Tree, in_force: Iterable[Importer], workers: Workers | None) -> tuple[Document, ...]:
    """Return the drafts of a folder by these importers, as `of_folder` does."""
    in_force = tuple(in_force)
    whole = [importer for importer in in_force if importer.read_folder is not None]
    single = [importer for importer in in_force if importer.read_folder is None]
    for entry in tree.entries if whole else ():
        importer = _of_head(tree, entry.path, whole) if in_layout(entry.path) else None
        if importer is not None:
            return (replace(_of_results(tree, importer, workers), left_out=_rows(tree, beside_results(tree, single))),)
    if len(tree.entries) > MOST_REPORTS:
        what = f"more than {MOST_REPORTS:,} files, and no folder of results"
        raise UserError(what, "hand in the folder of the reports alone", str(tree.root))
    logs: dict[str, list[str]] = {}
    reports: dict[str, tuple[Importer, ReportFile]] = {}
    for entry in tree.entries:
        head = _head(tree, entry.path)
        importer = known(head, whole) if head is not None else None
        if importer is not None:
            logs.setdefault(importer.name, []).append(entry.path)
        elif single and not is_loadgens(entry.path):
            file = head if head is not None and entry.bytes == len(head.raw) else _whole(tree, entry.path)
            reader = known(file, single) if file is not None else None
            if file is not None and reader is not None:
                reports[entry.path] = (reader, file)
    if logs and not any(reader.signatures for reader, _ in reports.values()):
        # tables beside logs are words about them
        reports = {}
    drafts = [*_of_reports(tree, reports)]
    others = frozenset(reports).union(*logs.values())
    for importer in whole:
        paths = frozenset(logs.get(importer.name, ()))
        alone = replace(tree, without=tree.without | (others - paths))
        drafts += _of_logs(alone, sorted(paths), importer, workers) if paths else ()
    if drafts:
        drafts[0] = replace(drafts[0], left_out=_rows(tree, not_taken(tree, drafts, reports)))
    return tuple(drafts)


def _rows(tree: Tree, paths: Iterable[str]) -> tuple[LeftOut, ...]:
    return (*(LeftOut(str(tree.root), path, NOT_READ) for path in paths), *passed_over(tree))


@collector_paused()
def _of_results(tree: Tree, importer: Importer, workers: Workers | None) -> Document:
    assert importer.read_folder is not None
    return _document(str(tree.root), tree.root, importer.read_folder(tree, workers))


def _of_logs(tree: Tree, paths: list[str], importer: Importer, workers: Workers | None) -> list[Document]:
    """Return the draft of logs that lie together, or one of each where they make no result or lie among reports."""
    if len(paths) > 1 or not tree.without:
        document = _of_results(tree, importer, workers)
        if document.draft is not None and document.draft.value.get("claims"):
            return [document]
    files = (open_report(tree.shown(path), tree.bytes_of(path)) for path in paths)
    return [_document(file.name, Path(file.name).parent, importer.read(file), file) for file in files]


def _of_reports(tree: Tree, reports: Mapping[str, tuple[Importer, ReportFile]]) -> Iterable[Document]:
    """Yield the draft of each report, and at the end of those that are read together."""
    parts: dict[tuple[str, str], tuple[Together, list[ReportFile]]] = {}
    for path, (own, file) in reports.items():
        reader = _owner(path, own, file, reports)
        if reader.together is None:
            yield _document(file.name, Path(file.name).parent, reader.read(file), file)
        else:
            place = path.rpartition("/")[0] if reader is not own else reader.together.place(path)
            key = (reader.name, place)
            parts.setdefault(key, (reader.together, []))[1].append(file)
    for (_, place), (together, files) in parts.items():
        # the draft of a single file has its name
        name = tree.shown(place).rstrip("/") if len(files) > 1 else files[0].name
        folder = Path(name) if len(files) > 1 else Path(name).parent
        yield _document(name, folder, together.read(tuple(files)), *files)


def _owner(path: str, own: Importer, file: ReportFile, reports: Mapping[str, tuple[Importer, ReportFile]]) -> Importer:
    """Return the importer of the report that a file tells of, where it lies in the folder of one; else its own."""
    folder = path.rpartition("/")[0]
    for other, (reader, _) in reports.items():
        part = reader.together if reader is not own else None
        if part is not None and part.beside is not None and part.place(other) == folder and part.beside(file):
            return reader
    return own


def _of_head(tree: Tree, path: str, whole: Iterable[Importer]) -> Importer | None:
    """Return the folder's importer that knows a file by its first 64 KiB."""
    head = _head(tree, path)
    return known(head, whole) if head is not None else None


def _head(tree: Tree, path: str) -> ReportFile | None:
    try:
        return _in_folder(tree, path, tree.head(path))
    except UserError:
        return None


def _whole(tree: Tree, path: str) -> ReportFile | None:
    try:
        return _in_folder(tree, path, tree.bytes_of(path))
    except UserError:
        return None


def _in_folder(tree: Tree, path: str, data: bytes) -> ReportFile:
    name = tree.shown(path)
    return replace(open_report(name, data), folder=Path(name).parent)


def _document(name: str, folder: Path, draft: Draft, *files: ReportFile) -> Document:
    told = [words for file in files if (words := _beyond(file, draft))]
    known = replace(draft, unused=(*told, *draft.unused)) if told else draft
    return Document(Source(name, draft.listing, draft.value, "json"), "submission", folder, known)


def _beyond(file: ReportFile, draft: Draft) -> str:
    """Return how many records of a file its draft has no room for; empty where it has room for all."""
    is_full = any(len(draft.value.get(part, ())) >= MOST_RECORDS for part in ("claims", "arms"))
    if not is_full:
        return ""
    listed = file.json.value if file.json is not None else file.json_lines or file.table[1:]
    count = len(listed) if isinstance(listed, list | tuple) else 0
    name = file.short_name
    return f"records of {name} beyond the first {MOST_RECORDS:,} of {count:,}" if count > MOST_RECORDS else ""
