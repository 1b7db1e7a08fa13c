"""Products of matrices and vectors: 2 operations for each multiplied pair."""

from __future__ import annotations

from collections.abc import Callable

import torch

from ..call import Call, Work, plain

STRIDED = torch.strided


def _matrices(left: str, right: str) -> Callable[[Call], Work]:
    """Return the formula of [..., m, k] x [..., k, n]: 2 m n k for each matrix; 2 n for each stored value if sparse."""

    def formula(call: Call) -> Work:
        a, b = call.arguments[left], call.arguments[right]
        for sparse, dense, columns in ((a, b, -1), (b, a, -2)):
            if sparse.layout != STRIDED:
                return plain(2 * _stored(sparse) * dense.shape[columns], a, b)
        return plain(2 * a.numel() * b.shape[-1], a, b)

    return formula


def _stored(matrix: torch.Tensor) -> int:
    return int(matrix._nnz())


def _matrix_vector(matrix: str, vector: str) -> Callable[[Call], Work]:
    return lambda call: plain(2 * call.numel(matrix), call.arguments[matrix], call.arguments[vector])


def _dot(call: Call) -> Work:
    return plain(2 * call.numel("self"), call.arguments["self"])


def _packed_weights(activations: str) -> Callable[[Call], Work]:
    """Return the formula of [m, k] x packed weights [n, k]: they are unpacked, so the activations' format computes."""

    def formula(call: Call) -> Work:
        out = next(call.outputs())
        return plain(2 * out.numel() * call.shape(activations)[-1], call.arguments[activations])

    return formula


def _trilinear(call: Call) -> Work:
    """Three factors for each element of the broadcast volume: two multiplications and one addition."""
    volume = 1
    inputs = [_unsqueezed(call, index) for index in (1, 2, 3)]
    for sizes in zip(*inputs, strict=True):
        volume *= max(sizes)
    return plain(3 * volume, call.arguments["i1"], call.arguments["i2"], call.arguments["i3"])


def _unsqueezed(call: Call, index: int) -> list[int]:
    sizes = list(call.shape(f"i{index}"))
    for dimension in sorted(call.arguments[f"expand{index}"]):
        sizes.insert(dimension, 1)
    return sizes


def _distances(call: Call) -> Work:
    """Pairwise distances of P and R points in M dimensions: subtract, raise, add for each."""
    left, right = call.shape("x1"), call.shape("x2")
    batch = max(_product(left[:-2]), _product(right[:-2]))
    return plain(3 * batch * left[-2] * right[-2] * left[-1], call.arguments["x1"], call.arguments["x2"])


def _euclidean(call: Call) -> Work:
    """Pairwise Euclidean distances by one product of [P, M + 2] and [M + 2, R]."""
    left, right = call.shape("x1"), call.shape("x2")
    return plain(2 * left[-2] * right[-2] * (left[-1] + 2), call.arguments["x1"], call.arguments["x2"])


def _product(sizes: tuple[int, ...]) -> int:
    found = 1
    for size in sizes:
        found *= size
    return found


def _semi_structured(weights: str, other: str) -> Callable[[Call], Work]:
    """2:4 sparse: half of the weights are stored, so half of the dense operations are executed."""

    def formula(call: Call) -> Work:
        kept, dense = call.arguments[weights], call.arguments[other]
        out = next(call.outputs())
        inner = dense.shape[-1] if other == "input" else dense.shape[-2]
        return Work(out.numel() * inner, 2 * out.numel() * inner, (kept, dense))

    return formula


FORMULAS = {
    "aten.mm": _matrices("self", "mat2"),
    "aten.addmm": _matrices("mat1", "mat2"),
    "aten._addmm_activation": _matrices("mat1", "mat2"),
    "aten.bmm": _matrices("self", "mat2"),
    "aten.baddbmm": _matrices("batch1", "batch2"),
    "aten.addbmm": _matrices("batch1", "batch2"),
    "aten.mv": _matrix_vector("self", "vec"),
    "aten.addmv": _matrix_vector("mat", "vec"),
    "aten.addmv_": _matrix_vector("mat", "vec"),
    "aten.dot": _dot,
    "aten.vdot": _dot,
    "aten.addr": lambda call: plain(2 * call.numel("vec1") * call.numel("vec2"), call.arguments["vec1"]),
    "aten._sparse_addmm": _matrices("mat1", "mat2"),
    "aten._sparse_semi_structured_linear": _semi_structured("weight", "input"),
    "aten._cslt_sparse_mm": _semi_structured("compressed_A", "dense_B"),
    "aten._scaled_mm": _matrices("self", "mat2"),
    "aten._int_mm": _matrices("self", "mat2"),
    "aten._weight_int8pack_mm": _packed_weights("self"),
    "aten._weight_int4pack_mm": _packed_weights("self"),
    "aten._weight_int4pack_mm_for_cpu": _packed_weights("self"),
    "aten.mkldnn_linear": _packed_weights("self"),
    "mkldnn._linear_pointwise": _packed_weights("X"),
    "mkl._mkl_linear": _packed_weights("X"),
    "aten._trilinear": _trilinear,
    "aten._cdist_forward": _distances,
    "aten._euclidean_dist": _euclidean,
}
