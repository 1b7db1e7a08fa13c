"""S06, equivalence-untested: Two things are called equal, and no test says so."""

import pytest
from dlaudit.rules.outcome import C2, UNDERMINES, Outcome
from support.answers import answer
from support.quality import parity, quality

PASS, VIOLATION, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE
TIGHT = ([1.0, 1.001, 0.999, 1.002, 0.998], [1.003, 1.001, 1.0, 1.002, 1.001])
WIDE = ([1.0, 1.08, 0.93], [1.02, 0.95, 1.09])


@pytest.mark.parametrize(
    ("patch", "outcome", "item"),
    [
        (parity(*TIGHT), PASS, None),
        (parity(*WIDE), NOT_SHOWN, ""),
        (parity(*TIGHT, margin=None), NOT_SHOWN, "margin"),
        (parity(TIGHT[0][:2], TIGHT[1][:2]), NOT_SHOWN, ""),
        (parity(*TIGHT, base=None), NOT_SHOWN, "numbers of both arms"),
        (parity(*TIGHT, margin=None, base=None), NOT_SHOWN, "numbers of both arms"),
        (parity(*TIGHT, measured=None, base=None), NOT_SHOWN, "numbers of both arms"),
    ],
)
def test_parity(judged, patch, outcome, item):
    result = judged("training-pair", "S06", "speedup", patch)
    assert result.outcome is outcome
    assert outcome is PASS or result.branch.item == item


@pytest.mark.parametrize("margin", ["5", None])
def test_an_interval_wholly_outside_the_margin_contradicts_parity(judged, margin):
    slower = [1.2, 1.21, 1.19, 1.2, 1.2]
    result = judged("training-pair", "S06", "speedup", parity(slower, TIGHT[1], margin))
    assert (result.outcome, result.branch.branch, result.branch.effect) == (VIOLATION, "a", UNDERMINES)
    assert result.branch.confidence is C2
    faster = judged("training-pair", "S06", "speedup", parity([0.8, 0.81, 0.79], TIGHT[1], margin))
    assert faster.outcome is VIOLATION


def test_no_loss_is_not_contradicted_by_something_better(judged):
    patch = parity([0.8, 0.81, 0.79], TIGHT[1], statement="The change brings no slowdown.")
    assert judged("training-pair", "S06", "speedup", patch).outcome is PASS
    worse = parity([1.2, 1.21, 1.19], TIGHT[1], statement="The change brings no slowdown.")
    assert judged("training-pair", "S06", "speedup", worse).outcome is VIOLATION


def test_identical_outputs_are_parity(judged):
    patch = parity(margin=None, quantity="accuracy", metric="loss", base=None, outputs={"compared": 500})
    patch["claims"]["speedup"]["outputs"]["identical"] = 500
    assert judged("training-pair", "S06", "speedup", patch).outcome is PASS
    patch["claims"]["speedup"]["outputs"]["identical"] = 499
    assert judged("training-pair", "S06", "speedup", patch).outcome is NOT_SHOWN


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (quality("68.37"), PASS),
        (quality("68.37", "0.5"), NOT_SHOWN),  # 14,042 examples cannot tell half a percent
        (quality("70.10"), PASS),  # better is no loss
        (quality("64.00"), VIOLATION),
        (quality("64.00", None), VIOLATION),
        (quality("68.37", None), NOT_SHOWN),
    ],
)
def test_quality_of_fixed_weights_is_judged_over_examples(judged, patch, outcome):
    assert judged("quantised", "S06", "parity", patch).outcome is outcome


def test_one_training_run_a_side_tests_nothing(judged):
    one = {"value": "3.22", "seeds": None, "n": {"planned": 1, "completed": 1}}
    gone = {f"s{i}": None for i in range(1, 6)}
    arms = {name: {"quality": {"loss": one}, "trials": gone} for name in ("fused", "plain")}
    patch = {**parity(quantity="accuracy", metric="loss"), "arms": arms}
    assert judged("training-pair", "S06", "speedup", patch).outcome is NOT_SHOWN
    assert judged("training-pair", "S12", "speedup", patch).outcome is NOT_SHOWN


