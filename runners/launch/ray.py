"""`ray`: every attempt at a trial is an actor on each of its nodes of a Ray cluster, whose agent runs torchrun there.

The actors are detached: they outlive the runner, and a later one finds them by the name that lies beside the order file
(`<attempt>.job.json`). An attempt that loses an actor, with its node or alone, or whose actors are killed by somebody
else, is lost, whatever its ranks say of it. What the agents print lies beside the order file, too.
"""

from __future__ import annotations

import logging
import os
import socket
import subprocess
import sys
import time
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ...schemas.errors import EnvironmentRefused, UserError
from ...schemas.spec import Ray as Asked
from ..study import interruption
from ..trial.attempt import MARK, Exit, die_with
from ..trial.ranks import NODE_NAME
from .interface import Job, Tick
from .node import HEAD, NODE, TIMED_OUT
from .submitted import Submitted, beside, keep, kept, stem

AGENT = (sys.executable, "-P", "-m", "dlaudit.runners.launch.node")
NAMESPACE = "dlaudit"
POLL_S = 5.0
"""How long an actor waits for its agent before it answers; one that ends is told at once."""
GRACE_S = 10.0
"""How long the other agents have to write what they found, when one has failed."""
AWAY_S = 120.0
"""How long nodes that the cluster had may be away."""


class Ray:
    """A Ray cluster that exists.

    Args:
        asked: what the spec asks for.

    Raises:
        UserError: Ray is not installed here, or no cluster answers.
    """

    here = False

    def __init__(self, asked: Asked) -> None:
        if find_spec("ray") is None:
            todo = "pip install '.[ray]' in the checkout of dlaudit"
            raise UserError("Ray is not installed here", todo, "/launcher/kind")
        import ray

        if not ray.is_initialized():
            address = asked.address or os.environ.get("RAY_ADDRESS") or "auto"
            try:
                _listens(address)
                with interruption.kept():
                    ray.init(address=address, namespace=NAMESPACE, log_to_driver=False, logging_level=logging.ERROR)
            except Exception as error:  # Ray raises bare ones, too
                what = str(error).partition("\n")[0]
                todo = "start it on a node of the cluster, and name its address"
                raise UserError(f"no Ray cluster answers: {what}", todo, "/launcher/ray") from None
        self._ray: Any = ray
        self._asked = asked
        self._patience_s = 0.0

    def start(self, job: Job) -> RayJob:
        """Place an actor on each node, and have it start its agent.

        Raises:
            UserError: the cluster has no such nodes.
        """
        submitted = Submitted(scheduler="ray", id=f"dlaudit-{job.name}", attempt_of=stem(job.order))
        keep(job.order, submitted)
        group = self._placed(submitted.id, job)
        arguments = [*AGENT, str(job.order), str(job.ranks), str(job.nodes), str(job.timeout_s)]
        environment = {key: value for key, value in job.environment.items() if key != MARK}
        folder, log = os.getcwd(), str(beside(job.order, "job.log").resolve())  # noqa: PTH109 - as text
        needs = self._needs(job)
        strategy = self._ray.util.scheduling_strategies.PlacementGroupSchedulingStrategy
        actors = [
            self._ray.remote(Agent)
            .options(
                name=f"{submitted.id}.{number}",
                lifetime="detached",
                num_cpus=needs["CPU"],
                num_gpus=needs.get("GPU", 0),
                scheduling_strategy=strategy(group, placement_group_bundle_index=number),
            )
            .remote(number, arguments, environment, folder, log)
            for number in range(job.nodes)
        ]
        return RayJob(self._ray, job, submitted, actors)

    def found(self, job: Job) -> RayJob | None:
        """Return what an earlier process started for this attempt."""
        submitted = kept(job.order)
        if submitted is None:
            return None
        actors = [self._actor(f"{submitted.id}.{number}") for number in range(job.nodes)]
        return RayJob(self._ray, job, submitted, actors)

    def _actor(self, name: str) -> Any:
        """Return an actor; None where it is gone, or never was."""
        try:
            return self._ray.get_actor(name)
        except ValueError:
            return None

    def _placed(self, name: str, job: Job) -> Any:
        """Reserve a place on so many nodes.

        Raises:
            UserError: the cluster has no such nodes.
        """
        util, strategy = self._ray.util, "STRICT_SPREAD" if job.nodes > 1 else "STRICT_PACK"
        group = util.placement_group([self._needs(job)] * job.nodes, strategy, name, lifetime="detached")
        try:
            self._wait_for(group, job)
        except BaseException:
            util.remove_placement_group(group)
            raise
        self._patience_s = AWAY_S
        return group

    def _wait_for(self, group: Any, job: Job) -> None:
        """Wait until there is a place: a busy cluster is waited for, one that is too small is not."""
        needs = self._needs(job)
        given_up = time.monotonic() + self._patience_s
        while not group.wait(1.0):
            if self._fits(needs, job.nodes):
                given_up = time.monotonic() + self._patience_s
            elif time.monotonic() >= given_up:
                asked = " and ".join(f"{count:g} {kind}" for kind, count in needs.items())
                raise UserError(
                    f"the Ray cluster has not {job.nodes} nodes with {asked} each",
                    "ask for fewer ranks, or add nodes",
                    "/launcher",
                )

    def _needs(self, job: Job) -> dict[str, float]:
        """Return what a node has to have."""
        found = {"CPU": float(self._asked.cpus_per_rank * job.ranks_per_node)}
        return found | ({"GPU": float(gpus * job.ranks_per_node)} if (gpus := self._asked.gpus_per_rank) else {})

    def _fits(self, needs: dict[str, float], nodes: int) -> bool:
        """Whether the cluster has so many nodes, busy or not."""
        alive = [node["Resources"] for node in self._ray.nodes() if node["Alive"]]
        return sum(all(node.get(kind, 0) >= count for kind, count in needs.items()) for node in alive) >= nodes


