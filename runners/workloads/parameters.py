"""Parameters of built-in workloads: from a JSON object to a frozen struct, and bounds on its sizes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from ...schemas.errors import UserError

P = TypeVar("P", bound=msgspec.Struct)


def read(parameters: Mapping[str, Any], kind: type[P], workload: str) -> P:
    """Read a workload's parameters.

    Raises:
        UserError: a parameter is unknown, or its value does not fit.
    """
    known = kind.__struct_fields__
    unknown = sorted(set(parameters) - set(known))
    if unknown:
        raise UserError(f"{workload} has no parameter {', '.join(unknown)}", f"it has {', '.join(known)}", "/workload")
    try:
        return msgspec.convert(dict(parameters), kind)
    except msgspec.ValidationError as error:
        raise UserError(f"{workload}: {error}", "correct the parameter", "/workload") from None
