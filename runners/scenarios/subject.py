"""What answers the queries of a scenario, in this process or behind a URL.

A workload that can be served has, beside the methods of `workloads.interface`, three more:

    examples()        the number of its held-out examples
    answer(numbers)   the answers to these examples, each as bytes
    score(answers)    an `Evaluation` of the answers to all of them, by number of the example
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from ...schemas.errors import UserError
from .. import workloads
from ..study.orders import Entry, Named
from ..workloads.interface import Built, Evaluation, Request

SERVED = ("examples", "answer", "score")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came back for one example."""

    data: bytes
    outcome: str = "completed"
    """As in `schemas.requests`."""
    output_tokens: int | None = None
    input_tokens: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What a subject tells of itself before the first query."""

    effective: dict[str, Any]
    splits: dict[str, Any] = field(default_factory=dict)
    pipeline: dict[str, Any] = field(default_factory=dict)
    load: dict[str, Any] = field(default_factory=dict)
    """What it adds to the description of the load."""


class Subject(Protocol):
    """What answers queries."""

    examples: int
    """Number of its examples."""
    scored: bool
    """Whether there is something to hold its answers against."""

    def about(self) -> About:
        """Return what it tells of itself."""

    def answer(self, numbers: Sequence[int], first: Callable[[int], None]) -> list[Answer]:
        """Answer some examples at once; `first(position)` is called when the first token of one is there."""

    def score(self, answers: Mapping[int, bytes]) -> Evaluation:
        """Evaluate the answers to all examples."""


class InProcess:
    """A workload of PyTorch in this process, trained for some steps first.

    Args:
        source: the workload.
        train_steps: steps before the first query.
        request: what it is asked to be.

    Raises:
        UserError: it cannot be built, or not be served.
    """

    def __init__(self, source: Named | Entry, train_steps: int, request: Request) -> None:
        workload: Any = workloads.load(source)
        missing = [name for name in SERVED if not callable(getattr(workload, name, None))]
        if missing:
            name = source.name if isinstance(source, Named) else source.entry
            raise UserError(f"{name} cannot be served: it has no {', '.join(missing)}", "see the contract", "/workload")
        self._workload, self._train_steps, self.scored = workload, train_steps, True
        self._built: Built = workload.build(request)
        batches = iter(workload.batches())
        for _ in range(train_steps):
            workload.step(next(batches))
        self.examples: int = workload.examples()

    def about(self) -> About:
        """Return the options of the workload, with the steps that it was trained for."""
        extra = {**self._built.effective.get("extra", {}), "train_steps": self._train_steps}
        return About(
            effective={**self._built.effective, "extra": extra},
            splits=self._built.splits,
            pipeline={"kind": "cached_host"},
        )

    def answer(self, numbers: Sequence[int], first: Callable[[int], None]) -> list[Answer]:
        """Answer these examples in one batch."""
        return [Answer(data=data) for data in self._workload.answer(numbers)]

    def score(self, answers: Mapping[int, bytes]) -> Evaluation:
        """Evaluate the answers to all examples."""
        found: Evaluation = self._workload.score(answers)
        return found
