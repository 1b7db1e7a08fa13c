"""E01, energy-boundary-undefined."""

import pytest
from dlaudit.rules.outcome import Outcome

PASS, VIOLATION, NOT_SHOWN = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN


@pytest.mark.parametrize(
    ("arm", "claim", "outcome"),
    [
        ({}, {}, PASS),
        ({"boundary": "node"}, {}, VIOLATION),
        ({"boundary": None}, {}, NOT_SHOWN),
        ({"method": None}, {}, NOT_SHOWN),
        ({}, {"base": {"arm": None, "metric": None, "value": "6.58"}}, NOT_SHOWN),
    ],
)
def test_energy_boundaries(judged, arm, claim, outcome):
    result = judged("energy", "E01", "gain", {"arms": {"full": {"energy": arm}}, "claims": {"gain": claim}})
    assert result.outcome is outcome
    if outcome is NOT_SHOWN:
        assert result.branch.item == "energy boundary and method"
