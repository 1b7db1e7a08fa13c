"""Folders of reports of several tools: each report is judged, and what no importer took is named once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from dlaudit.audit.cli import cli
from dlaudit.audit.lint.document import Document
from dlaudit.audit.lint.reports import of_folder

SUMMARY = """\
================================================
MLPerf Results Summary
================================================
SUT name : SUT_Offline
Scenario : Offline
Mode     : PerformanceOnly
Samples per second: 20817.3
Result is : VALID

================================================
Test Parameters Used
================================================
samples_per_query : 13266000

No errors encountered during test.
"""
LOG = ':::MLLOG {"namespace": "", "time_ms": %d, "key": "%s", "value": %s, "metadata": {}}\n'
TRAINED = LOG % (1000, "submission_benchmark", '"resnet"') + LOG % (2000, "run_start", "null")
SERVED = json.dumps({"backend": "vllm", "completed": 9, "request_throughput": 1.5, "mean_ttft_ms": 21.5})
UNKNOWN = json.dumps({"results": [{"command": "sleep 0.1", "mean": 0.1}]})
RESULT = "closed/Acme/results/box/resnet50/Offline/performance/run_1/mlperf_log_summary.txt"


def put(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def names(root: Path) -> list[str]:
    return [str(Path(found.source.name).relative_to(root)) for found in of_folder(root)]


def left_out(found: Document) -> tuple[str, ...]:
    return tuple(each.shown for each in found.left_out)


@pytest.mark.parametrize("log", ["mlperf_log_summary.txt", "offline.txt", "logs/mlperf_log_summary.txt"])
def test_a_summary_among_other_reports_is_one_of_them(tmp_path, log):
    root = put(tmp_path, {"served.json": SERVED, log: SUMMARY, "timed.json": UNKNOWN})
    assert names(root) == ["served.json", log]
    assert left_out(of_folder(root)[0]) == (str(root / "timed.json"),)


def test_a_training_log_among_other_reports_is_one_of_them(tmp_path):
    root = put(tmp_path, {"served.json": SERVED, "result_0.txt": TRAINED})
    assert names(root) == ["served.json", "result_0.txt"]


def test_the_logs_of_one_result_stay_one_report_among_others(tmp_path):
    root = put(tmp_path, {"served.json": SERVED, "result_0.txt": TRAINED, "result_1.txt": TRAINED})
    one, result = of_folder(root)
    assert (Path(one.source.name).name, result.source.name) == ("served.json", str(root))
    assert [run for arm in result.source.value["arms"].values() for run in arm["runs"]] == ["result_0", "result_1"]


def test_a_folder_of_logs_alone_is_one_report_whatever_is_written_about_it(tmp_path):
    readme = "# Result\n\n| model | throughput (samples/s) |\n|---|---|\n| resnet | 20817 |\n"
    files = {"mlperf_log_summary.txt": SUMMARY, "mlperf_log_trace.json": "[]", "README.md": readme}
    (found,) = of_folder(put(tmp_path, files))
    assert found.source.name == str(tmp_path)
    assert list(found.source.value["claims"]) == ["result"]
    assert left_out(found) == (str(tmp_path / "README.md"),)


def test_a_round_is_one_report_and_what_is_no_part_of_it_is_named(tmp_path):
    files = {
        RESULT: SUMMARY,
        "closed/Acme/README.md": "about it",
        "closed/Acme/code/build.json": UNKNOWN,
        "closed/Acme/served.json": SERVED,
        "notes.txt": "mine",
    }
    (found,) = of_folder(put(tmp_path, files))
    assert list(found.source.value["claims"]) == ["box.resnet50.Offline"]
    assert left_out(found) == (str(tmp_path / "closed/Acme/served.json"), str(tmp_path / "notes.txt"))


def test_a_folder_called_results_is_no_round(tmp_path):
    root = put(tmp_path, {"results/served.json": SERVED, "results/mlperf_log_summary.txt": SUMMARY})
    assert names(root) == ["results/served.json", "results/mlperf_log_summary.txt"]


def test_files_that_were_not_read_are_named_in_one_line_with_their_count(tmp_path):
    root = put(tmp_path, {"served.json": SERVED, **{f"t{number}.json": UNKNOWN for number in range(7)}})
    said = CliRunner().invoke(cli, ["lint", str(root)]).stderr
    five = " ".join(str(root / f"t{number}.json") for number in range(5))
    assert said == f"dlaudit: 7 files were not read: {five} and 2 more; name one alone to see why\n"


def test_nothing_is_said_where_all_was_read(tmp_path):
    assert CliRunner().invoke(cli, ["lint", str(put(tmp_path, {"served.json": SERVED}))]).stderr == ""
