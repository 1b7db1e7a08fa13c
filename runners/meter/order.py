"""What a program is asked to do by `dlaudit run`, and where its answers go: the protocol of `command` workloads.

Without the environment variable DLAUDIT_REQUEST the program was started by somebody else, and nothing is asked.
"""

from __future__ import annotations

import json
import os
import socket
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from ..study.orders import Convergence, Throughput

REQUEST = "DLAUDIT_REQUEST"
RANKS = "DLAUDIT_RANKS"
"""Variable that names the folder in which ranks tell theirs that nobody listens to one by one."""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What one trial of the program is to do."""

    kind: str
    options: dict[str, Any] = {}
    seed: int
    device: str
    ranks: int = 1
    """Ranks that were started together, each with somebody who listens to it."""
    throughput: Throughput | None = None
    convergence: Convergence | None = None


Tell = Callable[..., None]
"""Reports an event by its name and fields."""


def asked(variables: Mapping[str, str] = os.environ) -> Asked | None:
    """Return what is asked of this process; None where nothing is.

    Raises:
        ValueError: the variable holds something else.
    """
    text = variables.get(REQUEST)
    if text is None:
        return None
    try:
        return msgspec.json.decode(text, type=Asked)
    except msgspec.DecodeError as error:
        raise ValueError(f"{REQUEST} holds no request of dlaudit: {error}") from None


def tell(event: str, **fields: Any) -> None:
    """Print an event on a line of its own, whatever the program has printed before it."""
    sys.stdout.flush()
    line = json.dumps({"event": event, **fields}, allow_nan=False)
    os.write(sys.__stdout__.fileno() if sys.__stdout__ is not None else 1, f"\n{line}\n".encode())


def teller(request: Asked | None, variables: Mapping[str, str] = os.environ) -> Tell | None:
    """Return what takes the events of this rank; None where nobody does."""
    number, world = rank()
    if number == 0 or (request is not None and request.ranks == world):
        return tell
    if request is None or RANKS not in variables:
        return None
    folder = Path(variables[RANKS])
    folder.mkdir(exist_ok=True)
    path = folder / f"{number}.jsonl"
    place = {"rank": number, "ranks": world, "local_rank": int(variables.get("LOCAL_RANK", "0"))}
    path.write_text(json.dumps({**place, "host": socket.gethostname()}) + "\n")

    def append(event: str, **fields: Any) -> None:
        with path.open("a") as file:
            file.write(json.dumps({"event": event, **fields}, allow_nan=False) + "\n")

    return append


def rank() -> tuple[int, int]:
    """Return the number of this process among those that share a training, and how many these are."""
    distributed = sys.modules.get("torch.distributed")
    if distributed is not None and distributed.is_available() and distributed.is_initialized():
        return distributed.get_rank(), distributed.get_world_size()
    return int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))
