"""Calling one vendor after the others: again with a new nonce, or late; what the others were sent stands."""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from ...schemas.errors import UserError
from ...schemas.files import write_atomic
from ...schemas.source import parse
from ..nearest import meant
from .called import CALLED, changed, keep
from .init import CALL, write_folder
from .tender import Issued, made_id, read_tender


@dataclass(frozen=True, slots=True)
class Called:
    """What was written for one vendor."""

    folder: Path
    replaced: Path | None
    """Where the folder of the earlier call lies now."""


def call_again(issued: Issued, vendor: str, day: str) -> Called:
    """Give a vendor a new nonce in place of the one that was lost or came too late, and write its folder.

    Raises:
        UserError: nobody of that id was called, or the tender is not the one that was called.
    """
    _check(issued)
    vendors = issued.content.vendors
    if vendor not in vendors:
        todo = f"{meant(vendor, vendors)}; --late calls one who is not in the tender"
        raise UserError(f"there is no vendor {vendor!r}", todo, str(issued.path))
    given, old = {"nonce": secrets.token_hex(16), "called": day}, vendors[vendor]
    head, nonce, rest = issued.path.read_text(encoding="utf-8").partition(json.dumps(old.nonce))
    before = head.rpartition("\n")[2]
    if old.called is None:
        in_its_own_line = before.lstrip().startswith("nonce:")
        between = f"\n{before[: len(before) - len(before.lstrip())]}" if in_its_own_line else ", "
        rest = f"{between}called: {json.dumps(day)}{rest}"
    else:
        rest = rest.replace(f"called: {json.dumps(old.called)}", f"called: {json.dumps(day)}", 1)
    return _written(issued, f"{head}{json.dumps(given['nonce']) if nonce else ''}{rest}", vendor, given)


def call_late(issued: Issued, name: str, day: str) -> Called:
    """Add a vendor to a tender whose others were called, and write its folder.

    Raises:
        UserError: a vendor of that id is in the tender, or the tender is not the one that was called.
    """
    _check(issued)
    vendor = made_id(name)
    if vendor in issued.content.vendors:
        raise UserError(f"{vendor} is in the tender", f"call it again with --again {vendor}", str(issued.path))
    given = {"name": name, "nonce": secrets.token_hex(16), "called": day}
    entry = ", ".join(f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in given.items())
    text = issued.path.read_text(encoding="utf-8").rstrip("\n")
    return _written(issued, f"{text}\n  {vendor}: {{{entry}}}\n", vendor, given)


def _check(issued: Issued) -> None:
    """Make sure that the tender is the one that was called."""
    if not (issued.path.parent / CALLED).is_file():
        raise UserError("no vendor was called yet", f"dlaudit tender call {issued.path}", str(issued.path))
    if differs := changed(issued):
        what = f"the tender differs from what was called: {', '.join(differs)}"
        raise UserError(what, "put it back: all vendors answer the same tender", str(issued.path))


def _written(issued: Issued, text: str, vendor: str, given: dict[str, str]) -> Called:
    """Write the tender with a vendor's new entry, and the folder to send.

    Raises:
        UserError: the entry cannot be written into the text of this tender.
    """
    data, wanted = text.encode(), _with(issued.path, vendor, given)
    try:
        fits = parse(data, str(issued.path)).value == wanted
    except UserError:
        fits = False
    if not fits:
        entry = json.dumps(wanted["vendors"][vendor], ensure_ascii=False)
        what = "the vendor's entry cannot be written into this tender without changing the rest of it"
        todo = f"write vendors as the last key, a line for each: {vendor}: {entry}"
        raise UserError(what, todo, str(issued.path))
    write_atomic(issued.path, data)
    anew = read_tender(issued.path)
    keep(anew)
    folder = issued.path.parent / CALL / vendor
    replaced = _moved(folder) if folder.exists() else None
    return Called(write_folder(anew, vendor), replaced)


def _with(path: Path, vendor: str, given: dict[str, str]) -> dict[str, Any]:
    value: Any = parse(path.read_bytes(), str(path)).value
    vendors = value["vendors"]
    return {**value, "vendors": {**vendors, vendor: {**vendors.get(vendor, {}), **given}}}


def _moved(folder: Path) -> Path:
    """Put the folder of an earlier call aside, and return where it lies."""
    places = (folder.with_name(f"{folder.name}.replaced-{number}") for number in count(1))
    place = next(each for each in places if not each.exists())
    return folder.rename(place)
