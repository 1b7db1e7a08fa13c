"""F29, F32, F44 to F46, Q21, R02, R06 and R12: descriptions, names and options of a result, each against the other."""

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.book import by_code
from dlaudit.rules.case import Case
from dlaudit.rules.documentation import merge_patch
from dlaudit.rules.engine import judge
from dlaudit.rules.facts.document.placeholders import is_blank
from dlaudit.rules.outcome import Outcome
from dlaudit.schemas.model import to_model
from dlaudit.schemas.submission import Submission
from dlaudit.schemas.validation import validate

ARM = "retinanet"
PASS, VIOLATION, NOT_SHOWN = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN


def document(name, code, patch=None):
    value = merge_patch(base(name), patch or {})
    assert not validate("submission", value)
    (result,) = [item for item in judge(Case(to_model(value, Submission)), [by_code(code)]) if item.claim is None]
    return result


def arm(**fields):
    return {"arms": {ARM: fields}}


def events(**lines):
    return arm(runs={f"result_{i}": {"events": lines} for i in range(5)})


def server(**fields):
    return {"systems": {"server": fields}}


def answer(result):
    return (result.branch.branch, result.branch.effect.word) if result.outcome is VIOLATION else result.outcome


# R12 and F46: placeholders


@pytest.mark.parametrize(
    ("text", "blank"),
    [
        ("SUBMITTER_NAME_HERE", True),
        ("2xSUBMISSION_PLATFORM_PLACEHOLDER", True),
        ("YOUR_COMPANY", True),
        ("TODO", True),
        ("THERE", False),
        ("EL_R8_HERETIC", False),
        ("placeholder", False),
        ("GLOBAL_BATCH", False),
        (8, False),
    ],
)
def test_names_of_blanks(text, blank):
    assert is_blank(text) is blank


def test_a_placeholder_in_the_logs_is_named():
    patch = {"claims": {ARM: {"suite_result": {"system": "1xSUBMISSION_PLATFORM_PLACEHOLDER"}}}}
    assert "SUBMISSION_PLATFORM" in document("suite-training", "R12", patch).branch.message
    assert document("suite-training", "R12").outcome is PASS


def test_a_placeholder_is_no_other_organisation(judged):
    patch = arm(description={"fields": {"submitter": "SUBMITTER_NAME_HERE"}})
    assert judged("suite-training", "F46", ARM, patch).outcome is not VIOLATION
    assert "SUBMITTER_NAME_HERE" in document("suite-training", "R12", patch).branch.message
    other = arm(description={"fields": {"submitter": "Other Company"}})
    assert judged("suite-training", "F46", ARM, other).outcome is VIOLATION


# F32


def test_what_a_run_logs_after_its_start_it_does_log(judged):
    after = {"19": None, "900": {"time_ms": 1744012950000, "key": "train_samples", "value": 1170301}}
    late = arm(runs={"result_1": {"events": after}})
    assert judged("suite-training", "F32", ARM, late).outcome is PASS
    never = arm(runs={"result_1": {"events": {"19": None}}})
    assert judged("suite-training", "F32", ARM, never).outcome is NOT_SHOWN


# F45


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
    assert answer(judged("suite-training", "F45", ARM, patch)) == expected


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
    assert answer(judged("suite-training", "F45", ARM, server(name=name, nodes=nodes))) == expected


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
    assert answer(judged("suite-training", "F45", ARM, events(**logged(1, 8, ranks)))) == expected


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
    assert answer(next(item for item in results if item.claim == ARM)) == expected


# F29 and F44


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"device": "NVIDIA H200-SXM-141GB", "device_memory_gib": 80}, ("a", "undermines")),
        ({"device": "H200", "device_memory_gib": 80}, ("b", "caveat")),
        ({"device": "H200", "device_memory_gib": 140.4}, PASS),
        ({"device": "H200", "device_memory_gib": 141}, PASS),
        ({"device": "A100", "device_memory_gib": 40}, PASS),
        ({"device": "A100 MIG 1g.10gb", "device_memory_gib": 10}, PASS),
        ({"device": "Some NPU", "device_memory_gib": 7}, PASS),
        ({"name": "EL-R8_8xH100", "device": "NVIDIA H200", "device_memory_gib": 141}, ("a", "undermines")),
        ({"name": "DGX GB200", "device": "B200", "device_memory_gib": 186}, PASS),
    ],
)
def test_the_memory_of_a_device_is_that_of_its_model(fields, expected):
    patch = server(**({"name": "a server", "device_variant": None} | fields))
    patch["claims"] = {ARM: {"statement": "RetinaNet was trained in the time that its logs give."}}
    assert answer(document("suite-training", "F29", patch)) == expected


