"""W0902, flops-per-example-excessive."""

import pytest
from dlaudit.rules.outcome import Outcome


def flop(value, shape=(3, 224, 224), model="ViT-22B", work="samples", **claim):
    options = {"model": model, "dataset": "ImageNet", "input_length": None, "input_shape": list(shape)}
    return {
        "claims": {"flops": {"work": work, **claim}},
        "arms": {"a": {"options": options, "operations": {"flop_per_sample": value}}},
    }


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (flop(1.01e12), Outcome.VIOLATION),
        (flop(1e12), Outcome.PASS),
        (flop(None), Outcome.NOT_APPLICABLE),
        (flop(1e13, explanation="for zero-shot transfer"), Outcome.PASS),
        (flop(1e13, model="latent diffusion"), Outcome.NOT_APPLICABLE),
        (flop(1e13, shape=(3, 16, 224, 224)), Outcome.NOT_APPLICABLE),
        (flop(1e13, work="tokens"), Outcome.NOT_APPLICABLE),
    ],
)
def test_a_teraflop_for_an_image(judged, patch, outcome):
    assert judged("training-flops", "W0902", "flops", patch).outcome is outcome


def work(value, **options):
    return {"arms": {"a": {"options": options, "operations": {"flop_per_sample": value}}}}


@pytest.mark.parametrize(
    ("patch", "branch"),
    [
        ({}, None),
        (work(8.1e9), None),
        (work(2.1e10), None),
        (work(1.3e11), "b"),
        (work(8.1e9 * 2048 * 16), "b"),
        (work(8.1e9 * 2048 * 1.33), None),
        (work(1.3e11, model="decoder of unknown size"), None),
        (work(1.3e11, model="Mixtral 8x7B"), None),
        (work(1.3e11, model="decoder, 24 layers", extra={"parameters": 1.3e9}), "b"),
        (flop(1.1e11, model="ResNet-50"), "b"),
        (flop(4.9e10, model="ResNet-50 (FMA = 2, recomputed)"), None),
        (flop(3.4e9, shape=(3, 32, 32), model="ResNet-18"), None),
        (flop(2.8e10, model="ViT-S/16"), None),
        (flop(1.41e11, model="ViT-S/16 with overlapping patches"), "b"),
        (flop(1.1e11, model="ResNet-50", explanation="a dense stem, for localisation"), None),
    ],
)
def test_the_usual_work_of_a_model(judged, patch, branch):
    result = judged("training-flops", "W0902", "flops", patch)
    assert (result.branch.branch if result.branch is not None else None) == branch
    assert result.outcome is not Outcome.NOT_SHOWN


@pytest.mark.parametrize(
    ("options", "times"),
    [
        ({"model": "decoder 1.3B, every block applied 24 times in a row to each token"}, 24),
        ({"extra": {"passes_through_layers": 16}}, 16),
        ({"augmentation": "flip; 128 draws of it per image in every step"}, 128),
        ({"decoding": "256 samples at temperature 1 for each prompt; the likeliest is returned"}, 256),
        ({"decoding": "best of 64"}, 64),
        ({"augmentation": "3 copies of each image in a batch"}, None),
        ({"augmentation": "DINO, 10 crops per image"}, None),
        ({"augmentation": "random crop of 224 pixels, 12 % of the images flipped"}, None),
        ({"decoding": "greedy, 256 tokens per request"}, None),
        ({"model": "decoder 1.3B, 24 layers"}, None),
        ({"preprocessing": "BPE 50257, packed to 2048 tokens per sequence"}, None),
        ({"augmentation": "batches of 512 samples, 32 steps per epoch"}, None),
    ],
)
def test_an_example_that_is_computed_many_times(judged, options, times):
    result = judged("training-flops", "W0902", "flops", {"arms": {"a": {"options": options}}})
    assert (result.branch.branch if result.branch is not None else None) == ("c" if times else None)
    if times:
        assert f"{times} times" in result.branch.message
    reason = {"claims": {"flops": {"explanation": "it is what the method does"}}, "arms": {"a": {"options": options}}}
    assert judged("training-flops", "W0902", "flops", reason).outcome is not Outcome.VIOLATION
