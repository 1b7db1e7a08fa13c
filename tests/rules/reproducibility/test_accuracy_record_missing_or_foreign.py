"""R13, accuracy-record-missing-or-foreign."""

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.outcome import Outcome
from support.suite_results import record

PASS, NOT_SHOWN = Outcome.PASS, Outcome.NOT_SHOWN


@pytest.mark.parametrize(
    ("patch", "outcome", "item"),
    [
        (record(named_sha256="ab72"), Outcome.VIOLATION, ""),
        (record(named_sha256="ab72", outputs="truncated"), Outcome.PASS, ""),
        (record(outputs="withheld", outputs_sha256=None), Outcome.NOT_SHOWN, ""),
        (record(named_sha256=None), Outcome.NOT_SHOWN, ""),
        (record(metrics=None), Outcome.NOT_SHOWN, "accuracy record"),
        ({"arms": {"offline": {"runs": {"accuracy": {"record": None}}}}}, Outcome.NOT_SHOWN, "accuracy record"),
        ({"arms": {"offline": {"runs": {"accuracy": None}}}}, Outcome.NOT_SHOWN, "accuracy record"),
    ],
)
def test_accuracy_records(judged, patch, outcome, item):
    result = judged("suite-inference", "R13", "offline", patch)
    assert result.outcome is outcome
    if outcome is Outcome.NOT_SHOWN:
        assert result.branch.item == item


def test_digests_compare_without_case(judged):
    named = base("suite-inference")["arms"]["offline"]["runs"]["accuracy"]["record"]["outputs_sha256"].upper()
    assert judged("suite-inference", "R13", "offline", record(named_sha256=named)).outcome is Outcome.PASS


def test_pairs_of_other_harnesses_have_no_record(judged):
    assert judged("training-pair", "R13", "rate").outcome is Outcome.NOT_APPLICABLE


def test_the_digest_of_the_outputs(inference):
    named = record(outputs="truncated", named_sha256="ab72c333fb51632176cb3cba80240d6c", outputs_sha256="77")
    assert inference("R13", named)[0] is PASS
    assert inference("R13", record(outputs="truncated", named_sha256=None))[0] is NOT_SHOWN


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
