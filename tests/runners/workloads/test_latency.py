"""The law of an exchange, on times that follow it."""

import pytest
from dlaudit.runners.workloads.latency import fitted

SIZES = (4096, 65536, 1 << 20, 1 << 24)


def test_latency_and_bandwidth_come_back_from_times_that_have_them():
    found = fitted([(size, 50e-6 + size / 2e9) for size in SIZES])
    assert found["latency_s"]["value"] == pytest.approx(50e-6, rel=1e-3)
    assert found["bandwidth_bytes_per_s"]["value"] == pytest.approx(2e9, rel=1e-3)


def test_the_interval_holds_what_scatters_about_the_law():
    times = [(size, (50e-6 + size / 2e9) * factor) for size, factor in zip(SIZES, (1.1, 0.92, 1.05, 0.97), strict=True)]
    found = fitted(times)
    for name, truth in (("latency_s", 50e-6), ("bandwidth_bytes_per_s", 2e9)):
        assert found[name]["low"] < truth < found[name]["high"]


@pytest.mark.parametrize("times", [[], [(4096, 1e-5), (65536, 2e-5)], [(size, 1e-3 / size) for size in SIZES]])
def test_nothing_is_told_of_too_few_sizes_or_of_times_that_follow_no_such_law(times):
    assert fitted(times) == {}
