"""What a workload is. Built-in ones and a user's own (`entry: package.module:factory`) keep the same contract.

The factory is called with the workload's parameters as keyword arguments and returns an object with four methods. The
worker calls `build` once, then takes batches from `batches()` and hands each to `step`, one call per optimizer step;
`evaluate` is called in convergence trials only. The worker has seeded `random`, numpy and torch before `build`, does
the timing itself, and reads losses outside the timed region: a step returns its loss as a tensor without dimensions,
not as a number, so that nothing waits for the device.

Whatever option is requested must be in effect: the worker compares the request with `Built.effective` and fails the
trial where a requested key is missing or differs. A smallest example:

    class Classifier:
        def build(self, request):
            self.model = torch.nn.Linear(8, 2)
            self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
            return Built(
                effective={"model": "linear-8-2", "optimizer": "sgd", "learning_rate": 0.1, "global_batch": 32},
                work_per_iteration=32, work_unit="samples", samples_per_iteration=32,
                model=self.model, optimizer=self.optimizer,
            )

        def batches(self):
            while True:
                yield torch.randn(32, 8), torch.randint(0, 2, (32,))

        def step(self, batch):
            ...
            return loss.detach()

        def evaluate(self):
            return Evaluation(split="test", examples=100, metrics={"accuracy": 0.97}, correct=97)

A workload that moves its batches to a device, exchanges something with other ranks or saves checkpoints may name these
blocks, for the pass that measures phases: `with phase("h2d"):` from `workloads.phase`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol

from ..trial.events import Split, WorkUnit

if TYPE_CHECKING:
    import torch


Kind = Literal["throughput", "convergence", "accounting", "phases"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What a workload is asked to be."""

    options: Mapping[str, Any]
    """Requested options, partial, in the shape of an option set."""
    seed: int
    device: str
    """`cpu`, or `cuda:0` and so on."""
    kind: Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """What a workload has become."""

    effective: dict[str, Any]
    """The full effective option set; `seed`, `name` and `logging` are added by the worker."""
    work_per_iteration: int | float
    """Work of one step, in `work_unit`."""
    work_unit: WorkUnit
    samples_per_iteration: int
    """Training samples of one step; 0 for a kernel, which cannot be trained."""
    model: torch.nn.Module | None = None
    """The module whose forward pass a step calls, to be looked at during one step; None hides it."""
    optimizer: torch.optim.Optimizer | None = None
    """The optimizer, to be looked at; None where there is none."""
    pipeline: dict[str, Any] = field(default_factory=dict)
    """Where the inputs come from: kind real, cached_host, cached_device, synthetic or none, and what is known of it."""
    splits: dict[str, Any] = field(default_factory=dict)
    """Per split the number of examples and a digest of their contents."""
    operations: dict[str, Any] = field(default_factory=dict)
    """Operation and byte counts with their formula, where they are known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """The model on held-out data."""

    split: Split
    examples: int
    metrics: Mapping[str, float]
    """By name; the order's target names one of them."""
    correct: int | None = None
    """Correct examples, for an accuracy."""


class Workload(Protocol):
    """Something to be timed, and to be trained towards a target."""

    def build(self, request: Request) -> Built:
        """Make model, data and optimizer on the device.

        Raises:
            UserError: a requested option or a parameter cannot be had.
        """

    def batches(self) -> Iterator[Any]:
        """Return the endless stream of training batches, the same for the same seed."""

    def step(self, batch: Any) -> Any:
        """Make one optimizer step and return its loss: a tensor without dimensions, a number, or None for a kernel."""

    def evaluate(self) -> Evaluation:
        """Evaluate on held-out data without touching the state of the random generators."""
