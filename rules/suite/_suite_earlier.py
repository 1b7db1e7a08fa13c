"""Results of other rounds in the same folder that hand in the same run files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from ...schemas.evidence import Arm
from ...schemas.pattern import Pattern
from ...schemas.runs import Description
from ...schemas.submission import Claim
from ..caching import fact
from ..case import Case
from ..facts.suite.result import quoted
from ..language.reading import read

_ROUND = Pattern(r"\bv(\d{1,2}\.\d)\b")


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
    files = [run.file for run in side.arm.runs.values() if run.file is not None]
    entries = [entry for file in files for entry in shared.get(file.sha256 or "", ())]
    older = (entry for entry in entries if _order(entry.round) < _order(result.round))
    return max(older, key=lambda entry: _order(entry.round), default=None)


class Replaced(Struct, frozen=True):
    """A result of an earlier round of which some run files are handed in again, and others are not.

    Attributes:
        arm: id of its arm.
        kept: how many files are the same.
        runs: runs of the same name whose file is another one.
        at: place of the first of them.
        there: place of the earlier file.
    """

    arm: str
    kept: int
    runs: tuple[str, ...]
    at: str
    there: str


def replaced_files(claim: Claim, case: Case) -> Replaced | None:
    """Return the earlier result whose training runs this one repeats in part.

    An earlier one is an arm that another claim quotes, or that its label or folder names, with a lower round; or any
    arm where the sentence says that the result is handed in again.
    """
    side, result = case.subject(claim), quoted(claim)
    ours = _training_files(side.arm) if side is not None else {}
    if side is None or not ours or case.whole is not None:
        return None
    for other in case.sides():
        theirs = _training_files(other.arm) if other.id != side.id and other.arm.system == side.arm.system else {}
        common = ours.keys() & theirs.keys()
        kept = [name for name in common if ours[name] == theirs[name]]
        changed = sorted(name for name in common if ours[name] != theirs[name])
        if kept and changed and (read(claim.statement).has("suite.handed_in_again") or _older(other.arm, result.round)):
            places = side.arm.runs[changed[0]].at, other.arm.runs[changed[0]].at
            return Replaced(other.id, len(kept), tuple(changed), *places)
    return None


def _training_files(arm: Arm) -> dict[str, str]:
    runs = ((name, run.file) for name, run in arm.runs.items() if run.role == "training")
    return {name: file.sha256 for name, file in runs if file is not None and file.sha256 is not None}


def _older(arm: Arm, round_name: str | None) -> bool:
    """Whether label or folder of an arm name a round below this one: "previous/v4.1", "as submitted in v4.1"."""
    named = [match[1] for match in _ROUND.finditer(f"{arm.label or ''} {arm.folder or ''}")]
    return round_name is not None and bool(named) and max(map(_order, named)) < _order(round_name)


def altered(first: Description, second: Description, free: frozenset[str]) -> tuple[tuple[str, Any, Any], ...]:
    """Return the fields of two descriptions that differ, with both values, but for those that may."""
    names = sorted((set(first.fields) | set(second.fields)) - free)
    both = [
        (name, first.fields.get(name), second.fields.get(name)) for name in names if "contact" not in name.casefold()
    ]
    return tuple(item for item in both if _plain(item[1]) != _plain(item[2]))


def _plain(value: Any) -> str:
    return " ".join(str(value).split()).casefold() if value is not None else ""


def _order(name: str) -> tuple[int, ...]:
    return tuple(int(part) for part in name.split("."))
