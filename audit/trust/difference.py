"""Where a manifest differs from the payload that was signed, said so that a person can look at it."""

from __future__ import annotations

import json
from typing import Any

from ...schemas.errors import UserError
from ...schemas.model import escape
from ...schemas.place import place_at
from ...schemas.strict_json import loads
from .problem import Problem

MANIFEST = "manifest.json"


def manifest_difference(manifest: bytes, payload: bytes) -> Problem:
    """Say how the bytes of manifest.json differ from the signed payload's, which they do."""
    offset = next(
        (i for i, (a, b) in enumerate(zip(manifest, payload, strict=False)) if a != b), min(len(manifest), len(payload))
    )
    before = manifest[:offset].decode(errors="replace")
    place = place_at(before, len(before))
    where = f"{MANIFEST}:{place.line}:{place.column}"
    try:
        here, signed = loads(manifest, MANIFEST), loads(payload, MANIFEST)
    except UserError:
        return Problem(
            "manifest-changed", f"{MANIFEST} is not what was signed, and is no longer strict JSON", where=where
        )
    stripped = _first_missing(here, signed, "")
    if stripped is not None:
        message = f"{stripped} was stripped from {MANIFEST}: the signed payload has this field"
        return Problem("field-stripped", message, where=MANIFEST)
    changed = _first_change(here, signed, "")
    if changed is None:
        return Problem("manifest-changed", f"{MANIFEST} holds the signed values in other bytes", where=where)
    return Problem("manifest-changed", f"{MANIFEST} is not what was signed: {changed}", where=where)


def _first_missing(here: Any, signed: Any, pointer: str) -> str | None:
    """Return the pointer of the first field that the signed value has and the other lacks."""
    if isinstance(here, dict) and isinstance(signed, dict):
        for key in signed:
            inner = f"{pointer}/{escape(key)}"
            found = inner if key not in here else _first_missing(here[key], signed[key], inner)
            if found is not None:
                return found
    if isinstance(here, list) and isinstance(signed, list):
        for index, (a, b) in enumerate(zip(here, signed, strict=False)):
            found = _first_missing(a, b, f"{pointer}/{index}")
            if found is not None:
                return found
    return None


def _first_change(here: Any, signed: Any, pointer: str) -> str | None:
    """Describe the first value that differs."""
    if isinstance(here, dict) and isinstance(signed, dict):
        for key in here:
            inner = f"{pointer}/{escape(key)}"
            found = f"{inner} was added" if key not in signed else _first_change(here[key], signed[key], inner)
            if found is not None:
                return found
        return None
    if isinstance(here, list) and isinstance(signed, list):
        for index, (a, b) in enumerate(zip(here, signed, strict=False)):
            found = _first_change(a, b, f"{pointer}/{index}")
            if found is not None:
                return found
        return (
            None
            if len(here) == len(signed)
            else f"{pointer or '/'} has {len(here)} items, the signed one {len(signed)}"
        )
    if type(here) is type(signed) and here == signed:
        return None
    return f"{pointer or '/'} says {_short(here)}, signed was {_short(signed)}"


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."
