"""W0104, W0106, W0107, W0108: quality against its base, its target and its noise."""

import json
import os
from pathlib import Path

import pytest
from dlaudit.rules.outcome import C2, CAVEAT, UNDERMINES, Outcome

PASS, VIOLATION, NOT_SHOWN, OUTSIDE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE
RUNS = {f"s{i}": None for i in range(1, 6)}


def seeds(*values):
    return {str(i): value for i, value in enumerate(values, start=11)}


def both(left, right):
    merged = dict(left)
    for key, value in right.items():
        nested = isinstance(value, dict) and isinstance(merged.get(key), dict)
        merged[key] = both(merged[key], value) if nested else value
    return merged


# W0104 ---------------------------------------------------------------------------------------------------------------


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
    assert judged("training-pair", "W0104", "speedup", patch).outcome is OUTSIDE


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
    assert (result.outcome, reason in result.reason) == (OUTSIDE, True)


def test_another_model_is_another_model(judged):
    patch = both(
        single(accuracy("0.70"), accuracy("0.94")), {"arms": {"plain": {"options": {"model": "decoder 350M"}}}}
    )
    result = judged("training-pair", "W0104", "speedup", patch)
    assert (result.outcome, "other models" in result.reason) == (OUTSIDE, True)


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
    assert judged("strong-scaling", "W0104", "speedup").outcome is OUTSIDE
    assert judged("accuracy", "W0104", "accuracy").outcome is OUTSIDE


def test_runs_towards_a_target_stand_for_a_quality_that_nobody_states(judged):
    patch = {"arms": {"fused": {"quality": None}, "plain": {"quality": None}}, "claims": {"speedup": {"quality": None}}}
    assert judged("training-pair", "W0104", "speedup", patch).outcome is PASS
    worse = [{"split": "test", "samples": 80000, "metrics": {"loss": 3.31 + i / 1000}} for i in range(5)]
    runs = {f"s{i + 1}": {"evaluations": [item]} for i, item in enumerate(worse)}
    patch["arms"]["fused"]["trials"] = runs
    assert judged("training-pair", "W0104", "speedup", patch).outcome is VIOLATION


# W0106 ---------------------------------------------------------------------------------------------------------------


def log(*values, split="test", **fields):
    return [
        {"split": split, "samples": 1000 * i, "time_s": 10.0 * i, "metrics": {"accuracy": value}, **fields}
        for i, value in enumerate(values, start=1)
    ]


def trained(*curves, statement="The network is trained to 94 % test accuracy in 85.0 s.", **arm):
    runs = RUNS | {f"s{i}": {"evaluations": log(*values)} for i, values in enumerate(curves, start=1)}
    return {"claims": {"time": {"statement": statement}}, "arms": {"trained": {"quality": None, "trials": runs, **arm}}}


REACHES = "The network reaches 94 % test accuracy in 85.0 s."


@pytest.mark.parametrize(
    ("curves", "statement", "branch", "effect"),
    [
        ([(0.9402, 0.9391, 0.9388)], REACHES, "a", CAVEAT),
        ([(0.9402, 0.9391, 0.9410)], REACHES, "a", CAVEAT),
        ([(0.9402, 0.9391, 0.9388)], "trained to 94 %", "b", UNDERMINES),
        ([(0.9402, 0.9391, 0.9388)], "a model with 0.94 accuracy", "b", UNDERMINES),
        ([(0.9402, 0.9391, 0.9388)], "final accuracy 93.9 %, after 94 % was reached", "b", UNDERMINES),
        ([(0.9402, 0.9391, 0.9388)], "the final accuracy is 93.88 %", "a", CAVEAT),
        ([(0.9402, 0.9391, 0.9410)], "trained to 94 %", "a", CAVEAT),
        ([(0.9402, 0.9391, 0.9388)] + [(0.941, 0.942, 0.943)] * 4, "trained to 94 %", "a", CAVEAT),
        ([(0.9402, 0.9391, 0.9388)] * 3 + [(0.941, 0.942, 0.943)] * 2, "trained to 94 %", "b", UNDERMINES),
    ],
)
def test_a_lost_target(judged, curves, statement, branch, effect):
    result = judged("time-to-accuracy", "W0106", "time", trained(*curves, statement=statement))
    assert result.outcome is VIOLATION
    assert (result.branch.branch, result.branch.effect) == (branch, effect)


def test_the_message_counts_and_gives_the_last_value(judged):
    result = judged("time-to-accuracy", "W0106", "time", trained((0.9402, 0.9391, 0.941, 0.9390, 0.9388)))
    assert "misses it in 3 of 4 evaluations, 2 in a row, and ends at 0.9388" in result.branch.message
    assert result.branch.at == "/arms/trained/trials/s1"


