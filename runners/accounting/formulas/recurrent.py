"""Fused recurrent layers: at every time step each weight of a layer meets each sequence of the batch once.

With input [T, N, I]: 2 T N |weights|, where the weights are the input and the hidden matrices of all gates. The
backward pass makes the gradients of states and of weights: twice that. The gates' element-wise arithmetic is not
counted.
"""

from __future__ import annotations

from typing import Any

from ..call import Call, Work, plain

ONE_LAYER = ("weight0", "weight1")
ONE_LAYER_BACKWARD = ("weight1", "weight2")


def _steps(call: Call) -> int:
    first, second, *_ = call.shape("input")
    return first * second


def _layer(call: Call) -> Work:
    weights = [call.arguments[name] for name in ONE_LAYER]
    return plain(2 * _steps(call) * _matrices(weights), call.arguments["input"], *weights)


def _layer_backward(call: Call) -> Work:
    weights = [call.arguments[name] for name in ONE_LAYER_BACKWARD]
    return plain(4 * _steps(call) * _matrices(weights), call.arguments["input"], *weights)


def _stack(call: Call) -> Work:
    weights = call.arguments["weight"]
    return plain(2 * _steps(call) * _matrices(weights), call.arguments["input"])


def _stack_backward(call: Call) -> Work:
    """Count gradients of the input and of the weights, where each is asked for."""
    weights = call.arguments["weight"]
    mask = call.arguments["output_mask"]
    wanted = bool(mask[0] or mask[1] or mask[2]) + bool(mask[3])
    return plain(wanted * 2 * _steps(call) * _matrices(weights), call.arguments["input"])


def _matrices(weights: Any) -> int:
    return sum(weight.numel() for weight in weights if weight.dim() >= 2)


FORMULAS = {
    "aten.mkldnn_rnn_layer": _layer,
    "aten.mkldnn_rnn_layer_backward": _layer_backward,
    "aten._cudnn_rnn": _stack,
    "aten._cudnn_rnn_backward": _stack_backward,
    "aten.miopen_rnn": _stack,
}
