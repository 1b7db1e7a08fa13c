"""What a user says that a claim of a sentence is, by the claim's name: `line-12: {scope: kernel}`, or `ignore`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from ....schemas.errors import UserError
from ..report_file import ColumnRoles

if TYPE_CHECKING:
    from ..fields import ClaimFields

FIELDS = ("quantity", "form", "scope", "mode", "compares")
"""Fields of a claim that are read from its sentence, and shown as what they were taken for."""
IGNORE = "ignore"


def corrected(key: str, claim: ClaimFields, roles: ColumnRoles) -> ClaimFields | None:
    """Return a claim with what a user says of it; None where the user says that it is none.

    Raises:
        UserError: what the user says is no field of a claim.
    """
    said = roles.by_heading.get(key)
    if said is None:
        return claim
    if said == IGNORE:
        return None
    if not isinstance(said, Mapping) or not said or not all(isinstance(value, str) for value in said.values()):
        raise UserError(f"{key} is neither `ignore` nor a map of fields", _todo(), roles.name)
    unknown = next((name for name in said if name not in FIELDS), None)
    if unknown is not None:
        raise UserError(f"{key} has no field {unknown!r} to correct", _todo(), roles.name)
    return cast("ClaimFields", {**claim, **said})


def _todo() -> str:
    return f"write `ignore`, or a map of {', '.join(FIELDS)}"


def guess_of(claim: ClaimFields) -> Mapping[str, str]:
    """Return what a claim was taken for."""
    return {name: str(claim.get(name)) for name in FIELDS}
