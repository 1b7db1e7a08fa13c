"""F11, F19, F41 and F42: qualities against their examples, their loss, their log and their set."""

import pytest
from dlaudit.rules.facts.training.proportions_of_examples import attainable, bounded, printed_share, testable
from dlaudit.rules.outcome import CAVEAT, REFUTES, UNDERMINES, Outcome
from hypothesis import given
from hypothesis import strategies as st

PASS, NOT_SHOWN, NOT_APPLICABLE, VIOLATION = (
    Outcome.PASS,
    Outcome.NOT_SHOWN,
    Outcome.NOT_APPLICABLE,
    Outcome.VIOLATION,
)
testable.__test__ = False


def answer(result):
    if result.outcome is not VIOLATION:
        return result.outcome
    return result.branch.branch, result.branch.effect


# F11 ------------------------------------------------------------------------------------------------------------------


def accuracy(value, claim=None, **quality):
    changes = {"value": value, "interval": None, "seeds": None, "averaging": None, **quality}
    return {
        "claims": {"accuracy": {"value": value, "interval": None, "unit": quality.get("unit", "%"), **(claim or {})}},
        "arms": {"trained": {"quality": {"accuracy": changes}, "trials": NO_RUNS}},
    }


NO_RUNS = {f"s{i}": None for i in range(1, 6)}
ONE_RUN = {"n": {"planned": 1, "completed": 1}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        ({}, NOT_APPLICABLE),  # 94.50 % of 5 x 10,000: untestable
        (accuracy("94.503", examples=1000, last_batch="kept", **ONE_RUN), ("a", CAVEAT)),
        (accuracy("94.500", examples=1000, last_batch="kept", **ONE_RUN), PASS),
        (accuracy("0.94503", unit="fraction", examples=1000, last_batch="kept", **ONE_RUN), ("a", CAVEAT)),
        (accuracy("94.503", examples=1000, evaluation_batch=100, **ONE_RUN), ("a", CAVEAT)),  # batches fill it
        (accuracy("94.503", examples=1000, **ONE_RUN), NOT_APPLICABLE),  # a batch of 512 may have been filled up
        (accuracy("76.13", examples=50000, **ONE_RUN), NOT_APPLICABLE),  # untestable
        (accuracy("90.874", metric="F1", examples=10833, counted=None, claim={"metric": "F1"}, **ONE_RUN),
         NOT_APPLICABLE),
        (accuracy("76.131", examples=50000, **ONE_RUN), NOT_APPLICABLE),  # evaluation batch unknown
        (accuracy("94.503", examples=1000, last_batch="kept", counted=False, **ONE_RUN), NOT_APPLICABLE),
        (accuracy("94.503", examples=1000, last_batch="kept", averaging="mean over classes", **ONE_RUN),
         NOT_APPLICABLE),
        (accuracy("94.503", examples=1000, last_batch="kept", test_time_augmentation="10 crops", **ONE_RUN),
         NOT_APPLICABLE),
        (accuracy("94.503", examples=1000, last_batch="kept", n=None, averaging="mean over seeds"), NOT_APPLICABLE),
        (accuracy("94.52", examples=1000, last_batch="kept", n={"planned": 5, "completed": 5}), PASS),  # of 5 runs
        (accuracy("94.53", examples=1000, last_batch="kept", n={"planned": 5, "completed": 5}), ("a", CAVEAT)),
        (accuracy("104.2"), ("b", REFUTES)),
        (accuracy("-3.0"), ("b", REFUTES)),
        (accuracy("94.5", unit="fraction"), ("b", CAVEAT)),
        (accuracy("104.2", examples=None), ("b", REFUTES)),
        (accuracy("131.0", metric="perplexity", unit=None, counted=False, claim={"metric": "perplexity"}),
         NOT_APPLICABLE),
        (accuracy("104.2", claim={"quality": None, "metric": "accuracy"}), ("b", REFUTES)),
        (accuracy("104.2", claim={"quality": None, "form": "ratio", "metric": "accuracy"}), NOT_APPLICABLE),
    ],
)  # fmt: skip
def test_an_accuracy_is_a_count_over_its_examples(judged, patch, expected):
    assert answer(judged("accuracy", "F11", "accuracy", patch)) == expected


def test_the_value_of_a_seed_is_a_count_too(judged):
    patch = accuracy("94.503", examples=1000, last_batch="kept", seeds={"1": "94.5", "2": "94.503"},
                     n={"planned": 2, "completed": 2})  # fmt: skip
    result = judged("accuracy", "F11", "accuracy", patch)
    assert answer(result) == ("a", CAVEAT)
    assert "/seeds/2" in " ".join([result.branch.at, *(item.at for item in result.others)])


