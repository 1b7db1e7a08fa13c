"""F11, F19, F25, F26, F28 to F31, F41, F42, F45, F53, F54 and B02: what a document declares against itself."""

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.book import by_code
from dlaudit.rules.case import Case
from dlaudit.rules.documentation import merge_patch
from dlaudit.rules.engine import judge
from dlaudit.rules.facts.proportions_of_examples import attainable, bounded, printed_share, testable
from dlaudit.rules.facts.sentence_numbers import numbers_of
from dlaudit.rules.outcome import C1, CAVEAT, REFUTES, UNDERMINES, Outcome
from dlaudit.schemas.model import to_model
from dlaudit.schemas.submission import Submission
from dlaudit.schemas.validation import validate
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


def document(code, name, patch):
    """The answer of a rule about the whole document."""
    value = merge_patch(base(name), patch)
    assert not validate("submission", value), validate("submission", value)
    (result,) = [item for item in judge(Case(to_model(value, Submission)), [by_code(code)]) if item.claim is None]
    return result


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


# F25 ------------------------------------------------------------------------------------------------------------------


def seen(observed, **arm):
    return {"arms": {"a": {"observed": observed, **arm}}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (seen({"precision": {"compute": "bfloat16"}}), NOT_APPLICABLE),  # agrees, and the rest was not seen
        (seen({"precision": {"compute": "fp32"}}), ("a", REFUTES)),
        (seen({"precision": {"compute": "unverifiable"}}), NOT_APPLICABLE),
        (seen({"precision": {"compute": "bf16, fp32"}}), NOT_APPLICABLE),
        (seen({"global_batch": 128}), ("a", REFUTES)),
        (seen({"global_batch": 64}, options={"data_parallel": 4}), NOT_APPLICABLE),  # of one of four processes
        (seen({"optimizer": "adamw"}), ("a", REFUTES)),
        (seen({"optimizer": "SGD with Nesterov momentum"}), NOT_APPLICABLE),
        (seen({"model": "resnet-101"}), ("a", REFUTES)),
        (seen({"model": "resnet50_v1.5"}), NOT_APPLICABLE),
        (seen({"input_shape": [224, 224, 3]}), NOT_APPLICABLE),
        (seen({"input_shape": [3, 192, 192]}), ("a", REFUTES)),
        (seen({"dataset": "synthetic"}, options={"dataset": "ImageNet"}), ("a", REFUTES)),
        (seen({"dataset": "ILSVRC 2012"}, options={"dataset": "ImageNet"}), NOT_APPLICABLE),
        (seen({"accumulation": 4}), ("b", UNDERMINES)),
        (seen({"learning_rate": 0.05}, options={"learning_rate": 0.1}), NOT_APPLICABLE),  # under way to its peak
        (seen({"learning_rate": 0.4}, options={"learning_rate": 0.1}), ("b", UNDERMINES)),
        (seen({"compile": True}, options={"compile": False}), ("b", UNDERMINES)),
        (seen({"name": "y"}, options={"name": "x"}), ("c", CAVEAT)),
        (seen({"precision": {"tf32": False}}, options={"precision": {"tf32": True}}), NOT_APPLICABLE),
        (seen({"precision": {"tf32": True}}, options={"precision": {"tf32": False}}), ("a", REFUTES)),
        (seen({"precision": {"compute": "tf32"}}, options={"precision": {"compute": "fp32"}}), NOT_APPLICABLE),
        (seen({"extra": {"amp": False}}, options={"precision": {"compute": "fp16"}}), ("d", CAVEAT)),
        (seen({"extra": {"amp": True}}, options={"precision": {"compute": "fp16"}}), NOT_APPLICABLE),
        (seen({"extra": {"amp": False}}, options={"precision": {"compute": "fp16", "weights": "fp16"}}),
         NOT_APPLICABLE),
        (seen({"devices": 4}, devices=8), ("b", UNDERMINES)),
    ],
)  # fmt: skip
def test_what_was_declared_and_what_was_seen(judged, patch, expected):
    assert answer(judged("rate", "F25", "rate", patch)) == expected


def test_a_number_within_one_percent_is_a_caveat(judged):
    assert answer(judged("rate", "F25", "rate", seen({"global_batch": 255}))) == ("a", CAVEAT)
    assert answer(judged("rate", "F25", "rate", seen({"global_batch": 250}))) == ("a", REFUTES)


