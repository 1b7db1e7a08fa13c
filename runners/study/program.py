"""What an arm runs: its workload, the values it is given, and a digest of every file of the project's own code."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from ...schemas.files import sha256_file
from ..workloads import parameters
from .homes import Home, Homes
from .plan import Plan
from .source_files import is_file, of_command, of_entry

LONGEST = 500
"""Characters of a value."""


class Program(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What an arm runs."""

    name: str | None = None
    entry: str | None = None
    command: tuple[str, ...] = ()
    """Program and arguments; of an absolute path the last part, so that a published record names nobody's home."""
    parameters: dict[str, str | int | float | bool] = {}
    """Values that the workload is given; of a command its arguments by name, those without one by their place."""
    files: dict[str, str] = {}
    """SHA-256 of the code's files, by their paths below the folders that they are found in."""
    commit: str | None = None
    """Commit of the work tree that it runs in."""
    environment: str | None = None
    """Name of the environment that it runs in."""
    language: str | None = None
    """Interpreter of that environment."""
    packages: dict[str, str] = {}
    """Packages of that environment."""


def of_plan(plan: Plan, homes: Homes) -> dict[str, Program]:
    """Return what every arm runs, as its files stand now.

    Args:
        plan: the plan.
        homes: where the code of each arm lies.
    """
    return {name: of_arm(arm.workload, homes[name]) for name, arm in plan.arms.items()}


def of_arm(workload: Mapping[str, Any], home: Home) -> Program:
    """Return what an arm runs, and in which work tree and environment."""
    return msgspec.structs.replace(
        of_workload(workload, home.folder, home.roots),
        commit=home.commit,
        environment=home.environment,
        language=home.language,
        packages=home.packages,
    )


def of_workload(workload: Mapping[str, Any], folder: Path, roots: Sequence[str] = ()) -> Program:
    """Return what a workload runs; a file that is not there is left out.

    Args:
        workload: as in the plan.
        folder: to which the paths of a command are relative.
        roots: folders in which its modules are looked for before all others.
    """
    if "command" in workload:
        command = tuple(workload["command"])
        return Program(
            command=tuple(_shown(item) for item in command),
            parameters=_arguments(command[1:], folder),
            files=_digests(of_command(command, folder, roots)),
        )
    if "entry" in workload:
        found = dict(_flat(workload.get("arguments", {})))
        return Program(entry=workload["entry"], parameters=found, files=_digests(of_entry(workload["entry"], roots)))
    given = {key: value for key, value in workload.items() if key != "name"}
    kind = parameters.BY_WORKLOAD.get(workload["name"])
    whole = msgspec.to_builtins(msgspec.convert(given, kind)) if kind is not None else given
    return Program(name=workload["name"], parameters=dict(_flat(whole)))


def options(program: Program) -> dict[str, str | int | float | bool]:
    """Return what an option set says of a program of the user's own; a bundled workload's options say it already."""
    return {f"workload.{key}": value for key, value in program.parameters.items()} if program.name is None else {}


def differences(first: Mapping[str, Program], now: Mapping[str, Program]) -> list[str]:
    """Return what changed between two looks, one clause each; a JSON file may be what the program writes."""
    found: dict[str, None] = {}
    for arm, before in first.items():
        after = now.get(arm, before)
        for name in sorted(before.files.keys() | after.files.keys()):
            old, new = before.files.get(name), after.files.get(name)
            if old != new and not name.endswith(".json"):
                found[f"{name} (SHA-256 {_short(old)} then, {_short(new)} now)"] = None
    return list(found)


def _digests(found: Iterator[tuple[str, Path]]) -> dict[str, str]:
    digests: dict[str, str] = {}
    for name, path in found:
        try:
            with path.open("rb") as file:
                digests[name] = sha256_file(file)
        except OSError:
            continue  # whoever runs it will be told
    return dict(sorted(digests.items()))


def _arguments(arguments: Sequence[str], folder: Path) -> dict[str, str | int | float | bool]:
    """Return arguments by name; one without a name by its place, unless it is a script."""
    found: dict[str, str | int | float | bool] = {}
    place, left = 0, list(arguments)
    while left:
        word = left.pop(0)
        if word.startswith("-") and len(word) > 1 and not _is_number(word):
            name, equals, value = word.lstrip("-").partition("=")
            if equals:
                found[name] = _value(value)
            elif left and not (left[0].startswith("-") and not _is_number(left[0])) and not _is_script(left[0], folder):
                found[name] = _value(left.pop(0))
            else:
                found[name] = True
        elif not _is_script(word, folder):
            place += 1
            found[f"argument_{place}"] = _value(word)
    return {key[:60]: value for key, value in found.items() if key}


def _is_script(word: str, folder: Path) -> bool:
    return word.endswith((".py", ".sh")) and is_file(folder / word)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _value(text: str) -> str | int | float:
    """Return an argument as the number that it is, else as text."""
    for kind in (int, float):
        try:
            number: int | float = kind(text)
        except ValueError:
            continue
        if abs(number) < 2**53:  # neither infinite nor NaN, and exact in JSON
            return number
    return _shown(text)


def _shown(text: str) -> str:
    """Return a text for a published record: of an absolute path its name, of a long text its beginning."""
    kept = os.path.basename(text.rstrip("/")) or "/" if text.startswith("/") else text  # noqa: PTH119
    return "".join(letter if letter.isprintable() else " " for letter in kept)[:LONGEST] or '""'


def _flat(given: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, str | int | float | bool]]:
    for key, value in given.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{before}{key}.")
        elif isinstance(value, str):
            yield f"{before}{key}"[:60], _shown(value)
        elif isinstance(value, bool | int | float):
            yield f"{before}{key}"[:60], value
        elif value is not None:
            yield f"{before}{key}"[:60], _shown(str(list(value) if isinstance(value, tuple) else value))


def _short(digest: str | None) -> str:
    return digest[:12] if digest is not None else "absent"
