"""F39, clock-started-late."""

import pytest
from dlaudit.rules.outcome import Outcome
from support.answers import found
from support.training_logs import CLAIM, EVENTS, START, of_run


@pytest.mark.parametrize(
    ("late_ms", "processes", "expected"),
    [
        (900, 1, "pass"),
        (1_100, 1, ("a", "refutes")),
        (4_000, 8, "pass"),
        (4_000, None, "pass"),
        (6_000, 8, ("a", "refutes")),
    ],
)
def test_a_start_after_the_first_epoch(judged, late_ms, processes, expected):
    patch = of_run({"23": {"time_ms": EVENTS["24"]["time_ms"] + late_ms}}, processes=processes)
    assert found(judged("suite-training", "F39", CLAIM, patch)) == expected


def test_a_late_start_gives_the_corrected_time(judged):
    result = judged("suite-training", "F39", CLAIM, of_run({"23": {"time_ms": START + 10_000}}))
    assert (result.branch.claimed, result.branch.recomputed) == ("2273.268 s", "2283.266 s")
    assert result.branch.at.endswith("/events/24")


def test_a_declared_warm_up_trains_and_does_not_evaluate(judged):
    warm = {"arms": {CLAIM: {"measurement": {"warmup": {"policy": "three steps on synthetic data before the clock"}}}}}
    early = of_run({"120": {"time_ms": START - 9_000, "key": "epoch_start"}})
    early["arms"][CLAIM] |= warm["arms"][CLAIM]
    result = judged("suite-training", "F39", CLAIM, early)
    assert result.outcome is Outcome.PASS
    assert "a warm-up is declared" in result.notes[0]
    early["arms"][CLAIM]["runs"]["result_1"]["events"] = {
        "120": {"time_ms": START - 9_000, "key": "eval_accuracy", "value": 0.1}
    }
    assert found(judged("suite-training", "F39", CLAIM, early)) == ("a", "refutes")


def blocks(*counters):
    """Blocks of training by what their starts and stops count, from line 200 on."""
    keys = ("block_start", "block_stop")
    return {
        str(200 + index): {"time_ms": START + 1_000 * index, "key": keys[index % 2], "samples": samples}
        for index, samples in enumerate(counters)
    } | {line: None for line, event in EVENTS.items() if event["key"].startswith("epoch_")}


def test_a_first_block_with_samples_behind_it_needs_a_checkpoint(judged):
    resumed = blocks(512, 1024, 1024, 1536)
    assert found(judged("suite-training", "F39", CLAIM, of_run(resumed))) == ("a", "refutes")
    logged = {**resumed, "150": {"key": "init_checkpoint_step", "value": 512, "kind": "option"}}
    assert found(judged("suite-training", "F39", CLAIM, of_run(logged))) == "pass"
    words = [{"topic": "checkpoint_rule", "quote": "Training continues from a pretrained model."}]
    said = {**of_run(resumed), "claims": {CLAIM: {"said": words}}}
    assert found(judged("suite-training", "F39", CLAIM, said)) == "pass"


@pytest.mark.parametrize(
    "counters", [(0, 512, 512, 1024), (512, 512, 512, 512), (1920, 1920, 384, 384), (512, 512, 1024, 1024)]
)
def test_counts_of_blocks_and_counts_at_their_end_begin_above_zero(judged, counters):
    assert found(judged("suite-training", "F39", CLAIM, of_run(blocks(*counters)))) == "pass"


def test_a_log_without_start_is_not_judged(judged):
    assert found(judged("suite-training", "F39", CLAIM, of_run({"23": None}))) == "not-applicable"
