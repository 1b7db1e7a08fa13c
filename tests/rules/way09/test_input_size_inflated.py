"""W0901, input-size-inflated: Examples of several times the usual size, without a reason for it."""

import pytest
from dlaudit.rules.outcome import C1, Effect, Outcome

LARGE = [3, 449, 449]


def image(shape, dataset="ImageNet", model="ResNet-50", **more):
    return {"arms": {"a": {"options": {"input_shape": shape, "dataset": dataset, "model": model}, **more}}}


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (image([3, 224, 224]), Outcome.PASS),
        (image([224, 224, 3]), Outcome.PASS),
        (image([3, 448, 448]), Outcome.PASS),
        (image(LARGE), Outcome.VIOLATION),
        (image([449, 449, 3]), Outcome.VIOLATION),
        (image([3, 800, 1333], "COCO 2017", "Mask R-CNN"), Outcome.NOT_SHOWN),
        (image([3, 600, 600], model="EfficientNet-B7"), Outcome.NOT_SHOWN),
        (image([3, 512, 512], model="ViT-L/16@512"), Outcome.NOT_SHOWN),
        (image([1, 512, 512], "CT slices", "U-Net"), Outcome.NOT_SHOWN),
        (image([3, 1024, 1024], "LAION", "Stable Diffusion"), Outcome.NOT_SHOWN),
        (image([3, 64, 64], "CelebA", "StyleGAN2"), Outcome.PASS),
        (image([4, 128, 128, 128], "CosmoFlow", "CosmoFlow"), Outcome.PASS),
        (image([256, 256, 256, 4], "CosmoFlow", "CosmoFlow"), Outcome.VIOLATION),
        (image([3, 224, 224], "CIFAR-10", "ViT-B/16"), Outcome.PASS),
        (image([3, 1024, 1024], "CIFAR-10", "ViT-B/16"), Outcome.VIOLATION),
        (image([3, 800, 800], "OpenImages MLPerf", "RetinaNet"), Outcome.PASS),
        (image([13], "Criteo", "DLRM"), Outcome.NOT_SHOWN),
        (image(None), Outcome.NOT_SHOWN),
        (image(LARGE, native_input={"shape": [3, 449, 449], "source": "the data set"}), Outcome.PASS),
        (image([3, 100, 100], native_input={"shape": [3, 32, 32]}), Outcome.VIOLATION),
        (image([4, 128, 128, 128], native_input={"shape": [4, 128, 128, 128]}), Outcome.PASS),
        (image([4, 256, 256, 256], native_input={"shape": [4, 128, 128, 128]}), Outcome.VIOLATION),
    ],
)
def test_images_against_the_usual_size(judged, patch, outcome):
    result = judged("rate", "W0901", "rate", patch)
    assert result.outcome is outcome, result
    if outcome is Outcome.VIOLATION:
        assert (result.branch.effect, result.branch.confidence) == (Effect.UNDERMINES, C1)


@pytest.mark.parametrize(
    "reason",
    [
        {"claims": {"rate": {"explanation": "the images are maps"}}},
        {"claims": {"rate": {"said": [{"topic": "problem_size", "quote": "at full size, for small objects"}]}}},
        {"disclosures": [{"topic": "problem_size", "quote": "at full size, for small objects"}]},
    ],
)
def test_a_reason_is_enough(judged, reason):
    assert judged("rate", "W0901", "rate", {**image(LARGE), **reason}).outcome is Outcome.PASS


def test_size_as_the_subject_is_outside(judged):
    patch = image(LARGE) | {"claims": {"rate": {"treatment": ["input_shape"], "explanation": "small objects"}}}
    assert judged("rate", "W0901", "rate", patch).outcome is Outcome.NOT_APPLICABLE
    patch["claims"]["rate"]["explanation"] = None
    assert judged("rate", "W0901", "rate", patch).outcome is Outcome.VIOLATION


def quality(values, direction="higher"):
    seeds = {str(index): value for index, value in enumerate(values)}
    return {"top1": {"metric": "top-1", "direction": direction, "seeds": seeds}}


@pytest.mark.parametrize(
    ("large", "small", "direction", "outcome"),
    [
        (["78.1", "78.2", "78.0"], ["76.1", "76.2", "76.0"], "higher", Outcome.PASS),
        (["78.1", "75.2", "76.0"], ["76.1", "76.2", "76.0"], "higher", Outcome.VIOLATION),
        (["76.1", "76.2", "76.0"], ["78.1", "78.2", "78.0"], "higher", Outcome.VIOLATION),
        (["1.10", "1.11", "1.09"], ["1.30", "1.31", "1.29"], "lower", Outcome.PASS),
        (["78.1", "78.2"], ["76.1", "76.2"], "higher", Outcome.VIOLATION),
        (["0", "0", "0"], ["76.1", "76.2", "76.0"], "higher", Outcome.VIOLATION),
    ],
)
def test_a_significant_gain_in_quality_is_a_reason(judged, large, small, direction, outcome):
    patch = image(LARGE, quality=quality(large, direction))
    patch["arms"]["small"] = {
        "options": {"model": "ResNet-50", "input_shape": [3, 224, 224]},
        "quality": quality(small, direction),
    }
    assert judged("rate", "W0901", "rate", patch).outcome is outcome


