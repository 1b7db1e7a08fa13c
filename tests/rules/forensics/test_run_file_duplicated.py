"""F34, run-file-duplicated: Two runs of one result whose files are equal."""

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.outcome import REFUTES, Outcome
from support.answers import found
from support.training_logs import CLAIM, of_runs

PASS, VIOLATION = Outcome.PASS, Outcome.VIOLATION
PERCENTILES = {f"{rank}_percentile_latency_ns": 9_000_000 + 1000 * index
               for index, rank in enumerate(("50.00", "90.00", "95.00", "97.00", "99.00", "99.90"))}  # fmt: skip


@pytest.mark.parametrize(("changed", "outcome"), [({}, VIOLATION), ({"97.00_percentile_latency_ns": 9_003_001}, PASS)])
def test_runs_with_the_percentiles_of_another_one(inference, changed, outcome):
    file = {"name": "run_2/mlperf_log_detail.txt", "bytes": 9, "sha256": "cd" * 32, "content_sha256": "ef" * 32}
    second = {"role": "performance", "file": file, "summary": PERCENTILES | changed}
    runs = {"performance": {"summary": PERCENTILES}, "performance-2": second}
    found = inference("F34", {"arms": {"server": {"runs": runs}}}, "server")
    assert found == (outcome, REFUTES if outcome is VIOLATION else None)


def test_latencies_of_few_digits_may_agree(inference):
    few = dict.fromkeys(PERCENTILES, 9)
    file = {"name": "run_2/mlperf_log_detail.txt", "bytes": 9, "sha256": "cd" * 32, "content_sha256": "ef" * 32}
    second = {"role": "performance", "file": file, "summary": few}
    runs = {"performance": {"summary": few}, "performance-2": second}
    assert inference("F34", {"arms": {"server": {"runs": runs}}}, "server") == (PASS, None)


def test_a_performance_log_as_the_accuracy_log_is_one_file(judged):
    digest = base("suite-inference")["arms"]["offline"]["runs"]["performance"]["file"]
    patch = {"arms": {"offline": {"runs": {"accuracy": {"file": digest}}}}}
    result = judged("suite-inference", "F34", "offline", patch)
    assert found(result) == ("a", "refutes")
    assert "the performance log and the accuracy log" in result.branch.message


def test_empty_files_and_files_without_digest_are_no_duplicates(judged):
    empty = {"bytes": 0, "sha256": "0" * 64, "content_sha256": "0" * 64}
    both = of_runs(result_1={"file": empty}, result_2={"file": empty})
    assert found(judged("suite-training", "F34", CLAIM, both)) == "pass"
    bare = of_runs(result_1={"file": {"content_sha256": None}})
    assert found(judged("suite-training", "F34", CLAIM, bare)) == "not-applicable"
