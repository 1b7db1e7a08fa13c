"""What a report owes because its own words raise it: work in advance, a condition of a rate, passes behind a score."""

import pytest
from support.reports import RATE, SPEED, TIMED, report

ANSWERS = RATE | {"scope": "request", "mode": "inference", "statement": "It answers 5000 images per second."}


def said(topic, quote):
    return {"said": [{"topic": topic, "quote": quote}]}


def item(result):
    return getattr(result.branch, "item", "")


HOURS = RATE | {
    "statement": "The training takes 675 GPU days.",
    "value": "675",
    "unit": "GPU days",
    "quantity": "time",
    "scope": "training_run",
}


@pytest.mark.parametrize(
    ("quote", "expected"),
    [
        ("Prepare the text features in advance to save memory.", "work done beforehand"),
        ("Captions are auto-labeled by a large model.", "work done beforehand"),
        ("We use pre-computed latents of all images.", "work done beforehand"),
        ("The targets were fixed in advance.", "clock's exclusions"),
        ("The clock starts with the first batch.", "clock's exclusions"),
    ],
)
def test_a_time_says_whether_it_counts_the_work_in_advance(quote, expected):
    assert item(report("W0605", HOURS | said("other", quote))) == expected


def test_what_the_clock_leaves_out_answers_it():
    arms = {"timed": TIMED | {"measurement": {"exclusions": {"compile": {"recurs": "per_run", "stated": True}}}}}
    claim = HOURS | said("other", "Prepare the text features in advance to save memory.")
    assert item(report("W0605", claim, arms)) == ""


SCORE = {
    "statement": "It has 95 % fewer hallucinations than the last release.",
    "value": "95",
    "unit": "%",
    "quantity": "accuracy",
    "metric": "hallucinations",
    "form": "ratio",
    "scope": "request",
    "mode": "inference",
    "compares": "own_variants",
}
ON = "what a quality was measured on"


@pytest.mark.parametrize(
    ("fields", "arm", "expected"),
    [
        ({}, {}, ON),
        ({"metric": "WER on LibriSpeech"}, {}, ""),
        ({"statement": "It has 95 % fewer errors on COCO."}, {}, ""),
        ({"statement": "It has 95 % fewer errors on Speech Corpus One."}, {}, ""),
        ({"statement": "It has 95 % fewer errors on A100."}, {}, ON),
        ({"statement": "It has 95 % fewer errors on CPU."}, {}, ON),
        ({}, {"options": {"dataset": "our prompts"}}, ""),
        ({}, {"quality": {"wer": {"metric": "WER", "value": "4.1", "examples": 500}}}, ""),
    ],
)
def test_a_quality_owes_what_it_was_measured_on(fields, arm, expected):
    assert item(report("W0204", SCORE | fields, {"timed": TIMED | arm})) == expected


SIZE = "input size behind the number"


@pytest.mark.parametrize(
    ("quote", "options", "expected"),
    [
        ("Reached with sufficiently long input.", {}, SIZE),
        ("This takes a large enough batch.", {}, SIZE),
        ("Reached with sufficiently large batches of 512 images.", {}, ""),
        ("Reached with sufficiently long input.", {"input_length": 2048}, ""),
        ("The memory saved allows larger batches.", {}, ""),
    ],
)
def test_a_rate_on_a_condition_owes_the_size(quote, options, expected):
    arms = {"timed": TIMED | {"options": {"model": "net-a", **options}}}
    assert item(report("W0901", ANSWERS | said("problem_size", quote), arms)) == expected


@pytest.mark.parametrize(
    ("passes", "extra", "mode", "expected"),
    [
        ("MS", {}, "inference", "option sets of both values"),
        ("none", {}, "inference", ""),
        ("MS", {"testing": "MS"}, "inference", ""),
        ("MS", {}, "training", ""),
    ],
)
def test_a_speed_beside_a_score_of_several_passes_says_how_it_was_taken(passes, extra, mode, expected):
    score = {"metric": "mIoU", "value": "54.03", "direction": "higher", "test_time_augmentation": passes}
    options = {"model": "net-a", "precision": {"compute": "fp16"}, "global_batch": 1, "extra": extra}
    arms = {"timed": {"options": options, "performance": SPEED, "quality": {"miou": score}}}
    claim = ANSWERS | {"mode": mode, "quality": {"arm": "timed", "quality": "miou"}}
    assert item(report("W0801", claim, arms)) == expected


PART = "In this figure, we show the encoder throughput."


@pytest.mark.parametrize(
    ("quote", "scope", "measured", "expected"),
    [
        (PART, "request", None, "what the timed region covers"),
        (PART, "layer", None, ""),
        (PART, "request", "request", ""),
        ("The gain depends on the model.", "request", None, ""),
    ],
)
def test_a_number_of_the_whole_beside_words_of_a_part_says_what_was_timed(quote, scope, measured, expected):
    arms = {"timed": TIMED | ({"measurement": {"scope": measured}} if measured else {})}
    assert item(report("W0501", ANSWERS | {"scope": scope} | said("scope_narrower", quote), arms)) == expected


@pytest.mark.parametrize(
    ("cached", "expected"), [(None, "what the baseline is"), (False, ""), (True, "")], ids=["silent", "off", "on"]
)
def test_a_gain_by_a_prefix_cache_says_what_the_baseline_had(cached, expected):
    def arm(hit):
        load = {"load": {"prefix_cache": hit}} if hit is not None else {}
        return {"options": {"model": "net-a"}, "performance": {"rate": SPEED["rate"] | load}}

    fields = {"form": "ratio", "value": "3.8", "unit": "x", "compares": "own_variants", "scope": "serving_window"}
    base = {"base": {"arm": "plain", "metric": "rate", "definition": "vLLM"}}
    claim = ANSWERS | fields | base | {"statement": "The pool serves 3.8x as many requests."}
    systems = {"node": {"name": "8x A100"}}
    assert item(report("W0403", claim, {"timed": arm(True), "plain": arm(cached)}, systems=systems)) == expected
