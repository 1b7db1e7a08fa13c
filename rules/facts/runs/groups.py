"""Series of different runs that may be compared with each other: of one document, of one column."""

from __future__ import annotations

from msgspec import Struct

from ....schemas.evidence import Trial
from ...caching import fact
from ...case import Case, Side
from ..comparison.options import flat
from ..series.kept_series import Series, kept_series

IDENTITY = ("seed", "order", "started", "ended", "boot_id", "device_ids", "wall_s", "iterations_planned", "warmup")


class Run(Struct, frozen=True):
    """A series with the arm that it belongs to."""

    side: Side
    series: Series

    @property
    def name(self) -> str:
        """Trial and arm, as words."""
        return f"{self.series.trial} of arm {self.side.id}"


@fact
def run_groups(case: Case, column: str) -> tuple[tuple[Run, ...], ...]:
    """Return the runs of the submission itself, and those of every study, that hold a column.

    What one of them shares with another is no copy: a submission prints the numbers of the study that it cites.
    """
    groups: dict[str, list[Run]] = {}
    for side in case.sides():
        origin = side.study.id if side.study is not None else ""
        groups.setdefault(origin, []).extend(Run(side, series) for series in kept_series(case, side, column))
    return tuple(tuple(group) for group in groups.values() if len(group) > 1)


def one_run(left: Run, right: Run) -> bool:
    """Whether two entries are one run that is listed under two arms: of equal options, identity and length."""
    if left.side.id == right.side.id:
        return False
    first, second = _trial(left), _trial(right)
    if first.samples_file is not None and second.samples_file is not None:
        same_file = first.samples_file.sha256 == second.samples_file.sha256
        if not same_file:
            return False
    options = flat(left.side.arm.options), flat(right.side.arm.options)
    if any(options[0][key] != options[1][key] for key in options[0].keys() & options[1].keys()):
        return False
    identical = all(getattr(first, name) == getattr(second, name) for name in IDENTITY)
    return identical and len(left.series.values) == len(right.series.values)


def _trial(run: Run) -> Trial:
    return run.side.arm.trials[run.series.trial]
