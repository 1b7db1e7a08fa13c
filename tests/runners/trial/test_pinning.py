"""Processors, threads and seeds of a trial: set, then looked at."""

import os
import sys
from typing import Any

import pytest
from dlaudit.runners.study.orders import Controls
from dlaudit.runners.trial import events, pinning
from dlaudit.runners.trial.kernel_lists import cpu_list, parse_cpu_list
from hypothesis import given
from hypothesis import strategies as st

linux = pytest.mark.skipif(sys.platform != "linux", reason="needs sched_setaffinity and /proc")


@given(st.frozensets(st.integers(0, 300), max_size=40))
def test_the_kernels_list_format_is_read_as_written(cpus: frozenset[int]) -> None:
    assert parse_cpu_list(cpu_list(cpus)) == cpus


def test_lists_are_written_as_the_kernel_writes_them() -> None:
    assert cpu_list(frozenset({0, 1, 2, 5, 7, 8})) == "0-2,5,7-8"


def by_knob(trial: Any) -> dict[str, events.ControlRecord]:
    return {record.knob: record for record in trial.only(events.Controls).records}


@linux
def test_what_is_asked_is_set_and_seen_in_every_thread(start_trial: Any) -> None:
    cpu = min(os.sched_getaffinity(0))
    gemm = {"name": "gemm", "m": 64, "n": 64, "k": 64}
    records = by_knob(start_trial(gemm, controls={"affinity": [cpu], "threads": 1}))
    affinity, threads, seed = records["affinity"], records["threads"], records["seed"]
    assert (affinity.requested, affinity.applied, affinity.found) == (str(cpu),) * 3
    assert affinity.verified == threads.verified == seed.verified == "verified"
    assert (threads.requested, threads.found, seed.found) == (1, 1, 7)


@linux
def test_what_is_refused_is_said_and_not_an_error(start_trial: Any) -> None:
    trial = start_trial({"name": "gemm", "m": 8, "n": 8, "k": 8}, controls={"affinity": [4000], "threads": None})
    records = by_knob(trial)
    assert trial.only(events.Ended).outcome == "completed"
    assert records["affinity"].verified == "not_permitted"
    assert records["affinity"].applied is None
    assert records["threads"].verified == "not_requested"
    assert records["threads"].found == len(os.sched_getaffinity(0)) or records["threads"].found


@linux
def test_a_thread_elsewhere_contradicts() -> None:
    found = next(iter(pinning.thread_affinities(os.getpid())))
    wanted = frozenset(found | {max(found) + 1})
    applied = pinning.Applied(Controls(affinity=tuple(wanted)), wanted, None)
    assert pinning.affinity_record(applied, os.getpid()).verified == "contradicted"


def test_a_platform_without_affinity_is_unverifiable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    applied = pinning.apply(Controls(affinity=(0,)))
    assert pinning.affinity_record(applied, 2**30).verified == "unverifiable"
