"""Several ranks on one machine: this process is rank 0; the others are processes of its own that do as it does.

A workload asks for its ranks in `build` and says there which collectives follow. Every other rank builds the same
workload and makes its steps without end, so that whatever rank 0 exchanges finds a partner; it ends with rank 0. The
back end is NCCL on CUDA devices, one device a rank from the requested one on, and Gloo over the loopback device else.

Ranks that compute on the processors share them: where nobody says how many threads, each rank takes its part of what
this process may use, at least one. More threads than processors would take turns inside every exchange.
"""

from __future__ import annotations

import atexit
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import msgspec

from ...schemas.errors import UserError
from .interface import Request

READY_S = 60.0
"""How long the other ranks may take to start."""
TIMEOUT_S = 300.0
"""How long a collective may take."""
MOST = 64
HOST = "127.0.0.1"


class Seat(msgspec.Struct, frozen=True, kw_only=True):
    """What another rank is told."""

    parent: int
    """Process id of rank 0."""
    rank: int
    ranks: int
    port: int
    threads: int
    name: str
    parameters: dict[str, Any]
    options: dict[str, Any]
    seed: int
    device: str
    kind: str


class Joined(msgspec.Struct, frozen=True, kw_only=True):
    """The place of this process in its group."""

    rank: int
    ranks: int
    backend: str


_joined: list[Joined] = []
"""The place of a process that is not rank 0; empty in rank 0."""
_peers: list[subprocess.Popen[bytes]] = []


def together(name: str, parameters: Mapping[str, Any], ranks: int, request: Request) -> Joined:
    """Form a group with other ranks, which run the same workload; in one of these, return its place.

    Args:
        name: of the workload.
        parameters: of the workload.
        ranks: how many, this one included.
        request: what the workload is asked to be.

    Raises:
        UserError: there cannot be so many, or one of them does not start.
    """
    if _joined:
        return _joined[0]
    formed = _formed(ranks)
    if formed is not None:
        return formed
    backend = _check(ranks, request.device)
    end()
    import torch

    if backend == "gloo":
        torch.set_num_threads(_threads(ranks, torch.get_num_threads()))
    store = meeting_point(0, first=True)
    for rank in range(1, ranks):
        seat = Seat(
            parent=os.getpid(),
            rank=rank,
            ranks=ranks,
            port=store.port,
            threads=torch.get_num_threads(),
            name=name,
            parameters=dict(parameters),
            options=dict(request.options),
            seed=request.seed,
            device=device_of(request.device, rank),
            kind=request.kind,
        )
        _peers.append(_start(seat))
    _await(store, ranks)
    return join(store, Joined(rank=0, ranks=ranks, backend=backend), request.device)


def _formed(ranks: int) -> Joined | None:
    """Return the place in the group that the launcher's ranks are, where this process is one of these.

    Raises:
        UserError: they are not as many as the workload asks for.
    """
    from torch import distributed

    if not distributed.is_available() or not distributed.is_initialized() or _peers:
        return None
    world = distributed.get_world_size()
    if world != ranks:
        todo = "give the workload as many as the launcher starts"
        raise UserError(f"the workload is to run on {ranks} ranks, and {world} were started", todo, "/workload/ranks")
    return Joined(rank=distributed.get_rank(), ranks=world, backend=distributed.get_backend())


def meeting_point(port: int, *, first: bool) -> Any:
    """Return the store through which the ranks find each other.

    Args:
        port: where it listens; 0 for any.
        first: whether this rank keeps it.
    """
    from torch import distributed

    made: Any = distributed
    return made.TCPStore(HOST, port, is_master=first, wait_for_workers=False, timeout=timedelta(seconds=READY_S))


