"""Number formats as (exponent, mantissa) bits, with the order in which one holds all values of another."""

from __future__ import annotations

from collections.abc import Iterable

from ...caching import remembered
from ...language.lexicon import classes, words
from ...language.text import latin

FORMATS: dict[str, tuple[int, int]] = {
    "fp64": (11, 52),
    "fp32": (8, 23),
    "tf32": (8, 10),
    "bf16": (8, 7),
    "fp16": (5, 10),
    "e4m3": (4, 3),
    "e5m2": (5, 2),
    "e2m1": (2, 1),
    "int8": (0, 7),
    "int4": (0, 3),
}


@remembered(1024)
def normalised(name: str) -> str:
    """Return the usual name of a format; a name that is not known is returned in lower case."""
    plain = latin(name).strip().casefold()
    bare = "".join(filter(str.isalnum, plain.removeprefix("torch.")))
    return plain if bare in words("formats", "loose") else classes("formats", "aliases").get(bare, plain)


def known(name: str) -> bool:
    """Whether a name is one format: "mixed" and "fp8" are not."""
    return normalised(name) in FORMATS


def holds(wide: str, narrow: str) -> bool:
    """Whether every value of `narrow` is one of `wide`: both components of its bits are at most as large."""
    (exponent_wide, mantissa_wide), (exponent, mantissa) = FORMATS[normalised(wide)], FORMATS[normalised(narrow)]
    return exponent <= exponent_wide and mantissa <= mantissa_wide


def lowest(names: Iterable[str]) -> tuple[str, ...]:
    """Return the minimal formats: FP16 and BF16 are incomparable, so there may be several."""
    given = sorted({normalised(name) for name in names if known(name)})
    return tuple(a for a in given if not any(b != a and holds(a, b) for b in given))
