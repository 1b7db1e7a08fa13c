"""Micro-batches counted where a library hands them to the model, for callbacks that do not see them."""

from __future__ import annotations

from typing import Any

from ..meter.meter import Meter
from ..meter.work import of_batch


class Counted:
    """A hook on a model's forward pass in training, until it is closed.

    Args:
        model: the module that the library calls once for each micro-batch.
        meter: takes the counts.
    """

    def __init__(self, model: Any, meter: Meter) -> None:
        self._meter = meter
        self._handle = model.register_forward_pre_hook(self._enter, with_kwargs=True)

    def _enter(self, model: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> None:
        if model.training:
            self._meter.count(of_batch(keywords or arguments))

    def close(self) -> None:
        """Take the hook away."""
        self._handle.remove()
