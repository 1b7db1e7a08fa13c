"""W1103, weak-scaling-sold-as-speedup: A higher rate with a larger batch, presented as training that ends sooner."""

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.outcome import CAVEAT, REFUTES, Outcome
from support.quality import RUNS
from support.scaling import batches

NO_RUNS = {"n8": {"target": None, "quality": None, "trials": RUNS}}


def training(value="6.61", base=76e6, subject=115e6, **claim):
    rows = {"r1": {"samples_to_target": base}, "r8": {"samples_to_target": subject}}
    fields = {"scope": "training_run", "quantity": "time", "measured": None, "value": value, **claim}
    return {"claims": {"speedup": fields}, "arms": {"n8": {"trials": RUNS}}, "tables": {"nodes": {"rows": rows}}}


@pytest.mark.parametrize(
    ("claim", "violated"),
    [
        ({"value": "6.61"}, True),
        ({"value": "4.37"}, False),
        ({"value": "4.4"}, False),
        ({"value": "4.5"}, True),
        ({"value": "4.5", "qualifier": "up_to"}, False),
        ({"value": "4.5", "qualifier": "about"}, False),
        ({"value": "0.23"}, False),
        ({"value": "0.15"}, True),
        ({"value": "77", "unit": "%"}, False),
    ],
)
def test_training_speedups_against_rates_and_samples(judged, claim, violated):
    """The rates give 6.61, the samples 76 / 115: together 4.37, under any reading of the printed ratio."""
    result = judged("strong-scaling", "W1103", "speedup", training(**claim))
    assert result.outcome is (Outcome.VIOLATION if violated else Outcome.PASS), result
    if violated:
        assert (result.branch.branch, result.branch.effect) == ("a", REFUTES)


def test_equal_samples_keep_the_ratio_of_rates(judged):
    assert judged("strong-scaling", "W1103", "speedup", training(base=115e6)).outcome is Outcome.PASS


def test_without_samples_there_is_nothing_to_multiply(judged):
    patch = training()
    del patch["tables"]
    assert judged("strong-scaling", "W1103", "speedup", patch).outcome is Outcome.NOT_APPLICABLE


WEAK = (1024, 2048, 4096, 8192)


def test_a_weak_ratio_of_rates_called_speedup_is_a_caveat(judged):
    patch = batches(*WEAK, label=None, statement="Training is 6.62x faster on eight nodes.")
    patch["arms"] = NO_RUNS
    result = judged("strong-scaling", "W1103", "speedup", patch)
    assert (result.branch.branch, result.branch.effect) == ("b", CAVEAT)


@pytest.mark.parametrize(
    ("statement", "at_the_top", "outcome"),
    [
        ("Eight nodes train ResNet-50 v1.5 6.62 times as fast as one (121000 against 18300 images/s).", "0.7590", True),
        (
            "Eight nodes train ResNet-50 v1.5 6.62 times as fast as one (121000 against 18300 images/s).",
            "0.7606",
            False,
        ),
        ("Eight nodes train at 6.62x the throughput of one, 6.62x faster (images/s).", "0.7590", False),
    ],
    ids=["a worse model", "as good a model", "called throughput"],
)
def test_a_unit_in_brackets_makes_no_throughput_of_a_faster_training(judged, statement, at_the_top, outcome):
    patch = batches(*WEAK, label=None, statement=statement)
    score = {"metric": "top-1 accuracy", "unit": "fraction", "direction": "higher", "split": "official_val"}
    patch["arms"] = {name: {"target": None, "trials": RUNS} for name in ("n1", "n8")}
    for name, value, batch in (("n1", "0.7606", WEAK[0]), ("n8", at_the_top, WEAK[-1])):
        patch["arms"][name] |= {"quality": {"accuracy": {**score, "value": value}}, "options": {"global_batch": batch}}
    for label in (None, "weak"):
        patch["tables"]["nodes"]["label"] = label
        result = judged("strong-scaling", "W1103", "speedup", patch)
        assert (result.outcome is Outcome.VIOLATION) is outcome


