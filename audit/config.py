"""Configuration: `dlaudit.toml`, or `[tool.dlaudit]` in `pyproject.toml`, of the folder one works in or one above.

It belongs to whoever judges. A submission cannot carry one: what lies in a folder that is judged is passed over, also
where one works in that folder.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ..rules.free_options import names_a_field
from ..rules.plugins import rules_in_force
from ..schemas.errors import UserError
from ..schemas.model import to_model
from ..schemas.settings import Config
from ..schemas.source import read_bytes
from ..schemas.validation import validate
from .handed_in import lies_in

NAMES = ("dlaudit.toml", "pyproject.toml")
LIMIT_BYTES = 1 << 20


class Loaded(Struct, frozen=True):
    """A configuration.

    Attributes:
        config: what it says.
        path: the file it came from; None where there is none.
        passed_over: files nearer to the working folder that lie in what is judged.
    """

    config: Config
    path: Path | None
    passed_over: tuple[Path, ...] = ()

    def beside(self, relative: str) -> Path:
        """Return a path that the configuration gives, relative to its own folder."""
        assert self.path is not None
        return self.path.parent / relative


EMPTY = Loaded(Config(), None)


def find(start: Path, judged: Iterable[Path] = ()) -> Loaded:
    """Return the configuration of a folder: the first that it or a parent holds, else the empty one.

    Args:
        start: the folder.
        judged: folders that are handed in; a configuration in one of them is named, and not read.

    Raises:
        UserError: the file is not TOML, or says something that is not allowed.
    """
    judged, passed_over = tuple(judged), []
    for folder in (start, *start.parents):
        is_judged = lies_in(folder, judged)
        for path in (folder / name for name in NAMES):
            if is_judged:
                passed_over += [path] if path.is_file() and _is_ours(path) else []
                continue
            table = _table(path) if path.is_file() else None
            if table is not None:
                return replace(_loaded(table, path), passed_over=tuple(passed_over))
    return replace(EMPTY, passed_over=tuple(passed_over))


def _is_ours(path: Path) -> bool:
    """Whether a file would be a configuration, as far as that shows without reading it as TOML."""
    try:
        return path.name == NAMES[0] or b"tool.dlaudit" in read_bytes(path, LIMIT_BYTES)
    except UserError:
        return True


def load(path: Path) -> Loaded:
    """Read the configuration of one file.

    Raises:
        UserError: the file cannot be read, is not TOML, or says something that is not allowed.
    """
    table = _table(path)
    if table is None:
        raise UserError("there is no [tool.dlaudit] in it", "add the table, or name another file", str(path))
    return _loaded(table, path)


def _table(path: Path) -> dict[str, Any] | None:
    data = read_bytes(path, LIMIT_BYTES)
    if path.name == "pyproject.toml" and b"tool.dlaudit" not in data:
        return None
    import tomllib

    try:
        value = tomllib.loads(data.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"this is not TOML: {error}", "correct it", str(path)) from None
    except RecursionError:
        raise UserError("its values are nested too deeply", "correct it", str(path)) from None
    if path.name == "pyproject.toml":
        table = value.get("tool", {}).get("dlaudit")
        return table if isinstance(table, dict) else None
    return value


def _loaded(table: Mapping[str, Any], path: Path) -> Loaded:
    problems = validate("config", table)
    if problems:
        first = problems[0]
        raise UserError(first.what, first.todo, f"{path} ({first.pointer.replace('/', '.').lstrip('.')})")
    config = to_model(table, Config)
    _check_codes(config, path)
    _check_cosmetic(config, path)
    return Loaded(config, path)


def _check_codes(config: Config, path: Path) -> None:
    rules = {rule.code: rule for rule in rules_in_force(bool(config.plugins))}
    for code in (*config.rules, *config.mandatory):
        if code not in rules:
            raise UserError(f"there is no rule {code}", "`dlaudit rules` lists them", str(path))
    for code, options in config.rules.items():
        for name in options:
            thresholds = rules[code].load().thresholds
            if name not in thresholds:
                raise UserError(f"rule {code} has no option {name!r}", _near(name, thresholds), str(path))


def _check_cosmetic(config: Config, path: Path) -> None:
    for name in config.cosmetic:
        if names_a_field(name):
            what = f"the free option {name!r} stands for a field, and is not cosmetic"
            raise UserError(what, "remove it from the list", str(path))


def _near(name: str, options: Iterable[str]) -> str:
    options = list(options)
    import difflib

    near = difflib.get_close_matches(name, options, n=1)
    if near:
        return f"did you mean {near[0]!r}?"
    return f"it has: {', '.join(options)}" if options else "it has none"
