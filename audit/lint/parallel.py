"""Several documents at once, in processes of their own, which read them, too."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from ...rules.case import Case
from ..importers.report_file import ColumnRoles
from .apart import NOTHING
from .collect import Found, beneath, collect, opened
from .judged import judged
from .lint import Linted, Settings

NO_CASE = Case(NOTHING)
CHUNKS_PER_JOB = 16


def judge_in_processes(
    paths: Iterable[str], settings: Settings, jobs: int, roles: ColumnRoles | None = None, chosen: str | None = None
) -> list[Linted]:
    """Judge the documents of files and folders in `jobs` processes, in the order given; the cases stay there.

    Raises:
        UserError: as `collect`.
    """
    judge_file, judge_found = partial(_from_file, settings=settings), partial(_judged, settings=settings)
    linted: list[Linted] = []
    with ProcessPoolExecutor(jobs) as pool:
        batches: list[tuple[str, Iterator[Linted | None]]] = []
        for path in paths:
            if path and Path(path).is_dir():
                files = beneath(Path(path))
                chunk = max(1, len(files) // (CHUNKS_PER_JOB * jobs))
                batches.append((path, pool.map(judge_file, files, chunksize=chunk)))
            else:
                batches.append((path, pool.map(judge_found, collect([path], settings.plugins, 1, roles, chosen))))
        for path, batch in batches:
            found = [item for item in batch if item is not None]
            # a folder without a document of ours may be one of foreign logs
            linted += found or map(
                partial(_judged, settings=replace(settings, jobs=jobs)),
                collect([path], settings.plugins, jobs, roles, chosen),
            )
    return linted


def _from_file(path: Path, settings: Settings) -> Linted | None:
    found = opened(path)
    return _judged(found, settings) if found is not None else None


def _judged(found: Found, settings: Settings) -> Linted:
    return replace(judged(found, settings), case=NO_CASE)
