"""What a claim is linked to, for every rule that follows the link."""

import pytest
from dlaudit.rules.outcome import Outcome

PASS = Outcome.PASS


@pytest.mark.parametrize("code", ["R02", "R04", "R05", "R06"])
def test_a_quality_is_linked_to_its_arm(judged, code):
    claim = {"measured": None, "row": None, "quality": {"arm": "trained", "quality": "accuracy"}}
    claim |= {"quantity": "accuracy", "unit": None, "value": "0.9450", "target": None, "criterion": None}
    assert judged("time-to-accuracy", code, "time", {"claims": {"time": claim}}).outcome is PASS