def test_an_option_that_the_claim_is_about_decides(judged):
    patch = seen({"compile": True}, options={"compile": False})
    patch["claims"] = {"rate": {"treatment": ["compile"]}}
    assert answer(judged("rate", "F25", "rate", patch)) == ("a", REFUTES)


def test_the_switch_of_mixed_precision_is_a_guess(judged):
    result = judged("rate", "F25", "rate", seen({"extra": {"amp": False}}))
    assert (answer(result), result.branch.confidence) == (("d", CAVEAT), C1)
    assert result.branch.at == "/arms/a/observed/extra/amp"


def test_the_format_of_a_column_is_a_declaration(judged):
    patch = seen({"extra": {"amp": "off"}}, options={"precision": None})
    patch["tables"] = {
        "t": {
            "columns": {"fp16": {"quantity": "rate", "unit": "images/s", "format": "fp16"}},
            "rows": {"a": {"arm": "a", "values": {"fp16": "2500"}}},
        }
    }
    patch["claims"] = {"rate": {"row": {"table": "t", "row": "a"}}}
    assert answer(judged("rate", "F25", "rate", patch)) == ("d", CAVEAT)
    patch["arms"]["a"]["observed"] = {"precision": {"compute": "fp32"}}
    assert answer(judged("rate", "F25", "rate", patch)) == ("a", REFUTES)


def test_trials_that_ran_something_else_are_counted(judged):
    trials = {"t1": {"observed": {"precision": {"compute": "fp32"}}}, "t2": {"observed": {"global_batch": 256}}}
    result = judged("rate", "F25", "rate", {"arms": {"a": {"trials": trials}}})
    assert answer(result) == ("a", REFUTES)
    assert "1 of 2 runs" in result.branch.message


def test_a_power_limit_that_was_not_in_force(judged):
    control = {"power_limit": {"requested": 400, "applied": 400, "found": 300, "verified": "contradicted"}}
    patch = {
        "arms": {"a": {"environment": {"power_limit_w": 400, "controls": control}, "observed": {"global_batch": 256}}}
    }
    assert answer(judged("rate", "F25", "rate", patch)) == ("b", UNDERMINES)
    control["power_limit"] |= {"found": 400, "verified": "verified"}
    assert answer(judged("rate", "F25", "rate", patch)) is NOT_APPLICABLE


@pytest.mark.parametrize(
    ("text", "tokens", "expected"),
    [
        ("129 tokens each", "129", NOT_APPLICABLE),
        ("129 tokens each", "131", NOT_APPLICABLE),
        ("500 tokens each", "268", ("b", UNDERMINES)),
        ("at most 500 tokens", "268", NOT_APPLICABLE),  # a maximum is no length
        ("128-512 tokens", "268", NOT_APPLICABLE),
        ("about 500 tokens", "268", NOT_APPLICABLE),
    ],
)
def test_a_fixed_output_length(judged, text, tokens, expected):
    metric = {"load": {"output_length": text}, "token_times": {"output_tokens": tokens}}
    patch = {"arms": {"server": {"performance": {"latency": metric}}}}
    assert answer(judged("serving", "F25", "latency", patch)) == expected


# F26 ------------------------------------------------------------------------------------------------------------------


def repetitions(**n):
    return {"arms": {"a": {"performance": {"rate": {"n": n}}}}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        ({}, PASS),
        (repetitions(completed=300), PASS),  # of all five processes
        (repetitions(completed=310), ("c", CAVEAT)),
        (repetitions(completed=600), ("b", UNDERMINES)),
        ({"arms": {"a": {"performance": {"rate": {"trials": 10}}}}}, ("b", UNDERMINES)),
        ({"arms": {"a": {"trials": {"t1": {"iterations_planned": 65}}}}}, PASS),  # warm-up need not be there
        ({"arms": {"a": {"trials": {f"t{i}": {"iterations_planned": 90} for i in range(1, 6)}}}}, ("b", UNDERMINES)),
        ({**repetitions(completed=600), "coverage": "excerpt"}, NOT_APPLICABLE),
        ({"arms": {"a": {"trials": {f"t{i}": None for i in range(1, 6)}}}}, NOT_APPLICABLE),
    ],
)
def test_declared_units_are_there(judged, patch, expected):
    assert answer(judged("rate", "F26", "rate", patch)) == expected


