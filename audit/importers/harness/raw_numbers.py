"""Why a list of raw numbers of a report was not read."""

from __future__ import annotations

from ..records import MOST_SAMPLES


def why_unread(values: object, room: int = MOST_SAMPLES) -> str:
    """Return in words why a list of raw numbers could not be taken.

    Args:
        values: what the report holds, of which no samples were made.
        room: how many more raw numbers the submission may hold.
    """
    if not isinstance(values, list):
        return "no list of numbers"
    if len(values) > room:
        before = f", of which {MOST_SAMPLES - room:,} are taken" if room < MOST_SAMPLES else ""
        return f"{len(values):,} values; a submission holds at most {MOST_SAMPLES:,} raw numbers{before}"
    return "not all of them are finite numbers of at least 0"