def join(store: Any, place: Joined, device: str) -> Joined:
    """Join the group through its store, and make sure that all ranks are in it.

    Raises:
        UserError: another rank ended.
    """
    import torch
    from torch import distributed

    if place.backend == "nccl":
        torch.cuda.set_device(device)
    elif sys.platform == "linux":
        os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
    with exchanging():
        distributed.init_process_group(
            place.backend,
            store=store,
            rank=place.rank,
            world_size=place.ranks,
            timeout=timedelta(seconds=TIMEOUT_S),
        )
        numbers = torch.tensor([place.rank + 1.0], device=device)
        distributed.all_reduce(numbers)
    if int(numbers) != place.ranks * (place.ranks + 1) // 2:
        raise UserError(f"an all-reduce over {place.ranks} ranks summed up to {int(numbers)}", "", "/workload/ranks")
    return place


def device_of(first: str, rank: int) -> str:
    """Return the device of a rank: the processor for all, or as many CUDA devices from the first one on."""
    found = re.fullmatch(r"cuda:([0-9]+)", first)
    return first if found is None else f"cuda:{int(found[1]) + rank}"


@contextmanager
def exchanging() -> Iterator[None]:
    """Say that another rank ended where an exchange with it fails.

    Raises:
        UserError: one of them has ended.
    """
    try:
        yield
    except RuntimeError as error:
        time.sleep(0.1)  # the connection is gone before the process is
        for rank, peer in enumerate(_peers, start=1):
            if peer.poll() is not None:
                raise _ended(rank, peer) from error
        raise


def end() -> None:
    """End the other ranks, and leave the group."""
    for peer in _peers:
        peer.kill()
    for peer in _peers:
        peer.wait()
    if _peers:
        from torch import distributed

        if distributed.is_initialized():
            distributed.destroy_process_group()
    _peers.clear()


def _check(ranks: int, device: str) -> str:
    """Return the back end.

    Raises:
        UserError: there cannot be so many ranks here.
    """
    import torch
    from torch import distributed

    if not 2 <= ranks <= MOST:
        raise UserError(f"ranks must lie between 2 and {MOST}", "correct it", "/workload/ranks")
    backend = "nccl" if device.startswith("cuda") else "gloo"
    there = distributed.is_available() and getattr(distributed, f"is_{backend}_available")()
    if not there:
        raise UserError(f"this torch was built without {backend}", "install one with it", "/workload")
    if backend == "nccl":
        count, last = torch.cuda.device_count(), device_of(device, ranks - 1)
        if int(last.removeprefix("cuda:")) >= count:
            raise UserError(
                f"{ranks} ranks from {device} on need {last}, and torch sees {count} CUDA devices",
                "ask for fewer ranks",
                "/workload/ranks",
            )
    return backend


def _threads(ranks: int, found: int) -> int:
    """Return the threads of each rank: those found where somebody set them, else a part of the processors."""
    if "OMP_NUM_THREADS" in os.environ or not hasattr(os, "sched_getaffinity"):
        return found
    return max(1, min(found, len(os.sched_getaffinity(0)) // ranks))


def _start(seat: Seat) -> subprocess.Popen[bytes]:
    if not _peers:
        atexit.register(end)
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "dlaudit.runners.workloads.peer", json.dumps(msgspec.to_builtins(seat))],
        stdin=subprocess.DEVNULL,
        stdout=sys.stderr.fileno() if _has_file(sys.stderr) else subprocess.DEVNULL,
    )


def _has_file(stream: Any) -> bool:
    try:
        return bool(stream.fileno() >= 0)
    except (OSError, ValueError, AttributeError):
        return False


def _await(store: Any, ranks: int) -> None:
    """Wait until every other rank is there.

    Raises:
        UserError: one has ended, or they take too long.
    """
    given_up = time.monotonic() + READY_S
    while not store.check([f"ready/{rank}" for rank in range(1, ranks)]):
        for rank, peer in enumerate(_peers, start=1):
            if peer.poll() is not None:
                problem = _ended(rank, peer)
                end()
                raise problem
        if time.monotonic() > given_up:
            end()
            raise UserError(
                f"the other ranks were not there after {READY_S:g} s", "see the trial's log", "/workload/ranks"
            )
        time.sleep(0.02)


def _ended(rank: int, peer: subprocess.Popen[bytes]) -> UserError:
    return UserError(f"rank {rank} ended with exit code {peer.returncode}", "the trial's log says why", "/workload")
