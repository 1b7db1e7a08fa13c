"""Factorisations and solves by their leading terms (Golub and Van Loan, Matrix Computations, 4th edition).

Iterative ones (singular values, eigenvalues) have no fixed count and are left unattributed.
"""

from __future__ import annotations

from collections.abc import Callable

from ..call import Call, Work, plain

Cost = Callable[[int, int, Call], float]


def _factorisation(name: str, cost: Cost) -> Callable[[Call], Work]:
    def formula(call: Call) -> Work:
        *batch, rows, columns = call.shape(name)
        count = 1
        for size in batch:
            count *= size
        return plain(round(count * cost(rows, columns, call)), call.arguments[name])

    return formula


def _right_sides(call: Call) -> int:
    right, matrix = call.arguments["B"], call.arguments["A"]
    return 1 if right.dim() < matrix.dim() else right.shape[-1]


def _elimination(rows: int, columns: int, _call: Call) -> float:
    small, large = min(rows, columns), max(rows, columns)
    return large * small**2 - small**3 / 3


def _solve(rows: int, _columns: int, call: Call) -> float:
    return 2 * rows**3 / 3 + 2 * rows**2 * _right_sides(call)


FORMULAS = {
    "aten.linalg_cholesky_ex": _factorisation("self", lambda rows, _columns, _call: rows**3 / 3),
    "aten.linalg_lu_factor_ex": _factorisation("A", _elimination),
    "aten.linalg_lu": _factorisation("A", _elimination),
    "aten._linalg_det": _factorisation("A", _elimination),
    "aten._linalg_slogdet": _factorisation("A", _elimination),
    "aten._linalg_solve_ex": _factorisation("A", _solve),
    "aten.linalg_solve_triangular": _factorisation(
        "self", lambda rows, _columns, call: rows**2 * _right_sides_of_triangle(call)
    ),
    "aten.linalg_inv_ex": _factorisation("A", lambda rows, _columns, _call: 2 * rows**3),
    "aten.linalg_qr": _factorisation(
        "A", lambda rows, columns, _call: 2 * rows * columns**2 - 2 * columns**3 / 3 if rows >= columns else 0
    ),
}


def _right_sides_of_triangle(call: Call) -> int:
    return call.shape("B")[-1 if call.arguments["left"] else -2]
