"""Where the parts of a run of LoadGen stand, and what its accuracy record and its outputs hold."""

from dlaudit.audit.importers.drafting import Drafting
from dlaudit.audit.importers.mlperf.accuracy import holds_outputs, read_accuracy
from dlaudit.audit.importers.mlperf.inference_load import requests_of
from dlaudit.audit.importers.mlperf.inference_result import InferenceResult, put_inference
from dlaudit.audit.importers.mlperf.inference_run import logs_of
from dlaudit.audit.importers.mlperf.loadgen_summary import read_summary
from dlaudit.audit.importers.report_file import open_report

LINE = ':::MLLOG {{"key": "{}", "value": {}, "time_ms": {}}}\n'
DETAIL = "".join(
    LINE.format(*each)
    for each in (
        ("loadgen_version", '"4.1 @ 4d3c9eccfb"', 0.01),
        ("effective_scenario", '"Server"', 0.02),
        ("result_validity", '"INVALID"', 601771.0),
        ("num_errors", 1, 601771.0),
    )
)
SUMMARY = "Scenario : Server\nResult is : INVALID\n\n1 ERROR encountered. See detailed log.\n"


def origins(detail, summary):
    logs = logs_of(open_report("d", detail.encode()) if detail else None, open_report("s", summary.encode()))
    draft = Drafting("a result")
    put_inference(draft, InferenceResult("a", performance=(logs,)), None, 0)
    return {pointer.removeprefix("/arms/a/runs/performance/"): origin for pointer, origin in draft.origins.items()}


def test_the_lines_that_prove_a_verdict():
    found = origins(DETAIL, SUMMARY)
    lines = {name: (found[name].file, found[name].line) for name in ("verdict/valid", "verdict/errors", "tool/commit")}
    assert lines == {"verdict/valid": ("d", 3), "verdict/errors": ("d", 4), "tool/commit": ("d", 1)}
    alone = origins("", SUMMARY)
    lines = {name: (alone[name].file, alone[name].line) for name in ("verdict/valid", "verdict/errors")}
    assert lines == {"verdict/valid": ("s", 2), "verdict/errors": ("s", 4)}


def test_that_no_request_failed_is_known_without_their_number():
    said = logs_of(None, open_report("s", b"Scenario : Server\nNo errors encountered during test.\n"))
    assert requests_of(said) == {"unit": "request", "failed": 0}
    assert requests_of(logs_of(None, open_report("s", SUMMARY.encode()))) == {}


def test_the_line_of_the_errors():
    assert read_summary(SUMMARY).lines["errors"] == 4
    assert read_summary("No errors encountered during test.").lines["errors"] == 1


def test_right_answers_of_a_record():
    found = read_accuracy("accuracy=76.384%, good=38192, total=50000\nhash=" + "0" * 64)
    assert (found.correct, found.examples) == (38192, 50000)
    assert read_accuracy("mAP=37.5%").correct is None


def test_a_list_without_outputs_holds_none():
    assert not holds_outputs(b"[\n]\n")
    assert not holds_outputs(b"")
    assert holds_outputs(b'[\n{"seq_id": 1}\n]\n')
