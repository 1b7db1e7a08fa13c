"""F45, device-count-differs-from-description."""

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.book import by_code
from dlaudit.rules.case import Case
from dlaudit.rules.documentation import merge_patch
from dlaudit.rules.engine import judge
from dlaudit.rules.outcome import REFUTES, UNDERMINES, Outcome
from dlaudit.schemas.model import to_model
from dlaudit.schemas.submission import Submission
from support.answers import answer, in_words
from support.descriptions import ARM, arm, server

PASS, VIOLATION, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("platform", "node", "outcome"),
    [
        ("1xExample Server 8xH100", {}, PASS),
        ("1xExample Server 16xH100", {}, VIOLATION),
        ("16xH100_SXM_80GB", {}, VIOLATION),
        ("1xExample H100", {}, PASS),  # one machine
        ("1xExample Server, 16x MI300X", {}, PASS),  # of another device
        ("16xGB200 NVL72", {"device": "GB200"}, PASS),  # a rack has its own count
        ("8xDGX H100", {}, PASS),
        ("2xDGX H100", {"nodes": 4}, PASS),  # a part of the machines
        ("2xDGX H100", {}, VIOLATION),
    ],
)
def test_the_platform_of_a_log_has_the_devices_of_the_description(judged, platform, node, outcome):
    runs = {f"result_{i}": {"events": {"11": {"value": platform}}} for i in range(5)}
    patch = {"systems": {"server": node}, "arms": {"retinanet": {"runs": runs}}}
    assert judged("suite-training", "F45", "retinanet", patch).outcome is outcome


def test_the_log_of_one_of_many_instances_names_a_part_of_the_system(judged):
    runs = {f"result_{i}": {"events": {"11": {"value": "2xDGX H100"}}} for i in range(5)}
    patch = {"arms": {"retinanet": {"runs": runs}}}
    assert judged("suite-training", "F45", "retinanet", patch).outcome is VIOLATION
    weak = patch | {"claims": {"retinanet": {"label": "weak"}}}
    assert judged("suite-training", "F45", "retinanet", weak).outcome is PASS


def logs(nodes, each, count=5):
    """Runs that log their nodes and the devices of each."""
    events = {"901": {"key": "number_of_nodes", "value": nodes, "kind": "option"},
              "902": {"key": "accelerators_per_node", "value": each, "kind": "option"}}  # fmt: skip
    return {"arms": {"retinanet": {"runs": {f"result_{i}": {"events": events} for i in range(count)}}}}


@pytest.mark.parametrize(
    ("nodes", "each", "node", "expected"),
    [
        (1, 8, {}, None),
        ("1", "8", {}, None),
        (2, 8, {}, ("a", "refutes")),
        (1, 8, {"devices_per_node": 4}, ("a", "refutes")),
        (1, 8, {"nodes": 2}, ("c", "caveat")),
        (128, 0, {}, None),  # processors only
        (1, "eight", {}, None),
        (1, "9" * 3999, {}, None),
        (-1, -16, {}, None),
    ],
)
def test_the_nodes_and_devices_that_runs_log_are_those_of_the_description(judged, nodes, each, node, expected):
    patch = {"systems": {"server": node}, **logs(nodes, each)}
    result = judged("suite-training", "F45", "retinanet", patch)
    branch = result.branch if result.outcome is VIOLATION else None
    assert (branch and (branch.branch, branch.effect.word)) == expected


def test_one_run_that_logs_more_devices_than_the_system_has(judged):
    assert judged("suite-training", "F45", "retinanet", logs(4, 8, 1)).branch.branch == "a"
    weak = logs(4, 8, 1) | {"claims": {"retinanet": {"label": "weak"}}}
    assert judged("suite-training", "F45", "retinanet", weak).outcome is PASS


def test_a_part_of_the_runs_may_log_fewer_devices(judged):
    patch = logs(1, 4)
    patch["arms"]["retinanet"]["runs"]["result_0"] = logs(1, 8, 1)["arms"]["retinanet"]["runs"]["result_0"]
    assert judged("suite-training", "F45", "retinanet", patch).outcome is PASS


