"""Several documents at once, in processes of their own."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from functools import partial

from msgspec.structs import replace

from ...rules.case import Case
from ...schemas.submission import Submission
from .collect import Found
from .judged import judged
from .lint import Linted, Settings

NO_CASE = Case(Submission(dlaudit="submission/1", title="judged elsewhere", claims={}))


def judge_in_processes(documents: tuple[Found, ...], settings: Settings, jobs: int) -> list[Linted]:
    """Judge documents in `jobs` processes, in the order given; the cases stay in those processes."""
    chunk = max(1, len(documents) // (4 * jobs))
    with ProcessPoolExecutor(jobs) as pool:
        return list(pool.map(partial(_report, settings=settings), documents, chunksize=chunk))


def _report(found: Found, settings: Settings) -> Linted:
    return replace(judged(found, settings), case=NO_CASE)
