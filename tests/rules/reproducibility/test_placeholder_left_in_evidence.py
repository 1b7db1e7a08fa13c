"""R12, placeholder-left-in-evidence."""

import pytest
from dlaudit.rules.outcome import Outcome
from support.descriptions import ARM
from support.documents import document

PASS = Outcome.PASS


def test_blanks_in_tuning_and_publication():
    patch = {"arms": {"a": {"search": {"trials": 3, "space": "?? ask Ben"}}}, "publication": {"where": "TODO: link"}}
    assert "and 1 more" in document("rate", "R12", patch).branch.message


@pytest.mark.parametrize(
    "text",
    ["TODO", "TBD", "tbd", "todo.", "?? ask Ben", "CHANGEME: driver", "<driver version>", "UNSET", "EPYC <model>"],
)
def test_blanks_of_a_template(text):
    result = document("rate", "R12", {"systems": {"node": {"host_processor": text}}})
    assert (result.outcome, result.branch.claimed) == (Outcome.VIOLATION, text)
    assert result.branch.at == "/systems/node/host_processor"


@pytest.mark.parametrize(
    "text",
    [
        "Todo 9000",
        "EPYC 7763",
        "a<b and c>d",
        "TBD-7",
        "the machine that is listed as TBD in the appendix of the paper",
    ],
)
def test_names_and_prose_are_none(text):
    assert document("rate", "R12", {"systems": {"node": {"host_processor": text}}}).outcome is Outcome.PASS


def test_one_finding_for_all_of_them():
    patch = {
        "systems": {"node": {"storage": "TBD"}},
        "arms": {
            "a": {"software": {"driver": "TODO", "libraries": {"NCCL": "TODO"}}, "environment": {"host": "<host>"}}
        },
    }
    result = document("rate", "R12", patch)
    assert "and 3 more" in result.branch.message
    assert {item.at for item in result.branch.related} == {
        "/arms/a/software/driver",
        "/arms/a/software/libraries/NCCL",
        "/arms/a/environment/host",
    }


def test_variables_may_be_unset():
    patch = {"arms": {"a": {"environment": {"variables": {"NCCL_ALGO": "UNSET"}}}}}
    assert document("rate", "R12", patch).outcome is Outcome.PASS


def test_blanks_in_what_was_handed_in_to_a_suite():
    fields = {"host_memory_capacity": "TBD", "other_software_stack": "<ROCm version>, driver 6.12.12", "cooling": "air"}
    found = document("suite-training", "R12", {"arms": {"retinanet": {"description": {"fields": fields}}}}).branch
    assert "TBD" in found.message
    assert "and 1 more" in found.message
    assert found.at == "/arms/retinanet/description/fields/host_memory_capacity"


def test_blanks_of_a_comparator():
    patch = {"claims": {"speedup": {"comparator": {"version": "TODO"}}}}
    assert document("serving-comparison", "R12", patch).outcome is Outcome.VIOLATION


def test_a_placeholder_in_the_logs_is_named():
    patch = {"claims": {ARM: {"suite_result": {"system": "1xSUBMISSION_PLATFORM_PLACEHOLDER"}}}}
    assert "SUBMISSION_PLATFORM" in document("suite-training", "R12", patch).branch.message
    assert document("suite-training", "R12").outcome is PASS
