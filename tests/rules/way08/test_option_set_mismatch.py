"""W0801, option-set-mismatch."""

import pytest
from dlaudit.rules.outcome import CAVEAT, REFUTES, UNDERMINES, Outcome
from support.quality import LOSS, headline

PASS = Outcome.PASS
OTHER = {"precision": {"compute": "e4m3"}}


def test_two_claims_of_one_headline_are_paired(judged):
    result = judged("training-pair", "W0801", "rate", headline("plain", **OTHER))
    assert (result.outcome, result.branch.branch) == (Outcome.VIOLATION, "a")
    assert result.branch.at == "/claims/loss/quality"


@pytest.mark.parametrize(
    "patch",
    [
        headline("plain", group="elsewhere", **OTHER),
        headline("plain", **OTHER, model="decoder 350M"),
    ],
    ids=["another headline", "another model"],
)
def test_claims_of_different_things_are_not(judged, patch):
    assert judged("training-pair", "W0801", "rate", patch).outcome is Outcome.NOT_APPLICABLE


def test_the_loss_of_the_timed_arm_comes_before_that_of_another(judged):
    patch = headline("plain", **OTHER)
    patch["claims"]["own"] = LOSS | {"group": "headline", "quality": {"arm": "fused", "quality": "loss"}}
    assert judged("training-pair", "W0801", "rate", patch).outcome is Outcome.PASS


def test_a_quality_claim_that_names_a_performance_is_paired_with_it(judged):
    patch = headline("plain", **OTHER)
    patch["claims"]["loss"]["measured"] = {"arm": "fused", "metric": "rate"}
    assert judged("training-pair", "W0801", "loss", patch).outcome is Outcome.VIOLATION


def runs_apart(key, timed, trained):
    trials = {f"t{i}": {key: timed} for i in range(1, 6)} | {f"s{i}": {key: trained} for i in range(1, 6)}
    return {"arms": {"fused": {"trials": trials}}}


def test_what_was_seen_in_timed_and_in_trained_runs_of_one_arm(judged):
    patch = runs_apart("observed", {"precision": {"compute": "e4m3"}}, {"precision": {"compute": "bf16"}})
    assert judged("training-pair", "W0801", "speedup", patch).branch.effect is REFUTES
    patch = runs_apart("observed", {"global_batch": 512}, {"global_batch": 256})
    assert judged("training-pair", "W0801", "speedup", patch).branch.effect in {CAVEAT, UNDERMINES}
    patch["arms"]["fused"]["trials"]["s1"]["observed"] = {"global_batch": 512}
    assert judged("training-pair", "W0801", "speedup", patch).outcome is PASS


@pytest.mark.parametrize(
    ("timed", "trained"),
    [
        ({"compression": "quantized gradients, 2 bits on average"}, {"compression": "PackIt, its usual level (L3)"}),
        ({"dataset": "a tenth of the corpus"}, {"dataset": "the corpus"}),
        ({"attention": "block-sparse"}, {"attention": "block-sparse windowed"}),
    ],
    ids=["two descriptions", "two data sets", "a name in full"],
)
def test_other_words_are_asked_about_and_refute_nothing(judged, timed, trained):
    patch = headline("plain", **timed)
    patch["arms"]["plain"] = {"options": trained}
    result = judged("training-pair", "W0801", "rate", patch)
    assert result.outcome is Outcome.NOT_SHOWN
    assert result.branch.question


def test_two_names_exclude_each_other(judged):
    patch = headline("plain", attention="block-sparse")
    assert judged("training-pair", "W0801", "rate", patch).outcome is Outcome.VIOLATION
