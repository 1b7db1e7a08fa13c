"""Single summaries of LoadGen: which printed number is the score, and what they say of queries and latencies."""

import pytest
from dlaudit.audit.importers.mlperf.inference_run import headline, logs_of
from dlaudit.audit.importers.report_file import open_report
from dlaudit.audit.lint.lint import lint
from dlaudit.audit.lint.read import read_documents
from dlaudit.audit.lint.settings import Settings

SERVER = """\
================================================
MLPerf Results Summary
================================================
SUT name : ExampleSUT
Scenario : {scenario}
Mode     : PerformanceOnly
{first}
Result is : VALID
  Performance constraints satisfied : Yes
  Min duration satisfied : Yes
  Min queries satisfied : {met}
  Early stopping satisfied: Yes
{stopping}
================================================
Additional Stats
================================================
{second}
99.00 percentile latency (ns)   : 13562857
{tokens}
================================================
Test Parameters Used
================================================
samples_per_query : 1
{bounds}
min_duration (ms): 600000
min_query_count : {least}

No errors encountered during test.
"""
SCHEDULED, COMPLETED = "Scheduled samples per second : 15497.90", "Completed samples per second    : 15495.00"
STREAM = """\
Early Stopping Result:
 * Processed at least 64 queries ({processed}).
 * Would discard {dropped} highest latency queries.
 * Early stopping 90th percentile estimate: 7547310
"""
TOKENS = """\
99.00 percentile first token latency (ns)   : {first}
99.00 percentile time to output token (ns)   : 164964162
"""
LIMITS = "ttft_latency (ns): 2000000000\ntpot_latency (ns): 200000000"
DETAIL = ':::MLLOG {"key": "%s", "value": %s, "time_ms": 1.0, "namespace": "mlperf::logging", "metadata": {}}\n'


def summary(**told):
    given = {"scenario": "Server", "first": SCHEDULED, "second": COMPLETED, "met": "Yes", "stopping": "", "tokens": ""}
    return SERVER.format(**given | {"bounds": "target_latency (ns): 15000000", "least": 270336} | told)


def stream(processed, dropped, scenario="SingleStream"):
    stopping = STREAM.format(processed=processed, dropped=dropped)
    latency = "90.00 percentile latency (ns)   : 7547012"
    return summary(scenario=scenario, first=latency, second=latency, stopping=stopping, bounds="target_qps : 131.6")


def with_tokens(first):
    tokens = TOKENS.format(first=first)
    return summary(first="Completed tokens per second: 29522.56", tokens=tokens, bounds=LIMITS, least=24576)


def findings(tmp_path, text):
    (tmp_path / "summary.txt").write_text(text)
    (found,) = read_documents([str(tmp_path / "summary.txt")])
    return {(item.code, item.outcome): item.message for item in lint(found, Settings()).report.all_findings}


@pytest.mark.parametrize(("first", "second"), [(SCHEDULED, COMPLETED), (COMPLETED, SCHEDULED)])
def test_a_server_of_no_known_round_is_scored_by_what_is_printed_first(first, second):
    file = open_report("mlperf_log_summary.txt", summary(first=first, second=second).encode())
    assert headline(logs_of(None, file), None)["value"] == first.partition(": ")[2]
    assert headline(logs_of(None, file), "v3.0")["value"] == "15497.90"
    assert headline(logs_of(None, file), "v5.0")["value"] == "15495.00"


@pytest.mark.parametrize(("release", "value"), [("3.0 @ 53eb3a1", "15497.9"), ("5.0.4 @ 53eb3a1", "15495.0")])
def test_a_detailed_log_alone_is_scored_as_its_release_does(release, value):
    pairs = {
        "loadgen_version": f'"{release}"',
        "effective_scenario": '"Server"',
        "result_completed_samples_per_sec": "15495.0",
        "result_scheduled_samples_per_sec": "15497.9",
    }
    text = "".join(DETAIL % pair for pair in pairs.items())
    assert headline(logs_of(open_report("mlperf_log_detail.txt", text.encode()), None), None)["value"] == value


def test_queries_of_which_there_were_enough_are_repetitions(tmp_path):
    assert ("M04", "not-shown") not in findings(tmp_path, summary())
    assert ("M04", "not-shown") in findings(tmp_path, summary(met="No"))
    assert ("M04", "not-shown") in findings(tmp_path, summary(least=62))


def test_a_stream_prints_its_queries_and_those_it_leaves_out(tmp_path):
    codes = findings(tmp_path, stream(78459, 7649))
    assert not {("Q12", "not-shown"), ("Q12", "violation")} & set(codes)
    assert ("Q12", "violation") in findings(tmp_path, stream(78459, 7849))


def test_a_stream_is_asked_for_no_bound(tmp_path):
    said = findings(tmp_path, stream(78459, 7649).replace(" * Would discard", " * Would not discard"))
    assert said["Q12", "not-shown"].startswith("how many queries were processed, and how many of the slowest left out")
    assert findings(tmp_path, summary())["Q12", "not-shown"] == "how many queries were too slow is not given"


def test_the_bound_on_the_first_token_is_held_against_its_own_percentile(tmp_path):
    kept = findings(tmp_path, with_tokens(1760966679))
    assert "not given" not in kept.get(("L05", "not-shown"), "")
    assert ("L05", "violation") not in kept
    broken = findings(tmp_path, with_tokens(2100966679))
    assert broken["L05", "violation"] == "the 99th percentile is 2100966679 ns; 2000 ms is the bound"