def test_first_crossing_rule_sets_get_a_caveat_at_most(judged):
    patch = trained((0.9402, 0.9391, 0.9388))
    patch["claims"]["time"]["criterion"] = "first_crossing"
    assert judged("time-to-accuracy", "W0106", "time", patch).branch.effect is CAVEAT


@pytest.mark.parametrize("policy", ["predeclared", "best_on_validation"])
def test_a_checkpoint_chosen_before_or_elsewhere_meets_the_target(judged, policy):
    quality = {"accuracy": {"value": "0.9405", "selection": {"policy": policy}}}
    patch = trained((0.9405, 0.9391, 0.9388))
    patch["arms"]["trained"]["quality"] = quality
    assert judged("time-to-accuracy", "W0106", "time", patch).branch.effect is CAVEAT
    quality["accuracy"]["value"] = "0.9388"
    assert judged("time-to-accuracy", "W0106", "time", patch).branch.effect is UNDERMINES


@pytest.mark.parametrize(
    ("values", "outcome"),
    [
        ((0.93, 0.9402), NOT_SHOWN),
        ((0.93, 0.9402, 0.9404), NOT_SHOWN),
        ((0.93, 0.9402, 0.9404, 0.941), PASS),
        ((0.9402, 0.94, 0.9400), PASS),
        ((0.91, 0.92, 0.93), OUTSIDE),
        ((0.9402, 0.94, 0.94, None), PASS),
        ((None, None), OUTSIDE),
    ],
)
def test_what_follows_the_crossing(judged, values, outcome):
    assert judged("time-to-accuracy", "W0106", "time", trained(values)).outcome is outcome


def test_printed_digits_are_read_in_favour_of_the_run(judged):
    """93.5 may be 93.54; a target of 93.54 is not missed by it."""
    patch = trained((94.0, 93.5, 93.5))
    patch["claims"]["time"]["target"] = {"value": "93.54"}
    assert judged("time-to-accuracy", "W0106", "time", patch).outcome is PASS


def test_a_sampled_evaluation_has_its_standard_error(judged):
    """100 of 10000 images: a standard error of 2.4 %."""
    patch = trained((0.9402, 0.93, 0.93))
    patch["arms"]["trained"]["trials"]["s1"]["evaluations"] = log(0.95, 0.93, 0.93, examples=100)
    assert judged("time-to-accuracy", "W0106", "time", patch).outcome is PASS
    patch["arms"]["trained"]["trials"]["s1"]["evaluations"] = log(0.95, 0.93, 0.93, examples=10000)
    assert judged("time-to-accuracy", "W0106", "time", patch).outcome is VIOLATION


# W0107 ---------------------------------------------------------------------------------------------------------------


def margin(*values, **quality):
    gone = dict.fromkeys(("101", "102", "103", "104", "105"))
    stated = {"seeds": gone | seeds(*values), "n": None, "interval": None, "value": values[0] if values else None}
    return {"arms": {"trained": {"quality": {"accuracy": stated | quality}, "trials": RUNS}}}


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (margin("0.9444", "0.9449", "0.9449"), PASS),
        (margin("0.9401", "0.9400", "0.9409"), VIOLATION),
        (margin("0.9400", "0.9400", "0.9400"), PASS),
        (margin("0.93", "0.95", "0.95"), VIOLATION),
        (margin("0.9390", "0.9391", "0.9392"), OUTSIDE),
        (margin("0.9402"), VIOLATION),
        (margin("0.9402", "0.9403"), VIOLATION),
        (margin("0.9450"), PASS),
        (margin("0.9402", counted=False), OUTSIDE),
        (margin("0.9402", counted=None), NOT_SHOWN),
        (margin("0.9402", examples=None) | {}, VIOLATION),
        (margin("94.02", unit="%"), VIOLATION),
        (margin("94.50", unit="%"), PASS),
    ],
)
def test_a_margin_within_the_noise(judged, patch, outcome):
    result = judged("time-to-accuracy", "W0107", "time", patch)
    assert result.outcome is outcome
    if outcome is VIOLATION:
        assert (result.branch.effect, result.branch.confidence) == (CAVEAT, C2)


def test_the_margin_is_given_in_examples(judged):
    result = judged("time-to-accuracy", "W0107", "time", margin("0.9402"))
    assert "by 2 of 10000 examples; chance alone moves it by 39.1" in result.branch.message


def test_neither_seeds_nor_examples(judged):
    patch = margin("0.9402", examples=None)
    patch["arms"]["trained"]["splits"] = None
    assert judged("time-to-accuracy", "W0107", "time", patch).outcome is NOT_SHOWN


