"""The importers: an explicit list of built-in ones, and those of installed packages where a configuration allows it.

`python -P -m dlaudit.audit.importers.registry` writes the index of the list, by which a report is recognised before any
importer is imported: write it anew when a signature changes. A module that the index lacks is imported instead, so that
a new importer works before the index is written.
"""

from __future__ import annotations

from functools import cache

from ...schemas.errors import UserError
from . import index
from .interface import Importer

GROUP = "dlaudit.importers"
MODULES = (
    # in the order of the alphabet: where several fit, the one that asks for most reads
    "curves.curve",
    "curves.dawnbench",
    "curves.dllogger",
    "harness.google_benchmark",
    "curves.hf_trainer",
    "harness.llama_bench",
    "harness.lm_eval",
    "mlperf.inference",
    "mlperf.training",
    "harness.nvbench",
    "harness.optimum_benchmark",
    "harness.pyperf",
    "harness.pytest_benchmark",
    "harness.serving",
    "tables.importer",
    "harness.vllm_offline",
)


@cache
def built_in() -> tuple[Importer, ...]:
    """Import every built-in importer and return them in the order of the list."""
    return tuple(index.load(module) for module in MODULES)


@cache
def _listed() -> tuple[Importer, ...]:
    """Return the built-in importers as the index knows them, in the order of the list."""
    known = index.read()
    return tuple(known[module] if module in known else index.load(module) for module in MODULES)


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


if __name__ == "__main__":
    index.write(zip(MODULES, built_in(), strict=True))
