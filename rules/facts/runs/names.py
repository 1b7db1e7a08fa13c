"""File names that tell what a file of a result's folder is."""

from __future__ import annotations

import re

from ....schemas.pattern import Pattern

_RUN_NAME = Pattern(r"result_?[0-9A-Za-z_-]*\.(?:txt|log|out)")

_WAIVERS = Pattern(r"(?:.*[-_.])?waivers?\b.*\.(?:json|ya?ml)", re.IGNORECASE)


def is_waiver_name(path: str) -> bool:
    """Whether a file is named as one that holds waivers: waivers.yaml, our-waivers.json."""
    return _WAIVERS.fullmatch(path.rpartition("/")[2]) is not None


def is_run_name(path: str) -> bool:
    """Whether a file is named as the suite names the log of a run: result_0.txt."""
    return _RUN_NAME.fullmatch(path.rpartition("/")[2]) is not None
