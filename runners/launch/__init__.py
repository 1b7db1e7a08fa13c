"""Launchers: what starts the ranks of a trial, waits for them, and cancels them."""

from __future__ import annotations

from collections.abc import Sequence

from ...schemas.spec import Launcher as Asked
from .interface import Launcher
from .local import WORKER as WORKER
from .local import Local, Torchrun


def launcher_for(asked: Asked, worker: Sequence[str] = WORKER) -> Launcher:
    """Return the launcher that a spec asks for.

    Args:
        asked: what it says.
        worker: program that takes the path of an order file as its last argument.

    Raises:
        UserError: what the launcher needs is not here.
    """
    if asked.kind == "torchrun":
        return Torchrun()
    if asked.kind == "slurm":
        from .slurm import Slurm

        return Slurm(asked.slurm)
    if asked.kind == "ray":
        from .ray import Ray

        return Ray(asked.ray)
    return Local(worker)
