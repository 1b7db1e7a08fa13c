"""`local` and `torchrun`: the ranks of a trial are processes on this machine."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from ...schemas.errors import UserError
from ..trial.attempt import Started
from .interface import Job

WORKER = (sys.executable, "-P", "-m", "dlaudit.runners.trial.worker")
SUPERVISOR = (sys.executable, "-P", "-m", "dlaudit.runners.launch.supervisor")
TORCHRUN = (sys.executable, "-P", "-m", "torch.distributed.run")


class Local:
    """One process a rank; of one rank the worker itself.

    Args:
        worker: program that takes the path of an order file as its last argument.
    """

    here = True

    def __init__(self, worker: Sequence[str] = WORKER) -> None:
        self._worker = worker

    def start(self, job: Job) -> Started:
        """Start the worker, or one for each rank below a supervisor that ends all of them together."""
        several = [*SUPERVISOR, str(job.ranks), "--"] if job.ranks > 1 else []
        return _started([*several, *(job.worker or self._worker), str(job.order)], job)

    def found(self, _job: Job) -> None:
        """Find nothing: these processes end with the runner."""


class Torchrun:
    """Ranks below torchrun, on one node."""

    here = True

    def start(self, job: Job) -> Started:
        """Start torchrun on a port that is free."""
        return _started([*TORCHRUN, "--standalone", *torchrun_arguments(job)], job)

    def found(self, _job: Job) -> None:
        """Find nothing: these processes end with the runner."""


def torchrun_arguments(job: Job) -> list[str]:
    """Return what torchrun is told of the ranks of a node, and the worker that each of them is."""
    arguments = [f"--nproc-per-node={job.ranks_per_node}", "--max-restarts=0", "--no-python"]
    return [*arguments, *(job.worker or WORKER), str(job.order)]


def _started(arguments: Sequence[str], job: Job) -> Started:
    try:
        return Started(arguments, job.environment, job.log)
    except OSError as error:
        raise UserError(f"the ranks cannot be started: {error.strerror}", "look at the launcher", "/launcher") from None
