"""Configuration: `dlaudit.toml`, or `[tool.dlaudit]` in `pyproject.toml`, of the folder one works in or one above.

It belongs to whoever judges. A submission cannot carry one: only the working folder and its parents are searched.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from ..rules.plugins import rules_in_force
from ..schemas.errors import UserError
from ..schemas.model import to_model
from ..schemas.settings import Config
from ..schemas.validation import validate

NAMES = ("dlaudit.toml", "pyproject.toml")
LIMIT_BYTES = 1 << 20


class Loaded(Struct, frozen=True):
    """A configuration and the file it came from; `path` is None where there is none."""

    config: Config
    path: Path | None

    def beside(self, relative: str) -> Path:
        """Return a path that the configuration gives, relative to its own folder."""
        assert self.path is not None
        return self.path.parent / relative


EMPTY = Loaded(Config(dlaudit="config/1"), None)


def find(start: Path) -> Loaded:
    """Return the configuration of a folder: the first that it or a parent holds, else the empty one.

    Raises:
        UserError: the file is not TOML, or says something that is not allowed.
    """
    for folder in (start, *start.parents):
        for name in NAMES:
            path = folder / name
            table = _table(path) if path.is_file() else None
            if table is not None:
                return _loaded(table, path)
    return EMPTY


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
    from ..schemas.source import read_bytes

    data = read_bytes(path, LIMIT_BYTES)
    if path.name == "pyproject.toml" and b"tool.dlaudit" not in data:
        return None
    import tomllib

    try:
        value = tomllib.loads(data.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"this is not TOML: {error}", "correct it", str(path)) from None
    if path.name == "pyproject.toml":
        table = value.get("tool", {}).get("dlaudit")
        return table if isinstance(table, dict) else None
    return value


def _loaded(table: Mapping[str, Any], path: Path) -> Loaded:
    value = {"dlaudit": "config/1", **table}
    problems = validate("config", value)
    if problems:
        first = problems[0]
        raise UserError(first.what, first.todo, f"{path} ({first.pointer.replace('/', '.').lstrip('.')})")
    config = to_model(value, Config)
    _check_codes(config, path)
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


def _near(name: str, options: Iterable[str]) -> str:
    options = list(options)
    import difflib

    near = difflib.get_close_matches(name, options, n=1)
    if near:
        return f"did you mean {near[0]!r}?"
    return f"it has: {', '.join(options)}" if options else "it has none"
