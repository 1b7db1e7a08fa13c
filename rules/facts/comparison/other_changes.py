"""What else was changed beside the part that a gain is laid to: then its bound is not that of the whole."""

from __future__ import annotations

from collections.abc import Iterable

from ....schemas.submission import Claim
from ...case import Case
from .options import FREE, compare

FORMAT = frozenset({"quantisation", "weights", "cache_format"})


def other_changes(claim: Claim, case: Case) -> str:
    """Return the changes that a claim's ratio holds where they are more than one, in words; empty where not."""
    if len({_change(key) for key in claim.treatment}) > 1:
        return ", ".join(claim.treatment)
    if claim.attribution == "system":
        return "the whole system"
    subject, base = case.subject(claim), case.base(claim)
    if subject is None or base is None:
        return ""
    found = compare(subject.arm.options, base.arm.options).differing("HARD", "STAT", "RECIPE", "LAYOUT")
    changes = {_change(key, claim.treatment) for key, _, _ in found}
    return ", ".join(key for key, _, _ in found) if len(changes) > 1 else ""


def _change(key: str, treatment: Iterable[str] = ()) -> str:
    """Return the change that an option is a name of.

    Quantised weights are one, under three names; a free option that is named after the treatment tells more of it.
    """
    if key in FORMAT or key.startswith("precision."):
        return "precision"
    free = key.removeprefix(FREE)
    return next((name for name in treatment if free != key and free.startswith(f"{name}_")), key)
