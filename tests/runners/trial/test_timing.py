"""The timed loop: what it counts, what it costs, and what it leaves behind."""

import gc
import time
from typing import Any

import pytest
from dlaudit.runners.trial import timing
from dlaudit.runners.trial.chunks import Diverged, Steps
from dlaudit.schemas.errors import UserError


def batches(wait_s: float = 0.0, limit: int = 10**9) -> Any:
    for number in range(limit):
        time.sleep(wait_s)
        yield number


def test_an_iteration_counts_the_wait_for_data_and_tells_it_apart() -> None:
    rows: list[timing.Row] = []
    chunk = timing.run_chunk(timing.HostLoop(), batches(0.004).__next__, lambda _: time.sleep(0.002), 5, rows)
    assert len(chunk.step_time_s) == 5
    assert all(wait >= 0.004 for wait in chunk.data_wait_s)
    gaps = [step - wait for step, wait in zip(chunk.step_time_s, chunk.data_wait_s, strict=True)]
    assert all(gap >= 0.002 for gap in gaps)


@pytest.mark.slow
def test_the_harness_costs_less_than_five_microseconds() -> None:
    assert timing.empty_iteration_s(timing.HostLoop()) < 5e-6


@pytest.mark.slow
def test_the_timer_is_measured() -> None:
    timer = timing.HostLoop().timer()
    assert timer.resolution_s is not None
    assert 0 < timer.resolution_s < 1e-3
    assert timer.overhead_s is not None
    assert 0 < timer.overhead_s < 5e-6


def test_the_collector_is_off_inside_and_as_before_outside() -> None:
    seen: list[bool] = []
    timing.run_chunk(timing.HostLoop(), batches().__next__, lambda _: seen.append(gc.isenabled()), 3, [])
    assert seen == [False] * 3
    assert gc.isenabled()


@pytest.mark.slow
def test_chunks_end_by_time_and_lose_nothing() -> None:
    class Short(timing.HostLoop):
        chunk_ns = 5_000_000

    sizes: list[int] = []
    steps = Steps(batches(), lambda number: time.sleep(0.002) or number, Short())
    kept: list[float | None] = []
    steps.run(12, lambda chunk, losses: (sizes.append(len(chunk.step_time_s)), kept.extend(losses or ())))
    assert sum(sizes) == 12
    assert len(sizes) > 1
    assert kept == [float(number) for number in range(12)]


def test_what_was_finished_before_an_error_is_kept() -> None:
    def step(number: int) -> float:
        if number == 3:
            raise KeyError("three")
        return 1.0

    kept: list[int] = []
    steps = Steps(batches(), step, timing.HostLoop())
    with pytest.raises(KeyError):
        steps.run(10, lambda chunk, _: kept.append(len(chunk.step_time_s)))
    assert kept == [3]


def test_a_loss_that_is_not_finite_ends_the_course_and_is_named() -> None:
    kept: list[Any] = []
    steps = Steps(batches(), lambda number: float("nan") if number == 2 else 0.5, timing.HostLoop())
    with pytest.raises(Diverged, match="step 3"):
        steps.run(5, lambda _, losses: kept.append(losses))
    assert kept == [(0.5, 0.5, None, 0.5, 0.5)]


def test_batches_that_end_are_an_error_of_the_workload() -> None:
    with pytest.raises(UserError, match="ended after 4 steps"):
        Steps(batches(limit=4), lambda _: None, timing.HostLoop()).run(9, lambda *_: None)
