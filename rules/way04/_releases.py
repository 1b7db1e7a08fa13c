"""When the devices of a comparison came on the market: as the document states it, else as the accelerator table does.

The table gives months, and of many devices only a span from announcement to surely available. Each reading here is the
one that makes a baseline younger.
"""

from __future__ import annotations

from calendar import monthrange
from datetime import date

from ..case import Case
from ..facts.comparison.parties import Party
from ..facts.device.specification import Variant, device_of, device_table, named_device
from ..facts.document.days import day


def released(case: Case, party: Party) -> date | None:
    """Return the release day of a side's device: of the claim's own side the earliest, of the other the latest."""
    if party.released is not None:
        return day(party.released)
    devices = _variant(case, party).devices
    days = [_first(device.release_earliest) if party.own else _last(device.release_latest) for device in devices]
    known = [found for found in days if found is not None]
    if not known or len(known) < len(days):
        return None
    return min(known) if party.own else max(known)


def superseded(case: Case, party: Party) -> date | None:
    """Return the day from which on the next generation of a side's device surely could be had."""
    if party.superseded is not None:
        return day(party.superseded)
    table, days = device_table(case), []
    for device in _variant(case, party).devices:
        successor = table.devices.get(device.successor or "")
        days.append(_last(successor.release_latest) if successor is not None else None)
    known = [found for found in days if found is not None]
    return max(known) if known and len(known) == len(days) else None


def _variant(case: Case, party: Party) -> Variant:
    if party.comparator is not None and party.comparator.device is not None:
        return named_device(case, party.comparator.device)
    return device_of(case, party.system)


def _first(month: str | None) -> date | None:
    return day(f"{month}-01") if month is not None else None


def _last(month: str | None) -> date | None:
    first = _first(month)
    return first.replace(day=monthrange(first.year, first.month)[1]) if first is not None else None