@pytest.mark.parametrize(
    ("folder", "expected"),
    [
        ("Lab/results/R8_8xA100-SXM-80GB/retinanet", ("b", "undermines")),
        ("Lab/results/R8_8xH100-SXM-80GB/retinanet", PASS),
        ("Lab/results/box/retinanet", PASS),
        ("A100-lab/R8/retinanet", PASS),
    ],
)
def test_the_folder_of_a_result_names_its_device(judged, folder, expected):
    assert answer(judged("suite-training", "F44", ARM, arm(folder=folder))) == expected


# Q21, R02, R06 and R08


def described(**fields):
    return arm(description={"fields": fields})


def test_training_is_not_asked_for_what_its_descriptions_do_not_have(judged):
    result = judged("suite-training", "Q21", ARM, described(system_type=None, host_network_card_count=None))
    assert "system_type" not in str(result.branch)
    assert "host_network_card_count" not in str(result.branch)
    inference = {"arms": {"offline": {"description": {"fields": {"system_type": None}}}}}
    assert "system_type" in str(judged("suite-inference", "Q21", "offline", inference).branch)


@pytest.mark.parametrize(
    ("fields", "empty"),
    [
        ({}, False),
        ({"other_software_stack.cuda_version": "", "other_software_stack.cuda_driver_version": ""}, True),
        ({"other_software_stack.cuda_version": None, "other_software_stack.cuda_driver_version": None}, True),
    ],
)
def test_an_object_stands_for_its_parts(judged, fields, empty):
    result = judged("suite-training", "Q21", ARM, described(**fields))
    assert ("other_software_stack" in str(result.branch)) is empty


def test_no_variant_is_asked_of_a_device_without_a_name(judged):
    nameless = server(device=None, device_variant=None, name="a server")
    message = judged("suite-training", "R02", ARM, nameless).branch.message
    assert "device" in message
    assert "variant" not in message


@pytest.mark.parametrize(
    ("extra", "missing"),
    [
        ({"precision_mode": "amp", "gradient_accumulation_frequency": 1}, ()),
        ({"precision_mode": ""}, ("precision", "batch")),
        ({"d_batch_size": 32}, ("precision",)),
    ],
)
def test_options_that_only_a_log_names(judged, extra, missing):
    options = {"precision": None, "micro_batch": None, "per_device_batch": None, "accumulation": None, "extra": extra}
    result = judged("rate", "R06", "rate", {"arms": {"a": {"options": options}}})
    message = result.branch.message if result.outcome is NOT_SHOWN else ""
    assert tuple(word for word in ("precision", "batch") if word in message) == missing


# F30


@pytest.mark.parametrize(
    ("batch", "devices", "expected"),
    [
        (32, 8, False),  # 8 x 32 is 256
        (64, 8, False),  # two devices share a batch
        (16, 8, False),  # a device counts as two
        (28, 8, True),
        (8, 8, True),  # 32 batches of eight
        (43, 8, True),
        (28, 7, True),
        (0, 8, False),
    ],
)
def test_the_batch_of_a_device_and_the_devices_make_the_global_batch(judged, batch, devices, expected):
    each = {"950": {"key": "d_batch_size", "value": batch, "kind": "option"}}
    patch = server(devices_per_node=devices) | events(**each)
    result = judged("suite-training", "F30", ARM, patch)
    assert (answer(result) == ("b", "caveat")) is expected
    patch["systems"]["server"]["device_kind"] = "processor"
    assert judged("suite-training", "F30", ARM, patch).outcome is not VIOLATION


# F43


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ([4571, 4571, 4571], PASS),
        ([4572, 4572, 4572], PASS),
        ([4000, 4000, 4000], PASS),  # a part was left out
        ([2286, 2286, 2286], ("c", "caveat")),  # an epoch may be a part of a pass
        ([9144, 9144, 9144], ("c", "undermines")),
        ([7000, 7000, 7000], ("c", "caveat")),
        ([2286, 2290, 2286], PASS),  # epochs of the program's own
        ([2286, 2286], PASS),  # too few
    ],
)
def test_an_epoch_passes_the_training_set_once(judged, steps, expected):
    ends = [sum(steps[: index + 1]) for index in range(len(steps))]
    marks = {
        str(800 + index): {"key": "epoch_stop", "value": None, "epoch": index + 1, "step": end, "kind": "train"}
        for index, end in enumerate(ends)
    }
    result = judged("suite-training", "F43", ARM, arm(runs={"result_1": {"events": marks}}))
    assert (answer(result) if result.outcome is VIOLATION else PASS) == expected
