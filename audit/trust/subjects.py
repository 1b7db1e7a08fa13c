"""Whether a study's folder holds exactly the raw files that its manifest names, byte for byte."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from ...schemas.errors import UserError
from ...schemas.files import open_beneath, sha256_file
from ...schemas.manifest import Subject
from .problem import Problem

OWN_FILES = frozenset(
    {"manifest.json", "manifest.dsse.json", "plan.json", "submission.json", "verdict.json", "report.html"}
)
"""What dlaudit itself writes into the folder and the manifest does not list."""
SIGNED_FILES = frozenset({"manifest.json", "manifest.dsse.json"})
MAX_SHOWN = 20
"""Problems of one kind that are told one by one."""


def check_subjects(folder: Path, subjects: tuple[Subject, ...], signed: frozenset[str] = SIGNED_FILES) -> list[Problem]:
    """Compare the folder with the manifest's subjects; `signed` are the names of manifest and envelope."""
    expected = {subject.name: subject.digest.sha256 for subject in subjects}
    problems = _duplicates(subjects)
    found = _files(folder, problems)
    wrong: dict[str, str] = {}
    for name, digest in expected.items():
        if name in OWN_FILES:
            problems.append(Problem("subject-reserved", f"the manifest lists {name} as a raw file", where=name))
        if name not in found:
            problems.append(
                Problem(
                    "subject-missing", f"{name} is gone: the manifest lists it, and it is not in the folder", where=name
                )
            )
            continue
        try:
            with open_beneath(folder, name) as file:
                actual = sha256_file(file)
        except (OSError, UserError) as error:
            problems.append(Problem("subject-unreadable", f"{name} cannot be read: {error}", where=name))
            continue
        if actual != digest:
            wrong[name] = actual
    problems += _changed(expected, wrong)
    for name in sorted(found - expected.keys() - OWN_FILES - signed):
        message = f"{name} is extra: it lies in the folder, and the manifest does not list it"
        problems.append(Problem("subject-extra", message, where=name))
    return _shortened(problems)


def not_signed(folder: Path) -> tuple[str, ...]:
    """Return the files in a study's folder that no signature covers: anybody could have written them."""
    return tuple(sorted(name for name in OWN_FILES - SIGNED_FILES if (folder / name).is_file()))


def _duplicates(subjects: tuple[Subject, ...]) -> list[Problem]:
    seen: set[str] = set()
    problems = []
    for subject in subjects:
        if subject.name in seen:
            message = f"the manifest lists {subject.name} twice"
            problems.append(Problem("subject-duplicate", message, where=subject.name))
        seen.add(subject.name)
    return problems


def _files(folder: Path, problems: list[Problem]) -> set[str]:
    """Return the regular files of a folder by relative POSIX path; anything else in it is a problem."""
    found: set[str] = set()
    waiting = [""]
    while waiting:
        prefix = waiting.pop()
        try:
            with os.scandir(folder / prefix) as opened:
                items = list(opened)
        except OSError as error:
            message = f"{prefix or '.'} cannot be read ({error.strerror}): what lies in it is not known"
            problems.append(Problem("subject-unreadable", message, where=prefix))
            continue
        for item in items:
            name = prefix + item.name
            if item.is_dir(follow_symlinks=False):
                waiting.append(f"{name}/")
            elif item.is_file(follow_symlinks=False):
                found.add(name)
            else:
                message = f"{name} is a link, a pipe or a device; a study holds regular files only"
                problems.append(Problem("subject-irregular", message, where=name))
    return found


def _changed(expected: Mapping[str, str], wrong: Mapping[str, str]) -> list[Problem]:
    """Tell a file that took another's place from one whose bytes were changed."""
    owner = {digest: name for name, digest in expected.items()}
    problems = []
    for name, actual in wrong.items():
        other = owner.get(actual)
        if other is not None and wrong.get(other) == expected[name]:
            if name < other:
                message = f"{name} and {other} are swapped: each holds the bytes of the other"
                problems.append(Problem("subject-swapped", message, where=name))
        elif other is not None:
            message = f"{name} holds the bytes of {other}"
            problems.append(Problem("subject-swapped", message, where=name))
        else:
            message = (
                f"{name} was changed: its SHA-256 begins with {actual[:12]}, the manifest says {expected[name][:12]}"
            )
            problems.append(Problem("subject-changed", message, where=name))
    return problems


def _shortened(problems: list[Problem]) -> list[Problem]:
    """Keep the first problems of each code, and count the others."""
    kept: list[Problem] = []
    number: dict[str, int] = {}
    for problem in problems:
        number[problem.code] = number.get(problem.code, 0) + 1
        if number[problem.code] <= MAX_SHOWN:
            kept.append(problem)
    for code, total in number.items():
        if total > MAX_SHOWN:
            kept.append(Problem(code, f"and {total - MAX_SHOWN} more of this kind"))
    return kept
