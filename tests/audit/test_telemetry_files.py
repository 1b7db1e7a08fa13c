"""Readings of sensors that lie in sample files beside a manifest."""

import json

import pytest
from dlaudit.audit.lint.studies import raw_reader, telemetry_reader
from dlaudit.schemas.digest import sha256_hex
from dlaudit.schemas.evidence import SamplesFile, Telemetry, Trial
from dlaudit.schemas.samples import read_samples
from dlaudit.schemas.validation import InvalidDocument

READINGS = {"time_s": [0.0, 0.5], "sm_clock_mhz": [1410, 1395]}
DOCUMENT = {"dlaudit": "samples/1", "trial": "t1", "columns": {"step_time_s": [0.1, 0.2, 0.1]}, "telemetry": READINGS}


def trial(samples_file, **fields):
    return Trial(kind="throughput", outcome="completed", samples_file=samples_file, telemetry=Telemetry(**fields))


@pytest.fixture
def file(tmp_path):
    data = json.dumps(DOCUMENT).encode()
    (tmp_path / "t1.samples.json").write_bytes(data)
    return SamplesFile(path="t1.samples.json", sha256=sha256_hex(data), rows=3)


def test_one_file_holds_steps_and_readings(tmp_path, file):
    found = trial(file, file=file)
    assert {name: list(column) for name, column in telemetry_reader(tmp_path)(found).items()} == READINGS
    assert {name: len(column) for name, column in raw_reader(tmp_path)(found).items()} == {"step_time_s": 3}


def test_readings_may_stand_in_the_manifest_or_nowhere(tmp_path, file):
    read = telemetry_reader(tmp_path)
    assert read(trial(file, columns={"power_w": (300.0,)})) == {"power_w": (300.0,)}
    assert read(Trial(kind="throughput", outcome="completed")) == {}


def test_a_changed_or_absent_file_gives_no_readings(tmp_path, file):
    read = telemetry_reader(tmp_path)
    assert read(trial(None, file=SamplesFile(path=file.path, sha256="0" * 64, rows=3))) == {}
    assert read(trial(None, file=SamplesFile(path="gone.json", sha256=file.sha256, rows=3))) == {}


@pytest.mark.parametrize("readings", [{"a": [1, "2"]}, {"time_s": [-1.0]}, {"a": [1], "b": [1, 2]}, {"a": 1}, []])
def test_readings_are_numbers_of_one_length(readings):
    with pytest.raises(InvalidDocument):
        read_samples(json.dumps(DOCUMENT | {"telemetry": readings}).encode(), "t1.samples.json")
