"""Who judges: processes of this machine, or Ray on one machine or a cluster. Both run one function per entry."""

from __future__ import annotations

import logging
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ...schemas.errors import UserError
from ..lint.settings import Settings
from ..workers import processes
from .bucket import is_bucket, listed
from .rows import Row, rows_of_entry, unreadable

BATCH = 32
"""Entries that a Ray task judges: enough to outweigh its milliseconds, few enough to divide the work evenly."""
AHEAD = 2
"""Tasks a processor that are given to Ray: one runs, one waits for its turn."""
STORE_BYTES = 128 << 20
"""Object store of a Ray that is started here: rows are small, and few wait in it."""
Judged = Iterator[tuple[Row, ...]]


def entries(paths: Iterable[str]) -> list[str]:
    """Return what is judged apart: of a folder each file and folder in it, in order; a file itself; so of a bucket.

    Raises:
        UserError: a path is not there, or a bucket cannot be read.
    """
    found: list[str] = []
    for path in paths:
        if is_bucket(path):
            found += listed(path)
            continue
        if not Path(path).is_dir():
            if not Path(path).is_file():
                raise UserError("there is no such file or folder", "name a folder of submissions", path)
            found.append(path)
            continue
        with os.scandir(path) as inside:
            found += sorted(entry.path for entry in inside if not entry.name.startswith("."))
    return found


def by_processes(found: Sequence[str], settings: Settings, jobs: int) -> Judged:
    """Yield the rows of each entry in order, judged here or in processes of this machine."""
    judged = partial(rows_of_entry, settings=settings)
    with processes(jobs) as workers:
        yield from map(judged, found) if workers is None else workers.map(judged, found)


def by_ray(found: Sequence[str], settings: Settings, jobs: int) -> Judged:
    """Yield the rows of each entry as tasks of Ray end: on the cluster of RAY_ADDRESS, else on one started here.

    A task that dies with its process is repeated entry by entry; an entry that dies alone is a row that says so.

    Raises:
        UserError: Ray is not installed, or its cluster cannot be reached.
    """
    ray = _started(jobs)
    task = ray.remote(num_cpus=1, max_retries=0)(_judged)
    most = AHEAD * max(1, int(ray.cluster_resources().get("CPU", jobs)))
    entries = [entry if is_bucket(entry) else os.path.abspath(entry) for entry in found]  # noqa: PTH100 - as text
    left = deque(entries[start : start + BATCH] for start in range(0, len(entries), BATCH))
    settings_there = ray.put(settings)
    running: dict[Any, list[str]] = {}
    lost = ray.exceptions
    died = (lost.WorkerCrashedError, lost.NodeDiedError, lost.OutOfMemoryError, lost.ObjectLostError)
    while left or running:
        while left and len(running) < most:
            batch = left.popleft()
            running[task.remote(batch, settings_there)] = batch
        (done, *_), _ = ray.wait(list(running))
        batch = running.pop(done)
        try:
            yield from ray.get(done)
        except died:
            if len(batch) > 1:
                left.extendleft([entry] for entry in batch)
            else:
                yield (_died(batch[0], settings),)


def _judged(batch: list[str], settings: Settings) -> list[tuple[Row, ...]]:
    """Judge some entries in a process of Ray."""
    return [rows_of_entry(entry, settings) for entry in batch]


def _died(entry: str, settings: Settings) -> Row:
    why = "the process that judged it died"
    return unreadable(entry, why, settings)


def _started(jobs: int) -> Any:
    """Return the module of Ray, connected to a cluster: the one of RAY_ADDRESS, or a local one of so many processes."""
    if find_spec("ray") is None:
        raise UserError("--engine ray needs Ray, which is not installed", "pip install '.[ray]' in the checkout")
    # a busy machine takes longer than the 30 s that Ray gives it
    os.environ.setdefault("RAY_raylet_start_wait_time_s", "120")
    # at the low priority that Ray gives them, they would wait for every other program
    os.environ.setdefault("RAY_worker_niceness", "0")
    import ray

    if not ray.is_initialized():
        own = {"num_cpus": jobs, "object_store_memory": STORE_BYTES, "include_dashboard": False, "address": "local"}
        local: dict[str, Any] = {} if os.environ.get("RAY_ADDRESS") else own
        try:
            ray.init(log_to_driver=False, logging_level=logging.ERROR, **local)
        except Exception as error:  # Ray raises bare ones, too
            what = str(error).partition("\n")[0]
            raise UserError(f"Ray does not start: {what}", "see `ray status`, or unset RAY_ADDRESS") from None
    return ray


ENGINES: dict[str, Callable[[Sequence[str], Settings, int], Judged]] = {"processes": by_processes, "ray": by_ray}