def test_two_of_forty_logs_absent_are_a_caveat(judged):
    run = {"kind": "convergence", "outcome": "completed"}
    quality = {"n": {"planned": 40, "completed": 40}, "seeds": None, "interval": None}
    trials = {**NO_RUNS, **{f"r{i}": run for i in range(38)}}
    patch = {"arms": {"trained": {"quality": {"accuracy": quality}, "trials": trials, "plan": None}}}
    assert answer(judged("accuracy", "F26", "accuracy", patch)) == ("c", CAVEAT)
    patch["arms"]["trained"]["trials"] |= {f"r{i}": None for i in range(20)}
    assert answer(judged("accuracy", "F26", "accuracy", patch)) == ("b", UNDERMINES)


def test_a_rate_of_requests_that_are_not_there(judged):
    n = {"planned": 1204, "completed": 1200}
    metrics = {"rate": {"value": "7.53", "work": 1200, "interval": None, "n": n}, "latency": {"n": n}}
    patch = {"arms": {"server": {"performance": metrics}}}
    result = judged("serving", "F26", "rate", patch)
    assert answer(result) == ("a", REFUTES)
    assert "6.2" in result.branch.recomputed
    gone = {"arms": {"server": {"performance": metrics, "trials": {"t5": None}}}}
    assert answer(judged("serving", "F26", "rate", gone)) == ("b", UNDERMINES)  # a process is missing
    alone = {"arms": {"server": {"performance": {"rate": metrics["rate"]}}}}
    assert judged("serving", "F26", "rate", alone).outcome is not VIOLATION  # other units than those of the latency


# F28 ------------------------------------------------------------------------------------------------------------------


def sentence(text, **claim):
    return {"claims": {"rate": {"statement": text, **claim}}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        ({}, PASS),
        (sentence("It processes 45100 tokens per second."), ("a", UNDERMINES)),
        (sentence("It processes 41,300 tokens/s."), PASS),
        (sentence("It processes 41.3k tokens/s."), PASS),
        (sentence("It processes more than 40,000 tokens/s."), PASS),
        (sentence("It processes about 40,000 tokens per second."), PASS),
        (sentence("It processes 41.4k tokens/s."), ("b", CAVEAT)),
        (sentence("It processes 41300 tokens/s, 28910 tokens/s before."), PASS),
        (sentence("It is fast: see the table."), PASS),
        (sentence("With 8 GPUs it takes 3 s; 41300 in all."), PASS),
        (sentence("It processes 45100 tokens per second.", basis="derived"), PASS),
        (sentence("It processes 30000 to 45100 tokens per second.", range={"low": "30000", "high": "45100",
                  "where": "elsewhere"}), PASS),
        ({"arms": {"fused": {"performance": {"rate": {"value": "45100"}}}}}, ("a", UNDERMINES)),
        ({"arms": {"fused": {"performance": {"rate": {"value": "45100", "statistic": "mean"}}}}}, NOT_APPLICABLE),
        ({"arms": {"fused": {"performance": {"rate": {"value": "41.3", "unit": "ktokens/s", "digits": None}}}}}, PASS),
        ({"arms": {"fused": {"performance": {"rate": {"value": "48.9", "unit": "ktokens/s", "digits": None}}}}},
         ("a", UNDERMINES)),
        ({"claims": {"speedup": {"base": {"value": "27000", "unit": "tokens/s"}}}}, ("a", UNDERMINES)),
        ({"claims": {"speedup": {"value": "1.53"}}}, ("a", UNDERMINES)),
        ({"claims": {"speedup": {"value": "43", "unit": "%"}}}, PASS),
    ],
)  # fmt: skip
def test_one_quantity_has_one_value(patch, expected):
    assert answer(document("F28", "training-pair", patch)) == expected


def cells(rate, **column):
    return {"tables": {"nodes": {"columns": {"rate": column}, "rows": {"r8": {"values": {"rate": rate}}}}}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (cells("129600"), PASS),
        (cells("150000"), ("a", UNDERMINES)),
        (cells("130100"), ("b", CAVEAT)),
        (cells("150000", statistic="max"), NOT_APPLICABLE),
        (cells("150000", scope="epoch"), NOT_APPLICABLE),
    ],
)
def test_a_cell_and_the_metric_of_its_arm(patch, expected):
    assert answer(document("F28", "strong-scaling", patch)) == expected


