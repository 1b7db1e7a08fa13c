"""Embedding bags: one addition for each looked-up value, forward and backward."""

from __future__ import annotations

from ..call import Call, Work, plain


def _forward(call: Call) -> Work:
    weight = call.arguments["weight"]
    return plain(call.numel("indices") * weight.shape[1], weight)


def _backward(call: Call) -> Work:
    gradient = call.arguments["grad"]
    return plain(call.numel("indices") * gradient.shape[1], gradient)


FORMULAS = {
    "aten._embedding_bag": _forward,
    "aten._embedding_bag_forward_only": _forward,
    "aten._embedding_bag_backward": _backward,
    "aten._embedding_bag_dense_backward": _backward,
}
