"""What lies beside the documents of ours in a folder: logs and reports, which are judged, and the rest.

A file that a document cites is the document's, and the files beneath a study are the study's: its verification
compares them with the manifest. All others are judged as without the documents: a folder must not end better than the
reports that it holds. The outermost folders that hold nothing of a document are read one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from ...schemas.errors import UserError
from ..importers.detection import known
from ..importers.interface import Importer
from ..importers.registry import importers
from ..importers.report_file import open_report
from ..importers.tree import LINK, MOST_DEPTH, ODD, Entry, Tree
from ..report import LeftOut
from .document import SUFFIXES, Document, broken
from .study_drafts import REASON, is_draft

if TYPE_CHECKING:
    from ..workers import Workers

MOST_LOOKED_AT = 2_000
MOST_BYTES = 16 << 20
MOST_BYTES_IN_ALL = 256 << 20
SENTENCES = "sentences beside a document of claims; name the file to have them judged, or mark the sentence"
BESIDE = "a report that an importer reads, beside a document that does not cite it"


class Own(Struct, frozen=True):
    """What has to be known of a document of ours to tell what else lies beside it.

    Attributes:
        path: its file.
        cites: files that it names as its evidence.
        is_study: whether it is the manifest of a study.
        is_draft: whether it is what `dlaudit run` drafted of a study.
    """

    path: Path
    cites: frozenset[Path]
    is_study: bool
    is_draft: bool


def own_of(document: Document) -> Own:
    """Return what has to be known of a document."""
    cites = frozenset(document.folder / path for path in _cited(document.source.value))
    is_study = document.kind == "manifest" and document.broken is None
    return Own(Path(document.source.name), cites, is_study, is_draft(document))


def is_cited(each: Own, own: Iterable[Own]) -> bool:
    """Whether a document is a study that another one cites, and is judged with it."""
    return each.is_study and any(each.path in other.cites for other in own)


def apart(own: Iterable[Own], root: Path) -> tuple[Own, ...]:
    """Return the drafts of studies below a folder that are not judged: none where it holds no document of claims."""
    own = tuple(own)
    drafts = tuple(each for each in own if each.is_draft and each.path.parent != root)
    claims = any(not each.is_draft and not is_cited(each, own) for each in own)
    return drafts if claims else ()


def _cited(value: Any) -> Iterator[str]:
    """Yield the paths of manifests, of logs of runs, of files that numbers stand in, and of a folder of results."""
    if not isinstance(value, dict):
        return
    for cited in _objects(value, "manifests"):
        yield from _texts(cited, "path")
    for arm in _objects(value, "arms"):
        for run in _objects(arm, "runs"):
            yield from _texts(run.get("file"), "name")
        for number in (*_objects(arm, "performance"), *_objects(arm, "quality")):
            yield from _texts(number.get("printed_at"), "file")
    folder = value.get("folder")
    if isinstance(folder, dict) and isinstance(folder.get("files"), dict):
        yield from folder["files"]


def _objects(value: dict[str, Any], key: str) -> Iterator[dict[str, Any]]:
    inner = value.get(key)
    if isinstance(inner, dict):
        yield from (item for item in inner.values() if isinstance(item, dict))


def _texts(value: Any, key: str) -> Iterator[str]:
    if isinstance(value, dict) and isinstance(value.get(key), str):
        yield value[key]


def rest(
    tree: Tree, own: Iterable[Own], plugins: bool = False, workers: Workers | None = None
) -> tuple[tuple[Document, ...], tuple[LeftOut, ...]]:
    """Return the drafts of logs and reports beside documents of ours, and what is not judged.

    Args:
        tree: the folder.
        own: documents of ours in it.
        plugins: whether importers of installed packages are asked, too.
        workers: processes that read a folder of logs.
    """
    from .reports import MOST_REPORTS, hidden_drafts

    own = tuple(own)
    held = {_below(tree, path) for each in own for path in (each.path, *each.cites)}
    studies = {str(PurePosixPath(_below(tree, each.path)).parent) for each in own if each.is_study}
    free, aside = (
        [entry for entry in entries if entry.path not in held and not _of_study(entry.path, studies)]
        for entries in (tree.walk.plain, tree.walk.aside)
    )
    asked = importers(plugins)
    if sum(entry.bytes > 0 for entry in free) > MOST_REPORTS:
        what = f"more than {MOST_REPORTS:,} files lie beside its documents, and none of those was read"
        drafts = [broken(tree.root, b"", UserError(what, "name the documents, or hand in a smaller folder"))]
        beside: list[tuple[str, int]] = []
    else:
        drafts, behind = _beside(tree, free, held, asked, workers)
        beside = [(entry.path, entry.bytes) for entry in free if entry.path not in behind]
    hidden = hidden_drafts(tree, aside, asked)
    judged = held.union(_below(tree, Path(document.source.name)) for document in hidden)
    rows = [*(row for row in passed_over(tree) if row.path not in judged), *_named(tree, beside, asked)]
    rows += [
        LeftOut(str(tree.root), _below(tree, Path(each.source.name)), SENTENCES) for each in drafts if _is_prose(each)
    ]
    plain = [replace(document, left_out=()) for document in drafts if not _is_prose(document)]
    return (*plain, *hidden), tuple(rows)


def _is_prose(document: Document) -> bool:
    """Whether only sentences of a report make claims: a change log or a README that speaks of what is claimed."""
    claims = document.source.value.get("claims") if isinstance(document.source.value, dict) else None
    return isinstance(claims, dict) and bool(claims) and all(name.startswith("line-") for name in claims)


def _beside(
    tree: Tree, free: Iterable[Entry], held: Iterable[str], asked: tuple[Importer, ...], workers: Workers | None
) -> tuple[list[Document], set[str]]:
    """Return the drafts of files that are no document's, and the paths of those that are behind a draft."""
    occupied = {str(parent) for path in held for parent in PurePosixPath(path).parents}
    groups: dict[str, list[str]] = {}
    for entry in free:
        folder = _own_folder(entry.path, occupied)
        if folder or entry.bytes <= MOST_BYTES:
            groups.setdefault(folder, []).append(entry.path)
    drafts: list[Document] = []
    behind: set[str] = set()
    for folder in sorted(groups):
        found = _drafts(tree, folder, groups[folder], asked, workers)
        drafts += found
        if found:
            left = {each.path for document in found for each in document.left_out}
            behind |= {path for path in groups[folder] if path.removeprefix(f"{folder}/") not in left}
    return drafts, behind


