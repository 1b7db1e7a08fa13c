"""Files of a folder of reports that no importer took: they are named, for what is silently left out looks judged."""

from __future__ import annotations

from collections.abc import Container, Iterable

from ...schemas.errors import UserError
from ..importers.detection import known
from ..importers.interface import Importer
from ..importers.report_file import open_report
from ..importers.tree import Tree
from ..report import LeftOut
from .document import Document
from .rest import BESIDE

MOST_NAMED = 5
NOT_READ = "no importer reads it"
LEAST_DEPTH = 3
"""A result lies in results/SYSTEM/BENCHMARK/ or deeper."""


def left_out_words(left_out: Iterable[LeftOut]) -> tuple[str, ...]:
    """Return a sentence on the reports of a folder that were not judged, and one on the files that were not read."""
    beside = [each.shown for each in left_out if each.reason == BESIDE]
    unread = [each.shown for each in left_out if each.reason == NOT_READ]
    what = "report that an importer reads was" if len(beside) == 1 else "reports that an importer reads were"
    files = "file was" if len(unread) == 1 else "files were"
    judge = f"{len(beside)} {what} not judged beside the documents: {_some(beside)}; name them to judge them, too"
    read = f"{len(unread)} {files} not read: {_some(unread)}; name one alone to see why"
    return (*((judge,) if beside else ()), *((read,) if unread else ()))


def _some(names: list[str]) -> str:
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return f"{' '.join(names[:MOST_NAMED])}{more}"


def in_layout(path: str) -> bool:
    """Whether a log lies where a round of results has its logs: results/SYSTEM/BENCHMARK/."""
    _, marker, below = f"/{path}".rpartition("/results/")
    return bool(marker) and below.count("/") + 1 >= LEAST_DEPTH


def is_loadgens(path: str) -> bool:
    """Whether a file is one of those that the load generator leaves beside its summary."""
    return path.rpartition("/")[2].startswith("mlperf_log_")


def beside_results(tree: Tree, single: Iterable[Importer]) -> tuple[str, ...]:
    """Return the files of a folder of results that are no part of it.

    A submitter's folder is all that lies in the folders beside `results/`, with what is written about it there.
    """
    single = tuple(importer for importer in single if importer.signatures)
    bases = {f"/{entry.path}".rpartition("/results/")[0] for entry in tree.entries if in_layout(entry.path)}
    found = []
    for entry in tree.entries:
        folder = f"/{entry.path}".rpartition("/")[0]
        inside = any(folder.startswith(f"{base}/") for base in bases)
        if not inside and (folder not in bases or _is_report(tree, entry.path, single)):
            found.append(entry.path)
    return tuple(found)


def not_taken(tree: Tree, drafts: Iterable[Document], reports: Container[str]) -> tuple[str, ...]:
    """Return the files of a folder of reports that are behind none of its drafts."""
    read = {each.source.name for each in drafts}
    for each in drafts:
        listed = each.draft.value.get("folder", {}).get("files", {}) if each.draft is not None else {}
        read |= {tree.shown(path) for path, entry in listed.items() if entry["role"] != "other"}
    return tuple(
        entry.path
        for entry in tree.entries
        if entry.path not in reports and tree.shown(entry.path) not in read and not is_loadgens(entry.path)
    )


def _is_report(tree: Tree, path: str, single: Iterable[Importer]) -> bool:
    try:
        return known(open_report(tree.shown(path), tree.bytes_of(path)), single) is not None
    except UserError:
        return False
