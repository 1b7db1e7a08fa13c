"""What a number of a log is, by its name and its unit, as the roles of columns tell it."""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

from ....rules.language.reading import read
from ..curves.columns import split_of
from ..tables.roles import COUNTS
from ..tables.shapes import heading_role
from ..tables.units import measure
from .lexer import plain

MEASURED = frozenset({"rate", "time", "latency", "flops", "mfu"})


class Quantity(Struct, frozen=True):
    """What a number of a log is.

    Attributes:
        kind: measured, quality or setting.
        name: quantity of what is measured, `accuracy` of a quality, the option of a setting.
        unit: of what is measured; `%` of a quality that is printed so.
        part: whether it is the time of a part of a step.
        statistic: mean, median and so on, where its name says so.
    """

    kind: str
    name: str
    unit: str = ""
    part: bool = False
    statistic: str | None = None


@lru_cache(maxsize=8192)
def quantity_of(key: str, unit: str) -> Quantity | None:
    """Return what a number is; None where its name does not tell, or its unit is not stated."""
    words = plain(key)
    if " " not in key and heading_role(words).role not in {"rate", "flops"}:
        words = words.replace("/", " ")
    if _says(words, "log.no_result"):
        return None
    stated = measure(unit) if unit not in {"", "%"} else None
    known = stated is not None and stated.dimension != "scale"
    role = heading_role(f"{words} ({unit})" if known else words)
    if role.role in COUNTS and not unit:
        return Quantity("setting", role.role)
    if role.role in MEASURED and (role.unit or unit == "%") and unit not in {"d", "m"}:
        scale = "%" if unit == "%" else role.unit or "1"
        return Quantity("measured", role.role, scale, role.scope == "phase", role.statistic)
    if role.role == "accuracy" or (role.role == "extra" and _says(words, "log.quality") and not known):
        return Quantity("quality", "accuracy", "%" if unit == "%" else "") if unit in {"", "%"} else None
    return None


@lru_cache(maxsize=8192)
def split_of_key(key: str) -> str:
    """Return the split that the name of a quality names; `unlabelled` where it names none."""
    return split_of(plain(key).replace("/", " "))


def is_loss(key: str) -> bool:
    """Whether a name is that of a loss, which is of the training where nothing else is said."""
    return _says(plain(key).replace("/", " "), "curve.loss")


def _says(words: str, concept: str) -> bool:
    return read(words, "header").has(concept, affirmed=False)