def test_an_accuracy_that_only_its_false_digits_carry_over_the_target_undermines(judged):
    target = {"metric": "accuracy", "value": "94.502", "direction": "higher"}
    patch = accuracy("94.503", examples=1000, last_batch="kept", claim={"target": target}, **ONE_RUN)
    assert answer(judged("accuracy", "F11", "accuracy", patch)) == ("a", UNDERMINES)
    patch["claims"]["accuracy"]["target"] = target | {"value": "0.9"}
    assert answer(judged("accuracy", "F11", "accuracy", patch)) == ("a", CAVEAT)


@given(st.integers(1, 5000), st.data(), st.integers(0, 5))
def test_every_count_is_attainable(examples, data, decimals):
    right = data.draw(st.integers(0, examples))
    printed = printed_share(f"{100 * right / examples:.{decimals}f}", "%")
    assert attainable(printed, examples)
    if testable(printed, examples):
        assert printed.ulp * examples < 1


@pytest.mark.parametrize("name", ["top-1 accuracy", "Top-5", "exact match", "recall@10", "F1", "mIoU", "mAP"])
def test_shares_are_bounded(name):
    assert bounded(name)


@pytest.mark.parametrize("name", ["loss", "perplexity", "FID", "BLEU", "reward", "Elo", "mapping error m"])
def test_other_metrics_are_not(name):
    assert not bounded(name)


# F19 ------------------------------------------------------------------------------------------------------------------

LOSS = {"metric": "loss", "value": "3.22", "unit": None, "seeds": None, "interval": None, "averaging": None,
        "counted": False, "loss": "3.22", "loss_base": "e", "loss_per": "token"}  # fmt: skip


def loss(**changes):
    return {
        "claims": {"accuracy": {"metric": "loss", "value": "3.22", "unit": None, "interval": None}},
        "arms": {"trained": {"quality": {"accuracy": {**LOSS, **changes}}}},
    }


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"perplexity": "25.0"}, PASS),
        ({"perplexity": "25"}, PASS),
        ({"perplexity": "23.5"}, ("a", REFUTES)),
        ({"perplexity": "25.3"}, ("a", CAVEAT)),
        ({"perplexity": "9.32", "loss_base": "2"}, PASS),
        ({"perplexity": "60.1", "perplexity_per": "word"}, NOT_APPLICABLE),
        ({"perplexity": "23.5", "loss_base": None}, NOT_APPLICABLE),
        ({"perplexity": "23.5", "loss_per": None}, NOT_APPLICABLE),
        ({"perplexity": "23.5", "averaging": "mean over documents"}, NOT_APPLICABLE),
        ({"bits_per_byte": "1.06", "bytes_per_token": 4.38}, PASS),
        ({"bits_per_byte": "0.93", "bytes_per_token": 4.38}, ("a", REFUTES)),
        ({"bits_per_byte": "0.93"}, NOT_APPLICABLE),
        ({"bits_per_byte": "4.65", "loss_per": "byte"}, PASS),
        ({"perplexity": "2", "loss": "1e99"}, NOT_APPLICABLE),
        ({}, NOT_APPLICABLE),
    ],
)
def test_a_perplexity_follows_from_its_loss(judged, changes, expected):
    assert answer(judged("accuracy", "F19", "accuracy", loss(**changes))) == expected


# F08 ------------------------------------------------------------------------------------------------------------------


def scattered(half, value="62.00", varies="examples", label="sem", **quality):
    held = {"plus_minus": {"value": half, "label": label, "varies": varies}, "examples": 100, "counted": True}
    patch = accuracy(value, **{**held, **quality})
    patch["claims"]["accuracy"]["statement"] = f"ResNet-9 has a test accuracy of {value} +- {half}."
    return patch


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (scattered("0.40"), ("b", UNDERMINES)),
        (scattered("4.878"), NOT_APPLICABLE),  # as it is; there are no seeds to form it from
        (scattered("3.9"), NOT_APPLICABLE),
        (scattered("9.7"), NOT_APPLICABLE),  # of dependent examples
        (scattered("0.40", varies=None), NOT_APPLICABLE),  # over runs, as it may be
        (scattered("0.40", varies="seeds"), NOT_APPLICABLE),
        (scattered("0.40", label="sd"), NOT_APPLICABLE),
        (scattered("0.40", counted=False), NOT_APPLICABLE),  # a mean of what scatters less
        (scattered("0.40", averaging="mean of 64 samples per problem"), NOT_APPLICABLE),
        (scattered("0.40", averaging="over 4 epochs"), NOT_APPLICABLE),
        (scattered("0.40", averaging="micro"), ("b", UNDERMINES)),
        (scattered("0.40", metric="accuracy, avg@64"), NOT_APPLICABLE),
        (scattered("0.40", metric="pass@10"), NOT_APPLICABLE),
        (scattered("0.40", metric="pass@1"), ("b", UNDERMINES)),
        (scattered("0.40", value="62.37"), NOT_APPLICABLE),  # no count of 100 gives it
        (scattered("0.40", examples=None), NOT_APPLICABLE),
        (scattered("0.40", value="100.00"), NOT_APPLICABLE),
        (scattered("0.004", value="0.62", unit="fraction"), ("b", UNDERMINES)),
        (scattered("0.0488", value="0.62", unit="fraction"), NOT_APPLICABLE),
    ],
)
def test_a_standard_error_over_examples_follows_from_their_share(judged, patch, expected):
    assert answer(judged("accuracy", "F08", "accuracy", patch)) == expected


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("62.00 +- 0.40 (standard error over 100 problems of the mean of 64 samples each)", NOT_APPLICABLE),
        ("62.00 +- 0.40, averaged over 4 epochs", NOT_APPLICABLE),
        ("62.00 +- 0.40, 8 generations for each question", NOT_APPLICABLE),
        ("62.00 +- 0.40 (mean of 100 samples)", ("b", UNDERMINES)),
        ("62.00 +- 0.40 after 40 epochs", ("b", UNDERMINES)),
    ],
)
def test_the_mean_of_several_answers_scatters_less(judged, statement, expected):
    patch = scattered("0.40")
    patch["claims"]["accuracy"]["statement"] = statement
    assert answer(judged("accuracy", "F08", "accuracy", patch)) == expected


