"""W1101, W1103, W1107: strong, weak, and what the batch does."""

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.outcome import CAVEAT, REFUTES, UNDERMINES, Outcome

NAMES = ("r1", "r2", "r4", "r8")
RUNS = {f"s{i}": None for i in range(1, 6)}
NO_RUNS = {"n8": {"target": None, "quality": None, "trials": RUNS}}


def batches(*sizes, label="strong", claim_label=None, **more):
    rows = {name: {"options": {"global_batch": size}} for name, size in zip(NAMES, sizes, strict=True)}
    table = {"rows": rows, "label": label}
    claim = {"label": claim_label, **more}
    return {"tables": {"nodes": table}, "claims": {"speedup": claim}}


# W1101 ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("label", "sizes", "violated"),
    [
        ("strong", (8192, 8192, 8192, 8192), False),
        ("strong", (8192, 8192, 8192, 8270), False),
        ("strong", (8192, 8192, 8192, 8280), True),
        ("weak", (1024, 2048, 4096, 8192), False),
        ("weak", (1024, 2048, 4096, 8000), True),
        ("weak", (8192, 8192, 8192, 8192), True),
        ("mixed", (1024, 2048, 4096, 4096), False),
    ],
)
def test_labels_against_batches(judged, label, sizes, violated):
    result = judged("strong-scaling", "W1101", "speedup", batches(*sizes, label=label))
    assert result.outcome is (Outcome.VIOLATION if violated else Outcome.PASS)
    if violated:
        assert (result.branch.branch, result.branch.effect) == ("a", UNDERMINES)


@pytest.mark.parametrize(
    ("sizes", "mode"),
    [
        ((8192, 8192, 8192, 8192), "strong"),
        ((1024, 2048, 4096, 8192), "weak"),
        ((1024, 2048, 2048, 2048), "mixed"),
    ],
)
def test_without_a_label_the_mode_is_inferred(judged, sizes, mode):
    result = judged("strong-scaling", "W1101", "speedup", batches(*sizes, label=None))
    assert (result.branch.branch, result.branch.effect, result.branch.recomputed) == ("b", CAVEAT, mode)
    assert f"inferred {mode}" in result.branch.message


def test_the_claims_label_goes_before_the_tables(judged):
    patch = batches(1024, 2048, 4096, 8192, label="strong", claim_label="weak")
    assert judged("strong-scaling", "W1101", "speedup", patch).outcome is Outcome.PASS


def unknown(*names):
    """Rows on device counts of their own, which no arm's batch describes."""
    counts = {"r1": 9, "r2": 18, "r4": 36, "r8": 72}
    rows = {name: {"devices": counts[name], "options": None} for name in names}
    return {"tables": {"nodes": {"rows": rows}}}


def test_without_label_and_batches_the_mode_is_not_shown(judged):
    patch = unknown("r4", "r8")
    patch["tables"]["nodes"]["label"] = None
    patch["claims"] = {"speedup": {"label": None}}
    result = judged("strong-scaling", "W1101", "speedup", patch)
    assert (result.outcome, result.branch.item) == (Outcome.NOT_SHOWN, "scaling label or global batch")


def test_with_a_label_unknown_batches_decide_nothing(judged):
    result = judged("strong-scaling", "W1101", "speedup", unknown(*NAMES))
    assert (result.outcome, result.branch.item) == (Outcome.NOT_SHOWN, "")


def test_accumulation_is_never_assumed(judged):
    """Micro batch and data-parallel size alone give no global batch."""
    options = {"global_batch": None, "accumulation": None, "micro_batch": 128, "data_parallel": 64}
    arms = {name: {"options": {"global_batch": None, "accumulation": None}} for name in ("n1", "n2", "n4", "n8")}
    rows = {name: {"options": options} for name in NAMES}
    patch = {"arms": arms, "tables": {"nodes": {"label": None, "rows": rows}}, "claims": {"speedup": {"label": None}}}
    assert judged("strong-scaling", "W1101", "speedup", patch).outcome is Outcome.NOT_SHOWN


def test_accumulation_gives_the_global_batch(judged):
    def row(accumulation, data_parallel):
        given = {"micro_batch": 128, "accumulation": accumulation, "data_parallel": data_parallel}
        return {"options": {"global_batch": None, **given}}

    arms = {name: {"options": {"global_batch": None}} for name in ("n1", "n2", "n4", "n8")}
    rows = {"r1": row(8, 8), "r2": row(8, 16), "r4": row(8, 32), "r8": row(8, 64)}
    patch = {"arms": arms, "tables": {"nodes": {"rows": rows}}}
    result = judged("strong-scaling", "W1101", "speedup", patch)
    assert (result.branch.effect, "8192 at 8 devices and 65536 at 64" in result.branch.message) == (UNDERMINES, True)


