"""A meter for a training loop that exists already.

    with dlaudit.study(model=model, optimizer=optimizer) as m:
        for batch in m.steps(loader):
            ...                                   the body, as it was
            if m.evaluation_due:
                with m.evaluation(examples=len(held_out)) as found:
                    found["accuracy"] = accuracy(model, held_out)

Under `dlaudit run` the loop ends after the planned steps, and what was measured is reported; started otherwise, the
meter hands the batches on and does nothing else. A step is one optimizer step. It lasts from the end of the one before
it to the end of the body, the wait for its batches and whatever else the body does included; evaluations are timed
apart. Each of several ranks reports its own times, and its work counts once for each.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Self, TypeVar

from .clock import Clock, HostClock, clock_for
from .leaving import hold_process_groups, leave_without_destructors
from .libraries import of_accelerator, of_loader
from .order import Asked, Tell, asked, rank, tell, teller
from .report import Report, Step
from .sight import Sight
from .work import Work, WorkUnit, of_batch

B = TypeVar("B")


class Found(dict[str, float]):
    """The metrics of an evaluation, by name; `correct` counts correct examples, where that is what was evaluated."""

    correct: int | None = None


class Meter:
    """Times the steps of a loop.

    Args:
        options: effective options that only the program knows; what can be seen of model and optimizer is added.
        work_unit: what a rate counts.
        model: the module whose forward pass a step calls, looked at during the first step.
        optimizer: the optimizer, likewise.
        accumulate: micro-batches of a step.
        request: what is asked; None where nothing is.
        report: takes what was measured; None where nobody listens to this rank.
    """

    def __init__(
        self,
        *,
        options: Mapping[str, Any] | None = None,
        work_unit: WorkUnit = "samples",
        model: Any = None,
        optimizer: Any = None,
        accumulate: int = 1,
        request: Asked | None = None,
        report: Tell | None = tell,
    ) -> None:
        _, self._world = rank()
        self._plan, self._accumulate = request, accumulate
        self.options: dict[str, Any] = dict(request.options) if request is not None else {}
        self.over = False
        """Whether all planned steps are made, or the target is met."""
        self._report: Report | None = None
        self._clock: Clock = HostClock()
        self._sight = Sight(model, optimizer)
        if request is not None and report is not None:
            self._clock = clock_for(request.device)
            stated = self.options | dict(options or {})
            self._report = Report(request, self._clock, self._sight, stated, work_unit, self._world, report)
        self._begin: Any = None
        """When the running part of the running step began; None outside the loop and during an evaluation."""
        self._parts: list[tuple[Any, Any]] = []
        self._wait_ns = 0
        self._micro: list[Work] = []
        self._is_last: Callable[[], bool] = _always
        """Whether the running micro-batch is the last of its step."""
        self._made = self._samples = self._evaluated_at = 0
        self._crossed = False

    def __enter__(self) -> Self:
        """Seed the random generators as the plan says."""
        if self._plan is not None:
            _seed(self._plan.seed)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Report what was measured and not yet told; after an error nothing more."""
        if kind is None:
            self.finish()

    def finish(self) -> None:
        """Report what was measured and not yet told."""
        self.pause()
        if self._report is not None:
            self._report.flush()
            if self._world > 1:
                leave_without_destructors()

    def steps(
        self,
        batches: Iterable[B],
        *,
        accumulate: int | None = None,
        accelerator: Any = None,
        work: Callable[[B], Work] = of_batch,
    ) -> Iterator[B]:
        """Yield the batches of a loop, and time its steps; called again for the next epoch.

        Args:
            batches: the loader.
            accumulate: micro-batches of a step, where it is not what the meter was made with.
            accelerator: of Hugging Face Accelerate: a step ends where it synchronises gradients.
            work: counts a batch.
        """
        if self._plan is None:
            yield from batches
            return
        self.note(of_loader(batches) | (of_accelerator(accelerator) if accelerator is not None else {}))
        size = accumulate or self._accumulate
        clock = time.perf_counter_ns
        if self.over:
            return
        self.resume()
        source = iter(batches)
        while not self.over:
            asked_ns = clock()
            try:
                batch = next(source)
            except StopIteration:
                break
            self._wait_ns += clock() - asked_ns
            self.count(work(batch))
            self._is_last = lambda: accelerator.sync_gradients if accelerator is not None else len(self._micro) >= size
            yield batch
            if self._micro and self._is_last():
                self.end_step()
        self.pause()

    def note(self, options: Mapping[str, Any]) -> None:
        """Take options that a library states; what the spec or the program states itself goes before them."""
        self._sight.note(options)

    def count(self, work: Work) -> None:
        """Take one micro-batch of the running step."""
        self._micro.append(work)

    def resume(self) -> None:
        """Begin to time, at the head of a loop or after a pause."""
        if self._begin is None and self._plan is not None and not self.over:
            if self._report is not None:
                self._sight.open()
                self._report.begin()
            self._begin = self._clock.now()

    def pause(self) -> None:
        """Stop timing: what follows belongs to no step."""
        if self._begin is not None:
            self._parts.append((self._begin, self._clock.now()))
            self._begin = None
            if self._world > 1:
                hold_process_groups()
            if self._report is not None:
                self._report.end()

    def end_step(self) -> None:
        """End the running step, whatever micro-batches it took."""
        if self._plan is None or self.over:
            return
        if self._begin is not None:
            now = self._clock.now()
            self._parts.append((self._begin, now))
            self._begin = now
        if self._report is not None:
            self._report.take(Step(self._parts, self._wait_ns, self._micro))
        self._samples += sum(one.samples for one in self._micro) * self._world
        self._made += 1
        self._parts, self._wait_ns, self._micro = [], 0, []
        self._check_over(self._plan)

    def _check_over(self, plan: Asked) -> None:
        if plan.throughput is not None:
            self.over = self._made >= plan.throughput.warmup + plan.throughput.iterations
        elif plan.convergence is not None:
            self.over = self._crossed and plan.convergence.stop_at_target
        if self.over:
            self.pause()

    @property
    def evaluation_due(self) -> bool:
        """Whether the plan wants an evaluation after this step; never where only steps are timed."""
        plan = self._plan.convergence if self._plan is not None else None
        if plan is None or self.over or (self._micro and not self._is_last()):
            return False
        seen = self._samples + sum(one.samples for one in self._micro) * self._world
        return seen - self._evaluated_at >= plan.evaluate_every_samples or seen >= plan.max_samples

    @contextmanager
    def evaluation(self, *, examples: int, split: str = "validation") -> Iterator[Found]:
        """Time an evaluation apart from the steps, and take its metrics; the step before it ends here.

        Args:
            examples: held-out examples that it looks at.
            split: which split: validation, official_val, test or held_out.
        """
        found, running = Found(), self._begin is not None
        if self._micro and self._is_last():
            self.end_step()
        self.pause()
        began = time.perf_counter()
        yield found
        self.take_evaluation(found, examples, split, time.perf_counter() - began, found.correct)
        if running:
            self.resume()

    def take_evaluation(
        self, metrics: Mapping[str, float], examples: int, split: str, duration_s: float, correct: int | None = None
    ) -> None:
        """Take an evaluation that was made while the meter was paused."""
        plan = self._plan.convergence if self._plan is not None else None
        self._evaluated_at = self._samples
        if plan is None or not self._made:
            return
        values = {name: float(value) for name, value in metrics.items()}
        if self._report is not None:
            self._report.flush()
            self._report.evaluation(values, examples, split, duration_s, correct, self._samples, self._made)
        self._crossed = self._crossed or plan.target.met(values)
        self.over = self._samples >= plan.max_samples or (self._crossed and plan.stop_at_target)


def study(
    *,
    options: Mapping[str, Any] | None = None,
    work_unit: WorkUnit = "samples",
    model: Any = None,
    optimizer: Any = None,
    accumulate: int = 1,
) -> Meter:
    """Return the meter of a training program, for a `with` statement.

    Args:
        options: effective options that only the program knows, such as the data set; `meter.options` holds those that
            the spec asks for, which the program has to put into effect.
        work_unit: what a rate counts: samples, or the tokens that a mask leaves in.
        model: the module whose forward pass a step calls.
        optimizer: the optimizer.
        accumulate: micro-batches of a step.
    """
    request = asked()
    return Meter(
        options=options,
        work_unit=work_unit,
        model=model,
        optimizer=optimizer,
        accumulate=accumulate,
        request=request,
        report=teller(request),
    )


def _always() -> bool:
    return True


def _seed(seed: int) -> None:
    random.seed(seed)
    if (numpy := sys.modules.get("numpy")) is not None:
        numpy.random.seed(seed % 2**32)
    if (torch := sys.modules.get("torch")) is not None:
        torch.manual_seed(seed)
