"""Parts of a step that only the workload itself can tell apart: it names them where they are.

    with phase("h2d"):
        images = images.to(device)
    with phase("communication"):
        torch.distributed.all_reduce(gradients)
    with phase("checkpoint") as part:
        part.wrote(save(model, path))

In the pass that measures phases such a block becomes one of its own; everywhere else it does nothing and takes less
than a microsecond. Calls of the model, the optimizer's step, and the communication of DistributedDataParallel are told
apart without a word.
"""

from __future__ import annotations

from types import TracebackType
from typing import Literal, Protocol, Self

Name = Literal["h2d", "communication", "checkpoint"]
NAMES = frozenset({"h2d", "communication", "checkpoint"})


class Observer(Protocol):
    """Takes the marks of a pass."""

    def enter(self, name: str) -> str | None:
        """Begin a phase and return the one that it interrupts; None where nothing is to be marked."""

    def leave(self, outer: str) -> None:
        """Go on with the phase that was interrupted."""

    def wrote(self, size: int) -> None:
        """Take the bytes of a checkpoint."""


_observers: list[Observer] = []
"""The one that observes now; empty outside the pass."""


class phase:  # noqa: N801  it reads as a statement
    """A block of a step that is one phase of it.

    Args:
        name: `h2d` for moving inputs to the device, `communication` for what ranks exchange, `checkpoint` for saving
            the model.

    Raises:
        ValueError: there is no such phase.
    """

    __slots__ = ("_name", "_outer")

    def __init__(self, name: Name) -> None:
        if name not in NAMES:
            raise ValueError(f"there is no phase {name!r}: name one of {', '.join(sorted(NAMES))}")
        self._name: str = name
        self._outer: str | None = None

    def __enter__(self) -> Self:
        """Begin the phase."""
        if _observers:
            self._outer = _observers[-1].enter(self._name)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Go on with what was interrupted."""
        if self._outer is not None and _observers:
            _observers[-1].leave(self._outer)

    def wrote(self, size: int) -> None:
        """Tell how many bytes a checkpoint has."""
        if _observers:
            _observers[-1].wrote(size)


class observed:  # noqa: N801  it reads as a statement
    """Lets an observer see the phases that are named inside the block."""

    __slots__ = ("_observer",)

    def __init__(self, observer: Observer) -> None:
        self._observer = observer

    def __enter__(self) -> None:
        """Begin to observe."""
        _observers.append(self._observer)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End observing."""
        _observers.remove(self._observer)
