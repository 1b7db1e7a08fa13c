"""Reports of other tools that lie in a folder beside documents of ours: they are not judged, and that is said."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from msgspec.structs import replace

from ...schemas.errors import UserError
from ...schemas.source import read_bytes
from ..importers.detection import detect
from ..importers.interface import Importer
from ..importers.registry import importers
from ..importers.report_file import open_report
from ..importers.tree import Tree
from .lint import Linted

OURS = (b'"dlaudit"', b"dlaudit:", b"urn:dlaudit:")
CITED = re.compile(rb"""\b(?:path|name)["']?\s*:\s*(?:"([^"\n]+)"|'([^'\n]+)'|([^\s,}\]"']+))""")
MOST_LOOKED_AT = 2_000
MOST_BYTES = 16 << 20
MOST_NAMED = 5


def unjudged(paths: Iterable[str], linted: Iterable[Linted], plugins: bool = False) -> str | None:
    """Return a sentence that names the reports of folders that were not judged, and how to; None where there is none.

    A folder with documents of ours is judged by these alone: what else lies in it may be their raw numbers, their logs
    or their report. The folder of a study is the study's, and a file that a document cites is the document's.

    Args:
        paths: as the user named them.
        linted: what was judged.
        plugins: whether importers of installed packages are asked, too.
    """
    own = {Path(item.path) for item in linted if not item.imported}
    found = [file for path in paths for file in _beneath(path, own, plugins)]
    if not found:
        return None
    more = f" and {len(found) - MOST_NAMED} more" if len(found) > MOST_NAMED else ""
    names = " ".join(found[:MOST_NAMED])
    what = "report that an importer reads was" if len(found) == 1 else "reports that an importer reads were"
    return f"{len(found)} {what} not judged beside the documents: {names}{more}; name them to judge them, too"


def _beneath(path: str, own: set[Path], plugins: bool) -> Iterator[str]:
    root = Path(path)
    mine = {file for file in own if file.is_relative_to(root)} if root.is_dir() else set[Path]()
    if not mine:
        return
    tree, asked = Tree(root), importers(plugins)
    try:
        paths = [entry.path for entry in tree.entries if entry.bytes <= MOST_BYTES]
    except UserError:  # the documents in a folder too large or too deep to be one of reports were judged all the same
        return
    studies = {PurePosixPath(file).parent for file in paths if PurePosixPath(file).name == "manifest.json"}
    free = [file for file in paths if not studies & {*PurePosixPath(file).parents} and root / file not in mine]
    cited = {file for document in mine for file in _cited(document)} if free else set[Path]()
    free = [file for file in free if root / file not in cited]
    for file in free[:MOST_LOOKED_AT]:
        if _is_report(tree, file, asked):
            yield tree.shown(file)


def _cited(document: Path) -> Iterator[Path]:
    """Yield the files that a document names, by its text alone: it was read once already."""
    try:
        data = read_bytes(document, MOST_BYTES)
    except UserError:
        return
    for match in CITED.finditer(data):
        yield document.parent / (match[1] or match[2] or match[3]).decode(errors="replace")


def _is_report(tree: Tree, path: str, asked: tuple[Importer, ...]) -> bool:
    try:
        data = tree.bytes_of(path)
        if any(word in data for word in OURS):
            return False
        file = replace(open_report(tree.shown(path), data), folder=Path(tree.shown(path)).parent)
        return detect(file, asked).importer is not None
    except UserError:
        return False
