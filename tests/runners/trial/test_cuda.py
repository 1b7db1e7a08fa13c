"""Timing on a CUDA device."""

from typing import Any

import pytest
import torch
from dlaudit.runners.trial import events, timing

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device"),
]


def test_events_time_a_product_as_long_as_the_device_takes(start_trial: Any) -> None:
    trial = start_trial(
        {"name": "gemm", "m": 4096, "n": 4096, "k": 4096},
        device="cuda:0",
        throughput={"warmup": 5, "iterations": 50},
    )
    ended = trial.only(events.Ended)
    assert ended.outcome == "completed", trial.log
    assert ended.timer.name == "cuda_event"
    left, right = (torch.randn(4096, 4096, device="cuda:0") for _ in range(2))
    torch.cuda.synchronize()
    first, last = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    first.record()
    for _ in range(50):
        left @ right
    last.record()
    torch.cuda.synchronize()
    expected_s = first.elapsed_time(last) / 1e3 / 50
    steps = sorted(trial.column("step_time_s"))
    assert steps[25] == pytest.approx(expected_s, rel=0.3)


def test_work_that_was_only_queued_is_counted() -> None:
    matrix = torch.randn(4096, 4096, device="cuda:0")
    rows: list[timing.Row] = []
    chunk = timing.run_chunk(timing.CudaLoop("cuda:0"), lambda: matrix, lambda value: value @ value, 20, rows)
    assert len(chunk.step_time_s) == 20
    assert sum(chunk.step_time_s) > 20 * 2 * 4096**3 / 1e15  # no device makes 1e15 fp32 operations a second


def test_the_harness_costs_less_than_five_microseconds() -> None:
    assert timing.empty_iteration_s(timing.CudaLoop("cuda:0")) < 5e-6


@pytest.mark.parametrize(("compute", "bits"), [("fp32", 23), ("tf32", 10), ("bf16", 7)])
def test_the_format_in_effect_is_the_one_seen(compute: str, bits: int, start_trial: Any) -> None:
    trial = start_trial(
        {"name": "digits-cnn", "width": 8}, device="cuda:0", options={"precision": {"compute": compute}}
    )
    options = trial.only(events.Options)
    assert options.observed["precision"]["compute"] == options.effective["precision"]["compute"] == compute
    assert options.observed["extra"]["product_mantissa_bits"] == bits
