"""M10, outliers-removed-silently."""

import pytest
from dlaudit.rules.outcome import Outcome


def measured(**fields):
    return {"arms": {"a": {"measurement": fields}}}


@pytest.mark.parametrize(
    ("fields", "excluded", "outcome"),
    [
        ({"raw_count": 75, "used_count": 60}, 0, Outcome.VIOLATION),
        ({"raw_count": 75, "used_count": 60, "discard_rule": "above 3 medians"}, 0, Outcome.PASS),
        ({"raw_count": 75, "used_count": 60}, 5, Outcome.PASS),
        ({"raw_count": 70, "used_count": 60}, 0, Outcome.PASS),
        ({"raw_count": 60, "used_count": 60}, 0, Outcome.PASS),
        ({"used_count": 60}, 0, Outcome.NOT_APPLICABLE),
    ],
)
def test_values_that_went_missing(judged, fields, excluded, outcome):
    patch = measured(**fields)
    patch["arms"]["a"]["performance"] = {"rate": {"n": {"excluded": excluded}}}
    assert judged("rate", "M10", "rate", patch).outcome is outcome
