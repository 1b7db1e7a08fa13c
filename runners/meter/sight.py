"""What is seen of a program's model, optimizer and loader during its first step."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any


class Sight:
    """Hooks on a model for the time of one step.

    Args:
        model: the module; None hides it.
        optimizer: the optimizer; None where there is none.
    """

    def __init__(self, model: Any, optimizer: Any) -> None:
        self.model, self.optimizer = model, optimizer
        self._hooks: ExitStack | None = None
        self._seen: Any = None
        self._noted: dict[str, Any] = {}

    def note(self, options: Mapping[str, Any]) -> None:
        """Take what the loader, or the trainer of a library, says of itself."""
        self._noted |= options

    def open(self) -> None:
        """Begin to look, once."""
        if self.model is None or self._seen is not None:
            return
        from ..workloads import observed

        self._seen, self._hooks = observed.Sightings(), ExitStack()
        self._hooks.enter_context(observed.watch(self._built(), self._seen))

    def close(self) -> None:
        """Take the hooks away."""
        if self._hooks is not None:
            self._hooks.close()
            self._hooks = None

    def observed(self, device: str) -> dict[str, Any]:
        """Return what was seen, in the shape of an option set."""
        if self._seen is None:
            return {}
        from ..workloads import observed

        return observed.observed_options(self._built(), self._seen, [], device)

    def effective(self) -> dict[str, Any]:
        """Return what model, optimizer, loader and trainer say of themselves."""
        found = dict(self._noted)
        if self._seen is not None and self._seen.recomputed:
            found["activation_checkpointing"] = True
        if self.model is not None:
            found["model"] = type(getattr(self.model, "module", self.model)).__name__
        if self.optimizer is not None:
            inner = getattr(self.optimizer, "optimizer", self.optimizer)
            found["optimizer"] = type(inner).__name__.lower()
            rates = {float(group["initial_lr" if "initial_lr" in group else "lr"]) for group in inner.param_groups}
            if len(rates) == 1:
                found["learning_rate"] = rates.pop()
        return found

    def _built(self) -> Any:
        from ..workloads.interface import Built

        return Built(
            effective={},
            work_per_iteration=1,
            work_unit="samples",
            samples_per_iteration=1,
            model=self.model,
            optimizer=getattr(self.optimizer, "optimizer", self.optimizer),
        )
