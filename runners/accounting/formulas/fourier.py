"""Fourier transforms by the customary count: 5 N log2 N for complex data, half of it where one side is real.

Source: Frigo and Johnson, The design and implementation of FFTW3 (2005), "mflops".
"""

from __future__ import annotations

from collections.abc import Callable
from math import log2

import torch

from ..call import Call, Work, plain


def _transform(real: bool) -> Callable[[Call], Work]:
    def formula(call: Call) -> Work:
        given = call.arguments["self"]
        whole = next(call.outputs()) if call.name == "aten._fft_c2r" else given
        size = 1
        for dimension in call.arguments["dim"]:
            size *= whole.shape[dimension]
        operations = 5 * whole.numel() * log2(size) if size > 1 else 0
        return plain(round(operations / 2 if real else operations), _parts(given))

    return formula


def _parts(values: torch.Tensor) -> torch.Tensor:
    return torch.view_as_real(values) if values.is_complex() else values


FORMULAS = {
    "aten._fft_r2c": _transform(real=True),
    "aten._fft_c2r": _transform(real=True),
    "aten._fft_c2c": _transform(real=False),
}
