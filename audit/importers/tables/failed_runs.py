"""Rows of runs that did not end well, as a column of states says it: their numbers are none of a finished run."""

from __future__ import annotations

from ....schemas.pattern import Pattern
from .series import Columns

HEADINGS = frozenset(
    {"state", "status", "run state", "run status", "job state", "job status", "outcome", "exit status"}
)
_FAILED = Pattern(
    r"(?:crash(?:ed)?|killed|fail(?:ed|ure)?|error(?:ed)?|abort(?:ed)?|cancell?ed|pre-?empt(?:ed|ing)?|timed? ?out|oom|"
    r"out of memory|diverged|interrupted|lost|running|pending|queued|incomplete|unfinished)(?=$|[ :;,(-]+(?!rate))"
)
_MARKS = Pattern(r"^[^a-z0-9]+")


def failed_state(found: Columns, row: int) -> str:
    """Return the state of a row whose run crashed, was killed or has not finished, as printed; else nothing."""
    for head, cell in zip(found.grid.header, found.grid.rows[row], strict=True):
        named = head.text.casefold().replace("_", " ").strip() in HEADINGS
        if named and _FAILED.match(_MARKS.sub("", cell.text.casefold())):
            return cell.text
    return ""
