"""The formula registry: operations of every operator that multiplies and adds, one file for each kind.

A formula takes a call and returns its work. Conventions: a multiplication with an addition is two operations; biases,
scales and activations fused into a product are not counted, as is customary; a convolution counts its padding.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..call import Call, Work
from . import attention, convolution, embedding, fourier, linear_algebra, products, quantised, recurrent

VERSION = 1
"""Raised whenever a count changes."""

Formula = Callable[[Call], Work]

REGISTRY: Mapping[str, Formula] = {
    **products.FORMULAS,
    **convolution.FORMULAS,
    **attention.FORMULAS,
    **recurrent.FORMULAS,
    **quantised.FORMULAS,
    **embedding.FORMULAS,
    **fourier.FORMULAS,
    **linear_algebra.FORMULAS,
}
