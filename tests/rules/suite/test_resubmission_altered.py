"""Q09, resubmission-altered."""

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.outcome import Outcome
from support.patches import both
from support.training_logs import NAMES

VIOLATION, NOT_APPLICABLE = Outcome.VIOLATION, Outcome.NOT_APPLICABLE


def test_a_result_of_an_earlier_round(judged):
    earlier = {
        "claims": {
            "before": {
                "statement": "s",
                "quantity": "time",
                "form": "words",
                "scope": "training_run",
                "mode": "training",
                "compares": "none",
                "suite": "training",
                "measured": {"arm": "before"},
                "suite_result": {"benchmark": "ssd", "round": "v4.1"},
            }
        },
        "arms": {
            "before": {
                "description": {"fields": {"system_name": "example_server_8xh100"}},
                "runs": {
                    "result_0": {
                        "role": "training",
                        "file": {
                            "name": "r.txt",
                            "sha256": "871d6d04daf1b5d7552371915fe884782deb2a90d581263c73638d133d8e30b3",
                        },
                    }
                },
            }
        },
    }
    assert judged("suite-training", "Q09", "retinanet", earlier).outcome is VIOLATION
    later = both(earlier, {"claims": {"before": {"suite_result": {"round": "v5.1"}}}})
    assert judged("suite-training", "Q09", "retinanet", later).outcome is NOT_APPLICABLE
    bare = both(earlier, {"arms": {"before": {"description": None}}})
    assert judged("suite-training", "Q09", "retinanet", bare).outcome is NOT_APPLICABLE


@pytest.mark.parametrize(
    ("label", "statement", "digests", "outcome"),
    [
        ("as submitted in v4.1", "38.115 minutes.", {"result_1": "0" * 64}, VIOLATION),
        ("another arm", "38.115 minutes, the logs resubmitted.", {"result_1": "0" * 64}, VIOLATION),
        ("another arm", "38.115 minutes.", {"result_1": "0" * 64}, NOT_APPLICABLE),
        ("as submitted in v4.1", "38.115 minutes.", {}, NOT_APPLICABLE),  # all are the same
        ("as submitted in v4.1", "38.115 minutes.", dict.fromkeys(NAMES, "0" * 64), NOT_APPLICABLE),  # none is
        ("as submitted in v5.1", "38.115 minutes.", {"result_1": "0" * 64}, NOT_APPLICABLE),
    ],
)
def test_some_logs_of_an_earlier_result_that_were_replaced(judged, label, statement, digests, outcome):
    arm = base("suite-training")["arms"]["retinanet"]
    files = {name: dict(run["file"]) for name, run in arm["runs"].items()}
    first = {
        name: {"role": "training", "file": {**file, "sha256": digests.get(name, file["sha256"])}}
        for name, file in files.items()
    }
    patch = {
        "claims": {"retinanet": {"statement": statement}},
        "arms": {"first": {"system": arm["system"], "label": label, "runs": first}},
    }
    assert judged("suite-training", "Q09", "retinanet", patch).outcome is outcome


def test_a_second_log_of_one_run_with_other_values(judged):
    arm = base("suite-training")["arms"]["retinanet"]
    first = {"system": arm["system"], "runs": {"result_0": arm["runs"]["result_0"]}}
    said = {"arms": {"first": first}}
    assert judged("suite-training", "Q09", "retinanet", said).outcome is not VIOLATION
    logged = arm["runs"]["result_0"]["events"]
    line, event = next((at, item) for at, item in logged.items() if item["key"] == "run_stop")
    edited = first | {"runs": {"result_0": first["runs"]["result_0"] | {"events": {}}}}
    edited["runs"]["result_0"]["events"] = logged | {line: event | {"value": "aborted"}}
    found = judged("suite-training", "Q09", "retinanet", {"arms": {"first": edited}})
    assert (found.outcome, found.branch.branch) == (VIOLATION, "b")
    assert "run_stop" in found.branch.message