def test_a_value_and_the_statistic_of_its_summary():
    patch = {"arms": {"server": {"performance": {"latency": {"summary": {"mean": "2.603"}}}}}}
    assert answer(document("F28", "serving", patch)) == ("a", UNDERMINES)


@pytest.mark.parametrize(
    ("text", "unit", "values"),
    [
        ("1.43x", "x", 1),
        ("8x A100 at 224 x 224", "x", 0),
        ("1.43 times as fast, at 2.0x the batch", "x", 2),
        ("three times faster", "x", 0),
        ("2 h 5 min", "s", 0),
        ("2.5 h", "s", 1),
        ("5 images per second per GPU", "images/s", 0),
        ("NaN images/s and 1e999 images/s", "images/s", 1),
        ("", "x", 0),
        ("12 %", None, 0),
    ],
)
def test_numbers_are_read_with_their_unit(text, unit, values):
    assert len(numbers_of(text, unit)) == values


@given(st.text(max_size=200), st.sampled_from(["x", "%", "s", "images/s", "TFLOP/s", "apples"]))
def test_any_sentence_can_be_read(text, unit):
    for value in numbers_of(text, unit):
        assert value.low <= value.high


# F29 ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One A100 trains ResNet-50 at 2500 images per second.", PASS),
        ("One H100 trains ResNet-50 at 2500 images per second.", ("a", UNDERMINES)),
        ("One A100-SXM4-80GB trains ResNet-50 at 2500 images per second.", PASS),
        ("In FP16, ResNet-50 trains at 2500 images per second.", ("a", UNDERMINES)),
        ("In BF16 with FP32 accumulation, ResNet-50 trains at 2500 images per second.", PASS),
        ("In mixed precision, ResNet-50 trains at 2500 images per second.", PASS),
        ("With FP32 master weights it trains at 2500 images per second.", PASS),
        ("At batch size 256 it trains at 2500 images per second.", PASS),
        ("At batch size 512 it trains at 2500 images per second.", ("a", UNDERMINES)),
        ("At batch 1k it trains at 2500 images per second.", PASS),
        ("The mean rate is 2500 images per second.", ("a", UNDERMINES)),
        ("On 8x A100 it trains at 2500 images per second.", PASS),
        ("The median rate, with a mean of 2510, is 2500 images per second.", PASS),
        ("Faster than a V100 and an A100: 2500 images per second.", PASS),
    ],
)
def test_a_sentence_describes_its_number(text, expected):
    assert answer(document("F29", "rate", sentence(text))) == expected


@pytest.mark.parametrize(
    ("name", "patch", "expected"),
    [
        ("rate", {"arms": {"a": {"performance": {"rate": {"statistic": "mean"}}}}}, ("a", UNDERMINES)),
        ("strong-scaling", {"claims": {"speedup": {"label": "weak"}}}, ("b", CAVEAT)),
        ("strong-scaling", {"tables": {"nodes": {"rows": {"r8": {"options": {"global_batch": 4096}}}}}},
         ("a", UNDERMINES)),
        ("strong-scaling", {"tables": {"nodes": {"rows": {"r8": {"options": {"activation_checkpointing": True}}}}}},
         ("b", CAVEAT)),
        ("strong-scaling", {"tables": {"nodes": {"rows": {"r8": {"label": "8 nodes, FP16"}}}}}, PASS),
        ("strong-scaling", {"tables": {"nodes": {"rows": {"r8": {"options": {"precision": {"compute": "bf16"}},
                                                                "label": "8 nodes, FP16"}}}}}, ("a", UNDERMINES)),
        ("strong-scaling", {"tables": {"nodes": {"columns": {"rate": {"format": "fp16"}},
                            "rows": {"r8": {"options": {"precision": {"compute": "bf16"}}}}}}}, ("a", UNDERMINES)),
        ("strong-scaling", {"tables": {"nodes": {"columns": {"rate": {"statistic": "mean"}}}}}, ("a", UNDERMINES)),
        ("strong-scaling", {"tables": {"nodes": {"rows": {"r8": {"devices": 128,
                            "options": {"global_batch": 4096}}}}}}, PASS),  # the arm is another point
    ],
)  # fmt: skip
def test_two_places_describe_one_number_alike(name, patch, expected):
    assert answer(document("F29", name, patch)) == expected


# F30 and F31 ----------------------------------------------------------------------------------------------------------


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


