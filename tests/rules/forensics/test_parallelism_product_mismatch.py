"""F30, parallelism-product-mismatch."""

import pytest
from dlaudit.rules.outcome import CAVEAT, UNDERMINES, Outcome
from support.answers import answer, in_words
from support.descriptions import ARM, arm, server

PASS, VIOLATION, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_APPLICABLE


def parallel(**options):
    return {"arms": {"trained": {"devices": 64, "options": {"devices": 64, "global_batch": 1024, **options}}}}


FULL = {"tensor_parallel": 4, "pipeline_parallel": 2, "context_parallel": 1, "data_parallel": 8, "micro_batch": 16,
        "accumulation": 8}  # fmt: skip


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (FULL, PASS),
        (FULL | {"expert_parallel": 8}, PASS),
        (FULL | {"data_parallel": 4, "accumulation": 16, "expert_parallel": 2}, NOT_APPLICABLE),  # an axis of its own
        (FULL | {"data_parallel": 4, "accumulation": 16, "sharding": "fsdp"}, NOT_APPLICABLE),
        (FULL | {"data_parallel": 4, "accumulation": 16}, ("a", UNDERMINES)),
        (FULL | {"data_parallel": 16, "accumulation": 4}, ("a", UNDERMINES)),
        (FULL | {"data_parallel": None, "tensor_parallel": 5}, ("a", UNDERMINES)),  # 10 does not divide 64
        (FULL | {"context_parallel": None, "tensor_parallel": 2}, NOT_APPLICABLE),  # it may be 2
        (FULL | {"data_parallel": None}, NOT_APPLICABLE),
        (FULL | {"accumulation": 4}, ("a", UNDERMINES)),
        (FULL | {"global_batch": 1023}, ("a", CAVEAT)),
        (FULL | {"accumulation": None}, NOT_APPLICABLE),
        (FULL | {"global_batch": 1024 * 2048, "input_length": 2048}, NOT_APPLICABLE),  # counted in tokens
        (FULL | {"global_batch": 1024 * 2048, "input_length": 1000}, ("a", UNDERMINES)),
    ],
)
def test_parallel_sizes_multiply(judged, options, expected):
    assert answer(judged("time-to-accuracy", "F30", "time", parallel(**options))) == expected


def test_two_dies_may_be_one_device(judged):
    patch = parallel(**FULL | {"data_parallel": 16, "accumulation": 4})
    patch["systems"] = {"node": {"name": "8x MI250X", "device": "MI250X"}}
    assert answer(judged("time-to-accuracy", "F30", "time", patch)) is PASS


def test_a_factor_through_a_table_is_one_finding(judged):
    sizes = {"tensor_parallel": 1, "pipeline_parallel": 1, "context_parallel": 1}
    rows = {f"r{n}": {"options": {**sizes, "data_parallel": 4 * n}} for n in (1, 2, 4, 8)}
    patch = {"tables": {"nodes": {"rows": rows}}, "claims": {"speedup": {"row": {"table": "nodes", "row": None}}}}
    result = judged("strong-scaling", "F30", "speedup", patch)
    assert answer(result) == ("a", UNDERMINES)
    assert "one factor of 0.5 runs through all 4" in result.branch.message


def events(**lines):
    return arm(runs={f"result_{i}": {"events": lines} for i in range(5)})


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
    assert (in_words(result) == ("b", "caveat")) is expected
    patch["systems"]["server"]["device_kind"] = "processor"
    assert judged("suite-training", "F30", ARM, patch).outcome is not VIOLATION
