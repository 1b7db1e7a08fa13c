"""The importers: the built-in ones, and those of installed packages where a configuration allows it."""

from __future__ import annotations

from functools import cache

from ...schemas.errors import UserError
from .index import INDEX, listed, load
from .interface import Importer

GROUP = "dlaudit.importers"


@cache
def built_in() -> tuple[Importer, ...]:
    """Import every built-in importer and return them by name."""
    return tuple(load(row["module"]) for row in INDEX.rows())


@cache
def _listed() -> tuple[Importer, ...]:
    """Return the built-in importers as the index knows them, by name."""
    return tuple(map(listed, INDEX.rows()))


def importers(plugins: bool = False) -> tuple[Importer, ...]:
    """Return the importers in force, without pages and field maps.

    Raises:
        UserError: an installed package offers something that is no importer.
    """
    return (*_listed(), *_installed()) if plugins else _listed()


def by_name(name: str, plugins: bool = False) -> Importer:
    """Return the importer of a name.

    Raises:
        UserError: there is none.
    """
    found = importers(plugins)
    for importer in found:
        if importer.name == name:
            return importer
    raise UserError(
        f"there is no importer {name!r}", f"choose one of: {', '.join(each.name for each in found)}", "--from"
    )


@cache
def _installed() -> tuple[Importer, ...]:
    from importlib.metadata import entry_points

    taken = {importer.name for importer in _listed()}
    found: dict[str, Importer] = {}
    for point in sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value)):
        whose = f"{point.dist.name} {point.dist.version}" if point.dist is not None else point.value
        try:
            importer = point.load()
        except Exception as error:
            what = f"its importer {point.name} cannot be loaded: {error}"
            raise UserError(what, "update or remove it", whose) from None
        if not isinstance(importer, Importer) or importer.name in taken | set(found):
            what = f"its importer {point.name} is none, or has the name of another"
            raise UserError(what, "update or remove it", whose)
        found[importer.name] = importer
    return tuple(found.values())
