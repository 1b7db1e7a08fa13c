"""Days as documents state them, and calendar months between them."""

from __future__ import annotations

from calendar import monthrange
from datetime import date


def day(text: str | None) -> date | None:
    """Return a day, or None where it is not stated or not in the calendar (31 February)."""
    try:
        return date.fromisoformat(text) if text is not None else None
    except ValueError:
        return None


def later(start: date, months: float) -> date:
    """Return the day so many whole months later, at the latest the last of that month."""
    whole = start.year * 12 + start.month - 1 + int(months)
    year, month = whole // 12, whole % 12 + 1
    if year > date.max.year:
        return date.max
    return date(year, month, min(start.day, monthrange(year, month)[1]))


def months_between(old: date, new: date) -> int:
    """Return the whole months from one day to a later one."""
    return (new.year - old.year) * 12 + new.month - old.month - (new.day < old.day)
