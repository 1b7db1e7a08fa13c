"""Convolutions, grouped, depthwise and transposed: every weight meets every position of the smaller side once.

With weights [C_out, C_in / groups, *kernel] a convolution multiplies each weight once for each output position, a
transposed one (weights [C_in, C_out / groups, *kernel]) once for each input position: 2 N positions |weights|. Its two
gradients cost the same each, whatever the number of groups.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

import torch

from ..call import Call, Work, plain


def _forward(data: str) -> Callable[[Call], Work]:
    def formula(call: Call) -> Work:
        given, weight = call.arguments[data], call.arguments["weight"]
        moved = given if call.arguments.get("transposed") else next(call.outputs())
        return plain(2 * _positions(moved) * weight.numel(), given, weight)

    return formula


def _backward(call: Call) -> Work:
    """Count the gradient of the input and that of the weights, where each is asked for."""
    gradient, given, weight = (call.arguments[name] for name in ("grad_output", "input", "weight"))
    moved = given if call.arguments["transposed"] else gradient
    wanted = sum(bool(asked) for asked in call.arguments["output_mask"][:2])
    return plain(wanted * 2 * _positions(moved) * weight.numel(), gradient, given, weight)


def _positions(moved: torch.Tensor) -> int:
    """Return batch times spatial positions of [N, C, *spatial]."""
    return moved.shape[0] * prod(moved.shape[2:])


FORMULAS = {
    "aten.convolution": _forward("input"),
    "aten._convolution": _forward("input"),
    "aten.cudnn_convolution": _forward("self"),
    "aten.mkldnn_convolution": _forward("self"),
    "aten.miopen_convolution": _forward("self"),
    "mkldnn._convolution_pointwise": _forward("X"),
    "aten.convolution_overrideable": _forward("input"),
    "aten.convolution_backward": _backward,
}
