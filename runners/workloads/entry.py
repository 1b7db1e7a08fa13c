"""A workload of the user's own: `entry: package.module:factory`, with the contract of `interface`.

The module must be importable: installed, or on PYTHONPATH. The working directory is not searched.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from ...schemas.errors import UserError
from .interface import Workload

METHODS = ("build", "batches", "step", "evaluate")


def make(entry: str, arguments: Mapping[str, Any]) -> Workload:
    """Import a factory and call it.

    Args:
        entry: `package.module:factory`; the factory may be an attribute of an attribute.
        arguments: keyword arguments of the call.

    Raises:
        UserError: the module or the factory is not there, or what it returns is no workload. Whatever the user's own
            code raises passes through.
    """
    name, _, path = entry.partition(":")
    if not name or not path:
        raise UserError(f"{entry} names no factory", "write package.module:factory", "/workload/entry")
    try:
        found: Any = import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not (name + ".").startswith(error.name + "."):
            raise  # the user's module is there, and something that it imports is not
        raise UserError(f"there is no module {name}", "install it, or set PYTHONPATH", "/workload/entry") from None
    for step in path.split("."):
        if not hasattr(found, step):
            raise UserError(f"{name} has no {path}", "name a factory of the module", "/workload/entry")
        found = getattr(found, step)
    if not callable(found):
        raise UserError(f"{entry} is not a factory", "name something that can be called", "/workload/entry")
    workload = found(**arguments)
    missing = [method for method in METHODS if not callable(getattr(workload, method, None))]
    if missing:
        raise UserError(
            f"what {entry} returned has no {', '.join(missing)}", "give it the four methods of a workload", "/workload"
        )
    made: Workload = workload
    return made
