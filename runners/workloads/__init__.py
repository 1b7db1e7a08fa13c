"""Workloads by name, and a user's own. Nothing here imports torch before a workload is loaded."""

from __future__ import annotations

from importlib import import_module

from ...schemas.errors import UserError
from ..study.orders import Entry, Named
from .interface import Workload

BUILT_IN = {
    "digits-cnn": "digits_cnn",
    "text-transformer": "text_transformer",
    "resnet": "resnet",
    "mlp": "mlp",
    "gemm": "gemm",
    "copy": "memory_copy",
    "conv": "conv",
    "attention": "attention",
    "rnn": "rnn",
    "launch": "launch",
    "all-reduce": "all_reduce",
    "all-gather": "all_gather",
    "reduce-scatter": "reduce_scatter",
    "all-to-all": "all_to_all",
    "data-parallel": "data_parallel",
    "tensor-parallel": "tensor_parallel",
    "split-gemm": "split_gemm",
}
"""Module by workload; each has `make(parameters) -> Workload`."""


def load(source: Named | Entry) -> Workload:
    """Make a workload, not yet built.

    Raises:
        UserError: there is no such workload or factory, or a parameter is unknown or unusable.
    """
    if isinstance(source, Entry):
        from .entry import make

        return make(source.entry, source.arguments)
    module = BUILT_IN.get(source.name)
    if module is None:
        raise UserError(f"there is no workload {source.name}", f"name one of {', '.join(BUILT_IN)}", "/workload/name")
    workload: Workload = import_module(f".{module}", __name__).make(source.parameters)
    return workload
