"""The files of a project's own code that an entry or a command runs, found without running anything.

An entry's module and a program's script are read, and so is every module of the project that they import, by the words
of their import statements. What belongs to the standard library or is installed as a package has its version in the
list of packages. A module that is imported by a name made at run time is not seen.
"""

from __future__ import annotations

import ast
import os
import shutil
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec
from pathlib import Path

MOST_FILES = 1000
READ = frozenset({".py", ".sh", ".yaml", ".yml", ".toml", ".ini", ".cfg", ".json"})
"""Endings of arguments that a program reads; any other file may be its data, or what it writes."""
_OF_PACKAGES = frozenset({"site-packages", "dist-packages"})


class NotFound(Exception):
    """There is no such module, factory or program."""


def check_entry(entry: str) -> None:
    """Make sure, without importing it, that a factory is there.

    Raises:
        NotFound: its module is not, or the module makes no such name.
    """
    name, _, path = entry.partition(":")
    if not name or not path:
        return  # the entry itself says so, with its form
    spec = _spec(name, sys.path)
    if spec is None:
        raise NotFound(f"there is no module {name}")
    try:
        tree = ast.parse(Path(spec.origin or "").read_bytes())
    except (OSError, SyntaxError, ValueError):
        return  # compiled, or wrong in a way that the trial's log will tell
    names = set(_made(tree))
    if "*" not in names and "__getattr__" not in names and path.split(".")[0] not in names:
        raise NotFound(f"{name} has no {path}")


def check_command(command: Sequence[str], folder: Path) -> None:
    """Make sure that a program is there.

    Raises:
        NotFound: it is not, or cannot be executed.
    """
    program = command[0]
    path = str(folder / program) if "/" in program else program
    if shutil.which(path) is None:
        raise NotFound(f"there is no program {program}")


def _made(tree: ast.Module) -> Iterator[str]:
    """Yield the names that a module makes, wherever in its statements; `*` where it takes all of another's."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from (alias.asname or alias.name.split(".")[0] for alias in node.names)


def of_entry(entry: str, before: Sequence[str] = ()) -> Iterator[tuple[str, Path]]:
    """Yield the module of an entry and what it imports, each with its path below its root.

    Args:
        entry: package.module:factory.
        before: folders that are looked through before the path of this interpreter.
    """
    roots = [*before, *sys.path] if before else sys.path
    source = _source(entry.partition(":")[0], roots)
    if source is not None:
        yield from _imported(source, roots)


def of_command(command: Sequence[str], folder: Path, before: Sequence[str] = ()) -> Iterator[tuple[str, Path]]:
    """Yield the program where it is the project's own, arguments that are scripts or configurations, and imports."""
    roots = [str(folder), *before, *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    for place, argument in enumerate(command):
        path = folder / (argument.partition("=")[2] if argument.startswith("--") and "=" in argument else argument)
        if place and command[place - 1] == "-m":
            source = _source(argument, [os.getcwd(), *roots])  # noqa: PTH109
            if source is not None:
                yield from _imported(source, [os.getcwd(), *roots])  # noqa: PTH109
        elif (path.suffix in READ if place else "/" in argument) and is_file(path) and not _is_installed(path):
            yield from _imported(path, [str(path.parent), *roots]) if path.suffix == ".py" else [(path.name, path)]


def _imported(source: Path, roots: Sequence[str]) -> Iterator[tuple[str, Path]]:
    """Yield a file of code and every file of the project that it imports, each with its path below its root."""
    left, seen = [source.resolve()], set[Path]()
    while left and len(seen) < MOST_FILES:
        path = left.pop()
        if path in seen:
            continue
        seen.add(path)
        yield _below(path, roots), path
        left += [found.resolve() for name in _imports(path, roots) if (found := _source(name, roots)) is not None]


def _imports(path: Path, roots: Sequence[str]) -> Iterator[str]:
    """Yield the full names of the modules that a file's import statements may mean."""
    try:
        stat = path.stat()
    except OSError:
        return
    parts = Path(_below(path, roots)).with_suffix("").parts
    for level, module, names in _statements(path, stat.st_mtime_ns, stat.st_size):
        above = ".".join(parts[: len(parts) - level]) if level else ""
        base = ".".join(filter(None, (above, module)))
        yield base
        yield from (f"{base}.{name}" for name in names if base)


@lru_cache(4 * MOST_FILES)
def _statements(path: Path, _mtime_ns: int, _size: int) -> tuple[tuple[int, str, tuple[str, ...]], ...]:
    """Return the import statements of a file as (levels up, module, names of it); read again only when it changed."""
    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return ()
    found: list[tuple[int, str, tuple[str, ...]]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [(0, alias.name, ()) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found.append((node.level, node.module or "", tuple(alias.name for alias in node.names)))
    return tuple(found)


def _source(name: str, roots: Sequence[str]) -> Path | None:
    """Return the file of a module of the project, without importing anything; None for every other module."""
    top = name.split(".")[0]
    if not top or top in sys.stdlib_module_names or top in sys.builtin_module_names:
        return None
    spec = _spec(name, roots)
    if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
        return None
    path = Path(spec.origin)
    return None if _is_installed(path) and not _asked_by_name(name, roots) else path


def _spec(name: str, roots: Sequence[str]) -> ModuleSpec | None:
    """Find a module below some folders; on the path of this interpreter also by the finders of editable packages."""
    top, *rest = name.split(".")
    try:
        found = find_spec(top) if roots is sys.path else PathFinder.find_spec(top, list(roots))
    except (ImportError, ValueError):
        return None
    whole = top
    for part in rest:
        whole = f"{whole}.{part}"
        places = found.submodule_search_locations if found is not None else None
        found = PathFinder.find_spec(whole, list(places)) if places is not None else None
    return found


def _asked_by_name(name: str, roots: Sequence[str]) -> bool:
    return roots is sys.path and "." not in name


def _is_installed(path: Path) -> bool:
    """Whether a file belongs to an interpreter or to a package: its version stands in the record elsewhere."""
    resolved = os.path.realpath(path)
    own = Path(__file__).resolve().parents[2]
    places = {os.path.realpath(sysconfig.get_path(name)) for name in ("stdlib", "purelib", "platlib", "scripts")}
    roots = (*places, str(own), os.path.realpath(sys.base_prefix), "/usr")
    return any(resolved.startswith(root + os.sep) for root in roots) or not _OF_PACKAGES.isdisjoint(
        Path(resolved).parts
    )


def _below(path: Path, roots: Sequence[str]) -> str:
    """Return a path relative to the longest root that holds it, else its name."""
    held = [root for one in roots if path.is_relative_to(root := Path(one or ".").resolve())]
    return path.relative_to(max(held, key=lambda root: len(root.parts))).as_posix() if held else path.name


def is_file(path: Path) -> bool:
    """Whether a path is one of a file that is there; a text that is no path is none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False
