"""Runs of one result that a finding names together, and those of them with a window on the clock."""

from __future__ import annotations

from collections.abc import Sequence

from ..case import Case, Side
from ..facts.runs.overlaps import Timed, window
from ..outcome import Related
from ..trace import Logged

MOST_NAMED = 5


def beside(group: Sequence[Logged], words: str, *part: str) -> tuple[Related, ...]:
    """Return the places of a group's runs, or of a part of each, beside the second one, where its finding stands."""
    first, _, *others = group
    return tuple(Related(run.place(*part), words) for run in (first, *others[: MOST_NAMED - 1]))


def timed_runs(case: Case, side: Side) -> list[Timed]:
    """Return the runs of an arm that give a start and an end on the clock."""
    return [timed for run in case.runs_of(side) if (timed := window(side, run)) is not None]
