"""Reports of other tools: from a file or a folder to what an importer drafts of it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from msgspec.structs import replace

from ...schemas.errors import UserError
from ...schemas.source import Source, read
from ..importers.detection import Detection, detect
from ..importers.draft import Draft
from ..importers.handed import UNTOLD, Handed, Roles, handed
from ..importers.interface import Importer, Together
from ..importers.registry import by_name, importers
from ..importers.table_grids import grids
from ..importers.tree import Tree
from .collect import SUFFIXES, Found

OURS = 'begin it with "dlaudit": "submission/1"; `dlaudit init submission` writes a starter'
OTHERS = "leave --from away; `dlaudit import --list` names the importers"
WRITE = (
    "write the claimed numbers as a table (Markdown, HTML, CSV, TSV) whose headings name quantity and unit, "
    'or begin a submission with "dlaudit": "submission/1"'
)
MAP = "say what its columns hold with --map roles.yaml, for example `ms: {role: latency, unit: ms}`"


def of_file(
    name: str, data: bytes, folder: Path, plugins: bool = False, chosen: str | None = None, roles: Roles | None = None
) -> Found:
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
    file = replace(handed(name, data), roles=roles or UNTOLD, folder=folder)
    detection = detect(file, (by_name(chosen, plugins),) if chosen is not None else importers(plugins))
    if detection.importer is None:
        # a line of JSON after another is no broken document
        raise (None if file.json_lines else file.broken) or _nobodys(file, detection, chosen)
    return _found(name, folder, detection.importer.read(file))


def _nobodys(file: Handed, detection: Detection, chosen: str | None) -> UserError:
    what = "this is neither a submission nor a study's manifest, and no report that an importer reads"
    if chosen is not None:
        what = f"this is no report that the importer {chosen} reads"
    if detection.nearest is None:
        if file.json is None and chosen in {None, "table"}:
            tables = grids(file)
            if tables:
                return UserError(f"{what}: no heading of its tables tells a measured number", MAP, file.name)
            if Path(file.name).suffix.lower() not in SUFFIXES:
                return UserError(f"{what}: no table of a kind that is read is in it", WRITE, file.name)
        return UserError(what, OURS if chosen is None else OTHERS, file.name)
    lacks = ", ".join(need.replace("|", " or ") for need in detection.missing[:8])
    return UserError(f"{what}: it comes near {detection.nearest.title}, but lacks {lacks}", OURS, file.name)


def read_roles(path: str | None) -> Roles | None:
    """Return what a file says of the columns of tables; None without a file.

    Raises:
        UserError: it cannot be read, or is no map.
    """
    if path is None:
        return None
    value = read(Path(path)).value
    if not isinstance(value, dict):
        raise UserError("this gives no column a role", "write a line for each: `heading: role`", path)
    return Roles(value, path)


def of_folder(root: Path, plugins: bool = False, jobs: int = 1, chosen: str | None = None) -> tuple[Found, ...]:
    """Return the drafts of a folder: one of the whole where a folder's importer reads it, else one a file.

    Returns:
        nothing where no importer reads any file of the folder.
    """
    tree = Tree(root)
    in_force = (by_name(chosen, plugins),) if chosen is not None else importers(plugins)
    whole = [importer for importer in in_force if importer.read_folder is not None]
    single = [importer for importer in in_force if importer.read_folder is None]
    drafts: list[Found] = []
    parts: dict[tuple[str, str], tuple[Together, list[Handed]]] = {}
    for entry in tree.entries:
        importer = _of_head(tree, entry.path, whole)
        if importer is not None and importer.read_folder is not None:
            return (_found(str(root), root, importer.read_folder(tree, jobs)),)
        for reader, file in _of_entry(tree, entry.path, single) if single else ():
            if reader.together is None:
                drafts.append(_found(file.name, Path(file.name).parent, reader.read(file)))
            else:
                key = (reader.name, reader.together.place(entry.path))
                parts.setdefault(key, (reader.together, []))[1].append(file)
    for (_, place), (together, files) in parts.items():
        # the draft of a single file has its name
        name = tree.shown(place).rstrip("/") if len(files) > 1 else files[0].name
        folder = Path(name) if len(files) > 1 else Path(name).parent
        drafts.append(_found(name, folder, together.read(tuple(files))))
    return tuple(drafts)


def _of_head(tree: Tree, path: str, whole: Iterable[Importer]) -> Importer | None:
    """Return the folder's importer that knows a file by its first 64 KiB."""
    try:
        return detect(handed(path, tree.head(path)), whole).importer
    except UserError:
        return None


def _of_entry(tree: Tree, path: str, single: Iterable[Importer]) -> Iterable[tuple[Importer, Handed]]:
    """Yield a file of a folder with the importer that reads it; one that none reads is passed over."""
    name = tree.shown(path)
    try:
        file = replace(handed(name, tree.bytes_of(path)), folder=Path(name).parent)
    except UserError:
        return
    importer = detect(file, single).importer
    if importer is not None:
        yield importer, file


def _found(name: str, folder: Path, draft: Draft) -> Found:
    return Found(Source(name, draft.listing, draft.value, "json"), "submission", folder, draft)
