"""Bytes of a model's weights, from its parameters and the format in which they are kept."""

from __future__ import annotations

from decimal import Decimal

from ...case import Side
from ..quantities.given import given
from .formats import FORMATS, normalised
from .operations import formats_in

SIZED_OTHERWISE = {"tf32": 32, "fp8": 8, "fp6": 6, "posit16": 16, "posit8": 8}
BITS = {name: 1 + exponent + mantissa for name, (exponent, mantissa) in FORMATS.items()} | SIZED_OTHERWISE


def bytes_of(name: str | None) -> Decimal | None:
    """Return the bytes of one number in a format; None where the format is not known."""
    bits = BITS.get(normalised(name)) if name is not None else None
    return Decimal(bits) / 8 if bits is not None else None


def weight_bytes(side: Side, *, active: bool = False) -> Decimal | None:
    """Return the least bytes of an arm's weights; None where parameters or format are not stated.

    Args:
        side: the arm.
        active: only of the parameters that one token uses, which have to be stated.
    """
    footprint, options = side.arm.footprint, side.arm.options
    count = None if footprint is None else footprint.active_parameters if active else footprint.parameters
    each = _bytes_per_weight(side)
    sparse = options is not None and options.sparsity not in {None, "none"}
    return given(count).low * each if count is not None and each is not None and not sparse else None


def _bytes_per_weight(side: Side) -> Decimal | None:
    """Return the bytes of one weight: in its format, or as stated for a parameter; the least of what is named.

    Of quantised weights a format of at most 8 bits has to be named, or the bytes.
    """
    footprint, options = side.arm.footprint, side.arm.options
    precision = options.precision if options is not None else None
    scheme = options.quantisation if options is not None else None
    named = [precision.weights] if precision is not None else []
    quantised = scheme is not None and scheme.strip().casefold() not in {"none", "no"}
    if quantised and scheme is not None:
        named += formats_in(scheme)
    known = [each for name in named if (each := bytes_of(name)) is not None]
    stated = footprint.bytes_per_parameter if footprint is not None else None
    # Digits that a format fits stand for it: "2.0" beside BF16 is 2, not 1.9.
    if stated is not None and not any(given(stated).low <= each <= given(stated).high for each in known):
        known.append(given(stated).low)
    if not known or (quantised and min(known) > 1):
        return None
    return min(known)