def rates(r2, r4, **row):
    rows = {"r1": {"values": {"rate": "19600.7"}}, "r2": {"values": {"rate": r2}},
            "r4": {"values": {"rate": r4}, **row}, "r8": {"values": {"rate": "129600.5"}}}  # fmt: skip
    return {"tables": {"nodes": {"rows": rows}}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (rates("38210.4", "73640.2"), PASS),
        (rates("38210.4", "38210.4"), ("a", CAVEAT)),
        (rates("38210.4", "38210.4", arm="n2"), PASS),  # one arm fills two cells, and says so
        (rates("381e2", "381e2"), NOT_APPLICABLE),  # too few digits
        (rates("38210.4", "38210.4", arm=None), NOT_APPLICABLE),  # no scatter
    ],
)
def test_equal_digits_of_different_configurations(judged, patch, expected):
    assert answer(judged("strong-scaling", "F31", "speedup", patch)) == expected


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


# F45 ------------------------------------------------------------------------------------------------------------------


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


# F53, F54 and B02 -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("factor", "expected"),
    [
        ({"value": "1"}, PASS),
        ({"value": "1.024", "numerator": "43.008", "denominator": "42.000"}, PASS),
        ({"value": "1.100", "numerator": "43.008", "denominator": "42.000"}, ("a", REFUTES)),
        ({"value": "0.960", "numerator": "0.960", "denominator": "1.000"}, ("a", REFUTES)),  # it improves the time
        ({"value": "0.960"}, ("a", REFUTES)),
        ({"value": "0.9999", "numerator": "0.9999", "denominator": "1.0000"}, ("a", CAVEAT)),  # the score stays 85.0
        ({"value": "1.024"}, NOT_SHOWN),
        ({"value": "1.024", "numerator": "43.008", "denominator": "42.000", "reference_exists": False},
         ("a", REFUTES)),
        ({"value": "1.024", "numerator": "43.008", "denominator": "0"}, NOT_APPLICABLE),
    ],
)  # fmt: skip
def test_a_factor_is_its_quotient(judged, factor, expected):
    assert answer(judged("time-to-accuracy", "F53", "time", {"claims": {"time": {"factor": factor}}})) == expected


def test_the_score_without_the_factor_is_printed(judged):
    result = judged("time-to-accuracy", "F53", "time", {"claims": {"time": {"factor": {"value": "1.0625"}}}})
    assert "80 s without it" in result.branch.message


def outputs(generated, **server):
    quality = {"metric": "ROUGE-1", "value": "38.72", "split": "test", "examples": 1000}
    if generated is not None:
        quality["output_length"] = {"generated": generated, "reference": generated}
    return {"arms": {"server": {"quality": {"rouge": quality}, **server}}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (outputs("128.6"), PASS),
        (outputs("139"), ("b", CAVEAT)),
        (outputs("214"), ("a", UNDERMINES)),
        (outputs("100"), ("a", UNDERMINES)),
        (outputs("0"), NOT_APPLICABLE),
        (outputs(None), NOT_APPLICABLE),
    ],
)
def test_outputs_are_as_long_in_both_runs(judged, patch, expected):
    assert answer(judged("serving", "F54", "rate", patch)) == expected


def test_sampling_explains_a_difference(judged):
    tokens = {"output_tokens": [20.0, 400.0, 30.0, 70.0] * 3}
    trials = {f"t{i}": {"samples": tokens} for i in range(1, 6)}
    assert answer(judged("serving", "F54", "rate", outputs("150", trials=trials))) is PASS
    assert answer(judged("serving", "F54", "rate", outputs("900", trials=trials))) == ("a", UNDERMINES)


def figure(**changes):
    return {"figures": {"f1": {"caption": "Rate", "kind": "bar", "arms": ["a"], "values_stated": False, **changes}}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (figure(), PASS),  # the arm states its value
        (figure(values_stated=None), NOT_APPLICABLE),
        (figure(arms=["other"]), NOT_APPLICABLE),
        (figure(arms=["a", "b"]) | {"arms": {"b": {}}}, PASS),  # the claim is about the other arm
        (figure() | {"arms": {"a": {"performance": {"rate": {"value": None}, "end-to-end": None},
                     "trials": {f"t{i}": None for i in range(1, 6)}}}}, NOT_SHOWN),
    ],
)  # fmt: skip
def test_values_stand_somewhere(judged, patch, expected):
    result = judged("rate", "B02", "rate", patch)
    assert answer(result) == expected
