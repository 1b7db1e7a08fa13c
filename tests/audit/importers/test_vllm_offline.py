"""Offline benchmarks of vLLM: versions of their JSON, what contradicts itself in them, and files that look alike."""

import json

import pytest
from dlaudit.audit.importers.detection import detect
from dlaudit.audit.importers.harness.vllm_offline import IMPORTER
from dlaudit.audit.importers.registry import importers
from dlaudit.audit.importers.report_file import open_report
from dlaudit.audit.lint.lint import lint
from dlaudit.audit.lint.read import read_documents
from dlaudit.audit.lint.settings import Settings
from dlaudit.schemas.errors import UserError
from hypothesis import given, settings
from hypothesis import strategies as st

TIMES = [0.81 + 0.0001 * (7 * index % 31) for index in range(31)]
LATENCY = {
    "avg_latency": sum(TIMES) / 31,
    "latencies": TIMES,
    "percentiles": {"10": 0.8103, "50": 0.8115, "90": 0.8127, "99": 0.81297},
}
THROUGHPUT = {
    "elapsed_time": 18.432,
    "num_requests": 200,
    "total_num_tokens": 82842,
    "requests_per_second": 200 / 18.432,
    "tokens_per_second": 82842 / 18.432,
}


def violations(tmp_path, report):
    (tmp_path / "report.json").write_text(json.dumps(report))
    (found,) = read_documents([str(tmp_path / "report.json")])
    findings = lint(found, Settings()).report.all_findings
    return {str(item.effect) for item in findings if item.outcome == "violation"}


@pytest.mark.parametrize("report", [LATENCY, THROUGHPUT, {**THROUGHPUT, "tokens_per_second": 4494.47}])
def test_what_the_tool_writes_contradicts_nothing(tmp_path, report):
    assert not violations(tmp_path, report) & {"refutes", "undermines"}


@pytest.mark.parametrize(
    "report",
    [
        LATENCY | {"avg_latency": 0.709},
        LATENCY | {"percentiles": {"50": 0.709, "99": 0.8127}},
        THROUGHPUT | {"tokens_per_second": 5494.5},
        THROUGHPUT | {"requests_per_second": 12.9},
    ],
)
def test_an_edited_number_contradicts_the_others(tmp_path, report):
    assert violations(tmp_path, report) & {"refutes", "undermines"}


@pytest.mark.parametrize(
    ("report", "name"),
    [
        (LATENCY, "vllm-offline"),
        ({"avg_latency": 0.8, "latencies": [0.8], "percentiles": {"50": 0.8}}, "vllm-offline"),
        ({name: value for name, value in THROUGHPUT.items() if name != "total_num_tokens"}, "vllm-offline"),
        ({"avg_latency": 12.5, "p50_latency": 12.0, "p99_latency": 20.0, "throughput": 80.0}, "records"),
        ({"avg_latency": 12.5, "latencies": [12.5], "std_latency": 0.1}, "records"),
        ({"elapsed_time": 3.0, "num_requests": 10}, "records"),
    ],
)
def test_only_such_files_are_taken_for_one(report, name):
    found = detect(open_report("report.json", json.dumps(report).encode()), importers()).importer
    assert (found.name if found is not None else None) == name


def test_times_that_are_no_numbers_are_named_and_the_mean_stays():
    report = LATENCY | {"latencies": [0.8, None], "percentiles": {"50": 0.8, "ninety": 0.8, "100": 0.8}}
    draft = IMPORTER.read(open_report("report.json", json.dumps(report).encode()))
    assert draft.unused == ("latencies: not all of them are finite numbers of at least 0",)
    time = draft.value["arms"]["run"]["performance"]["batch_time"]
    assert time["summary"]["percentiles"] == {"50": "0.8"}
    assert "n" not in time


ODD = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4) | st.lists(st.none(), max_size=2)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from([LATENCY, THROUGHPUT]), st.data())
def test_an_odd_value_ends_in_a_draft_or_an_error_of_the_user(report, data):
    field = data.draw(st.sampled_from(sorted(report)))
    file = open_report("report.json", json.dumps({**report, field: data.draw(ODD)}).encode())
    try:
        draft = IMPORTER.read(file)
    except UserError:
        return
    assert set(draft.value["claims"]) <= {"run-batch_time", "run-request_rate", "run-token_rate"}
