"""W0104, accuracy-degrades-with-scale: The faster or larger configuration ends with a worse model."""

import pytest
from dlaudit.rules.outcome import C2, CAVEAT, UNDERMINES, Outcome
from support.patches import both
from support.quality import RUNS

PASS, VIOLATION, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE


def seeds(*values):
    return {str(i): value for i, value in enumerate(values, start=11)}


def losses(fused, plain=("3.22", "3.22", "3.23", "3.21", "3.24"), **more):
    arms = {"fused": {"quality": {"loss": {"seeds": {**dict.fromkeys(seeds(*"12345")), **seeds(*fused)}}}}}
    arms["plain"] = {"quality": {"loss": {"seeds": {**dict.fromkeys(seeds(*"12345")), **seeds(*plain)}}}}
    return {"arms": both(arms, more)}


@pytest.mark.parametrize(
    ("fused", "outcome", "words"),
    [
        (("3.21", "3.23", "3.22", "3.20", "3.22"), PASS, ""),
        (("3.10", "3.11", "3.12", "3.11", "3.10"), PASS, ""),
        (("3.30", "3.31", "3.30", "3.29", "3.30"), VIOLATION, "rises from 3.224 to 3.3"),
        (("3.10", "3.40", "3.25", "3.35", "3.28"), NOT_SHOWN, "seeds a side would decide it"),
        (("3.2765", "3.2355", "3.2560", "3.2662", "3.2459"), NOT_SHOWN, "more than 1000 seeds"),
    ],
)
def test_a_worse_model_counts_beyond_its_interval(judged, fused, outcome, words):
    plain = ("3.2230", "3.2245", "3.2238", "3.2240", "3.2238") if "1000" in words else None
    result = judged("training-pair", "W0104", "speedup", losses(fused, *([plain] if plain else [])))
    assert result.outcome is outcome
    if words:
        assert words in result.branch.message


def test_a_large_drop_of_three_scattered_seeds_is_not_flagged(judged):
    """The raw drop is twice the tolerated one, and smaller than its interval."""
    patch = losses(("3.10", "3.45", "3.32"), ("3.22", "3.23", "3.22"))
    assert judged("training-pair", "W0104", "speedup", patch).outcome is NOT_SHOWN


def test_coarse_digits_hide_a_drop(judged):
    """All seeds print alike: the digits alone allow for no drop at all."""
    assert judged("training-pair", "W0104", "speedup", losses(["3.3"] * 3, ["3.2"] * 3)).outcome is NOT_SHOWN
    assert judged("training-pair", "W0104", "speedup", losses(["3.30"] * 3, ["3.20"] * 3)).outcome is VIOLATION


def test_a_part_of_the_seeds_is_no_pass(judged):
    patch = losses(("3.21", "3.23", "3.22"))
    result = judged("training-pair", "W0104", "speedup", patch)
    assert (result.outcome, "3 of 5 runs" in result.branch.message) == (NOT_SHOWN, True)


def accuracy(value, examples=10000, **fields):
    common = {"metric": "accuracy", "direction": "higher", "split": "test", "counted": True, "examples": examples}
    return {**common, "value": value, "seeds": None, "n": None, **fields}


def single(fused, plain, **claim):
    """One run on each side; the loss makes room for an accuracy."""
    no_runs = {"trials": RUNS, "target": None}
    arms = {
        name: {"quality": {"loss": None, "top": top}, **no_runs} for name, top in (("fused", fused), ("plain", plain))
    }
    return {"arms": arms, "claims": {"speedup": {"quality": {"arm": "fused", "quality": "top"}, **claim}}}


@pytest.mark.parametrize(
    ("fused", "plain", "outcome"),
    [
        ("0.940", "0.940", PASS),
        ("0.938", "0.940", PASS),
        ("0.915", "0.940", VIOLATION),
        ("0.928", "0.940", NOT_SHOWN),
        ("0.92", "0.94", NOT_SHOWN),
    ],
)
def test_one_run_of_counted_examples_is_judged_by_two_shares(judged, fused, plain, outcome):
    result = judged("training-pair", "W0104", "speedup", single(accuracy(fused), accuracy(plain)))
    assert result.outcome is outcome
    if outcome is VIOLATION:
        assert (result.branch.effect, result.branch.confidence) == (UNDERMINES, C2)
        assert "falls from 0.94 to 0.915" in result.branch.message


def test_percent_and_fractions_are_one_scale(judged):
    patch = single(accuracy("91.5", unit="%"), accuracy("0.940", unit="fraction"))
    assert judged("training-pair", "W0104", "speedup", patch).outcome is VIOLATION
    patch = single(accuracy("91.5"), accuracy("0.940"))
    assert judged("training-pair", "W0104", "speedup", patch).outcome is NOT_APPLICABLE