def drafts_left_out(tree: Tree, drafts: Iterable[Own]) -> tuple[LeftOut, ...]:
    """Return the rows of drafts that are not judged."""
    return tuple(LeftOut(str(tree.root), _below(tree, each.path), REASON) for each in drafts)


def passed_over(tree: Tree) -> Iterator[LeftOut]:
    """Yield what no importer sees: links, and files with hidden or odd names that may be documents or reports."""
    root, walk = str(tree.root), tree.walk
    for path in walk.links:
        yield LeftOut(root, path, LINK)
    for path, reason in walk.unread:
        yield LeftOut(root, path, reason)
    for entry in walk.aside:
        if PurePosixPath(entry.path).suffix.casefold() in (*SUFFIXES, ".csv", ".tsv", ".log", ".txt", ".html"):
            hidden = any(part.startswith(".") for part in entry.path.split("/"))
            yield LeftOut(root, entry.path, "hidden" if hidden else ODD)


def _below(tree: Tree, path: Path) -> str:
    return path.relative_to(tree.root).as_posix() if path.is_relative_to(tree.root) else str(path)


def _of_study(path: str, studies: set[str]) -> bool:
    return bool(studies) and any(str(parent) in studies for parent in PurePosixPath(path).parents)


def _own_folder(path: str, occupied: set[str]) -> str:
    """Return the outermost folder of a file that holds nothing of a document; empty where its own holds some."""
    end = path.find("/")
    while end >= 0 and path[:end] in occupied:
        end = path.find("/", end + 1)
    return path[: max(end, 0)]


def _drafts(
    tree: Tree, folder: str, paths: list[str], asked: tuple[Importer, ...], workers: Workers | None
) -> tuple[Document, ...]:
    """Return the drafts of a folder of its own, or with "" those of the files that lie beside documents.

    A report that cannot be read is a document that cannot, as it is alone.
    """
    from .reports import MOST_REPORTS, drafts_in

    part = Tree(tree.root / folder) if folder else tree.only(paths)
    if part.walk.unread or any(path.count("/") > MOST_DEPTH for path in paths) or len(paths) > MOST_REPORTS:
        return ()
    try:
        return drafts_in(part, asked, workers)
    except UserError as error:
        return (broken(part.root, b"", error),)


def _named(tree: Tree, files: Iterable[tuple[str, int]], asked: tuple[Importer, ...]) -> Iterator[LeftOut]:
    """Yield the reports among files, what cannot be read of those that may be one, and how many were not looked at."""
    root, looked_at, searched, skipped = str(tree.root), 0, 0, 0
    for path, size in files:
        if looked_at >= MOST_LOOKED_AT or searched > MOST_BYTES_IN_ALL:
            skipped += 1
        elif size > MOST_BYTES:
            yield LeftOut(root, path, f"larger than {MOST_BYTES:,} bytes")
        elif size:
            looked_at, searched = looked_at + 1, searched + size
            reason = _reason(tree, path, asked)
            if reason:
                yield LeftOut(root, path, reason)
    if skipped:
        yield LeftOut(root, "", f"{skipped:,} further files were not looked at")


def _reason(tree: Tree, path: str, asked: tuple[Importer, ...]) -> str:
    """Return why a file that may be a report is not judged; empty where it is none."""
    try:
        file = replace(open_report(tree.shown(path), tree.bytes_of(path)), folder=Path(tree.shown(path)).parent)
        if known(file, asked) is not None:
            return BESIDE
        if b"<!--" in file.data or b"]:" in file.data:
            from ..importers.tables.commented import commented_tables

            return "; ".join(commented_tables(file))
    except UserError as error:
        return error.what if "archive" in error.what else ""
    if file.broken is not None and PurePosixPath(path).suffix.casefold() in SUFFIXES:
        return f"it cannot be read: {file.broken.what}"
    return ""