def test_two_series_in_one_table_are_two_series(judged):
    """Batch 8192 and 16384, each at two device counts."""
    extra = {"label": "large", "devices": 8, "options": {"global_batch": 16384}}
    more = {"label": "large", "devices": 64, "options": {"global_batch": 16384}}
    patch = {"tables": {"nodes": {"rows": {"x1": extra, "x8": more}}}}
    assert judged("strong-scaling", "W1101", "speedup", patch).outcome is Outcome.PASS


def test_a_model_that_grows_is_not_judged_by_its_batch(judged):
    rows = {name: {"parameters": 1e9 * 2**i} for i, name in enumerate(NAMES)}
    patch = {"tables": {"nodes": {"rows": rows, "label": "weak"}}, "claims": {"speedup": {"label": "weak"}}}
    assert judged("strong-scaling", "W1101", "speedup", patch).outcome is not Outcome.VIOLATION


# W1103 ---------------------------------------------------------------------------------------------------------------


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


# W1107 ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sizes", "outcome"), [((8192, 8192, 8192, 8192), Outcome.PASS), ((4096, 5000, 6000, 8000), Outcome.PASS)]
)
def test_a_batch_that_does_not_double_needs_nothing(judged, sizes, outcome):
    patch = batches(*sizes, label="mixed")
    patch["arms"] = NO_RUNS
    assert judged("strong-scaling", "W1107", "speedup", patch).outcome is outcome


def test_a_doubled_batch_without_training_is_not_shown(judged):
    patch = batches(*WEAK, label="weak")
    patch["arms"] = NO_RUNS
    result = judged("strong-scaling", "W1107", "speedup", patch)
    assert (result.outcome, result.branch.item) == (Outcome.NOT_SHOWN, "convergence at the largest batch")
    assert "1024 to 8192" in result.branch.message


def test_training_at_the_largest_batch_answers(judged):
    assert judged("strong-scaling", "W1107", "speedup", batches(*WEAK, label="weak")).outcome is Outcome.PASS


def test_training_of_another_problem_answers_nothing(judged):
    patch = batches(*WEAK, label="weak")
    patch["arms"] = {"n8": {"options": {"dataset": "ImageNet-21k"}}}
    patch["tables"]["nodes"]["rows"]["r8"]["options"]["dataset"] = "ImageNet-1k 2012"
    rest = {name: {"quality": None, "trials": RUNS} for name in ("n1", "n2", "n4")}
    patch["arms"] |= rest
    assert judged("strong-scaling", "W1107", "speedup", patch).outcome is Outcome.NOT_SHOWN


def test_convergence_that_turns_out_worse_is_shown_too(judged):
    patch = batches(*WEAK, label="weak")
    patch["arms"] = {"n8": {"target": {"value": "0.80"}}}
    assert judged("strong-scaling", "W1107", "speedup", patch).outcome is Outcome.PASS


def test_batches_that_are_not_stated(judged):
    weak = unknown(*NAMES)
    weak["tables"]["nodes"]["label"] = "weak"
    weak["claims"] = {"speedup": {"label": "weak"}}
    result = judged("strong-scaling", "W1107", "speedup", weak)
    assert (result.outcome, result.branch.item) == (Outcome.NOT_SHOWN, "convergence at the largest batch")
    strong = judged("strong-scaling", "W1107", "speedup", unknown(*NAMES))
    assert (strong.outcome, strong.branch.item) == (Outcome.NOT_SHOWN, "")


def test_throughput_only_is_told_so(judged):
    patch = batches(*WEAK, label="weak", purpose="hardware_throughput")
    patch["arms"] = NO_RUNS
    result = judged("strong-scaling", "W1107", "speedup", patch)
    assert result.branch.message.startswith("throughput only: says nothing about convergence")


PEAK = {"value": "312", "unit": "TFLOP/s", "definition": "data-sheet peak", "devices": 1, "arm": None, "metric": None}


@pytest.mark.parametrize(
    ("claim", "outcome"),
    [
        ({"quantity": "mfu", "base": PEAK}, Outcome.NOT_APPLICABLE),
        ({"quantity": "mfu", "base": None}, Outcome.NOT_APPLICABLE),
        ({"quantity": "flops", "base": PEAK}, Outcome.NOT_APPLICABLE),
        ({"quantity": "rate", "base": PEAK}, Outcome.NOT_APPLICABLE),
        ({"quantity": "rate", "base": {**PEAK, "devices": 8}}, Outcome.NOT_SHOWN),
        ({"quantity": "rate", "base": {**PEAK, "devices": None}}, Outcome.NOT_SHOWN),
        ({"quantity": "rate", "base": None}, Outcome.NOT_SHOWN),
        ({"quantity": "rate", "base": PEAK, "points": 4}, Outcome.NOT_SHOWN),
    ],
)
def test_the_share_of_a_peak_is_no_scaling(judged, claim, outcome):
    efficiency = {"form": "efficiency", "value": "39.9", "unit": "%", **claim}
    patch = {"claims": {"speedup": efficiency}, "arms": {"fused": {"devices": 1, "options": {"devices": None}}}}
    assert judged("training-pair", "W1101", "speedup", patch).outcome is outcome
