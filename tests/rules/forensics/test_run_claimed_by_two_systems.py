"""F35, run-claimed-by-two-systems: A run file that is handed in for two systems that differ."""

from dlaudit.rules.bases import base
from support.answers import found
from support.training_logs import CLAIM, RUNS


def second_system(platform, **system):
    claim = {**base("suite-training")["claims"][CLAIM], "measured": {"arm": "copy"}}
    claim = {key: value for key, value in claim.items() if key not in {"quality", "interval"}}
    file = {"name": "r/other/r.txt", "sha256": RUNS["result_0"]["file"]["sha256"]}
    run = {"role": "training", "file": file, "events": {"11": {"key": "submission_platform", "value": platform}}}
    return {
        "claims": {"copy": claim},
        "systems": {"other": {"name": "Other Box, 8x H200", "device": "H200", "devices_per_node": 8, **system}},
        "arms": {"copy": {"system": "other", "runs": {"r": run}}},
    }


def test_the_result_that_the_log_does_not_name_has_the_finding(judged):
    patch = second_system("1xExample Server 8xH100")
    assert found(judged("suite-training", "F35", "copy", patch)) == ("a", "refutes")
    assert found(judged("suite-training", "F35", CLAIM, patch)) == "pass"


def test_a_copy_that_no_claim_rests_on_is_told_where_the_run_belongs(judged):
    patch = second_system("1xExample Server 8xH100")
    del patch["claims"]
    result = judged("suite-training", "F35", CLAIM, patch)
    assert found(result) == ("c", "caveat")
    assert result.branch.at == "/arms/copy/runs/r/file"


def test_a_log_that_names_neither_system_undermines_both(judged):
    patch = second_system("node")
    patch["arms"][CLAIM] = {"runs": {"result_0": {"events": {"11": {"value": "node"}}}}}
    assert found(judged("suite-training", "F35", "copy", patch)) == ("a", "undermines")
    assert found(judged("suite-training", "F35", CLAIM, patch)) == ("a", "undermines")


def test_one_machine_under_two_names_is_a_caveat_and_another_round_nothing(judged):
    own = base("suite-training")["systems"]["server"]
    alike = {key: own[key] for key in ("device", "nodes", "host_processor", "host_sockets", "host_memory_gib")}
    patch = second_system("1xExample Server 8xH100", **alike)
    assert found(judged("suite-training", "F35", "copy", patch)) == ("b", "caveat")
    patch["claims"]["copy"]["suite_result"] = {**patch["claims"]["copy"]["suite_result"], "round": "v5.1"}
    assert found(judged("suite-training", "F35", "copy", patch)) == "pass"
    patch["arms"]["copy"] |= {"system": None, "label": None}
    patch["claims"]["copy"]["statement"] = "It was trained in 38.115 minutes."
    assert found(judged("suite-training", "F35", "copy", patch)) == "not-applicable"
