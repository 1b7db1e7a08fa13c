"""Quantised layers with packed weights: products of integers, whatever format goes in and comes out."""

from __future__ import annotations

from math import prod
from typing import Any

import torch

from ..call import Call, Work, plain


def _weight(packed: Any) -> torch.Tensor:
    return packed.unpack()[0]  # type: ignore[no-any-return]


def _linear(call: Call) -> Work:
    weight = _weight(call.arguments["W_prepack"])
    out = next(call.outputs())
    return plain(2 * out.numel() * weight.shape[1], weight)


def _convolution(call: Call) -> Work:
    weight = _weight(call.arguments["packed_weight"] if "packed_weight" in call.arguments else call.arguments["weight"])
    out = next(call.outputs())
    return plain(2 * out.shape[0] * prod(out.shape[2:]) * weight.numel(), weight)


FORMULAS = {
    "quantized.linear": _linear,
    "quantized.linear_relu": _linear,
    "quantized.linear_dynamic": _linear,
    "quantized.linear_relu_dynamic": _linear,
    "quantized.conv1d": _convolution,
    "quantized.conv2d": _convolution,
    "quantized.conv2d_relu": _convolution,
    "quantized.conv3d": _convolution,
}