@pytest.mark.parametrize(
    ("name", "outcome"),
    [
        ("example_8xh100", PASS),
        ("example_16xh100", VIOLATION),
        ("2x16xH100 of one rack", PASS),
        ("rack_h100", PASS),
        ("S8545_7713_H100-SXM5x8", PASS),  # a processor by its number
    ],
)
def test_the_name_of_a_system_with_its_count(judged, name, outcome):
    patch = {"systems": {"server": {"name": name, "device": "NVIDIA H100-SXM5-80GB"}}}
    assert judged("suite-training", "F45", "retinanet", patch).outcome is outcome


def events(**lines):
    return arm(runs={f"result_{i}": {"events": lines} for i in range(5)})


@pytest.mark.parametrize(
    ("platform", "node", "expected"),
    [
        ("2xFjord-hx8", {}, ("b", "undermines")),
        ("2xXE9680Lx8H200-SXM-141GB", {}, ("b", "undermines")),
        ("2xFjord-hx8", {"nodes": 2}, PASS),
        ("1xFjord-hx8", {"nodes": 4}, PASS),  # a part of it
        ("8xFjord", {}, PASS),  # the devices of the node
        ("2xGB200", {}, PASS),  # of devices, not of machines
        ("2xRACK NVL72", {}, PASS),
        ("Fjord 2x8", {}, PASS),
    ],
)
def test_the_platform_counts_the_machines(judged, platform, node, expected):
    patch = server(**node) | events(**{"11": {"value": platform}})
    assert in_words(judged("suite-training", "F45", ARM, patch)) == expected


@pytest.mark.parametrize(
    ("name", "nodes", "expected"),
    [
        ("Fjord cluster, 2 nodes", 1, ("b", "undermines")),
        ("Fjord cluster, 2 nodes", 2, PASS),
        ("2-node Fjord", 1, ("b", "undermines")),
        ("1 of 4 nodes", 1, PASS),
        ("DGX-2", 1, PASS),  # one machine, whatever its name counts
        ("DGX-2 nodes", 1, PASS),
        ("four DGX-2", 1, ("b", "undermines")),
        ("NVL72 rack, 18 nodes", 1, PASS),
    ],
)
def test_the_nodes_in_the_name_of_a_system(judged, name, nodes, expected):
    assert in_words(judged("suite-training", "F45", ARM, server(name=name, nodes=nodes))) == expected


def logged(nodes, each, ranks=None):
    values = {"number_of_nodes": nodes, "accelerators_per_node": each, "number_of_ranks": ranks}
    return {
        str(901 + index): {"key": key, "value": value, "kind": "option"}
        for index, (key, value) in enumerate(values.items())
        if value is not None
    }


@pytest.mark.parametrize(
    ("ranks", "expected"), [(8, PASS), (16, PASS), (4, PASS), (6, ("c", "caveat")), (12, ("c", "caveat"))]
)
def test_ranks_are_shared_out_over_devices(judged, ranks, expected):
    assert in_words(judged("suite-training", "F45", ARM, events(**logged(1, 8, ranks)))) == expected


@pytest.mark.parametrize(
    ("nodes", "apart_ms", "expected"),
    [
        (4, 0, ("b", "undermines")),  # five instances of one node at once
        (5, 0, PASS),
        (4, 10_000_000, PASS),  # one after another
    ],
)
def test_instances_that_ran_at_once_share_the_system(judged, nodes, apart_ms, expected):
    def instance(index):
        start = 1744012991494 + index * apart_ms
        stop = {"time_ms": start + 2_000_000, "key": "run_stop", "value": None}
        return {"events": logged(1, 8) | {"23": {"time_ms": start, "key": "run_start"}, "999": stop}}

    runs = {f"result_{index}": {"events": None} for index in range(5)}
    patch = server(nodes=nodes) | {"claims": {ARM: {"label": "weak"}}}
    patch |= arm(runs={key: instance(index) for index, key in enumerate(runs)})
    value = merge_patch(base("suite-training"), arm(runs=runs))
    value = merge_patch(value, patch)
    results = judge(Case(to_model(value, Submission)), [by_code("F45")])
    assert in_words(next(item for item in results if item.claim == ARM)) == expected


