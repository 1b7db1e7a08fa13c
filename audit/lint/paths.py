"""Lint everything that was named on the command line, in processes of their own where that is asked for."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ..workers import Workers, processes
from .cases import NOTHING
from .document import Document
from .lint import Linted, lint
from .read import beneath, read_document, read_documents
from .settings import Settings

if TYPE_CHECKING:
    from ..importers.report_file import ColumnRoles


def lint_paths(
    paths: Iterable[str], settings: Settings, jobs: int = 1, roles: ColumnRoles | None = None, chosen: str | None = None
) -> list[Linted]:
    """Judge the documents of files and folders in the order given; the cases stay in the processes that judge.

    Args:
        paths: as the user named them.
        settings: how to judge.
        jobs: how many processes read and judge.
        roles: what the user says of the columns of tables.
        chosen: name of the importer that reads reports.

    Raises:
        UserError: as `read_documents`.
    """
    with processes(jobs) as workers:
        if workers is None:
            documents = read_documents(paths, settings.plugins, roles=roles, chosen=chosen)
            return [lint(document, settings) for document in documents]
        return _in_processes(tuple(paths), settings, workers, roles, chosen)


def _in_processes(
    paths: tuple[str, ...], settings: Settings, workers: Workers, roles: ColumnRoles | None, chosen: str | None
) -> list[Linted]:
    numbered: list[tuple[int, Path | Document]] = []
    for number, path in enumerate(paths):
        if path and Path(path).is_dir():
            numbered += [(number, file) for file in beneath(Path(path))]
        else:
            documents = read_documents([path], settings.plugins, roles=roles, chosen=chosen)
            numbered += [(number, document) for document in documents]
    linted: list[list[Linted]] = [[] for _ in paths]
    items = [item for _, item in numbered]
    for (number, _), found in zip(numbered, workers.map(partial(_lint_one, settings=settings), items), strict=True):
        linted[number] += [found] if found is not None else []
    for number, path in enumerate(paths):
        # a folder without a document of ours may be one of foreign logs
        for document in () if linted[number] else read_documents([path], settings.plugins, workers, roles, chosen):
            linted[number].append(replace(lint(document, settings, workers), case=NOTHING))
    return [each for found in linted for each in found]


def _lint_one(item: Path | Document, settings: Settings) -> Linted | None:
    """Judge a document, or the file of a folder if it holds one."""
    document = read_document(item) if isinstance(item, Path) else item
    return replace(lint(document, settings), case=NOTHING) if document is not None else None