def test_a_weak_test_speaks_for_parity_that_it_contradicts():
    from dlaudit.rules.bases import base
    from dlaudit.rules.book import by_code
    from dlaudit.rules.case import Case
    from dlaudit.rules.documentation import merge_patch
    from dlaudit.rules.engine import judge
    from dlaudit.schemas.model import to_model
    from dlaudit.schemas.submission import Submission

    value = merge_patch(base("training-pair"), parity([1.5, 1.4, 1.6], [1.0, 1.05, 0.95], "1"))
    rules = [by_code("S06"), by_code("S12")]
    results = {result.code: result for result in judge(Case(to_model(value, Submission)), rules, ["speedup"])}
    assert results["S12"].also == ("S06",)
    assert results["S12"].branch.effect is UNDERMINES
    assert results["S06"].outcome is NOT_APPLICABLE


def test_a_margin_that_was_chosen_after_the_runs_shows_no_parity(judged):
    words = {"statement": "Training with fused attention is as fast as before.", "value": None, "unit": None}
    margin = {"margin": {"value": "5", "declared_before": False}}
    patch = {"claims": {"speedup": {"form": "parity", **words, **margin}}}
    trials = {f"t{k}": {"samples": {"step_time_s": [0.8 + k / 1000]}} for k in range(1, 6)}
    patch["arms"] = {"fused": {"trials": trials}, "plain": {"trials": trials}}
    result = judged("training-pair", "S06", "speedup", patch)
    assert (answer(result), result.branch.item) == (NOT_SHOWN, "margin")
    margin["margin"]["declared_before"] = True
    assert answer(judged("training-pair", "S06", "speedup", patch)) is PASS


def stated(ours, theirs, **claim):
    """Return a patch: two arms state one value each, and no trial behind it."""
    trials = {f"{kind}{i}": None for i in range(1, 6) for kind in "ts"}
    arms = {
        name: {"performance": {"rate": {"value": value, "column": None, "digits": 4}}, "trials": trials}
        for name, value in (("fused", ours), ("plain", theirs))
    }
    words = {"statement": "Training is as fast as before.", "form": "parity", "value": None, "unit": None}
    return {"claims": {"speedup": {**words, "interval": None, "margin": {"value": "5"}, **claim}}, "arms": arms}


@pytest.mark.parametrize(
    ("ours", "claim", "outcome"),
    [
        ("28910", {}, NOT_SHOWN),
        ("26000", {}, VIOLATION),
        ("26500", {"margin": None}, NOT_SHOWN),
        ("24000", {"margin": None}, VIOLATION),
        ("24000", {"statement": "Training is as fast as before, within noise."}, NOT_SHOWN),
        ("34000", {}, VIOLATION),
        ("34000", {"statement": "Training brings no slowdown."}, NOT_SHOWN),
    ],
)
def test_two_numbers_alone_may_contradict_parity(judged, ours, claim, outcome):
    assert judged("training-pair", "S06", "speedup", stated(ours, "28910", **claim)).outcome is outcome


@pytest.mark.parametrize("left_out", ["three seeds", "all seeds", "a wide interval"])
def test_leaving_seeds_out_does_not_restore_parity(judged, left_out):
    kept = {"11": "3.41", "12": "3.43"} if left_out == "three seeds" else {}
    seeds = dict.fromkeys(("11", "12", "13", "14", "15")) | kept
    interval = {"low": "3.0", "high": "3.9", "level": 0.95} if left_out == "a wide interval" else None
    loss = {"value": "3.42", "seeds": seeds if kept else None, "interval": interval}
    words = {"statement": "The loss is the same.", "form": "parity", "quantity": "accuracy", "metric": "loss"}
    patch = {
        "claims": {"speedup": {**words, "value": None, "unit": None, "interval": None, "margin": {"value": "1"}}},
        "arms": {"fused": {"quality": {"loss": loss}, "trials": {f"s{i}": None for i in range(1, 6)}}},
    }
    result = judged("training-pair", "S06", "speedup", patch)
    assert (result.outcome, result.branch.branch) == (VIOLATION, "b")