# F41 and F42 ----------------------------------------------------------------------------------------------------------


def log(*values, outcome="completed", metric="accuracy", split="test", **trial):
    items = [
        {"split": split, "samples": 1000 * i, "step": i, "time_s": float(i), "metrics": {metric: value}}
        for i, value in enumerate(values)
    ]
    trials = {**NO_RUNS, "s1": {"evaluations": items, "outcome": outcome, "crossing": None, "final": None, **trial}}
    return {"arms": {"trained": {"trials": trials}}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (log(0.1, 0.5, 0.95), PASS),
        (log(0.1, 0.5, None), ("a", REFUTES)),
        (log(0.1, None, 0.95), ("b", UNDERMINES)),
        (log(None, 0.5, 0.95), PASS),  # before the first step
        (log(0.1, None, 0.95, crossing={"reached": True, "samples": 1000}), ("a", REFUTES)),
        (log(0.1, 0.5, None, outcome="diverged"), NOT_APPLICABLE),
        (log(0.1, 0.5, None, metric="loss"), NOT_APPLICABLE),
        (log(0.1, 0.5, None, split="train"), NOT_APPLICABLE),
    ],
)
def test_evaluations_are_numbers(judged, patch, expected):
    assert answer(judged("time-to-accuracy", "F41", "time", patch)) == expected


def both(losses, name="loss"):
    patch = log(0.1, 0.5, 0.93, 0.95)
    for item, loss in zip(patch["arms"]["trained"]["trials"]["s1"]["evaluations"], losses, strict=True):
        item["metrics"][name] = loss
    return patch


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (both((2.3, 1.1, None, 0.2)), ("b", UNDERMINES)),
        (both((2.3, 1.1, 0.3, None)), ("b", UNDERMINES)),
        (both((2.3, 1.1, 0.3, 0.2)), PASS),
        (both((2.3, None, 0.3, None)), PASS),  # computed at every second evaluation
        (both((2.3, 1.1, None, 0.2), "calibration error"), PASS),  # may be left out
        (
            both((2.3, 1.1, None, 0.2))
            | {
                "disclosures": [
                    {"topic": "infrastructure_failures", "quote": "The loss of step 2 is NaN: it overflows in FP16."}
                ]
            },
            PASS,
        ),
    ],
)
def test_a_loss_beside_the_claims_metric_stays_a_number(judged, patch, expected):
    assert answer(judged("time-to-accuracy", "F41", "time", patch)) == expected


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("It is faster than the other one.", ("b", UNDERMINES)),
        ("It is faster than the other one, which diverges.", PASS),
    ],
)
def test_evaluations_of_what_a_claim_is_set_against_are_numbers(judged, statement, expected):
    patch = log(0.1, 0.5, 0.95)
    patch["arms"]["other"] = {
        "trials": {"s1": {**log(0.1, None, 0.93)["arms"]["trained"]["trials"]["s1"], "kind": "convergence"}}
    }
    patch["claims"] = {"time": {"statement": statement, "base": {"arm": "other", "definition": "the other one"}}}
    assert answer(judged("time-to-accuracy", "F41", "time", patch)) == expected


def counted(examples, splits=None, **more):
    quality = {"examples": examples, **more.pop("quality", {})}
    return {"arms": {"trained": {"quality": {"accuracy": quality}, "splits": splits or {}, "trials": NO_RUNS}}, **more}


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
        (sizes("llama2_70b_lora", 97, kind="stat"), NOT_APPLICABLE),
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
