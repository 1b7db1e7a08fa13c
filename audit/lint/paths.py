"""Lint everything that was named on the command line, in processes of their own where that is asked for."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ..importers.tree import Tree
from ..workers import Workers, processes
from .cases import NOTHING
from .document import Document
from .lint import Linted, lint
from .own import Candidate, candidates, linked_documents, own_document
from .read import read_documents
from .rest import Own, apart, drafts_left_out, is_cited, own_of, rest
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
            documents = read_documents(paths, settings.plugins, roles=roles, chosen=chosen, drafts=False)
            return _once(lint(document, settings) for document in documents)
        return _once(_in_processes(tuple(paths), settings, workers, roles, chosen))


def _once(linted: Iterable[Linted]) -> list[Linted]:
    """Return what was judged without what was judged twice: what was named again, or what marks led to as well.

    Of the latter the one stays that was read through its marks.
    """
    linted, dropped, kept = tuple(linted), list[Linted](), dict[tuple[str, str, str], Linted]()
    marked = {os.path.normpath(item.path) for item in linted if item.marked_in}
    for item in linted:
        key = os.path.normpath(item.path), item.report.sha256, item.marked_in
        if key in kept or (not item.marked_in and key[0] in marked):
            dropped.append(item)
        else:
            kept[key] = item
    rows = [row for item in dropped for row in item.report.left_out]
    if not rows:
        return list(kept.values())
    first, *others = kept.values()
    left_out = tuple(dict.fromkeys((*first.report.left_out, *rows)))
    return [replace(first, report=replace(first.report, left_out=left_out)), *others]


def _in_processes(
    paths: tuple[str, ...], settings: Settings, workers: Workers, roles: ColumnRoles | None, chosen: str | None
) -> list[Linted]:
    trees = {number: Tree(Path(path)) for number, path in enumerate(paths) if path and Path(path).is_dir()}
    numbered: list[tuple[int, Candidate | Document]] = []
    for number, path in enumerate(paths):
        if number in trees:
            numbered += [(number, each) for each in candidates(trees[number])]
        else:
            documents = read_documents([path], settings.plugins, roles=roles, chosen=chosen)
            numbered += [(number, document) for document in documents]
    judged: list[list[tuple[Linted, Own]]] = [[] for _ in paths]
    items = [item for _, item in numbered]
    for (number, _), found in zip(numbered, workers.map(partial(_lint_one, settings=settings), items), strict=True):
        judged[number] += [found] if found is not None else []
    linted: list[Linted] = []
    for number in range(len(paths)):
        if judged[number]:
            linted += _with_the_rest(trees.get(number), judged[number], settings, workers)
        elif number in trees:
            # a folder without a document of ours may be one of foreign logs
            from .reports import of_tree

            for document in of_tree(trees[number], settings.plugins, workers, chosen):
                linted.append(replace(lint(document, settings, workers), case=NOTHING))
    return linted


def _with_the_rest(
    tree: Tree | None, judged: list[tuple[Linted, Own]], settings: Settings, workers: Workers
) -> list[Linted]:
    """Return what was judged of a path, without studies that a document cites, and with what lies beside."""
    own = [each for _, each in judged]
    unjudged = apart(own, tree.root) if tree is not None else ()
    kept = [linted for linted, each in judged if each not in unjudged and not is_cited(each, own)]
    if tree is None:
        return kept
    reports, left_out = rest(tree, own, settings.plugins, workers)
    beside = [replace(lint(item, settings), case=NOTHING) for item in (*linked_documents(tree), *reports)]
    first, *others = (*kept, *beside)
    rows = (*drafts_left_out(tree, unjudged), *left_out)
    return [replace(first, report=replace(first.report, left_out=rows)), *others]


def _lint_one(item: Candidate | Document, settings: Settings) -> tuple[Linted, Own] | None:
    """Judge a document, or the file of a folder if it holds one."""
    document = own_document(item) if isinstance(item, Candidate) else item
    return (replace(lint(document, settings), case=NOTHING), own_of(document)) if document is not None else None
