"""The files of results in which a submission says that its numbers stand, as they read now."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ...rules.case import ResultFile
from ...schemas.digest import sha256_hex
from ...schemas.errors import UserError
from ...schemas.evidence import Metric, Quality
from ...schemas.files import open_beneath
from ...schemas.submission import Submission

LIMIT_BYTES = 16 << 20
LIMIT_BYTES_IN_ALL = 64 << 20
LIMIT_LINES = 1_000_000


def result_files(submission: Submission, folder: Path) -> dict[str, ResultFile]:
    """Return the files of results that a submission names, by their paths from its folder.

    Args:
        submission: valid, so that no path leads out of the folder.
        folder: the submission's.
    """
    found: dict[str, ResultFile] = {}
    left = LIMIT_BYTES_IN_ALL
    for name in dict.fromkeys(_named(submission)):
        try:
            with open_beneath(folder, name) as file:
                data = file.read(min(LIMIT_BYTES, left) + 1)
        except UserError as error:
            found[name] = ResultFile(problem=error.what)
            continue
        if len(data) > left:
            found[name] = ResultFile(problem=f"the files of results hold more than {LIMIT_BYTES_IN_ALL:,} bytes")
        else:
            found[name] = result_file(data)
        left -= min(len(data), left)
    return found


def _named(submission: Submission) -> Iterator[str]:
    for arm in submission.arms.values():
        numbers: tuple[Metric | Quality, ...] = (*arm.performance.values(), *arm.quality.values())
        for number in numbers:
            if number.printed_at is not None and number.printed_at.file is not None:
                yield number.printed_at.file


def result_file(data: bytes) -> ResultFile:
    """Return a file of results from its bytes."""
    if len(data) > LIMIT_BYTES:
        return ResultFile(problem=f"larger than {LIMIT_BYTES:,} bytes")
    digest = sha256_hex(data)
    if data.count(b"\n") > LIMIT_LINES:
        return ResultFile(None, digest, f"more than {LIMIT_LINES:,} lines")
    try:
        return ResultFile(data.decode("utf-8-sig"), digest)
    except UnicodeDecodeError:
        return ResultFile(None, digest, "no text in UTF-8")