@pytest.mark.parametrize(
    ("label", "statement"),
    [
        ("weak", "Training is 6.62x faster on eight nodes."),
        (None, "Throughput scaling (weak): 6.62x faster on eight nodes."),
        (None, "Eight nodes process 6.62x as many images per second."),
    ],
)
def test_weak_scaling_that_is_called_so(judged, label, statement):
    patch = batches(*WEAK, label=label, statement=statement)
    patch["arms"] = NO_RUNS
    assert judged("strong-scaling", "W1103", "speedup", patch).outcome is Outcome.PASS


def test_times_to_the_target_decide_where_they_were_measured(judged):
    """Both sides ran to the target: the claim's product of rates and samples is not needed."""
    patch = training()
    n8 = base("strong-scaling")["arms"]["n8"]
    patch["arms"] = {"n1": {"target": n8["target"], "trials": n8["trials"]}}
    assert judged("strong-scaling", "W1103", "speedup", patch).outcome is Outcome.NOT_APPLICABLE


def test_a_rate_of_whole_runs_without_the_samples(judged):
    """A faster run of training, where the batch grew with the devices and nothing tells what the target took."""
    patch = batches(*WEAK, label="weak", statement="Training is 6.62x faster.", scope="training_run")
    patch["arms"] = NO_RUNS
    result = judged("strong-scaling", "W1103", "speedup", patch)
    assert (result.branch.branch, result.branch.effect) == ("b", CAVEAT)


@pytest.mark.parametrize(
    ("statement", "samples", "outcome"),
    [
        ("A throughput speed-up of 6.62 (weak scaling).", 115e6, Outcome.VIOLATION),
        ("A throughput speed-up of 6.62 (weak scaling).", 76e6, Outcome.PASS),
        ("The throughput is 6.62 times as high (weak scaling).", 115e6, Outcome.PASS),
    ],
    ids=["more samples", "equal samples", "no speed-up"],
)
def test_a_speedup_of_rates_beside_the_samples_that_it_took(judged, statement, samples, outcome):
    patch = batches(*WEAK, label="weak", statement=statement)
    rows = patch["tables"]["nodes"]["rows"]
    rows["r1"]["samples_to_target"], rows["r8"]["samples_to_target"] = 76e6, samples
    result = judged("strong-scaling", "W1103", "speedup", patch)
    assert result.outcome is outcome
    if outcome is Outcome.VIOLATION:
        assert (result.branch.branch, result.branch.effect) == ("b", CAVEAT)
        assert "the training gains 4.3" in result.branch.message


@pytest.mark.parametrize(
    ("statement", "loss", "outcome"),
    [
        ("A speed-up of 6.62 (weak scaling).", "2.70", Outcome.VIOLATION),
        ("A weak-scaling speed-up of 6.62.", "2.66", Outcome.PASS),
        ("Throughput: a speed-up of 6.62 (weak scaling).", "2.70", Outcome.PASS),
        ("A scaled speed-up of 6.62 (weak scaling).", "2.70", Outcome.PASS),
        ("Weak scaling: eight nodes are 6.62x faster.", "2.70", Outcome.PASS),
    ],
)
def test_a_weak_speedup_beside_a_worse_model(judged, statement, loss, outcome):
    """A model that ends worse at the larger batch gained less than the rates say."""
    patch = batches(*WEAK, label="weak", statement=statement)
    patch["arms"] = dict(NO_RUNS)
    for name, value in (("n1", "2.66"), ("n8", loss)):
        quality = {"metric": "held-out loss", "value": value, "direction": "lower", "split": "held_out"}
        options = {"global_batch": {"n1": 1024, "n8": 8192}[name], "accumulation": 1}
        patch["arms"][name] = {**patch["arms"].get(name, {}), "quality": {"held": quality}, "options": options}
    patch["tables"]["nodes"]["rows"]["r1"]["options"]["accumulation"] = 1
    assert judged("strong-scaling", "W1103", "speedup", patch).outcome is outcome
