"""Sample files: columns of plain numbers, and nothing else."""

import json
import math
import subprocess
import sys

import pytest
from dlaudit.schemas.errors import UserError
from dlaudit.schemas.extremes import in_bounds
from dlaudit.schemas.samples import read_samples
from dlaudit.schemas.validation import FOLDER, InvalidDocument
from hypothesis import given
from hypothesis import strategies as st

EXAMPLE = json.loads((FOLDER.parent / "examples" / "samples.json").read_bytes())
numbers = st.floats(allow_nan=False, allow_infinity=False).filter(in_bounds) | st.integers(-(10**15), 10**15)


def written(**changes):
    return json.dumps(EXAMPLE | changes).encode()


def test_the_example():
    samples = read_samples(written(), "s.json")
    assert (samples.trial, samples.rows) == ("base-t1", 4)
    assert list(samples.columns["step_time_s"]) == EXAMPLE["columns"]["step_time_s"]
    assert math.isnan(samples.columns["loss"][3])
    assert list(samples.warmup["loss"]) == EXAMPLE["warmup"]["loss"]
    assert samples.evaluations[0].metrics == {"accuracy": 0.4083, "loss": 1.871}
    assert samples.evaluations[0].correct == 147


@given(st.lists(st.tuples(numbers, numbers), max_size=30))
def test_every_number_comes_back(rows):
    columns = {"step_time_s": [abs(row[0]) for row in rows], "loss": [row[1] for row in rows]}
    samples = read_samples(written(columns=columns), "s.json")
    assert samples.rows == len(rows)
    assert {name: list(column) for name, column in samples.columns.items()} == columns


@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"columns": {"step_time_s": [1, "2"]}}, "/columns/step_time_s/1"),
        ({"columns": {"step_time_s": [1, None]}}, "/columns/step_time_s/1"),
        ({"columns": {"step_time_s": [True]}}, "/columns/step_time_s/0"),
        ({"columns": {"loss": [[1]]}}, "/columns/loss/0"),
        ({"columns": {"step_time_s": 1}}, "/columns/step_time_s"),
        ({"columns": {"step_time_s": [1], "loss": []}}, "/columns"),
        ({"warmup": {"step_time_s": [{}]}}, "/warmup/step_time_s/0"),
        ({"columns": {"other": []}}, "/columns/other"),
        ({"columns": []}, "/columns"),
        ({"evaluations": [{}]}, "/evaluations/0"),
        ({"trial": "a b"}, "/trial"),
        ({"extra": 1}, "/extra"),
    ],
)
def test_what_is_no_column_of_numbers_is_refused_at_its_place(changes, pointer):
    with pytest.raises(InvalidDocument) as caught:
        read_samples(written(**changes), "s.json")
    assert pointer in {problem.pointer for problem in caught.value.problems}


@pytest.mark.parametrize(
    "data", [b"[]", b"1", b'"x"', b"{}", b"", b'{"columns": [NaN]}', b'{"columns": {"loss": [1e999]}}']
)
def test_other_documents_are_refused(data):
    with pytest.raises(UserError):
        read_samples(data, "s.json")


def test_a_thousand_wrong_numbers_are_a_few_problems():
    with pytest.raises(InvalidDocument) as caught:
        read_samples(written(columns={"step_time_s": ["x"] * 1000}), "s.json")
    assert len(caught.value.problems) == 3


def test_reading_numbers_loads_no_numerical_library():
    code = (
        "import sys; from dlaudit.schemas.samples import read_samples; from pathlib import Path;"
        "read_samples(Path(sys.argv[1]).read_bytes(), 's');"
        "print(sorted({'numpy', 'jsonschema', 'yaml'} & set(sys.modules)))"
    )
    path = str(FOLDER.parent / "examples" / "samples.json")
    done = subprocess.run([sys.executable, "-P", "-c", code, path], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_duration_below_zero_is_refused():
    data = b'{"dlaudit": "samples/1", "trial": "t", "columns": {"step_time_s": [0.1, -0.5], "loss": [-1.0, -2.0]}}'
    with pytest.raises(UserError, match=r"step_time_s/1.*below zero"):
        read_samples(data, "t.json")