def test_without_seeds_and_counts_it_stays_open(judged):
    for change in ({"counted": None}, {"counted": False}, {"examples": None}):
        patch = single(accuracy("0.80", **change), accuracy("0.94"))
        assert judged("training-pair", "W0104", "speedup", patch).outcome is NOT_SHOWN


def test_a_stated_reference_does_not_widen_the_tolerated_drop(judged):
    patch = single(accuracy("0.9150", reference="3.00"), accuracy("0.940", reference="3.00"))
    assert judged("training-pair", "W0104", "speedup", patch).outcome is VIOLATION


@pytest.mark.parametrize(
    ("theirs", "reason"),
    [
        ({"split": "official_val"}, "different splits"),
        ({"metric": "F1"}, "only one of the two arms"),
        ({"direction": "lower"}, "which way"),
    ],
)
def test_what_cannot_be_compared_is_not_accused(judged, theirs, reason):
    patch = single(accuracy("0.70"), accuracy("0.94", **theirs))
    result = judged("training-pair", "W0104", "speedup", patch)
    assert (result.outcome, reason in result.reason) == (NOT_APPLICABLE, True)


def test_another_model_is_another_model(judged):
    patch = both(
        single(accuracy("0.70"), accuracy("0.94")), {"arms": {"plain": {"options": {"model": "decoder 350M"}}}}
    )
    result = judged("training-pair", "W0104", "speedup", patch)
    assert (result.outcome, "other models" in result.reason) == (NOT_APPLICABLE, True)


def test_a_drop_that_is_printed_beside_the_number_is_a_caveat(judged):
    told = "Training is 1.43x faster with fused attention, at 91.5 % instead of 94.0 %."
    patch = single(accuracy("0.915"), accuracy("0.940"), statement=told)
    result = judged("training-pair", "W0104", "speedup", patch)
    assert (result.outcome, result.branch.branch, result.branch.effect) == (VIOLATION, "b", CAVEAT)
    half_told = single(accuracy("0.915"), accuracy("0.940"), statement="1.43x faster, at 91.5 %.")
    assert judged("training-pair", "W0104", "speedup", half_told).branch.effect is UNDERMINES


def test_a_time_to_a_target_that_both_reach_says_nothing_of_what_lies_beyond(judged):
    target = {"metric": "accuracy", "value": "0.90", "direction": "higher", "declared_before": True}
    tta = {"quantity": "time", "scope": "training_run", "purpose": "time_to_accuracy", "target": target}
    assert (
        judged("training-pair", "W0104", "speedup", single(accuracy("0.91"), accuracy("0.94"), **tta)).outcome is PASS
    )
    patch = single(accuracy("0.89"), accuracy("0.94"), **tta)
    assert judged("training-pair", "W0104", "speedup", patch).outcome is VIOLATION


def series(values, base="0.7606"):
    tops = {"seeds": seeds(*values), "value": None, "interval": None, "n": None}
    common = {"metric": "top-1 accuracy", "direction": "higher", "split": "official_val", "unit": "fraction"}
    small = {**common, "value": base, "examples": 50000, "counted": True, "seeds": seeds("0.7604", "0.7611", "0.7603")}
    runs = {"trials": RUNS}
    return {"arms": {"n2": {"quality": {"accuracy": small}}, "n8": {"quality": {"accuracy": tops}, **runs}}}


def test_a_series_compares_its_largest_with_its_smallest_point(judged):
    """The base of one node states no quality: the smallest point that does stands for it."""
    gone = dict.fromkeys(("11", "12", "13", "14", "15"))
    patch = series(("0.7404", "0.7412", "0.7401"))
    patch["arms"]["n8"]["quality"]["accuracy"]["seeds"] = gone | seeds("0.7404", "0.7412", "0.7401")
    result = judged("strong-scaling", "W0104", "speedup", patch)
    assert (result.outcome, result.branch.at) == (VIOLATION, "/arms/n8/quality/accuracy")
    assert result.branch.related[0].at == "/arms/n2/quality/accuracy"


def test_one_arm_with_quality_is_outside(judged):
    assert judged("strong-scaling", "W0104", "speedup").outcome is NOT_APPLICABLE
    assert judged("accuracy", "W0104", "accuracy").outcome is NOT_APPLICABLE


def test_runs_towards_a_target_stand_for_a_quality_that_nobody_states(judged):
    patch = {"arms": {"fused": {"quality": None}, "plain": {"quality": None}}, "claims": {"speedup": {"quality": None}}}
    assert judged("training-pair", "W0104", "speedup", patch).outcome is PASS
    worse = [{"split": "test", "samples": 80000, "metrics": {"loss": 3.31 + i / 1000}} for i in range(5)]
    runs = {f"s{i + 1}": {"evaluations": [item]} for i, item in enumerate(worse)}
    patch["arms"]["fused"]["trials"] = runs
    assert judged("training-pair", "W0104", "speedup", patch).outcome is VIOLATION
