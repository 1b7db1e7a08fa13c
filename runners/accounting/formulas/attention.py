"""Attention: scores and their product with the values, forward 2 products, backward 5 of which one repeats the scores.

With queries [B, H, S, E], keys [B, H', T, E] and values [B, H', T, V], H' dividing H: scores cost 2 B H S T E, the
weighted sum 2 B H S T V. A causal mask leaves sum_i min(i + 1, T) of the S T pairs (aligned at the top left), which is
what is executed; customarily all S T are counted. The backward pass makes dV, dP, dQ and dK (2 V + 2 E), and the fused
kernels make the scores again (E): counted as recomputation, not customarily.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..call import Call, Work, plain


def _pairs(query: Any, key: Any, causal: bool) -> tuple[int, int]:
    """Return the pairs of positions that a mask leaves, and all of them."""
    rows, columns = query.shape[-2], key.shape[-2]
    if not causal:
        return rows * columns, rows * columns
    full = min(rows, columns)
    return full * (full + 1) // 2 + (rows - full) * columns, rows * columns


def _heads(query: Any) -> int:
    found = 1
    for size in query.shape[:-2]:
        found *= size
    return found


def _forward(call: Call) -> Work:
    query, key, value = (call.arguments[name] for name in ("query", "key", "value"))
    left, every = _pairs(query, key, bool(call.arguments.get("is_causal")))
    per_pair = 2 * _heads(query) * (query.shape[-1] + value.shape[-1])
    return Work(per_pair * left, per_pair * every, (query, key, value))


def _backward(call: Call) -> Work:
    query, key, value = (call.arguments[name] for name in ("query", "key", "value"))
    left, every = _pairs(query, key, bool(call.arguments.get("is_causal")))
    heads, wide, deep = _heads(query), query.shape[-1], value.shape[-1]
    again = 2 * heads * wide * left
    gradients = 2 * heads * (2 * wide + 2 * deep)
    return Work(gradients * left + again, gradients * every, (query, key, value), recomputed=again)


def _encoder_layer(call: Call) -> Work:
    """The fused inference layer: three projections, attention, output projection, a feed-forward part of two layers."""
    batch, positions, width = call.shape("src")
    hidden = call.shape("ffn_weight_1")[0]
    projections = 2 * batch * positions * (4 * width * width + 2 * width * hidden)
    attention = 4 * batch * positions * positions * width
    return plain(projections + attention, call.arguments["src"], call.arguments["qkv_weight"])


def _multi_head(call: Call) -> Work:
    batch, positions, width = call.shape("query")
    keys = call.shape("key")[1]
    projections = 2 * batch * width * width * (2 * positions + 2 * keys)
    return plain(projections + 4 * batch * positions * keys * width, call.arguments["query"])


_KERNELS = ("flash", "efficient", "cudnn", "fused")

FORMULAS: dict[str, Callable[[Call], Work]] = {
    **{f"aten._scaled_dot_product_{kernel}_attention": _forward for kernel in _KERNELS},
    **{f"aten._scaled_dot_product_{kernel}_attention_backward": _backward for kernel in _KERNELS},
    "aten._scaled_dot_product_flash_attention_for_cpu": _forward,
    "aten._scaled_dot_product_flash_attention_for_cpu_backward": _backward,
    "aten._scaled_dot_product_fused_attention_overrideable": _forward,
    "aten._scaled_dot_product_fused_attention_overrideable_backward": _backward,
    "aten._transformer_encoder_layer_fwd": _encoder_layer,
    "aten._native_multi_head_attention": _multi_head,
}