def system(arm=None, claim=None, **changes):
    return {"systems": {"node": changes}, "arms": {"a": arm or {}}, "claims": {"rate": claim or {}}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (system(), PASS),
        (system({"devices": 8}), ("a", REFUTES)),
        (system({"devices": 4}, nodes=1, devices_per_node=8, name="DGX A100"), PASS),  # a part of the machine
        (system({"label": "128 GPUs"}, nodes=2, devices_per_node=8, name="DGX A100"), ("a", REFUTES)),
        (system({"label": "16 GPUs"}, nodes=2, devices_per_node=8, name="2x DGX A100"), PASS),
        (system({"label": "2 of the 4 GPUs"}), PASS),
        (system(claim={"statement": "Sixty-four, that is 64 A100 GPUs, train at 2500 images per second."}),
         ("a", REFUTES)),
        (system(nodes=1, devices_per_node=8, name="4x A100-SXM4-80GB"), ("b", UNDERMINES)),
        (system(nodes=1, devices_per_node=8, name="8x A100-SXM4, 2x EPYC 7763"), PASS),
        (system(nodes=1, devices_per_node=8, name="p4d.24xlarge, A100"), PASS),
        (system(nodes=18, devices_per_node=4, name="72x GB200 NVL72", device="B200"), PASS),
        (system(nodes=None), NOT_APPLICABLE),
        (
            system({"devices": 64}, {"row": {"table": "t", "row": "r"}}, nodes=1, devices_per_node=8, name="DGX A100")
            | {"tables": {"t": {"columns": {"rate": {"quantity": "rate", "unit": "images/s"}},
                                "rows": {"r": {"arm": "a", "devices": 64, "values": {"rate": "2500"}}}}}},
            NOT_APPLICABLE,
        ),
        (system({"devices": 40}, device="A100 and H100"), NOT_APPLICABLE),  # a mixed system adds up
        (system({"trials": {"t1": {"device_ids": ["a", "b"]}}}), ("a", REFUTES)),
    ],
)  # fmt: skip
def test_devices_are_those_of_the_description(judged, patch, expected):
    assert answer(judged("rate", "F45", "rate", patch)) == expected


def handed_in(nodes, each, **fields):
    given = {"number_of_nodes": nodes, "accelerators_per_node": each, **fields}
    return {"arms": {"a": {"devices": 1, "description": {"fields": given}}}}


@pytest.mark.parametrize(
    ("patch", "found"),
    [
        (handed_in("1", "1"), False),
        (handed_in("3", "8"), True),
        (handed_in("1", "8", notes="a partition of one device"), False),
        (handed_in("one", "8"), False),
    ],
)
def test_the_description_as_handed_in(judged, patch, found):
    result = judged("rate", "F45", "rate", patch)
    assert (result.outcome is VIOLATION) is found


@pytest.mark.parametrize(
    ("folder", "nodes", "expected"),
    [
        ("8xBM.B200.8", 8, PASS),
        ("8xBM.B200.8", 4, ("b", "undermines")),
        ("cluster_n16_25.09", 16, PASS),
        ("cluster_n16_25.09", 4, ("b", "undermines")),
        ("cluster_ngpu64_nemo", 8, PASS),
        ("cluster_ngpu72_nemo", 8, ("b", "undermines")),
        ("4xRACKx2x8GB200", 8, PASS),
        ("32xMI300X_2xEPYC_16xMI325X_2xEPYC", 6, PASS),
        ("box_8xh100", 8, PASS),
    ],
)
def test_the_folder_of_a_system_counts_its_nodes_or_its_devices(judged, folder, nodes, expected):
    patch = {"arms": {ARM: {"folder": f"results/{folder}/retinanet"}}, "systems": {"server": {"nodes": nodes}}}
    patch["systems"]["server"]["devices_per_node"] = 8
    assert in_words(judged("suite-training", "F45", "retinanet", patch)) == expected
