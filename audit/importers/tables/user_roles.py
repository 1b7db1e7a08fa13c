"""The role of a column as a user says it."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from ....schemas.errors import UserError
from .roles import FLAGS, ROLES, Role

CLOSED = {
    "statistic": ("mean", "median", "min", "max", "percentile"),
    "label": ("strong", "weak", "mixed"),
    "mode": ("training", "inference", "none"),
    "scope": ("phase", "step", "epoch", "training_run", "request", "serving_window"),
}


def user_role(name: str, value: object, where: str) -> Role:
    """Return the role that a user gives a column: its name, or a map with `role` and what else is known.

    Raises:
        UserError: it is none.
    """
    given = {"role": value} if isinstance(value, str) else value
    if not isinstance(given, Mapping) or given.get("role") not in ROLES:
        raise UserError(f"column {name!r} has an unknown role", f"write one of: {', '.join(ROLES)}", where)
    unknown = set(given) - {"role", *FLAGS}
    if unknown or not all(isinstance(item, str) for item in given.values()):
        todo = f"besides the role, it may have as texts: {', '.join(FLAGS)}"
        raise UserError(f"column {name!r} has an unknown key", todo, where)
    for flag, words in CLOSED.items():
        if given.get(flag, words[0]) not in words:
            raise UserError(
                f"the column {name!r} has no {flag} {given[flag]!r}", f"write one of: {', '.join(words)}", where
            )
    own = Role(str(given["role"]), stem=name.casefold())
    return replace(own, **{str(key): str(item) for key, item in given.items()})