def _listens(address: str) -> None:
    """Try to reach the head of a cluster, for which Ray itself tries for minutes.

    Raises:
        OSError: nobody listens there.
    """
    host, _, port = address.rpartition(":")
    if port.isdecimal():
        socket.create_connection((host.strip("[]"), int(port)), timeout=10).close()


class RayJob:
    """The actors of an attempt; None for one that is gone."""

    def __init__(self, ray: Any, job: Job, submitted: Submitted, actors: list[Any]) -> None:
        self._ray, self._job, self._submitted, self._actors = ray, job, submitted, actors

    def wait(self, _timeout_s: float, tick: Tick, tick_s: float) -> Exit:
        """Wait until all agents have ended, or one has failed; their time limit is their own to enforce.

        Raises:
            EnvironmentRefused: the cluster is gone.
        """
        begun = time.monotonic()
        codes, taken = self._codes(tick, tick_s)
        self._release()
        code = next((code for code in codes if code), 0) if taken is None else None
        state = "LOST" if taken is not None else "FAILED" if code else "SUCCEEDED"
        self._submitted = Submitted(
            scheduler="ray", id=self._submitted.id, attempt_of=self._submitted.attempt_of, state=state
        )
        keep(self._job.order, self._submitted)
        return Exit(
            code=code if code is None or code >= 0 else None,
            signal_name=f"signal {-code}" if code is not None and code < 0 else None,
            timed_out=code == TIMED_OUT,
            duration_s=time.monotonic() - begun,
            log_left_out_bytes=0,
            taken=taken,
        )

    def cancel(self) -> None:
        """Kill the actors, and with them all that runs below."""
        self._release()

    def _codes(self, tick: Tick, tick_s: float) -> tuple[list[int], str | None]:
        """Return the exit codes of the agents, and why the attempt is lost, where it is."""
        if None in self._actors:
            return [], f"an actor of its Ray job is gone ({self._submitted.id})"
        waited = {actor.ended.remote(): actor for actor in self._actors}
        codes: list[int] = []
        next_tick = time.monotonic() + tick_s
        until: float | None = None
        while waited and (until is None or time.monotonic() < until):
            try:
                done, _ = self._ray.wait(list(waited), timeout=min(POLL_S, tick_s) if tick is not None else POLL_S)
                for one in done:
                    actor, code = waited.pop(one), self._ray.get(one)
                    if code is None:
                        waited[actor.ended.remote()] = actor
                    else:
                        codes.append(code)
            except self._ray.exceptions.RayActorError as error:
                if error.actor_init_failed:
                    what = str(error).strip().splitlines()[-1]
                    todo = "dlaudit and the study's folder have to be on every node"
                    raise UserError(f"a node cannot start its ranks: {what}", todo, "/launcher") from None
                return codes, f"a node or an actor of its Ray job died ({self._submitted.id})"
            except self._ray.exceptions.RaySystemError as error:
                raise EnvironmentRefused(f"the Ray cluster does not answer: {error}") from None
            if until is None and any(codes):
                until = time.monotonic() + GRACE_S
            if tick is not None and time.monotonic() >= next_tick:
                tick()
                next_tick = time.monotonic() + tick_s
        return codes, None

    def _release(self) -> None:
        """Give back what the cluster lent."""
        util = self._ray.util
        for actor in filter(None, self._actors):
            self._ray.kill(actor)
        with suppress(ValueError):  # it was never placed
            util.remove_placement_group(util.get_placement_group(self._submitted.id))


class Agent:
    """The actor of one node: it starts the agent of the node as a process, which the kernel ends with the actor."""

    def __init__(self, number: int, arguments: list[str], environment: dict[str, str], folder: str, log: str) -> None:
        import ray as module

        ray: Any = module
        own = ray.get_runtime_context().get_node_id()
        node = next(node for node in ray.nodes() if node["NodeID"] == own)
        told = {NODE: str(number), HEAD: node["NodeManagerAddress"]}
        if node["NodeName"] != node["NodeManagerAddress"]:
            told[NODE_NAME] = node["NodeName"]
        devices = {name: os.environ[name] for name in ("CUDA_VISIBLE_DEVICES",) if os.environ.get(name)}
        with Path(log).open("ab") as output:
            self._process = subprocess.Popen(
                arguments,
                cwd=folder,
                env=environment | devices | told,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                preexec_fn=die_with(os.getpid()),
            )

    def ended(self) -> int | None:
        """Return the exit code of the agent; None where it still runs after a while."""
        try:
            return self._process.wait(POLL_S)
        except subprocess.TimeoutExpired:
            return None
