"""The number format that a result is called by, and the formats in which its products were computed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain

from msgspec import Struct

from ....schemas.options import Options
from ....schemas.submission import Claim
from ...case import Case, Side
from .formats import known, lowest, meanings, named, normalised, surely_holds
from .operations import declared_formats, formats_in, texts

LEAST_SHARE = 0.01
"""Softmax, normalisation and the like may take a lower format without being the work."""
LEAST_OF_INTEGERS = 0.1
"""Integers that address memory are no products: a stated share of this size is more than addresses."""


class Touched(Struct, frozen=True):
    """A format in which products were computed, and the place that says so."""

    name: str
    at: str


def labels(claim: Claim, case: Case) -> tuple[str, ...]:
    """Return the formats that a result is called by, as options, columns or, for a claim about one side, words name it.

    "mixed" is no format.
    """
    side, row = case.subject(claim), case.row(claim)
    chosen = (row.options if row is not None else None, side.arm.options if side is not None else None)
    from_options = any(options is not None and _compute(options) is not None for options in chosen)
    if not from_options and claim.compares != "none":
        return ()
    return tuple(name for name in declared_formats(claim, case) if named(name))


def worded(claim: Claim, case: Case) -> tuple[str, ...]:
    """Return the formats that the words around the number name."""
    told = (formats_in(text) for text in texts(claim, case))
    return tuple(dict.fromkeys(chain.from_iterable(told)))


def touched(side: Side) -> tuple[Touched, ...]:
    """Return the formats of the products of an arm: those with a share of the operations, and those observed."""
    return tuple(_touched(side))


def _touched(side: Side) -> Iterator[Touched]:
    operations = side.arm.operations
    if operations is not None:
        yield from (Touched(name, operations.place("fractions")) for name in _named(operations.fractions, True))
        yield from (Touched(name, operations.place("counters")) for name in _named(operations.counters, False))
    for observed in (side.arm.observed, *(trial.observed for trial in side.arm.trials.values())):
        compute = _compute(observed) if observed is not None else None
        if compute is not None and named(compute) and observed is not None and observed.precision is not None:
            yield Touched(normalised(compute), observed.precision.place("compute"))


def _named(shares: Mapping[str, float], integers: bool) -> Iterator[str]:
    """Yield the formats with a share; integers only of what is stated: counters see those that address memory, too."""
    for name, share in shares.items():
        whole = normalised(name).startswith("int")
        if named(name) and share >= (LEAST_OF_INTEGERS if whole else LEAST_SHARE) and (integers or not whole):
            yield normalised(name)


def above(label: str, name: str) -> bool:
    """Whether a label promises more than a format holds; one of a family does where all its formats do."""
    return label != name and meanings(label).isdisjoint(meanings(name)) and surely_holds(label, name)


def covers(label: str, name: str) -> bool:
    """Whether a label says a format or less: "FP8" says both formats of 8 bits."""
    return not meanings(label).isdisjoint(meanings(name)) or surely_holds(name, label)


def too_high(names: tuple[str, ...], found: tuple[Touched, ...]) -> Touched | None:
    """Return a lowest format touched that every label is above or silent about; None where there is none."""
    for least in lowest(item.name for item in found):
        if any(above(label, least) for label in names) and not any(covers(label, least) for label in names):
            return next(item for item in found if item.name == least)
    return None


def _compute(options: Options) -> str | None:
    return options.precision.compute if options.precision is not None else None


def compute_format(side: Side | None) -> str | None:
    """Return the one format of an arm's products; None where it is not stated, or names several."""
    options = side.arm.options if side is not None else None
    compute = _compute(options) if options is not None else None
    return normalised(compute) if compute is not None and known(compute) else None