def test_a_median_is_less_certain_than_a_mean(judged):
    values = ("0.9402", "0.9403", "0.9404", "0.9405", "0.9409")
    patch = margin(*values)
    assert judged("time-to-accuracy", "W0107", "time", patch).outcome is PASS
    scattered = both(
        margin("0.9401", "0.9402", "0.9403", "0.9405", "0.9412"), {"claims": {"time": {"criterion": "median"}}}
    )
    assert judged("time-to-accuracy", "W0107", "time", scattered).outcome is VIOLATION
    scattered["claims"]["time"]["criterion"] = "mean"
    assert judged("time-to-accuracy", "W0107", "time", scattered).outcome is PASS


def test_a_direction_of_less_is_better(judged):
    target = {"metric": "loss", "value": "3.22", "direction": "lower", "declared_before": True}
    tta = {"quantity": "time", "scope": "training_run", "form": "absolute", "unit": "s", "target": target}
    patch = {"claims": {"speedup": tta}}
    assert judged("training-pair", "W0107", "speedup", patch).outcome is VIOLATION
    target["value"] = "3.30"
    assert judged("training-pair", "W0107", "speedup", patch).outcome is PASS


def test_counted_shares_were_not_rounded(judged):
    """The bound lies 0.00003 short of the target: within half a digit, which counts of 10000 do not have."""
    patch = margin("0.9402", "0.9401", "0.9404")
    assert judged("time-to-accuracy", "W0107", "time", patch).outcome is VIOLATION
    patch = margin("0.9402", "0.9401", "0.9404", examples=None, counted=None)
    assert judged("time-to-accuracy", "W0107", "time", patch).outcome is not VIOLATION


def test_one_finding_per_document(judged):
    time = margin("0.9402")
    other = {"statement": "It reaches 94 % in 86 s.", "value": "86", "unit": "s", "quantity": "time"}
    other |= {"form": "absolute", "scope": "training_run", "mode": "training", "compares": "none"}
    other |= {"target": {"metric": "accuracy", "value": "0.94", "direction": "higher"}, "measured": {"arm": "trained"}}
    patch = both(time, {"claims": {"again": other}})
    assert judged("time-to-accuracy", "W0107", "again", patch).outcome is VIOLATION
    result = judged("time-to-accuracy", "W0107", "time", patch)
    assert (result.outcome, "claim `again`" in result.reason) == (OUTSIDE, True)


# W0108 ---------------------------------------------------------------------------------------------------------------


def runs(met, missed, *, named=False, unknown=0, statement=REACHES):
    values = ["0.9446"] * met + ["0.9391"] * missed + [None] * unknown
    trials = RUNS | {
        f"r{i}": {"kind": "convergence", "outcome": "completed", **({"final": {"accuracy": v}} if v else {})}
        for i, v in enumerate(values)
    }
    criterion = "mean" if named else None
    claim = {"criterion": "mean", "target": {"criterion": criterion}, "statement": statement}
    if named:
        claim["test"] = {"name": "one-sample t", "p": "0.002"}
    return {"claims": {"time": claim}, "arms": {"trained": {"target": {"criterion": criterion}, "trials": trials}}}


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (runs(8, 2), VIOLATION),
        (runs(9, 1), PASS),
        (runs(8, 1), OUTSIDE),
        (runs(8, 2, named=True), PASS),
        (runs(6, 2), VIOLATION),
        (runs(8, 2, statement="Mean accuracy reaches 94 % in 85.0 s."), PASS),
        (runs(8, 2, statement="94 % in 85.0 s; 8 of 10 runs reach it."), PASS),
        (runs(8, 2, statement="94 % in 85.0 s, which 80 % of the runs reach."), PASS),
        (runs(8, 2, statement="94 % in 85.0 s; two runs miss it."), PASS),
        (runs(8, 2, statement="94 % in 85.0 s (p = 0.002)."), PASS),
        (runs(8, 2, statement="94 % in 85.0 s, the first of ten runs, best of three."), VIOLATION),
        (runs(8, 1, unknown=1), NOT_SHOWN),
        (runs(7, 2, unknown=1), VIOLATION),
        (runs(0, 10), VIOLATION),
        (runs(7, 3, statement="Mean accuracy reaches 94 % in 85.0 s."), VIOLATION),
        (runs(7, 3, statement="Mean accuracy reaches 94 % in 85.0 s, in seven of ten runs."), PASS),
        (runs(7, 3, named=True, statement="Mean accuracy reaches 94 % in 85.0 s."), PASS),
        (runs(3, 2, statement="94 % in 85.0 s, which five seeds reach on average."), VIOLATION),
        (runs(4, 1, statement="94 % in 85.0 s, which five seeds reach on average."), PASS),
        (runs(0, 0), OUTSIDE),
    ],
)
def test_misses_behind_a_mean(judged, patch, outcome):
    result = judged("time-to-accuracy", "W0108", "time", patch)
    assert result.outcome is outcome
    if outcome is VIOLATION:
        assert result.branch.effect is CAVEAT


