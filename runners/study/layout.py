"""How many ranks and nodes the trials of an arm take: what the arm says, else what the launcher does."""

from __future__ import annotations

from ...schemas.errors import UserError
from ...schemas.spec import ArmRequest, Launch, Launcher

SEVERAL_NODES = ("slurm", "ray")
"""Launchers that reach other machines than this one."""


def of(launcher: Launcher, request: ArmRequest, name: str) -> Launch:
    """Return the ranks and nodes of an arm.

    Args:
        launcher: of the spec.
        request: the arm.
        name: what the file is called in an error message.

    Raises:
        UserError: they do not fit each other, or the launcher.
    """
    size = request.launch or Launch(ranks=launcher.ranks, nodes=launcher.nodes)
    at = f"{name} ({request.launch.at if request.launch is not None else '/launcher'})"
    if size.ranks % size.nodes:
        todo = "make ranks a multiple of nodes"
        raise UserError(f"{size.ranks} ranks do not spread evenly over {size.nodes} nodes", todo, at)
    if size.nodes > 1 and launcher.kind not in SEVERAL_NODES:
        todo = f"take the launcher {' or '.join(SEVERAL_NODES)}"
        raise UserError(f"the launcher {launcher.kind} reaches no second node", todo, at)
    return size
