"""Drafts of studies: what `dlaudit run` wrote beside a manifest, as long as nobody made its claims their own.

In a folder that holds documents of claims of its own, a draft is material and no publication: named, it is judged. In
a folder of studies alone the drafts are what was handed in.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...schemas.errors import UserError
from ...schemas.files import open_beneath
from ...schemas.source import parse
from .document import MANIFEST, Document
from .draft import Drafted, draft

NAME = "submission.json"
REASON = "the draft that `dlaudit run` wrote of a study; name the study to have it judged"
LIMIT_BYTES = 256 << 20
ROUNDED = 1e-3
"""How far a ratio of rates may lie from that of the rates as printed."""


def is_draft(document: Document) -> bool:
    """Whether a submission claims what the manifest beside it implies, in the words of `dlaudit run`, and no more."""
    if document.kind != "submission" or document.broken is not None or Path(document.source.name).name != NAME:
        return False
    try:
        with open_beneath(document.folder, MANIFEST) as file:
            manifest = parse(file.read(LIMIT_BYTES), str(document.folder / MANIFEST))
        implied = draft(Document(manifest, "manifest", document.folder))
    except UserError:
        return False
    return isinstance(implied, Drafted) and _is_alike(document.source.value, implied.source.value)


def _is_alike(stated: Any, implied: Any) -> bool:
    claims, drafted = stated.get("claims"), implied["claims"]
    if not isinstance(claims, dict) or claims.keys() != drafted.keys():
        return False
    rest = {key: value for key, value in stated.items() if key != "claims"}
    return rest == {key: value for key, value in implied.items() if key != "claims"} and all(
        claims[name] == drafted[name] or _is_ratio_of(claims[name], drafted[name]) for name in claims
    )


def _is_ratio_of(claim: Any, drafted: Mapping[str, Any]) -> bool:
    """Whether a claim is the drafted ratio, which is taken from rates before they are rounded."""
    if not isinstance(claim, dict) or drafted["form"] != "ratio" or not isinstance(claim.get("value"), str):
        return False
    value, interval = claim["value"], drafted.get("interval")
    pairs = [(value, drafted["value"])]
    expected = {**drafted, "value": value, "statement": drafted["statement"].replace(drafted["value"], value)}
    if interval is not None:
        ends = {end: str(claim.get("interval", {}).get(end)) for end in ("low", "high")}
        pairs += [(ends[end], interval[end]) for end in ends]
        expected["interval"] = interval | ends
    return claim == expected and all(_is_near(one, other) for one, other in pairs)


def _is_near(one: str, other: str) -> bool:
    try:
        return math.isclose(float(one), float(other), rel_tol=ROUNDED)
    except ValueError:
        return False
