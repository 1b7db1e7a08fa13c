"""Results of other rounds in the same folder that hand in the same run files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from ...schemas.runs import Description
from ...schemas.submission import Claim
from ..case import Case
from .caching import fact
from .suite_result import quoted


class Earlier(Struct, frozen=True):
    """A result of an earlier round with one of the same files.

    Attributes:
        arm: id of its arm.
        round: its round.
        description: its system description, where it has one.
    """

    arm: str
    round: str
    description: Description | None


@fact
def _by_digest(case: Case) -> Mapping[str, tuple[Earlier, ...]]:
    """Return results by the digests of their run files."""
    found: dict[str, list[Earlier]] = {}
    for claim in case.submission.claims.values():
        side, result = case.subject(claim), quoted(claim)
        if side is None or result.round is None:
            continue
        entry = Earlier(side.id, result.round, side.arm.description)
        for run in side.arm.runs.values():
            if run.file is not None and run.file.sha256 is not None:
                found.setdefault(run.file.sha256, []).append(entry)
    return {digest: tuple(entries) for digest, entries in found.items() if len({e.arm for e in entries}) > 1}


def earlier_result(claim: Claim, case: Case) -> Earlier | None:
    """Return the result of an earlier round that handed in a run file of this one; the latest of several."""
    side, result = case.subject(claim), quoted(claim)
    if side is None or result.round is None:
        return None
    shared = _by_digest(case.whole or case)
    digests = [run.file.sha256 for run in side.arm.runs.values() if run.file is not None and run.file.sha256]
    found = [
        entry for digest in digests for entry in shared.get(digest, ()) if _order(entry.round) < _order(result.round)
    ]
    return max(found, key=lambda entry: _order(entry.round), default=None)


def altered(first: Description, second: Description, free: frozenset[str]) -> tuple[tuple[str, Any, Any], ...]:
    """Return the fields of two descriptions that differ, with both values, but for those that may."""
    names = sorted((set(first.fields) | set(second.fields)) - free)
    return tuple(
        (name, first.fields.get(name), second.fields.get(name))
        for name in names
        if _plain(first.fields.get(name)) != _plain(second.fields.get(name)) and "contact" not in name.casefold()
    )


def _plain(value: Any) -> str:
    return " ".join(str(value).split()).casefold() if value is not None else ""


def _order(name: str) -> tuple[int, ...]:
    return tuple(int(part) for part in name.split("."))
