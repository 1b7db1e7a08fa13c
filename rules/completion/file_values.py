"""Numbers of arms that state no value and say in which file of results it stands: they have the value that is there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from msgspec.structs import replace

from ...schemas.evidence import Metric, Quality
from ...schemas.submission import Submission
from ..case import Case, ResultFile
from ..facts.document.results import Stands, found_for, is_in_file, read_value

N = TypeVar("N", Metric, Quality)


def with_values_of_files(submission: Submission, results: Mapping[str, ResultFile]) -> Submission:
    """Return a submission whose numbers without a value have the one that stands where they are said to stand.

    One that says nothing of a file, and one whose place holds no number or several, stays without.

    Args:
        submission: as it was written.
        results: the files of results that it names, by path.
    """
    case = Case(submission, results=results)
    arms = {
        name: replace(arm, performance=_all(arm.performance, case), quality=_all(arm.quality, case))
        for name, arm in submission.arms.items()
        if any(map(_is_read, arm.performance.values())) or any(map(_is_read, arm.quality.values()))
    }
    return replace(submission, arms=submission.arms | arms) if arms else submission


def _all(numbers: Mapping[str, N], case: Case) -> dict[str, N]:
    return {name: _with_value(number, case) if _is_read(number) else number for name, number in numbers.items()}


def _is_read(number: Metric | Quality) -> bool:
    return number.value is None and is_in_file(number)


def _with_value(number: N, case: Case) -> N:
    found = found_for(case, number)
    return replace(number, value=read_value(found)) if isinstance(found, Stands) else number
