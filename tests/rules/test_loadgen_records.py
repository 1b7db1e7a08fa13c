"""Accuracy records, copies and token latencies of runs of LoadGen: F11, F34, F52, L11, Q14, Q16, R11, R13."""

import pytest
from dlaudit.rules.outcome import CAVEAT, REFUTES, UNDERMINES, Outcome

PASS, NOT_SHOWN, VIOLATION = Outcome.PASS, Outcome.NOT_SHOWN, Outcome.VIOLATION
PERCENTILES = {f"{rank}_percentile_latency_ns": 9_000_000 + 1000 * index
               for index, rank in enumerate(("50.00", "90.00", "95.00", "97.00", "99.00", "99.90"))}  # fmt: skip


@pytest.fixture
def told(judged):
    def judge(code, patch=None, claim="offline", **case):
        found = judged("suite-inference", code, claim, patch or {}, **case)
        return found.outcome, getattr(found.branch, "effect", None) if found.outcome is VIOLATION else None

    return judge


def record(arm="offline", **fields):
    return {"arms": {arm: {"runs": {"accuracy": {"record": fields}}}}}


@pytest.mark.parametrize(
    ("text", "correct", "expected"),
    [
        ("76.384", 38192, None),
        ("76.38", 38192, None),
        ("0.76384", 38192, None),
        ("76.984", 38192, CAVEAT),
        ("86.984", 38192, REFUTES),
        ("76.384", 60000, None),
    ],
)
def test_a_record_that_counts_another_share(told, text, correct, expected):
    found = told("F11", record(metrics={"accuracy": text}, correct=correct, examples=50000))
    assert found[1] is expected


def test_the_digest_of_the_outputs(told):
    named = record(outputs="truncated", named_sha256="ab72c333fb51632176cb3cba80240d6c", outputs_sha256="77")
    assert told("R13", named)[0] is PASS
    assert told("R13", record(outputs="truncated", named_sha256=None))[0] is NOT_SHOWN


def test_outputs_that_stand_with_two_runs(judged):
    one = {"named_sha256": "ab72c333fb51632176cb3cba80240d6c", "outputs": "truncated"}
    both = {"arms": {arm: {"runs": {"accuracy": {"record": one}}} for arm in ("offline", "server")}}
    found = judged("suite-inference", "R13", "offline", both)
    assert found.outcome is NOT_SHOWN
    assert "byte for byte" in found.branch.message
    file = {"name": "accuracy/mlperf_log_detail.txt", "bytes": 9, "sha256": "cd" * 32, "content_sha256": "ef" * 32}
    for arm in ("offline", "server"):
        both["arms"][arm]["runs"]["accuracy"]["file"] = file
    assert judged("suite-inference", "R13", "offline", both).outcome is PASS


@pytest.mark.parametrize(("changed", "outcome"), [({}, VIOLATION), ({"97.00_percentile_latency_ns": 9_003_001}, PASS)])
def test_runs_with_the_percentiles_of_another_one(told, changed, outcome):
    file = {"name": "run_2/mlperf_log_detail.txt", "bytes": 9, "sha256": "cd" * 32, "content_sha256": "ef" * 32}
    second = {"role": "performance", "file": file, "summary": PERCENTILES | changed}
    runs = {"performance": {"summary": PERCENTILES}, "performance-2": second}
    found = told("F34", {"arms": {"server": {"runs": runs}}}, "server")
    assert found == (outcome, REFUTES if outcome is VIOLATION else None)


def test_latencies_of_few_digits_may_agree(told):
    few = dict.fromkeys(PERCENTILES, 9)
    file = {"name": "run_2/mlperf_log_detail.txt", "bytes": 9, "sha256": "cd" * 32, "content_sha256": "ef" * 32}
    second = {"role": "performance", "file": file, "summary": few}
    runs = {"performance": {"summary": few}, "performance-2": second}
    assert told("F34", {"arms": {"server": {"runs": runs}}}, "server") == (PASS, None)


@pytest.mark.parametrize(("second", "outcome"), [(846_210, VIOLATION), (846_000, PASS)])
def test_an_estimate_that_is_logged_twice(told, second, outcome):
    event = {"time_ms": 1744020661890, "key": "early_stopping_latency_ms", "kind": "stat"}
    events = {"60": event | {"value": 846_000}, "61": event | {"value": second}}
    assert told("F52", {"arms": {"offline": {"runs": {"performance": {"events": events}}}}})[0] is outcome


@pytest.mark.parametrize(
    ("value", "benchmark", "division", "wrong"),
    [
        (False, "llama2-70b-99", "closed", True),
        (True, "llama2-70b-99", "closed", False),
        (False, "llama2-70b-99", "open", False),
        (False, "resnet", "closed", False),
    ],
)
def test_latencies_of_tokens_that_were_not_recorded(told, value, benchmark, division, wrong):
    event = {"time_ms": 1744020000040, "key": "requested_use_token_latencies", "value": value, "kind": "mark"}
    patch = {
        "claims": {
            "offline": {
                "work": "tokens",
                "division": division,
                "suite_result": {"benchmark": benchmark, "division": division},
            }
        },
        "arms": {"offline": {"runs": {"performance": {"events": {"40": event}}}}},
    }
    found = told("Q16", patch)
    assert (found == (VIOLATION, UNDERMINES)) is wrong


def test_a_metric_without_a_number_is_looked_for_in_its_record(judged):
    found = judged("suite-inference", "Q14", "offline", record(metrics={"accuracy": None, "loss": "1.2"}))
    assert found.outcome is NOT_SHOWN
    assert found.branch.at == "/arms/offline/runs/accuracy/record"


def test_a_summary_that_is_missing_in_a_folder(judged):
    bare = {"folder": None, "arms": {"offline": {"runs": {"performance": {"summary": None}}}}}
    assert judged("suite-inference", "R11", "offline", bare).outcome is not NOT_SHOWN
    handed = bare | {"folder": {"name": "round", "files": {}}}
    found = judged("suite-inference", "R11", "offline", handed)
    assert (found.outcome, "summary" in found.branch.message) == (NOT_SHOWN, True)


def test_logs_of_the_first_rounds_leave_the_verdict_to_the_summary(judged):
    events = {"15": None, "70": {"time_ms": 1744020000001, "key": "build_date_utc", "value": "2020", "kind": "mark"}}
    early = {"arms": {"offline": {"runs": {"performance": {"events": events}}}}}
    assert judged("suite-inference", "R11", "offline", early).outcome is not NOT_SHOWN
    silent = {"arms": {"offline": {"runs": {"performance": {"events": {"15": None}}}}}}
    assert judged("suite-inference", "R11", "offline", silent).outcome is NOT_SHOWN
