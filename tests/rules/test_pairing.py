"""Which quality is printed together with a performance: by the claim, or by the headline that claims share."""

import pytest
from dlaudit.rules.outcome import Outcome

LOSS = {
    "statement": "It ends at a test loss of 3.22.",
    "value": "3.22",
    "quantity": "accuracy",
    "metric": "loss",
    "form": "absolute",
    "scope": "training_run",
    "mode": "training",
    "compares": "none",
}
OTHER = {"precision": {"compute": "e4m3"}}


def headline(quality_arm, group="headline", **options):
    """The rate of the fused arm, and in a claim of its own the loss of some arm."""
    return {
        "claims": {
            "speedup": None,
            "rate": {"group": "headline"},
            "loss": LOSS | {"group": group, "quality": {"arm": quality_arm, "quality": "loss"}},
        },
        "arms": {"fused": {"options": options}},
    }


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


@pytest.mark.parametrize("code", ["W0801", "W0803", "W0804"])
@pytest.mark.parametrize("measured", [None, {"arm": "plain"}])
def test_the_quality_that_a_quality_claim_names_is_its_own_number(judged, code, measured):
    """A claim of an arm's quality that names no performance number is paired with none, be it the arm's only one."""
    patch = headline("plain", **OTHER)
    patch["claims"]["loss"] = {**patch["claims"]["loss"], "measured": measured}
    assert judged("training-pair", code, "loss", patch).outcome in {Outcome.NOT_APPLICABLE, Outcome.PASS}


def test_a_quality_claim_that_names_a_performance_is_paired_with_it(judged):
    patch = headline("plain", **OTHER)
    patch["claims"]["loss"]["measured"] = {"arm": "fused", "metric": "rate"}
    assert judged("training-pair", "W0801", "loss", patch).outcome is Outcome.VIOLATION
