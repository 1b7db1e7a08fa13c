"""Rows of runs that did not end well, as a column of states says it: their numbers are none of a finished run."""

from __future__ import annotations

from ....rules.language.reading import read
from .series import Columns


def failed_state(found: Columns, row: int) -> str:
    """Return the state of a row whose run crashed, was killed or has not finished, as printed; else nothing."""
    for head, cell in zip(found.grid.header, found.grid.rows[row], strict=True):
        if read(head.text, "header").is_only("state_of_a_run") and read(cell.text, "cell").begins("not_finished"):
            return cell.text
    return ""
