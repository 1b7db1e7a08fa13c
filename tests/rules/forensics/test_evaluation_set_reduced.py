"""F42, evaluation-set-reduced: A quality that was counted on a part of the set it is named after."""

import pytest
from dlaudit.rules.outcome import CAVEAT, REFUTES, UNDERMINES, Outcome
from support.answers import answer
from support.quality import RUNS

PASS, NOT_APPLICABLE = Outcome.PASS, Outcome.NOT_APPLICABLE


def counted(examples, splits=None, **more):
    quality = {"examples": examples, **more.pop("quality", {})}
    return {"arms": {"trained": {"quality": {"accuracy": quality}, "splits": splits or {}, "trials": RUNS}}, **more}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (counted(10000), PASS),
        (counted(10240), PASS),  # padded to a multiple of the batch
        (counted(8000), ("a", REFUTES)),
        (counted(9984), ("a", CAVEAT)),  # a dropped last batch
        (counted(1000, quality={"subset": "on the first 1000 images"}), ("b", CAVEAT)),
        (counted(1000, claims={"accuracy": {"statement": "94.50 % on a subset of 1000 images."}}), ("b", CAVEAT)),
        (counted(10000, quality={"subset": "10,000 of 60,000 images"}), ("b", CAVEAT)),
        (counted(10000, quality={"subset": "2 of the 60000 classes"}), PASS),  # of something else
        (counted(8000, splits={"test": None}), ("a", REFUTES)),  # the table knows CIFAR-10
        (counted(None), NOT_APPLICABLE),
    ],
)
def test_the_whole_set_is_evaluated(judged, patch, expected):
    assert answer(judged("accuracy", "F42", "accuracy", patch)) == expected


def test_a_set_that_nobody_knows_the_size_of(judged):
    patch = counted(8000, splits={"test": None})
    patch["arms"]["trained"]["options"] = {"dataset": "our own data"}
    assert answer(judged("accuracy", "F42", "accuracy", patch)) is NOT_APPLICABLE
    other = {"options": {"dataset": "our own data"}, "quality": {"accuracy": {"metric": "accuracy", "split": "test",
             "examples": 10000}}}  # fmt: skip
    patch["arms"]["other"] = other
    assert answer(judged("accuracy", "F42", "accuracy", patch)) == ("a", REFUTES)


def sizes(benchmark, *counts, **event):
    runs = {f"result_{i}": {"events": {"20": {"value": count, **event}}} for i, count in enumerate(counts)}
    result = {"suite_result": {"benchmark": benchmark, "round": "v5.0"}}
    unsaid = {"quality": {"mAP": {"examples": None}}, "options": {"dataset": None}, "splits": None}
    return {"arms": {"retinanet": {"runs": runs, **unsaid}}, "claims": {"retinanet": result}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (sizes("llama2_70b_lora", *[173] * 5), NOT_APPLICABLE),
        (sizes("llama2_70b_lora", *[97] * 5), ("c", UNDERMINES)),
        (sizes("llama2_70b_lora", 173, 173, 97), ("c", UNDERMINES)),
        (sizes("llama2_70b_lora", 176, 173), NOT_APPLICABLE),  # padded
        (sizes("llama2_70b_lora", *[22] * 5), NOT_APPLICABLE),  # the share of each of eight devices
        (sizes("dlrm_dcnv2", *[89137318] * 5), NOT_APPLICABLE),  # a dropped rest
        (sizes("rgat", *[78837] * 5), ("c", UNDERMINES)),
        (sizes("retinanet", *[4571] * 5), NOT_APPLICABLE),  # published logs of it count batches, too
        (sizes("llama2_70b_lora", 97, kind="stat"), ("c", UNDERMINES)),  # counted before the first evaluation
        (sizes("llama2_70b_lora", "some"), NOT_APPLICABLE),
        (sizes("llama2_70b_lora", 0), NOT_APPLICABLE),
    ],
)
def test_a_suites_training_run_evaluates_the_set_of_its_benchmark(judged, patch, expected):
    assert answer(judged("suite-training", "F42", "retinanet", patch)) == expected


@pytest.mark.parametrize(("count", "expected"), [(24781, PASS), (4571, PASS), (12000, ("a", REFUTES))])
def test_a_log_may_count_the_batches_of_a_named_set(judged, count, expected):
    runs = {f"result_{i}": {"events": {"20": {"value": count}}} for i in range(5)}
    arm = {"options": {"dataset": "openimages-mlperf"}, "runs": runs}
    assert answer(judged("suite-training", "F42", "retinanet", {"arms": {"retinanet": arm}})) == expected
