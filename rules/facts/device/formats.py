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
    "e3m2": (3, 2),
    "e2m3": (2, 3),
    "e2m1": (2, 1),
    "int8": (0, 7),
    "int4": (0, 3),
    "posit16": (7, 12),
    "posit8": (6, 5),
}
"""Of a posit, whose fields vary with the value, the bits that a format needs to hold all its values."""
HELD_BY_POSITS = {
    "posit16": frozenset({"posit8", "e4m3", "e5m2", "e3m2", "e2m3", "e2m1", "int8", "int4"}),
    "posit8": frozenset({"e2m1", "int4"}),
}
"""What each posit holds: far from 1 it has fewer digits than its size tells."""
FAMILIES = {"fp8": frozenset({"e4m3", "e5m2"}), "fp6": frozenset({"e3m2", "e2m3"})}
"""Names that leave open which of several formats is meant."""


@remembered(1024)
def normalised(name: str) -> str:
    """Return the usual name of a format; a name that is not known is returned in lower case."""
    plain = latin(name).strip().casefold()
    bare = "".join(filter(str.isalnum, plain.removeprefix("torch.")))
    return plain if bare in words("formats", "loose") else classes("formats", "aliases").get(bare, plain)


def known(name: str) -> bool:
    """Whether a name is one format: "mixed" and "fp8" are not."""
    return normalised(name) in FORMATS


def named(name: str) -> bool:
    """Whether a name is one format, or that of a family: "FP8"."""
    return known(name) or normalised(name) in FAMILIES


def meanings(name: str) -> frozenset[str]:
    """Return the formats that a name may mean; none for a name that is not known."""
    plain = normalised(name)
    return FAMILIES.get(plain, frozenset({plain}) & FORMATS.keys())


def holds(wide: str, narrow: str) -> bool:
    """Whether every value of `narrow` is one of `wide`: both components of its bits are at most as large."""
    broad, small = normalised(wide), normalised(narrow)
    if broad in HELD_BY_POSITS:
        return small == broad or small in HELD_BY_POSITS[broad]
    (exponent_wide, mantissa_wide), (exponent, mantissa) = FORMATS[broad], FORMATS[small]
    return exponent <= exponent_wide and mantissa <= mantissa_wide


def surely_holds(wide: str, narrow: str) -> bool:
    """Whether `wide` holds all values of `narrow`, whichever formats the two names mean."""
    return all(holds(a, b) for a in meanings(wide) for b in meanings(narrow))


def lowest(names: Iterable[str]) -> tuple[str, ...]:
    """Return the minimal formats: FP16 and BF16 are incomparable, so there may be several."""
    given = sorted({normalised(name) for name in names if named(name)})
    return tuple(a for a in given if not any(b != a and surely_holds(a, b) for b in given))