def test_a_named_criterion_prints_the_share_and_the_time_divided_by_it(judged):
    result = judged("time-to-accuracy", "W0108", "time", runs(8, 2, named=True))
    assert result.notes == ("8 of 10 runs reach accuracy 0.94; the time divided by that share is 106.25 s",)


@pytest.mark.parametrize("claim", [{}, {"form": "ratio", "unit": "x", "value": "1.29"}])
def test_nothing_is_divided_where_all_runs_reach_it_or_a_ratio_is_claimed(judged, claim):
    patch = runs(8, 2 if claim else 0, named=True)
    patch["claims"]["time"] |= claim
    (note,) = judged("time-to-accuracy", "W0108", "time", patch).notes
    assert "reach accuracy 0.94" in note
    assert "divided" not in note


def test_a_run_that_diverged_did_not_reach_the_target(judged):
    patch = runs(9, 0)
    patch["arms"]["trained"]["trials"] |= {
        name: {"kind": "convergence", "outcome": "diverged"} for name in ("d1", "d2")
    }
    assert judged("time-to-accuracy", "W0108", "time", patch).outcome is VIOLATION


def test_a_criterion_in_a_field_alone_is_read_by_nobody(judged):
    patch = runs(8, 2, named=True)
    del patch["claims"]["time"]["test"]
    assert judged("time-to-accuracy", "W0108", "time", patch).branch.effect is CAVEAT


def test_each_run_is_another_criterion(judged):
    assert judged("time-to-accuracy", "W0108", "time").outcome is OUTSIDE


@pytest.mark.skipif("DLAUDIT_CORPUS" not in os.environ, reason="DLAUDIT_CORPUS is not set")
def test_a_record_over_forty_runs_with_its_criterion_named(judged):
    """A fifth of the runs lies above the target, the mean criterion is stated and met with margin."""
    path = Path(os.environ["DLAUDIT_CORPUS"]) / "facts" / "modded-nanogpt-rec14-valueembed.json"
    listed = json.loads(path.read_text())["listed_losses"]
    target = {"metric": "loss", "value": "3.28", "direction": "lower", "criterion": "mean"}
    trials = {
        f"r{i}": {"kind": "convergence", "outcome": "completed", "final": {"loss": str(loss)}}
        for i, loss in enumerate(listed)
    }
    claim = {"target": target, "criterion": "mean", "statement": "4.41 minutes to a loss of 3.28", "quality": None}
    claim["test"] = {"name": "one-sample t", "p": "0.001"}
    arm = {"target": target, "quality": None, "trials": RUNS | trials}
    patch = {"claims": {"time": {**claim, "metric": None}}, "arms": {"trained": arm}}
    result = judged("time-to-accuracy", "W0108", "time", patch)
    assert result.outcome is PASS
    assert result.notes[0].startswith(f"{sum(loss <= 3.28 for loss in listed)} of 40 runs reach loss 3.28")
    assert judged("time-to-accuracy", "W0107", "time", patch).outcome is PASS


# Hostile numbers -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "number", ["9" * 40, "1e999", "-1e999", "1e-999", "1e160", "-" + "9" * 39, "0." + "0" * 37 + "1", "0", "-0", "0.0"]
)
@pytest.mark.parametrize("code", ["W0104", "W0106", "W0107", "W0108", "W0203", "W0306"])
def test_no_printed_number_crashes_a_rule(judged, code, number):
    seeds_of = dict.fromkeys(("101", "102", "103"), number)
    target = {"metric": "accuracy", "value": number, "direction": "higher", "criterion": "mean"}
    quality = {"accuracy": {"value": number, "seeds": seeds_of}}
    finals = {f"s{i}": {"final": {"accuracy": number}, "evaluations": None} for i in (1, 2, 3)}
    for change in (
        {"arms": {"trained": {"quality": quality}}},
        {"claims": {"time": {"target": target, "criterion": "mean"}}},
        {"claims": {"time": {"value": number}}, "arms": {"trained": {"quality": None, "trials": finals}}},
    ):
        result = judged("time-to-accuracy", code, "time", change)
        assert result.outcome is not Outcome.ERROR, (result.reason, change)


@pytest.mark.parametrize("value", [1e308, -1e308, 5e-324, 0, None, 1e160])
@pytest.mark.parametrize("code", ["W0104", "W0106", "W0107", "W0108", "W0203", "W1003", "W1005"])
def test_no_logged_number_crashes_a_rule(judged, code, value):
    logs = [{"split": "test", "samples": i, "metrics": {"accuracy": value}} for i in range(1, 10)]
    arm = {"trials": {f"s{i}": {"evaluations": logs, "crossing": None} for i in (1, 2, 3)}}
    for quality in ({}, {"quality": None}):
        result = judged("time-to-accuracy", code, "time", {"arms": {"trained": arm | quality}})
        assert result.outcome is not Outcome.ERROR, result.reason
