"""Hand-written results of the MLPerf suites: none that is honest fails, and no fault in one crashes or passes."""

import importlib.util
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parents[3] / "benchmarks" / "suite_results"
SPEC = importlib.util.spec_from_file_location("suite_results", HERE / "measure.py")
measure = sys.modules["suite_results"] = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(measure)

FAULTS = [fault for path in sorted(measure.FAULTS.glob("*.yaml")) for fault in measure.faults(path)]


@pytest.mark.parametrize("name", sorted(path.name for path in measure.BASES.iterdir()))
def test_an_honest_folder_does_not_fail(name):
    said = measure.honest(name)
    assert said.grave == ()
    assert said.verdicts
    assert "FAIL" not in said.verdicts


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.file}-{FAULTS.index(fault)}")
def test_a_fault_neither_crashes_nor_passes(fault):
    said, _ = measure.attempt(fault)
    assert "PASS" not in said.verdicts


def test_there_are_many_kinds_of_fault_in_training_inference_and_claims():
    assert {fault.file for fault in FAULTS} == {"training", "inference", "claims"}
    assert len({fault.family for fault in FAULTS}) >= 6
    assert len({(fault.base, fault.flaw) for fault in FAULTS}) == len(FAULTS)