def text(length, **more):
    return {
        "claims": {"rate": {"measured": {"arm": "fused"}}},
        "arms": {"fused": {"options": {"input_length": length}, **more}},
    }


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (text(1024), Outcome.PASS),
        (text(4097, quality=None, trials=None), Outcome.VIOLATION),
        (text(4096, quality=None, trials=None), Outcome.PASS),
        (text(12288, native_input={"length": 8192}), Outcome.PASS),
        (text(12289, native_input={"length": 8192}), Outcome.VIOLATION),
        (text(32769, native_input={"length": 8192}), Outcome.VIOLATION),
    ],
    ids=["trained at it", "over 4 times the trained length", "4 times", "1.5 times native", "over 1.5", "over 4 times"],
)
def test_sequences_against_the_native_or_trained_length(judged, patch, outcome):
    assert judged("training-pair", "W0901", "rate", patch).outcome is outcome


def test_a_length_without_a_reference_is_not_shown(judged):
    patch = {"arms": {"a": {"native_input": None}}}
    assert judged("training-flops", "W0901", "flops", patch).outcome is Outcome.NOT_SHOWN
    assert judged("training-flops", "W0901", "flops").outcome is Outcome.PASS


def test_kernels_have_no_examples(judged):
    assert judged("kernel", "W0901", "gemm").outcome is Outcome.NOT_APPLICABLE


def test_a_size_that_the_document_calls_native_is_the_narrower_measure(judged):
    native = {"native_input": {"shape": [3, 224, 224]}}
    result = judged("training-flops", "W0901", "flops", image([3, 448, 448], **native))
    assert (result.branch.branch, result.branch.effect) == ("b", Effect.CAVEAT)
    result = judged("training-flops", "W0901", "flops", image(LARGE, **native))
    assert (result.branch.branch, result.branch.effect) == ("a", Effect.UNDERMINES)
    assert judged("training-flops", "W0901", "flops", image([3, 256, 256], **native)).outcome is Outcome.PASS


def test_a_model_that_is_applied_at_the_size_of_its_evaluation_is_not_inflated(judged):
    quality = {"top1": {"metric": "top-1", "value": "0.81", "evaluation_input": "resize 340, centre crop 336"}}
    patch = image([3, 336, 336], native_input={"shape": [3, 224, 224]}, quality=quality)
    applied = {**patch, "claims": {"flops": {"mode": "inference", "scope": "step"}}}
    assert judged("training-flops", "W0901", "flops", applied).outcome is Outcome.PASS
    assert judged("training-flops", "W0901", "flops", patch).outcome is Outcome.VIOLATION


def lengths(*pairs, **claim):
    """Return a patch: a service of a language model under loads of these prompt and output lengths."""
    arms = {
        f"load-{prompt}": {
            "performance": {
                "rate": {
                    "quantity": "rate",
                    "value": "10907",
                    "unit": "tokens/s",
                    "load": {"prompt_length": prompt, "output_length": output},
                }
            }
        }
        for prompt, output in pairs
    }
    said = {"mode": "inference", "work": "tokens", "scope": "serving_window", "unit": "tokens/s", "row": None}
    measured = {"arm": f"load-{pairs[0][0]}", "metric": "rate"}
    return {
        "claims": {"rate": {**said, "measured": measured, "statement": "It serves 10,907 tokens/s.", **claim}},
        "arms": arms,
    }


def test_one_pair_of_short_lengths_owes_others(judged):
    result = judged("rate", "W0901", "rate", lengths(("128", "128")))
    assert (result.outcome, result.branch.item) == (Outcome.NOT_SHOWN, "other lengths of the load")


@pytest.mark.parametrize(
    "patch",
    [
        lengths(("128", "128"), ("2048", "128")),
        lengths(("2048", "128")),
        lengths(("128", "64"), statement="With prompts of 128 tokens it serves 10,907 tokens/s."),
    ],
    ids=["two pairs", "long prompts", "the sentence names the length"],
)
def test_other_or_named_lengths_owe_nothing(judged, patch):
    result = judged("rate", "W0901", "rate", patch)
    assert result.branch is None or getattr(result.branch, "item", "") != "other lengths of the load"
