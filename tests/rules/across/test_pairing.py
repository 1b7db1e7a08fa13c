"""Which quality is paired with which performance, for every rule that reads the pair."""

import pytest
from dlaudit.rules.outcome import Outcome
from support.quality import headline

OTHER = {"precision": {"compute": "e4m3"}}


@pytest.mark.parametrize("code", ["W0801", "W0803", "W0804"])
@pytest.mark.parametrize("measured", [None, {"arm": "plain"}])
def test_the_quality_that_a_quality_claim_names_is_its_own_number(judged, code, measured):
    """A claim of an arm's quality that names no performance number is paired with none, be it the arm's only one."""
    patch = headline("plain", **OTHER)
    patch["claims"]["loss"] = {**patch["claims"]["loss"], "measured": measured}
    assert judged("training-pair", code, "loss", patch).outcome in {Outcome.NOT_APPLICABLE, Outcome.PASS}
