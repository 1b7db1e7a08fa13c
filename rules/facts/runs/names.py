"""File names that stand for a run of a training result."""

from __future__ import annotations

from ....schemas.pattern import Pattern

_RUN_NAME = Pattern(r"result_?[0-9A-Za-z_-]*\.(?:txt|log|out)")


def is_run_name(path: str) -> bool:
    """Whether a file is named as the suite names the log of a run: result_0.txt."""
    return _RUN_NAME.fullmatch(path.rpartition("/")[2]) is not None
