"""What a program is asked to do by `dlaudit run`, and where its answers go: the protocol of `command` workloads.

Without the environment variable DLAUDIT_REQUEST the program was started by somebody else, and nothing is asked.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from ..study.orders import Convergence, Throughput

REQUEST = "DLAUDIT_REQUEST"


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What one trial of the program is to do."""

    kind: str
    options: dict[str, Any] = {}
    seed: int
    device: str
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


def rank() -> tuple[int, int]:
    """Return the number of this process among those that share a training, and how many these are."""
    distributed = sys.modules.get("torch.distributed")
    if distributed is not None and distributed.is_available() and distributed.is_initialized():
        return distributed.get_rank(), distributed.get_world_size()
    return int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))
