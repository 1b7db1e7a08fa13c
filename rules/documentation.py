"""Rule docstrings: the fixed headings, and the examples that the tests execute."""

from __future__ import annotations

import json
import re
import textwrap
from typing import Any

from msgspec import Struct

from ..schemas.pattern import Pattern

HEADINGS = ("What it does", "Why it misleads", "Branches", "Flagged", "Accepted", "How to fix", "References")
_EXAMPLE = Pattern(
    r"On `(?P<base>[a-z-]+)`(?P<claim> for claim `[A-Za-z0-9._-]+`)?(?P<study>,? with an? `[a-z]+` study)?"
    r"(?P<nonce> of nonce `[^`]+` where `[^`]+` was set)?(?:,? where its source reads `(?P<source>[^`]+)`)?[^`]*"
    r"(?:```json\n(?P<patch>.*?)```)?",
    re.DOTALL,
)


class Example(Struct, frozen=True):
    """An example: a base submission, the claim that is judged, and a JSON merge patch (RFC 7396) over the base.

    `study` is what verification says of the signature of every study that it cites: trusted, unlisted, absent, invalid.
    `nonce` is the nonce in the record of every study, and the one that the reader set. `source` is the text that the
    submission was taken from.
    """

    base: str
    claim: str | None
    patch: dict[str, Any]
    study: str | None = None
    nonce: tuple[str | None, str | None] = (None, None)
    source: str | None = None


def sections(doc: str) -> dict[str, str]:
    """Split a rule's docstring into its summary (key "") and its sections, by heading.

    Raises:
        ValueError: a heading is missing, unknown, or out of order.
    """
    summary, _, body = doc.partition("\n")
    text = textwrap.dedent(body)
    parts = re.split(r"^## (.+)$", text, flags=re.MULTILINE)
    found = tuple(title.strip() for title in parts[1::2])
    if found != HEADINGS:
        raise ValueError(f"headings are {found}, expected {HEADINGS}")
    return {"": summary.strip(), **dict(zip(found, (part.strip() for part in parts[2::2]), strict=True))}


def example(section: str) -> Example:
    """Read the example of a "Flagged" or "Accepted" section.

    Raises:
        ValueError: the section names no base submission, or its patch is not JSON.
    """
    match = _EXAMPLE.search(section)
    if match is None:
        raise ValueError("an example begins with: On `base-name`")
    claim = re.search(r"`([^`]+)`", match["claim"]) if match["claim"] else None
    study = re.search(r"`([^`]+)`", match["study"]) if match["study"] else None
    nonces = re.findall(r"`([^`]+)`", match["nonce"] or "") or (None, None)
    patch = json.loads(match["patch"] or "{}")
    return Example(
        match["base"],
        claim[1] if claim else None,
        patch,
        study[1] if study else None,
        (nonces[0], nonces[1]),
        match["source"],
    )


def merge_patch(target: Any, patch: Any) -> Any:
    """Apply a JSON merge patch (RFC 7396) and return the new value."""
    if not isinstance(patch, dict):
        return patch
    merged = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if value is None:
            merged.pop(key, None)
        else:
            merged[key] = merge_patch(merged.get(key), value)
    return merged
